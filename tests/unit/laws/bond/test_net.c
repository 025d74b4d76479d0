// SPDX-License-Identifier: MIT
// The six graphs of the reference: causality, state matrices and eigenvalues as tabulated there (closed forms).
#include "laws/bond/net.h"
#include "laws/bond/tape.h"
#include "sparse/dense_general_eigen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    net_kind kind;
    double value;
} node_row;
typedef struct {
    const char *from, *to;
} bond_row;
typedef struct {
    node_row node[12];
    bond_row bond[12];
    const char *stroke[12]; // element at the stroke of each bond
    int n_state, n_source;
    double A[9], B[6], B_rate[6], re[3], im[3];
    const char *derivative, *arbitrary; // NULL: none
} graph_case;

static void build(const graph_case *c, net *g)
{
    *g = (net){ 0 };
    for (const node_row *n = c->node; n->name; n++) {
        net_value value = { n->value, NULL };
        net_add_node(
            g,
            &(net_node){
                .name = n->name, .kind = n->kind, .value = &value, .n_value = 1, .rows = 1, .columns = 1 });
    }
    for (const bond_row *b = c->bond; b->from; b++) {
        net_add_bond(g, net_find(g, b->from), net_find(g, b->to), (bi_place){ 0 });
    }
}

static void check_list(const net *g, net_causality causality, const char *expected)
{
    for (int n = 0; n < g->n_node; n++) {
        bool is_named = expected && strcmp(g->node[n].name, expected) == 0;
        assert_int_equal(g->causality[n] == causality, is_named);
    }
}

static void check_near(const double *is, const double *should, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++) {
        largest = fmax(largest, fabs(should[k]));
    }
    for (int k = 0; k < count; k++) {
        // the tables carry 1e-9 relative
        if (!(fabs(is[k] - should[k]) <= 1e-9 * fabs(should[k]) + 1e-13 * largest)) {
            fail_msg("entry %d is %.17g, should be %.17g", k, is[k], should[k]);
        }
    }
}

static void check_case(const graph_case *c)
{
    net g;
    tape t;
    bi_report report = { 0 };
    build(c, &g);
    assert_true(net_check(&g, "g", &report));
    assert_true(net_assign(&g, "g", &report));
    for (int b = 0; b < g.n_bond; b++) {
        int at = g.bond[b].stroke == STROKE_TO ? g.bond[b].to : g.bond[b].from;
        assert_string_equal(g.node[at].name, c->stroke[b]);
    }
    check_list(&g, CAUSALITY_DERIVATIVE, c->derivative);
    check_list(&g, CAUSALITY_ARBITRARY, c->arbitrary);

    assert_true(tape_create(&g, "g", 0, NULL, NULL, &t, &report));
    assert_int_equal(t.n_state, c->n_state);
    assert_int_equal(t.n_source, c->n_source);
    double *memory = calloc((size_t)tape_work_size(&t), sizeof *memory);
    tape_work w = tape_work_cut(&t, memory);
    assert_true(tape_solve(&t, NULL, &w));
    double A[9], B[6], B_rate[6], re[3], im[3];
    assert_true(tape_linearise(&t, &w, A, B, B_rate));
    check_near(A, c->A, t.n_state * t.n_state);
    check_near(B, c->B, t.n_state * t.n_source);
    check_near(B_rate, c->B_rate, t.n_state * t.n_source);
    assert_true(dense_eigenvalues(t.n_state, A, re, im));
    check_near(re, c->re, t.n_state);
    check_near(im, c->im, t.n_state);
    free(memory);
    tape_clear(&t);
    net_clear(&g);
    bi_report_clear(&report);
}

