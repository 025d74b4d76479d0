// SPDX-License-Identifier: MIT
#include "io/life/cycles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cycles_begin(cycle_counter *c, double *turn, double *peak)
{
    *c = (cycle_counter){ .turn = turn, .peak = peak, .room = CYCLES_FIRST_ROOM };
}

void cycles_free(cycle_counter *c)
{
    if (c->is_owner) {
        free(c->turn);
    }
}

static void count_range(cycle_counter *c, double a, double b, double peak, double times, const endurance *e)
{
    c->damage += times * endurance_of_cycle(e, fabs(a - b), 0.5 * (a + b), peak);
    c->count += times;
}

static double peak_at(const cycle_counter *c, int k) { return c->peak ? c->peak[k] : 0.0; }

// Twice the room, up to the most. Peaks stand behind the turning points.
static bool grow(cycle_counter *c)
{
    int room = 2 * c->room;
    double *all = malloc((size_t)room * (c->peak ? 2 : 1) * sizeof *all);
    if (!all) {
        return false;
    }
    memcpy(all, c->turn, (size_t)c->depth * sizeof *all);
    if (c->peak) {
        memcpy(all + room, c->peak, (size_t)c->depth * sizeof *all);
    }
    cycles_free(c);
    c->turn = all;
    c->peak = c->peak ? all + room : NULL;
    c->room = room;
    c->is_owner = true;
    return true;
}

// The two turning points before the last one leave the list as a cycle.
static void take_cycle(cycle_counter *c, const endurance *e)
{
    int d = c->depth;
    double peak = fmax(peak_at(c, d - 3), peak_at(c, d - 2));
    count_range(c, c->turn[d - 3], c->turn[d - 2], peak, 1.0, e);
    c->turn[d - 3] = c->turn[d - 1];
    if (c->peak) {
        c->peak[d - 4] = fmax(c->peak[d - 4], peak);
    }
    c->depth = d - 2;
}

// Four points a b c d: the range b-c closes when it is not larger than a-b and c-d (life.1).
static void close_cycles(cycle_counter *c, const endurance *e)
{
    for (bool goes_on = true; goes_on;) {
        const double *t = c->turn + c->depth - 4;
        goes_on =
            c->depth >= 4 && fabs(t[1] - t[2]) <= fabs(t[0] - t[1]) && fabs(t[1] - t[2]) <= fabs(t[2] - t[3]);
        if (goes_on) {
            take_cycle(c, e);
        }
    }
    int d = c->depth;
    c->is_rising = d > 1 && c->turn[d - 1] > c->turn[d - 2];
    bool may_close = d >= 4 && fabs(c->turn[d - 3] - c->turn[d - 2]) <= fabs(c->turn[d - 4] - c->turn[d - 3]);
    c->bound = may_close ? c->turn[d - 3] : c->is_rising ? INFINITY : -INFINITY;
}

// A sample that turns back, or closes a cycle, or is the first.
static bool take_turn(cycle_counter *c, double x, double normal, const endurance *e)
{
    int d = c->depth;
    if (d > 0 && c->turn[d - 1] == x) {
        if (c->peak) {
            int of = d > 1 ? d - 2 : 0;
            c->peak[of] = fmax(c->peak[of], normal);
        }
        return true;
    }
    if (d > 1 && (x > c->turn[d - 1]) == c->is_rising) {
        c->turn[d - 1] = x;
        if (c->peak) {
            c->peak[d - 2] = fmax(c->peak[d - 2], normal);
        }
        close_cycles(c, e);
        return true;
    }
    if (d == c->room && c->room < CYCLES_MOST_ROOM && !grow(c)) {
        return false;
    }
    if (d == c->room) {
        // the smallest ranges stand at the end: the last one counts as if it had closed
        count_range(c, c->turn[d - 2], c->turn[d - 1], peak_at(c, d - 2), 1.0, e);
        c->is_cut = true;
        d = c->depth = d - 2;
    }
    c->turn[d] = x;
    if (c->peak) {
        // at a turning point both ways are there
        c->peak[d] = normal;
        if (d > 0) {
            c->peak[d - 1] = fmax(c->peak[d - 1], normal);
        }
    }
    c->depth = d + 1;
    close_cycles(c, e);
    return true;
}

