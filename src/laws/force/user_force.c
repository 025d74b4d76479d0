// SPDX-License-Identifier: MIT
// A law by the user's callback. Without a tangent of its own it gets one by central differences.
#include "laws/force/user_force.h"
#include "laws/force/force.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int element, block, width;
    int point[BI_USER_POINTS], joint[BI_USER_JOINTS]; // dofs
    const bi_user_force_def *def;                     // borrowed from the model
} user_force;

enum { LOADS = 3 }; // of an evaluation and of two beside it

static void user_compile(plan *p, int element, const void *def, void *item)
{
    const bi_user_force_def *d = def;
    user_force *out = item;
    int list[BI_USER_POINTS + BI_USER_JOINTS] = { 0 }, n = 0;
    *out = (user_force){ .element = element, .width = 3 * d->n_point + d->n_joint, .def = d };
    for (int k = 0; k < d->n_point; k++) {
        list[n] = plan_point(p, d->point[k].body.i - 1, d->point[k].at);
        out->point[k] = plan_dof(p, list[n++]);
    }
    for (int k = 0; k < d->n_joint; k++) {
        list[n] = plan_joint(p, d->joint[k].i - 1, 0);
        out->joint[k] = plan_dof(p, list[n++]);
    }
    out->block = plan_block(p, list, n);
    plan_spare(p, spare_size(LOADS, sizeof(bi_force_load)));
}

static bi_force_motion user_motion(const user_force *u, const law_in *in)
{
    bi_force_motion m = { .t = in->u->t };
    for (int k = 0; k < u->def->n_point; k++) {
        m.pos[k] = tray_vec3(&in->at->value[u->point[k]]);
        m.vel[k] = tray_vec3(&in->at->rate[u->point[k]]);
    }
    for (int k = 0; k < u->def->n_joint; k++) {
        m.value[k] = in->at->value[u->joint[k]];
        m.rate[k] = in->at->rate[u->joint[k]];
    }
    return m;
}

static void call(const user_force *u, const bi_force_motion *m, bi_force_load *out)
{
    memset(out, 0, sizeof *out);
    u->def->eval(u->def->data, m, out);
}

typedef enum { OF_VALUES, OF_RATES } motion_part;

// One number of the motion: of a point or joint, its position or its rate.
static double *number_of(const user_force *u, bi_force_motion *m, int i, motion_part part)
{
    int points = 3 * u->def->n_point;
    if (i >= points) {
        return part == OF_RATES ? &m->rate[i - points] : &m->value[i - points];
    }
    bi_vec3 *v = part == OF_RATES ? &m->vel[i / 3] : &m->pos[i / 3];
    return i % 3 == 0 ? &v->x : i % 3 == 1 ? &v->y : &v->z;
}

static double effort_of(const user_force *u, const bi_force_load *l, int i)
{
    int points = 3 * u->def->n_point;
    if (i >= points) {
        return l->effort[i - points];
    }
    const bi_vec3 *f = &l->force[i / 3];
    return i % 3 == 0 ? f->x : i % 3 == 1 ? f->y : f->z;
}

// Where it is not, the law is named by its own number.
static bool is_number(const user_force *u, const bi_force_load *l)
{
    bool is = true;
    for (int i = 0; i < u->width; i++) {
        is = is && isfinite(effort_of(u, l, i));
    }
    return is;
}

// -d effort / d value or rate by central differences; work: two loads.
static void differences(const user_force *u, bi_force_motion m, motion_part part, bi_force_load work[2],
                        double *out)
{
    m.wants_tangent = false;
    for (int j = 0; j < u->width; j++) {
        double *x = number_of(u, &m, j, part), at = *x, h = USER_STEP * fmax(1.0, fabs(at));
        *x = at + h;
        call(u, &m, &work[1]);
        *x = at - h;
        call(u, &m, &work[0]);
        *x = at;
        for (int i = 0; i < u->width; i++) {
            out[i * u->width + j] = (effort_of(u, &work[0], i) - effort_of(u, &work[1], i)) / (2.0 * h);
        }
    }
}

