// SPDX-License-Identifier: MIT
// Equilibria of a load that changes, followed by the length of their path (analysis.12, analysis.13): through limits, where the
// load falls or the mechanism goes back, and onto the branches that begin on the way.
#include "analysis/rest/balance.h"
#include "dynamics/rooms.h"
#include "sparse/dense.h"
#include "sparse/dense_general_eigen.h"
#include <biela/load_path.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// of the measure of the path: what a last correction may be, and what rounding may leave of it
static const double settled = 1e-8, rounded = 1e-6;
// first and shortest steps, of the longest; cosine between two directions that follow each other
static const double first_step = 0.1, shortest = 1e-6, straight = 0.85;
// where a limit or a branch is found: of the step that crosses it
static const double located = 1e-7;
// of the largest entry: what of the tangent may differ across its diagonal by differences alone
static const double symmetric = 1e-5;

typedef struct {
    balance b;
    const bi_load_path_def *def;
    bi_path_visit *visit;
    void *context;
    void *memory;
    coords base, end, mark;  // where a step begins and leads to; what lies between
    double *t, *t_end;       // directions there                                     (n), (n)
    double *f, *x, *row, *A; // load by the input; what is solved                    (n + 1) ... ((n + 1)^2)
    double load, t_load;     // at the base
    double load_now, t_now;  // where it is tried
    double range, wq, wl;    // of the load; weights of the measure
    double along;
    int negative, number, branches;
    bool is_enough, is_there; // the visitor has seen enough; the load asked for is reached
    bool is_held;             // the load stays at the one asked for, in place of the length of a step
} path;

static bool path_open(path *p, bi_sim *sim)
{
    if (!balance_open(&p->b, sim)) {
        return false;
    }
    p->b.is_fine = true;
    const dynamics *d = &sim->system->dynamics;
    size_t n = (size_t)p->b.n + 1;
    arena memory = { 0 };
    for (int pass = 0; pass < 2; pass++) {
        p->base = coords_cut(d, &memory);
        p->end = coords_cut(d, &memory);
        p->mark = coords_cut(d, &memory);
        p->t = ARENA_NEW(&memory, double, 5 * n + n * n);
        if (pass == 0) {
            p->memory = malloc(memory.used);
            memory = (arena){ p->memory, 0, memory.used, false };
        }
        if (!p->memory) {
            return false;
        }
    }
    p->t_end = p->t + n;
    p->f = p->t + 2 * n;
    p->x = p->t + 3 * n;
    p->row = p->t + 4 * n;
    p->A = p->t + 5 * n;
    memset(p->t, 0, (5 * n + n * n) * sizeof *p->t);
    return sim_rooms_join(sim, &p->base) && sim_rooms_join(sim, &p->end) && sim_rooms_join(sim, &p->mark);
}

static void path_close(path *p)
{
    if (p->b.sim) {
        sim_rooms_leave(p->b.sim);
    }
    balance_close(&p->b);
    free(p->memory);
}

static void set_load(path *p, double load)
{
    p->load_now = load;
    bi_sim_input(p->b.sim, p->def->input, load);
}

// ---- a point -------------------------------------------------------------------------------------------------

// f = dF/dload along the free directions, reactions held.
static void find_load(path *p)
{
    balance *b = &p->b;
    double by = 1e-4 * p->range, load = p->load_now;
    set_load(p, load + by);
    balance_force_along(b, p->f);
    set_load(p, load - by);
    balance_force_along(b, b->g);
    for (int c = 0; c < b->k; c++) {
        p->f[c] = (p->f[c] - b->g[c]) / (2.0 * by);
    }
    set_load(p, load);
}

static void along_free(const balance *b, const double *in_q, double weight, double *out)
{
    size_t k = (size_t)b->k;
    memset(out, 0, k * sizeof *out);
    for (size_t i = 0; i < (size_t)b->n; i++) {
        for (size_t c = 0; c < k; c++) {
            out[c] += weight * b->free.Z[i * k + c] * in_q[i];
        }
    }
}

static void from_free(const balance *b, const double *y, double *in_q)
{
    size_t k = (size_t)b->k;
    for (size_t i = 0; i < (size_t)b->n; i++) {
        in_q[i] = 0.0;
        for (size_t c = 0; c < k; c++) {
            in_q[i] += b->free.Z[i * k + c] * y[c];
        }
    }
}

