// SPDX-License-Identifier: MIT
// A steady turn by Newton's method (turn.4), asked for step by step from the straight motion at the start (turn.5).
#include "analysis/turn/turn_frame.h"
#include "sparse/dense.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { OF_PLACE, OF_SPIN, OF_SLIP, OF_INPUT, OF_LAW } unknown_kind;

typedef struct {
    turn_search t;
    const bi_turn_def *def;
    struct {
        unknown_kind kind;
        int k;
    } * unknown;     // (count)
    int count, rows; // second rates of the freedoms, rates of states, velocities that are bound
    double *J, *length, *right, *low; // (rows * count), (count), (the larger of both), (rows)
    double *row_size, *left;          // (rows)
    double *kept;                     // q0, v0, z0, spin, inputs, chart, slip
    size_t n_kept;
    double *expected; // q of the next turn, as the way leads there (n)
    int iterations;
} search;

// ---- unknowns ---------------------------------------------------------------------------------------------------------

static double *number(search *s, int k)
{
    reduction *r = &s->t.r;
    int i = s->unknown[k].k;
    switch (s->unknown[k].kind) {
    case OF_PLACE: return &r->q0[i];
    case OF_SPIN: return &s->t.spin[i];
    case OF_SLIP: return &s->t.slip;
    case OF_INPUT: return &s->t.sim->input[i];
    case OF_LAW: break;
    }
    return &r->z0[r->state[i]];
}

static void add(search *s, unknown_kind kind, int k)
{
    s->unknown[s->count].kind = kind;
    s->unknown[s->count++].k = k;
}

static bool list_unknowns(search *s)
{
    reduction *r = &s->t.r;
    bool *is_ignored = calloc((size_t)r->n + 1, sizeof *is_ignored);
    if (!is_ignored) {
        return false;
    }
    s->count = 0;
    turn_ignorable(&s->t, is_ignored);
    for (int k = 0; k < r->n_named + r->n_held; k++) {
        int j = k < r->n_named ? r->named[k] : r->held[k - r->n_named];
        if (!is_ignored[j] && !s->t.spins[j]) {
            add(s, OF_PLACE, j);
        }
    }
    for (int f = 0; f < r->n_freedom; f++) {
        if (s->t.spins[r->freedom[f]]) {
            add(s, OF_SPIN, r->freedom[f]);
        }
    }
    add(s, OF_SLIP, 0);
    for (int k = 0; k < s->def->n_input; k++) {
        add(s, OF_INPUT, s->def->input[k].i - 1);
    }
    for (int k = 0; k < r->n_z; k++) {
        add(s, OF_LAW, k);
    }
    free(is_ignored);
    return true;
}

// ---- Newton ------------------------------------------------------------------------------------------------------------

static void take(const search *s, double *out)
{
    const reduction *r = &s->t.r;
    for (int f = 0; f < r->n_freedom; f++) {
        out[f] = r->y[f] - s->t.turned[r->freedom[f]];
    }
    for (int k = 0; k < r->n_z; k++) {
        out[r->n_freedom + k] = r->at.dz[r->state[k]];
    }
    // wheels that roll without slipping bind velocities: those of the turn must be among the possible ones
    for (int k = 0; k < r->n_slave; k++) {
        int j = r->slave[k];
        out[r->n_freedom + r->n_z + k] = s->t.spins[j] ? 0.0 : r->at.v[j] - s->t.wanted[j];
    }
}

// A change that laws feel and that rounding does not drown.
static double small(search *s, int k)
{
    double size = fabs(*number(s, k));
    switch (s->unknown[k].kind) {
    case OF_PLACE:
    case OF_SLIP: return 1e-6;
    case OF_SPIN: return 1e-6 * fmax(1.0, size);
    case OF_INPUT: return 1e-5 * fmax(1.0, size);
    case OF_LAW: break;
    }
    return 1e-6 * fmax(1e-3, size);
}

