// SPDX-License-Identifier: MIT
#include "measure/mode_sweep.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 100000 };

bool sweep_parse(const char *text, sweep *sw)
{
    *sw = (sweep){ 0 };
    if (!text) {
        return true;
    }
    const char *equal = strchr(text, '=');
    double number[3];
    const char *at = equal ? equal + 1 : text;
    bool is_good = equal && equal > text;
    for (int k = 0; k < 3 && is_good; k++) {
        char *end;
        number[k] = strtod(at, &end);
        is_good = end > at && isfinite(number[k]) && *end == (k < 2 ? ':' : '\0');
        at = end + 1;
    }
    if (!is_good) {
        fprintf(stderr, "biela modes: --sweep %s: write it as name=from:to:step, such as v=0:10:0.05\n",
                text);
        return false;
    }
    *sw = (sweep){ .from = number[0], .to = number[1], .step = fabs(number[2]) };
    if (!(sw->step > 0.0) || !(fabs(sw->to - sw->from) / sw->step < MOST_POINTS)) {
        fprintf(stderr, "biela modes: --sweep %s: the step must not be zero, nor give more than %d points\n",
                text, MOST_POINTS);
        return false;
    }
    sw->parameter = words_copy(text, (size_t)(equal - text));
    return true;
}

// ---- one point ----------------------------------------------------------------------------------------------------

exit_code sweep_linear(const sweep *sw, const session_request *request, double x, const bi_setting *also,
                       session *s, bi_linear *linear)
{
    session_request one = *request;
    one.formulation = "joint";
    one.setting = words_alloc((size_t)(request->n_setting + 2) * sizeof *one.setting);
    for (int k = 0; k < request->n_setting; k++) {
        one.setting[k] = request->setting[k];
    }
    char *value = words_format("%.17g", x);
    if (sw->parameter) {
        one.setting[one.n_setting++] = (bi_setting){ sw->parameter, value };
    }
    if (also) {
        one.setting[one.n_setting++] = *also;
    }
    exit_code code = session_open(s, &one);
    if (code == CLI_OK && bi_linearize(s->sim, linear, &s->report) != BI_OK) {
        code = CLI_BAD;
    }
    free(value);
    free(one.setting);
    return code;
}

double sweep_re(const sweep *sw, int point, int mode)
{
    const sweep_point *p = &sw->point[point];
    return p->linear.re[p->branch[mode]];
}

double sweep_im(const sweep *sw, int point, int mode)
{
    const sweep_point *p = &sw->point[point];
    return p->linear.im[p->branch[mode]];
}

// ---- following the modes ----------------------------------------------------------------------------------------------

// Where a mode is expected at a point: a straight line through the last two.
static void expect(const sweep *sw, int point, int mode, double *re, double *im)
{
    *re = sweep_re(sw, point - 1, mode);
    *im = sweep_im(sw, point - 1, mode);
    if (point >= 2) {
        *re += *re - sweep_re(sw, point - 2, mode);
        *im += *im - sweep_im(sw, point - 2, mode);
    }
}

// Each mode takes the eigenvalue nearest to where it is expected, the surest pair first.
static void follow(sweep *sw, int point)
{
    sweep_point *p = &sw->point[point];
    int m = sw->n_mode;
    double *re = words_alloc((size_t)m * sizeof *re), *im = words_alloc((size_t)m * sizeof *im);
    bool *is_taken = words_alloc((size_t)m * sizeof *is_taken);
    for (int b = 0; b < m; b++) {
        p->branch[b] = point == 0 ? b : -1;
        if (point > 0) {
            expect(sw, point, b, &re[b], &im[b]);
        }
    }
    for (int round = 0; round < m && point > 0; round++) {
        int mode = -1, value = -1;
        double least = INFINITY;
        for (int b = 0; b < m; b++) {
            for (int k = 0; k < m && p->branch[b] < 0; k++) {
                double gap = hypot(p->linear.re[k] - re[b], p->linear.im[k] - im[b]);
                if (!is_taken[k] && gap < least) {
                    least = gap;
                    mode = b;
                    value = k;
                }
            }
        }
        if (mode >= 0) {
            p->branch[mode] = value;
            is_taken[value] = true;
        }
    }
    free(re);
    free(im);
    free(is_taken);
}