// (analysis.12): stiffness and load, closed by one row across the direction (q, load).
static bool solve_bordered(path *p, double along_load)
{
    balance *b = &p->b;
    size_t k = (size_t)b->k, side = k + 1;
    for (size_t r = 0; r < k; r++) {
        memcpy(&p->A[r * side], &b->H[r * k], k * sizeof *p->A);
        p->A[r * side + k] = -p->f[r];
    }
    memcpy(&p->A[k * side], p->row, k * sizeof *p->A);
    p->A[k * side + k] = p->wl * along_load;
    return dense_solve((int)side, p->A, p->x) && are_finite(p->x, (int)side);
}

static double measure_of(const path *p, const double *in_q, double load)
{
    double sum = p->wl * load * load;
    for (int i = 0; i < p->b.n; i++) {
        sum += p->wq * in_q[i] * in_q[i];
    }
    return sqrt(sum);
}

// From the base by `step` along a direction, then onto the path across it. Passes it took; -1: none.
static int advance(path *p, const double *t, double t_load, double step)
{
    enum { PASSES = 14 };
    balance *b = &p->b;
    double last = INFINITY;
    coords_copy(b->s->d, &p->base, &b->s->now);
    memcpy(b->before, p->base.q, (size_t)b->n * sizeof *b->before);
    for (int i = 0; i < b->n; i++) {
        b->move[i] = step * t[i];
    }
    set_load(p, p->load + step * t_load);
    for (int pass = 0; pass < PASSES; pass++) {
        if (!balance_move(b) || !balance_measure(b) || balance_tangent(b) != BI_OK) {
            return -1;
        }
        find_load(p);
        along_free(b, b->left, 1.0, p->x);
        along_free(b, t, p->wq, p->row);
        // what constraints took from the prediction is given back
        double gone = p->wl * t_load * (p->load_now - p->load);
        for (int i = 0; i < b->n; i++) {
            gone += p->wq * t[i] * (b->s->now.q[i] - p->base.q[i]);
        }
        p->x[b->k] = p->is_held ? p->wl * p->range * (p->def->to - p->load_now) : step - gone;
        memset(p->row, 0, p->is_held ? (size_t)b->k * sizeof *p->row : 0);
        if (!solve_bordered(p, p->is_held ? p->range : t_load)) {
            return -1;
        }
        from_free(b, p->x, b->move);
        double by = measure_of(p, b->move, p->x[b->k]);
        set_load(p, p->load_now + p->x[b->k]);
        if (by <= settled || (by <= rounded && by >= 0.5 * last)) {
            return balance_move(b) ? pass + 1 : -1;
        }
        if (!(by <= 4.0 * fmax(fabs(step), settled)) || (pass > 2 && by > last)) {
            return -1;
        }
        last = by;
    }
    return -1;
}

// Directions along which the equilibrium at now is left, with the tangent there: negative pivots of its symmetric
// part; with loads that follow, eigenvalues of the whole.
static int count_negative(path *p)
{
    balance *b = &p->b;
    size_t k = (size_t)b->k;
    double most = 0.0, skew = 0.0;
    int negative = 0;
    for (size_t r = 0; r < k; r++) {
        for (size_t c = 0; c < k; c++) {
            most = fmax(most, fabs(b->H[r * k + c]));
            skew = fmax(skew, fabs(b->H[r * k + c] - b->H[c * k + r]));
            b->A[r * k + c] = 0.5 * (b->H[r * k + c] + b->H[c * k + r]);
        }
    }
    double *re = skew > symmetric * most ? malloc(2 * k * sizeof *re) : NULL;
    if (re && dense_eigenvalues(b->k, b->H, re, re + k)) {
        for (size_t c = 0; c < k; c++) {
            negative += re[c] < 0.0;
        }
        free(re);
        return negative;
    }
    free(re);
    for (size_t j = 0; j < k; j++) {
        double pivot = b->A[j * k + j];
        negative += pivot < 0.0;
        for (size_t r = j + 1; r < k; r++) {
            double by = b->A[r * k + j] / pivot;
            for (size_t c = j + 1; c < k && by != 0.0; c++) {
                b->A[r * k + c] -= by * b->A[j * k + c];
            }
        }
    }
    return negative;
}