// Central differences; the state is as before. False: not possible nearby.
static bool differentiate(search *s)
{
    for (int k = 0; k < s->count; k++) {
        double *x = number(s, k), was = *x, h = small(s, k);
        *x = was + h;
        bool ok = turn_evaluate(&s->t);
        take(s, s->left);
        *x = was - h;
        ok = ok && turn_evaluate(&s->t);
        take(s, s->low);
        *x = was;
        for (int i = 0; i < s->rows; i++) {
            s->J[i * s->count + k] = (s->left[i] - s->low[i]) / (2.0 * h);
        }
        if (!ok || !are_finite(s->left, s->rows) || !are_finite(s->low, s->rows)) {
            return false;
        }
    }
    return true;
}

// Rows and columns are of very different units: each is brought to one. A column of rounding is none.
static void scale(search *s)
{
    double rounding = 1e-9 * largest(s->J, s->rows * s->count);
    for (int i = 0; i < s->rows; i++) {
        double most = largest(&s->J[i * s->count], s->count);
        s->row_size[i] = most > DBL_EPSILON * rounding ? most : 1.0;
        for (int k = 0; k < s->count; k++) {
            s->J[i * s->count + k] /= s->row_size[i];
        }
        s->right[i] = -s->left[i] / s->row_size[i];
    }
    for (int k = 0; k < s->count; k++) {
        double sum = 0.0;
        for (int i = 0; i < s->rows; i++) {
            sum += s->J[i * s->count + k] * s->J[i * s->count + k];
        }
        bool is_none = sqrt(sum) < 1e-9 && s->unknown[k].kind == OF_PLACE;
        s->length[k] = is_none || sum == 0.0 ? 1.0 : sqrt(sum);
        for (int i = 0; i < s->rows; i++) {
            s->J[i * s->count + k] = is_none ? 0.0 : s->J[i * s->count + k] / s->length[k];
        }
    }
}

static double merit(const search *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->rows; i++) {
        sum += s->left[i] / s->row_size[i] * (s->left[i] / s->row_size[i]);
    }
    return sum;
}

// 1e-9 of the fastest rate a second, as for straight motions (linearisation.4) and closer; states by their own size.
static bool is_steady(const search *s)
{
    const reduction *r = &s->t.r;
    double rates = 1e-9 * fmax(1.0, s->t.speed), of_states = 1e-9 * fmax(1.0, largest(r->z0, r->n_all_z));
    return largest(s->left, r->n_freedom) <= rates && largest(s->left + r->n_freedom, r->n_z) <= of_states &&
           largest(s->left + r->n_freedom + r->n_z, r->n_slave) <= rates;
}

static bool measure(search *s)
{
    bool ok = turn_evaluate(&s->t);
    take(s, s->left);
    return ok && are_finite(s->left, s->rows);
}

// The longest step that is still this motion.
static double stride(search *s)
{
    double share = 1.0;
    for (int k = 0; k < s->count; k++) {
        double size = fabs(*number(s, k)), most = INFINITY;
        switch (s->unknown[k].kind) {
        case OF_PLACE:
        case OF_SLIP: most = 0.1; break;
        case OF_SPIN: most = 0.2 * fmax(1.0, size); break;
        case OF_INPUT:
        case OF_LAW: break;
        }
        share = fmin(share, most / fmax(fabs(s->right[k]), DBL_MIN));
    }
    return share;
}

// One pass: the step, shorter until it helps. False: there is no way.
static bool pass(search *s)
{
    turn_keep(&s->t);
    if (!list_unknowns(s) || !differentiate(s) || !measure(s)) {
        return false;
    }
    scale(s);
    double before = merit(s);
    if (dense_least_squares(s->rows, s->count, s->J, s->right, 1e-11) < 0) {
        return false;
    }
    for (int k = 0; k < s->count; k++) {
        s->right[k] /= s->length[k];
        if (!isfinite(s->right[k])) {
            return false;
        }
    }
    double share = stride(s), done = 0.0;
    for (int halving = 0; halving < 12; halving++, share *= 0.5) {
        for (int k = 0; k < s->count; k++) {
            *number(s, k) += (share - done) * s->right[k];
        }
        done = share;
        if (measure(s) && (is_steady(s) || merit(s) < before)) {
            return true;
        }
    }
    return false;
}

