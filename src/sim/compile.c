// SPDX-License-Identifier: MIT
// From a model to a system: plan, coordinates, pattern, channels, limits; the last allocations before a sim.
#include "base/hash.h"
#include "sim/system.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BI_VERSION
#define BI_VERSION "0.1.0"
#endif
#ifndef BI_BUILD_NAME
#define BI_BUILD_NAME "default"
#endif

const char *bi_version(void) { return BI_VERSION; }

const char *bi_build_name(void) { return BI_BUILD_NAME; }

static void set_defaults(bi_options *o, const dynamics *d)
{
    // rows on velocities and laws with memory have tangents that are not exact: ask for more (docs/theory/ali3p.md)
    bool is_hard = d->plan.n_memory > 0 || d->structure.has_bias;
    for (int r = 0; r < d->structure.n_row; r++) {
        is_hard |= d->structure.is_velocity[r];
    }
    o->dt = o->dt > 0.0 ? o->dt : 1e-3;
    o->tolerance = o->tolerance > 0.0 ? o->tolerance : is_hard ? 1e-5 : 1e-3;
    o->iterations = o->iterations > 0 ? o->iterations : is_hard ? 12 : 5;
    o->penalty = o->penalty > 0.0 ? o->penalty : 1e9;
    const scheme *scheme = scheme_of(o->scheme);
    o->damping = scheme->is_damped ? fmin(fmax(o->damping, 0.0), 1.0) : 0.0;
    o->damping = scheme->needs_damping && !(o->damping >= 0.01) ? 0.1 : o->damping;
    o->dt_max = o->dt_max > 0.0 ? o->dt_max : 0.1;
    o->dt_min = o->dt_min > 0.0 ? fmin(o->dt_min, o->dt_max) : fmin(1e-9, o->dt_max);
    o->horizon = o->horizon > 0.0 ? o->horizon : 10.0;
    o->alloc = o->alloc ? o->alloc : malloc;
    o->release = o->release ? o->release : free;
}

// The coordinates that the assembly imposes or holds.
static bool list_held(bi_system *s)
{
    const bi_model *m = s->model;
    const plan *p = &s->dynamics.plan;
    s->held = malloc(((size_t)m->n_joint * JOINT_COORDINATES + 1) * sizeof *s->held);
    if (!s->held) {
        return false;
    }
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *d = &m->joint[j].def;
        for (int k = 0; model_joint_is_set(d) && k < p->n_marker; k++) {
            const marker *mark = &p->marker[k];
            bool is_own = mark->kind == MARKER_JOINT && mark->joint == j;
            model_joint_start start = model_start_of(d, is_own ? mark->coordinate : -1);
            if (start.set_value || start.set_rate || start.hold) {
                int q = s->dynamics.structure.marker_q[k];
                double value = start.set_value ? start.value : s->dynamics.structure.q0[q];
                s->held[s->n_held++] =
                    (held_coordinate){ q, value, start.rate, start.set_value || start.hold, start.set_rate };
            }
        }
    }
    return true;
}

// The variable of each imposed coordinate.
static bool list_imposed(bi_system *s)
{
    const bi_model *m = s->model;
    const plan *p = &s->dynamics.plan;
    s->imposed = malloc(((size_t)m->n_imposed + 1) * sizeof *s->imposed);
    if (!s->imposed) {
        return false;
    }
    for (int i = 0; i < m->n_imposed; i++) {
        model_name name = model_resolve(m, m->imposed[i].def.coordinate);
        for (int k = 0; k < p->n_marker; k++) {
            const marker *mark = &p->marker[k];
            if (mark->kind == MARKER_JOINT && mark->joint == name.index &&
                mark->coordinate == name.coordinate) {
                s->imposed[i] = s->dynamics.structure.marker_q[k];
            }
        }
    }
    return true;
}

