// SPDX-License-Identifier: MIT
// Bodies with modes: the frame columns carry them, inertia integrals replace the nodes (flex.1 .. flex.6).
#include "coordinates/natural/natural.h"
#include <stdlib.h>
#include <string.h>

// ---- create ----------------------------------------------------------------------------------------------

static void node_vector(const bi_modes *m, int node, double r[4])
{
    r[0] = 1.0;
    r[1] = m->at[node].x;
    r[2] = m->at[node].y;
    r[3] = m->at[node].z;
}

static void shape_vector(const bi_modes *m, int mode, int node, double s[4])
{
    vec3 psi = m->shape[mode * m->n_node + node];
    s[0] = 0.0;
    s[1] = psi.x;
    s[2] = psi.y;
    s[3] = psi.z;
}

// Sums over the nodes once, so that a step depends on the modes alone.
static void integrate_nodes(const bi_modes *m, flex_body *f)
{
    for (int node = 0; node < m->n_node; node++) {
        double r[4], dm = m->mass[node];
        node_vector(m, node, r);
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b < 4; b++) {
                f->J0[4 * a + b] += dm * r[a] * r[b];
            }
        }
        for (int i = 0; i < m->n_mode; i++) {
            double s[4];
            shape_vector(m, i, node, s);
            for (int a = 0; a < 4; a++) {
                for (int b = 0; b < 4; b++) {
                    f->J1[16 * i + 4 * a + b] += dm * (r[a] * s[b] + s[a] * r[b]);
                }
                for (int b = 0; b < 3; b++) {
                    f->H0[12 * i + 3 * a + b] += dm * r[a] * s[1 + b];
                }
            }
            for (int j = 0; j < m->n_mode; j++) {
                double w[4];
                shape_vector(m, j, node, w);
                f->P[m->n_mode * i + j] += dm * (s[1] * w[1] + s[2] * w[2] + s[3] * w[3]);
                for (int a = 0; a < 4; a++) {
                    for (int b = 0; b < 4; b++) {
                        f->J2[16 * (m->n_mode * i + j) + 4 * a + b] += dm * s[a] * w[b];
                    }
                    for (int b = 0; b < 3; b++) {
                        // weight of amplitude j in the coupling of mode i
                        f->H1[12 * (m->n_mode * i + j) + 3 * a + b] += dm * w[a] * s[1 + b];
                    }
                }
            }
        }
    }
}

static int find_column(int *col, int *n_col, int q)
{
    for (int k = 0; k < *n_col; k++) {
        if (col[k] == q) {
            return k;
        }
    }
    col[*n_col] = q;
    return (*n_col)++;
}

// The four columns as a constant matrix over the body's variables.
static void frame_matrix(const natural *tab, flex_body *f)
{
    int col[3 * BODY_ENTITIES], n_col = 0;
    for (int k = 0; k < 4; k++) {
        for (int t = f->column[k].first; t < f->column[k].first + f->column[k].n_variable; t++) {
            for (int i = 0; i < 3; i++) {
                find_column(col, &n_col, tab->term[t].q + i);
            }
        }
    }
    f->n_col = n_col + f->n_mode;
    memcpy(f->col, col, (size_t)n_col * sizeof *col);
    for (int m = 0; m < f->n_mode; m++) {
        f->col[n_col + m] = f->q + m;
    }
    for (int k = 0; k < 4; k++) {
        for (int t = f->column[k].first; t < f->column[k].first + f->column[k].n_variable; t++) {
            const map_term *term = &tab->term[t];
            mat3 block = mat3_add(mat3_scale(term->s, mat3_identity()),
                                  mat3_scale(term->t, mat3_cross(tab->body[f->body].n)));
            int at = find_column(col, &n_col, term->q);
            for (int i = 0; i < 3; i++) {
                f->B[(3 * k + 0) * f->n_col + at + i] += block.col[i].x;
                f->B[(3 * k + 1) * f->n_col + at + i] += block.col[i].y;
                f->B[(3 * k + 2) * f->n_col + at + i] += block.col[i].z;
            }
        }
    }
}

static bool create_body(natural *tab, const bi_modes *m, int body, int q)
{
    flex_body *f = &tab->flex[tab->n_flex++];
    size_t n = (size_t)m->n_mode, n_col = 3 * BODY_ENTITIES + n;
    *f = (flex_body){ .body = body, .n_mode = m->n_mode, .q = q };
    f->J0 = calloc(16, sizeof *f->J0);
    f->J1 = calloc(16 * n, sizeof *f->J1);
    f->J2 = calloc(16 * n * n, sizeof *f->J2);
    f->H0 = calloc(12 * n, sizeof *f->H0);
    f->H1 = calloc(12 * n * n, sizeof *f->H1);
    f->P = calloc(n * n, sizeof *f->P);
    f->col = calloc(n_col, sizeof *f->col);
    f->B = calloc(12 * n_col, sizeof *f->B);
    f->entry = calloc(n_col * (n_col + 1) / 2, sizeof *f->entry);
    if (!f->J0 || !f->J1 || !f->J2 || !f->H0 || !f->H1 || !f->P || !f->col || !f->B || !f->entry) {
        return false;
    }
    integrate_nodes(m, f);
    for (int k = 0; k < 4; k++) {
        double weight[4] = { 0.0 };
        weight[k] = 1.0;
        if (!map_create(tab, body, weight, &f->column[k])) {
            return false;
        }
    }
    frame_matrix(tab, f);
    return true;
}

