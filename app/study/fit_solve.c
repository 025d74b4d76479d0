// SPDX-License-Identifier: MIT
// Gauss-Newton with Marquardt's damping and bounds; derivatives by differences of whole runs, all of them in parallel.
#include "cli/interrupt.h"
#include "study/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 60, CANDIDATES = 4, MOST_PASSES = 8 };

typedef struct {
    const fit_problem *f;
    pool *pool;
    fit_result *out;
    int n, size;      // parameters, numbers of an answer
    double *x;        // (n) where we are
    double *here;     // (size) the run there
    double *residual; // (n_value)
    double *J;        // (n_value * n) by columns
    double chi2;
    double damping;
    bool is_cut; // large residuals count less (statistics.6)
    int fixed;   // a parameter that stays where it is; -1: none
} solver;

// ---- runs -------------------------------------------------------------------------------------------------------------

// Runs `count` sets of parameters; answers in their order. False: interrupted.
static bool run_all(solver *s, const double *x, int count, double *answer)
{
    double *one = words_alloc((size_t)s->size * sizeof *one);
    int asked = 0, got = 0;
    while (got < count && !interrupt_asked()) {
        while (asked < count && pool_is_free(s->pool)) {
            pool_ask(s->pool, asked, &x[asked * s->n]);
            asked++;
        }
        char message[POOL_MESSAGE] = "";
        int64_t id = 0;
        pool_event event = pool_next(s->pool, &id, one, message);
        if (event == POOL_NOTHING) {
            continue;
        }
        if (event == POOL_DIED) {
            one[0] = 1.0;
            snprintf(message, sizeof message, "the process that ran the model ended");
        }
        memcpy(&answer[id * s->size], one, (size_t)s->size * sizeof *one);
        if (one[0] != 0.0 && *message) {
            memcpy(s->out->message, message, sizeof message);
        }
        got++;
    }
    s->out->runs += got;
    free(one);
    return got == count;
}

// A residual whose square is the loss of Huber: beyond the limit it grows as a straight line (statistics.6).
static double cut(double residual, double limit)
{
    double size = fabs(residual);
    return size <= limit ? residual : copysign(sqrt(2.0 * limit * size - limit * limit), residual);
}

// Residuals of a run, gaps left out; their sum of squares, infinite when the run failed.
static double residuals(const solver *s, const double *answer, double *residual)
{
    const fit_problem *f = s->f;
    double sum = 0.0;
    int i = 0;
    if (answer[0] != 0.0) {
        return INFINITY;
    }
    for (int c = 0; c < f->n_measured; c++) {
        const double *data = f->table.value[f->measured[c].index];
        for (int row = 0; row < f->table.rows; row++) {
            if (isfinite(data[row])) {
                residual[i] = (data[row] - answer[1 + row * f->n_measured + c]) / s->out->sigma[c];
                residual[i] = s->is_cut ? cut(residual[i], f->huber) : residual[i];
                sum += residual[i] * residual[i];
                i++;
            }
        }
    }
    return sum;
}

// ---- derivatives ----------------------------------------------------------------------------------------------------------

// steps against the parameter: the first is large against the noise of a run (1e-9), small against the curvature
// (errors of 1e-5 and 1e-8); the others are for data that jump
static const double shares[] = { 1e-4, 1e-3, 1e-2 };
enum { SHARES = sizeof shares / sizeof *shares };

// Parameter j tried on both sides, within its bounds: two sets.
static void place_sides(const solver *s, int j, double share, double *x)
{
    const fit_parameter *p = &s->f->parameter[j];
    double h = share * fmax(fabs(s->x[j]), 0.1 * p->scale);
    for (int side = 0; side < 2; side++) {
        memcpy(&x[side * s->n], s->x, (size_t)s->n * sizeof *x);
        x[side * s->n + j] = fmin(p->high, fmax(p->low, s->x[j] + (side == 0 ? h : -h)));
    }
}

// How far the two halves of a central difference disagree, against their sum: 1e-4 where the data are smooth, 1 where
// they jump (statistics.4). Not known at a bound: 0.
static double roughness(const solver *s, const double *plus, const double *minus)
{
    double bend = 0.0, slope = 0.0;
    int m = s->f->n_value;
    for (int i = 0; i < m; i++) {
        double two = plus[i] - 2.0 * s->residual[i] + minus[i], one = plus[i] - minus[i];
        bend += two * two;
        slope += one * one;
    }
    // what moves the data by less than a millionth of their noise has no influence
    return sqrt(bend) / (sqrt(slope) + 1e-6 * sqrt((double)m));
}

