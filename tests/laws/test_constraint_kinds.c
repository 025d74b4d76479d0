// SPDX-License-Identifier: MIT
// Every kind of constraint against finite differences, on markers alone: bodies move along smooth paths that know
// nothing of the constraint, and what its rows say about rates and second rates must agree with what phi does.
#include "dynamics/dynamics.h"
#include "math/rotation.h"
#include "sim/system.h"
#include "support/run_model.h"
#include <stdlib.h>

static const char base[] =
    "biela: 1\n"
    "name: three bodies\n"
    "parameters: {R: 0.7}\n"
    "inputs: {lift: 0.2}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [1, 1, 1], at: [0.1, 0.2, 0.3], turn: [{x: 0.3}, {y: -0.4}]}\n"
    "  nut: {mass: 1, inertia: [1, 1, 1], at: [0.5, -0.2, 0.4], turn: [{z: 0.8}, {y: 0.5}]}\n"
    "  slider: {mass: 1, inertia: [1, 1, 1], at: [-0.4, 0.6, 0.2], turn: [{y: 0.2}, {x: 1.1}]}\n"
    "joints:\n"
    "  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0.3, 0.1, 0.9]}\n"
    "  lead: {type: cylindrical, bodies: [crank, nut], at: [0.3, 0, 0.1], axis: [0.2, 0.9, 0]}\n"
    "  guide: {type: prismatic, bodies: [ground, slider], at: [0, 0.5, 0], axis: [1, 0, 0.2]}\n";

// Everything here is deliberately off the constraint: rows must be exact there, too.
static const struct {
    const char *name, *text;
} kinds[] = {
    { "guide", "{type: guide, joint: lead, coordinate: position, value: '0.3*sin(2*t) + t^2'}" },
    { "gear", "{type: gear, a: pivot, b: lead, ratio: -2.5, offset: 0.1}" },
    { "rack", "{type: rack, pinion: lead.angle, rack: guide, radius: 0.3}" },
    { "coupling", "{type: coupling, terms: {pivot: 1.5, lead.angle: -2, lead.position: 3, guide: 0.5}}" },
    { "distance", "{type: distance, a: {body: crank, at: [0.1, 0.2, 0]}, b: {body: nut}, length: 0.4}" },
    { "dot of directions",
      "{type: dot, u: {body: crank, along: [1, 2, 0]}, v: {body: nut, along: [0, 1, 1]}}" },
    { "dot of a difference",
      "{type: dot, u: {body: slider, along: [1, 2, 0]}, a: {body: nut}, b: {body: crank, at: [1, 0, 0]}, "
      "value: '0.1*t^2 + lift'}" },
    { "coincide", "{type: coincide, a: {body: crank, at: [0.1, 0.2, 0]}, b: {body: nut, at: [0, 0.3, 0]}}" },
    { "in-plane",
      "{type: in-plane, point: {body: crank}, plane: {body: nut, at: [0, 0.3, 0]}, normal: [1, 1, 0]}" },
    { "on-line",
      "{type: on-line, point: {body: crank}, line: {body: nut, at: [0, 0.3, 0]}, direction: [1, 1, 0]}" },
    { "closed curve", "{type: point-on-curve, point: {body: crank}, body: nut, closed: true, "
                      "points: [[1, 0, 0], [0, 1, 0.2], [-1, 0.1, 0], [0, -1, -0.3]]}" },
    { "open curve on the ground",
      "{type: point-on-curve, point: {body: crank, at: [0, 0.1, 0]}, body: ground, "
      "points: [[-1, 0, 0.3], [-0.3, 0.2, 0.2], [0.4, 0.1, 0.1], [1, 0.4, -0.3]]}" },
    { "cam with a point",
      "{type: cam, cam: pivot, follower: guide, profile: [[0, 0.2], [1, 0.25], [2.5, 0.3], [4, 0.24]]}" },
    { "cam with a roller",
      "{type: cam, cam: pivot, follower: guide, contact: roller, roller: 0.05, direction: 0.4, offset: 0.1, "
      "profile: [[0, 0.2], [1, 0.25], [2.5, 0.3], [4, 0.24]]}" },
    { "cam with a flat", "{type: cam, cam: pivot, follower: guide, contact: flat, "
                         "profile: [[0, 0.28], [1, 0.29], [2.5, 0.3], [4, 0.29]]}" },
    { "rolling", "{type: rolling, body: slider, radius: 0.3, axis: [0.1, 1, 0]}" },
    { "rolling torus",
      "{type: rolling, body: slider, radius: 0.3, section: 0.05, axis: [0.1, 1, 0], normal: [0.1, 0, 1]}" },
    { "rolling on a surface", "{type: rolling, body: slider, radius: 0.3, section: 0.05, axis: [0.1, 1, 0], "
                              "surface: '0.1*sin(2*x) + 0.05*x*y'}" },
    { "rolling disc on a surface",
      "{type: rolling, body: nut, radius: 0.2, axis: [0.1, 1, 0], surface: '0.1*x^2 - 0.05*R*cos(y)'}" },
    { "knife edge", "{type: knife-edge, point: {body: slider, at: [0.1, 0.2, 0]}, along: [1, 0.5, 0], "
                    "normal: [0, 0.2, 1]}" },
    { "knife edge on a surface",
      "{type: knife-edge, point: {body: slider, at: [0.1, 0.2, 0]}, along: [1, 0.5, 0.2], "
      "surface: '0.1*sin(2*x) + 0.05*x*y'}" },
    { "velocity expression",
      "{type: velocity-expression, a: {body: slider, at: [0.1, 0, 0]}, b: {body: crank}, "
      "velocity: 'a.vx*sin(pivot.angle) - b.wz*a.y + R*lead.rate*cos(t) + lift*b.vy'}" },
};

