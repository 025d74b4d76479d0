// SPDX-License-Identifier: MIT
// Beams of Euler-Bernoulli and Timoshenko in space, with rigid offsets at their ends; eqs. (fe.1) to (fe.6).
#include "flex/mesh/beam.h"
#include "math/elementary.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// freedoms of an end, in the axes of the beam
enum { U, V, W, TX, TY, TZ, END };

typedef struct {
    beam_axes axes;
    double phi_y, phi_z; // share of shear in bending in xy and in xz; 0: Euler-Bernoulli
    double EA, EIy, EIz, GJ;
} beam;

bool beam_axes_of(const fe_element *e, beam_axes *out)
{
    out->end[0] = vec3_add(e->at[0], e->def->offset[0]);
    out->end[1] = vec3_add(e->at[1], e->def->offset[1]);
    vec3 d = vec3_sub(out->end[1], out->end[0]);
    out->length = vec3_norm(d);
    out->x = vec3_normalized(d);
    vec3 guide = e->def->y_axis;
    if (vec3_norm(guide) == 0.0 || e->is_plane) {
        guide = fabs(out->x.z) > 1.0 - 1e-8 ? (vec3){ 0.0, 1.0, 0.0 } : (vec3){ -out->x.y, out->x.x, 0.0 };
    }
    out->y = vec3_normalized(vec3_add_scaled(guide, -vec3_dot(guide, out->x), out->x));
    out->z = vec3_cross(out->x, out->y);
    return out->length > 0.0 && isfinite(out->length);
}

static double shear_share(double EI, double GA_shear, double length)
{
    return GA_shear > 0.0 ? 12.0 * EI / (GA_shear * length * length) : 0.0;
}

static beam beam_of(const fe_element *e)
{
    const bi_section *s = e->section;
    double E = e->material->young, G = 0.5 * E / (1.0 + e->material->poisson);
    beam b = { .EA = E * s->area, .EIy = E * s->iy, .EIz = E * s->iz };
    b.GJ = G * (s->torsion > 0.0 ? s->torsion : s->iy + s->iz);
    (void)beam_axes_of(e, &b.axes);
    if (e->def->kind == BI_FE_TIMOSHENKO) {
        b.phi_y = shear_share(b.EIz, G * s->area * s->shear_y, b.axes.length);
        b.phi_z = shear_share(b.EIy, G * s->area * s->shear_z, b.axes.length);
    }
    return b;
}

// ---- shape functions on (v1, theta1, v2, theta2), (fe.2) ---------------------------------------------------

static void deflection(double s, double L, double phi, double N[4])
{
    double c = 1.0 / (1.0 + phi);
    N[0] = c * (((2.0 * s - 3.0) * s - phi) * s + 1.0 + phi);
    N[1] = c * L * s * ((s - 2.0 - 0.5 * phi) * s + 1.0 + 0.5 * phi);
    N[2] = c * s * ((3.0 - 2.0 * s) * s + phi);
    N[3] = c * L * s * ((s - 1.0 + 0.5 * phi) * s - 0.5 * phi);
}

static void slope(double s, double L, double phi, double N[4])
{
    double c = 1.0 / (1.0 + phi);
    N[0] = c / L * (6.0 * s * (s - 1.0) - phi);
    N[1] = c * ((3.0 * s - 4.0 - phi) * s + 1.0 + 0.5 * phi);
    N[2] = -N[0];
    N[3] = c * ((3.0 * s - 2.0 + phi) * s - 0.5 * phi);
}

static void rotation(double s, double L, double phi, double N[4])
{
    double c = 1.0 / (1.0 + phi);
    N[0] = c / L * 6.0 * s * (s - 1.0);
    N[1] = c * ((3.0 * s - 4.0 - phi) * s + 1.0 + phi);
    N[2] = -N[0];
    N[3] = c * (3.0 * s - 2.0 + phi) * s;
}

static void curvature(double s, double L, double phi, double N[4])
{
    double c = 1.0 / ((1.0 + phi) * L);
    N[0] = c / L * (12.0 * s - 6.0);
    N[1] = c * (6.0 * s - 4.0 - phi);
    N[2] = -N[0];
    N[3] = c * (6.0 * s - 2.0 + phi);
}

