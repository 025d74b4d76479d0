// SPDX-License-Identifier: MIT
// The staircase between bodies and natural coordinates: power, gradients, masses and reactions, each against something
// computed in another way.
#include "unit/coordinates/natural/mechanisms.h"

enum { SHAKES = 5 };

// ---- power ---------------------------------------------------------------------------------------------------------

// Random efforts on every marker: their power upstairs is that of the generalised forces downstairs.
static void check_power(rig *r, dice *d)
{
    const plan *p = &r->d.plan;
    trays *t = &r->s.trays;
    double up = 0.0, down = 0.0, size = 0.0;
    for (int k = 0; k < p->n_dof; k++) {
        t->load.effort[k] = roll(d);
        up += t->load.effort[k] * t->motion.rate[k];
        size += fabs(t->load.effort[k] * t->motion.rate[k]);
    }
    r->d.set->drop_load(r->d.coordinates, &r->s.now, &t->motion, &t->load, 0, &t->equations);
    for (int i = 0; i < r->d.structure.n; i++) {
        down += t->equations.Q[i] * r->s.now.v[i];
    }
    assert_true(size > 0.1);
    // a few hundred roundings of the terms
    if (!(fabs(up - down) <= 1e-13 * size)) {
        fail_msg("%s: power %.17g upstairs, %.17g downstairs", bi_model_name(r->model), up, down);
    }
}

// What else than points, vectors and frames a plan may hold is planned by the outputs and laws of the mechanism.
static void open_with_markers(rig *r, bi_model *m)
{
    rig_begin(r, m);
    for (int b = 0; b < m->n_body; b++) {
        // on a particle or a bar these would make it more than that
        if (b > 0 && m->body[b].def.inertia[0] == 0.0) {
            continue;
        }
        plan_point(&r->d.plan, b, (vec3){ 0.3, -0.2, 0.6 });
        plan_vector(&r->d.plan, b, (vec3){ 0.1, 0.9, -0.4 });
        plan_frame(&r->d.plan, b, (vec3){ -0.5, 0.4, 0.2 });
    }
    rig_finish(r);
}

static void open_plain(rig *r, bi_model *m)
{
    rig_begin(r, m);
    rig_finish(r);
}

static void test_power_is_equal_on_both_floors(void **state)
{
    (void)state;
    dice d = { 1 };
    for (int k = 0; k < N_MECHANISMS; k++) {
        rig r;
        open_with_markers(&r, mechanisms[k]());
        for (int i = 0; i < SHAKES; i++) {
            rig_shake(&r, &d);
            check_power(&r, &d);
        }
        rig_close(&r);
    }
}

// Points on a bar lie on its line: with other markers it would be no bar.
static void test_power_is_equal_on_both_floors_of_bars_and_particles(void **state)
{
    (void)state;
    dice d = { 2 };
    bi_model *m = points();
    rig r;
    rig_begin(&r, m);
    int bar = bi_model_body(m, "bar").i - 1, second = bi_model_body(m, "second bar").i - 1;
    int particle = bi_model_body(m, "particle11").i - 1;
    plan_point(&r.d.plan, bar, (vec3){ 0.3, 0, 0 });
    plan_point(&r.d.plan, second, (vec3){ 0.7, 0, 0 });
    plan_point(&r.d.plan, particle, (vec3){ 0, 0, 0 });
    rig_finish(&r);
    const natural *tab = r.d.coordinates;
    assert_int_equal(tab->body[bar].kind, BODY_BAR);
    assert_int_equal(tab->body[second].kind, BODY_BAR);
    assert_int_equal(tab->body[particle].kind, BODY_TRANSLATING);
    for (int i = 0; i < SHAKES; i++) {
        rig_shake(&r, &d);
        check_power(&r, &d);
    }
    rig_close(&r);
}