typedef struct {
    bi_model *model;
    bi_system *system;
    trays trays;
    double *memory, *acceleration;
    char *block;
    arena arena;
} bench;

static bench bench_open(const char *text)
{
    char file[4096];
    snprintf(file, sizeof file, "%sconstraints:\n  tested: %s\n", base, text);
    bi_report report = { 0 };
    bench b = { 0 };
    b.model = bi_read_model_text(file, strlen(file), "test", NULL, 0, NULL, NULL, &report);
    run_require(b.model && report.errors == 0, &report, "the model has mistakes");
    b.system = bi_compile(b.model, NULL, &report);
    run_require(b.system != NULL, &report, "the model does not compile");
    bi_report_clear(&report);
    const dynamics *d = &b.system->dynamics;
    arena measure = { 0 };
    trays_cut(d, &measure);
    b.block = calloc(1, measure.used + 64);
    b.arena = (arena){ b.block, 0, measure.used + 64, false };
    b.trays = trays_cut(d, &b.arena);
    b.trays.signals.input = calloc((size_t)d->n_input + 1, sizeof(double));
    b.memory = calloc((size_t)d->plan.n_memory + 1, sizeof *b.memory);
    b.acceleration = calloc((size_t)d->plan.n_dof + 1, sizeof *b.acceleration);
    return b;
}

static void bench_close(bench *b)
{
    free((void *)b->trays.signals.input);
    free(b->memory);
    free(b->acceleration);
    free(b->block);
    bi_system_destroy(b->system);
    bi_model_destroy(b->model);
}

// ---- how bodies and joint coordinates move ------------------------------------------------------------------------

static vec3 some(int seed, double scale)
{
    return vec3_scale(scale, (vec3){ sin(1.0 + 2.3 * seed), cos(2.0 + 1.7 * seed), sin(0.5 - 3.1 * seed) });
}

typedef struct {
    mat3 axes;
    vec3 pos, vel, acc, omega, alpha; // at time tau; vel and omega to first order in tau
} body_path;

