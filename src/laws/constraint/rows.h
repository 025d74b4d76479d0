// SPDX-License-Identifier: MIT
// Rows that several constraints are made of. Markers are given by their first numbers in the trays.
#pragma once
#include "state/law.h"

static inline vec3 row_value(const law_in *in, int dof) { return tray_vec3(&in->at->value[dof]); }

static inline vec3 row_rate(const law_in *in, int dof) { return tray_vec3(&in->at->rate[dof]); }

// u . (p_b - p_a) - value, on the markers a, b, u in this order (constraints.1)
static inline void row_across(const law_in *in, int a, int b, int u, jet value, row_handle at, rows *out)
{
    vec3 d = vec3_sub(row_value(in, b), row_value(in, a)), across = row_value(in, u);
    if (in->want & LAW_POSITION) {
        double *g = &out->gradient[at.gradient];
        out->phi[at.row] = vec3_dot(across, d) - value.v;
        out->phi_t[at.row] = -value.d;
        tray_put(g, vec3_neg(across));
        tray_put(g + 3, across);
        tray_put(g + 6, d);
    }
    if (in->want & LAW_SECOND) {
        vec3 dd = vec3_sub(row_rate(in, b), row_rate(in, a));
        out->gamma[at.row] = 2.0 * vec3_dot(row_rate(in, u), dd) - value.dd;
    }
}

// u . v - value, on the markers u, v in this order (constraints.2)
static inline void row_cosine(const law_in *in, int u, int v, jet value, row_handle at, rows *out)
{
    vec3 a = row_value(in, u), b = row_value(in, v);
    if (in->want & LAW_POSITION) {
        out->phi[at.row] = vec3_dot(a, b) - value.v;
        out->phi_t[at.row] = -value.d;
        tray_put(&out->gradient[at.gradient], b);
        tray_put(&out->gradient[at.gradient + 3], a);
    }
    if (in->want & LAW_SECOND) {
        out->gamma[at.row] = 2.0 * vec3_dot(row_rate(in, u), row_rate(in, v)) - value.dd;
    }
}

// (|p_b - p_a|^2 - length^2) / 2 length, on the markers a, b in this order (constraints.3)
static inline void row_distance(const law_in *in, int a, int b, double length, row_handle at, rows *out)
{
    vec3 d = vec3_sub(row_value(in, b), row_value(in, a));
    double scale = 1.0 / length;
    if (in->want & LAW_POSITION) {
        out->phi[at.row] = 0.5 * scale * (vec3_dot(d, d) - length * length);
        tray_put(&out->gradient[at.gradient], vec3_scale(-scale, d));
        tray_put(&out->gradient[at.gradient + 3], vec3_scale(scale, d));
    }
    if (in->want & LAW_SECOND) {
        vec3 dd = vec3_sub(row_rate(in, b), row_rate(in, a));
        out->gamma[at.row] = scale * vec3_dot(dd, dd);
    }
}

// p_b - p_a, three rows on the markers a, b in this order
static inline void row_coincide(const law_in *in, int a, int b, row_handle at, rows *out)
{
    if (in->want & LAW_POSITION) {
        tray_put(&out->phi[at.row], vec3_sub(row_value(in, b), row_value(in, a)));
        for (int i = 0; i < 3; i++) {
            double *g = &out->gradient[at.gradient + 6 * i];
            tray_put(g, (vec3){ 0.0, 0.0, 0.0 });
            tray_put(g + 3, (vec3){ 0.0, 0.0, 0.0 });
            g[i] = -1.0;
            g[3 + i] = 1.0;
        }
    }
    if (in->want & LAW_SECOND) {
        tray_put(&out->gamma[at.row], (vec3){ 0.0, 0.0, 0.0 });
    }
}
