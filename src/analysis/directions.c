// SPDX-License-Identifier: MIT
// Which way a mechanism can still move, told in the words of its joints (analysis.4).
#include "analysis/directions.h"
#include "math/rotation.h"
#include "sparse/dense.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// directions that differ by less than this are one: far above rounding, far below any angle of a drawing
static const double rank_tolerance = 1e-8;
// rows times variables beyond which full matrices would keep the user waiting
static const double too_large = 3e7;

bi_status directions_find(const bi_sim *sim, directions *out)
{
    const structure *st = &sim->system->dynamics.structure;
    const double *G = sim->stepper.trays.equations.G;
    size_t n = (size_t)st->n, m = (size_t)st->n_row;
    *out = (directions){ .n = st->n };
    if ((double)m * (double)n > too_large || (double)n * (double)n > too_large) {
        return BI_FULL;
    }
    double *A = calloc(m * n + 1, sizeof *A);
    out->Z = malloc((n * n + 1) * sizeof *out->Z);
    if (!A || !out->Z) {
        free(A);
        directions_clear(out);
        return BI_NO_MEMORY;
    }
    for (size_t r = 0; r < m; r++) {
        double size = 0.0;
        for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
            A[r * n + (size_t)st->G_col[k]] += G[k];
            size = fmax(size, fabs(G[k]));
        }
        // rows of one size, so that one tolerance fits metres and radians
        for (int k = st->G_start[r]; size > 0.0 && k < st->G_start[r + 1]; k++) {
            A[r * n + (size_t)st->G_col[k]] = G[k] / size;
        }
    }
    out->count = dense_null_space(st->n_row, st->n, A, rank_tolerance, out->Z);
    free(A);
    if (out->count < 0) {
        directions_clear(out);
        return BI_NO_MEMORY;
    }
    return BI_OK;
}

void directions_clear(directions *d)
{
    free(d->Z);
    *d = (directions){ 0 };
}

// ---- names ------------------------------------------------------------------------------------------------

// Motions found so far, as orthonormal rows in the space of the directions.
typedef struct {
    const directions *d;
    double *basis; // (count x count)
    int rank;
    char *text;
    size_t length;
} naming;

// A motion that is new is named.
static void try_motion(naming *n, const double *motion, const char *name)
{
    int k = n->d->count;
    double *row = &n->basis[(size_t)n->rank * (size_t)k], before = 0.0, after = 0.0;
    if (n->rank == k) {
        return;
    }
    for (int i = 0; i < k; i++) {
        row[i] = motion[i];
        before += row[i] * row[i];
    }
    // twice, so that rounding leaves nothing of the others
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < n->rank; r++) {
            const double *other = &n->basis[(size_t)r * (size_t)k];
            double part = 0.0;
            for (int i = 0; i < k; i++) {
                part += row[i] * other[i];
            }
            for (int i = 0; i < k; i++) {
                row[i] -= part * other[i];
            }
        }
    }
    for (int i = 0; i < k; i++) {
        after += row[i] * row[i];
    }
    if (!(before > 1e-12) || !(after > 1e-6 * before)) {
        return;
    }
    for (int i = 0; i < k; i++) {
        row[i] /= sqrt(after);
    }
    n->rank++;
    size_t room = DIRECTIONS_TEXT - n->length;
    int wrote = snprintf(n->text + n->length, room, "%s%s", n->length > 0 ? ", " : "", name);
    n->length += wrote > 0 && (size_t)wrote < room ? (size_t)wrote : 0;
}

