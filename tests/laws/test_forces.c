// SPDX-License-Identifier: MIT
// Every force law in the table of dynamics/laws.c: K and C are the derivatives of the efforts, the efforts do the work
// that the energies say, they follow a rigid motion of the world, and internal ones change no momentum. A new law fails
// here until it has a sample below.
#include "laws/bond_samples.h"
#include "laws/contact_samples.h"
#include "laws/force_samples.h"
#include "laws/law_bench.h"
#include "laws/tyre_samples.h"

enum { TRIES = 5 };

// ---- samples: how to make one, and the motions that matter to it ---------------------------------------------------

typedef struct sample sample;
struct sample {
    const char *name; // type of the schema, or what the compiler makes of bodies
    bool is_made;     // by the compiler: no schema
    bool is_internal; // between bodies: no net force or moment
    void (*describe)(bi_model *m, const placement *w);
    void (*move)(bench *b, int regime, uint64_t *seed); // NULL: any motion will do
    int n_regime;
    double step; // s, of the implicit step; 0: none
};

static const sample samples[] = {
    { "spring", false, true, describe_spring, NULL, 1, 0.0 },
    // h = 2 ms against times of the filters of 3 to 5 ms: K and C carry their states
    { "torque", false, true, describe_torque, NULL, 1, 2e-3 },
    // h = 2 ms against L/R = 2.5 ms: K and C carry most of the change of the current within the step
    { "dc-motor", false, true, describe_motor, NULL, 1, 2e-3 },
    { "point-contact", false, false, describe_contact, move_contact,
      sizeof contact_regimes / sizeof *contact_regimes, 0.0 },
    { "contact", false, true, describe_shapes, move_shapes, sizeof shape_regimes / sizeof *shape_regimes,
      0.0 },
    { "contact that rolls", true, true, describe_rolling, move_rolling,
      sizeof shape_regimes / sizeof *shape_regimes, 0.0 },
    { "contact of an ellipsoid", true, true, describe_egg, move_egg, sizeof egg_regimes / sizeof *egg_regimes,
      0.0 },
    { "weight", true, false, describe_weight, NULL, 1, 0.0 },
    { "elastic modes", true, true, describe_modes, NULL, 1, 0.0 },
    { "torsion-spring", false, true, describe_torsion, NULL, 1, 0.0 },
    { "stop", false, true, describe_stop, move_stop, 7, 0.0 },
    { "motor", false, true, describe_limited_motor, NULL, 1, 2e-3 },
    { "brake", false, true, describe_brake, move_stick, 4, 0.0 },
    { "joint-friction", false, true, describe_friction, move_stick, 4, 0.0 },
    { "bearing", false, true, describe_bearing, move_bearing, 5, 0.0 },
    { "bushing", false, true, describe_bushing, NULL, 1, 0.0 },
    { "beam", false, true, describe_beam, NULL, 1, 0.0 },
    { "force", false, false, describe_force, NULL, 1, 0.0 },
    { "torque-on-body", false, false, describe_body_torque, NULL, 1, 0.0 },
    { "drag", false, false, describe_drag, NULL, 1, 0.0 },
    { "air", false, false, describe_air, NULL, 1, 0.0 },
    // actions, whose force acts along an axis of the body
    { "force", false, false, describe_force_action, NULL, 1, 0.0 },
    { "moment", false, false, describe_moment_action, NULL, 1, 0.0 },
    { "effort", false, true, describe_effort_action, NULL, 1, 0.0 },
    // h = 2 ms against relaxation in some 10 ms: K and C carry the deflection
    { "tyre-linear", false, false, describe_tyre_linear, move_tyre, N_TYRE_REGIMES, 2e-3 },
    { "tyre-pacejka", false, false, describe_tyre_pacejka, move_tyre, N_TYRE_REGIMES, 2e-3 },
    { "tyre-tmeasy", false, false, describe_tyre_tmeasy, move_tyre, N_TYRE_REGIMES, 2e-3 },
    { "tyre-lean", false, false, describe_tyre_lean, move_tyre, N_TYRE_REGIMES, 2e-3 },
    { "tyre-magic", false, false, describe_tyre_magic, move_tyre, N_TYRE_REGIMES, 2e-3 },
    // h = 2 ms against L/R = 2.5 ms
    { "graph", true, true, describe_graph, NULL, 1, 2e-3 },
    { "graph", true, false, describe_ports, NULL, 1, 2e-3 },
    { "user force", true, true, describe_user, NULL, 1, 0.0 },
    { "user law", true, true, describe_user_law, NULL, 1, 0.0 },
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

static const char *regime_name(const sample *s, int regime)
{
    static const char *const number[] = { "regime 0", "regime 1", "regime 2", "regime 3",
                                          "regime 4", "regime 5", "regime 6" };
    if (s->move == move_contact) {
        return contact_regimes[regime].name;
    }
    if (s->move == move_tyre) {
        return tyre_regimes[regime].name;
    }
    if (s->move == move_shapes || s->move == move_rolling) {
        return shape_regimes[regime].name;
    }
    if (s->move == move_egg) {
        return egg_regimes[regime].name;
    }
    return s->move ? number[regime] : "any motion";
}

static bench open_sample(const sample *s, const placement *w)
{
    bi_model *m = bi_model_create(s->name);
    assert_non_null(m);
    bi_model_gravity(m, (vec3){ 0, 0, 0 });
    s->describe(m, w);
    bench b = bench_open(m, NULL, 0);
    b.u.h = s->step;
    return b;
}

static void set_state(const sample *s, bench *b, int regime, uint64_t *seed)
{
    memset(b->memory, 0, (size_t)b->plan.n_memory * sizeof *b->memory);
    bench_scatter(b, seed);
    if (s->move) {
        s->move(b, regime, seed);
    }
}

// Runs a check over every sample, regime and try.
static void for_all(void (*check)(const sample *s, bench *b, const char *where))
{
    for (int k = 0; k < N_SAMPLES; k++) {
        const sample *s = &samples[k];
        bench b = open_sample(s, &bench_home);
        uint64_t seed = 7 + (uint64_t)k;
        for (int regime = 0; regime < s->n_regime; regime++) {
            for (int i = 0; i < TRIES; i++) {
                char where[128];
                snprintf(where, sizeof where, "%s, %s, try %d", s->name, regime_name(s, regime), i);
                set_state(s, &b, regime, &seed);
                check(s, &b, where);
            }
        }
        bench_close(&b);
    }
}

static void expect_near(double found, double wanted, double tolerance, const char *where, const char *what,
                        int i, int j)
{
    if (!(fabs(found - wanted) <= tolerance)) {
        fail_msg("%s: %s (%d, %d) is %.12g, the difference gives %.12g", where, what, i, j, found, wanted);
    }
}

// ---- nobody is forgotten --------------------------------------------------------------------------------------------

static const sample *find_sample(const char *type)
{
    for (int k = 0; k < N_SAMPLES; k++) {
        if (!samples[k].is_made && strcmp(samples[k].name, type) == 0) {
            return &samples[k];
        }
    }
    return NULL;
}

static void test_every_registered_force_has_a_sample(void **state)
{
    (void)state;
    int n_force = 0, n_sample = 0;
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        if (strcmp(kind->section, "forces") == 0 || strcmp(kind->section, "actions") == 0) {
            n_force++;
            if (!find_sample(kind->type)) {
                fail_msg("the force %s has no sample in this file", kind->type);
            }
        }
    }
    for (int k = 0; k < N_SAMPLES; k++) {
        n_sample += !samples[k].is_made;
    }
    assert_int_equal(n_sample, n_force);
}