// The direction of the path at now, on the side of t, in t_end and t_now; and how many directions are left there.
static bool look_ahead(path *p, const double *t, double t_load, int *negative)
{
    balance *b = &p->b;
    if (!balance_measure(b) || balance_tangent(b) != BI_OK) {
        return false;
    }
    find_load(p);
    memset(p->x, 0, (size_t)b->k * sizeof *p->x);
    p->x[b->k] = 1.0;
    along_free(b, t, p->wq, p->row);
    if (!solve_bordered(p, t_load)) {
        return false;
    }
    from_free(b, p->x, p->t_end);
    double size = measure_of(p, p->t_end, p->x[b->k]);
    for (int i = 0; i < b->n; i++) {
        p->t_end[i] /= size;
    }
    p->t_now = p->x[b->k] / size;
    *negative = count_negative(p);
    return size > 0.0;
}

// ---- what lies between --------------------------------------------------------------------------------------

// The sim stands at now, and is shown. The state is afterwards as it was.
static bi_status show(path *p, bi_path_mark mark, double along, int unstable)
{
    balance *b = &p->b;
    bi_path_point point = { mark, p->number++, p->load_now, along, unstable };
    coords_copy(b->s->d, &b->s->now, &p->mark);
    bi_status status = balance_settle(b, NULL);
    if (status == BI_OK && p->visit && !p->visit(p->context, b->sim, &point)) {
        p->is_enough = true;
    }
    coords_copy(b->s->d, &p->mark, &b->s->now);
    return status;
}

// What changes its sign at a limit, at a branch: how the load goes on; the eigenvalue that crosses zero.
static double crossing(path *p, bi_path_mark kind, int which)
{
    balance *b = &p->b;
    if (kind == BI_PATH_LIMIT) {
        return p->t_now;
    }
    return balance_stiffness(b) == BI_OK && which < b->k ? b->e[which] : NAN;
}

// The place between the base and `step` ahead of it where that is zero: now. Its length from the base; negative: not found.
static double locate(path *p, bi_path_mark kind, double step, int which)
{
    enum { PASSES = 25 };
    double low = 0.0, high = step, f_low = NAN, f_high = NAN, at = step;
    int negative, last = 0;
    // both ends, then false position with the end that stays halved (Illinois)
    for (int pass = 0; pass < PASSES; pass++) {
        at = pass == 0 ? 0.0 : pass == 1 ? step : (low * f_high - high * f_low) / (f_high - f_low);
        if (advance(p, p->t, p->t_load, at) < 0 || !look_ahead(p, p->t, p->t_load, &negative)) {
            return -1.0;
        }
        double f = crossing(p, kind, which);
        if (pass == 0) {
            f_low = f;
            continue;
        }
        if (pass == 1) {
            f_high = f;
            if (!(f_low * f_high < 0.0)) {
                return -1.0;
            }
            continue;
        }
        if (f * f_high < 0.0) {
            low = high;
            f_low = f_high;
            last = 0;
        } else if (last++ > 0) {
            f_low *= 0.5;
        }
        bool is_there = fabs(at - high) <= located * step || f == 0.0;
        high = at;
        f_high = f;
        if (is_there) {
            break;
        }
    }
    return at;
}

static void tell(path *p, bi_report *report, const char *what)
{
    char text[400];
    snprintf(text, sizeof text, "%s at %s = %.8g", what, bi_input_name(p->b.sim->system, p->def->input.i - 1),
             p->load_now);
    bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "equilibrium", "%s", text);
}

// From the branch point at now: the base becomes it, the direction that of the eigenvector without stiffness.
static bool take_branch(path *p, int which)
{
    balance *b = &p->b;
    size_t k = (size_t)b->k;
    double along = 0.0;
    for (size_t c = 0; c < k; c++) {
        p->x[c] = b->V[c * k + (size_t)which];
    }
    from_free(b, p->x, p->row);
    for (int i = 0; i < b->n; i++) {
        along += p->wq * p->row[i] * p->t_end[i];
    }
    double part = along, size, most = 0.0;
    for (int i = 0; i < b->n; i++) {
        p->row[i] -= part * p->t_end[i];
    }
    size = measure_of(p, p->row, part * p->t_now);
    // the first of its largest numbers positive, or with a minus the other way
    for (int i = 0; i < b->n; i++) {
        most = fabs(p->row[i]) > fabs(most) * (1.0 + 1e-6) ? p->row[i] : most;
    }
    double side = (most < 0.0) == (p->def->branch < 0) ? 1.0 : -1.0;
    for (int i = 0; i < b->n; i++) {
        p->t[i] = side * p->row[i] / size;
    }
    p->t_load = -side * part * p->t_now / size;
    p->load = p->load_now;
    coords_copy(b->s->d, &b->s->now, &p->base);
    return size > 0.0;
}

// ---- along it -----------------------------------------------------------------------------------------------------