static uint64_t system_hash(const bi_system *s)
{
    const structure *st = &s->dynamics.structure;
    uint64_t h = hash_bytes(hash_seed, BI_BUILD_NAME, strlen(BI_BUILD_NAME));
    const int sizes[] = { st->n,
                          st->n_q,
                          st->n_row,
                          s->dynamics.plan.n_z,
                          s->dynamics.plan.n_memory,
                          st->n_G,
                          s->dynamics.n_input,
                          (int)s->options.scheme,
                          (int)s->options.coordinates };
    h = hash_bytes(h, sizes, sizeof sizes);
    h = hash_bytes(h, st->q0, (size_t)st->n_q * sizeof *st->q0);
    const uint64_t description = model_fingerprint(s->model);
    const double options[] = { s->options.dt,       s->options.tolerance,
                               s->options.penalty,  (double)s->options.iterations,
                               s->options.damping,  (double)s->options.solver,
                               s->options.accuracy, s->options.baumgarte,
                               s->options.sleep };
    h = hash_bytes(h, &description, sizeof description);
    h = hash_bytes(h, options, sizeof options);
    // younger than the others: systems without it keep their hash
    if (s->options.baumgarte_beta > 0.0) {
        h = hash_bytes(h, &s->options.baumgarte_beta, sizeof s->options.baumgarte_beta);
    }
    h = s->options.start_time != 0.0 ? hash_bytes(h, &s->options.start_time, sizeof(double)) : h;
    for (int k = 0; k < s->n_channel; k++) {
        h = hash_bytes(h, s->channel[k].name, strlen(s->channel[k].name));
    }
    return h;
}

uint64_t bi_system_hash(const bi_system *s) { return s ? s->hash : 0; }
// Markers of the independent coordinates; only the joint formulation has them as variables.
static bool plan_independent(bi_system *s)
{
    const bi_model *m = s->model;
    if (s->options.coordinates != BI_JOINT || m->n_independent == 0) {
        return true;
    }
    s->independent = malloc((size_t)m->n_independent * sizeof *s->independent);
    for (int k = 0; s->independent && k < m->n_independent; k++) {
        model_name at = model_independent_at(m, k);
        s->independent[k] = plan_joint(&s->dynamics.plan, at.index, at.coordinate);
    }
    s->n_independent = s->independent ? m->n_independent : 0;
    return s->independent != NULL;
}

static void find_independent(bi_system *s)
{
    for (int k = 0; k < s->n_independent; k++) {
        s->independent[k] = s->dynamics.structure.marker_q[s->independent[k]];
    }
}

// A bond graph moves without any body.
static bool has_graph(const bi_model *m)
{
    for (int k = 0; k < m->n_element; k++) {
        if (strcmp(m->element[k].kind->section, "graphs") == 0) {
            return true;
        }
    }
    return false;
}

static bool build(bi_system *s, bi_report *report)
{
    dynamics_options options = { .coordinates = s->options.coordinates,
                                 .sleep = s->options.sleep,
                                 .settles = scheme_of(s->options.scheme)->settles };
    if (!dynamics_begin(&s->dynamics, s->model, &options, report) || !channels_create(s, report) ||
        !events_compile(s, report) || !plan_independent(s) || !dynamics_finish(&s->dynamics, report)) {
        return false;
    }
    find_independent(s);
    events_watch(s);
    if (s->dynamics.structure.n == 0 && !has_graph(s->model)) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "bodies",
                      "nothing can move: every body is fixed to the ground");
        return false;
    }
    set_defaults(&s->options, &s->dynamics);
    if (!solver_exists((solver_choice)s->options.solver)) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "solver",
                      "the solver chosen is not part of this build; use the own one");
        return false;
    }
    s->fac = solver_create((solver_choice)s->options.solver, &s->dynamics.structure.tangent);
    bool has_phase = !scheme_of(s->options.scheme)->corrects_phase || system_find_vibrations(s);
    if (!s->fac || !has_phase || !list_held(s) || !list_imposed(s) || !flex_watch_create(s)) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        return false;
    }
    s->hash = system_hash(s);
    return true;
}

// What the model says and these options do not use.
static void note_unused(const bi_system *s, bi_report *report)
{
    for (int b = 0; s->options.coordinates == BI_JOINT && b < s->model->n_body; b++) {
        const model_body *body = &s->model->body[b];
        if (body->def.basis[0]) {
            char where[160];
            snprintf(where, sizeof where, "bodies.%s.basis", body->def.name);
            bi_report_add(report, BI_NOTE, BI_OK, body->place, where,
                          "is for natural coordinates; joint coordinates do not use it");
        }
    }
}