// Each table of forces, also those made by the compiler, has items in some sample: they all run in the checks below.
static void test_every_table_of_forces_runs_in_some_sample(void **state)
{
    (void)state;
    enum { MOST = 64 };
    int used[MOST] = { 0 }, n_table = 0;
    bool is_force[MOST] = { 0 };
    for (int k = 0; k < N_SAMPLES; k++) {
        bench b = open_sample(&samples[k], &bench_home);
        n_table = b.laws.n_table;
        assert_true(n_table <= MOST);
        for (int t = 0; t < n_table; t++) {
            used[t] += b.laws.table[t].count;
            is_force[t] = b.laws.table[t].kind->eval != NULL && b.laws.table[t].kind->rows == NULL;
        }
        bench_close(&b);
    }
    for (int t = 0; t < n_table; t++) {
        if (is_force[t] && used[t] == 0) {
            fail_msg("table %d of the laws has a force without a sample in this file", t);
        }
    }
}

// ---- K and C --------------------------------------------------------------------------------------------------------

// The blocks of the load as one matrix over all numbers of the markers.
static double *gather_blocks(const bench *b, const double *block_value)
{
    int n = b->plan.n_dof;
    double *out = bench_numbers(n * n);
    for (int g = 0; g < b->plan.n_block; g++) {
        const block_group *group = &b->plan.block[g];
        int dof[64], width = 0;
        for (int k = 0; k < group->n_marker; k++) {
            const marker *m = &b->plan.marker[b->plan.list[group->marker + k]];
            for (int i = 0; i < marker_width(m->kind); i++) {
                dof[width++] = m->dof + i;
            }
        }
        assert_int_equal(width, group->width);
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                out[n * dof[i] + dof[j]] += block_value[group->value + width * i + j];
            }
        }
    }
    return out;
}

