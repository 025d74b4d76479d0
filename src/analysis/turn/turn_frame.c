// SPDX-License-Identifier: MIT
#include "analysis/turn/turn_frame.h"
#include "analysis/counters.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- all bodies as one -------------------------------------------------------------------------------------------------

static void evaluate_motion(turn_search *t)
{
    stepper *s = t->r.s;
    dynamics_evaluate(s->d, &t->r.at, &s->trays, LAW_POSITION | LIFT_ALL);
    s->d->set->poses(s->d->coordinates, &t->r.at, &s->trays.motion, NULL, t->pose, t->twist);
}

// The coordinates' rates of these poses and twists, where the coordinates are those of r.at.
static const double *rates_of(turn_search *t, const bi_pose *pose, const bi_twist *twist)
{
    const dynamics *d = t->r.s->d;
    memcpy(t->put.q, t->r.at.q, (size_t)t->r.n * sizeof *t->put.q);
    memset(t->put.v, 0, (size_t)t->r.n * sizeof *t->put.v);
    memcpy(t->put.chart, t->r.at.chart, (size_t)t->r.st->n_chart * sizeof *t->put.chart);
    return d->set->place(d->coordinates, pose, twist, &t->put) ? t->put.v : NULL;
}

void turn_rates(turn_search *t, vec3 about, vec3 velocity, double rate, double *out)
{
    vec3 spin = vec3_scale(rate, t->up);
    for (int b = 0; b < t->sim->system->model->n_body; b++) {
        vec3 arm = vec3_sub(t->pose[b].pos, about);
        t->one[b] = (bi_twist){ vec3_add(velocity, vec3_cross(spin, arm)), spin };
    }
    const double *v = rates_of(t, t->pose, t->one);
    for (int j = 0; j < t->r.n; j++) {
        out[j] = v ? v[j] : NAN;
    }
}

void turn_group(turn_search *t)
{
    vec3 here = t->pose[t->body].pos, none = { 0, 0, 0 };
    turn_rates(t, here, t->ahead, 0.0, t->group[SLIDE_AHEAD]);
    turn_rates(t, here, t->left, 0.0, t->group[SLIDE_LEFT]);
    turn_rates(t, here, none, 1.0, t->group[TURN_ABOUT]);
}

// The three coordinates by which place and heading are told (elimination with full pivoting among those that are free):
// nothing depends on them.
void turn_ignorable(turn_search *t, bool *is_ignored)
{
    reduction *r = &t->r;
    bool used[N_GROUP] = { false };
    double *left[N_GROUP] = { t->group[0], t->group[1], t->group[2] };
    turn_group(t);
    memset(is_ignored, 0, (size_t)r->n * sizeof *is_ignored);
    for (int pass = 0; pass < N_GROUP; pass++) {
        int row = -1, best = -1;
        double most = 1e-9;
        for (int g = 0; g < N_GROUP; g++) {
            for (int k = 0; k < r->n_named + r->n_held && !used[g]; k++) {
                int j = k < r->n_named ? r->named[k] : r->held[k - r->n_named];
                if (!is_ignored[j] && fabs(left[g][j]) > most) {
                    most = fabs(left[g][j]) * (1.0 + 1e-9);
                    row = g;
                    best = j;
                }
            }
        }
        if (row < 0) {
            return;
        }
        used[row] = true;
        is_ignored[best] = true;
        for (int g = 0; g < N_GROUP; g++) {
            double factor = used[g] ? 0.0 : left[g][best] / left[row][best];
            for (int j = 0; j < r->n && factor != 0.0; j++) {
                left[g][j] -= factor * left[row][j];
            }
        }
    }
}

// Poses and twists of r.at, and the second rates of a motion that keeps its looks while it turns: how the rates change
// when everything is turned about the vertical (turn.2), by differences of order eight.
void turn_look(turn_search *t)
{
    static const double weight[4] = { 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0 }, h = 0.02;
    evaluate_motion(t);
    memset(t->turned, 0, (size_t)t->r.n * sizeof *t->turned);
    for (int k = 0; k < 8 && t->rate != 0.0; k++) {
        double side = k % 2 ? -1.0 : 1.0, angle = side * (1 + k / 2) * h;
        bi_quat turn = quat_exp(vec3_scale(angle, t->up));
        for (int b = 0; b < t->sim->system->model->n_body; b++) {
            t->moved[b] = (bi_pose){ quat_rotate(turn, t->pose[b].pos), quat_multiply(turn, t->pose[b].rot) };
            t->one[b] = (bi_twist){ quat_rotate(turn, t->twist[b].lin), quat_rotate(turn, t->twist[b].ang) };
        }
        const double *v = rates_of(t, t->moved, t->one);
        for (int j = 0; j < t->r.n; j++) {
            t->turned[j] += v ? t->rate * side * weight[k / 2] / h * v[j] : NAN;
        }
    }
}

vec3 turn_centre(const turn_search *t)
{
    double s, c;
    math_sincos(t->slip, &s, &c);
    vec3 inward = vec3_add_scaled(vec3_scale(c, t->left), -s, t->ahead);
    return vec3_add_scaled(t->pose[t->body].pos, t->speed / t->rate, inward);
}

double turn_sideslip(const turn_search *t)
{
    vec3 nose = quat_rotate(t->pose[t->body].rot, t->nose);
    return t->slip - math_atan2(vec3_dot(nose, t->left), vec3_dot(nose, t->ahead));
}

// ---- second rates ----------------------------------------------------------------------------------------------------------

bool turn_accelerate(turn_search *t)
{
    if (!reduction_accelerate(&t->r)) {
        return false;
    }
    turn_look(t);
    return are_finite(t->turned, t->r.n);
}

