// SPDX-License-Identifier: MIT
#include "handling/tryout.h"
#include "cli/words.h"
#include <biela/loop.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- reading ---------------------------------------------------------------------------------------------------------

static double *input_at(const tryout *t, bi_input input)
{
    static double nowhere;
    return input.i ? &bi_sim_input_values(t->s.sim)[input.i - 1] : &nowhere;
}

static bi_vec3 turned(bi_quat q, bi_vec3 v)
{
    bi_vec3 u = { q.x, q.y, q.z };
    bi_vec3 a = { u.y * v.z - u.z * v.y + q.w * v.x, u.z * v.x - u.x * v.z + q.w * v.y,
                  u.x * v.y - u.y * v.x + q.w * v.z };
    return (bi_vec3){ v.x + 2.0 * (u.y * a.z - u.z * a.y), v.y + 2.0 * (u.z * a.x - u.x * a.z),
                      v.z + 2.0 * (u.x * a.y - u.y * a.x) };
}

// The angle next to `near`.
static double unwrapped(double angle, double near)
{
    return angle + 2.0 * pi * round((near - angle) / (2.0 * pi));
}

moment tryout_now(tryout *t)
{
    bi_view view = bi_sim_view(t->s.sim);
    int body = bi_model_body(t->s.model, t->v->body).i - 1;
    const bi_pose *pose = &view.pose[body];
    const bi_twist *w = &view.twist[body];
    bi_vec3 ahead = turned(pose->rot, (bi_vec3){ 1, 0, 0 }), left = turned(pose->rot, (bi_vec3){ 0, 1, 0 });
    double last = t->n > 0 ? t->log[t->n - 1].yaw : t->yaw0;
    moment m = { .t = view.t, .x = pose->pos.x, .y = pose->pos.y };
    m.yaw = unwrapped(atan2(ahead.y, ahead.x), last);
    double c = cos(m.yaw), s = sin(m.yaw);
    // to the right positive: the left side is up, against where it stood
    m.roll = asin(fmax(-1.0, fmin(1.0, left.z))) - t->roll0;
    m.speed = hypot(w->lin.x, w->lin.y);
    m.sideslip = m.speed > 0.1 ? atan2(-s * w->lin.x + c * w->lin.y, c * w->lin.x + s * w->lin.y) : 0.0;
    m.yaw_rate = w->ang.z;
    m.roll_rate = c * w->ang.x + s * w->ang.y;
    bi_vec3 felt =
        turned(pose->rot, (bi_vec3){ bi_sim_read(t->s.sim, t->acc[0]), bi_sim_read(t->s.sim, t->acc[1]),
                                     bi_sim_read(t->s.sim, t->acc[2]) });
    m.ax = c * felt.x + s * felt.y;
    m.ay = -s * felt.x + c * felt.y;
    m.steer = t->v->steer_sign * *input_at(t, t->steer);
    m.lightest = INFINITY;
    for (int k = 0; k < t->v->n_wheel; k++) {
        m.load[k] = bi_sim_read(t->s.sim, t->load[k]);
        double share = t->still[k] > 0.0 ? m.load[k] / t->still[k] : 1.0;
        m.lightest = fmin(m.lightest, share);
    }
    return m;
}

double *tryout_column(const tryout *t, int which)
{
    double *out = words_alloc((size_t)(t->n + 1) * sizeof *out);
    for (int k = 0; k < t->n; k++) {
        const double *first = (const double *)(const void *)&t->log[k];
        out[k] = first[which];
    }
    return out;
}

// ---- start -------------------------------------------------------------------------------------------------------------

static void note(tryout *t, const char *what)
{
    const bi_report *r = &t->s.report;
    const char *said = what;
    for (int k = 0; k < r->count; k++) {
        said = r->issue[k].severity == BI_ERROR ? r->issue[k].what : said;
    }
    snprintf(t->why, sizeof t->why, "%s", said);
}

static bi_channel channel_of(const tryout *t, const char *name) { return bi_find_channel(t->s.system, name); }

static bi_vec3 contact_of(const tryout *t, int wheel)
{
    double at[3];
    for (int i = 0; i < 3; i++) {
        char *name = words_format("vehicle.wheel%d.%c", wheel + 1, "xyz"[i]);
        at[i] = bi_sim_read(t->s.sim, channel_of(t, name));
        free(name);
    }
    return (bi_vec3){ at[0], at[1], at[2] };
}

