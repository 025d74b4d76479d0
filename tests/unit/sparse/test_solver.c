// SPDX-License-Identifier: MIT
// Every solver of the table on the same matrices: the residual is the judge.
#include "sparse/solver.h"
#include "support/run_model.h"
#include <stdlib.h>

enum { N = 60 };
static const char *const names[] = { "own", "klu", "dense" };

static uint64_t seed = 1;
static double random_number(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0 - 0.5;
}

// A random sparse matrix with a dominant diagonal, so that it is positive definite.
static double *make(pattern *pat)
{
    pattern_builder builder;
    pattern_builder_init(&builder, N);
    for (int i = 0; i < N; i++) {
        pattern_add(&builder, i, i);
        for (int k = 0; k < 3; k++) {
            pattern_add(&builder, i, (int)((random_number() + 0.5) * N) % N);
        }
    }
    assert_true(pattern_build(&builder, pat));
    pattern_builder_free(&builder);
    double *val = malloc((size_t)pat->nnz * sizeof *val);
    for (int j = 0; j < N; j++) {
        for (int k = pat->start[j]; k < pat->start[j + 1]; k++) {
            val[k] = pat->row[k] == j ? 20.0 + random_number() : random_number();
        }
    }
    return val;
}

static void test_every_solver_solves_and_factors_again_on_the_same_pattern(void **state)
{
    (void)state;
    pattern pat;
    double *val = make(&pat);
    for (int c = SOLVER_OWN; c <= SOLVER_DENSE; c++) {
        if (!solver_exists((solver_choice)c)) {
            printf("%s is not in this build\n", names[c]);
            continue;
        }
        solver *s = solver_create((solver_choice)c, &pat);
        double *numeric = calloc(solver_numeric_count(s), sizeof *numeric);
        for (int round = 0; round < 3; round++) {
            double b[N], x[N], y[N] = { 0 }, worst = 0.0;
            val[0] += 1.0;
            for (int i = 0; i < N; i++) {
                x[i] = b[i] = random_number();
            }
            assert_int_equal(solver_factor(s, val, numeric, 0.0), -1);
            solver_solve(s, numeric, x);
            pattern_multiply(&pat, val, x, y);
            for (int i = 0; i < N; i++) {
                worst = fmax(worst, fabs(y[i] - b[i]));
            }
            // sixty terms of size one, condition about two
            run_expect(names[c], worst, 1e-14);
        }
        solver_close(s, numeric);
        free(numeric);
        solver_destroy(s);
    }
    free(val);
    pattern_free(&pat);
}

static void test_every_solver_names_a_variable_without_a_pivot(void **state)
{
    (void)state;
    pattern pat;
    pattern_builder builder;
    pattern_builder_init(&builder, 3);
    for (int i = 0; i < 3; i++) {
        pattern_add(&builder, i, i);
    }
    assert_true(pattern_build(&builder, &pat));
    pattern_builder_free(&builder);
    const double val[3] = { 1.0, -2.0, 3.0 };
    for (int c = SOLVER_OWN; c <= SOLVER_DENSE; c++) {
        if (!solver_exists((solver_choice)c)) {
            continue;
        }
        solver *s = solver_create((solver_choice)c, &pat);
        double *numeric = calloc(solver_numeric_count(s), sizeof *numeric);
        assert_int_equal(solver_factor(s, val, numeric, 0.0), 1);
        solver_close(s, numeric);
        free(numeric);
        solver_destroy(s);
    }
    pattern_free(&pat);
}

// A whole run: the same mechanism with each of them.
static double tip_with(bi_solver choice)
{
    bi_report report = { 0 };
    bi_model *model =
        bi_read_model(BI_SOURCE_DIR "/models/governor/model.yaml", NULL, 0, NULL, NULL, &report);
    bi_options options = { .dt = 1e-3, .solver = choice };
    bi_system *system = bi_compile(model, &options, &report);
    run_require(system != NULL, &report, "does not compile");
    bi_sim *sim = bi_sim_create(system);
    assert_int_equal(bi_sim_start(sim, &report), BI_OK);
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(bi_sim_step(sim), BI_OK);
    }
    double value = bi_sim_read(sim, bi_channel_at(system, 0));
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    return value;
}

static void test_runs_with_different_solvers_agree_to_rounding(void **state)
{
    (void)state;
    double own = tip_with(BI_SOLVER_OWN);
    run_expect("governor 1 s, dense", fabs(tip_with(BI_SOLVER_DENSE) - own), 1e-10);
    if (bi_solver_exists(BI_SOLVER_KLU)) {
        run_expect("governor 1 s, klu", fabs(tip_with(BI_SOLVER_KLU) - own), 1e-10);
    }
}

// Elimination on paper: which numbers a factor must have, from the matrix in the solver's own order.
static void test_the_shape_of_a_factor_holds_all_that_elimination_fills(void **state)
{
    (void)state;
    pattern pat;
    free(make(&pat));
    for (int c = SOLVER_OWN; c <= SOLVER_DENSE; c++) {
        solver *s = solver_exists((solver_choice)c) ? solver_create((solver_choice)c, &pat) : NULL;
        int order[N], position[N], start[N + 1], row[N * N];
        if (!s || !solver_shape(s, order, start, row)) {
            solver_destroy(s);
            continue;
        }
        bool filled[N][N] = { 0 }, told[N][N] = { 0 };
        for (int k = 0; k < N; k++) {
            position[order[k]] = k;
        }
        for (int j = 0; j < N; j++) {
            for (int k = pat.start[j]; k < pat.start[j + 1]; k++) {
                int a = position[pat.row[k]], b = position[j];
                filled[a][b] = filled[b][a] = true;
            }
        }
        for (int k = 0; k < N; k++) {
            for (int i = k + 1; i < N; i++) {
                for (int j = k + 1; j < N; j++) {
                    filled[i][j] = filled[i][j] || (filled[i][k] && filled[k][j]);
                }
            }
        }
        assert_int_equal(start[N], solver_nnz(s));
        for (int k = 0; k < N; k++) {
            for (int i = start[k]; i < start[k + 1]; i++) {
                assert_true(row[i] >= k && row[i] < N && !told[row[i]][k]);
                told[row[i]][k] = true;
            }
        }
        for (int i = 0; i < N; i++) {
            for (int j = 0; j <= i; j++) {
                assert_true(told[i][j] || !filled[i][j]);
            }
        }
        solver_destroy(s);
    }
    pattern_free(&pat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solver_solves_and_factors_again_on_the_same_pattern),
        cmocka_unit_test(test_the_shape_of_a_factor_holds_all_that_elimination_fills),
        cmocka_unit_test(test_every_solver_names_a_variable_without_a_pivot),
        cmocka_unit_test(test_runs_with_different_solvers_agree_to_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
