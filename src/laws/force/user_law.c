// SPDX-License-Identifier: MIT
// A law by the user's callback on any number of points and coordinates, with a memory of its own that follows after
// accepted steps. Without a tangent of its own it gets one by central differences.
#include "laws/force/force.h"
#include "laws/force/user_force.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int element, block, n, memory;
    int *dof;                    // of each number of the motion (n)
    int signal[BI_USER_SIGNALS]; // slots of its expressions
    int told;                    // first of its numbers among the scalars
    size_t room; // in the scratch: values, rates, efforts, two of these for differences (5 n), signals, told
    const bi_user_law_def *def; // borrowed from the model
} user_law;

static bool is_usable(plan *p, int element, const bi_user_law_def *d)
{
    const bi_model *m = p->model;
    if (!d->eval) {
        plan_complain(p, element, "", "needs a callback: only a program can add such a law");
        return false;
    }
    if (d->n_coordinate < 0 || d->n_coordinate > BI_USER_COORDINATES || d->n_memory < 0 ||
        d->points.count + d->n_coordinate + d->n_told < 1) {
        plan_complain(p, element, "",
                      "needs at least one point or coordinate, at most %d coordinates, and no less than no "
                      "memory",
                      BI_USER_COORDINATES);
        return false;
    }
    if (d->n_signal < 0 || d->n_signal > BI_USER_SIGNALS || d->n_told < 0 || d->n_told > BI_USER_SIGNALS) {
        plan_complain(p, element, "", "reads and tells at most %d numbers", BI_USER_SIGNALS);
        return false;
    }
    if (d->n_memory > 0 && !d->commit) {
        plan_complain(p, element, "", "has a memory that nobody writes: give 'commit', or no memory");
        return false;
    }
    for (int k = 0; k < d->n_coordinate; k++) {
        int j = d->coordinate[k].joint.i - 1;
        if (j < 0 || j >= m->n_joint || d->coordinate[k].index < 0 ||
            d->coordinate[k].index >= model_coordinate_count(m->joint[j].def.kind)) {
            plan_complain(p, element, "", "has a coordinate, number %d, that is none of this model", k);
            return false;
        }
    }
    return true;
}

static void user_law_compile(plan *p, int element, const void *def, void *item)
{
    const bi_user_law_def *d = def;
    user_law *out = item;
    *out = (user_law){ .element = element, .def = d };
    int count = d->points.count + d->n_coordinate;
    int *list = is_usable(p, element, d) ? plan_keep(p, (size_t)(count + 1) * sizeof *list) : NULL;
    out->dof = list ? plan_keep(p, (size_t)(3 * count + 1) * sizeof *out->dof) : NULL;
    if (!out->dof) {
        return;
    }
    for (int k = 0; k < d->n_signal; k++) {
        plan_signal(p, d->signal[k]);
        out->signal[k] = d->signal[k].i - 1;
    }
    if (d->n_told > 0) {
        const char *unit[BI_USER_SIGNALS];
        for (int k = 0; k < d->n_told; k++) {
            unit[k] = "1";
        }
        out->told = plan_add_readings(p, element, d->n_told, d->told, unit);
    }
    for (int k = 0; k < d->points.count; k++) {
        const bi_point *at = &d->points.item[k].point;
        list[k] = plan_point(p, at->body.i - 1, at->at);
        for (int i = 0; i < 3; i++) {
            out->dof[out->n++] = plan_dof(p, list[k]) + i;
        }
    }
    for (int k = 0; k < d->n_coordinate; k++) {
        int m = plan_joint(p, d->coordinate[k].joint.i - 1, d->coordinate[k].index);
        list[d->points.count + k] = m;
        out->dof[out->n++] = plan_dof(p, m);
    }
    out->block = d->tangent == BI_TANGENT_NONE || count == 0 ? -1 : plan_block(p, list, count);
    out->memory = d->n_memory > 0 ? plan_memory(p, d->n_memory) : 0;
    out->room = plan_scratch(p, (size_t)(5 * out->n + 1 + d->n_signal + d->n_told) * sizeof(double));
}

// Where the motion is gathered, and efforts are written.
typedef struct {
    double *value, *rate, *effort, *low, *high, *signal, *told;
} rooms;