// Column j from the runs on its two sides; gives its roughness, or infinity when both failed. work: three columns.
static double difference(const solver *s, int j, const double *x, const double *answer, double *work)
{
    int m = s->f->n_value;
    double *plus = work, *minus = work + m, *column = work + 2 * m;
    double x_plus = x[j], x_minus = x[s->n + j];
    bool has_plus = isfinite(residuals(s, answer, plus)),
         has_minus = isfinite(residuals(s, &answer[s->size], minus));
    if (!has_plus && !has_minus) {
        return INFINITY;
    }
    bool is_central = has_plus && has_minus && x_plus - s->x[j] > 0.5 * (s->x[j] - x_minus) &&
                      s->x[j] - x_minus > 0.5 * (x_plus - s->x[j]);
    // a side that failed is replaced by the middle
    x_plus = has_plus ? x_plus : s->x[j];
    x_minus = has_minus ? x_minus : s->x[j];
    for (int i = 0; i < m; i++) {
        double up = has_plus ? plus[i] : s->residual[i], down = has_minus ? minus[i] : s->residual[i];
        column[i] = (up - down) / (x_plus - x_minus);
    }
    return is_central ? roughness(s, plus, minus) : 0.0;
}

// Central differences, one-sided at a bound; over longer steps where their halves disagree. False: interrupted, or runs
// failed on both sides.
static bool differentiate(solver *s)
{
    int n = s->n, m = s->f->n_value, list[64], count = n;
    double *x = words_alloc((size_t)(2 * n * n) * sizeof *x),
           *answer = words_alloc((size_t)(2 * n * s->size) * sizeof *x),
           *work = words_alloc((size_t)(3 * m) * sizeof *work);
    bool is_good = true;
    for (int j = 0; j < n; j++) {
        list[j] = j;
        s->out->rough[j] = INFINITY;
    }
    for (int level = 0; level < SHARES && count > 0 && is_good; level++) {
        int left = 0;
        for (int k = 0; k < count; k++) {
            place_sides(s, list[k], shares[level], &x[2 * k * n]);
        }
        is_good = run_all(s, x, 2 * count, answer);
        for (int k = 0; k < count && is_good; k++) {
            int j = list[k];
            double rough = difference(s, j, &x[2 * k * n], &answer[2 * k * s->size], work);
            if (rough < s->out->rough[j]) {
                s->out->rough[j] = rough;
                memcpy(&s->J[j * m], &work[2 * m], (size_t)m * sizeof *work);
            }
            if (s->out->rough[j] > fit_smooth) {
                list[left++] = j;
            }
        }
        count = left;
    }
    for (int j = 0; j < n; j++) {
        is_good = is_good && isfinite(s->out->rough[j]);
    }
    free(x);
    free(answer);
    free(work);
    return is_good;
}

// ---- a step -----------------------------------------------------------------------------------------------------------------

// Parameters that may move: not those at a bound which the data push outwards.
static void find_free(const solver *s, bool *is_free)
{
    int m = s->f->n_value;
    for (int j = 0; j < s->n; j++) {
        const fit_parameter *p = &s->f->parameter[j];
        double gradient = 0.0; // of half the sum of squares
        for (int i = 0; i < m; i++) {
            gradient += s->J[j * m + i] * s->residual[i];
        }
        is_free[j] = j != s->fixed &&
                     !((s->x[j] <= p->low && gradient > 0.0) || (s->x[j] >= p->high && gradient < 0.0));
    }
}

