// SPDX-License-Identifier: MIT
// The rule of a step on coordinates that turn with bodies: it acts on them as seen from frames that turn alike
// (ali3p.15 .. ali3p.17).
#include "base/lanes.h"
#include "integrate/rule.h"
#include <math.h>
#include <string.h>

void turning_begin(stepper *s, double h)
{
    if (s->d->structure.n_frame > 0) {
        s->d->set->frames(s->d->coordinates, &s->old, h, s->in.frame);
    }
}

// ---- a frame that turns about a coordinate axis: only two components take part -----------------------------------------

typedef struct {
    double i, j;
} pair;

LANES_PART pair beside(const double *x, const turning_frame *k)
{
    return (pair){ x[k->i] - x[k->centre_i], x[k->j] - x[k->centre_j] };
}

// Turned over the step.
LANES_PART void put_beside(double *x, const turning_frame *k, pair at)
{
    x[k->i] = x[k->centre_i] + (k->cos * at.i - k->sin * at.j);
    x[k->j] = x[k->centre_j] + (k->sin * at.i + k->cos * at.j);
}

LANES_PART double seen_a(double a, double w, double v_across, double x)
{
    return a + w * (2.0 * v_across + w * x);
}

// The predictor in the turning frame, and back (ali3p.15).
LANES_PART void predict_in_plane(const rule *f, const turning_frame *k, const coords *from, coords *to)
{
    double w = k->rate, h = f->h;
    pair x = beside(from->q, k), v = beside(from->v, k), a = beside(from->a, k), next, by_q, by_v;
    v = (pair){ v.i + w * x.j, v.j - w * x.i };
    a = (pair){ seen_a(a.i, w, v.j, x.i), seen_a(a.j, w, -v.i, x.j) };
    if (f->has_drive) {
        pair drive = beside(from->drive, k);
        drive = (pair){ seen_a(drive.i, w, v.j, x.i), seen_a(drive.j, w, -v.i, x.j) };
        double part = 1.0 / (1.0 - f->am), beta = f->beta, gamma = f->gamma;
        next = (pair){ part * (a.i - f->am * drive.i), part * (a.j - f->am * drive.j) };
        by_q = (pair){ (0.5 - beta) * drive.i + beta * next.i, (0.5 - beta) * drive.j + beta * next.j };
        by_v = (pair){ (1.0 - gamma) * drive.i + gamma * next.i, (1.0 - gamma) * drive.j + gamma * next.j };
    } else {
        next = by_v = a;
        by_q = (pair){ 0.5 * a.i, 0.5 * a.j };
    }
    x = (pair){ x.i + h * (v.i + h * by_q.i), x.j + h * (v.j + h * by_q.j) };
    v = (pair){ v.i + h * by_v.i, v.j + h * by_v.j };
    put_beside(to->q, k, x);
    put_beside(to->v, k, (pair){ v.i - w * x.j, v.j + w * x.i });
    // what the frame adds: 2 w x v + w x (w x x)
    pair more = { -w * (2.0 * v.j + w * x.i), w * (2.0 * v.i - w * x.j) };
    put_beside(to->a, k, (pair){ a.i + more.i, a.j + more.j });
    if (f->has_drive) {
        put_beside(to->drive, k, (pair){ next.i + more.i, next.j + more.j });
    }
}

// Frames in planes one after the other: what dq adds to the rates (ali3p.16).
LANES_PART int correct_in_planes(const rule *f, int from, int count, int n, const double *dq,
                                 turning_frame *frame, double *v, double *a)
{
    double twice = 2.0 * f->first;
    int e = from;
    for (; e < count && frame[e].is_plane; e++) {
        turning_frame *k = &frame[e];
        int i = k->i, j = k->j, parent = k->parent;
        double w = k->rate, x = dq[i], y = dq[j];
        if (k->centre < n) {
            x -= dq[k->centre_i];
            y -= dq[k->centre_j];
        }
        double v_i = -w * y, v_j = w * x, a_i = twice * v_i - w * v_j, a_j = twice * v_j + w * v_i;
        if (parent >= 0) {
            v_i += frame[parent].more_v.x;
            v_j += frame[parent].more_v.y;
            a_i += frame[parent].more_a.x;
            a_j += frame[parent].more_a.y;
        }
        k->more_v.x = v_i;
        k->more_v.y = v_j;
        k->more_a.x = a_i;
        k->more_a.y = a_j;
        v[i] += v_i;
        v[j] += v_j;
        a[i] += a_i;
        a[j] += a_j;
    }
    return e;
}

// ---- a frame that turns about any axis ---------------------------------------------------------------------------------

LANES_PART vec3 beside_centre(const double *x, const turning_frame *k)
{
    return vec3_sub(tray_vec3(&x[k->x]), tray_vec3(&x[k->centre]));
}

