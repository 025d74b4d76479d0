// SPDX-License-Identifier: MIT
// A simple driver of the forklift, who looks only at what a person sees, does what a list says and is judged by an exercise.
#ifndef BIELA_TESTS_SUPPORT_FORKLIFT_DRIVER_H
#define BIELA_TESTS_SUPPORT_FORKLIFT_DRIVER_H
#include "course/exercise.h"
#include "support/run_model.h"
#include <biela/analysis.h>
#include <stdlib.h>

enum { POINTS = 12 };

// One thing to do: hold the pedals and levers, follow the path if there is one, until ...
typedef struct {
    double drive, lift, tilt, park; // inputs
    const char *until; // channel, beyond `value` (below it where `is_below`); NULL: the end of the path
    double value;
    bool is_below;
    double wait; // s, instead of a channel
    int n_point;
    double point[POINTS][2]; // m; the middle of the front axle goes there
} leg;

typedef struct {
    const char *exercise;
    const leg *legs;
    int n_leg;
    bool is_blind;    // never looks back
    const char *csv;  // the inputs go there as a manoeuvre; NULL: nowhere
    exercise *judged; // out: NULL at first; to be closed
} drive;

// ---- the driver --------------------------------------------------------------------------------------------------

static const double wheel_base = 1.965, full_lock = 1.2840, look_ahead = 1.6; // m, rad, m

// Ways that several drives take.
#define THROUGH_THE_CONES                                                                                    \
    {                                                                                                        \
        .drive = 0.22, .n_point = 11, .point = {                                                             \
            { 1.9, 0 },                                                                                      \
            { 4, 0.6 },                                                                                      \
            { 6.5, 1.9 },                                                                                    \
            { 9, 2.3 },                                                                                      \
            { 12.5, 0 },                                                                                     \
            { 16, -2.3 },                                                                                    \
            { 19.5, 0 },                                                                                     \
            { 23, 2.3 },                                                                                     \
            { 26.5, 0 },                                                                                     \
            { 30, -2.3 },                                                                                    \
            { 33, -2.3 }                                                                                     \
        }                                                                                                    \
    }
#define TO_THE_LORRY                                                                                         \
    {                                                                                                        \
        .drive = 0.2, .n_point = 9, .point = {                                                               \
            { 0.3, 0 },                                                                                      \
            { 1.5, 1 },                                                                                      \
            { 2.2, 3.5 },                                                                                    \
            { 4.0, 6.2 },                                                                                    \
            { 7.5, 7.4 },                                                                                    \
            { 11.0, 7.4 },                                                                                   \
            { 13.6, 8.6 },                                                                                   \
            { 14.4, 10.4 },                                                                                  \
            { 14.4, 10.9 }                                                                                   \
        }                                                                                                    \
    }

static inline double seen(run_model *run, const char *name)
{
    bi_channel c = bi_find_channel(run->system, name);
    assert_true(c.i > 0);
    return bi_sim_read(run->sim, c);
}

// Place on the path, as length from its beginning, that is nearest; where the path is at a length.
static inline double nearest(const leg *l, double x, double y)
{
    double best = INFINITY, at = 0.0, length = 0.0;
    for (int k = 0; k + 1 < l->n_point; k++) {
        double dx = l->point[k + 1][0] - l->point[k][0], dy = l->point[k + 1][1] - l->point[k][1];
        double size = hypot(dx, dy);
        double s = ((x - l->point[k][0]) * dx + (y - l->point[k][1]) * dy) / (size * size);
        s = fmin(fmax(s, 0.0), 1.0);
        double away = hypot(l->point[k][0] + s * dx - x, l->point[k][1] + s * dy - y);
        if (away < best) {
            best = away;
            at = length + s * size;
        }
        length += size;
    }
    return at;
}

// Beyond the end the path goes straight on.
static inline void place_at(const leg *l, double at, double *x, double *y)
{
    int k = 0;
    double size = 0.0;
    for (; k + 1 < l->n_point; k++) {
        size = hypot(l->point[k + 1][0] - l->point[k][0], l->point[k + 1][1] - l->point[k][1]);
        if (at <= size || k + 2 == l->n_point) {
            break;
        }
        at -= size;
    }
    *x = l->point[k][0] + (l->point[k + 1][0] - l->point[k][0]) * at / size;
    *y = l->point[k][1] + (l->point[k + 1][1] - l->point[k][1]) * at / size;
}

static inline double path_length(const leg *l)
{
    double out = 0.0;
    for (int k = 0; k + 1 < l->n_point; k++) {
        out += hypot(l->point[k + 1][0] - l->point[k][0], l->point[k + 1][1] - l->point[k][1]);
    }
    return out;
}

// The wheel is turned for the arc through a place ahead on the path; sets how much of the path is left.
static inline double steer(run_model *run, const leg *l, double *left)
{
    double yaw = seen(run, "attitude.yaw");
    double x = seen(run, "truck.x") + wheel_base * cos(yaw), y = seen(run, "truck.y") + wheel_base * sin(yaw);
    double at = nearest(l, x, y), goal_x, goal_y;
    *left = path_length(l) - at;
    place_at(l, at + look_ahead, &goal_x, &goal_y);
    double bearing = atan2(goal_y - y, goal_x - x) - yaw;
    double curvature = 2.0 * sin(bearing) / hypot(goal_x - x, goal_y - y);
    return fmin(fmax(atan(curvature * wheel_base) / full_lock, -1.0), 1.0);
}