static body_path path_of(const bench *b, int body, double tau)
{
    const bi_pose *pose = &b->model->body[body].def.pose;
    double moves = body == 0 ? 0.0 : 1.0;
    vec3 v = some(3 * body, moves), a = some(3 * body + 1, 2.0 * moves), w = some(3 * body + 2, 1.3 * moves),
         alpha = some(3 * body + 5, 1.7 * moves);
    vec3 turn = vec3_add(vec3_scale(tau, w), vec3_scale(0.5 * tau * tau, alpha));
    mat3 start = quat_to_mat3(quat_normalized(quat_or_identity(pose->rot)));
    return (body_path){ .axes = mat3_multiply(quat_to_mat3(quat_exp(turn)), start),
                        .pos =
                            vec3_add(pose->pos, vec3_add(vec3_scale(tau, v), vec3_scale(0.5 * tau * tau, a))),
                        .vel = vec3_add_scaled(v, tau, a),
                        .acc = a,
                        .omega = vec3_add_scaled(w, tau, alpha),
                        .alpha = alpha };
}

// The motion tray at time tau, and the markers' accelerations.
static void move(bench *b, double tau)
{
    const plan *p = &b->system->dynamics.plan;
    motion *to = &b->trays.motion;
    for (int m = 0; m < p->n_marker; m++) {
        const marker *k = &p->marker[m];
        double *value = &to->value[k->dof], *rate = &to->rate[k->dof], *second = &b->acceleration[k->dof];
        if (k->kind == MARKER_JOINT) {
            double c1 = sin(1.0 + k->joint + 2.0 * k->coordinate), c2 = cos(3.0 * k->joint + k->coordinate);
            *value = 0.3 + 0.1 * k->joint + c1 * tau + 0.5 * c2 * tau * tau;
            *rate = c1 + c2 * tau;
            *second = c2;
            continue;
        }
        body_path at = path_of(b, k->body, tau);
        vec3 arm = mat3_apply(at.axes, k->at);
        vec3 turn = vec3_cross(at.omega, arm);
        vec3 bend = vec3_add(vec3_cross(at.alpha, arm), vec3_cross(at.omega, turn));
        bool is_vector = k->kind == MARKER_VECTOR;
        tray_put(value, is_vector ? arm : vec3_add(at.pos, arm));
        tray_put(rate, is_vector ? turn : vec3_add(at.vel, turn));
        tray_put(second, is_vector ? bend : vec3_add(at.acc, bend));
        if (k->kind == MARKER_FRAME) {
            to->axes[k->frame] = at.axes;
            tray_put(rate + 3, at.omega);
            tray_put(second + 3, at.alpha);
        }
    }
    b->trays.signals.t = 0.7 + tau;
    signal_states states = { .memory = b->memory };
    signal_eval(&b->system->dynamics.signal, to, &states, &b->trays.signals);
}

static void evaluate(bench *b, double tau)
{
    const dynamics *d = &b->system->dynamics;
    move(b, tau);
    law_in in = {
        .u = &b->trays.signals, .at = &b->trays.motion, .memory = b->memory, .want = LAW_POSITION | LAW_SECOND
    };
    for (int k = 0; k < d->laws.n_table; k++) {
        const law_table *t = &d->laws.table[k];
        if (t->count > 0 && t->kind->rows) {
            t->kind->rows(t->item, t->count, &in, &b->trays.rows);
        }
    }
}

static void remember(bench *b)
{
    const dynamics *d = &b->system->dynamics;
    // the step began a while ago: what it remembers is not exactly what holds now
    move(b, -0.05);
    dynamics_commit(d, &(coords){ .memory = b->memory }, &b->trays, b->memory, NULL);
}

static double along(const bench *b, const row_group *g, int r, const double *x)
{
    const plan *p = &b->system->dynamics.plan;
    const double *gradient = &b->trays.rows.gradient[g->gradient + r * g->width];
    double sum = 0.0;
    for (int m = 0; m < g->n_marker; m++) {
        const marker *k = &p->marker[p->list[g->marker + m]];
        for (int i = 0; i < marker_width(k->kind); i++) {
            sum += *gradient++ * x[k->dof + i];
        }
    }
    return sum;
}

static double phi_at(bench *b, int row, double tau)
{
    evaluate(b, tau);
    return b->trays.rows.phi[row];
}