typedef enum { BY_VALUE, BY_RATE } direction;

// Column `dof` of -d effort / d value or rate.
static void difference(bench *b, direction by, int dof, double h, double *column)
{
    int n = b->plan.n_dof;
    bench_state home = bench_keep(b);
    memset(column, 0, (size_t)n * sizeof *column);
    for (int side = -1; side <= 1; side += 2) {
        if (by == BY_VALUE) {
            bench_nudge(b, dof, side * h);
        } else {
            b->at.rate[dof] += side * h;
        }
        bench_eval(b, 0);
        for (int i = 0; i < n; i++) {
            column[i] -= side * b->load.effort[i] / (2.0 * h);
        }
        bench_restore(&home, b);
    }
    bench_forget(&home);
}

static void check_tangent(const sample *s, bench *b, const char *where)
{
    (void)s;
    int n = b->plan.n_dof;
    bench_eval(b, LAW_TANGENT);
    double *block[2] = { gather_blocks(b, b->load.K), gather_blocks(b, b->load.C) },
           *column = bench_numbers(n);
    for (int by = BY_VALUE; by <= BY_RATE; by++) {
        // central differences at 1e-6: truncation (1e-6 over lengths of 1e-3 m)^2 = 1e-6 at worst, rounding 1e-16
        // of the force over 1e-6; both against the largest entry
        double h = 1e-6, size = bench_largest(block[by], n * n), force = bench_largest(b->load.effort, n);
        double tolerance = 3e-6 * size + 1e-9 * force + 1e-9;
        for (int j = 0; j < n; j++) {
            difference(b, (direction)by, j, h, column);
            for (int i = 0; i < n; i++) {
                expect_near(block[by][n * i + j], column[i], tolerance, where, by == BY_VALUE ? "K" : "C", i,
                            j);
            }
        }
    }
    free(block[0]);
    free(block[1]);
    free(column);
}

static void test_every_force_tangent_equals_differences(void **state)
{
    (void)state;
    for_all(check_tangent);
}

// The motor's tangent must include its own state: with the current held there would be no C at all.
static void test_motor_tangent_includes_its_current(void **state)
{
    (void)state;
    const sample *s = find_sample("dc-motor");
    bench b = open_sample(s, &bench_home);
    uint64_t seed = 3;
    set_state(s, &b, 0, &seed);
    bench_eval(&b, LAW_TANGENT);
    // closed form: back voltage and the expression's own slope, both through k h/2 / (L + R h/2)
    double gain = 0.3 * 0.5 * s->step / (2e-3 + 0.5 * s->step * 0.8);
    const marker *first = NULL, *second = NULL;
    for (int m = 0; m < b.plan.n_marker; m++) {
        if (b.plan.marker[m].joint == 0) {
            first = &b.plan.marker[m];
        } else {
            second = &b.plan.marker[m];
        }
    }
    assert_true(first && second);
    double wanted = gain * (0.3 + 0.5 * b.at.value[first->dof]);
    double *C = gather_blocks(&b, b.load.C);
    double found = C[b.plan.n_dof * second->dof + second->dof];
    // rounding of a handful of operations
    assert_true(fabs(found - wanted) <= 1e-14 * fabs(wanted) + 1e-16);
    free(C);
    bench_close(&b);
}

// ---- with and without tangent ---------------------------------------------------------------------------------------

static void expect_same(const double *found, const double *wanted, int n, const char *where, const char *what)
{
    for (int i = 0; i < n; i++) {
        if (found[i] != wanted[i]) {
            fail_msg("%s: %s %d is %.17g with tangent, %.17g without", where, what, i, found[i], wanted[i]);
        }
    }
}