// The point at `end` becomes the base, its rotations told from themselves.
static void take(path *p, int negative, double step)
{
    stepper *s = p->b.s;
    if (s->d->set->recentre) {
        s->d->set->recentre(s->d->coordinates, &s->now);
    }
    coords_copy(s->d, &s->now, &p->base);
    memcpy(p->t, p->t_end, (size_t)p->b.n * sizeof *p->t);
    p->load = p->load_now;
    p->t_load = p->t_now;
    p->negative = negative;
    p->along += step;
}

typedef enum { WENT_ON, WENT_OFF, TOO_FAR, FAILED } outcome;

// What a step has crossed: told and shown. WENT_OFF: onto a branch, which begins at the new base.
static outcome look_back(path *p, double step, int negative, double t_load, bi_report *report)
{
    int change = abs(negative - p->negative), which = negative < p->negative ? negative : p->negative;
    bool has_limit = t_load * p->t_load<0.0, has_branch = change>(has_limit ? 1 : 0);
    if (has_limit && has_branch && step > 1e-3 * fmax(p->def->step, 1e-3)) {
        return TOO_FAR;
    }
    coords_copy(p->b.s->d, &p->b.s->now, &p->end);
    double load = p->load_now;
    outcome out = WENT_ON;
    for (int k = 0; k < 2 && out == WENT_ON; k++) {
        bi_path_mark kind = k == 0 ? BI_PATH_LIMIT : BI_PATH_BRANCH;
        double at = (k == 0 ? has_limit : has_branch) ? locate(p, kind, step, which) : -1.0;
        if (at < 0.0) {
            continue;
        }
        tell(p, report, k == 0 ? "the load has a limit" : "another branch begins");
        if (show(p, kind, p->along + at, which) != BI_OK) {
            return FAILED;
        }
        p->branches += k;
        if (k == 1 && p->branches == abs(p->def->branch)) {
            p->along += at;
            out = take_branch(p, which) ? WENT_OFF : FAILED;
        }
    }
    if (out == WENT_ON && (has_limit || has_branch)) {
        coords_copy(p->b.s->d, &p->end, &p->b.s->now);
        set_load(p, load);
        int again;
        out = look_ahead(p, p->t, p->t_load, &again) ? WENT_ON : FAILED;
    }
    return out;
}

// The load asked for lies in the step that led here.
static bool finish(path *p, double step)
{
    double part = step * (p->def->to - p->load) / (p->load_now - p->load);
    p->is_held = true;
    bool is_good = advance(p, p->t, p->t_load, part) >= 0;
    p->is_held = false;
    return is_good;
}

static double cosine(const path *p)
{
    double sum = p->wl * p->t_load * p->t_now;
    for (int i = 0; i < p->b.n; i++) {
        sum += p->wq * p->t[i] * p->t_end[i];
    }
    return sum;
}

static bi_status follow(path *p, bi_report *report)
{
    const double longest = p->def->step > 0.0 ? p->def->step : 0.05;
    int most = p->def->points > 0 ? p->def->points : 500, negative;
    double step = first_step * longest;
    bool is_off = false; // the last point is where a branch begins
    while (p->number < most && !p->is_enough) {
        if (step < shortest * longest) {
            return BI_NOT_CONVERGED;
        }
        int passes = advance(p, p->t, p->t_load, step);
        bool is_good =
            passes >= 0 && look_ahead(p, p->t, p->t_load, &negative) && (is_off || cosine(p) >= straight);
        outcome out = !is_good ? TOO_FAR : is_off ? WENT_ON : look_back(p, step, negative, p->t_now, report);
        if (out == FAILED) {
            return BI_NOT_CONVERGED;
        }
        if (out == TOO_FAR) {
            step *= 0.5;
            continue;
        }
        is_off = out == WENT_OFF;
        if (is_off) {
            step = fmin(step, first_step * longest);
            continue;
        }
        if ((p->load_now - p->def->to) * (p->load - p->def->to) <= 0.0) {
            if (!finish(p, step) || !look_ahead(p, p->t, p->t_load, &negative)) {
                return BI_NOT_CONVERGED;
            }
            take(p, negative, step);
            p->is_there = true;
            return show(p, BI_PATH_END, p->along, negative);
        }
        take(p, negative, step);
        bi_status status = show(p, BI_PATH_POINT, p->along, negative);
        if (status != BI_OK) {
            return status;
        }
        step = fmin(longest, passes <= 4 ? 1.5 * step : passes > 7 ? 0.6 * step : step);
    }
    return BI_OK;
}

