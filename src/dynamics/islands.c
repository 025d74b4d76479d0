// SPDX-License-Identifier: MIT
#include "dynamics/islands.h"
#include "laws/contact/contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// of any point of a body that counts as standing, m/s
static const double slow = 1e-3;
// its acceleration, and forces that may change while it sleeps, over gravity
static const double light = 1e-3;
static const double usual_gravity = 9.81; // m/s2, where there is none

// ---- compile ----------------------------------------------------------------------------------------------

static bool has_rows(const plan *p, int body)
{
    for (int g = 0; g < p->n_row_group; g++) {
        for (int k = 0; k < p->row[g].n_marker; k++) {
            const marker *m = &p->marker[p->list[p->row[g].marker + k]];
            if (m->body == body && m->kind != MARKER_JOINT) {
                return true;
            }
        }
    }
    return false;
}

static bool list_parts(const plan *p, const structure *st, sleeper *s)
{
    s->variable = malloc(((size_t)st->n + (size_t)st->n_row + 2) * sizeof *s->variable);
    s->load = malloc(((size_t)p->n_marker + 1) * sizeof *s->load);
    if (!s->variable || !s->load) {
        return false;
    }
    for (int i = 0; i < st->n; i++) {
        if (st->variable_owner[i].body == s->of->body) {
            s->variable[s->n_variable++] = i;
        }
    }
    s->row = s->variable + s->n_variable;
    for (int r = 0; r < st->n_row; r++) {
        if (st->row_owner[r].group < 0 && st->row_owner[r].body == s->of->body) {
            s->row[s->n_row++] = r;
        }
    }
    for (int m = 0; m < p->n_marker; m++) {
        if (p->marker[m].body == s->of->body && p->marker[m].kind != MARKER_JOINT) {
            s->load[s->n_load++] = &p->marker[m];
        }
    }
    return true;
}

bool sleep_create(const plan *p, const structure *st, sleep_table *out)
{
    double g = vec3_norm(p->model->gravity) > 0.0 ? vec3_norm(p->model->gravity) : usual_gravity;
    *out = (sleep_table){ .time = p->sleep, .acceleration = light * g };
    out->item = calloc((size_t)p->n_sleeper + 1, sizeof *out->item);
    bool ok = out->item != NULL;
    for (int k = 0; ok && k < p->n_sleeper; k++) {
        sleeper *s = &out->item[out->count++];
        s->of = &p->sleeper[k];
        s->weight = p->model->body[s->of->body].def.mass * g;
        s->frame_dof = p->marker[s->of->frame].dof;
        s->frame = p->marker[s->of->frame].frame;
        s->def = &p->model->body[s->of->body].def;
        s->never = has_rows(p, s->of->body);
        ok = list_parts(p, st, s);
    }
    return ok;
}

void sleep_clear(sleep_table *tab)
{
    for (int k = 0; k < tab->count; k++) {
        free(tab->item[k].variable);
        free(tab->item[k].load);
    }
    free(tab->item);
    *tab = (sleep_table){ 0 };
}

// ---- in an evaluation ----------------------------------------------------------------------------------------

void sleep_hold(const sleep_table *tab, const double *memory, rows *r, equations *out)
{
    for (int k = 0; k < tab->count; k++) {
        const sleeper *s = &tab->item[k];
        if (!(memory[s->of->memory + SLEEP_IS] > 0.0)) {
            continue;
        }
        for (int i = 0; i < s->n_variable; i++) {
            out->Q[s->variable[i]] = 0.0;
        }
        for (int i = 0; i < s->n_row; i++) {
            r->phi[s->row[i]] = r->phi_t[s->row[i]] = r->gamma[s->row[i]] = 0.0;
        }
    }
}

// ---- between steps -------------------------------------------------------------------------------------------

// Force, and moment about the ground's origin, of everything but contacts between shapes, which leave out who sleeps.
static void push_on(const sleeper *s, const motion *at, const load *in, double push[6])
{
    memset(push, 0, 6 * sizeof *push);
    for (int k = 0; k < s->n_load; k++) {
        const marker *m = s->load[k];
        const double *f = &in->effort[m->dof];
        vec3 force = tray_vec3(f), arm = tray_vec3(&at->value[m->dof]);
        if (m->kind != MARKER_VECTOR) {
            tray_add(push, force);
        }
        tray_add(push + 3, vec3_cross(arm, force));
        if (m->kind == MARKER_FRAME) {
            tray_add(push + 3, tray_vec3(f + 3));
        }
    }
}

// What else acts on a body that sleeps is what it was when it fell asleep.
static bool is_pushed(const sleeper *s, const law_in *in, const load *from, double *own)
{
    double push[6], *before = own + SLEEP_PUSH, force = 0.0, moment = 0.0;
    push_on(s, in->at, from, push);
    if (!(own[SLEEP_KNOWN] > 0.0)) {
        memcpy(before, push, sizeof push);
        own[SLEEP_KNOWN] = 1.0;
    }
    for (int i = 0; i < 3; i++) {
        force = fmax(force, fabs(push[i] - before[i]));
        moment = fmax(moment, fabs(push[i + 3] - before[i + 3]));
    }
    return !(force <= light * s->weight && moment <= light * s->weight * s->of->reach);
}

