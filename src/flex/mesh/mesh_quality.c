// SPDX-License-Identifier: MIT
// Checks of the elements themselves: rigid motions cost nothing, constant strain costs what it should (fe.10).
#include "flex/mesh/beam.h"
#include "flex/mesh/mesh_check.h"
#include "flex/mesh/shell.h"
#include <math.h>

// Values of a displacement field u = c + A x and turn t at the freedoms of an element.
typedef struct {
    vec3 c, t, row[3];
} field;

static double field_at(const field *f, vec3 x, unsigned k)
{
    const double turn[3] = { f->t.x, f->t.y, f->t.z }, c[3] = { f->c.x, f->c.y, f->c.z };
    return k < 3 ? c[k] + vec3_dot(f->row[k], x) : turn[k - 3];
}

static int put_field(const fe_kind *kind, const fe_element *e, const field *f, double *u)
{
    int n = 0;
    for (int i = 0; i < kind->n_node; i++) {
        for (unsigned k = 0; k < 6; k++) {
            if (kind->freedoms >> k & 1u) {
                u[n++] = field_at(f, e->at[i], k);
            }
        }
    }
    return n;
}

static field rigid_field(int r, vec3 about)
{
    field f = { 0 };
    if (r < 3) {
        f.c = (vec3){ r == 0, r == 1, r == 2 };
        return f;
    }
    f.t = (vec3){ r == 3, r == 4, r == 5 };
    f.row[0] = (vec3){ 0.0, -f.t.z, f.t.y };
    f.row[1] = (vec3){ f.t.z, 0.0, -f.t.x };
    f.row[2] = (vec3){ -f.t.y, f.t.x, 0.0 };
    f.c = vec3_neg(vec3_cross(f.t, about));
    return f;
}

static double rigid_error(const fe_kind *kind, const fe_element *e, const double *K)
{
    int n = fe_dof_count(kind);
    double u[FE_MOST_DOF], worst = 0.0;
    for (int r = 0; r < 6; r++) {
        field f = rigid_field(r, e->at[0]);
        put_field(kind, e, &f, u);
        for (int i = 0; i < n; i++) {
            double force = 0.0, size = 0.0;
            for (int j = 0; j < n; j++) {
                force += K[i * n + j] * u[j];
                size += fabs(K[i * n + j] * u[j]);
            }
            // what cancels in a row; a row of zeros has no error
            worst = size > 0.0 ? fmax(worst, fabs(force) / size) : worst;
        }
    }
    return worst;
}

// Energy of constant strain against volume * stress * strain, the stress at every place of the element.
static double solid_patch_error(const fe_kind *kind, const fe_element *e, const double *K)
{
    static const int pair[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 2, 0 } };
    int n = fe_dof_count(kind);
    fe_particle p[FE_MOST_PARTICLES];
    double volume = 0.0, worst = 0.0, u[FE_MOST_DOF], rows[FE_MOST_SITES][FE_STRESSES * FE_MOST_DOF];
    int n_particle = kind->particles(e, p);
    for (int g = 0; g < n_particle; g++) {
        volume += p[g].mass / e->material->density;
    }
    for (int g = 0; g < kind->n_site; g++) {
        kind->stress(e, kind->site[g], rows[g]);
    }
    for (int s = 0; s < 6; s++) {
        int a = pair[s][0], b = pair[s][1];
        if (!(kind->freedoms & FE_Z) && (a == 2 || b == 2)) {
            continue;
        }
        field f = { 0 };
        double *strain = b == 0 ? &f.row[a].x : b == 1 ? &f.row[a].y : &f.row[a].z;
        *strain = 1.0;
        put_field(kind, e, &f, u);
        double energy = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                energy += u[i] * K[i * n + j] * u[j];
            }
        }
        for (int g = 0; g < kind->n_site; g++) {
            double stress = 0.0;
            for (int j = 0; j < n; j++) {
                stress += rows[g][s * n + j] * u[j];
            }
            worst = fmax(worst, fabs(energy - volume * stress) / fabs(energy));
        }
    }
    return worst;
}

// A beam stretched, twisted and bent evenly: work of the section forces, whose values are known.
static double beam_patch_error(const fe_element *e, const double *K)
{
    beam_axes a;
    double worst = 0.0, G = 0.5 * e->material->young / (1.0 + e->material->poisson);
    const bi_section *s = e->section;
    (void)beam_axes_of(e, &a);
    const double stiffness[4] = { e->material->young * s->area,
                                  G * (s->torsion > 0.0 ? s->torsion : s->iy + s->iz),
                                  e->material->young * s->iy, e->material->young * s->iz };
    for (int k = 0; k < 4; k++) {
        // unit strain, twist or curvature: the second end moves and turns against the first, which stands
        double L = a.length, u[BEAM_DOF] = { 0 }, energy = 0.0;
        vec3 turn = k == 0   ? (vec3){ 0.0, 0.0, 0.0 }
                    : k == 1 ? vec3_scale(L, a.x)
                             : vec3_scale(L, k == 2 ? a.y : a.z);
        vec3 move = k == 0   ? vec3_scale(L, a.x)
                    : k == 1 ? (vec3){ 0.0, 0.0, 0.0 }
                             : vec3_scale(0.5 * L * L, k == 2 ? vec3_neg(a.z) : a.y);
        // from the end to the node
        move = vec3_sub(move, vec3_cross(turn, e->def->offset[1]));
        u[6] = move.x, u[7] = move.y, u[8] = move.z;
        u[9] = turn.x, u[10] = turn.y, u[11] = turn.z;
        for (int i = 0; i < BEAM_DOF; i++) {
            for (int j = 0; j < BEAM_DOF; j++) {
                energy += u[i] * K[i * BEAM_DOF + j] * u[j];
            }
        }
        if (stiffness[k] > 0.0) {
            worst = fmax(worst, fabs(energy / (stiffness[k] * L) - 1.0));
        }
    }
    return worst;
}

void mesh_quality(const bi_fe_mesh *mesh, bool is_plane, double *rigid, double *patch)
{
    double K[FE_MOST_DOF * FE_MOST_DOF];
    *rigid = *patch = 0.0;
    for (int k = 0; k < mesh->n_element; k++) {
        const fe_kind *kind = fe_kind_of(mesh->element[k].kind);
        if (!kind || !kind->stress) {
            continue;
        }
        fe_element e = fe_element_of(mesh, k);
        e.is_plane = is_plane;
        kind->stiffness(&e, K);
        *rigid = fmax(*rigid, rigid_error(kind, &e, K));
        *patch = fmax(*patch, kind->is_shell   ? shell_patch_error(&e, K)
                              : kind->to_nodes ? solid_patch_error(kind, &e, K)
                                               : beam_patch_error(&e, K));
    }
}