static void find_channels(tryout *t)
{
    for (int i = 0; i < 3; i++) {
        char *name = words_format("vehicle.acc.%c", "xyz"[i]);
        t->acc[i] = channel_of(t, name);
        free(name);
    }
    for (int k = 0; k < t->v->n_wheel; k++) {
        char *name = words_format("vehicle.wheel%d.fz", k + 1);
        t->load[k] = channel_of(t, name);
        free(name);
    }
    t->steer = bi_find_input(t->s.system, t->v->steer);
    t->throttle = t->v->throttle ? bi_find_input(t->s.system, t->v->throttle) : (bi_input){ 0 };
    t->brake = t->v->brake ? bi_find_input(t->s.system, t->v->brake) : (bi_input){ 0 };
}

// Where it stands is where runs begin.
static void keep_start(tryout *t)
{
    t->n = 0;
    t->hold = (pedals){ t->v->steer_sign * *input_at(t, t->steer), *input_at(t, t->throttle), 0.0 };
    free(t->start);
    t->start_size = bi_sim_save(t->s.sim, NULL, 0);
    t->start = words_alloc(t->start_size);
    bi_sim_save(t->s.sim, t->start, t->start_size);
}

static void look(tryout *t)
{
    t->yaw0 = t->roll0 = 0.0;
    moment m = tryout_now(t);
    t->yaw0 = m.yaw;
    t->roll0 = m.roll;
    bi_vec3 front = contact_of(t, 0), rear = contact_of(t, t->v->n_wheel == 4 ? 2 : 1);
    t->wheelbase = hypot(front.x - rear.x, front.y - rear.y);
    if (t->v->n_wheel == 4) {
        bi_vec3 right = contact_of(t, 1);
        t->track = hypot(front.x - right.x, front.y - right.y);
    }
    for (int k = 0; k < t->v->n_wheel; k++) {
        t->still[k] = m.load[k];
    }
}

static void apply(tryout *t, const pedals *p)
{
    *input_at(t, t->steer) = t->v->steer_sign * p->steer;
    if (t->throttle.i) {
        *input_at(t, t->throttle) = p->throttle;
    }
    // one pedal may do both
    if (t->brake.i && (t->brake.i != t->throttle.i || p->brake > 0.0)) {
        *input_at(t, t->brake) = p->brake * t->v->braked;
    }
}

// ---- a steady motion that is driven to --------------------------------------------------------------------------------------

typedef struct {
    double speed, lateral, throttle, steer, quiet; /* quiet: s since it is as asked */
} search_by_driving;

static pedals drive_there(void *context, const tryout *t, const moment *now)
{
    search_by_driving *d = context;
    double slow = (d->speed - now->speed) / fmax(d->speed, 1.0), most = t->v->steer_most;
    double aside = d->lateral - now->yaw_rate * now->speed;
    d->throttle = fmax(-1.0, fmin(1.0, d->throttle + 0.8 * slow * t->dt));
    d->steer =
        fmax(-most, fmin(most, d->steer + (now->speed > 0.5 * d->speed ? 0.08 * most * aside * t->dt : 0.0)));
    bool is_there = fabs(slow) < 2e-3 && fabs(aside) < 5e-3 * fmax(1.0, fabs(d->lateral));
    d->quiet = is_there ? d->quiet + t->dt : 0.0;
    return (pedals){ d->steer, fmax(-1.0, fmin(1.0, d->throttle + 2.0 * slow)), 0.0 };
}

static bool is_there(void *context, const tryout *t, const moment *now)
{
    (void)t;
    (void)now;
    return ((const search_by_driving *)context)->quiet > 1.0;
}

// Where no equilibrium is found (parts that remember, speeds that are held by a controller): a driver goes there, and what holds
// still then is the steady motion.
static bool drive_to(tryout *t, double speed, double lateral)
{
    search_by_driving d = {
        .speed = speed, .lateral = lateral, .throttle = t->hold.throttle, .steer = t->hold.steer
    };
    char first[sizeof t->why];
    memcpy(first, t->why, sizeof first);
    if (!t->throttle.i) {
        return false;
    }
    if (!tryout_run(t, 40.0, drive_there, is_there, &d)) {
        return false;
    }
    const moment *last = &t->log[t->n - 1];
    if (d.quiet <= 1.0) {
        snprintf(t->why, sizeof t->why,
                 "driven there for 40 s, it has %.4g m/s and %.3g m/s2 instead of %.4g and %.3g (and as an "
                 "equilibrium: %.200s)",
                 last->speed, last->yaw_rate * last->speed, speed, lateral, first);
        return false;
    }
    double rate = last->yaw_rate;
    t->turn = (bi_turn){ .speed = last->speed,
                         .lateral = rate * last->speed,
                         .yaw_rate = rate,
                         .radius = rate != 0.0 ? fabs(last->speed / rate) : INFINITY,
                         .sideslip = last->sideslip };
    keep_start(t);
    t->hold.steer = d.steer;
    t->yaw0 = last->yaw; // it has turned on its way
    return true;
}

