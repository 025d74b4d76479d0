// SPDX-License-Identifier: MIT
// Flat shells: membrane, plate and the turn about the normal, in the mean plane of the element; eqs. (shell.1) to
// (shell.6).
#include "flex/mesh/shell.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the shear modulus: ties the turn about the normal to that of the membrane. Between 1e-4 and 1 plates do not
// change, the roof of Scordelis and Lo (16 x 16) changes by 1.4 %, the pinched cylinder (32 x 32) by 0.3 %.
static const double DRILLING = 1e-2;
static const double SHEAR = 5.0 / 6.0;
static const double MOST_WARP = 0.1; // height of a node over the mean plane, of the longest side

bool shell_plane_of(const fe_element *e, int n_node, shell_plane *out)
{
    const vec3 *p = e->at;
    bool is_quad = n_node == 4;
    vec3 along = is_quad ? vec3_sub(vec3_add(p[1], p[2]), vec3_add(p[0], p[3])) : vec3_sub(p[1], p[0]);
    vec3 normal = is_quad ? vec3_cross(vec3_sub(p[2], p[0]), vec3_sub(p[3], p[1]))
                          : vec3_cross(along, vec3_sub(p[2], p[0]));
    double span = 0.0;
    *out = (shell_plane){ .n_node = n_node };
    for (int i = 0; i < n_node; i++) {
        out->origin = vec3_add_scaled(out->origin, 1.0 / n_node, p[i]);
        span = fmax(span, vec3_norm(vec3_sub(p[i], p[0])));
    }
    if (!(vec3_norm(normal) > 1e-10 * span * span)) {
        return false;
    }
    out->z = vec3_normalized(normal);
    out->x = vec3_normalized(vec3_add_scaled(along, -vec3_dot(along, out->z), out->z));
    out->y = vec3_cross(out->z, out->x);
    for (int i = 0; i < n_node; i++) {
        vec3 d = vec3_sub(p[i], out->origin);
        out->at[i][0] = vec3_dot(d, out->x);
        out->at[i][1] = vec3_dot(d, out->y);
        out->height[i] = vec3_dot(d, out->z);
    }
    return true;
}

vec3 fe_shell_normal(const fe_element *e)
{
    shell_plane p;
    (void)shell_plane_of(e, fe_kind_of(e->def->kind)->n_node, &p);
    return p.z;
}

// The same element in its plane, for the membrane.
static fe_element flat_of(const shell_family *f, const fe_element *e, const shell_plane *p,
                          bi_fe_element *def)
{
    fe_element flat = *e;
    *def = *e->def;
    def->kind = f->membrane_kind;
    flat.def = def;
    for (int i = 0; i < p->n_node; i++) {
        flat.at[i] = (vec3){ p->at[i][0], p->at[i][1], 0.0 };
    }
    return flat;
}

// Rows T of the six freedoms of node i in the plane, at its foot, on its freedoms in body axes: u + theta x arm, theta
// (shell.1).
static void node_rows(const shell_plane *p, int i, double T[6][6])
{
    vec3 axis[3] = { p->x, p->y, p->z }, arm = vec3_scale(-p->height[i], p->z);
    memset(T, 0, 36 * sizeof(double));
    for (int r = 0; r < 3; r++) {
        // a . (theta x arm) = theta . (arm x a)
        vec3 turned = vec3_cross(arm, axis[r]);
        T[r][0] = T[r + 3][3] = axis[r].x;
        T[r][1] = T[r + 3][4] = axis[r].y;
        T[r][2] = T[r + 3][5] = axis[r].z;
        T[r][3] = turned.x;
        T[r][4] = turned.y;
        T[r][5] = turned.z;
    }
}

// A row on the freedoms in the plane becomes one on those in body axes.
static void turn_row(const shell_plane *p, const double *in, double *out)
{
    double T[6][6];
    for (int i = 0; i < p->n_node; i++) {
        node_rows(p, i, T);
        for (int c = 0; c < 6; c++) {
            double sum = 0.0;
            for (int r = 0; r < 6; r++) {
                sum += in[6 * i + r] * T[r][c];
            }
            out[6 * i + c] = sum;
        }
    }
}

// K += w row^T row
static void add_square(int n, double w, const double *row, double *K)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; row[i] != 0.0 && j < n; j++) {
            K[i * n + j] += w * row[i] * row[j];
        }
    }
}

// Freedom of w, rx, ry of node k / 3.
static int bend_place(int k) { return 6 * (k / 3) + 2 + k % 3; }

static void add_bending(const double C[3][3], double w, const double B[3][SHELL_BEND], int n_node, double *K)
{
    int n = 6 * n_node;
    for (int i = 0; i < 3 * n_node; i++) {
        for (int j = 0; j < 3 * n_node; j++) {
            double sum = 0.0;
            for (int r = 0; r < 3; r++) {
                for (int s = 0; s < 3; s++) {
                    sum += B[r][i] * C[r][s] * B[s][j];
                }
            }
            K[bend_place(i) * n + bend_place(j)] += w * sum;
        }
    }
}