// The damped normal equations in columns of length one (statistics.3), by Cholesky; small systems only.
static void damped_step(const solver *s, const bool *is_free, double damping, double *step)
{
    int n = s->n, m = s->f->n_value;
    double *A = words_alloc((size_t)(n * n) * sizeof *A), *b = words_alloc((size_t)n * sizeof *b);
    double *length = words_alloc((size_t)n * sizeof *length);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            length[j] += s->J[j * m + i] * s->J[j * m + i];
        }
        length[j] = is_free[j] ? sqrt(length[j]) : 0.0;
    }
    for (int j = 0; j < n; j++) {
        for (int k = 0; k <= j; k++) {
            double sum = 0.0;
            for (int i = 0; i < m && length[j] > 0.0 && length[k] > 0.0; i++) {
                sum += s->J[j * m + i] / length[j] * (s->J[k * m + i] / length[k]);
            }
            A[j * n + k] = sum;
        }
        for (int i = 0; i < m && length[j] > 0.0; i++) {
            b[j] -= s->J[j * m + i] / length[j] * s->residual[i];
        }
        // a parameter without influence stays where it is
        A[j * n + j] = length[j] > 0.0 ? A[j * n + j] + damping : 1.0;
    }
    for (int j = 0; j < n; j++) {
        for (int k = 0; k <= j; k++) {
            double sum = A[j * n + k];
            for (int l = 0; l < k; l++) {
                sum -= A[j * n + l] * A[k * n + l];
            }
            A[j * n + k] = k == j ? sqrt(fmax(sum, 1e-14)) : sum / A[k * n + k];
        }
    }
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++) {
            b[j] -= A[j * n + k] * b[k];
        }
        b[j] /= A[j * n + j];
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int k = j + 1; k < n; k++) {
            b[j] -= A[k * n + j] * b[k];
        }
        b[j] /= A[j * n + j];
        step[j] = length[j] > 0.0 ? b[j] / length[j] : 0.0;
    }
    free(A);
    free(b);
    free(length);
}

typedef enum { STEP_TAKEN, STEP_SMALL, STEP_NONE, STEP_INTERRUPTED } step_result;

// Tries several dampings at once and takes the best; always the same ones, so that the number of processes does not
// matter.
static step_result take_step(solver *s)
{
    static const double factor[CANDIDATES] = { 0.1, 1.0, 10.0, 100.0 };
    int n = s->n;
    bool is_free[64] = { 0 };
    double step[64], x[CANDIDATES * 64];
    double *answer = words_alloc((size_t)(CANDIDATES * s->size) * sizeof *answer);
    double *residual = words_alloc((size_t)s->f->n_value * sizeof *residual);
    step_result result = STEP_NONE;
    find_free(s, is_free);
    for (int c = 0; c < CANDIDATES; c++) {
        damped_step(s, is_free, s->damping * factor[c], step);
        for (int j = 0; j < n; j++) {
            const fit_parameter *p = &s->f->parameter[j];
            x[c * n + j] = fmin(p->high, fmax(p->low, s->x[j] + step[j]));
        }
    }
    int best = -1;
    double least = s->chi2;
    bool is_done = run_all(s, x, CANDIDATES, answer);
    for (int c = 0; c < CANDIDATES && is_done; c++) {
        double chi2 = residuals(s, &answer[c * s->size], residual);
        if (chi2 < least) {
            least = chi2;
            best = c;
        }
    }
    if (!is_done) {
        result = STEP_INTERRUPTED;
    } else if (best >= 0) {
        double moved = 0.0;
        for (int j = 0; j < n; j++) {
            double size = fmax(fabs(s->x[j]), 1e-3 * s->f->parameter[j].scale);
            moved = fmax(moved, fabs(x[best * n + j] - s->x[j]) / size);
        }
        result = moved < 1e-7 || s->chi2 - least <= 1e-10 * s->chi2 ? STEP_SMALL : STEP_TAKEN;
        memcpy(s->x, &x[best * n], (size_t)n * sizeof *s->x);
        memcpy(s->here, &answer[best * s->size], (size_t)s->size * sizeof *s->here);
        s->chi2 = residuals(s, s->here, s->residual);
        s->damping = fmin(1e6, fmax(1e-12, s->damping * factor[best]));
    } else {
        s->damping *= 1e4;
    }
    free(answer);
    free(residual);
    return result;
}

// From where it stands to the nearest minimum with the present noise.
static fit_ending descend(solver *s)
{
    s->chi2 = residuals(s, s->here, s->residual);
    s->damping = 1e-3;
    for (; s->out->iterations < MOST_ITERATIONS; s->out->iterations++) {
        if (!differentiate(s)) {
            return interrupt_asked() ? FIT_INTERRUPTED : FIT_STUCK;
        }
        step_result step = STEP_NONE;
        double before = s->damping;
        while (step == STEP_NONE && s->damping < 1e9) {
            step = take_step(s);
        }
        if (step == STEP_INTERRUPTED) {
            return FIT_INTERRUPTED;
        }
        // no way down at any damping: this is the minimum as far as differences can tell
        if (step == STEP_SMALL || step == STEP_NONE) {
            s->damping = before;
            return differentiate(s) ? FIT_CONVERGED : interrupt_asked() ? FIT_INTERRUPTED : FIT_STUCK;
        }
    }
    return FIT_TOO_LONG;
}