// As long as nothing has moved by more than the gate, the list is the lowest and the highest value, in their order: the
// first turning point that counts is one of them. False: it has moved.
static bool take_first(cycle_counter *c, double x, double normal, double gate)
{
    if (c->depth != 2 || fabs(c->turn[1] - c->turn[0]) > gate) {
        return false;
    }
    double low = fmin(c->turn[0], c->turn[1]), high = fmax(c->turn[0], c->turn[1]);
    if (x > high || x < low) {
        c->turn[0] = x > high ? low : high;
        c->turn[1] = x;
        c->is_rising = x > high;
        c->bound = c->is_rising ? INFINITY : -INFINITY;
    }
    if (c->peak) {
        c->peak[0] = fmax(c->peak[0], normal);
        c->peak[1] = normal;
    }
    return true;
}

// As take_turn, for what nearly always happens: the stress goes on, or moves by less than does any damage.
bool cycles_add(cycle_counter *c, int count, const double *x, const double *normal, const endurance *e)
{
    bool is_good = true;
    for (int k = 0; k < count && is_good; k++) {
        if (take_first(c, x[k], c->peak ? normal[k] : 0.0, e->gate)) {
            continue;
        }
        if (c->depth > 1) {
            double *end = &c->turn[c->depth - 1], last = *end, bound = c->bound;
            int from = k;
            if (c->is_rising) {
                for (; k < count && x[k] < bound && x[k] >= last - e->gate; k++) {
                    last = x[k] > last ? x[k] : last;
                }
            } else {
                for (; k < count && x[k] > bound && x[k] <= last + e->gate; k++) {
                    last = x[k] < last ? x[k] : last;
                }
            }
            *end = last;
            for (int i = from; c->peak && i < k; i++) {
                c->peak[c->depth - 2] = fmax(c->peak[c->depth - 2], normal[i]);
            }
        }
        is_good = k == count || take_turn(c, x[k], c->peak ? normal[k] : 0.0, e);
    }
    return is_good;
}

// What has not closed comes again: every range of it closes then, the largest one last (life.2).
static bool repeat(cycle_counter *c, const endurance *e)
{
    double turn[CYCLES_MOST_ROOM], peak[CYCLES_MOST_ROOM];
    int n = c->depth;
    memcpy(turn, c->turn, (size_t)n * sizeof *turn);
    if (c->peak) {
        memcpy(peak, c->peak, (size_t)n * sizeof *peak);
    }
    bool is_good = true;
    for (int k = 0; k < n && is_good; k++) {
        is_good = take_turn(c, turn[k], c->peak ? peak[k] : 0.0, e);
    }
    return is_good;
}

static bool copy(const cycle_counter *from, cycle_counter *to, double *turn, double *peak)
{
    *to = *from;
    to->is_owner = false;
    to->turn = turn;
    to->room = 2 * CYCLES_MOST_ROOM;
    memcpy(turn, from->turn, (size_t)from->depth * sizeof *turn);
    to->peak = from->peak ? peak : NULL;
    if (from->peak) {
        memcpy(peak, from->peak, (size_t)from->depth * sizeof *peak);
    }
    return true;
}

bool cycles_sum(const cycle_counter *from, cycles_manner manner, const endurance *e, cycle_sum *out)
{
    double turn[2 * CYCLES_MOST_ROOM], peak[2 * CYCLES_MOST_ROOM];
    cycle_counter c;
    (void)copy(from, &c, turn, peak);
    *out = (cycle_sum){ .least = INFINITY, .most = -INFINITY };
    for (int k = 0; k < c.depth; k++) {
        out->least = fmin(out->least, c.turn[k]);
        out->most = fmax(out->most, c.turn[k]);
        double range = k > 0 ? fabs(c.turn[k] - c.turn[k - 1]) : -1.0;
        if (range > out->range) {
            out->range = range;
            out->mean = 0.5 * (c.turn[k] + c.turn[k - 1]);
        }
    }
    bool is_good = true;
    if (manner == CYCLES_REPEATED) {
        is_good = repeat(&c, e);
    } else {
        for (int k = 1; k < c.depth; k++) {
            count_range(&c, c.turn[k - 1], c.turn[k], peak_at(&c, k - 1), 0.5, e);
        }
    }
    out->damage = c.damage;
    out->count = c.count;
    return is_good;
}