// Hardly moves, and hardly begins to.
static bool is_still(const sleep_table *tab, const sleeper *s, const double *twist, const double *before,
                     double h)
{
    vec3 change = vec3_sub(tray_vec3(twist), tray_vec3(before)),
         turn = vec3_sub(tray_vec3(twist + 3), tray_vec3(before + 3));
    double speed = vec3_norm(tray_vec3(twist)) + s->of->reach * vec3_norm(tray_vec3(twist + 3));
    double gained = vec3_norm(change) + s->of->reach * vec3_norm(turn);
    return speed <= slow && gained <= tab->acceleration * h;
}

typedef struct {
    double time;
    bool has_changed;
} meeting;

// Nobody sleeps beside one who does not: both must be ready for it, and who is ready first waits (contact.18).
static void meet(double *memory, int a, int b, void *to)
{
    static const double nearly = 0.99;
    meeting *all = to;
    bool a_ready = a >= 0 && memory[a + SLEEP_STILL] >= all->time,
         b_ready = b >= 0 && memory[b + SLEEP_STILL] >= all->time;
    if (a_ready != b_ready) {
        memory[(a_ready ? a : b) + SLEEP_STILL] = nearly * all->time;
        all->has_changed = true;
    }
}

static void look_around(const sleep_table *tab, const laws *laws, const law_in *in, double h, double *memory)
{
    meeting all = { tab->time, true };
    while (all.has_changed) {
        all.has_changed = false;
        for (int k = 0; k < laws->n_table; k++) {
            if (laws->table[k].kind == &contact_kind) {
                contact_near(laws->table[k].item, laws->table[k].count, in, h, memory, meet, &all);
            }
        }
    }
}

static void stop(const sleeper *s, coords *now)
{
    for (int i = 0; i < s->n_variable; i++) {
        int q = s->variable[i];
        now->v[q] = now->a[q] = now->drive[q] = 0.0;
    }
}

// Kinetic energy of a rigid body with this twist of its origin, J.
static double kinetic(const bi_body_def *d, const mat3 *axes, const double *twist)
{
    vec3 spin = tray_vec3(twist + 3), w = mat3_apply_transposed(*axes, spin);
    vec3 v = vec3_add(tray_vec3(twist), vec3_cross(spin, mat3_apply(*axes, d->com)));
    const double *I = d->inertia;
    double turning = I[0] * w.x * w.x + I[1] * w.y * w.y + I[2] * w.z * w.z +
                     2.0 * (I[3] * w.x * w.y + I[4] * w.y * w.z + I[5] * w.z * w.x);
    return 0.5 * (d->mass * vec3_dot(v, v) + turning);
}

// Who is ready sleeps, all others are awake.
static int change_over(const sleep_table *tab, const motion *at, coords *now, double *lost)
{
    int changed = 0;
    *lost = 0.0;
    for (int k = 0; k < tab->count; k++) {
        const sleeper *s = &tab->item[k];
        double *own = &now->memory[s->of->memory];
        bool was_asleep = own[SLEEP_IS] > 0.0, is_asleep = own[SLEEP_STILL] >= tab->time;
        if (was_asleep == is_asleep) {
            continue;
        }
        changed++;
        memset(own + SLEEP_TWIST, 0, (SLEEP_SIZE - SLEEP_TWIST) * sizeof *own);
        own[SLEEP_IS] = is_asleep ? 1.0 : 0.0;
        if (is_asleep) {
            *lost += kinetic(s->def, &at->axes[s->frame], &at->rate[s->frame_dof]);
            stop(s, now);
        }
    }
    return changed;
}

int sleep_after(const sleep_table *tab, const laws *laws, const law_in *in, const load *in_load, double h,
                coords *now, double *lost)
{
    for (int k = 0; k < tab->count; k++) {
        const sleeper *s = &tab->item[k];
        double *own = &now->memory[s->of->memory], *before = own + SLEEP_TWIST;
        const double *twist = &in->at->rate[s->frame_dof];
        bool is_quiet;
        if (own[SLEEP_IS] > 0.0) {
            is_quiet = !is_pushed(s, in, in_load, own);
        } else {
            is_quiet = is_still(tab, s, twist, before, h);
            memcpy(before, twist, 6 * sizeof *before);
            own[SLEEP_STILL] += h;
        }
        if (!is_quiet || own[SLEEP_STIRRED] > 0.0 || s->never) {
            own[SLEEP_STILL] = 0.0;
        }
        own[SLEEP_STIRRED] = 0.0;
    }
    look_around(tab, laws, in, h, now->memory);
    return change_over(tab, in->at, now, lost);
}

int sleep_before(const sleep_table *tab, const laws *laws, const law_in *in, const double *second,
                 coords *now)
{
    for (int k = 0; k < tab->count; k++) {
        const sleeper *s = &tab->item[k];
        double *own = &now->memory[s->of->memory];
        const double *twist = &in->at->rate[s->frame_dof], *gained = &second[s->frame_dof];
        const double zero[6] = { 0.0 };
        double speed = vec3_norm(tray_vec3(twist)) + vec3_norm(tray_vec3(twist + 3));
        bool is_at_rest = speed == 0.0 && !s->never;
        own[SLEEP_STILL] = is_at_rest && is_still(tab, s, zero, gained, 1.0) ? tab->time : 0.0;
        own[SLEEP_STIRRED] = 0.0;
    }
    look_around(tab, laws, in, 0.0, now->memory);
    double nothing;
    return change_over(tab, in->at, now, &nothing);
}