// ---- noise ------------------------------------------------------------------------------------------------------------------

// Standard deviation of each column's residuals, the parameters' share taken off; the largest relative change of it.
static double estimate_noise(solver *s)
{
    const fit_problem *f = s->f;
    bool is_cut = s->is_cut;
    s->is_cut = false;
    (void)residuals(s, s->here, s->out->raw);
    s->is_cut = is_cut;
    double change = 0.0;
    double share = (double)(f->n_value - s->n) / f->n_value;
    int i = 0;
    for (int c = 0; c < f->n_measured; c++) {
        double sum = 0.0;
        int from = i;
        for (int k = 0; k < f->measured[c].count; k++, i++) {
            double r = s->out->raw[i] * s->out->sigma[c];
            sum += r * r;
        }
        double middle = fit_middle(&s->out->raw[from], f->measured[c].count) * s->out->sigma[c] / sqrt(share);
        // data without noise: rounding is what is left
        double floor_value = fmax(1e-12 * f->measured[c].range, 1e-300);
        double usual = f->huber > 0.0 ? middle : sqrt(sum / fmax(1.0, f->measured[c].count * share));
        double sigma = fmax(usual, floor_value);
        change = fmax(change, fabs(sigma / s->out->sigma[c] - 1.0));
        s->out->sigma[c] = sigma;
    }
    return change;
}

// ---- all of it ---------------------------------------------------------------------------------------------------------------

static fit_ending solve(solver *s)
{
    const fit_problem *f = s->f;
    for (int j = 0; j < s->n; j++) {
        s->x[j] = f->parameter[j].start;
    }
    for (int c = 0; c < f->n_measured; c++) {
        double usual = f->measured[c].range > 0.0 ? f->measured[c].range : 1.0;
        s->out->sigma[c] = f->has_noise ? f->measured[c].noise : usual;
    }
    if (!run_all(s, s->x, 1, s->here)) {
        return FIT_INTERRUPTED;
    }
    if (s->here[0] != 0.0) {
        return FIT_NO_START;
    }
    // large residuals say what they are only when the noise is known about: first all are squared
    s->is_cut = f->huber > 0.0 && f->has_noise;
    fit_ending ending = descend(s);
    // columns of unequal noise: weigh them by what they turned out to have, until that does not change
    for (int pass = 0; !f->has_noise && ending == FIT_CONVERGED && pass < MOST_PASSES; pass++) {
        double change = estimate_noise(s);
        if ((f->n_measured == 1 && f->huber == 0.0) || (change < 1e-3 && s->is_cut == (f->huber > 0.0))) {
            break;
        }
        s->is_cut = f->huber > 0.0;
        ending = descend(s);
    }
    // what is told about the minimum is told of whole residuals
    if ((!f->has_noise || s->is_cut) && ending == FIT_CONVERGED) {
        s->is_cut = false;
        s->chi2 = residuals(s, s->here, s->residual);
        ending = differentiate(s) ? ending : FIT_INTERRUPTED;
    }
    return ending;
}

void fit_solve(const fit_problem *f, pool *p, fit_result *out)
{
    size_t n = (size_t)f->n_parameter, columns = (size_t)f->n_measured, values = (size_t)f->n_value;
    *out = (fit_result){ .x = words_alloc(n * sizeof(double)),
                         .model = words_alloc(((size_t)f->table.rows * columns + 1) * sizeof(double)),
                         .sigma = words_alloc(columns * sizeof(double)),
                         .rms = words_alloc(columns * sizeof(double)),
                         .echo = words_alloc(columns * sizeof(double)),
                         .J = words_alloc(values * n * sizeof(double)),
                         .covariance = words_alloc(n * n * sizeof(double)),
                         .deviation = words_alloc(n * sizeof(double)),
                         .is_at_bound = words_alloc(n * sizeof(bool)),
                         .rough = words_alloc(n * sizeof(double)),
                         .singular = words_alloc(n * sizeof(double)),
                         .lost = words_alloc(n * n * sizeof(double)) };
    solver s = { .f = f,
                 .pool = p,
                 .out = out,
                 .n = f->n_parameter,
                 .size = fit_answer_size(f),
                 .x = out->x,
                 .J = out->J,
                 .fixed = -1 };
    s.here = words_alloc((size_t)s.size * sizeof *s.here);
    s.residual = words_alloc(values * sizeof *s.residual);
    out->raw = words_alloc((values + 1) * sizeof *out->raw);
    out->ending = solve(&s);
    out->chi2 = s.chi2;
    out->freedom = f->n_value - f->n_parameter;
    memcpy(out->model, s.here + 1, (size_t)(s.size - 1) * sizeof *s.here);
    if (out->ending == FIT_CONVERGED || out->ending == FIT_TOO_LONG) {
        s.is_cut = false;
        (void)residuals(&s, s.here, out->raw);
        fit_judge(f, out);
    }
    free(s.here);
    free(s.residual);
}