static void user_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const user_force *item = items;
    for (int k = 0; k < count; k++) {
        const user_force *u = &item[k];
        bi_force_motion m = user_motion(u, in);
        bi_force_load *work = SPARE_NEW(in->spare, bi_force_load, LOADS), *l = &work[2];
        size_t size = (size_t)(u->width * u->width) * sizeof(double);
        double *K = &out->load->K[u->block], *C = &out->load->C[u->block];
        m.wants_tangent = u->def->gives_tangent && (in->want & LAW_TANGENT);
        call(u, &m, l);
        for (int i = 0; i < u->def->n_point; i++) {
            tray_add(&out->load->effort[u->point[i]], l->force[i]);
        }
        for (int i = 0; i < u->def->n_joint; i++) {
            out->load->effort[u->joint[i]] += l->effort[i];
        }
        out->load->scalar[u->element] = is_number(u, l) ? l->scalar : NAN;
        if (m.wants_tangent) {
            memcpy(K, l->K, size);
            memcpy(C, l->C, size);
        } else if (in->want & LAW_TANGENT) {
            differences(u, m, OF_VALUES, work, K);
            differences(u, m, OF_RATES, work, C);
        }
        spare_give(in->spare, work);
    }
}

static void user_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const user_force *item = items;
    for (int k = 0; k < count; k++) {
        const user_force *u = &item[k];
        bi_force_motion m = user_motion(u, in);
        bi_force_load *l = SPARE_NEW(in->spare, bi_force_load, 1);
        call(u, &m, l);
        for (int i = 0; i < u->width; i++) {
            out->power += effort_of(u, l, i) * *number_of(u, &m, i, OF_RATES);
        }
        spare_give(in->spare, l);
    }
}

// -d effort / d value or rate by differences to one side; work: two loads.
static void one_sided(const user_force *u, bi_force_motion m, motion_part part, double step,
                      bi_force_load work[2], double *out)
{
    m.wants_tangent = false;
    call(u, &m, &work[0]);
    for (int j = 0; j < u->width; j++) {
        double *x = number_of(u, &m, j, part), at = *x, h = step * fmax(1.0, fabs(at));
        *x = at + h;
        call(u, &m, &work[1]);
        *x = at;
        for (int i = 0; i < u->width; i++) {
            out[i * u->width + j] = (effort_of(u, &work[0], i) - effort_of(u, &work[1], i)) / h;
        }
    }
}

void user_force_check(const plan *p, const void *items, int count, const law_in *in, bi_report *report)
{
    const user_force *item = items;
    for (int k = 0; k < count; k++) {
        const user_force *u = &item[k];
        if (!u->def->gives_tangent) {
            continue;
        }
        bi_force_motion m = user_motion(u, in);
        bi_force_load l, work[2];
        double ahead[BI_USER_WIDTH * BI_USER_WIDTH], behind[BI_USER_WIDTH * BI_USER_WIDTH];
        m.wants_tangent = true;
        call(u, &m, &l);
        for (int part = OF_VALUES; part <= OF_RATES; part++) {
            one_sided(u, m, (motion_part)part, USER_STEP, work, ahead);
            one_sided(u, m, (motion_part)part, -USER_STEP, work, behind);
            bool is_rate = part == OF_RATES;
            user_tangent_compare(p,
                                 &(user_tangent){ is_rate ? "C" : "K", u->element, u->width,
                                                  is_rate ? l.C : l.K, ahead, behind,
                                                  "leave gives_tangent out" },
                                 report);
        }
    }
}

int user_force_lost(const void *items, int count, const law_in *in, char *text, size_t size)
{
    const user_force *item = items;
    for (int k = 0; k < count; k++) {
        const user_force *u = &item[k];
        bi_force_motion m = user_motion(u, in);
        bi_force_load l;
        m.wants_tangent = u->def->gives_tangent;
        call(u, &m, &l);
        for (int i = 0; i < u->width; i++) {
            if (!isfinite(effort_of(u, &l, i))) {
                int points = 3 * u->def->n_point;
                if (i < points) {
                    snprintf(text, size, "force[%d].%c of its callback is %g", i / 3, 'x' + i % 3,
                             effort_of(u, &l, i));
                } else {
                    snprintf(text, size, "effort[%d] of its callback is %g", i - points, effort_of(u, &l, i));
                }
                return u->element;
            }
        }
        for (int i = 0; m.wants_tangent && i < u->width * u->width; i++) {
            if (!isfinite(l.K[i]) || !isfinite(l.C[i])) {
                snprintf(text, size, "%s[%d][%d] of its callback is %g", isfinite(l.K[i]) ? "C" : "K",
                         i / u->width, i % u->width, isfinite(l.K[i]) ? l.C[i] : l.K[i]);
                return u->element;
            }
        }
    }
    return -1;
}

// Not in a section of files: a callback cannot be written there.
static const bi_kind schema = { "user", "force", sizeof(bi_user_force_def), NULL, 0, "a law by a callback" };
const law_kind user_force_kind = { &schema, sizeof(user_force), user_compile, user_eval,
                                   NULL,    user_energy,        NULL };