// eigenvalues from the closed forms: -zeta w0 -+ i w0 sqrt(1 - zeta^2) and the like
static const graph_case rlc = {
    .node = { { "S", NET_SE, 10 },
              { "j", NET_ONE, 0 },
              { "I", NET_I, 0.5 },
              { "C", NET_C, 0.02 },
              { "R", NET_R, 2 } },
    .bond = { { "S", "j" }, { "j", "I" }, { "j", "C" }, { "j", "R" } },
    .stroke = { "j", "I", "j", "j" },
    .n_state = 2,
    .n_source = 1,
    .A = { -4, -50, 2, 0 },
    .B = { 1, 0 },
    .re = { -2, -2 },
    .im = { -9.797958971132712, 9.797958971132712 },
};
static const graph_case dc_motor = {
    .node = { { "V", NET_SE, 12 },
              { "j1", NET_ONE, 0 },
              { "La", NET_I, 0.01 },
              { "Ra", NET_R, 1 },
              { "gy", NET_GY, 0.1 },
              { "j2", NET_ONE, 0 },
              { "J", NET_I, 0.01 },
              { "b", NET_R, 0.001 },
              { "TL", NET_SE, -0.2 } },
    .bond = { { "V", "j1" },
              { "j1", "La" },
              { "j1", "Ra" },
              { "j1", "gy" },
              { "gy", "j2" },
              { "j2", "J" },
              { "j2", "b" },
              { "TL", "j2" } },
    .stroke = { "j1", "La", "j1", "j1", "j2", "J", "j2", "j2" },
    .n_state = 2,
    .n_source = 2,
    .A = { -100, -10, 10, -0.1 },
    .B = { 1, 0, 0, 1 },
    .re = { -98.98876275510037, -1.1112372448996215 },
    .im = { 0, 0 },
};
static const graph_case hydraulic = {
    .node = { { "Q", NET_SF, 2e-4 },
              { "z", NET_ZERO, 0 },
              { "C", NET_C, 1e-3 / 1.4e9 },
              { "Rl", NET_R, 1e12 },
              { "tf", NET_TF, 500 },
              { "j", NET_ONE, 0 },
              { "m", NET_I, 500 },
              { "b", NET_R, 5000 },
              { "F", NET_SE, -1e4 } },
    .bond = { { "Q", "z" },
              { "z", "C" },
              { "z", "Rl" },
              { "z", "tf" },
              { "tf", "j" },
              { "j", "m" },
              { "j", "b" },
              { "F", "j" } },
    .stroke = { "Q", "z", "Rl", "tf", "j", "m", "j", "j" },
    .n_state = 2,
    .n_source = 2,
    .A = { -1.4, -4e-6, 2.8e9, -10 },
    .B = { 1, 0, 0, 1 },
    .re = { -5.7, -5.7 },
    .im = { -105.74265931968989, 105.74265931968989 },
};
static const graph_case gear = {
    .node = { { "T", NET_SE, 5 },
              { "j1", NET_ONE, 0 },
              { "J1", NET_I, 0.02 },
              { "tf", NET_TF, 0.25 },
              { "j2", NET_ONE, 0 },
              { "J2", NET_I, 0.8 },
              { "b2", NET_R, 0.4 } },
    .bond = { { "T", "j1" }, { "j1", "J1" }, { "j1", "tf" }, { "tf", "j2" }, { "j2", "J2" }, { "j2", "b2" } },
    .stroke = { "j1", "J1", "j1", "tf", "j2", "j2" },
    .n_state = 1,
    .n_source = 1,
    .A = { -0.35714285714285715 },
    .B = { 0.2857142857142857 },
    .re = { -0.35714285714285715 },
    .im = { 0 },
    .derivative = "J2",
};
static const graph_case loop = {
    .node = { { "E", NET_SE, 24 },
              { "j1", NET_ONE, 0 },
              { "R1", NET_R, 3 },
              { "z", NET_ZERO, 0 },
              { "R2", NET_R, 6 },
              { "j2", NET_ONE, 0 },
              { "R3", NET_R, 1 },
              { "L", NET_I, 0.2 } },
    .bond = { { "E", "j1" },
              { "j1", "R1" },
              { "j1", "z" },
              { "z", "R2" },
              { "z", "j2" },
              { "j2", "R3" },
              { "j2", "L" } },
    .stroke = { "j1", "R1", "j1", "z", "j2", "j2", "L" },
    .n_state = 1,
    .n_source = 1,
    .A = { -15 },
    .B = { 0.66666666666666663 },
    .re = { -15 },
    .im = { 0 },
    .arbitrary = "R1",
};

static void the_series_circuit_has_the_tabulated_matrices(void **state) { (void)state, check_case(&rlc); }
static void the_motor_has_the_tabulated_matrices(void **state) { (void)state, check_case(&dc_motor); }
static void the_cylinder_has_the_tabulated_matrices(void **state) { (void)state, check_case(&hydraulic); }
static void the_gear_has_its_second_inertia_in_derivative_form(void **state)
{
    (void)state, check_case(&gear);
}
static void the_resistor_loop_is_torn_and_solved(void **state) { (void)state, check_case(&loop); }

static void two_sources_of_effort_on_one_junction_are_a_conflict(void **state)
{
    (void)state;
    graph_case c = {
        .node = { { "A", NET_SE, 1 }, { "B", NET_SE, 2 }, { "z", NET_ZERO, 0 }, { "C", NET_C, 1 } },
        .bond = { { "A", "z" }, { "B", "z" }, { "z", "C" } }
    };
    net g;
    bi_report report = { 0 };
    build(&c, &g);
    assert_true(net_check(&g, "g", &report));
    assert_false(net_assign(&g, "g", &report));
    assert_non_null(strstr(report.issue[0].what, "B -> z"));
    net_clear(&g);
    bi_report_clear(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_series_circuit_has_the_tabulated_matrices),
        cmocka_unit_test(the_motor_has_the_tabulated_matrices),
        cmocka_unit_test(the_cylinder_has_the_tabulated_matrices),
        cmocka_unit_test(the_gear_has_its_second_inertia_in_derivative_form),
        cmocka_unit_test(the_resistor_loop_is_torn_and_solved),
        cmocka_unit_test(two_sources_of_effort_on_one_junction_are_a_conflict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