// Markers move as the pose and twist of their body say.
static void test_markers_move_with_the_pose_and_twist_of_their_body(void **state)
{
    (void)state;
    dice d = { 3 };
    for (int k = 0; k < N_MECHANISMS; k++) {
        rig r;
        open_with_markers(&r, mechanisms[k]());
        rig_shake(&r, &d);
        const plan *p = &r.d.plan;
        const motion *m = &r.s.trays.motion;
        for (int i = 0; i < p->n_marker; i++) {
            const marker *mark = &p->marker[i];
            if (mark->kind > MARKER_FRAME) {
                continue;
            }
            const bi_pose *pose = &r.pose[mark->body];
            const bi_twist *twist = &r.twist[mark->body];
            vec3 arm = mat3_apply(quat_to_mat3(pose->rot), mark->at);
            vec3 value = mark->kind == MARKER_VECTOR ? arm : vec3_add(pose->pos, arm);
            vec3 rate = vec3_cross(twist->ang, arm);
            rate = mark->kind == MARKER_VECTOR ? rate : vec3_add(twist->lin, rate);
            // the assembly closes to 1e-12, velocities to 1e-13
            double off = vec3_norm(vec3_sub(tray_vec3(&m->value[mark->dof]), value)) +
                         vec3_norm(vec3_sub(tray_vec3(&m->rate[mark->dof]), rate));
            if (!(off <= 1e-10)) {
                fail_msg("%s: marker %d of body %s is off by %g", bi_model_name(r.model), i,
                         r.model->body[mark->body].def.name, off);
            }
            if (mark->kind == MARKER_FRAME) {
                assert_true(vec3_norm(vec3_sub(tray_vec3(&m->rate[mark->dof + 3]), twist->ang)) <= 1e-10);
            }
        }
        rig_close(&r);
    }
}

// ---- gradients and gamma -----------------------------------------------------------------------------------------------

// Rows and what they should be, dense, at one state.
typedef struct {
    double *phi, *rate, *G; // (n_row), (n_row), (n_row x n)
} row_values;

static row_values row_values_create(const structure *st)
{
    size_t rows = (size_t)st->n_row + 1;
    row_values v = { calloc(rows, sizeof(double)), calloc(rows, sizeof(double)),
                     calloc(rows * (size_t)st->n, sizeof(double)) };
    assert_true(v.phi && v.rate && v.G);
    return v;
}

static void row_values_free(row_values *v)
{
    free(v->phi);
    free(v->rate);
    free(v->G);
}

// phi; G v + phi_t; G as a full matrix.
static void row_values_at(rig *r, coords *at, row_values *out)
{
    const structure *st = &r->d.structure;
    rig_evaluate(r, at);
    const trays *t = &r->s.trays;
    memset(out->G, 0, (size_t)st->n_row * (size_t)st->n * sizeof *out->G);
    for (int k = 0; k < st->n_row; k++) {
        out->phi[k] = t->rows.phi[k];
        out->rate[k] =
            st->is_velocity[k] ? t->rows.phi[k] : row_dot(st, t->equations.G, k, at->v) + t->rows.phi_t[k];
        for (int i = st->G_start[k]; i < st->G_start[k + 1]; i++) {
            out->G[k * st->n + st->G_col[i]] += t->equations.G[i];
        }
    }
}

static void fail_row(const rig *r, int row, const char *what, double got, double wanted)
{
    char name[128];
    dynamics_row_name(&r->d, row, name, sizeof name);
    fail_msg("%s: row %d of %s: %s %.12g, by differences %.12g", bi_model_name(r->model), row, name, what,
             got, wanted);
}

// Central differences of functions with third derivatives of order one: h^2 / 6, and rounding 1e-16 / h.
static const double step = 1e-5, difference_error = 1e-9;

// A row on a frame turns with the body: its gradient spreads over all axes, and means something along rigid motions only
// (see check_gamma).
static bool is_on_frame(const rig *r, int row)
{
    const plan *p = &r->d.plan;
    int group = r->d.structure.row_owner[row].group;
    for (int m = 0; group >= 0 && m < p->row[group].n_marker; m++) {
        if (p->marker[p->list[p->row[group].marker + m]].kind == MARKER_FRAME) {
            return true;
        }
    }
    return false;
}

static void check_gradients(rig *r)
{
    const structure *st = &r->d.structure;
    row_values base = row_values_create(st), plus = row_values_create(st), minus = row_values_create(st);
    coords *at = &r->s.old;
    coords_copy(&r->d, &r->s.now, at);
    row_values_at(r, at, &base);
    for (int i = 0; i < st->n; i++) {
        // positions move position rows, velocities move velocity rows
        for (int is_velocity = 0; is_velocity < 2; is_velocity++) {
            double *x = is_velocity ? at->v : at->q, kept = x[i];
            x[i] = kept + step;
            row_values_at(r, at, &plus);
            x[i] = kept - step;
            row_values_at(r, at, &minus);
            x[i] = kept;
            for (int k = 0; k < st->n_row; k++) {
                double slope = (plus.phi[k] - minus.phi[k]) / (2.0 * step), got = base.G[k * st->n + i];
                if (st->is_velocity[k] == (is_velocity == 1) && !is_on_frame(r, k) &&
                    !(fabs(slope - got) <= difference_error)) {
                    fail_row(r, k, "gradient", got, slope);
                }
            }
        }
    }
    row_values_free(&base);
    row_values_free(&plus);
    row_values_free(&minus);
}