bool flexible_create(natural *tab, const plan *p, const int *mode_q)
{
    int count = 0;
    for (int b = 0; b < p->model->n_body; b++) {
        count += mode_q[b] >= 0;
    }
    tab->flex = calloc((size_t)count + 1, sizeof *tab->flex);
    bool ok = tab->flex != NULL;
    for (int b = 0; b < p->model->n_body && ok; b++) {
        if (mode_q[b] >= 0) {
            ok = create_body(tab, p->model->body[b].def.flex, b, mode_q[b]);
        }
    }
    return ok;
}

void flexible_pattern(const natural *tab, pattern_builder *builder)
{
    for (int k = 0; k < tab->n_flex; k++) {
        pattern_add_clique(builder, tab->flex[k].n_col, tab->flex[k].col);
    }
}

bool flexible_entries(natural *tab, const structure *s)
{
    for (int k = 0; k < tab->n_flex; k++) {
        flex_body *f = &tab->flex[k];
        int *entry = f->entry;
        for (int i = 0; i < f->n_col; i++) {
            for (int j = 0; j <= i; j++) {
                *entry++ = pattern_find(&s->tangent, f->col[i], f->col[j]);
            }
        }
    }
    return true;
}

void flexible_destroy(natural *tab)
{
    for (int k = 0; k < tab->n_flex; k++) {
        flex_body *f = &tab->flex[k];
        free(f->J0);
        free(f->J1);
        free(f->J2);
        free(f->H0);
        free(f->H1);
        free(f->P);
        free(f->col);
        free(f->B);
        free(f->entry);
    }
    free(tab->flex);
}

// ---- points ------------------------------------------------------------------------------------------------

// Place of a point in the deformed body, body frame, and its rate.
static void deformed(const flex_point *p, const flex_body *f, const coords *at, vec3 *place, vec3 *rate)
{
    *place = p->at;
    *rate = (vec3){ 0.0, 0.0, 0.0 };
    for (int m = 0; m < f->n_mode; m++) {
        *place = vec3_add_scaled(*place, at->q[f->q + m], p->shape[m]);
        *rate = vec3_add_scaled(*rate, at->v[f->q + m], p->shape[m]);
    }
}

static vec3 combine(const vec3 column[4], double first, vec3 weight)
{
    vec3 sum = vec3_scale(first, column[0]);
    sum = vec3_add_scaled(sum, weight.x, column[1]);
    sum = vec3_add_scaled(sum, weight.y, column[2]);
    return vec3_add_scaled(sum, weight.z, column[3]);
}

static void columns_at(const natural *tab, const flex_body *f, const double *x, vec3 column[4])
{
    for (int k = 0; k < 4; k++) {
        column[k] = map_value(tab, &f->column[k], x);
    }
}

void flexible_lift(const natural *tab, const coords *in, motion *out)
{
    for (int k = 0; k < tab->n_flex_point; k++) {
        const flex_point *p = &tab->flex_point[k];
        const flex_body *f = &tab->flex[p->flex];
        vec3 place, rate, column[4], column_rate[4];
        deformed(p, f, in, &place, &rate);
        columns_at(tab, f, in->q, column);
        columns_at(tab, f, in->v, column_rate);
        vec3 velocity = vec3_add(combine(column_rate, 1.0, place), combine(column, 0.0, rate));
        tray_put(&out->value[p->dof], combine(column, 1.0, place));
        tray_put(&out->rate[p->dof], velocity);
        // what is left of the acceleration when all second rates are zero: 2 dA/dt psi deta/dt (flex.4)
        tray_put(&out->bias[p->dof], vec3_scale(2.0, combine(column_rate, 0.0, rate)));
    }
}

void flexible_expand(const natural *tab, const flex_point *point, const coords *at, vec3 force, double *out)
{
    const flex_body *f = &tab->flex[point->flex];
    vec3 place, rate, column[4];
    deformed(point, f, at, &place, &rate);
    columns_at(tab, f, at->q, column);
    tray_put(&out[0], force);
    tray_put(&out[3], vec3_scale(place.x, force));
    tray_put(&out[6], vec3_scale(place.y, force));
    tray_put(&out[9], vec3_scale(place.z, force));
    for (int m = 0; m < f->n_mode; m++) {
        out[12 + m] = vec3_dot(force, combine(column, 0.0, point->shape[m]));
    }
}