static rooms rooms_of(const user_law *u, const law_in *in)
{
    double *from = (double *)(void *)((char *)in->scratch + u->room);
    double *signal = from + 5 * u->n + 1; // a law on nothing has one effort, which tells that it is lost
    return (rooms){ from,
                    from + u->n,
                    from + 2 * u->n,
                    from + 3 * u->n,
                    from + 4 * u->n,
                    signal,
                    signal + u->def->n_signal };
}

static bi_law_motion motion_of(const user_law *u, const law_in *in, const rooms *r)
{
    for (int i = 0; i < u->n; i++) {
        r->value[i] = in->at->value[u->dof[i]];
        r->rate[i] = in->at->rate[u->dof[i]];
    }
    for (int k = 0; k < u->def->n_signal; k++) {
        r->signal[k] = u->signal[k] >= 0 ? in->u->signal[u->signal[k]].v : 0.0;
    }
    return (bi_law_motion){ .t = in->u->t,
                            .signal = r->signal,
                            .h = in->u->h,
                            .n = u->n,
                            .value = r->value,
                            .rate = r->rate,
                            .memory = &in->memory[u->memory] };
}

static void call(const user_law *u, const bi_law_motion *m, double *effort, bi_law_load *out)
{
    memset(effort, 0, (size_t)u->n * sizeof *effort);
    out->effort = effort;
    u->def->eval(u->def->data, m, out);
}

// -d effort / d value or rate by central differences.
static void differences(const user_law *u, const bi_law_motion *m, const rooms *r, double *of, double *out)
{
    bi_law_load load = { 0 };
    for (int j = 0; j < u->n; j++) {
        double at = of[j], h = USER_STEP * fmax(1.0, fabs(at));
        of[j] = at + h;
        call(u, m, r->high, &load);
        of[j] = at - h;
        call(u, m, r->low, &load);
        of[j] = at;
        for (int i = 0; i < u->n; i++) {
            out[i * u->n + j] = (r->low[i] - r->high[i]) / (2.0 * h);
        }
    }
}

// Of what it was given and gave; -1: all are numbers.
static int first_lost(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return i;
        }
    }
    return -1;
}

// A law that has lost its numbers, or its memory, pushes with none, so that the step fails and names it.
static void lose(const user_law *u, const bi_law_motion *m, const rooms *r, bi_law_load *out)
{
    if (first_lost(m->memory, u->def->n_memory) >= 0 || first_lost(r->effort, u->n) >= 0) {
        r->effort[0] = NAN;
        out->scalar = NAN;
        for (int k = 0; k < u->def->n_told; k++) {
            r->told[k] = NAN;
        }
    }
}

static void user_law_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const user_law *item = items;
    for (int k = 0; k < count; k++) {
        const user_law *u = &item[k];
        rooms r = rooms_of(u, in);
        bi_law_motion m = motion_of(u, in, &r);
        bi_law_load load = { 0 };
        bool wants = u->block >= 0 && (in->want & LAW_TANGENT), gives = u->def->tangent == BI_TANGENT_GIVEN;
        double *K = wants ? &out->load->K[u->block] : NULL, *C = wants ? &out->load->C[u->block] : NULL;
        if (wants) {
            memset(K, 0, (size_t)(u->n * u->n) * sizeof *K);
            memset(C, 0, (size_t)(u->n * u->n) * sizeof *C);
        }
        load.K = gives ? K : NULL;
        load.C = gives ? C : NULL;
        load.told = r.told;
        memset(r.told, 0, (size_t)u->def->n_told * sizeof *r.told);
        call(u, &m, r.effort, &load);
        lose(u, &m, &r, &load);
        for (int i = 0; i < u->n; i++) {
            out->load->effort[u->dof[i]] += r.effort[i];
        }
        out->load->scalar[u->element] = load.scalar;
        memcpy(&out->load->scalar[u->told], r.told, (size_t)u->def->n_told * sizeof *r.told);
        if (wants && !gives) {
            differences(u, &m, &r, r.value, K);
            differences(u, &m, &r, r.rate, C);
        }
    }
}

