// SPDX-License-Identifier: MIT
// Flat convex polygons cut by planes.
#include "geom/convex/soup.h"
#include <stdlib.h>

enum { MOST_CORNERS = 256 }; // of one polygon: it gains one with every cut

void geom_soup_clear(geom_soup *s)
{
    free(s->corner);
    free(s->first);
    free(s->normal);
    *s = (geom_soup){ 0 };
}

static bool reserve(geom_soup *s, int n)
{
    if (s->n_corner + n > s->room_corner) {
        int room = 2 * s->room_corner + n + 16;
        vec3 *corner = realloc(s->corner, (size_t)room * sizeof *corner);
        if (!corner) {
            return false;
        }
        s->corner = corner;
        s->room_corner = room;
    }
    if (s->n_face + 1 > s->room_face || !s->first) {
        int room = 2 * s->room_face + 8;
        int32_t *first = realloc(s->first, ((size_t)room + 1) * sizeof *first);
        s->first = first ? first : s->first;
        vec3 *normal = realloc(s->normal, (size_t)room * sizeof *normal);
        s->normal = normal ? normal : s->normal;
        if (!first || !normal) {
            return false;
        }
        s->room_face = room;
    }
    return true;
}

bool geom_soup_add(geom_soup *s, const vec3 *corner, int n, vec3 normal)
{
    if (!reserve(s, n)) {
        return false;
    }
    s->first[s->n_face] = s->n_corner;
    for (int k = 0; k < n; k++) {
        s->corner[s->n_corner++] = corner[k];
    }
    s->normal[s->n_face++] = normal;
    s->first[s->n_face] = s->n_corner;
    return true;
}

vec3 geom_soup_middle(const geom_soup *s, int face)
{
    vec3 sum = { 0.0, 0.0, 0.0 };
    int n = s->first[face + 1] - s->first[face];
    for (int k = s->first[face]; k < s->first[face + 1]; k++) {
        sum = vec3_add(sum, s->corner[k]);
    }
    return vec3_scale(1.0 / n, sum);
}

double geom_soup_area(const geom_soup *s, int face)
{
    const vec3 *at = &s->corner[s->first[face]];
    vec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 1; k + 1 < s->first[face + 1] - s->first[face]; k++) {
        sum = vec3_add(sum, vec3_cross(vec3_sub(at[k], at[0]), vec3_sub(at[k + 1], at[0])));
    }
    return 0.5 * vec3_norm(sum);
}

// ---- cuts ------------------------------------------------------------------------------------------------------

// Above, in (0) or below the plane.
static double side_of(vec3 p, geom_cutter by, double thick)
{
    double s = vec3_dot(by.n, p) - by.offset;
    return fabs(s) <= thick ? 0.0 : s;
}

// What stays of one polygon; 0: nothing. `is_in_plane`: all of it is.
static int cut_face(const geom_soup *s, int face, geom_cutter by, double thick, vec3 *to, bool *is_in_plane)
{
    int n = s->first[face + 1] - s->first[face], count = 0, above = 0, below = 0;
    const vec3 *at = &s->corner[s->first[face]];
    for (int k = 0; k < n && count + 2 <= MOST_CORNERS; k++) {
        vec3 p = at[k], q = at[k + 1 < n ? k + 1 : 0];
        double here = side_of(p, by, thick), there = side_of(q, by, thick);
        above += here > 0.0;
        below += here < 0.0;
        if (here >= 0.0) {
            to[count++] = p;
        }
        if (here * there < 0.0) {
            to[count++] = vec3_add_scaled(p, here / (here - there), vec3_sub(q, p));
        }
    }
    *is_in_plane = above == 0 && below == 0;
    return above > 0 || *is_in_plane ? count : 0;
}

