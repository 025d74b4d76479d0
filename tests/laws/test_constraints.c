// SPDX-License-Identifier: MIT
// Every constraint in the table of dynamics/laws.c, and every kind of rows that joints ask for: gradients, time
// derivatives and gamma against differences. A new one fails here until it has a sample below.
#include "laws/law_bench.h"

enum { TRIES = 8, MOST_REQUESTS = 4 };

typedef struct {
    const char *name; // type of the schema, or the rows of a joint
    bool is_made;     // asked by coordinates: no schema
    bi_joint_kind joint;
    joint_request request[MOST_REQUESTS];
    int n_request;
    void (*describe)(bi_model *m, bi_body a, bi_body b, bi_joint joint); // NULL: the joint's rows are all
    bool has_velocity_rows;
} sample;

static void describe_guide(bi_model *m, bi_body a, bi_body b, bi_joint joint)
{
    (void)a;
    (void)b;
    bi_expr e = bi_expression(m, "0.3*sin(4*t) + t^3 - 0.2", NULL);
    bi_add_guide(m, &(bi_guide_def){ .name = "guide", .joint = joint, .value = e });
}

static void describe_rolling(bi_model *m, bi_body a, bi_body b, bi_joint joint)
{
    (void)a;
    (void)joint;
    bi_add_rolling(m, &(bi_rolling_def){ .name = "roll",
                                         .body = b,
                                         .centre = { 0.1, 0.2, -0.1 },
                                         .axis = { 0.2, 1.0, -0.4 },
                                         .radius = 0.35,
                                         .plane = { 0.3, -0.2, 0.1 },
                                         .normal = { 0.3, -0.5, 2.0 } });
}

#define DESCRIBE(word, ...)                                                                                  \
    static void describe_##word(bi_model *m, bi_body a, bi_body b, bi_joint joint)                           \
    {                                                                                                        \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        (void)joint;                                                                                         \
        bi_add_##word(m, &(bi_##word##_def){ .name = #word, __VA_ARGS__ });                                  \
    }
DESCRIBE(gear, .a = { joint, 0 }, .b = { joint, 1 }, .ratio = -2.5)
DESCRIBE(rack, .pinion = { joint, 0 }, .rack = { joint, 1 }, .radius = 0.3)
DESCRIBE(coupling, .term = { { { joint, 0 }, 1.5 }, { { joint, 1 }, -0.7 } }, .offset = 0.2)
DESCRIBE(distance, .a = { a, { 0.1, 0.2, 0.0 } }, .b = { b, { 0.0, 0.3, 0.5 } }, .length = 0.8)
DESCRIBE(dot, .u = { a, { 1.0, 2.0, 0.0 } }, .a = { a, { 0.1, 0.2, 0.0 } }, .b = { b, { 0.0, 0.3, 0.5 } },
         .value = bi_expression(m, "0.3*sin(4*t)", NULL))
DESCRIBE(coincide, .a = { a, { 0.1, 0.2, 0.0 } }, .b = { b, { 0.0, 0.3, 0.5 } })
DESCRIBE(in_plane, .point = { a, { 0.1, 0.2, 0.0 } }, .plane = { b, { 0.0, 0.3, 0.5 } },
         .normal = { 1, 1, 0 })
DESCRIBE(on_line, .point = { a, { 0.1, 0.2, 0.0 } }, .line = { b, { 0.0, 0.3, 0.5 } },
         .direction = { 1, 1, 0 })

// radius of curvature beyond the scatter of the points, so that the closest point is a smooth function
static const double curve[] = { -3.0, 0.0, 0.0, -1.0, 0.1, 0.05, 1.0, 0.0, 0.1, 3.0, -0.1, 0.0 };
DESCRIBE(on_curve, .point = { a, { 0.1, 0.2, 0.0 } }, .body = b, .points = { 4, 3, curve })

static const double profile[] = { 0.0, 0.2, 1.0, 0.25, 2.5, 0.3, 4.0, 0.24 };
DESCRIBE(cam, .cam = { joint, 0 }, .follower = { joint, 1 }, .profile = { 4, 2, profile },
         .contact = BI_CAM_ROLLER, .roller = 0.05, .direction = 0.4)