static inline bool is_done(run_model *run, const leg *l, double since, double left)
{
    if (l->wait > 0.0) {
        return bi_sim_view(run->sim).t - since >= l->wait;
    }
    if (!l->until) {
        return left < 0.05;
    }
    double value = seen(run, l->until);
    return l->is_below ? value < l->value : value > l->value;
}

static inline exercise_state drive_it(drive *d)
{
    char path[512];
    bi_report report = { 0 };
    bi_setting setting[8];
    FILE *csv = d->csv ? fopen(d->csv, "w") : NULL;
    snprintf(path, sizeof path, "%s/models/forklift/%s.yaml", BI_SOURCE_DIR, d->exercise);
    exercise *e = exercise_open(path, &report);
    run_require(e != NULL, &report, "the exercise has mistakes");
    int n = exercise_setting_count(e);
    assert_in_range(n, 0, 8);
    for (int k = 0; k < n; k++) {
        setting[k] = exercise_setting(e, k);
    }
    run_model run = run_open(&(run_case){ .model = "forklift",
                                          .run = exercise_run(e),
                                          .settings = setting,
                                          .n_settings = n,
                                          .coordinates = BI_JOINT });
    run_require(exercise_bind(e, BI_SOURCE_DIR "/models/forklift/model.yaml", run.model, run.system, &report),
                &report, "the exercise does not fit");
    double *channel = calloc((size_t)bi_channel_count(run.system), sizeof *channel), since = 0.0;
    double input[8] = { 0 };
    int n_event = 0;
    bi_event event;
    assert_non_null(channel);
    assert_in_range(bi_input_count(run.system), 1, 8);
    exercise_reset(e);
    if (csv) {
        fputs("t,steer,drive,lift,tilt,park,look\n", csv);
    }
    for (int k = 0; exercise_state_of(e) <= EXERCISE_RUNNING && bi_sim_view(run.sim).t < 400.0;) {
        static const leg stand = { .wait = 1e9 };
        const leg *l = k < d->n_leg ? &d->legs[k] : &stand;
        double left = INFINITY;
        double steering = l->n_point > 0 ? steer(&run, l, &left) : 0.0;
        bool is_backwards = l->drive < 0.0 || seen(&run, "speed") < -0.05;
        double asked[] = { steering, l->drive, l->lift, l->tilt, l->park, is_backwards && !d->is_blind };
        static const char *const names[] = { "steer", "drive", "lift", "tilt", "park", "look" };
        double t = bi_sim_view(run.sim).t;
        if (csv) {
            // as a manoeuvre: held over the time until the next look
            fprintf(csv, "%.4f,%.4f,%.3g,%.3g,%.3g,%.3g,%.3g\n", t > 0.0 ? t + 1e-3 : 0.0, asked[0], asked[1],
                    asked[2], asked[3], asked[4], asked[5]);
            fprintf(csv, "%.4f,%.4f,%.3g,%.3g,%.3g,%.3g,%.3g\n", t + 0.05, asked[0], asked[1], asked[2],
                    asked[3], asked[4], asked[5]);
        }
        for (int i = 0; i < 6; i++) {
            bi_sim_input(run.sim, bi_model_input(run.model, names[i]), asked[i]);
            input[bi_find_input(run.system, names[i]).i - 1] = asked[i];
        }
        // a person does not look more often; contacts that are over sooner are told by events
        run_to(&run, t + 0.05);
        bi_sim_read_all(run.sim, channel);
        for (; bi_sim_event(run.sim, n_event, &event); n_event++) {
            exercise_event(e, event.t, event.name);
        }
        exercise_update(e, bi_sim_view(run.sim).t, channel, input);
        if (is_done(&run, l, since, left)) {
            since = bi_sim_view(run.sim).t;
            k += k < d->n_leg;
        }
    }
    exercise_state state = exercise_state_of(e);
    printf("measured %s: %s after %.1f s, score %.0f\n", d->exercise, exercise_state_name(state),
           exercise_time(e), exercise_score(e));
    for (int k = 0; state != EXERCISE_PASSED && k < exercise_goal_count(e); k++) {
        const exercise_goal *goal = exercise_goal_at(e, k);
        printf("  %s: %s\n", goal->text, goal->done_at >= 0.0 ? "done" : "not done");
    }
    for (int k = 0; k < exercise_limit_count(e); k++) {
        const exercise_limit *limit = exercise_limit_at(e, k);
        if (limit->times > 0) {
            printf("  %s: %d times, worst %g, first at %g s\n", limit->text, limit->times, limit->worst,
                   limit->first);
        }
    }
    free(channel);
    if (csv) {
        fclose(csv);
    }
    d->judged = e;
    run_close(&run);
    bi_report_clear(&report);
    return state;
}

#define LEGS(legs) .legs = (legs), .n_leg = (int)(sizeof(legs) / sizeof *(legs))

#endif