// The first point and the direction in which the load grows towards its end.
static bi_status begin(path *p, bi_report *report)
{
    balance *b = &p->b;
    int movable = b->sim->system->model->n_body - 1;
    p->load = p->load_now = b->sim->input[p->def->input.i - 1];
    p->range = fabs(p->def->to - p->load);
    p->wl = 1.0 / (p->range * p->range);
    p->wq = 1.0 / (b->size * b->size * fmax(movable, 1));
    memset(b->s->now.v, 0, (size_t)b->n * sizeof *b->s->now.v);
    if (b->s->d->set->recentre) {
        b->s->d->set->recentre(b->s->d->coordinates, &b->s->now);
    }
    coords_copy(b->s->d, &b->s->now, &p->base);
    p->t_load = p->def->to > p->load ? p->range : -p->range;
    if (advance(p, p->t, p->t_load, 0.0) < 0 || balance_stiffness(b) != BI_OK) {
        return BI_NOT_CONVERGED;
    }
    double soft = balance_soft_limit(b);
    for (int c = 0; c < b->k; c++) {
        if (fabs(b->e[c]) <= soft) {
            bi_report_add(
                report, BI_ERROR, BI_NOT_CONVERGED, (bi_place){ 0 }, "equilibrium",
                "a path of equilibria needs stiffness in every direction, and %s has one without: hold "
                "what may turn or slide freely",
                bi_model_name(b->sim->system->model));
            return BI_NOT_CONVERGED;
        }
    }
    int negative;
    if (!look_ahead(p, p->t, p->t_load, &negative)) {
        return BI_NOT_CONVERGED;
    }
    take(p, negative, 0.0);
    return show(p, BI_PATH_POINT, 0.0, negative);
}

// What was asked for and has not come.
static void tell_missing(const path *p, bi_report *report)
{
    if (!p->is_there) {
        bi_report_add(
            report, BI_WARNING, BI_OK, (bi_place){ 0 }, "equilibrium",
            "the path ends at %s = %.8g after %d points, before %.8g: allow more points, or longer steps",
            bi_input_name(p->b.sim->system, p->def->input.i - 1), p->load, p->number, p->def->to);
    }
    if (abs(p->def->branch) > p->branches) {
        bi_report_add(report, BI_WARNING, BI_OK, (bi_place){ 0 }, "equilibrium",
                      "branch %d was asked for, and %d began on this path, so it was not left; ask for one "
                      "that begins, or "
                      "a path that goes farther",
                      abs(p->def->branch), p->branches);
    }
}

static bi_status refuse(bi_sim *sim, const bi_load_path_def *def)
{
    bi_status refused = sim_refuse(sim);
    if (refused != BI_OK) {
        return refused;
    }
    bool is_good = def && def->input.i >= 1 && def->input.i <= sim->system->dynamics.n_input &&
                   isfinite(def->to) && def->points >= 0 && def->step >= 0.0 && isfinite(def->step);
    return !is_good ? BI_BAD_ARGUMENT : def->to == sim->input[def->input.i - 1] ? BI_BAD_ARGUMENT : BI_OK;
}

bi_status bi_load_path(bi_sim *sim, const bi_load_path_def *def, bi_path_visit *visit, void *context,
                       bi_report *report)
{
    bi_report own = { 0 };
    path p = { .def = def, .visit = visit, .context = context };
    report = report ? report : &own;
    bi_status status = refuse(sim, def);
    if (status != BI_OK) {
        return status;
    }
    int errors = report->errors;
    if (!path_open(&p, sim)) {
        path_close(&p);
        return BI_NO_MEMORY;
    }
    sim->have = 0;
    status = begin(&p, report);
    status = status == BI_OK ? follow(&p, report) : status;
    if (status == BI_OK && !p.is_enough) {
        tell_missing(&p, report);
    }
    coords_copy(p.b.s->d, &p.base, &p.b.s->now);
    set_load(&p, p.load);
    if (status != BI_OK && report->errors == errors) {
        bi_report_add(
            report, BI_ERROR, status, (bi_place){ 0 }, "equilibrium",
            "the path of equilibria was followed to %s = %.8g in %d points, and no equilibrium was found "
            "near it from there. Is there a contact or a stop that acts at once? Try shorter steps.",
            bi_input_name(sim->system, def->input.i - 1), p.load, p.number);
    }
    (void)balance_settle(&p.b, NULL);
    path_close(&p);
    bi_report_clear(&own);
    return status;
}