static void describe_expression(bi_model *m, bi_body a, bi_body b, bi_joint joint)
{
    (void)joint;
    bi_add_point(m, "Q", (bi_point){ b, { 0.1, 0.0, 0.2 } });
    bi_named_point P = { "P", { a, { 0.1, 0.2, 0.0 } } };
    bi_named_vector u = { "u", { b, { 1.0, 2.0, 0.0 } } };
    bi_expr zero = bi_expression(m, "P.x^2 + sin(P.y*Q.z) - u.x*u.z*P.x + 0.1*cos(joint.angle*t)*P.z", NULL);
    bi_add_expression(m, &(bi_expression_def){
                             .name = "expression", .points = { 1, &P }, .vectors = { 1, &u }, .zero = zero });
}

// x_0 y_1 + z_0 u_x - 0.2 c^2 + t c, and the same with all it can give
static void user_function(void *context, const bi_user_motion *in, bi_user_rows *out)
{
    (void)context;
    const double *x = in->value, *v = in->rate;
    out->phi[0] = x[0] * x[4] + x[2] * x[6] - 0.2 * x[9] * x[9] + in->t * x[9];
    if (out->gradient) {
        out->gradient[0] = x[4];
        out->gradient[4] = x[0];
        out->gradient[2] = x[6];
        out->gradient[6] = x[2];
        out->gradient[9] = in->t - 0.4 * x[9];
        out->phi_t[0] = x[9];
    }
    if (out->gamma) {
        out->gamma[0] = 2.0 * (v[0] * v[4] + v[2] * v[6] + v[9]) - 0.4 * v[9] * v[9];
    }
}

// Once with everything given, once with gamma left to differences; what is left altogether runs in tests/physics.
static void describe_user(bi_model *m, bi_body a, bi_body b, bi_joint joint)
{
    const bi_point point[2] = { { a, { 0.1, 0.2, 0.0 } }, { b, { 0.0, 0.3, 0.5 } } };
    const bi_vector vector = { b, { 1.0, 2.0, 0.0 } };
    const bi_joint_coordinate coordinate = { joint, 0 };
    bi_user_constraint_def def = { .name = "given",
                                   .n_row = 1,
                                   .n_point = 2,
                                   .n_vector = 1,
                                   .n_coordinate = 1,
                                   .point = point,
                                   .vector = &vector,
                                   .coordinate = &coordinate,
                                   .function = user_function,
                                   .gives_gradient = true,
                                   .gives_gamma = true,
                                   .check = true };
    bi_add_user_constraint(m, &def);
    def.name = "gradient only";
    def.gives_gamma = false;
    bi_add_user_constraint(m, &def);
}

static void describe_torus(bi_model *m, bi_body a, bi_body b, bi_joint joint)
{
    (void)a;
    (void)joint;
    bi_add_rolling(
        m, &(bi_rolling_def){ .name = "roll",
                              .body = b,
                              .centre = { 0.1, 0.2, -0.1 },
                              .axis = { 0.2, 1.0, -0.4 },
                              .radius = 0.35,
                              .section = 0.08,
                              .surface = bi_expression(m, "0.1*sin(x) + 0.05*x*y - 0.04*y^2", NULL) });
}

DESCRIBE(knife_edge, .point = { b, { 0.1, 0.2, 0.0 } }, .along = { 1.0, 0.4, 0.2 },
         .normal = { 0.1, 0.3, 1.0 })
DESCRIBE(velocity, .a = { a, { 0.1, 0.2, 0.0 } }, .b = { b, { 0.0, 0.3, 0.5 } },
         .velocity = bi_expression(m, "b.vx*cos(1 + a.y) - a.vz*b.x + a.wy*sin(b.z) + 0.3*a.vy", NULL))