// ---- mass and inertia forces -----------------------------------------------------------------------------------

// J = int [1 r][1 r]^T dm of the deformed body (flex.2), H_m = int [1 r] psi_m^T dm (flex.3).
static void moments(const flex_body *f, const double *eta, double J[16], double H[FLEX_MODES][12])
{
    int n = f->n_mode;
    memcpy(J, f->J0, 16 * sizeof *J);
    for (int i = 0; i < n; i++) {
        memcpy(H[i], &f->H0[12 * i], 12 * sizeof *H[i]);
        for (int k = 0; k < 16; k++) {
            J[k] += eta[i] * f->J1[16 * i + k];
        }
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < 16; k++) {
                J[k] += eta[i] * eta[j] * f->J2[16 * (n * i + j) + k];
            }
            for (int k = 0; k < 12; k++) {
                H[i][k] += eta[j] * f->H1[12 * (n * i + j) + k];
            }
        }
    }
}

// H_m applied to axes: the vector int [1 r]_k (A psi_m) dm for column k.
static vec3 coupling(const double H[12], int k, const vec3 column[4])
{
    return combine(column, 0.0, (vec3){ H[3 * k], H[3 * k + 1], H[3 * k + 2] });
}

// Mass matrix of the body over its variables: frame columns through B, amplitudes as they are (flex.5).
static void add_mass(const flex_body *f, const double J[16], double H[FLEX_MODES][12], const vec3 column[4],
                     double *M)
{
    int n_frame = f->n_col - f->n_mode, n = f->n_col;
    const int *entry = f->entry;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++, entry++) {
            double sum = 0.0;
            if (i < n_frame) {
                for (int k = 0; k < 4; k++) {
                    for (int l = 0; l < 4; l++) {
                        double dot = 0.0;
                        for (int x = 0; x < 3; x++) {
                            dot += f->B[(3 * k + x) * n + i] * f->B[(3 * l + x) * n + j];
                        }
                        sum += J[4 * k + l] * dot;
                    }
                }
            } else if (j < n_frame) {
                for (int k = 0; k < 4; k++) {
                    vec3 c = coupling(H[i - n_frame], k, column);
                    sum += c.x * f->B[(3 * k) * n + j] + c.y * f->B[(3 * k + 1) * n + j] +
                           c.z * f->B[(3 * k + 2) * n + j];
                }
            } else {
                sum = f->P[f->n_mode * (i - n_frame) + (j - n_frame)];
            }
            M[*entry] += sum;
        }
    }
}

// Q_v = -B^T M_FE dB/dt dq/dt: Coriolis forces of the vibration in the turning frame (flex.6).
static void add_inertia_force(const natural *tab, const flex_body *f, const coords *at,
                              double H[FLEX_MODES][12], const vec3 column[4], double *Q)
{
    vec3 column_rate[4];
    const double *rate = &at->v[f->q];
    columns_at(tab, f, at->v, column_rate);
    for (int k = 0; k < 4; k++) {
        vec3 force = { 0.0, 0.0, 0.0 };
        for (int m = 0; m < f->n_mode; m++) {
            force = vec3_add_scaled(force, -2.0 * rate[m], coupling(H[m], k, column_rate));
        }
        const double part[3] = { force.x, force.y, force.z };
        for (int x = 0; x < 3; x++) {
            for (int i = 0; i < f->n_col - f->n_mode; i++) {
                Q[f->col[i]] += f->B[(3 * k + x) * f->n_col + i] * part[x];
            }
        }
    }
    // on the amplitudes: psi_m . A^T dA/dt psi_n; J2 holds int psi_m psi_n^T dm
    for (int m = 0; m < f->n_mode; m++) {
        double sum = 0.0;
        for (int n = 0; n < f->n_mode; n++) {
            const double *P = &f->J2[16 * (f->n_mode * m + n)];
            for (int a = 1; a < 4; a++) {
                for (int b = 1; b < 4; b++) {
                    sum += 2.0 * rate[n] * P[4 * a + b] * vec3_dot(column[a], column_rate[b]);
                }
            }
        }
        Q[f->q + m] -= sum;
    }
}

void flexible_drop(const natural *tab, const coords *at, equations *out)
{
    for (int k = 0; k < tab->n_flex; k++) {
        const flex_body *f = &tab->flex[k];
        double J[16], H[FLEX_MODES][12];
        vec3 column[4];
        moments(f, &at->q[f->q], J, H);
        columns_at(tab, f, at->q, column);
        add_mass(f, J, H, column, out->M);
        add_inertia_force(tab, f, at, H, column, out->Q);
    }
}