bool turn_evaluate(turn_search *t)
{
    reduction *r = &t->r;
    const dynamics *d = r->s->d;
    reduction_reset(r);
    memcpy(r->at.chart, t->chart, (size_t)r->st->n_chart * sizeof *t->chart);
    if (!reduction_close(r)) {
        return false;
    }
    d->set->recentre(d->coordinates, &r->at);
    evaluate_motion(t);
    double s, c;
    math_sincos(t->slip, &s, &c);
    vec3 velocity = vec3_scale(t->speed, vec3_add_scaled(vec3_scale(c, t->ahead), s, t->left));
    turn_rates(t, t->pose[t->body].pos, velocity, t->rate, t->wanted);
    for (int j = 0; j < r->n; j++) {
        r->at.v[j] = t->wanted[j] + t->spin[j];
    }
    return reduction_close(r) && turn_accelerate(t);
}

void turn_keep(turn_search *t)
{
    reduction *r = &t->r;
    memcpy(r->q0, r->at.q, (size_t)r->n * sizeof *r->q0);
    memcpy(r->v0, r->at.v, (size_t)r->n * sizeof *r->v0);
    memcpy(t->chart, r->at.chart, (size_t)r->st->n_chart * sizeof *t->chart);
}

// ---- life --------------------------------------------------------------------------------------------------------------------

// The heaviest body.
static int usual_body(const bi_model *m)
{
    int best = 1;
    for (int b = 2; b < m->n_body; b++) {
        best = m->body[b].def.mass > m->body[best].def.mass ? b : best;
    }
    return best;
}

static bool cut(turn_search *t)
{
    size_t n = (size_t)t->r.n, chart = (size_t)t->r.st->n_chart,
           bodies = (size_t)t->sim->system->model->n_body;
    t->memory = calloc(9 * n + 2 * chart + 1, sizeof *t->memory);
    t->spins = calloc(n + 1, sizeof *t->spins);
    t->pose = calloc(2 * bodies, sizeof *t->pose);
    t->twist = calloc(2 * bodies, sizeof *t->twist);
    if (!t->memory || !t->spins || !t->pose || !t->twist) {
        return false;
    }
    t->moved = t->pose + bodies;
    t->one = t->twist + bodies;
    double *next = t->memory;
    double **array[] = { &t->spin,     &t->turned,   &t->wanted, &t->group[0],
                         &t->group[1], &t->group[2], &t->put.q,  &t->put.v };
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        *array[k] = next;
        next += n;
    }
    t->chart = next;
    t->put.chart = next + chart;
    return true;
}

static bi_status refuse(bi_status status, const char *why, bi_report *report)
{
    bi_report_add(report, BI_ERROR, status, (bi_place){ 0 }, "turn", "%s", why);
    return status;
}

// What turns besides the vehicle: rates that are not those of its path, and not small.
static void find_spins(turn_search *t)
{
    reduction *r = &t->r;
    vec3 velocity = vec3_scale(t->speed, t->ahead);
    turn_rates(t, t->pose[t->body].pos, velocity, vec3_dot(t->twist[t->body].ang, t->up), t->put.q);
    for (int j = 0; j < r->n; j++) {
        double spin = r->v0[j] - t->put.q[j];
        t->spins[j] = fabs(spin) > 0.1 * t->speed;
        t->spin[j] = t->spins[j] ? spin : 0.0;
    }
}

static bi_status start(turn_search *t, bi_report *report)
{
    reduction *r = &t->r;
    const bi_model *m = t->sim->system->model;
    reduction_reset(r);
    r->s->d->set->recentre(r->s->d->coordinates, &r->at);
    turn_keep(t);
    evaluate_motion(t);
    t->up = vec3_scale(-1.0, vec3_normalized(m->gravity));
    vec3 level = vec3_add_scaled(t->twist[t->body].lin, -vec3_dot(t->twist[t->body].lin, t->up), t->up);
    t->speed = vec3_norm(level);
    if (!(vec3_norm(m->gravity) > 0.0)) {
        return refuse(BI_BAD_MODEL, "a turn about the vertical needs gravity", report);
    }
    if (!(t->speed > 1e-3)) {
        return refuse(
            BI_NOT_STEADY,
            "the search for a steady turn begins at a speed, and the model stands: start it with its "
            "body moving and its wheels rolling, at about the speed asked for",
            report);
    }
    t->ahead = vec3_normalized(level);
    t->left = vec3_cross(t->up, t->ahead);
    t->nose = quat_rotate(quat_conjugate(t->pose[t->body].rot), t->ahead);
    find_spins(t);
    t->rate = vec3_dot(t->twist[t->body].ang, t->up);
    return BI_OK;
}

bi_status turn_create(turn_search *t, bi_sim *sim, const bi_turn_def *def, bi_report *report)
{
    const bi_system *s = sim->system;
    *t = (turn_search){ .sim = sim };
    if (s->options.coordinates != BI_JOINT) {
        return refuse(
            BI_BAD_MODEL,
            "a steady turn is found in joint coordinates (formulation: joint): in natural ones a wheel "
            "that rolls is not steady",
            report);
    }
    bool is_body = def->body.i > 1 && def->body.i <= s->model->n_body;
    t->body = is_body ? def->body.i - 1 : usual_body(s->model);
    bi_status status = reduction_create(&t->r, sim, report);
    status = status == BI_OK ? counters_leave_out(&t->r) : status;
    status = status == BI_OK && !cut(t) ? BI_NO_MEMORY : status;
    return status == BI_OK ? start(t, report) : status;
}

void turn_clear(turn_search *t)
{
    reduction_clear(&t->r);
    free(t->memory);
    free(t->spins);
    free(t->pose);
    free(t->twist);
    *t = (turn_search){ 0 };
}