// ---- critical values --------------------------------------------------------------------------------------------------------

// A mode at a value of the parameter: its eigenvalue, and what must vanish.
typedef struct {
    double x, re, im;
    double f; // the real part, or that of the square
} end_point;

typedef enum { OF_REAL_PART, OF_SQUARE } zero_kind;

static end_point end_of(zero_kind kind, double x, double re, double im)
{
    return (end_point){ x, re, im, kind == OF_SQUARE ? re * re - im * im : re };
}

// The eigenvalue whose place, or square, is nearest to the straight line between two ends.
static double distance_to_line(zero_kind kind, const end_point *a, const end_point *b, const end_point *p)
{
    double share = (p->x - a->x) / (b->x - a->x);
    if (kind == OF_SQUARE) {
        return hypot(p->f - (a->f + share * (b->f - a->f)), 2.0 * p->re * p->im);
    }
    return hypot(p->re - (a->re + share * (b->re - a->re)), p->im - (a->im + share * (b->im - a->im)));
}

// A coordinate on which nothing depends has a double zero, which rounding spreads by the root of its error.
static const double like_zero = 1e-4;

int sweep_zeros(const sweep *sw)
{
    int least = sw->n_mode;
    for (int p = 0; p < sw->n_point; p++) {
        int count = 0;
        for (int k = 0; k < sw->n_mode; k++) {
            count += hypot(sw->point[p].linear.re[k], sw->point[p].linear.im[k]) <= like_zero;
        }
        least = count < least ? count : least;
    }
    return least;
}

int sweep_rank(const bi_linear *l, int k)
{
    int count = 0;
    double mine = hypot(l->re[k], l->im[k]);
    for (int i = 0; i < l->n_value; i++) {
        double other = hypot(l->re[i], l->im[i]);
        count += other < mine || (other == mine && i < k);
    }
    return count;
}

static exit_code eigenvalue_near(const sweep *sw, const session_request *request, zero_kind kind, double x,
                                 const end_point *a, const end_point *b, end_point *out)
{
    session s = { 0 };
    bi_linear linear = { 0 };
    exit_code code = sweep_linear(sw, request, x, NULL, &s, &linear);
    double least = INFINITY;
    int skip = sweep_zeros(sw);
    for (int k = 0; k < linear.n_value && code == CLI_OK; k++) {
        end_point here = end_of(kind, x, linear.re[k], linear.im[k]);
        double gap = distance_to_line(kind, a, b, &here);
        if (gap < least && sweep_rank(&linear, k) >= skip) {
            least = gap;
            *out = here;
        }
    }
    bi_linear_clear(&linear);
    session_close(&s);
    return code;
}

// Zero between two points by false position, the end that stays twice counted by half (Illinois).
static bool find_zero(const sweep *sw, const session_request *request, zero_kind kind, end_point a,
                      end_point b, end_point *out)
{
    enum { ITERATIONS = 100 };
    double weight_a = 1.0, weight_b = 1.0, size = kind == OF_SQUARE ? fmax(fabs(a.f), fabs(b.f)) : 1.0;
    *out = fabs(a.f) < fabs(b.f) ? a : b;
    for (int i = 0; i < ITERATIONS; i++) {
        double fa = weight_a * a.f, fb = weight_b * b.f;
        double x = i % 3 == 2 ? 0.5 * (a.x + b.x) : (fb * a.x - fa * b.x) / (fb - fa);
        end_point m = a;
        if (fabs(b.x - a.x) <= 4e-15 * fmax(1.0, fabs(x)) ||
            eigenvalue_near(sw, request, kind, x, &a, &b, &m) != CLI_OK) {
            break;
        }
        *out = fabs(m.f) <= fabs(out->f) ? m : *out;
        if (m.f == 0.0) {
            break;
        }
        if ((m.f > 0.0) == (a.f > 0.0)) {
            a = m;
            weight_a = 1.0;
            weight_b *= 0.5;
        } else {
            b = m;
            weight_b = 1.0;
            weight_a *= 0.5;
        }
    }
    // a mode that jumped was not followed: no zero; one that passes eigenvalues that stay zero is spread as they are
    double least = kind == OF_REAL_PART && out->im == 0.0 && sweep_zeros(sw) > 0 ? like_zero : 1e-6;
    return fabs(out->f) <= least * (kind == OF_SQUARE ? size : fmax(1.0, hypot(out->re, out->im)));
}