bool geom_soup_cut(const geom_soup *s, geom_cutter by, double thick, geom_soup *out)
{
    vec3 kept[MOST_CORNERS];
    *out = (geom_soup){ 0 };
    for (int f = 0; f < s->n_face; f++) {
        bool is_in_plane;
        int n = cut_face(s, f, by, thick, kept, &is_in_plane);
        bool is_kept = n >= 3 && (!is_in_plane || vec3_dot(s->normal[f], by.n) < 0.0);
        if (is_kept && !geom_soup_add(out, kept, n, s->normal[f])) {
            geom_soup_clear(out);
            return false;
        }
    }
    return true;
}

// ---- cells -----------------------------------------------------------------------------------------------------

// Points of a plane in order around their middle, those at one place once. Gives how many stay.
static int order_around(vec3 *p, int n, vec3 normal, double thick)
{
    vec3 middle = { 0.0, 0.0, 0.0 }, u = vec3_perpendicular(normal), v = vec3_cross(normal, u);
    int count = 0;
    for (int k = 0; k < n; k++) {
        bool is_new = true;
        for (int i = 0; i < count && is_new; i++) {
            is_new = vec3_norm(vec3_sub(p[k], p[i])) > 2.0 * thick;
        }
        p[count] = p[k];
        count += is_new;
    }
    for (int k = 0; k < count; k++) {
        middle = vec3_add_scaled(middle, 1.0 / count, p[k]);
    }
    double angle[MOST_CORNERS];
    for (int k = 0; k < count; k++) {
        vec3 d = vec3_sub(p[k], middle), keep = p[k];
        double x = vec3_dot(d, u), y = vec3_dot(d, v), sum = fabs(x) + fabs(y),
               part = sum > 0.0 ? y / sum : 0.0;
        double here = x >= 0.0 ? part : y >= 0.0 ? 2.0 - part : -2.0 - part;
        int i = k;
        for (; i > 0 && angle[i - 1] > here; i--) {
            angle[i] = angle[i - 1];
            p[i] = p[i - 1];
        }
        angle[i] = here;
        p[i] = keep;
    }
    return count;
}

bool geom_cell_cut(const geom_soup *cell, geom_cutter by, double thick, geom_soup *out)
{
    vec3 cap[MOST_CORNERS];
    int n = 0;
    if (!geom_soup_cut(cell, by, thick, out)) {
        return false;
    }
    for (int k = 0; k < out->n_corner && n < MOST_CORNERS; k++) {
        if (side_of(out->corner[k], by, 4.0 * thick) == 0.0) {
            cap[n++] = out->corner[k];
        }
    }
    n = order_around(cap, n, vec3_neg(by.n), thick);
    if (n >= 3 && out->n_face > 0 && !geom_soup_add(out, cap, n, vec3_neg(by.n))) {
        geom_soup_clear(out);
        return false;
    }
    return true;
}

bool geom_cell_of_box(const geom_box *box, double more, geom_soup *out)
{
    const double low[3] = { box->low.x - more, box->low.y - more, box->low.z - more },
                 high[3] = { box->high.x + more, box->high.y + more, box->high.z + more };
    *out = (geom_soup){ 0 };
    for (int f = 0; f < 6; f++) {
        int i = f / 2, j = (i + 1) % 3, k = (i + 2) % 3;
        double face[4][3], normal[3] = { 0.0, 0.0, 0.0 };
        normal[i] = f & 1 ? 1.0 : -1.0;
        for (int c = 0; c < 4; c++) {
            // around +i for the upper side, the other way round for the lower one
            int turn = f & 1 ? c : 3 - c;
            face[c][i] = f & 1 ? high[i] : low[i];
            face[c][j] = turn == 1 || turn == 2 ? high[j] : low[j];
            face[c][k] = turn >= 2 ? high[k] : low[k];
        }
        vec3 corner[4];
        for (int c = 0; c < 4; c++) {
            corner[c] = (vec3){ face[c][0], face[c][1], face[c][2] };
        }
        if (!geom_soup_add(out, corner, 4, (vec3){ normal[0], normal[1], normal[2] })) {
            geom_soup_clear(out);
            return false;
        }
    }
    return true;
}