static const sample samples[] = {
    { "rolling", false, BI_SPHERICAL, { { 0 } }, 0, describe_torus, true },
    { "knife-edge", false, BI_SPHERICAL, { { 0 } }, 0, describe_knife_edge, true },
    { "velocity-expression", false, BI_SPHERICAL, { { 0 } }, 0, describe_velocity, true },
    { "guide", false, BI_REVOLUTE, { { 0 } }, 0, describe_guide, false },
    { "rolling", false, BI_SPHERICAL, { { 0 } }, 0, describe_rolling, true },
    { "gear", false, BI_CYLINDRICAL, { { 0 } }, 0, describe_gear, false },
    { "rack", false, BI_CYLINDRICAL, { { 0 } }, 0, describe_rack, false },
    { "coupling", false, BI_CYLINDRICAL, { { 0 } }, 0, describe_coupling, false },
    { "distance", false, BI_SPHERICAL, { { 0 } }, 0, describe_distance, false },
    { "dot", false, BI_SPHERICAL, { { 0 } }, 0, describe_dot, false },
    { "coincide", false, BI_SPHERICAL, { { 0 } }, 0, describe_coincide, false },
    { "in-plane", false, BI_SPHERICAL, { { 0 } }, 0, describe_in_plane, false },
    { "on-line", false, BI_SPHERICAL, { { 0 } }, 0, describe_on_line, false },
    { "point-on-curve", false, BI_SPHERICAL, { { 0 } }, 0, describe_on_curve, false },
    { "cam", false, BI_CYLINDRICAL, { { 0 } }, 0, describe_cam, false },
    { "expression", false, BI_REVOLUTE, { { 0 } }, 0, describe_expression, false },
    { "user", false, BI_REVOLUTE, { { 0 } }, 0, describe_user, false },
    { "plane", true, BI_PLANAR, { { JOINT_ROWS_PLANE, 0, 0 } }, 1, NULL, false },
    { "screw", true, BI_SCREW, { { JOINT_ROWS_SCREW, 0, 0 } }, 1, NULL, false },
    { "alignment", true, BI_CYLINDRICAL, { { JOINT_ROWS_ALIGN, 0, 0 } }, 1, NULL, false },
    { "universal", true, BI_UNIVERSAL, { { JOINT_ROWS_PERPENDICULAR, 0, 0 } }, 1, NULL, false },
    { "distance", true, BI_DISTANCE, { { JOINT_ROWS_DISTANCE, 0, 0 } }, 1, NULL, false },
    { "angle", true, BI_REVOLUTE, { { JOINT_ROWS_ANGLE, 0, 0 } }, 1, NULL, false },
    { "displacement", true, BI_PRISMATIC, { { JOINT_ROWS_POSITION, 0, 0 } }, 1, NULL, false },
    { "cylindrical coordinates",
      true,
      BI_CYLINDRICAL,
      { { JOINT_ROWS_ANGLE, 0, 0 }, { JOINT_ROWS_POSITION, 0, 1 }, { JOINT_ROWS_ALIGN, 0, 0 } },
      3,
      NULL,
      false },
    { "length", true, BI_DISTANCE, { { JOINT_ROWS_LENGTH, 0, 0 } }, 1, NULL, false },
    { "coincidence", true, BI_SPHERICAL, { { JOINT_ROWS_COINCIDE, 0, 0 } }, 1, NULL, false },
    { "parallel axes", true, BI_REVOLUTE, { { JOINT_ROWS_PARALLEL, 0, 0 } }, 1, NULL, false },
    { "orientation", true, BI_PRISMATIC, { { JOINT_ROWS_ORIENT, 0, 0 } }, 1, NULL, false },
    { "turns",
      true,
      BI_FREE,
      { { JOINT_ROWS_EULER, 0, 3 }, { JOINT_ROWS_EULER, 0, 4 }, { JOINT_ROWS_EULER, 0, 5 } },
      3,
      NULL,
      false },
    { "ball turns",
      true,
      BI_SPHERICAL,
      { { JOINT_ROWS_EULER, 0, 0 }, { JOINT_ROWS_EULER, 0, 2 } },
      2,
      NULL,
      false },
    { "place",
      true,
      BI_FREE,
      { { JOINT_ROWS_POSITION, 0, 0 }, { JOINT_ROWS_POSITION, 0, 2 } },
      2,
      NULL,
      false },
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

static bench open_sample(const sample *s)
{
    bi_model *m = bi_model_create(s->name);
    assert_non_null(m);
    bi_model_gravity(m, (vec3){ 0, 0, 0 });
    bi_body a = bi_add_body(m, &(bi_body_def){ .name = "a", .mass = 1.0, .inertia = { 1, 1, 1 } });
    bi_body b = bi_add_body(m, &(bi_body_def){ .name = "b",
                                               .mass = 1.0,
                                               .inertia = { 1, 1, 1 },
                                               .pose = { { 1.0, 0.4, -0.3 }, { 0.8, 0.36, 0.0, 0.48 } } });
    bi_joint_def def = { .name = "joint",
                         .kind = s->joint,
                         .a = a,
                         .b = b,
                         .at_a = { 0.2, 0.1, 0.0 },
                         .at_b = { -0.3, 0.0, 0.4 },
                         .axis = { 0.5, 1.0, -0.7 },
                         .pitch = 0.2,
                         .local = BI_AT_A | BI_AT_B };
    bi_joint joint = bi_add_joint(m, &def);
    if (s->describe) {
        s->describe(m, a, b, joint);
    }
    return bench_open(m, s->request, s->n_request);
}

static const unsigned want_all = LAW_POSITION | LAW_SECOND;

// Runs a check over every sample and try, at any motion: rows need not be closed for their derivatives to be right.
static void for_all(void (*check)(bench *b, const char *where))
{
    for (int k = 0; k < N_SAMPLES; k++) {
        bench b = open_sample(&samples[k]);
        uint64_t seed = 20 + (uint64_t)k;
        for (int i = 0; i < TRIES; i++) {
            char where[96];
            snprintf(where, sizeof where, "%s, try %d", samples[k].name, i);
            bench_scatter(&b, &seed);
            // what a constraint remembers is that of a step that began here
            memset(b.memory, 0, (size_t)b.plan.n_memory * sizeof *b.memory);
            bench_commit(&b);
            check(&b, where);
        }
        bench_close(&b);
    }
}

static void expect_near(double found, double wanted, double tolerance, const char *where, const char *what,
                        int row)
{
    if (!(fabs(found - wanted) <= tolerance)) {
        fail_msg("%s: %s of row %d is %.12g, the difference gives %.12g", where, what, row, found, wanted);
    }
}

// ---- nobody is forgotten --------------------------------------------------------------------------------------------

static void test_every_registered_constraint_has_a_sample(void **state)
{
    (void)state;
    int n_constraint = 0, n_sample = 0;
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        bool is_found = strcmp(kind->section, "constraints") != 0;
        n_constraint += !is_found;
        for (int s = 0; s < N_SAMPLES; s++) {
            is_found |= !samples[s].is_made && strcmp(samples[s].name, kind->type) == 0;
        }
        if (!is_found) {
            fail_msg("the constraint %s has no sample in this file", kind->type);
        }
    }
    for (int s = 0; s < N_SAMPLES; s++) {
        n_sample += !samples[s].is_made;
    }
    assert_true(n_sample >= n_constraint);
}