// Twist of body b against a at the joint's point on b, in the axes of the joint: a frame whose z is the axis.
static void relative_twist(const bi_sim *sim, int joint, double twist[6])
{
    const bi_model *m = sim->system->model;
    const bi_joint_def *def = &m->joint[joint].def;
    model_joint_frame f = model_joint_frames(m, joint);
    int a = def->a.i - 1, b = def->b.i - 1;
    mat3 A = quat_to_mat3(sim->pose[a].rot), B = quat_to_mat3(sim->pose[b].rot);
    vec3 z = mat3_apply(A, f.axis_a), x = vec3_perpendicular(z), y = vec3_cross(z, x);
    vec3 at_b = mat3_apply(B, f.at_b), place = vec3_add(sim->pose[b].pos, at_b);
    vec3 of_b = vec3_add(sim->twist[b].lin, vec3_cross(sim->twist[b].ang, at_b));
    vec3 of_a = vec3_add(sim->twist[a].lin, vec3_cross(sim->twist[a].ang, vec3_sub(place, sim->pose[a].pos)));
    vec3 lin = vec3_sub(of_b, of_a), ang = vec3_sub(sim->twist[b].ang, sim->twist[a].ang);
    const double value[6] = { vec3_dot(ang, z), vec3_dot(lin, z), vec3_dot(ang, x),
                              vec3_dot(ang, y), vec3_dot(lin, x), vec3_dot(lin, y) };
    memcpy(twist, value, sizeof value);
}

static void body_twist(const bi_sim *sim, int body, double twist[6])
{
    const bi_twist *w = &sim->twist[body];
    const double value[6] = { w->lin.x, w->lin.y, w->lin.z, w->ang.x, w->ang.y, w->ang.z };
    memcpy(twist, value, sizeof value);
}

// "angle" about and "position" along the axis first: those are what a guide can drive.
static const char *const joint_part[6] = { "angle",       "position",     "turn across",
                                           "turn across", "shift across", "shift across" };
static const char *const body_part[6] = { "x", "y", "z", "turn x", "turn y", "turn z" };

// The variable that moves most: a flexible body may bend where no joint and no body frame moves.
static void name_variable(const bi_sim *sim, const directions *d, char text[DIRECTIONS_TEXT])
{
    int most = 0;
    double largest = -1.0;
    for (int i = 0; i < d->n * d->count; i++) {
        if (fabs(d->Z[i]) > largest) {
            largest = fabs(d->Z[i]);
            most = i / d->count;
        }
    }
    bi_variable_name(sim->system, most, text, DIRECTIONS_TEXT);
}

void directions_name(bi_sim *sim, const directions *d, char text[DIRECTIONS_TEXT])
{
    const bi_model *m = sim->system->model;
    const dynamics *dyn = &sim->system->dynamics;
    coords *at = &sim->exact;
    size_t k = (size_t)d->count, n_thing = (size_t)(m->n_joint + m->n_body);
    naming names = { .d = d, .text = text };
    text[0] = '\0';
    // motion of every joint and body in every direction
    double *motion = calloc(n_thing * 6 * k + 1, sizeof *motion);
    names.basis = calloc(k * (k + 1) + 1, sizeof *names.basis);
    coords_copy(dyn, &sim->stepper.now, at);
    for (size_t c = 0; motion && names.basis && c < k; c++) {
        for (int i = 0; i < d->n; i++) {
            at->v[i] = d->Z[(size_t)i * k + c];
        }
        dyn->set->lift(dyn->coordinates, at, LIFT_ALL, &sim->stepper.trays.motion);
        dyn->set->poses(dyn->coordinates, at, &sim->stepper.trays.motion, NULL, sim->pose, sim->twist);
        for (size_t j = 0; j < n_thing; j++) {
            double twist[6];
            if (j < (size_t)m->n_joint) {
                relative_twist(sim, (int)j, twist);
            } else {
                body_twist(sim, (int)j - m->n_joint, twist);
            }
            for (size_t i = 0; i < 6; i++) {
                motion[(6 * j + i) * k + c] = twist[i];
            }
        }
    }
    for (size_t i = 0; motion && names.basis && i < 6 * n_thing; i++) {
        int j = (int)(i / 6), part = (int)(i % 6);
        char name[160];
        if (j < m->n_joint) {
            snprintf(name, sizeof name, "%s.%s", m->joint[j].def.name, joint_part[part]);
        } else {
            snprintf(name, sizeof name, "body %s (%s)", m->body[j - m->n_joint].def.name, body_part[part]);
        }
        try_motion(&names, &motion[i * k], name);
    }
    free(motion);
    free(names.basis);
    sim->have = 0;
    if (!text[0] && d->n * d->count > 0) {
        name_variable(sim, d, text);
    }
}
