// SPDX-License-Identifier: MIT
// The six reference graphs as models: curves in closed form, steady states as tabulated, powers at junctions.
#include "support/run_model.h"

typedef struct {
    const char *model, *channel[3];
    double dt; // of dopri5: its error is far below the twelve digits of the file
} curve_case;

static const curve_case curves[] = {
    { "bond-rlc", { "graph.j->L.f", "graph.C.q", "graph.j->C.e" }, 1e-3 },
    // the explicit scheme needs h < 3 / 99 s for stability, and accuracy asks for less
    { "bond-motor", { "graph.j1->La.f", "graph.j2->J.f" }, 2e-4 },
    { "bond-hydraulic", { "graph.z->C.e", "graph.j->m.f" }, 1e-4 },
    { "bond-gear", { "graph.j1->J1.f", "graph.j2->J2.f" }, 5e-3 },
    { "bond-loop", { "graph.j2->L.f", "graph.j1->z.e" }, 5e-4 },
    { "bond-gyro", { "graph.w1->J1.f", "graph.w2->J2.f" }, 1e-3 },
};
enum { N_CURVES = sizeof curves / sizeof *curves };

static double curve_error(const curve_case *c, bi_scheme scheme, double dt)
{
    run_column column[3] = { 0 };
    int count = 0;
    for (; count < 3 && c->channel[count]; count++) {
        column[count].channel = c->channel[count];
    }
    return run_error(&(run_case){ .model = c->model, .scheme = scheme, .dt = dt }, "reference.csv", column,
                     count);
}

static void the_curves_of_all_graphs_are_the_closed_forms(void **state)
{
    (void)state;
    for (int k = 0; k < N_CURVES; k++) {
        // the references have twelve digits; 1e-9 of the range is what is asked for
        run_expect(curves[k].model, curve_error(&curves[k], BI_DOPRI5, curves[k].dt), 1e-9);
    }
}

static void a_step_of_the_trapezoidal_rule_is_of_second_order(void **state)
{
    (void)state;
    for (int k = 0; k < N_CURVES; k++) {
        double dt = k == 1 ? 1e-3 : 2.0 * curves[k].dt;
        run_expect_order_two(curves[k].model, curve_error(&curves[k], BI_ALI3P, dt),
                             curve_error(&curves[k], BI_ALI3P, 0.5 * dt));
    }
}

// ---- steady states ----------------------------------------------------------------------------------------------------

static double flow_of(const bi_bonds *b, const char *from, const char *to, bool effort)
{
    for (int k = 0; k < b->n_bond; k++) {
        if (strcmp(b->node[b->bond[k].from].name, from) == 0 &&
            strcmp(b->node[b->bond[k].to].name, to) == 0) {
            return effort ? b->steady_effort[k] : b->steady_flow[k];
        }
    }
    fail_msg("no bond %s -> %s", from, to);
    return 0.0;
}

typedef struct {
    const char *model, *from, *to;
    bool effort;
    double value;
} steady_case;

static void steady_values_are_as_tabulated(void **state)
{
    (void)state;
    static const steady_case cases[] = {
        { "bond-rlc", "j", "C", true, 10.0 },
        // w = (k V - Ra TL) / (k^2 + Ra b), i = (V b + k TL) / (k^2 + Ra b)
        { "bond-motor", "j2", "J", false, (0.1 * 12.0 - 0.2) / (0.01 + 0.001) },
        { "bond-motor", "j1", "La", false, (12.0 * 0.001 + 0.1 * 0.2) / (0.01 + 0.001) },
        // leak: p = (F + b v) / A, Q = A v + p / R
        { "bond-hydraulic", "j", "m", false, (2e-4 - 5e6 / 1e12) / (2e-3 + 5000.0 / 2e-3 / 1e12) },
        { "bond-gear", "j1", "J1", false, 200.0 },
        { "bond-loop", "j2", "L", false, 16.0 / 3.0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const steady_case *c = &cases[k];
        run_model run = run_open(&(run_case){ .model = c->model });
        bi_bonds bonds;
        assert_true(bi_bonds_make(run.model, bi_model_graph(run.model, 0), NULL, NULL, &bonds, &run.report));
        assert_true(bonds.has_steady);
        double value = flow_of(&bonds, c->from, c->to, c->effort);
        run_expect(c->model, fabs(value - c->value) / fabs(c->value), 1e-9);
        bi_bonds_clear(&bonds);
        run_close(&run);
    }
}

// A body that turns freely rests nowhere in particular.
static void a_free_body_has_no_single_steady_state(void **state)
{
    (void)state;
    run_model run = run_open(&(run_case){ .model = "bond-gyro" });
    bi_bonds bonds;
    assert_true(bi_bonds_make(run.model, bi_model_graph(run.model, 0), NULL, NULL, &bonds, &run.report));
    assert_true(bonds.has_numbers);
    assert_false(bonds.has_steady);
    // small motions about (1.5, 0, 10): eigenvalues 0 and +- i (J3 - J1) / J1 w3 = 5 (to first order in what is small:
    // with w1 = 1.5 the linear equations are exact, since w3 stays)
    for (int k = 0; k < 3; k++) {
        double size = hypot(bonds.re[k], bonds.im[k]);
        assert_true(size <= 1e-9 || fabs(size - 5.0) <= 1e-9);
    }
    bi_bonds_clear(&bonds);
    run_close(&run);
}

// ---- powers -----------------------------------------------------------------------------------------------------------

static bool keeps_power(const char *kind)
{
    return strcmp(kind, "0") == 0 || strcmp(kind, "1") == 0 || strcmp(kind, "TF") == 0 ||
           strcmp(kind, "GY") == 0;
}

static double audit(const char *model)
{
    run_model run = run_open(&(run_case){ .model = model });
    bi_element graph = bi_model_graph(run.model, 0);
    bi_bonds b;
    assert_true(bi_bonds_make(run.model, graph, NULL, NULL, &b, &run.report));
    double worst = 0.0, most = 0.0;
    for (int step = 0; step < 400; step++) {
        double sum[32] = { 0 };
        assert_true(b.n_node <= 32);
        for (int k = 0; k < b.n_bond; k++) {
            double v[4];
            assert_true(bi_sim_bond(run.sim, graph, k, v));
            sum[b.bond[k].from] -= v[0] * v[1];
            sum[b.bond[k].to] += v[0] * v[1];
            most = fmax(most, fabs(v[2]));
        }
        for (int n = 0; n < b.n_node; n++) {
            worst = keeps_power(b.node[n].kind) ? fmax(worst, fabs(sum[n])) : worst;
        }
        run_step(&run);
    }
    bi_bonds_clear(&b);
    run_close(&run);
    assert_true(most > 0.0);
    return worst / most;
}

static void powers_at_every_junction_add_to_zero(void **state)
{
    (void)state;
    for (int k = 0; k < N_CURVES; k++) {
        run_expect(curves[k].model, audit(curves[k].model), 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curves_of_all_graphs_are_the_closed_forms),
        cmocka_unit_test(a_step_of_the_trapezoidal_rule_is_of_second_order),
        cmocka_unit_test(steady_values_are_as_tabulated),
        cmocka_unit_test(a_free_body_has_no_single_steady_state),
        cmocka_unit_test(powers_at_every_junction_add_to_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