// change of curvature along the beam
static void curvature_rate(double L, double phi, double N[4])
{
    double c = 1.0 / ((1.0 + phi) * L * L);
    N[0] = 12.0 * c / L;
    N[1] = N[3] = 6.0 * c;
    N[2] = -N[0];
}

// A function of bending in xy (of v and theta_z) as a row in beam axes, added `factor` times.
static void put_xy(double factor, const double N[4], double *row)
{
    row[V] += factor * N[0];
    row[TZ] += factor * N[1];
    row[END + V] += factor * N[2];
    row[END + TZ] += factor * N[3];
}

// The same in xz, of w and -theta_y.
static void put_xz(double factor, const double N[4], double *row)
{
    row[W] += factor * N[0];
    row[TY] -= factor * N[1];
    row[END + W] += factor * N[2];
    row[END + TY] -= factor * N[3];
}

// From beam axes at the ends to body axes at the nodes: u_end = u + theta x offset.
static void row_to_body(const fe_element *e, const beam_axes *axes, const double *local, double *body)
{
    for (int k = 0; k < 2; k++) {
        const double *l = local + END * k;
        vec3 u = vec3_add_scaled(vec3_add_scaled(vec3_scale(l[U], axes->x), l[V], axes->y), l[W], axes->z);
        vec3 t = vec3_add_scaled(vec3_add_scaled(vec3_scale(l[TX], axes->x), l[TY], axes->y), l[TZ], axes->z);
        t = vec3_add(t, vec3_cross(e->def->offset[k], u));
        double *b = body + END * k;
        b[0] = u.x, b[1] = u.y, b[2] = u.z;
        b[3] = t.x, b[4] = t.y, b[5] = t.z;
    }
}

void beam_slopes(const fe_element *e, double s, double *rows)
{
    beam b = beam_of(e);
    double N[4], local[2][BEAM_DOF] = { 0 };
    slope(s, b.axes.length, b.phi_y, N);
    put_xy(1.0, N, local[0]);
    slope(s, b.axes.length, b.phi_z, N);
    put_xz(1.0, N, local[1]);
    row_to_body(e, &b.axes, local[0], rows);
    row_to_body(e, &b.axes, local[1], rows + BEAM_DOF);
}

// Rows along the beam's own axes become rows along the body's.
static void turn_rows(const fe_element *e, const beam_axes *a, double local[3][BEAM_DOF], double *out)
{
    double own[3][BEAM_DOF];
    for (int k = 0; k < 3; k++) {
        row_to_body(e, a, local[k], own[k]);
    }
    for (int j = 0; j < BEAM_DOF; j++) {
        out[j] = a->x.x * own[0][j] + a->y.x * own[1][j] + a->z.x * own[2][j];
        out[BEAM_DOF + j] = a->x.y * own[0][j] + a->y.y * own[1][j] + a->z.y * own[2][j];
        out[2 * BEAM_DOF + j] = a->x.z * own[0][j] + a->y.z * own[1][j] + a->z.z * own[2][j];
    }
}

void beam_move(const fe_element *e, double s, double y, double z, double *move, double *turn)
{
    beam b = beam_of(e);
    double L = b.axes.length, N[4], theta[3][BEAM_DOF] = { 0 }, u[3][BEAM_DOF] = { 0 };
    theta[0][TX] = 1.0 - s;
    theta[0][END + TX] = s;
    rotation(s, L, b.phi_z, N);
    put_xz(-1.0, N, theta[1]);
    rotation(s, L, b.phi_y, N);
    put_xy(1.0, N, theta[2]);
    // u = (u_c - y theta_z + z theta_y, v - z theta_x, w + y theta_x), (fe.1)
    u[0][U] = 1.0 - s;
    u[0][END + U] = s;
    deflection(s, L, b.phi_y, N);
    put_xy(1.0, N, u[1]);
    deflection(s, L, b.phi_z, N);
    put_xz(1.0, N, u[2]);
    for (int j = 0; j < BEAM_DOF; j++) {
        u[0][j] += z * theta[1][j] - y * theta[2][j];
        u[1][j] -= z * theta[0][j];
        u[2][j] += y * theta[0][j];
    }
    turn_rows(e, &b.axes, u, move);
    if (turn) {
        turn_rows(e, &b.axes, theta, turn);
    }
}

// ---- the table entry ---------------------------------------------------------------------------------------