// Differences of fourth order with step h: truncation about h^4, rounding 1e-16 / h and / h^2.
static void check_row(const char *name, bench *b, const row_group *g, int r)
{
    const double h = 5e-4;
    int row = g->first + r;
    double f[5];
    for (int i = 0; i < 5; i++) {
        f[i] = phi_at(b, row, (i - 2) * h);
    }
    double rate = (f[0] - 8.0 * f[1] + 8.0 * f[3] - f[4]) / (12.0 * h);
    double second = (-f[0] + 16.0 * f[1] - 30.0 * f[2] + 16.0 * f[3] - f[4]) / (12.0 * h * h);
    evaluate(b, 0.0);
    if (g->is_velocity) {
        // first order in tau only is right in the paths' rates: differences of second order
        double central = (f[3] - f[1]) / (2.0 * h);
        double said = along(b, g, r, b->acceleration) + b->trays.rows.gamma[row];
        if (!(fabs(said - central) <= 1e-4)) {
            fail_msg("%s, row %d: gamma gives %.9g, differences %.9g", name, row, said, central);
        }
        return;
    }
    double said = along(b, g, r, b->trays.motion.rate) + b->trays.rows.phi_t[row];
    if (!(fabs(said - rate) <= 1e-8)) {
        fail_msg("%s, row %d: the gradient gives %.9g, differences %.9g", name, row, said, rate);
    }
    said = along(b, g, r, b->acceleration) + b->trays.rows.gamma[row];
    if (!(fabs(said - second) <= 1e-6)) {
        fail_msg("%s, row %d: gamma gives %.9g, differences %.9g", name, row, said, second);
    }
}

static void test_rows_of_every_kind_agree_with_differences(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bench b = bench_open(kinds[k].text);
        remember(&b);
        const plan *p = &b.system->dynamics.plan;
        int tested = 0;
        for (int g = 0; g < p->n_row_group; g++) {
            for (int r = 0; r < p->row[g].count; r++) {
                check_row(p->row[g].element >= 0 ? kinds[k].name : p->row[g].name, &b, &p->row[g], r);
            }
            tested += p->row[g].element >= 0;
        }
        assert_true(tested > 0);
        bench_close(&b);
    }
}

// One entry of the gradient at a time: shift one number of one marker.
static void test_gradients_of_every_kind_agree_entry_by_entry(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bench b = bench_open(kinds[k].text);
        remember(&b);
        const dynamics *d = &b.system->dynamics;
        const plan *p = &d->plan;
        law_in in = {
            .u = &b.trays.signals, .at = &b.trays.motion, .memory = b.memory, .want = LAW_POSITION
        };
        for (int g = 0; g < p->n_row_group; g++) {
            for (int m = 0, at = 0; m < p->row[g].n_marker; m++) {
                const marker *mark = &p->marker[p->list[p->row[g].marker + m]];
                for (int i = 0; i < marker_width(mark->kind); i++, at++) {
                    if (p->row[g].is_velocity || (mark->kind == MARKER_FRAME && i >= 3)) {
                        continue; // turns of a frame are covered by the paths
                    }
                    double side[2];
                    evaluate(&b, 0.0);
                    double said = b.trays.rows.gradient[p->row[g].gradient + at];
                    for (int s = 0; s < 2; s++) {
                        move(&b, 0.0);
                        b.trays.motion.value[mark->dof + i] += s ? h : -h;
                        for (int t = 0; t < d->laws.n_table; t++) {
                            if (d->laws.table[t].count > 0 && d->laws.table[t].kind->rows) {
                                d->laws.table[t].kind->rows(d->laws.table[t].item, d->laws.table[t].count,
                                                            &in, &b.trays.rows);
                            }
                        }
                        side[s] = b.trays.rows.phi[p->row[g].first];
                    }
                    // rounding 1e-16 / h and truncation h^2
                    if (!(fabs((side[1] - side[0]) / (2.0 * h) - said) <= 1e-8)) {
                        fail_msg("%s: entry %d is %.9g, differences give %.9g", kinds[k].name, at, said,
                                 (side[1] - side[0]) / (2.0 * h));
                    }
                }
            }
        }
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_every_kind_agree_with_differences),
        cmocka_unit_test(test_gradients_of_every_kind_agree_entry_by_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