bool tryout_turn(tryout *t, double speed, double lateral)
{
    bi_input inputs[2];
    bi_turn_def def = vehicle_turn(t->v, &t->s, speed, lateral, inputs);
    // a run may have ended lying on its side
    if (t->start && bi_sim_load(t->s.sim, t->start, t->start_size) == BI_OK) {
        apply(t, &t->hold);
    }
    if (!t->is_driven) {
        if (bi_steady_turn(t->s.sim, &def, &t->turn, &t->s.report) == BI_OK) {
            keep_start(t);
            return true;
        }
        note(t, "the motion is not steady");
    }
    return t->is_driven && drive_to(t, speed, lateral);
}

void tryout_stand(tryout *t, const vehicle *v, double speed, const vehicle_more *more)
{
    *t = (tryout){ .v = v };
    if (vehicle_start(v, speed, more, &t->s) != CLI_OK) {
        note(t, "the model does not start");
        return;
    }
    t->dt = bi_system_dt(t->s.system);
    find_channels(t);
    look(t);
    keep_start(t);
}

bool tryout_open(tryout *t, const vehicle *v, double speed, double lateral, const vehicle_more *more)
{
    tryout_stand(t, v, speed, more);
    if (t->why[0]) {
        return false;
    }
    // straight on first: what counts as no roll and as the loads of the wheels
    bool is_straight = tryout_turn(t, speed, 0.0);
    if (!is_straight && t->start) {
        t->is_driven = true;
        is_straight = tryout_turn(t, speed, 0.0);
    }
    if (is_straight) {
        look(t);
    }
    return is_straight && (lateral == 0.0 || tryout_turn(t, speed, lateral));
}

void tryout_close(tryout *t)
{
    session_close(&t->s);
    free(t->start);
    free(t->log);
    *t = (tryout){ 0 };
}

// ---- a run ------------------------------------------------------------------------------------------------------------------

static void add(tryout *t, const moment *m)
{
    if (t->n == t->capacity) {
        t->capacity = t->capacity > 0 ? 2 * t->capacity : 4096;
        moment *more = words_alloc((size_t)t->capacity * sizeof *more);
        if (t->n > 0) {
            memcpy(more, t->log, (size_t)t->n * sizeof *more);
        }
        free(t->log);
        t->log = more;
    }
    t->log[t->n++] = *m;
}

bool tryout_run(tryout *t, double time, tryout_driver *driver, tryout_end *end, void *context)
{
    t->why[0] = '\0';
    t->n = 0;
    pedals hold = t->hold;
    if (bi_sim_load(t->s.sim, t->start, t->start_size) != BI_OK) {
        snprintf(t->why, sizeof t->why, "the start is lost");
        return false;
    }
    apply(t, &hold);
    double start = bi_sim_time(t->s.sim);
    moment now = tryout_now(t);
    now.t = 0.0;
    add(t, &now);
    int steps = (int)ceil(time / t->dt - 1e-9);
    for (int k = 0; k < steps; k++) {
        // what holds during a step is what the driver does in its middle
        moment middle = now;
        middle.t += 0.5 * t->dt;
        pedals p = driver(context, t, &middle);
        apply(t, &p);
        bi_status status = bi_sim_step(t->s.sim);
        if (status != BI_OK) {
            snprintf(t->why, sizeof t->why, "a step failed at %.3g s: %s; %s", now.t, bi_status_text(status),
                     bi_sim_failure(t->s.sim));
            return false;
        }
        now = tryout_now(t);
        now.t -= start;
        add(t, &now);
        if (end && end(context, t, &now)) {
            break;
        }
        if (bi_sim_stopped(t->s.sim)) {
            break;
        }
    }
    return true;
}