static bool check(const fe_element *e, char *why, size_t size)
{
    beam_axes a;
    const bi_section *s = e->section;
    if (!beam_axes_of(e, &a)) {
        snprintf(why, size, "has no length: its two ends coincide");
        return false;
    }
    if (!(vec3_norm(a.y) > 0.5)) {
        snprintf(why, size, "has a y_axis along the beam: it must point across");
        return false;
    }
    if (!e->is_plane && !(s->iy > 0.0)) {
        snprintf(why, size, "section '%s' has no moment of area iy; a beam in space needs iy and iz",
                 s->name ? s->name : "");
        return false;
    }
    return true;
}

// N Vy Vz Mt My Mz at s, (fe.4)
static void section_forces(const fe_element *e, const beam *b, double s, double *rows)
{
    double L = b->axes.length, N[4], local[FE_STRESSES][BEAM_DOF] = { 0 };
    local[0][U] = -b->EA / L;
    local[0][END + U] = b->EA / L;
    curvature_rate(L, b->phi_y, N);
    put_xy(-b->EIz, N, local[1]);
    curvature_rate(L, b->phi_z, N);
    put_xz(-b->EIy, N, local[2]);
    local[3][TX] = -b->GJ / L;
    local[3][END + TX] = b->GJ / L;
    curvature(s, L, b->phi_z, N);
    put_xz(-b->EIy, N, local[4]);
    curvature(s, L, b->phi_y, N);
    put_xy(b->EIz, N, local[5]);
    for (int k = 0; k < FE_STRESSES; k++) {
        row_to_body(e, &b->axes, local[k], rows + k * BEAM_DOF);
    }
}

static void stress(const fe_element *e, vec3 site, double *rows)
{
    beam b = beam_of(e);
    section_forces(e, &b, 0.5 * (1.0 + site.x), rows);
}

static void add_square(double factor, const double *row, double *K)
{
    for (int i = 0; i < BEAM_DOF; i++) {
        for (int j = 0; j < BEAM_DOF; j++) {
            K[i * BEAM_DOF + j] += factor * row[i] * row[j];
        }
    }
}

// Strain energy: the squares of the section forces over their stiffness; linear moments, so two points are exact.
static void stiffness(const fe_element *e, double *K)
{
    beam b = beam_of(e);
    double L = b.axes.length, rows[FE_STRESSES * BEAM_DOF];
    // EI (phi L^2 / 12 EI) V^2 is the energy of shear
    const double flexibility[FE_STRESSES] = { 1.0 / b.EA,
                                              b.EIz > 0.0 ? b.phi_y * L * L / (12.0 * b.EIz) : 0.0,
                                              b.EIy > 0.0 ? b.phi_z * L * L / (12.0 * b.EIy) : 0.0,
                                              b.GJ > 0.0 ? 1.0 / b.GJ : 0.0,
                                              b.EIy > 0.0 ? 1.0 / b.EIy : 0.0,
                                              1.0 / b.EIz };
    memset(K, 0, BEAM_DOF * BEAM_DOF * sizeof *K);
    for (int g = 0; g < 2; g++) {
        section_forces(e, &b, 0.5 * (1.0 + fe_gauss_at[1][g]), rows);
        for (int k = 0; k < FE_STRESSES; k++) {
            add_square(0.5 * L * flexibility[k], rows + k * BEAM_DOF, K);
        }
    }
}

// Work of the axial force on the foreshortening: N int v'^2 + w'^2, (fe.6); quartic, three points.
static void geometric(const fe_element *e, double axial, double *K)
{
    beam_axes a;
    double rows[2 * BEAM_DOF];
    (void)beam_axes_of(e, &a);
    memset(K, 0, BEAM_DOF * BEAM_DOF * sizeof *K);
    for (int g = 0; g < 3; g++) {
        beam_slopes(e, 0.5 * (1.0 + fe_gauss_at[2][g]), rows);
        double w = 0.5 * a.length * fe_gauss_weight[2][g] * axial;
        add_square(w, rows, K);
        add_square(w, rows + BEAM_DOF, K);
    }
}