// ---- the likelihood itself ---------------------------------------------------------------------------------------------------

// How far the least sum of squares with parameter j at x lies above the minimum, as a number of sigmas (statistics.7); infinite:
// a run failed there. From the last place on the way.
static double rise(solver *s, const fit_result *at, int j, double x)
{
    const fit_problem *f = s->f;
    s->x[j] = x;
    s->fixed = j;
    s->out->iterations = 0;
    if (!run_all(s, s->x, 1, s->here) || s->here[0] != 0.0) {
        return INFINITY;
    }
    fit_ending ending = descend(s);
    if (ending != FIT_CONVERGED) {
        return INFINITY;
    }
    // with noise that was estimated, the sum at the minimum is its unit
    double unit = f->has_noise ? 1.0 : at->chi2 / at->freedom;
    return sqrt(fmax(0.0, s->chi2 - at->chi2) / unit);
}

// One end: from where linear theory puts it, by steps in proportion; the rise is nearly straight.
static double find_end(solver *s, const fit_result *at, int j, double t, double side)
{
    const fit_parameter *p = &s->f->parameter[j];
    double deviation = at->deviation[j], inside = at->x[j], low = 0.0, x = at->x[j] + side * t * deviation;
    memcpy(s->x, at->x, (size_t)s->n * sizeof *s->x);
    for (int k = 0; k < 24; k++) {
        bool is_beyond = x < p->low || x > p->high;
        if (is_beyond) {
            x = side < 0.0 ? p->low : p->high;
        }
        double up = rise(s, at, j, x);
        if (fabs(up - t) < 1e-3 * t) {
            return x;
        }
        if (is_beyond && up < t) {
            return NAN;
        }
        // between the last one inside and this one, or further along the straight line
        double next = up > t || !isfinite(up)
                          ? inside + (x - inside) * (isfinite(up) ? (t - low) / (up - low) : 0.3)
                          : x + (x - inside) * fmin(2.0, (t - up) / fmax(up - low, 1e-3 * t));
        if (up < t) {
            inside = x;
            low = up;
        }
        if (!(fabs(next - x) > 1e-9 * deviation) || interrupt_asked()) {
            break;
        }
        x = next;
    }
    return NAN;
}

fit_profile fit_profile_of(const fit_problem *f, pool *p, const fit_result *at, int j, double t)
{
    fit_result out = { .sigma = at->sigma };
    size_t n = (size_t)f->n_parameter, values = (size_t)f->n_value;
    out.rough = words_alloc(n * sizeof *out.rough);
    solver s = {
        .f = f, .pool = p, .out = &out, .n = f->n_parameter, .size = fit_answer_size(f), .fixed = j
    };
    s.x = words_alloc(n * sizeof *s.x);
    s.J = words_alloc(values * n * sizeof *s.J);
    s.here = words_alloc((size_t)s.size * sizeof *s.here);
    s.residual = words_alloc(values * sizeof *s.residual);
    fit_profile both = { find_end(&s, at, j, t, -1.0), find_end(&s, at, j, t, 1.0), out.runs };
    both.runs = out.runs;
    free(out.rough);
    free(s.x);
    free(s.J);
    free(s.here);
    free(s.residual);
    return both;
}

void fit_result_clear(fit_result *r)
{
    free(r->raw);
    free(r->x);
    free(r->model);
    free(r->sigma);
    free(r->rms);
    free(r->echo);
    free(r->J);
    free(r->covariance);
    free(r->deviation);
    free(r->is_at_bound);
    free(r->rough);
    free(r->singular);
    free(r->lost);
    *r = (fit_result){ 0 };
}