// Along q + v t + a t^2 / 2 the rows change by G v + phi_t, and these by G a + gamma.
static void move_along(const rig *r, double t, coords *at)
{
    const coords *from = &r->s.now;
    at->t = from->t + t;
    for (int i = 0; i < r->d.structure.n; i++) {
        at->q[i] = from->q[i] + t * from->v[i] + 0.5 * t * t * from->a[i];
        at->v[i] = from->v[i] + t * from->a[i];
    }
}

static void check_gamma(rig *r)
{
    const structure *st = &r->d.structure;
    row_values base = row_values_create(st), plus = row_values_create(st), minus = row_values_create(st);
    coords *at = &r->s.old;
    coords_copy(&r->d, &r->s.now, at);
    move_along(r, step, at);
    row_values_at(r, at, &plus);
    move_along(r, -step, at);
    row_values_at(r, at, &minus);
    move_along(r, 0.0, at);
    row_values_at(r, at, &base);
    for (int k = 0; k < st->n_row; k++) {
        double second = row_dot(st, r->s.trays.equations.G, k, r->s.now.a) + r->s.trays.rows.gamma[k];
        double slope = (plus.rate[k] - minus.rate[k]) / (2.0 * step);
        // velocities and accelerations of order one to ten raise the third derivatives
        if (!(fabs(slope - second) <= 1e2 * difference_error)) {
            fail_row(r, k, "second derivative", second, slope);
        }
        double first = (plus.phi[k] - minus.phi[k]) / (2.0 * step);
        if (!st->is_velocity[k] && !(fabs(first - base.rate[k]) <= 1e2 * difference_error)) {
            fail_row(r, k, "rate", base.rate[k], first);
        }
    }
    row_values_free(&base);
    row_values_free(&plus);
    row_values_free(&minus);
}

static void test_gradients_of_all_rows_equal_differences(void **state)
{
    (void)state;
    dice d = { 4 };
    for (int k = 0; k < N_MECHANISMS; k++) {
        rig r;
        open_plain(&r, mechanisms[k]());
        assert_true(r.d.structure.n_row > 0);
        for (int i = 0; i < SHAKES; i++) {
            rig_shake(&r, &d);
            check_gradients(&r);
        }
        rig_close(&r);
    }
}

static void test_gamma_of_all_rows_equals_differences_along_a_motion(void **state)
{
    (void)state;
    dice d = { 5 };
    for (int k = 0; k < N_MECHANISMS; k++) {
        rig r;
        open_plain(&r, mechanisms[k]());
        for (int i = 0; i < SHAKES; i++) {
            rig_shake(&r, &d);
            check_gamma(&r);
        }
        rig_close(&r);
    }
}

// ---- mass ------------------------------------------------------------------------------------------------------------------

// Sum over bodies of m v.v / 2 + w.I w / 2, from poses and twists.
static double kinetic_of_bodies(const rig *r)
{
    double sum = 0.0;
    for (int b = 1; b < r->model->n_body; b++) {
        const bi_body_def *def = &r->model->body[b].def;
        mat3 A = quat_to_mat3(r->pose[b].rot);
        vec3 v = vec3_add(r->twist[b].lin, vec3_cross(r->twist[b].ang, mat3_apply(A, def->com)));
        vec3 w = mat3_apply_transposed(A, r->twist[b].ang);
        const double *i = def->inertia;
        sum += 0.5 * def->mass * vec3_dot(v, v);
        sum += 0.5 * (i[0] * w.x * w.x + i[1] * w.y * w.y + i[2] * w.z * w.z);
        sum += i[3] * w.x * w.y + i[4] * w.y * w.z + i[5] * w.z * w.x;
    }
    return sum;
}

static void test_mass_matrix_gives_the_kinetic_energy_of_the_bodies(void **state)
{
    (void)state;
    dice d = { 6 };
    for (int k = 0; k < N_MECHANISMS; k++) {
        rig r;
        open_plain(&r, mechanisms[k]());
        for (int i = 0; i < SHAKES; i++) {
            rig_shake(&r, &d);
            double wanted = kinetic_of_bodies(&r);
            double got = dynamics_kinetic(&r.d, &r.s.now, &r.s.trays, r.s.product);
            assert_true(wanted > 0.0);
            // the state closes to 1e-12
            if (!(fabs(got - wanted) <= 1e-11 * wanted)) {
                fail_msg("%s: kinetic energy %.15g instead of %.15g", bi_model_name(r.model), got, wanted);
            }
        }
        rig_close(&r);
    }
}