// Four stations are exact for cubic times cubic; around each the mass lies in pairs that have the section's moments,
// (fe.5).
static int particles(const fe_element *e, fe_particle *out)
{
    const bi_section *s = e->section;
    beam_axes a;
    (void)beam_axes_of(e, &a);
    double ry = sqrt((e->is_plane ? 1.0 : 2.0) * s->iz / s->area), rz = sqrt(2.0 * s->iy / s->area);
    const double y[4] = { ry, -ry, 0.0, 0.0 }, z[4] = { 0.0, 0.0, rz, -rz };
    int n_around = e->has_no_rotary ? 1 : e->is_plane ? 2 : 4, n = 0;
    for (int g = 0; g < 4; g++) {
        double at = 0.5 * (1.0 + fe_gauss_at[3][g]);
        double mass = 0.5 * fe_gauss_weight[3][g] * e->material->density * s->area * a.length;
        for (int k = 0; k < n_around; k++) {
            double yk = n_around == 1 ? 0.0 : y[k], zk = n_around == 1 ? 0.0 : z[k];
            double move[3 * BEAM_DOF];
            fe_particle *p = &out[n++];
            p->mass = mass / n_around;
            p->at = vec3_add_scaled(vec3_add_scaled(vec3_add_scaled(a.end[0], at * a.length, a.x), yk, a.y),
                                    zk, a.z);
            beam_move(e, at, yk, zk, move, NULL);
            for (int c = 0; c < 3; c++) {
                memcpy(p->shape[c], move + c * BEAM_DOF, sizeof move / 3);
            }
        }
    }
    return n;
}

static const vec3 site[3] = { { -1.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 } };

#define BEAM_KIND(text)                                                                                      \
    {                                                                                                        \
        .name = text, .n_node = 2, .freedoms = FE_ALL, .needs_section = true, .needs_material = true,        \
        .check = check, .stiffness = stiffness, .particles = particles, .geometric = geometric, .n_site = 3, \
        .site = site, .stress = stress                                                                       \
    }
const fe_kind fe_beam = BEAM_KIND("beam");
const fe_kind fe_timoshenko = BEAM_KIND("timoshenko");

// ---- sections ----------------------------------------------------------------------------------------------

bi_section bi_section_tube(double diameter, double wall)
{
    const double pi = 3.14159265358979323846;
    if (!(diameter > 0.0) || !(wall >= 0.0)) {
        return (bi_section){ 0 }; // no area, which no mesh accepts
    }
    double inner = wall > 0.0 && wall < 0.5 * diameter ? diameter - 2.0 * wall : 0.0;
    double d2 = diameter * diameter, i2 = inner * inner;
    bi_section s = { .area = 0.25 * pi * (d2 - i2), .iy = pi / 64.0 * (d2 * d2 - i2 * i2), .is_round = true };
    s.iz = s.iy;
    s.torsion = 2.0 * s.iy;
    s.top = s.side = s.twist = 0.5 * diameter;
    // Cowper with Poisson's ratio 0.3: full and thin-walled are its limits
    double m = inner / diameter, m1 = (1.0 + m * m) * (1.0 + m * m), nu = 0.3;
    s.shear_y = 6.0 * (1.0 + nu) * m1 / ((7.0 + 6.0 * nu) * m1 + (20.0 + 12.0 * nu) * m * m);
    s.shear_z = s.shear_y;
    return s;
}

bi_section bi_section_rectangle(double y, double z)
{
    if (!(y > 0.0) || !(z > 0.0)) {
        return (bi_section){ 0 };
    }
    bi_section s = { .area = y * z, .iy = y * z * z * z / 12.0, .iz = z * y * y * y / 12.0 };
    s.shear_y = s.shear_z = 5.0 / 6.0;
    s.top = 0.5 * y;
    s.side = 0.5 * z;
    // torsion of a rectangle: series of St Venant, odd terms until nothing changes
    double a = fmax(y, z), b = fmin(y, z), pi = 3.14159265358979323846, sum = 0.0, shear = 0.0;
    for (int k = 1; k < 40 && a > 0.0 && b > 0.0; k += 2) {
        double arg = 0.5 * k * pi * a / b;
        sum += math_tanh(arg) / math_pow(k, 5.0);
        shear += 1.0 / (k * k * math_cosh(arg));
    }
    s.torsion =
        a > 0.0 && b > 0.0 ? a * b * b * b / 3.0 * (1.0 - 192.0 * b / (math_pow(pi, 5.0) * a) * sum) : 0.0;
    // the largest shear stress is at the middle of the long side: G theta b (1 - 8/pi^2 sum)
    s.twist = b * (1.0 - 8.0 / (pi * pi) * shear);
    return s;
}