// Turn of the membrane less that of the nodes about the normal: 1/2 (v,x - u,y) - rz (shell.5).
static void drilling_row(int n_node, const double *N, const double *dx, const double *dy, double *row)
{
    memset(row, 0, SHELL_DOF * sizeof *row);
    for (int i = 0; i < n_node; i++) {
        row[6 * i] = -0.5 * dy[i];
        row[6 * i + 1] = 0.5 * dx[i];
        row[6 * i + 5] = -N[i];
    }
}

static void plane_stiffness(const shell_family *f, const fe_element *e, const shell_plane *p, double *K)
{
    bi_fe_element def;
    fe_element flat = flat_of(f, e, p, &def);
    int n_node = p->n_node, n = 6 * n_node;
    double membrane[64], C[3][3], t = e->section->thickness,
                                  G = 0.5 * e->material->young / (1.0 + e->material->poisson);
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    f->membrane->stiffness(&flat, membrane);
    for (int i = 0; i < 2 * n_node; i++) {
        for (int j = 0; j < 2 * n_node; j++) {
            K[(6 * (i / 2) + i % 2) * n + 6 * (j / 2) + j % 2] = membrane[i * 2 * n_node + j];
        }
    }
    plane_elasticity(e->material, C);
    for (int g = 0; g < f->n_gauss; g++) {
        double N[SHELL_NODES], dx[SHELL_NODES], dy[SHELL_NODES], B[3][SHELL_BEND], S[2][SHELL_BEND],
            row[SHELL_DOF];
        double area = f->weight * f->shape(p, f->gauss[g], N, dx, dy);
        f->curvature(p, f->gauss[g], B);
        add_bending((const double(*)[3])C, area * t * t * t / 12.0, (const double(*)[SHELL_BEND])B, n_node,
                    K);
        drilling_row(n_node, N, dx, dy, row);
        add_square(n, DRILLING * G * t * area, row, K);
        if (f->shear) {
            f->shear(p, f->gauss[g], S);
        }
        for (int r = 0; f->shear && r < 2; r++) {
            memset(row, 0, sizeof row);
            for (int k = 0; k < 3 * n_node; k++) {
                row[bend_place(k)] = S[r][k];
            }
            add_square(n, SHEAR * G * t * area, row, K);
        }
    }
}

void shell_stiffness(const shell_family *f, const fe_element *e, double *K)
{
    shell_plane p;
    double own[SHELL_DOF * SHELL_DOF], half[SHELL_DOF * SHELL_DOF], column[SHELL_DOF], turned[SHELL_DOF];
    (void)shell_plane_of(e, f->membrane->n_node, &p);
    int n = 6 * p.n_node;
    plane_stiffness(f, e, &p, own);
    // K T, then T^T of it by columns
    for (int i = 0; i < n; i++) {
        turn_row(&p, own + i * n, half + i * n);
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            column[i] = half[i * n + j];
        }
        turn_row(&p, column, turned);
        for (int i = 0; i < n; i++) {
            K[i * n + j] = turned[i];
        }
    }
}

// Membrane and bending at zeta from -1 (bottom) to 1 (top), as a tensor in body axes; shear across the thickness is
// left out (shell.6).
void shell_stress(const shell_family *f, const fe_element *e, vec3 site, double *rows)
{
    static const int place[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 2, 0 } };
    shell_plane p;
    bi_fe_element def;
    double flat_rows[FE_STRESSES * 8], B[3][SHELL_BEND], C[3][3], own[3][SHELL_DOF], turned[3][SHELL_DOF];
    (void)shell_plane_of(e, f->membrane->n_node, &p);
    fe_element flat = flat_of(f, e, &p, &def);
    int n_node = p.n_node, n = 6 * n_node;
    f->membrane->stress(&flat, site, flat_rows);
    f->curvature(&p, site, B);
    plane_elasticity(e->material, C);
    memset(own, 0, sizeof own);
    for (int r = 0; r < 3; r++) {
        const double *membrane = flat_rows + (r == 2 ? 3 : r) * 2 * n_node;
        for (int k = 0; k < 2 * n_node; k++) {
            own[r][6 * (k / 2) + k % 2] = membrane[k];
        }
        for (int k = 0; k < 3 * n_node; k++) {
            own[r][bend_place(k)] = 0.5 * site.z * e->section->thickness *
                                    (C[r][0] * B[0][k] + C[r][1] * B[1][k] + C[r][2] * B[2][k]);
        }
        turn_row(&p, own[r], turned[r]);
    }
    const double x[3] = { p.x.x, p.x.y, p.x.z }, y[3] = { p.y.x, p.y.y, p.y.z };
    for (int s = 0; s < FE_STRESSES; s++) {
        int a = place[s][0], b = place[s][1];
        for (int k = 0; k < n; k++) {
            rows[s * n + k] = x[a] * x[b] * turned[0][k] + y[a] * y[b] * turned[1][k] +
                              (x[a] * y[b] + y[a] * x[b]) * turned[2][k];
        }
    }
}