// Random bodies on random bases: a stone with random inertia and random ball joints.
static void test_mass_matrix_of_random_bodies_gives_their_kinetic_energy(void **state)
{
    (void)state;
    dice d = { 7 };
    for (int k = 0; k < 40; k++) {
        bi_model *m = bi_model_create("random");
        // inertia of three random point pairs: always possible
        double inertia[6] = { 0 };
        for (int i = 0; i < 3; i++) {
            bi_vec3 p = roll_vec3(&d);
            inertia[0] += p.y * p.y + p.z * p.z;
            inertia[1] += p.x * p.x + p.z * p.z;
            inertia[2] += p.x * p.x + p.y * p.y;
            inertia[3] -= p.x * p.y;
            inertia[4] -= p.y * p.z;
            inertia[5] -= p.z * p.x;
        }
        bi_body_def def = { .name = "stone", .mass = 1.5 + roll(&d), .com = roll_vec3(&d) };
        memcpy(def.inertia, inertia, sizeof inertia);
        def.pose.pos = roll_vec3(&d);
        def.pose.rot = turned(roll_vec3(&d), 3.0 * roll(&d));
        bi_body stone = bi_add_body(m, &def);
        for (int i = 0; i < k % 5; i++) {
            char name[16];
            snprintf(name, sizeof name, "p%d", i);
            bi_vec3 at = roll_vec3(&d);
            join(m, name, BI_SPHERICAL, stone, add_particle(m, name, at), at, (bi_vec3){ 0, 0, 1 });
        }
        rig r;
        open_plain(&r, m);
        rig_shake(&r, &d);
        double wanted = kinetic_of_bodies(&r);
        double got = dynamics_kinetic(&r.d, &r.s.now, &r.s.trays, r.s.product);
        // four random points may lie almost in a plane: digits are lost to the condition of the basis
        if (!(fabs(got - wanted) <= 1e-9 * wanted)) {
            fail_msg("random body %d: kinetic energy %.15g instead of %.15g", k, got, wanted);
        }
        rig_close(&r);
    }
}

// ---- reactions -----------------------------------------------------------------------------------------------------------------

typedef struct {
    bi_system *system;
    bi_sim *sim;
} run;

static run run_open(bi_model *m)
{
    bi_report report = { 0 };
    run r = { .system = bi_compile(m, &(bi_options){ .dt = 1e-4, .scheme = BI_INDEX1_RK4 }, &report) };
    r.sim = r.system ? bi_sim_create(r.system) : NULL;
    if (!r.sim || bi_sim_start(r.sim, &report) != BI_OK) {
        bi_report_print(&report, stderr);
        fail_msg("%s does not start", bi_model_name(m));
    }
    bi_report_clear(&report);
    return r;
}

static void run_close(run *r)
{
    bi_sim_destroy(r->sim);
    bi_system_destroy(r->system);
}

static double read(const run *r, const char *output, const char *part)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", output, part);
    bi_channel c = bi_find_channel(r->system, name);
    assert_true(c.i > 0);
    return bi_sim_read(r->sim, c);
}

static vec3 reaction_force(const run *r, const char *joint)
{
    return (vec3){ read(r, joint, "fx"), read(r, joint, "fy"), read(r, joint, "fz") };
}

static vec3 reaction_moment(const run *r, const char *joint)
{
    return (vec3){ read(r, joint, "mx"), read(r, joint, "my"), read(r, joint, "mz") };
}

static void add_reaction(bi_model *m, const char *name)
{
    bi_add_output(
        m, &(bi_output_def){ .name = name, .kind = BI_OUT_REACTION, .joint = bi_model_joint(m, name) });
}

static const double g = 9.81;