// How many real modes decay more slowly, in the middle of the sweep; those that stay zero do not count.
static int real_rank(const sweep *sw, int mode)
{
    int at = sw->n_point / 2, count = -sweep_zeros(sw);
    for (int b = 0; b < sw->n_mode; b++) {
        double gap = fabs(sweep_re(sw, at, b)) - fabs(sweep_re(sw, at, mode));
        count += sweep_im(sw, at, b) == 0.0 && (gap < 0.0 || (gap == 0.0 && b < mode));
    }
    return count;
}

const char *sweep_mode_name(const sweep *sw, int mode)
{
    const bi_run *run = &sw->session.run;
    int at = sw->n_point / 2;
    if (sweep_im(sw, at, mode) > 0.0) {
        // the slowest pair
        for (int b = 0; b < sw->n_mode; b++) {
            if (sweep_im(sw, at, b) > 0.0 && sweep_im(sw, at, b) < sweep_im(sw, at, mode)) {
                return NULL;
            }
        }
        return run->critical_oscillating;
    }
    if (sweep_im(sw, at, mode) != 0.0) {
        return NULL;
    }
    int rank = real_rank(sw, mode);
    return rank == 0 ? run->critical_real : rank == 1 && run->critical_fast[0] ? run->critical_fast : NULL;
}

static void name_critical(sweep *sw, sweep_critical *c)
{
    bool oscillates = c->im > 1e-6;
    const char *name = oscillates ? sw->session.run.critical_oscillating : sw->session.run.critical_real;
    int before = 0;
    for (int k = 0; k < sw->n_critical; k++) {
        before += (sw->critical[k].im > 1e-6) == oscillates;
    }
    if (before > 0) {
        snprintf(c->name, sizeof c->name, "%s_%d", name, before + 1);
    } else {
        snprintf(c->name, sizeof c->name, "%s", name);
    }
}

static void add_critical(sweep *sw, const end_point *at, bool becomes_stable)
{
    for (int k = 0; k < sw->n_critical; k++) {
        // the other half of a pair
        if (fabs(sw->critical[k].x - at->x) <= 1e-6 * sw->step &&
            fabs(fabs(sw->critical[k].im) - fabs(at->im)) <= 1e-6 * fmax(1.0, fabs(at->im))) {
            return;
        }
    }
    sweep_critical c = { .x = at->x, .re = at->re, .im = fabs(at->im), .becomes_stable = becomes_stable };
    name_critical(sw, &c);
    sweep_critical *longer = words_alloc((size_t)(sw->n_critical + 1) * sizeof *longer);
    if (sw->n_critical > 0) {
        memcpy(longer, sw->critical, (size_t)sw->n_critical * sizeof *longer);
    }
    free(sw->critical);
    sw->critical = longer;
    sw->critical[sw->n_critical++] = c;
}

static end_point mode_at(const sweep *sw, zero_kind kind, int point, int mode)
{
    return end_of(kind, sw->point[point].x, sweep_re(sw, point, mode), sweep_im(sw, point, mode));
}

// A change of sign of a mode between two points at which it is clearly on one side.
static void find_crossing(sweep *sw, const session_request *request, int mode, int before, int point)
{
    end_point a = mode_at(sw, OF_REAL_PART, before, mode), b = mode_at(sw, OF_REAL_PART, point, mode),
              zero = b;
    if ((a.re > 0.0) != (b.re > 0.0) && b.im >= 0.0 && find_zero(sw, request, OF_REAL_PART, a, b, &zero)) {
        add_critical(sw, &zero, b.re < 0.0);
    }
}

static const double clear = 1e-8; // above the rounding of eigenvalues