static bool settle(search *s)
{
    enum { PASSES = 40 };
    bool ok = measure(s);
    // once more than needed: the last digits
    bool is_last = false;
    for (int k = 0; k < PASSES && ok; k++) {
        is_last = is_steady(s);
        if (is_last) {
            break;
        }
        ok = pass(s);
        s->iterations++;
    }
    return ok && is_last;
}

// ---- on the way --------------------------------------------------------------------------------------------------------------

static void copy_state(search *s, bool out)
{
    turn_search *t = &s->t;
    reduction *r = &t->r;
    double *next = s->kept;
    const struct {
        double *x;
        int count;
    } part[] = { { r->q0, r->n },
                 { r->v0, r->n },
                 { r->z0, r->n_all_z },
                 { t->spin, r->n },
                 { t->chart, r->st->n_chart },
                 { t->sim->input, r->s->d->n_input },
                 { &t->slip, 1 },
                 { &t->speed, 1 },
                 { &t->rate, 1 } };
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        size_t size = (size_t)part[k].count * sizeof *next;
        memcpy(out ? next : part[k].x, out ? part[k].x : next, size);
        next += part[k].count;
    }
}

static void ask(search *s, double speed, double lateral)
{
    turn_search *t = &s->t;
    for (int j = 0; j < t->r.n; j++) {
        t->spin[j] *= speed / t->speed;
    }
    t->speed = speed;
    t->rate = lateral / speed;
}

// The way from the turn where it begins to that asked for; 0 to 1.
typedef struct {
    double from, to;   // speeds, m/s
    double base, goal; // lateral accelerations, m/s2
} way;

static void ask_on(search *s, const way *w, double part)
{
    ask(s, w->from + part * (w->to - w->from), w->base + part * (w->goal - w->base));
}

// How the unknowns change along the way, at the steady turn where it stands: laws that saturate are left if one jumps. The next
// turn is looked for from there. False: the state is as it was.
static bool predict(search *s, const way *w, double reached, double step)
{
    static const double part = 1e-4;
    if (!list_unknowns(s) || !differentiate(s)) {
        return false;
    }
    ask_on(s, w, reached + part * step);
    bool ok = measure(s);
    memcpy(s->low, s->left, (size_t)s->rows * sizeof *s->low);
    copy_state(s, false);
    ok = ok && measure(s);
    for (int i = 0; i < s->rows; i++) {
        s->left[i] = (s->low[i] - s->left[i]) / part;
    }
    scale(s);
    ok = ok && dense_least_squares(s->rows, s->count, s->J, s->right, 1e-11) >= 0;
    copy_state(s, false);
    ask_on(s, w, reached + step);
    for (int k = 0; k < s->count && ok; k++) {
        double more = s->right[k] / s->length[k];
        *number(s, k) += isfinite(more) ? more : 0.0;
    }
    return ok;
}

// What was found is another branch of turns, such as on two wheels, when it is far from where the way led.
static bool is_near(const search *s, const double *expected)
{
    const reduction *r = &s->t.r;
    double most = 0.0;
    for (int k = 0; k < r->n_named + r->n_held; k++) {
        int j = k < r->n_named ? r->named[k] : r->held[k - r->n_named];
        most = s->t.spins[j] ? most : fmax(most, fabs(r->at.q[j] - expected[j]));
    }
    return most < 0.05;
}

static bool go_on(search *s, const way *w, double reached, double next)
{
    if (reached < 0.0) {
        ask_on(s, w, next);
        return settle(s);
    }
    if (!predict(s, w, reached, next - reached) || !measure(s)) {
        copy_state(s, false);
        ask_on(s, w, next);
        return settle(s);
    }
    memcpy(s->expected, s->t.r.at.q, (size_t)s->t.r.n * sizeof *s->expected);
    return settle(s) && is_near(s, s->expected);
}