// Laws may have a shorter way for evaluations that want no tangent (tyres do): it gives the same bits.
static void check_without_tangent(const sample *s, bench *b, const char *where)
{
    (void)s;
    int n = b->plan.n_dof, n_z = b->plan.n_z, n_readings = b->model->n_element + b->plan.n_scalar;
    bench_eval(b, 0);
    double *kept = bench_numbers(n + 2 * n_z + n_readings);
    double *effort = kept, *z = effort + n, *dz = z + n_z, *readings = dz + n_z;
    memcpy(effort, b->load.effort, (size_t)n * sizeof *kept);
    memcpy(z, b->z, (size_t)n_z * sizeof *kept);
    memcpy(dz, b->dz, (size_t)n_z * sizeof *kept);
    memcpy(readings, b->load.scalar, (size_t)n_readings * sizeof *kept);
    bench_eval(b, LAW_TANGENT);
    expect_same(b->load.effort, effort, n, where, "effort");
    expect_same(b->z, z, n_z, where, "state");
    expect_same(b->dz, dz, n_z, where, "rate");
    expect_same(b->load.scalar, readings, n_readings, where, "reading");
    free(kept);
}

static void test_every_force_is_the_same_with_and_without_tangent(void **state)
{
    (void)state;
    for_all(check_without_tangent);
}

// ---- energy ---------------------------------------------------------------------------------------------------------

static void check_energy(const sample *s, bench *b, const char *where)
{
    (void)s;
    bench_eval(b, 0);
    law_energy now = bench_energy(b);
    double power = 0.0, size = 0.0, change = 0.0, h = 1e-5;
    for (int i = 0; i < b->plan.n_dof; i++) {
        power += b->load.effort[i] * b->at.rate[i];
        size += fabs(b->load.effort[i] * b->at.rate[i]);
    }
    bench_state home = bench_keep(b);
    // five points: a contact of 1 cm at 1 m/s is left in 10 ms, too fast for three
    static const double weight[5] = { 1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0 };
    for (int side = -2; side <= 2; side++) {
        bench_drift(b, side * h);
        b->u.t += side * h; // a belt runs on
        // states go on too: what they store counts
        for (int i = 0; i < b->plan.n_z; i++) {
            b->z[i] += side * h * b->dz[i];
        }
        change += weight[side + 2] * bench_energy(b).potential / h;
        for (int i = 0; i < b->plan.n_z; i++) {
            b->z[i] -= side * h * b->dz[i];
        }
        bench_restore(&home, b);
    }
    bench_forget(&home);
    // truncation (1e-5 s over 10 ms)^4 = 1e-12, rounding 1e-16 of the potential over 1e-5
    double tolerance = 1e-8 * (size + fabs(change)) + 1e-10 * (1.0 + fabs(now.potential));
    expect_near(power, now.power - change, tolerance, where, "power of the efforts", 0, 0);
}

static void test_every_force_works_as_its_energy_says(void **state)
{
    (void)state;
    for_all(check_energy);
}

// ---- the world moves rigidly ------------------------------------------------------------------------------------------

// The same motion seen from another place: efforts turn with the world, scalars stay.
static void check_carried(const sample *s, bench *b, bench *other, const placement *w, const char *where)
{
    bench_state home = bench_keep(b);
    bench_eval(b, 0);
    double size = bench_largest(b->load.effort, b->plan.n_dof) + 1.0;
    double *wanted = bench_numbers(b->plan.n_dof);
    memcpy(wanted, b->load.effort, (size_t)b->plan.n_dof * sizeof *wanted);
    bench_eval(other, 0);
    for (int m = 0; m < b->plan.n_marker; m++) {
        const marker *k = &b->plan.marker[m];
        for (int part = 0; part < marker_width(k->kind) / 3; part++) {
            double *f = &wanted[k->dof + 3 * part];
            tray_put(f, place_vector(w, tray_vec3(f)));
        }
        for (int i = k->dof; i < k->dof + marker_width(k->kind); i++) {
            // rounding: places of a few metres to 1e-15 m times the stiffness of the sample, 2e4 N/m
            expect_near(other->load.effort[i], wanted[i], 1e-12 * size + 1e-10, where, "carried effort", i,
                        0);
        }
    }
    (void)s;
    free(wanted);
    bench_restore(&home, b);
    bench_forget(&home);
}