// Without damping nothing crosses the axis: two real values of opposite sign meet at zero and part along it. Their
// square passes through zero, smoothly.
static void find_meeting(sweep *sw, const session_request *request, int mode, int point)
{
    end_point a = mode_at(sw, OF_SQUARE, point - 1, mode), b = mode_at(sw, OF_SQUARE, point, mode), zero = b;
    const end_point *real = a.f > 0.0 ? &a : &b, *other = a.f > 0.0 ? &b : &a;
    if (real->re > like_zero && real->im == 0.0 && fabs(other->im) > like_zero &&
        fabs(other->re) <= clear * fmax(1.0, fabs(other->im)) &&
        find_zero(sw, request, OF_SQUARE, a, b, &zero)) {
        zero.re = zero.im = 0.0;
        add_critical(sw, &zero, a.f > 0.0);
    }
}

static void find_critical(sweep *sw, const session_request *request)
{
    int *last = words_alloc((size_t)sw->n_mode * sizeof *last);
    for (int b = 0; b < sw->n_mode; b++) {
        last[b] = -1;
    }
    for (int k = 0; k < sw->n_point; k++) {
        for (int b = 0; b < sw->n_mode; b++) {
            double re = sweep_re(sw, k, b), im = sweep_im(sw, k, b);
            if (k > 0) {
                find_meeting(sw, request, b, k);
            }
            if (fabs(re) <= clear * fmax(1.0, hypot(re, im))) {
                continue;
            }
            if (last[b] >= 0) {
                find_crossing(sw, request, b, last[b], k);
            }
            last[b] = k;
        }
    }
    free(last);
}

// ---- all of it ------------------------------------------------------------------------------------------------------------------

static int count_points(const sweep *sw)
{
    return sw->parameter ? (int)floor(fabs(sw->to - sw->from) / sw->step * (1.0 + 1e-12) + 1e-9) + 1 : 1;
}

// The value as one writes it: 0.15, not 0.15000000000000002.
static double value_at(const sweep *sw, int k)
{
    char *text = words_format("%.12g", sw->from + (sw->to >= sw->from ? k : -k) * sw->step);
    double x = strtod(text, NULL);
    free(text);
    return x;
}

exit_code sweep_run(sweep *sw, const session_request *request)
{
    int count = count_points(sw);
    sw->point = words_alloc((size_t)count * sizeof *sw->point);
    exit_code code = CLI_OK;
    interrupt_catch();
    for (int k = 0; k < count && code == CLI_OK; k++) {
        session s = { 0 };
        sweep_point *p = &sw->point[k];
        p->x = value_at(sw, k);
        code = sweep_linear(sw, request, p->x, NULL, &s, &p->linear);
        // what the first point says is said once
        if (k == 0 || code != CLI_OK) {
            session_print_messages(&s);
        }
        if (code != CLI_OK && sw->parameter) {
            fprintf(stderr, "biela: at %s = %g\n", sw->parameter, p->x);
        }
        if (k == 0 || code != CLI_OK) {
            // the first one stays, or the one whose messages are wanted
            session_close(&sw->session);
            sw->session = s;
            sw->n_mode = k == 0 ? p->linear.n_value : sw->n_mode;
        } else {
            session_close(&s);
        }
        if (code == CLI_OK && p->linear.n_value != sw->n_mode) {
            fprintf(stderr, "biela: error: the number of independent coordinates changes at %s = %g\n",
                    sw->parameter, p->x);
            code = CLI_BAD;
        }
        if (code == CLI_OK) {
            p->branch = words_alloc((size_t)(sw->n_mode + 1) * sizeof *p->branch);
            sw->n_point++;
            follow(sw, k);
        } else {
            bi_linear_clear(&p->linear);
        }
        code = code == CLI_OK && interrupt_asked() ? interrupt_code() : code;
    }
    if (code == CLI_OK && sw->n_point > 1) {
        find_critical(sw, request);
    }
    interrupt_release();
    return code;
}

void sweep_clear(sweep *sw)
{
    for (int k = 0; k < sw->n_point; k++) {
        bi_linear_clear(&sw->point[k].linear);
        free(sw->point[k].branch);
    }
    session_close(&sw->session);
    free(sw->point);
    free(sw->critical);
    free(sw->parameter);
    *sw = (sweep){ 0 };
}
