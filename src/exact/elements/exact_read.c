// SPDX-License-Identifier: MIT
// Reading a structure where it stands.
#include "exact/elements/inside.h"
#include "math/elementary.h"
#include <math.h>

double yard_time(const yard *y) { return y->t; }

yard_statistics yard_counts(const yard *y) { return y->counts; }

vec3 yard_at(const yard *y, int place) { return place_get(y->x, place); }

vec3 yard_velocity(const yard *y, int place) { return place_get(y->v, place); }

mat3 yard_axes(const yard *y, int turn)
{
    return y->is_planar ? mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, y->x[component_of_turn(y, turn, 2)])
                        : y->axes[turn];
}

double yard_angle(const yard *y, int turn)
{
    const turn_def *d = &y->turn0[turn];
    double start = y->is_planar ? 2.0 * math_atan2(d->rot0.z, d->rot0.w) : 0.0;
    return y->x[component_of_turn(y, turn, 2)] - start;
}

double yard_rate(const yard *y, int turn) { return y->v[component_of_turn(y, turn, 2)]; }

vec3 yard_point(const yard *y, yard_node node, vec3 offset)
{
    vec3 at = place_get(y->x, node.place);
    return node.turn >= 0 ? vec3_add(at, mat3_apply(yard_axes(y, node.turn), offset)) : at;
}

// Element of a bar and place in it, 0..1.
static int element_along(yard_bar bar, double along, double *s)
{
    double u = along * bar.count;
    int e = (int)floor(u);
    e = e < 0 ? 0 : e >= bar.count ? bar.count - 1 : e;
    *s = u - e;
    return bar.first + e;
}

static yard_forces forces_mix(yard_forces a, yard_forces b, double s)
{
    return (yard_forces){ a.N + s * (b.N - a.N),    a.Qy + s * (b.Qy - a.Qy), a.Qz + s * (b.Qz - a.Qz),
                          a.Mt + s * (b.Mt - a.Mt), a.My + s * (b.My - a.My), a.Mz + s * (b.Mz - a.Mz) };
}

yard_forces yard_bar_forces(const yard *y, yard_bar bar, double along)
{
    double s;
    int e = element_along(bar, along, &s);
    if (bar.is_planar) {
        return planar_beam_forces(y, &y->planar[e], s);
    }
    // constant in an element: a straight line through the middles of two neighbours
    int from = s < 0.5 && e > bar.first ? e - 1 : e;
    if (from + 1 >= bar.first + bar.count) {
        from = bar.count > 1 ? bar.first + bar.count - 2 : bar.first;
    }
    yard_forces a = spatial_beam_forces(y, &y->spatial[from]);
    if (bar.count == 1) {
        return a;
    }
    double middle = (from - bar.first + 0.5) / bar.count;
    return forces_mix(a, spatial_beam_forces(y, &y->spatial[from + 1]), (along - middle) * bar.count);
}

void yard_bar_point(const yard *y, yard_bar bar, double along, vec3 *at, mat3 *axes)
{
    double s, angle;
    int e = element_along(bar, along, &s);
    if (!bar.is_planar) {
        spatial_beam_point(y, &y->spatial[e], s, at, axes);
        return;
    }
    planar_beam_point(y, &y->planar[e], s, at, &angle);
    *axes = mat3_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, angle);
}

void yard_plate_stress(const yard *y, int place, double stress[3])
{
    static const double corner[4][2] = { { -1.0, -1.0 }, { 1.0, -1.0 }, { 1.0, 1.0 }, { -1.0, 1.0 } };
    int count = 0;
    stress[0] = stress[1] = stress[2] = 0.0;
    for (int k = 0; k < y->n_quad; k++) {
        bool is_triangle = y->quad[k].n == 3; // one stress; its map ends at the third corner
        for (int i = 0; i < y->quad[k].n; i++) {
            if (y->quad[k].place[i] == place) {
                double own[3];
                quad_stress(y, &y->quad[k], is_triangle ? 0.0 : corner[i][0],
                            is_triangle ? 0.0 : corner[i][1], own);
                for (int c = 0; c < 3; c++) {
                    stress[c] += own[c];
                }
                count++;
            }
        }
    }
    for (int c = 0; c < 3 && count > 0; c++) {
        stress[c] /= count;
    }
}

vec3 yard_reaction(const yard *y, int place) { return place_get(y->force, place); }

double yard_drive_effort(const yard *y, int turn) { return y->force[component_of_turn(y, turn, 2)]; }

double yard_multiplier(const yard *y, int row) { return y->row[row].lambda; }

double yard_energy(const yard *y)
{
    return planar_beams_energy(y) + spatial_beams_energy(y) + quads_energy(y) + rigids_energy(y) +
           springs_energy(y);
}