// In steps that are halved where there is no way. Gives how far it came: 1 there; below zero: not even the first one is steady.
static double approach_from(search *s, const way *w)
{
    double reached = -1.0, change = fabs(w->goal - w->base) / 0.5;
    double step = 1.0 / ceil(fmax(1.0, fmax(change, fabs(w->to / w->from - 1.0) / 0.2)));
    copy_state(s, true);
    for (double next = 0.0; reached < 1.0;) {
        if (go_on(s, w, reached, next)) {
            turn_keep(&s->t);
            copy_state(s, true);
            reached = next;
        } else {
            copy_state(s, false);
            step *= 0.5;
            if (reached < 0.0 || step < 2e-3) {
                return reached;
            }
        }
        next = fmin(1.0, reached + step);
        next = next > 1.0 - 1e-9 ? 1.0 : next;
    }
    return reached;
}

// From the turn where it stands, else from straight on.
static double approach(search *s, double speed, double lateral)
{
    double base = s->t.rate * s->t.speed, reached = -1.0;
    if (fabs(base) > 1e-3) {
        reached = approach_from(s, &(way){ s->t.speed, speed, base, lateral });
    }
    return reached >= 0.0 ? reached : approach_from(s, &(way){ s->t.speed, speed, 0.0, lateral });
}

static bool search_open(search *s)
{
    const reduction *r = &s->t.r;
    size_t n = (size_t)r->n, z = (size_t)r->n_all_z;
    int most = r->n + r->n_freedom + 1 + s->def->n_input + r->n_z;
    s->rows = r->n_freedom + r->n_z + r->n_slave;
    size_t rows = (size_t)s->rows, columns = (size_t)most, side = rows > columns ? rows : columns;
    s->n_kept = 3 * n + z + (size_t)r->st->n_chart + (size_t)r->s->d->n_input + 3;
    s->unknown = calloc(columns, sizeof *s->unknown);
    s->J = calloc(rows * columns + columns + side + 3 * rows + s->n_kept + n + 1, sizeof *s->J);
    if (!s->J || !s->unknown) {
        return false;
    }
    s->length = s->J + rows * columns;
    s->right = s->length + columns;
    s->low = s->right + side;
    s->row_size = s->low + rows;
    s->left = s->row_size + rows;
    s->kept = s->left + rows;
    s->expected = s->kept + s->n_kept;
    return true;
}

// ---- the door ----------------------------------------------------------------------------------------------------------------

// What accelerates most in the motion as it was last tried.
static void name_worst(search *s, char *name, size_t size, double *value)
{
    const reduction *r = &s->t.r;
    int worst = 0, law = -1;
    for (int f = 0; f < r->n_freedom; f++) {
        worst = fabs(s->left[f]) > fabs(s->left[worst]) ? f : worst;
    }
    *value = r->n_freedom > 0 ? s->left[worst] : 0.0;
    double quiet = 1e-6 * fmax(1.0, s->t.speed);
    for (int k = 0; k < r->n_z && fabs(*value) <= quiet; k++) {
        if (law < 0 || fabs(s->left[r->n_freedom + k]) > fabs(s->left[r->n_freedom + law])) {
            law = k;
        }
    }
    if (law >= 0) {
        *value = s->left[r->n_freedom + law];
        char state[160];
        reduction_state_name(r, r->state[law], state, sizeof state);
        snprintf(name, size, "%s changes", state);
    } else if (r->n_freedom > 0) {
        char variable[128];
        reduction_name(r, r->freedom[worst], variable, sizeof variable);
        snprintf(name, size, "%s accelerates", variable);
    }
}

static void tell_none(search *s, double reached, const bi_turn *last, bi_report *report)
{
    char name[200] = "nothing moves";
    double value = 0.0;
    name_worst(s, name, sizeof name, &value);
    if (reached < 0.0) {
        bi_report_add(
            report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "turn",
            "no steady motion was found, not even straight on at %.6g m/s: %s by %.3g (SI, a second). "
            "Which input holds the speed, and which one steers? Does anything depend on the place or on "
            "time?",
            s->t.speed, name, value);
    } else {
        bi_report_add(
            report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "turn",
            "there is no steady turn at %.6g m/s and %.6g m/s2: the last one found is at %.6g m/s and "
            "%.6g m/s2; a little beyond it %s by %.3g (SI, a second)",
            s->def->speed, s->def->lateral, last->speed, last->lateral, name, value);
    }
}