static void test_every_force_follows_a_rigid_motion_of_the_world(void **state)
{
    (void)state;
    uint64_t seed = 99;
    placement w = { bench_random_turn(&seed), bench_random_vector(&seed, 2.0) };
    for (int k = 0; k < N_SAMPLES; k++) {
        const sample *s = &samples[k];
        bench here = open_sample(s, &bench_home), there = open_sample(s, &w);
        for (int regime = 0; regime < s->n_regime; regime++) {
            char where[128];
            snprintf(where, sizeof where, "%s, %s", s->name, regime_name(s, regime));
            set_state(s, &here, regime, &seed);
            // the same history there: what is remembered is a place of the home world, carried point by point
            memcpy(there.at.value, here.at.value, (size_t)here.plan.n_dof * sizeof(double));
            memcpy(there.at.rate, here.at.rate, (size_t)here.plan.n_dof * sizeof(double));
            memcpy(there.z_old, here.z_old, (size_t)here.plan.n_z * sizeof(double));
            memcpy(there.dz_old, here.dz_old, (size_t)here.plan.n_z * sizeof(double));
            memset(there.memory, 0, (size_t)there.plan.n_memory * sizeof(double));
            memcpy(there.at.axes, here.at.axes, (size_t)here.plan.n_frame * sizeof *here.at.axes);
            there.u.t = here.u.t;
            if (s->move != move_contact) {
                // anchors of joint coordinates are the same everywhere
                memcpy(there.memory, here.memory, (size_t)here.plan.n_memory * sizeof(double));
            } else if (here.memory[0] > 0.0) {
                // anchor at the remembered place by touching there first
                tray_put(there.at.value, vec3_add_scaled(tray_vec3(&here.memory[1]), 0.0, floor_normal));
                bench_carry(&there, &w);
                bench_commit(&there);
                memcpy(there.at.value, here.at.value, (size_t)here.plan.n_dof * sizeof(double));
                memcpy(there.at.rate, here.at.rate, (size_t)here.plan.n_dof * sizeof(double));
            }
            bench_carry(&there, &w);
            check_carried(s, &here, &there, &w, where);
        }
        bench_close(&here);
        bench_close(&there);
    }
}

// ---- action and reaction ------------------------------------------------------------------------------------------------

static void check_reaction(const sample *s, bench *b, const char *where)
{
    if (!s->is_internal) {
        return;
    }
    vec3 force = { 0, 0, 0 }, moment = { 0, 0, 0 };
    bench_eval(b, 0);
    for (int m = 0; m < b->plan.n_marker; m++) {
        const marker *k = &b->plan.marker[m];
        if (k->kind == MARKER_POINT || k->kind == MARKER_FRAME) {
            vec3 f = tray_vec3(&b->load.effort[k->dof]);
            force = vec3_add(force, f);
            moment = vec3_add(moment, vec3_cross(tray_vec3(&b->at.value[k->dof]), f));
            if (k->kind == MARKER_FRAME) {
                moment = vec3_add(moment, tray_vec3(&b->load.effort[k->dof + 3]));
            }
        } else {
            // efforts on joint and modal coordinates have no resultant by themselves; vectors would
            assert_true(k->kind == MARKER_JOINT || k->kind == MARKER_MODE);
        }
    }
    // rounding of forces of some 100 N at a metre
    expect_near(vec3_norm(force), 0.0, 1e-12, where, "net force", 0, 0);
    expect_near(vec3_norm(moment), 0.0, 1e-12, where, "net moment", 0, 0);
}

static void test_every_internal_force_has_no_resultant(void **state)
{
    (void)state;
    for_all(check_reaction);
}

// ---- what the friction of a contact may be ---------------------------------------------------------------------------

static void test_contact_friction_is_what_its_regime_says(void **state)
{
    (void)state;
    const sample *s = find_sample("point-contact");
    bench b = open_sample(s, &bench_home);
    uint64_t seed = 11;
    for (int regime = 0; regime < s->n_regime; regime++) {
        const contact_regime *r = &contact_regimes[regime];
        for (int i = 0; i < TRIES; i++) {
            set_state(s, &b, regime, &seed);
            bench_eval(&b, 0);
            vec3 force = tray_vec3(b.load.effort);
            double normal = vec3_dot(force, floor_normal);
            double tangential = vec3_norm(vec3_add_scaled(force, -normal, floor_normal));
            // rounding only: the law states the limit exactly
            assert_true(tangential <= r->most * contact_friction * normal * (1.0 + 1e-12) + 1e-12);
            assert_true(tangential >= r->low * contact_friction * normal);
            assert_true(normal >= -1e-12);
            assert_true((r->low > 0.0) <= (normal > 0.0));
        }
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_registered_force_has_a_sample),
        cmocka_unit_test(test_every_table_of_forces_runs_in_some_sample),
        cmocka_unit_test(test_every_force_tangent_equals_differences),
        cmocka_unit_test(test_every_force_is_the_same_with_and_without_tangent),
        cmocka_unit_test(test_motor_tangent_includes_its_current),
        cmocka_unit_test(test_every_force_works_as_its_energy_says),
        cmocka_unit_test(test_every_force_follows_a_rigid_motion_of_the_world),
        cmocka_unit_test(test_every_internal_force_has_no_resultant),
        cmocka_unit_test(test_contact_friction_is_what_its_regime_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
