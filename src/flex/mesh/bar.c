// SPDX-License-Identifier: MIT
// A beam of the mesh as a bar between two sections, for the geometrically exact ones (beam.8).
#include "flex/mesh/beam.h"
#include "math/elementary.h"
#include "math/rotation.h"

// A beam that is rigid in shear: a hundred times as stiff as the shear of a rectangle, as in the yardstick.
static const double rigid_in_shear = 100.0 / 1.2;

bool bi_fe_bar_of(const bi_fe_mesh *mesh, int element, bi_fe_bar *out)
{
    if (!mesh || !out || element < 0 || element >= mesh->n_element ||
        !bi_fe_is_beam(mesh->element[element].kind)) {
        return false;
    }
    fe_element e = fe_element_of(mesh, element);
    const bi_section *s = e.section;
    beam_axes a;
    e.is_plane = mesh->is_plane;
    if (!beam_axes_of(&e, &a) || !s || !e.material) {
        return false;
    }
    bool is_soft = e.def->kind == BI_FE_TIMOSHENKO;
    double E = e.material->young, G = 0.5 * E / (1.0 + e.material->poisson), rho = e.material->density;
    double shear_y = is_soft && s->shear_y > 0.0 ? s->shear_y : rigid_in_shear,
           shear_z = is_soft && s->shear_z > 0.0 ? s->shear_z : rigid_in_shear;
    // a section of plane meshes may say only how it bends in the plane
    double iy = s->iy > 0.0 ? s->iy : s->iz, torsion = s->torsion > 0.0 ? s->torsion : iy + s->iz;
    double turn = vec3_norm(e.def->bend), length = a.length;
    // the chord of an arc is shorter than it is
    length *= turn > 0.0 ? 0.5 * turn / math_sin(0.5 * turn) : 1.0;
    *out = (bi_fe_bar){ .node = { e.def->node[0], e.def->node[1] },
                        .end = { a.end[0], a.end[1] },
                        .rot = quat_from_mat3((mat3){ { a.x, a.y, a.z } }),
                        .length = length,
                        .stiffness = { E * s->area, shear_y * G * s->area, shear_z * G * s->area, G * torsion,
                                       E * iy, E * s->iz },
                        .mass = rho * s->area,
                        .rotary = { rho * (iy + s->iz), rho * iy, rho * s->iz } };
    vec3 curvature =
        mat3_apply_transposed((mat3){ { a.x, a.y, a.z } }, vec3_scale(1.0 / length, e.def->bend));
    out->rest[0] = 0.0 - e.def->prestress / out->stiffness[0];
    out->rest[3] = curvature.x;
    out->rest[4] = curvature.y;
    out->rest[5] = curvature.z;
    for (int i = 0; i < 2; i++) {
        quat half = quat_exp(vec3_scale(i == 0 ? -0.5 : 0.5, e.def->bend));
        out->rot_end[i] = turn > 0.0 ? quat_multiply(half, out->rot) : out->rot;
    }
    return true;
}