bool turn_is_right(const bi_sim *sim, const bi_turn_def *def)
{
    bool is = def && def->speed > 0.0 && isfinite(def->speed) && isfinite(def->lateral) &&
              def->n_input >= 0 && (def->input || def->n_input == 0);
    for (int k = 0; is && k < def->n_input; k++) {
        is = def->input[k].i >= 1 && def->input[k].i <= sim->system->dynamics.n_input;
    }
    return is;
}

static bi_turn tell(const search *s)
{
    const turn_search *t = &s->t;
    return (bi_turn){ .speed = t->speed,
                      .lateral = t->rate * t->speed,
                      .yaw_rate = t->rate,
                      .radius = t->rate != 0.0 ? fabs(t->speed / t->rate) : INFINITY,
                      .sideslip = turn_sideslip(t),
                      .residual = largest(s->left, t->r.n_freedom),
                      .iterations = s->iterations };
}

// The state found becomes that of the sim, which begins there.
static bi_status stand_there(search *s)
{
    bi_sim *sim = s->t.sim;
    coords_copy(s->t.r.s->d, &s->t.r.at, &sim->stepper.now);
    sim->stepper.now.t = sim->t;
    sim->have = 0;
    return sim_nudge(sim, -1, 0.0);
}

static bi_status find(search *s, bi_turn *out, bi_report *report)
{
    double reached = approach(s, s->def->speed, s->def->lateral);
    if (reached < 1.0) {
        // once more where it stopped, for what is told
        if (reached >= 0.0) {
            (void)measure(s);
            *out = tell(s);
            double more = fmin(1.0, reached + 0.01);
            ask(s, s->t.speed, s->def->lateral * more);
            (void)settle(s);
        }
        tell_none(s, reached, out, report);
        return BI_NOT_STEADY;
    }
    if (!measure(s)) {
        return BI_NOT_STEADY;
    }
    int strayed = reduction_strayed(&s->t.r);
    if (strayed >= 0) {
        char name[200];
        reduction_state_name(&s->t.r, strayed, name, sizeof name);
        bi_report_add(report, BI_ERROR, BI_NOT_STEADY, (bi_place){ 0 }, "turn",
                      "no steady motion was found: %s finds no rest near %.4g, where it is (only at %.3g). "
                      "Does it empty or "
                      "fill, as a battery does? Hold it constant",
                      name, s->t.r.z_first[strayed], s->t.r.z0[strayed]);
        return BI_NOT_STEADY;
    }
    *out = tell(s);
    return stand_there(s);
}

bi_status bi_steady_turn(bi_sim *sim, const bi_turn_def *def, bi_turn *out, bi_report *report)
{
    bi_report own = { 0 };
    bi_turn unread;
    report = report ? report : &own;
    out = out ? out : &unread;
    *out = (bi_turn){ .radius = INFINITY };
    bi_status status = sim_refuse(sim);
    if (status == BI_OK && !turn_is_right(sim, def)) {
        status = BI_BAD_ARGUMENT;
    }
    if (status != BI_OK) {
        return status;
    }
    size_t n_input = (size_t)sim->system->dynamics.n_input, size = bi_sim_save(sim, NULL, 0);
    double *inputs = malloc((n_input + 1) * sizeof *inputs);
    void *before = malloc(size + 1);
    search s = { .def = def };
    if (inputs && before) {
        memcpy(inputs, sim->input, n_input * sizeof *inputs);
        bi_sim_save(sim, before, size);
        status = turn_create(&s.t, sim, def, report);
        status = status == BI_OK && !search_open(&s) ? BI_NO_MEMORY : status;
        status = status == BI_OK ? find(&s, out, report) : status;
        if (status != BI_OK) {
            memcpy(sim->input, inputs, n_input * sizeof *inputs);
            sim->have = 0;
            (void)bi_sim_load(sim, before, size);
        }
    } else {
        status = BI_NO_MEMORY;
    }
    turn_clear(&s.t);
    free(s.J);
    free(s.unknown);
    free(inputs);
    free(before);
    bi_report_clear(&own);
    return status;
}