LANES_PART void put_beside_centre(double *x, const turning_frame *k, vec3 value)
{
    tray_put(&x[k->x], vec3_add(tray_vec3(&x[k->centre]), mat3_apply(k->turn, value)));
}

// The predictor of the rule in the turning frame, and back (ali3p.15).
LANES_PART void predict_in_space(const rule *f, const turning_frame *k, const coords *from, coords *to)
{
    vec3 w = k->spin, x = beside_centre(from->q, k), wx = vec3_cross(w, x);
    vec3 v = vec3_sub(beside_centre(from->v, k), wx);
    vec3 more = vec3_add_scaled(vec3_cross(w, wx), 2.0, vec3_cross(w, v));
    vec3 a = vec3_sub(beside_centre(from->a, k), more), drive = vec3_sub(beside_centre(from->drive, k), more);
    vec3 next = vec3_scale(1.0 / (1.0 - f->am), vec3_add_scaled(a, -f->am, drive));
    vec3 x1 = vec3_add_scaled(vec3_add_scaled(x, f->h, v), f->h * f->h * (0.5 - f->beta), drive);
    x1 = vec3_add_scaled(x1, f->h * f->h * f->beta, next);
    vec3 v1 = vec3_add_scaled(vec3_add_scaled(v, f->h * (1.0 - f->gamma), drive), f->h * f->gamma, next);
    wx = vec3_cross(w, x1);
    more = vec3_add_scaled(vec3_cross(w, wx), 2.0, vec3_cross(w, v1));
    put_beside_centre(to->q, k, x1);
    put_beside_centre(to->v, k, vec3_add(v1, wx));
    put_beside_centre(to->a, k, vec3_add(a, more));
    put_beside_centre(to->drive, k, vec3_add(next, more));
}

// What a frame keeps as i, j in its plane, as a vector.
LANES_PART vec3 unpacked(const turning_frame *k, vec3 more)
{
    double out[3] = { 0.0, 0.0, 0.0 };
    if (!k->is_plane) {
        return more;
    }
    out[k->i - k->x] = more.x;
    out[k->j - k->x] = more.y;
    return tray_vec3(out);
}

LANES_PART void correct_in_space(stepper *s, const rule *f, turning_frame *k)
{
    vec3 dq = tray_vec3(&s->right[k->x]);
    dq = k->centre < s->d->structure.n ? vec3_sub(dq, tray_vec3(&s->right[k->centre])) : dq;
    vec3 once = vec3_cross(k->spin, dq), twice = vec3_cross(k->spin, once);
    vec3 a = vec3_add_scaled(twice, 2.0 * f->first, once);
    if (k->parent >= 0) {
        once = vec3_add(once, unpacked(&s->in.frame[k->parent], s->in.frame[k->parent].more_v));
        a = vec3_add(a, unpacked(&s->in.frame[k->parent], s->in.frame[k->parent].more_a));
    }
    k->more_v = once;
    k->more_a = a;
    tray_add(&s->now.v[k->x], once);
    tray_add(&s->now.a[k->x], a);
}

// ---- mechanisms that nothing holds: their centre of mass follows the plain rule (ali3p.17) --------------------------------

// Parts of one mechanism, from `first` on.
static int group_end(const structure *st, int first)
{
    int end = first;
    while (end < st->n_floating && st->floating[end].group == st->floating[first].group) {
        end++;
    }
    return end;
}

static vec3 centre_of(const structure *st, int first, int end, const double *x)
{
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = first; k < end; k++) {
        sum = vec3_add_scaled(sum, st->floating[k].share, tray_vec3(&x[st->floating[k].x]));
    }
    return sum;
}

static void shift(const structure *st, int first, int end, vec3 by, double *x)
{
    for (int k = first; k < end; k++) {
        if (st->floating[k].is_point) {
            tray_add(&x[st->floating[k].x], by);
        }
    }
}

static void predict_centres(const stepper *s, const rule *f, coords *to)
{
    const structure *st = &s->d->structure;
    for (int first = 0, end; first < st->n_floating; first = end) {
        end = group_end(st, first);
        vec3 q = centre_of(st, first, end, s->old.q), v = centre_of(st, first, end, s->old.v);
        vec3 a = centre_of(st, first, end, s->old.a), drive = a, next = a;
        if (f->has_drive) {
            drive = centre_of(st, first, end, s->old.drive);
            next = vec3_scale(1.0 / (1.0 - f->am), vec3_add_scaled(a, -f->am, drive));
            shift(st, first, end, vec3_sub(next, centre_of(st, first, end, to->drive)), to->drive);
        }
        q = vec3_add_scaled(vec3_add_scaled(q, f->h, v), f->h * f->h * (0.5 - f->beta), drive);
        q = vec3_add_scaled(q, f->h * f->h * f->beta, next);
        v = vec3_add_scaled(vec3_add_scaled(v, f->h * (1.0 - f->gamma), drive), f->h * f->gamma, next);
        shift(st, first, end, vec3_sub(q, centre_of(st, first, end, to->q)), to->q);
        shift(st, first, end, vec3_sub(v, centre_of(st, first, end, to->v)), to->v);
        shift(st, first, end, vec3_sub(a, centre_of(st, first, end, to->a)), to->a);
    }
}