static void test_every_table_of_rows_runs_in_some_sample(void **state)
{
    (void)state;
    enum { MOST = 64 };
    int used[MOST] = { 0 }, n_table = 0;
    bool has_rows[MOST] = { 0 };
    for (int k = 0; k < N_SAMPLES; k++) {
        bench b = open_sample(&samples[k]);
        n_table = b.laws.n_table;
        assert_true(n_table <= MOST);
        for (int t = 0; t < n_table; t++) {
            used[t] += b.laws.table[t].count;
            has_rows[t] = b.laws.table[t].kind->rows != NULL;
        }
        bench_close(&b);
    }
    for (int t = 0; t < n_table; t++) {
        if (has_rows[t] && used[t] == 0) {
            fail_msg("table %d of the laws has rows without a sample in this file", t);
        }
    }
}

static void test_samples_have_the_velocity_rows_they_claim(void **state)
{
    (void)state;
    for (int k = 0; k < N_SAMPLES; k++) {
        bench b = open_sample(&samples[k]);
        bool found = false;
        assert_true(b.plan.n_row > 0);
        for (int g = 0; g < b.plan.n_row_group; g++) {
            found |= b.plan.row[g].is_velocity;
        }
        assert_int_equal(found, samples[k].has_velocity_rows);
        bench_close(&b);
    }
}