// What it stores, and the power of the rest: that of its efforts less the rate of what is stored, by a difference along
// the motion.
static void user_law_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    static const double step = 1e-6; // s
    const user_law *item = items;
    for (int k = 0; k < count; k++) {
        const user_law *u = &item[k];
        rooms r = rooms_of(u, in);
        bi_law_motion m = motion_of(u, in, &r);
        bi_law_load now = { 0 }, ends[2] = { { 0 }, { 0 } };
        call(u, &m, r.effort, &now);
        for (int i = 0; i < u->n; i++) {
            out->power += r.effort[i] * r.rate[i];
        }
        for (int s = 0; s < 2; s++) {
            for (int i = 0; i < u->n; i++) {
                r.value[i] = in->at->value[u->dof[i]] + (s == 0 ? -step : step) * r.rate[i];
            }
            call(u, &m, r.low, &ends[s]);
        }
        out->potential += now.potential;
        out->power += (ends[1].potential - ends[0].potential) / (2.0 * step);
    }
}

static void user_law_commit(const void *items, int count, const law_in *in, double *memory)
{
    const user_law *item = items;
    for (int k = 0; k < count; k++) {
        const user_law *u = &item[k];
        if (u->def->commit) {
            rooms r = rooms_of(u, in);
            bi_law_motion m = motion_of(u, in, &r);
            u->def->commit(u->def->data, &m, &memory[u->memory]);
        }
    }
}

// ---- what is wrong with its numbers --------------------------------------------------------------------------------

static void one_sided(const user_law *u, const bi_law_motion *m, const rooms *r, double *of, double step,
                      double *out)
{
    bi_law_load load = { 0 };
    call(u, m, r->low, &load);
    for (int j = 0; j < u->n; j++) {
        double at = of[j], h = step * fmax(1.0, fabs(at));
        of[j] = at + h;
        call(u, m, r->high, &load);
        of[j] = at;
        for (int i = 0; i < u->n; i++) {
            out[i * u->n + j] = (r->low[i] - r->high[i]) / h;
        }
    }
}

void user_law_check(const plan *p, const void *items, int count, const law_in *in, bi_report *report)
{
    const user_law *item = items;
    for (int k = 0; k < count; k++) {
        const user_law *u = &item[k];
        size_t size = (size_t)u->n * (size_t)u->n;
        double *K = u->def->tangent == BI_TANGENT_GIVEN ? calloc(4 * size + 1, sizeof *K) : NULL;
        if (!K) {
            continue;
        }
        double *C = K + size, *ahead = C + size, *behind = ahead + size;
        rooms r = rooms_of(u, in);
        bi_law_motion m = motion_of(u, in, &r);
        bi_law_load load = { .K = K, .C = C };
        call(u, &m, r.effort, &load);
        for (int part = 0; part < 2; part++) {
            double *of = part == 0 ? r.value : r.rate;
            one_sided(u, &m, &r, of, USER_STEP, ahead);
            one_sided(u, &m, &r, of, -USER_STEP, behind);
            user_tangent_compare(p,
                                 &(user_tangent){ part == 0 ? "K" : "C", u->element, u->n, part == 0 ? K : C,
                                                  ahead, behind, "ask for BI_TANGENT_DIFFERENCES" },
                                 report);
        }
        free(K);
    }
}

int user_law_lost(const void *items, int count, const law_in *in, char *text, size_t size)
{
    const user_law *item = items;
    for (int k = 0; k < count; k++) {
        const user_law *u = &item[k];
        rooms r = rooms_of(u, in);
        bi_law_motion m = motion_of(u, in, &r);
        bi_law_load load = { 0 };
        int i = first_lost(m.memory, u->def->n_memory);
        const char *why = i >= 0 && u->def->failure ? u->def->failure(u->def->data) : NULL;
        if (why && why[0]) {
            snprintf(text, size, "%s", why);
            return u->element;
        }
        if (i >= 0) {
            snprintf(text, size, "memory[%d], as its commit left it, is %g", i, m.memory[i]);
            return u->element;
        }
        call(u, &m, r.effort, &load);
        i = first_lost(r.effort, u->n);
        if (i >= 0) {
            snprintf(text, size, "effort[%d] of its callback is %g", i, r.effort[i]);
            return u->element;
        }
    }
    return -1;
}

static const bi_field fields[] = {
    { "points", BI_FIELD_POINTS, offsetof(bi_user_law_def, points), NULL, 0, "points that it pushes" },
};
// Not in a section of files: a callback cannot be written there.
static const bi_kind schema = { "user", "law", sizeof(bi_user_law_def),
                                fields, 1,     "a law by a callback, with memory" };
const law_kind user_law_kind = { .schema = &schema,
                                 .item = sizeof(user_law),
                                 .compile = user_law_compile,
                                 .eval = user_law_eval,
                                 .energy = user_law_energy,
                                 .commit = user_law_commit };