static int refuse_option(bi_report *report, const char *name, const char *what)
{
    bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, name, "%s", what);
    return 1;
}

// Options that no file reader has looked at; gives how many were refused.
static int check_options(const bi_options *o, bi_report *report)
{
    const struct {
        const char *name;
        double value, most;
    } number[] = { { "dt", o->dt, INFINITY },
                   { "tolerance", o->tolerance, INFINITY },
                   { "penalty", o->penalty, INFINITY },
                   { "damping", o->damping, 1.0 },
                   { "accuracy", o->accuracy, INFINITY },
                   { "dt_min", o->dt_min, INFINITY },
                   { "dt_max", o->dt_max, INFINITY },
                   { "horizon", o->horizon, INFINITY },
                   { "baumgarte", o->baumgarte, INFINITY },
                   { "baumgarte_beta", o->baumgarte_beta, INFINITY },
                   { "sleep", o->sleep, INFINITY } };
    int mistakes = 0;
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        if (!(number[k].value >= 0.0 && number[k].value <= number[k].most) || !isfinite(number[k].value)) {
            bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, number[k].name,
                          "must be finite, not negative%s, and it is %g (0 takes the default)",
                          number[k].most < 2.0 ? ", 1 at most" : "", number[k].value);
            mistakes++;
        }
    }
    // an enum may have any number in it
    mistakes += !coordinates_of(o->coordinates)
                    ? refuse_option(report, "coordinates", "there are no such coordinates")
                    : 0;
    mistakes += !scheme_exists(o->scheme) ? refuse_option(report, "scheme", "there is no such scheme") : 0;
    mistakes += o->threads < 0 || o->threads > CREW_MOST
                    ? refuse_option(report, "threads", "must be between 0 and 64")
                    : 0;
    mistakes += !isfinite(o->start_time) ? refuse_option(report, "start_time", "must be finite") : 0;
    mistakes += o->iterations < 0 ? refuse_option(report, "iterations", "must not be negative") : 0;
    mistakes +=
        !o->alloc != !o->release ? refuse_option(report, "alloc", "needs its 'release', or neither") : 0;
    mistakes += o->dt_min > 0.0 && o->dt_max > 0.0 && o->dt_min > o->dt_max
                    ? refuse_option(report, "dt_max", "must not be below 'dt_min'")
                    : 0;
    return mistakes;
}

bi_system *bi_compile(const bi_model *model, const bi_options *options, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_system *s = NULL;
    int mistakes = bi_model_check(model, report);
    mistakes += options ? check_options(options, report) : 0;
    if (mistakes == 0) {
        s = calloc(1, sizeof *s);
    }
    if (s) {
        s->model = model;
        s->options = options ? *options : (bi_options){ 0 };
        model_hold(model);
        note_unused(s, report);
        matrices_check(model, report);
        if (!build(s, report)) {
            bi_system_destroy(s);
            s = NULL;
        }
    }
    bi_report_clear(&own);
    return s;
}

void bi_system_destroy(bi_system *s)
{
    if (!s || s->is_image) {
        free(s);
        return;
    }
    system_clear_vibrations(s);
    flex_watch_clear(s);
    channels_clear(s);
    dynamics_clear(&s->dynamics);
    solver_destroy(s->fac);
    free(s->held);
    free(s->event_channel);
    free(s->event_contact);
    free(s->event_least);
    free(s->event_body);
    free(s->independent);
    free(s->imposed);
    bi_model_destroy((bi_model *)s->model);
    free(s);
}

bool bi_solver_exists(bi_solver choice) { return solver_exists((solver_choice)choice); }

double bi_system_dt(const bi_system *s) { return s ? s->options.dt : 0.0; }

bi_input bi_find_input(const bi_system *s, const char *name)
{
    return bi_model_input(s ? s->model : NULL, name);
}

int bi_input_count(const bi_system *s) { return s ? s->dynamics.n_input : 0; }

const char *bi_input_name(const bi_system *s, int k)
{
    return s && k >= 0 && k < s->dynamics.n_input ? s->model->input[k].name : NULL;
}