// ---- gradients --------------------------------------------------------------------------------------------------------

// The gradients of all rows over all numbers of the markers (n_row x n_dof).
static double *gather_gradients(const bench *b)
{
    int n = b->plan.n_dof;
    double *out = bench_numbers(b->plan.n_row * n);
    for (int g = 0; g < b->plan.n_row_group; g++) {
        const row_group *group = &b->plan.row[g];
        const double *gradient = &b->rows.gradient[group->gradient];
        for (int r = group->first; r < group->first + group->count; r++) {
            for (int k = 0; k < group->n_marker; k++) {
                const marker *m = &b->plan.marker[b->plan.list[group->marker + k]];
                for (int i = 0; i < marker_width(m->kind); i++) {
                    out[n * r + m->dof + i] += *gradient++;
                }
            }
        }
    }
    return out;
}

static bool *velocity_rows(const bench *b)
{
    bool *out = bench_new(b->plan.n_row, sizeof *out);
    for (int g = 0; g < b->plan.n_row_group; g++) {
        for (int r = 0; r < b->plan.row[g].count; r++) {
            out[b->plan.row[g].first + r] = b->plan.row[g].is_velocity;
        }
    }
    return out;
}

static void check_gradient(bench *b, const char *where)
{
    // central differences at 1e-6 of rows with curvature 1: truncation 1e-12, rounding 1e-16 / 1e-6
    const double h = 1e-6, tolerance = 2e-9;
    int n = b->plan.n_dof, n_row = b->plan.n_row;
    bool *is_velocity = velocity_rows(b);
    bench_eval(b, want_all);
    double *gradient = gather_gradients(b), *slope = bench_numbers(n_row);
    bench_state home = bench_keep(b);
    for (int dof = 0; dof < n; dof++) {
        memset(slope, 0, (size_t)n_row * sizeof *slope);
        for (int side = -1; side <= 1; side += 2) {
            bench_nudge(b, dof, side * h);
            bench_eval(b, LAW_POSITION);
            for (int r = 0; r < n_row; r++) {
                slope[r] += is_velocity[r] ? 0.0 : side * b->rows.phi[r] / (2.0 * h);
            }
            bench_restore(&home, b);
            b->at.rate[dof] += side * h;
            bench_eval(b, LAW_POSITION);
            for (int r = 0; r < n_row; r++) {
                slope[r] += is_velocity[r] ? side * b->rows.phi[r] / (2.0 * h) : 0.0;
            }
            bench_restore(&home, b);
        }
        for (int r = 0; r < n_row; r++) {
            expect_near(gradient[n * r + dof], slope[r], tolerance, where, "gradient", r);
        }
    }
    bench_forget(&home);
    free(gradient);
    free(slope);
    free(is_velocity);
}

static void test_every_gradient_equals_differences(void **state)
{
    (void)state;
    for_all(check_gradient);
}

// ---- derivatives with time ------------------------------------------------------------------------------------------------

static void check_time(bench *b, const char *where)
{
    // truncation of 0.3 sin 4t: 0.3 * 64 / 6 * 1e-10 = 3e-10; rounding 1e-16 / 1e-5
    const double h = 1e-5, tolerance = 2e-9;
    int n_row = b->plan.n_row;
    double *slope = bench_numbers(n_row);
    bench_state home = bench_keep(b);
    bool *is_velocity = velocity_rows(b);
    for (int side = -1; side <= 1; side += 2) {
        b->u.t = home.t + side * h;
        bench_eval(b, LAW_POSITION);
        for (int r = 0; r < n_row; r++) {
            slope[r] += side * b->rows.phi[r] / (2.0 * h);
        }
    }
    bench_restore(&home, b);
    bench_eval(b, LAW_POSITION);
    for (int r = 0; r < n_row; r++) {
        expect_near(is_velocity[r] ? 0.0 : b->rows.phi_t[r], slope[r], tolerance, where, "phi_t", r);
    }
    bench_forget(&home);
    free(slope);
    free(is_velocity);
}