// Bodies hang below one another at rest on every kind of joint that can carry them: the joint of each carries the weight
// of all below it, the ground's the whole.
static void test_joints_of_a_tree_at_rest_carry_what_hangs_below(void **state)
{
    (void)state;
    static const bi_joint_kind kinds[] = { BI_REVOLUTE, BI_UNIVERSAL, BI_SPHERICAL,
                                           BI_FIXED,    BI_PRISMATIC, BI_CYLINDRICAL };
    enum { COUNT = sizeof kinds / sizeof *kinds };
    for (int first = 0; first < COUNT; first++) {
        bi_model *m = bi_model_create("hanging");
        bi_model_gravity(m, (bi_vec3){ 0, 0, -g });
        bi_body above = BI_GROUND;
        char name[COUNT][16];
        for (int k = 0; k < COUNT; k++) {
            snprintf(name[k], sizeof name[k], "j%d", k);
            bi_body_def def = {
                .name = name[k], .mass = 1.0 + k, .com = { 0, 0, -0.5 }, .inertia = { 0.1, 0.12, 0.08 }
            };
            def.pose.pos.z = -(double)k;
            bi_body body = bi_add_body(m, &def);
            // slides are level, so that they carry weight; everything else stands in equilibrium anyway
            join(m, name[k], kinds[(first + k) % COUNT], above, body, (bi_vec3){ 0, 0, -(double)k },
                 (bi_vec3){ 1, 0, 0 });
            add_reaction(m, name[k]);
            above = body;
        }
        run r = run_open(m);
        double weight = 0.0;
        for (int k = COUNT - 1; k >= 0; k--) {
            weight += g * (1.0 + k);
            vec3 f = reaction_force(&r, name[k]), moment = reaction_moment(&r, name[k]);
            // multipliers come from a penalty of 1e6 times mass: eight digits are left at least
            double off = vec3_norm(vec3_sub(f, (vec3){ 0, 0, weight })) + vec3_norm(moment);
            if (!(off <= 1e-8 * weight)) {
                fail_msg("chain %d, joint %d carries (%g, %g, %g) with moment %g instead of %g", first, k,
                         f.x, f.y, f.z, vec3_norm(moment), weight);
            }
        }
        run_close(&r);
        bi_model_destroy(m);
    }
}

// A bracket welded to the ground with its weight to the side: the weld carries the moment.
static void test_weld_to_the_ground_carries_weight_and_moment(void **state)
{
    (void)state;
    bi_model *m = bi_model_create("bracket");
    bi_model_gravity(m, (bi_vec3){ 0, 0, -g });
    bi_body bracket = bi_add_body(
        m, &(bi_body_def){ .name = "bracket", .mass = 2, .com = { 1, 0, 0 }, .inertia = { 1, 1, 1 } });
    bi_body bob = bi_add_body(m, &(bi_body_def){ .name = "bob",
                                                 .mass = 3,
                                                 .com = { 0, 0, -1 },
                                                 .inertia = { 1, 1, 1 },
                                                 .pose = { { 2, 0, 0 }, { 1, 0, 0, 0 } } });
    join(m, "weld", BI_FIXED, BI_GROUND, bracket, (bi_vec3){ 0, 0, 0 }, (bi_vec3){ 0, 0, 1 });
    join(m, "pin", BI_REVOLUTE, bracket, bob, (bi_vec3){ 2, 0, 0 }, (bi_vec3){ 0, 1, 0 });
    add_reaction(m, "weld");
    add_reaction(m, "pin");
    run r = run_open(m);
    vec3 f = reaction_force(&r, "weld"), moment = reaction_moment(&r, "weld");
    assert_true(vec3_norm(vec3_sub(f, (vec3){ 0, 0, 5 * g })) <= 1e-7);
    // 2 kg at 1 m and 3 kg at 2 m turn about +y; the weld holds against it: moment about -y
    assert_true(vec3_norm(vec3_sub(moment, (vec3){ 0, -8 * g, 0 })) <= 1e-7);
    assert_true(vec3_norm(vec3_sub(reaction_force(&r, "pin"), (vec3){ 0, 0, 3 * g })) <= 1e-7);
    run_close(&r);
    bi_model_destroy(m);
}

// Momentum and angular momentum about the origin of all bodies.
static void momentum(const bi_model *m, bi_sim *sim, vec3 *linear, vec3 *angular)
{
    bi_view view = bi_sim_view(sim);
    *linear = *angular = (vec3){ 0, 0, 0 };
    for (int b = 1; b < m->n_body; b++) {
        const bi_body_def *def = &m->body[b].def;
        mat3 A = quat_to_mat3(view.pose[b].rot);
        vec3 arm = mat3_apply(A, def->com), at = vec3_add(view.pose[b].pos, arm);
        vec3 p = vec3_scale(def->mass, vec3_add(view.twist[b].lin, vec3_cross(view.twist[b].ang, arm)));
        vec3 w = mat3_apply_transposed(A, view.twist[b].ang);
        const double *i = def->inertia;
        vec3 spin = { i[0] * w.x + i[3] * w.y + i[5] * w.z, i[3] * w.x + i[1] * w.y + i[4] * w.z,
                      i[5] * w.x + i[4] * w.y + i[2] * w.z };
        *linear = vec3_add(*linear, p);
        *angular = vec3_add(*angular, vec3_add(vec3_cross(at, p), mat3_apply(A, spin)));
    }
}

