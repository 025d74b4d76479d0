// SPDX-License-Identifier: MIT
// The constant mass matrix of rigid bodies (natural.7).
#include "coordinates/natural/compile.h"
#include <stdlib.h>
#include <string.h>

void mass_moments(const bi_body_def *d, double J[4][4])
{
    const double c[3] = { d->com.x, d->com.y, d->com.z }, *i = d->inertia;
    const double tensor[3][3] = { { i[0], i[3], i[5] }, { i[3], i[1], i[4] }, { i[5], i[4], i[2] } };
    double half_trace = 0.5 * (i[0] + i[1] + i[2]);
    J[0][0] = d->mass;
    for (int a = 0; a < 3; a++) {
        J[0][1 + a] = J[1 + a][0] = d->mass * c[a];
        for (int b = 0; b < 3; b++) {
            J[1 + a][1 + b] = (a == b ? half_trace : 0.0) - tensor[a][b] + d->mass * c[a] * c[b];
        }
    }
}

static double form(const double x[4], double J[4][4], const double y[4])
{
    double sum = 0.0;
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            sum += x[a] * J[a][b] * y[b];
        }
    }
    return sum;
}

// Block of the mass matrix between entities e and f of a body (natural.8).
static mat3 mass_block(const natural_body *b, double J[4][4], int e, int f)
{
    double ss = form(b->S[e], J, b->S[f]), st = form(b->S[e], J, b->T[f]);
    double ts = form(b->T[e], J, b->S[f]), tt = form(b->T[e], J, b->T[f]);
    mat3 N = mat3_cross(b->n);
    mat3 out = mat3_scale(ss + tt, mat3_identity());
    out = mat3_add(out, mat3_scale(st - ts, N));
    return mat3_add(out, mat3_scale(-tt, mat3_outer(b->n, b->n)));
}

// Calls back for every entry of the rigid bodies' mass matrices, i <= j counted once.
void compile_each_mass(compiler *c, void (*use)(compiler *, int i, int j, double value))
{
    for (int b = 1; b < c->model->n_body; b++) {
        const natural_body *body = &c->tab->body[b];
        if (c->model->body[b].def.flex) {
            continue;
        }
        double J[4][4];
        mass_moments(&c->model->body[b].def, J);
        for (int e = 0; e < body->n_entity; e++) {
            for (int f = 0; f <= e; f++) {
                if (body->q[e] >= c->tab->n || body->q[f] >= c->tab->n) {
                    continue;
                }
                mat3 block = mass_block(body, J, e, f);
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        const double column[3] = { block.col[j].x, block.col[j].y, block.col[j].z };
                        if (column[i] != 0.0 && (e != f || j <= i)) {
                            use(c, body->q[e] + i, body->q[f] + j, column[i]);
                        }
                    }
                }
            }
        }
    }
}

// Inertia of joint coordinates alone.
void compile_each_rotor(compiler *c, void (*use)(compiler *, int i, int j, double value))
{
    for (int m = 0; m < c->p->n_marker; m++) {
        const marker *k = &c->p->marker[m];
        double inertia = k->kind == MARKER_JOINT ? c->model->joint[k->joint].def.armature : 0.0;
        if (inertia > 0.0) {
            use(c, c->out->marker_q[m], c->out->marker_q[m], inertia);
        }
    }
}

// A vector across a flat body, or along a needle, has no inertia of its own but that of rounding or of a thin layer:
// what moves it moves the body's other vectors, too. An entity is light where it has a millionth of what it had if the
// mass were spread alike in all directions (natural.13).
bool compile_light(compiler *c)
{
    static const double thin = 1e-6;
    double *light = calloc((size_t)c->out->n + 1, sizeof *light);
    for (int b = 1; light && b < c->model->n_body; b++) {
        const natural_body *body = &c->tab->body[b];
        const bi_body_def *d = &c->model->body[b].def;
        double spread = 0.5 * (d->inertia[0] + d->inertia[1] + d->inertia[2]);
        for (int e = 0; !d->flex && e < body->n_entity; e++) {
            const double *S = body->S[e], *T = body->T[e];
            double at_com = S[0] + S[1] * d->com.x + S[2] * d->com.y + S[3] * d->com.z;
            double across = S[1] * S[1] + S[2] * S[2] + S[3] * S[3] + T[1] * T[1] + T[2] * T[2] + T[3] * T[3];
            for (int i = 0; i < 3 && body->q[e] < c->tab->n; i++) {
                light[body->q[e] + i] += thin * (d->mass * at_com * at_com + spread * across);
            }
        }
    }
    c->out->light = light;
    return light != NULL;
}

// The nonzeros of M, so that products with it stay short.
bool compile_mass_list(compiler *c)
{
    natural *tab = c->tab;
    const pattern *T = &c->out->tangent;
    tab->mass = malloc(((size_t)T->nnz + 1) * sizeof *tab->mass);
    char *used = calloc((size_t)T->nnz + 1, 1);
    if (!tab->mass || !used) {
        free(used);
        return false;
    }
    for (int f = 0; f < tab->n_flex; f++) {
        int n_col = tab->flex[f].n_col;
        for (int k = 0; k < n_col * (n_col + 1) / 2; k++) {
            used[tab->flex[f].entry[k]] = 1;
        }
        // amplitudes among themselves are multiplied together (modal_multiply)
        for (int j = 0; j < tab->flex[f].n_mode; j++) {
            memset(&used[tab->flex[f].modal.entry[j]], 0, (size_t)j + 1);
        }
    }
    for (int j = 0; j < T->n; j++) {
        for (int k = T->start[j]; k < T->start[j + 1]; k++) {
            if (tab->M0[k] != 0.0 || used[k]) {
                tab->mass[tab->n_mass++] = (mass_entry){ T->row[k], j, k };
            }
        }
    }
    free(used);
    return true;
}