static void test_every_time_derivative_equals_differences(void **state)
{
    (void)state;
    for_all(check_time);
}

// d phi/dt = gradient . rate + phi_t of position rows; velocity rows are a rate already.
static void first_rate(bench *b, const bool *is_velocity, double *out)
{
    int n = b->plan.n_dof;
    bench_eval(b, LAW_POSITION);
    double *gradient = gather_gradients(b);
    for (int r = 0; r < b->plan.n_row; r++) {
        double sum = b->rows.phi_t[r];
        for (int i = 0; i < n; i++) {
            sum += gradient[n * r + i] * b->at.rate[i];
        }
        out[r] = is_velocity[r] ? b->rows.phi[r] : sum;
    }
    free(gradient);
}

// All markers drift with constant rates: what changes d phi/dt then is gamma.
static void check_gamma(bench *b, const char *where)
{
    // rates of 2 rad/s and m/s: truncation h^2 times a fourth power of them, some 1e2, rounding 1e-15 / 1e-5;
    // the lean of the rolling disc may come near flat in a try, which costs one more digit
    const double h = 1e-5;
    int n_row = b->plan.n_row;
    bool *is_velocity = velocity_rows(b);
    double *slope = bench_numbers(n_row), *rate = bench_numbers(n_row);
    bench_state home = bench_keep(b);
    for (int side = -1; side <= 1; side += 2) {
        bench_drift(b, side * h);
        b->u.t = home.t + side * h;
        first_rate(b, is_velocity, rate);
        for (int r = 0; r < n_row; r++) {
            slope[r] += side * rate[r] / (2.0 * h);
        }
        bench_restore(&home, b);
    }
    bench_eval(b, want_all);
    for (int r = 0; r < n_row; r++) {
        expect_near(b->rows.gamma[r], slope[r], 1e-7 * (1.0 + fabs(slope[r])), where, "gamma", r);
    }
    bench_forget(&home);
    free(slope);
    free(rate);
    free(is_velocity);
}

static void test_every_gamma_equals_differences_along_a_drift(void **state)
{
    (void)state;
    for_all(check_gamma);
}

// d phi/dt along the drift is also what gradient and phi_t say: for frames this ties the gradient with rotation to the
// angular velocity it belongs to.
static void check_rate(bench *b, const char *where)
{
    const double h = 1e-5; // truncation 1e-10 times a third power of the rates
    int n_row = b->plan.n_row;
    bool *is_velocity = velocity_rows(b);
    double *slope = bench_numbers(n_row), *rate = bench_numbers(n_row);
    bench_state home = bench_keep(b);
    for (int side = -1; side <= 1; side += 2) {
        bench_drift(b, side * h);
        b->u.t = home.t + side * h;
        bench_eval(b, LAW_POSITION);
        for (int r = 0; r < n_row; r++) {
            slope[r] += side * b->rows.phi[r] / (2.0 * h);
        }
        bench_restore(&home, b);
    }
    first_rate(b, is_velocity, rate);
    for (int r = 0; r < n_row; r++) {
        if (!is_velocity[r]) {
            expect_near(rate[r], slope[r], 1e-8 * (1.0 + fabs(slope[r])), where, "rate", r);
        }
    }
    bench_forget(&home);
    free(slope);
    free(rate);
    free(is_velocity);
}

static void test_every_position_row_changes_as_its_gradient_says(void **state)
{
    (void)state;
    for_all(check_rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_registered_constraint_has_a_sample),
        cmocka_unit_test(test_every_table_of_rows_runs_in_some_sample),
        cmocka_unit_test(test_samples_have_the_velocity_rows_they_claim),
        cmocka_unit_test(test_every_gradient_equals_differences),
        cmocka_unit_test(test_every_time_derivative_equals_differences),
        cmocka_unit_test(test_every_gamma_equals_differences_along_a_drift),
        cmocka_unit_test(test_every_position_row_changes_as_its_gradient_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
