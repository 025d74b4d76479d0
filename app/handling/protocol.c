// SPDX-License-Identifier: MIT
// What a manoeuvre gives: numbers, curves, a verdict; and how numbers are read from a log.
#include "cli/words.h"
#include "handling/manoeuvre.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const manoeuvre *const list[] = {
#define MANOEUVRE_IN_LIST(name) &manoeuvre_##name,
    MANOEUVRE_LIST(MANOEUVRE_IN_LIST)
#undef MANOEUVRE_IN_LIST
};

int manoeuvre_count(void) { return (int)(sizeof list / sizeof *list); }

const manoeuvre *manoeuvre_at(int k) { return k >= 0 && k < manoeuvre_count() ? list[k] : NULL; }

static char *copied(const char *text) { return words_copy(text, strlen(text)); }

void protocol_find(protocol *p, const char *name, const char *unit, double value, const char *help)
{
    finding *more = words_alloc((size_t)(p->n_found + 1) * sizeof *more);
    if (p->n_found > 0) {
        memcpy(more, p->found, (size_t)p->n_found * sizeof *more);
    }
    free(p->found);
    p->found = more;
    p->found[p->n_found++] = (finding){ copied(name), copied(unit), copied(help), value };
}

void protocol_fail(protocol *p, const char *format, ...)
{
    char text[600];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    free(p->why);
    p->outcome = IMPOSSIBLE;
    p->why = copied(text);
}

void protocol_judge(protocol *p, bool passed, const char *why)
{
    if (p->outcome != IMPOSSIBLE) {
        free(p->why);
        p->outcome = passed ? PASSED : NOT_PASSED;
        p->why = why ? copied(why) : NULL;
    }
}

static figure *new_figure(protocol *p)
{
    figure *more = words_alloc((size_t)(p->n_figure + 1) * sizeof *more);
    if (p->n_figure > 0) {
        memcpy(more, p->figure, (size_t)p->n_figure * sizeof *more);
    }
    free(p->figure);
    p->figure = more;
    return &p->figure[p->n_figure++];
}

void protocol_draw(protocol *p, const char *title, const char *unit, const char *x_unit, int n, double *x,
                   double *y)
{
    *new_figure(p) = (figure){ copied(title), copied(unit), copied(x_unit), n, x, y };
}

static const char *const column_name[] = {
#define TRYOUT_NAME(name, unit, help) #name,
    TRYOUT_LIST(TRYOUT_NAME)
#undef TRYOUT_NAME
};
static const char *const column_unit[] = {
#define TRYOUT_UNIT(name, unit, help) unit,
    TRYOUT_LIST(TRYOUT_UNIT)
#undef TRYOUT_UNIT
};
static const char *const column_help[] = {
#define TRYOUT_HELP(name, unit, help) help,
    TRYOUT_LIST(TRYOUT_HELP)
#undef TRYOUT_HELP
};

int tryout_which(const char *name)
{
    int k = 0;
    while (strcmp(column_name[k], name) != 0) {
        k++;
    }
    return k;
}

// At most this many points of a log in a picture.
enum { MOST_POINTS = 1500 };

static double *thinned(const tryout *t, int which, int every, int *count)
{
    double *all = tryout_column(t, which);
    *count = 0;
    for (int k = 0; k < t->n; k += every) {
        all[(*count)++] = all[k];
    }
    return all;
}

void protocol_draw_log(protocol *p, const tryout *t, const char *names)
{
    words_list wanted = words_split(names, ',');
    int every = 1 + t->n / MOST_POINTS, n = 0;
    for (int k = 0; k < wanted.count && t->n > 1; k++) {
        int which = tryout_which(wanted.name[k]);
        double *x = thinned(t, 0, every, &n), *y = thinned(t, which, every, &n);
        protocol_draw(p, column_help[which], column_unit[which], "s", n, x, y);
    }
    words_list_clear(&wanted);
}

void protocol_clear(protocol *p)
{
    for (int k = 0; k < p->n_found; k++) {
        free(p->found[k].name);
        free(p->found[k].unit);
        free(p->found[k].help);
    }
    for (int k = 0; k < p->n_figure; k++) {
        figure *f = &p->figure[k];
        free(f->title);
        free(f->unit);
        free(f->x_unit);
        free(f->x);
        free(f->y);
    }
    free(p->found);
    free(p->figure);
    free(p->why);
    *p = (protocol){ 0 };
}

// ---- a log ---------------------------------------------------------------------------------------------------------------

static double value_at(const tryout *t, int which, int k)
{
    return ((const double *)(const void *)&t->log[k])[which];
}

double tryout_mean(const tryout *t, const char *name, double from, double to)
{
    int which = tryout_which(name), count = 0;
    double sum = 0.0;
    for (int k = 0; k < t->n; k++) {
        if (t->log[k].t >= from && t->log[k].t <= to) {
            sum += value_at(t, which, k);
            count++;
        }
    }
    return count > 0 ? sum / count : NAN;
}

double tryout_pass(const tryout *t, const char *name, double from, double level)
{
    int which = tryout_which(name);
    for (int k = 1; k < t->n; k++) {
        double a = value_at(t, which, k - 1) - level, b = value_at(t, which, k) - level;
        if (t->log[k].t >= from && a * b <= 0.0 && a != b) {
            return t->log[k - 1].t + (t->log[k].t - t->log[k - 1].t) * a / (a - b);
        }
    }
    return NAN;
}

double tryout_peak(const tryout *t, const char *name, double from, double to, double sign, double *when)
{
    int which = tryout_which(name);
    double best = -INFINITY;
    for (int k = 0; k < t->n; k++) {
        double y = sign * value_at(t, which, k);
        if (t->log[k].t >= from && t->log[k].t <= to && y > best) {
            best = y;
            *when = t->log[k].t;
        }
    }
    return sign * best;
}

bool tryout_steer_for(tryout *t, protocol *p, double lateral, double *steer)
{
    double straight = t->hold.steer, speed = t->turn.speed;
    if (!tryout_turn(t, speed, lateral)) {
        protocol_fail(p, "no turn with %.3g m/s2 at %.4g m/s to take the steering from: %s", lateral, speed,
                      t->why);
        return false;
    }
    *steer = t->hold.steer - straight;
    if (!tryout_turn(t, speed, 0.0)) {
        protocol_fail(p, "at %.4g m/s: %s", speed, t->why);
        return false;
    }
    return true;
}