// A moving loop: ground joints and weights together are the rate of momentum, found by differences of the motion.
static void test_ground_joints_of_a_moving_loop_balance_the_momentum(void **state)
{
    (void)state;
    bi_model *m = planar();
    bi_model_gravity(m, (bi_vec3){ 0, 0, -g });
    static const char *const ground_joint[3] = { "A", "D", "weld" };
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "R%s", ground_joint[k]);
        bi_add_output(m, &(bi_output_def){ .name = name,
                                           .kind = BI_OUT_REACTION,
                                           .joint = bi_model_joint(m, ground_joint[k]) });
    }
    run r = run_open(m);
    const double h = bi_system_dt(r.system);
    for (int n = 0; n < 1000; n++) {
        assert_int_equal(bi_sim_step(r.sim), BI_OK);
    }
    vec3 before, after, turn_before, turn_after, force = { 0, 0, 0 }, moment = { 0, 0, 0 };
    momentum(m, r.sim, &before, &turn_before);
    assert_int_equal(bi_sim_step(r.sim), BI_OK);
    bi_view view = bi_sim_view(r.sim);
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "R%s", ground_joint[k]);
        bi_joint joint = bi_model_joint(m, ground_joint[k]);
        int b = m->joint[joint.i - 1].def.b.i - 1;
        vec3 f = reaction_force(&r, name);
        vec3 at = vec3_add(view.pose[b].pos, mat3_apply(quat_to_mat3(view.pose[b].rot),
                                                        model_joint_frames(m, joint.i - 1).at_b));
        force = vec3_add(force, f);
        moment = vec3_add(moment, vec3_add(reaction_moment(&r, name), vec3_cross(at, f)));
    }
    for (int b = 1; b < m->n_body; b++) {
        const bi_body_def *def = &m->body[b].def;
        vec3 at = vec3_add(view.pose[b].pos, mat3_apply(quat_to_mat3(view.pose[b].rot), def->com));
        vec3 weight = { 0, 0, -g * def->mass };
        force = vec3_add(force, weight);
        moment = vec3_add(moment, vec3_cross(at, weight));
    }
    assert_int_equal(bi_sim_step(r.sim), BI_OK);
    momentum(m, r.sim, &after, &turn_after);
    vec3 rate = vec3_scale(0.5 / h, vec3_sub(after, before));
    vec3 turn_rate = vec3_scale(0.5 / h, vec3_sub(turn_after, turn_before));
    // something is going on
    assert_true(vec3_norm(rate) > 1.0);
    // central differences with h = 1e-4 of motions with frequencies of some rad/s: (w h)^2 / 6
    double off = vec3_norm(vec3_sub(force, rate)) / vec3_norm(rate);
    double turn_off = vec3_norm(vec3_sub(moment, turn_rate)) / vec3_norm(turn_rate);
    if (!(off <= 1e-5 && turn_off <= 1e-5)) {
        fail_msg("forces miss the rate of momentum by %g, moments by %g", off, turn_off);
    }
    run_close(&r);
    bi_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_is_equal_on_both_floors),
        cmocka_unit_test(test_power_is_equal_on_both_floors_of_bars_and_particles),
        cmocka_unit_test(test_markers_move_with_the_pose_and_twist_of_their_body),
        cmocka_unit_test(test_gradients_of_all_rows_equal_differences),
        cmocka_unit_test(test_gamma_of_all_rows_equals_differences_along_a_motion),
        cmocka_unit_test(test_mass_matrix_gives_the_kinetic_energy_of_the_bodies),
        cmocka_unit_test(test_mass_matrix_of_random_bodies_gives_their_kinetic_energy),
        cmocka_unit_test(test_joints_of_a_tree_at_rest_carry_what_hangs_below),
        cmocka_unit_test(test_weld_to_the_ground_carries_weight_and_moment),
        cmocka_unit_test(test_ground_joints_of_a_moving_loop_balance_the_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