// Two particles at each place, the radius of gyration of the thickness above and below the plane: mass and rotary
// inertia.
int shell_particles(const shell_family *f, const fe_element *e, fe_particle *out)
{
    shell_plane p;
    int count = 0, n_layer = e->has_no_rotary ? 1 : 2;
    double t = e->section->thickness;
    (void)shell_plane_of(e, f->membrane->n_node, &p);
    for (int g = 0; g < f->n_gauss; g++) {
        double N[SHELL_NODES], dx[SHELL_NODES], dy[SHELL_NODES];
        double mass = f->weight * f->shape(&p, f->gauss[g], N, dx, dy) * t * e->material->density;
        for (int layer = 0; layer < n_layer; layer++) {
            fe_particle *q = &out[count++];
            double z = n_layer == 1 ? 0.0 : (layer ? 0.5 : -0.5) * t / sqrt(3.0);
            memset(q, 0, sizeof *q);
            q->mass = mass / n_layer;
            for (int i = 0; i < p.n_node; i++) {
                // moves by u + theta x arm, arm from the node over its foot to the height of the particle
                vec3 arm = vec3_scale(z - p.height[i], p.z);
                const double w[3][3] = { { 0.0, arm.z, -arm.y },
                                         { -arm.z, 0.0, arm.x },
                                         { arm.y, -arm.x, 0.0 } };
                q->at = vec3_add_scaled(q->at, N[i], vec3_add(e->at[i], arm));
                for (int c = 0; c < 3; c++) {
                    q->shape[c][6 * i + c] = N[i];
                    for (int k = 0; k < 3; k++) {
                        q->shape[c][6 * i + 3 + k] = N[i] * w[c][k];
                    }
                }
            }
        }
    }
    return count;
}

// Freedom k of a foot at (x, y) for unit strain xx, yy, xy or unit curvature xx, yy, xy.
static double field_at(int s, double x, double y, int k)
{
    const double value[6][6] = {
        { x, 0.0, 0.0, 0.0, 0.0, 0.0 },           { 0.0, y, 0.0, 0.0, 0.0, 0.0 },
        { 0.5 * y, 0.5 * x, 0.0, 0.0, 0.0, 0.0 }, { 0.0, 0.0, -0.5 * x * x, 0.0, x, 0.0 },
        { 0.0, 0.0, -0.5 * y * y, -y, 0.0, 0.0 }, { 0.0, 0.0, -0.5 * x * y, -0.5 * x, 0.5 * y, 0.0 }
    };
    return value[s][k];
}

double shell_patch_error(const fe_element *e, const double *K)
{
    shell_plane p;
    double C[3][3], worst = 0.0, area = 0.0, t = e->section->thickness;
    const fe_kind *kind = fe_kind_of(e->def->kind);
    fe_particle particle[2 * SHELL_NODES];
    int n_particle = kind->particles(e, particle), n = 6 * kind->n_node;
    (void)shell_plane_of(e, kind->n_node, &p);
    plane_elasticity(e->material, C);
    for (int g = 0; g < n_particle; g++) {
        area += particle[g].mass / (e->material->density * t);
    }
    for (int s = 0; s < 6; s++) {
        double u[SHELL_DOF], energy = 0.0, expected = C[s % 3][s % 3] * area * (s < 3 ? t : t * t * t / 12.0);
        for (int i = 0; i < p.n_node; i++) {
            double own[6];
            for (int k = 0; k < 6; k++) {
                own[k] = field_at(s, p.at[i][0], p.at[i][1], k);
            }
            vec3 turn = vec3_add(vec3_scale(own[3], p.x), vec3_scale(own[4], p.y));
            vec3 move =
                vec3_add_scaled(vec3_add(vec3_scale(own[0], p.x), vec3_scale(own[1], p.y)), own[2], p.z);
            // from the foot to the node
            move = vec3_add(move, vec3_cross(turn, vec3_scale(p.height[i], p.z)));
            const double all[6] = { move.x, move.y, move.z, turn.x, turn.y, turn.z };
            memcpy(u + (ptrdiff_t)6 * i, all, sizeof all);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                energy += u[i] * K[i * n + j] * u[j];
            }
        }
        worst = fmax(worst, fabs(energy / expected - 1.0));
    }
    return worst;
}

bool shell_check(const shell_family *f, const fe_element *e, char *why, size_t size)
{
    shell_plane p;
    bi_fe_element def;
    double rise = 0.0, span = 0.0;
    if (e->is_plane) {
        snprintf(why, size, "is a shell, and shells need space: leave out 'plane: true'");
        return false;
    }
    if (!shell_plane_of(e, f->membrane->n_node, &p)) {
        snprintf(why, size, "has no area: its nodes lie on a line");
        return false;
    }
    for (int i = 0; i < p.n_node; i++) {
        rise = fmax(rise, fabs(p.height[i]));
        span = fmax(span, vec3_norm(vec3_sub(e->at[(i + 1) % p.n_node], e->at[i])));
    }
    if (rise > MOST_WARP * span) {
        snprintf(why, size, "is warped by %.0f %% of its length; write it as two triangles",
                 100.0 * rise / span);
        return false;
    }
    fe_element flat = flat_of(f, e, &p, &def);
    return f->membrane->check(&flat, why, size);
}