// What a correction added beside the plain one loses its mean.
static void correct_centres(stepper *s, const rule *f)
{
    const structure *st = &s->d->structure;
    for (int first = 0, end; first < st->n_floating; first = end) {
        end = group_end(st, first);
        vec3 v = { 0.0, 0.0, 0.0 }, a = { 0.0, 0.0, 0.0 };
        for (int k = first; k < end; k++) {
            const floating_part *part = &st->floating[k];
            if (part->frame >= 0) {
                const turning_frame *t = &s->in.frame[part->frame];
                v = vec3_add_scaled(v, -part->share, unpacked(t, t->more_v));
                a = vec3_add_scaled(a, -part->share, unpacked(t, t->more_a));
            }
        }
        shift(st, first, end, v, s->now.v);
        shift(st, first, end, a, s->now.a);
        if (f->has_drive) {
            shift(st, first, end, a, s->now.drive);
        }
    }
}

// ---- all of them -------------------------------------------------------------------------------------------------------

LANES void turning_predict(const stepper *s, const rule *f, coords *to)
{
    for (int i = 0; i < s->d->structure.n_frame; i++) {
        const turning_frame *k = &s->in.frame[i];
        if (k->is_plane) {
            predict_in_plane(f, k, &s->old, to);
        } else {
            predict_in_space(f, k, &s->old, to);
        }
    }
    predict_centres(s, f, to);
}

// What a correction dq means for rates in frames that turn (ali3p.16).
LANES void turning_correct(stepper *s, const rule *f)
{
    int count = s->d->structure.n_frame, n = s->d->structure.n;
    for (int e = 0; e < count;) {
        e = correct_in_planes(f, e, count, n, s->right, s->in.frame, s->now.v, s->now.a);
        for (; e < count && !s->in.frame[e].is_plane; e++) {
            correct_in_space(s, f, &s->in.frame[e]);
        }
    }
    for (int e = 0; f->has_drive && e < count; e++) {
        const turning_frame *k = &s->in.frame[e];
        tray_add(&s->now.drive[k->x], unpacked(k, k->more_a));
    }
    correct_centres(s, f);
}

// ---- error of a step -------------------------------------------------------------------------------------------------

static double larger(double a, double b) { return b <= a ? a : b; } // NaN counts as large

// Three times spin times acceleration in the frame: what the third derivative of a turning vector has besides the jerk
// of the turn and the steady turn, which frames follow exactly. It does not vanish with the jerk, so that the lengths
// of steps change slowly, and alike in both directions of time (adapt.6).
static double sway(const stepper *s, const turning_frame *k)
{
    vec3 w = k->spin;
    if (k->is_plane) {
        double axis[3] = { 0.0, 0.0, 0.0 };
        axis[3 - (k->i - k->x) - (k->j - k->x)] = k->rate;
        w = tray_vec3(axis);
    }
    vec3 x = beside_centre(s->old.q, k), wx = vec3_cross(w, x), v = vec3_sub(beside_centre(s->old.v, k), wx);
    vec3 more = vec3_add_scaled(vec3_cross(w, wx), 2.0, vec3_cross(w, v));
    return 3.0 * vec3_norm(w) * vec3_norm(vec3_sub(beside_centre(s->old.a, k), more));
}

void stepper_error_of_each(const stepper *s, double h, coords *work)
{
    const structure *st = &s->d->structure;
    rule f = rule_make(h, 1.0);
    for (int i = 0; i < st->n; i++) {
        work->q[i] = s->old.q[i] + h * (s->old.v[i] + 0.5 * h * s->old.a[i]);
    }
    memcpy(work->q + st->n, s->old.q + st->n, (size_t)(st->n_q - st->n) * sizeof *work->q);
    turning_predict(s, &f, work);
    for (int i = 0; i < st->n; i++) {
        work->q[i] = fabs(s->now.q[i] - work->q[i]) / 3.0;
    }
    for (int k = 0; k < st->n_frame; k++) {
        double *at = &work->q[s->in.frame[k].x];
        *at = larger(*at, h * h * h / 12.0 * sway(s, &s->in.frame[k]));
    }
}

double stepper_error(const stepper *s, double h, coords *work)
{
    double error = 0.0;
    stepper_error_of_each(s, h, work);
    for (int i = 0; i < s->d->structure.n; i++) {
        error = larger(error, work->q[i]);
    }
    return error;
}
