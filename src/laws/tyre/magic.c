// SPDX-License-Identifier: MIT
#include "laws/tyre/magic.h"

static const double half_pi = 1.5707963267948966;

// ---- arithmetic ------------------------------------------------------------------------------------------------------

static dual sum(dual a, dual b) { return dual_add(a, b); }
static dual times(dual a, dual b) { return dual_mul(a, b); }
static dual square(dual a) { return dual_mul(a, a); }
// a + b x
static dual line(double a, double b, dual x) { return dual_shift(dual_scale(b, x), a); }
// a + b x + c x^2
static dual parabola(double a, double b, double c, dual x)
{
    return dual_shift(dual_mul(x, dual_shift(dual_scale(c, x), b)), a);
}
static double sign_of(double x) { return x < 0.0 ? -1.0 : 1.0; }
static dual at_most_one(dual x) { return dual_min(x, dual_of(1.0)); }
// cos(atan x)
static dual cos_atan(dual x) { return dual_div(dual_of(1.0), dual_sqrt(dual_shift(square(x), 1.0))); }
static dual power(dual x, double exponent)
{
    double p = math_pow(x.v, exponent);
    return dual_chain(p, exponent * p / x.v, x);
}
static dual arc_sine(dual x)
{
    double s = fmin(fmax(x.v, -1.0), 1.0);
    return dual_chain(math_asin(s), 1.0 / sqrt(fmax(1.0 - s * s, 1e-12)), x);
}
static dual ratio(dual a, dual b) { return b.v != 0.0 ? dual_div(a, b) : dual_of(0.0); }

// C atan{B x - E (B x - atan B x)}: the argument of the formula (tyre.45)
static dual bent(dual B, dual C, dual E, dual x)
{
    dual bx = times(B, x);
    return times(C, dual_atan(dual_sub(bx, times(E, dual_sub(bx, dual_atan(bx))))));
}

// ---- what depends on load, camber and pressure -----------------------------------------------------------------------

typedef struct {
    const magic_formula *f;
    const bi_magic_formula *s;
    dual load, df, over; // N; (Fz - Fz0') / Fz0'; Fz / Fz0'
    dual alpha, cos_alpha, kappa;
    dual gamma, camber_x, camber, camber_z, camber_r; // rad; as each part of the formula takes it
    double mu_x, mu_y;                                // scale factors of friction
    double nominal;                                   // N, Fz0'
    double direction;                                 // of rolling
    dual zeta[9];
} inside;

static void without_turn_slip(dual zeta[9])
{
    for (int k = 0; k < 9; k++) {
        zeta[k] = dual_of(1.0);
    }
}

typedef struct {
    dual B, C, D, E_right, E_left, shift_x, shift_y, stiffness, mu;
} curve;

// The curve at a slip: E differs by the side of its middle.
static dual curve_at(const curve *c, dual slip)
{
    dual x = sum(slip, c->shift_x);
    dual E = x.v < 0.0 ? c->E_left : c->E_right;
    return sum(times(c->D, dual_sin(bent(c->B, c->C, E, x))), c->shift_y);
}

static dual friction_along(const inside *i)
{
    const bi_magic_formula *s = i->s;
    double dpi = i->f->dpi;
    dual mu = times(line(s->PDX1, s->PDX2, i->df), line(1.0, -s->PDX3, square(i->camber_x)));
    return dual_scale((1.0 + dpi * (s->PPX3 + dpi * s->PPX4)) * i->mu_x, mu);
}

static dual friction_across(const inside *i)
{
    const bi_magic_formula *s = i->s;
    double dpi = i->f->dpi;
    dual mu = times(line(s->PDY1, s->PDY2, i->df), line(1.0, -s->PDY3, square(i->camber)));
    return dual_scale((1.0 + dpi * (s->PPY3 + dpi * s->PPY4)) * i->mu_y, mu);
}

// Slip stiffness along.
static dual slipping(const inside *i)
{
    const bi_magic_formula *s = i->s;
    double dpi = i->f->dpi;
    dual k = times(times(i->load, line(s->PKX1, s->PKX2, i->df)), dual_exp(dual_scale(s->PKX3, i->df)));
    return dual_scale((1.0 + dpi * (s->PPX1 + dpi * s->PPX2)) * s->LKX, k);
}

// (tyre.46)
static curve curve_along(const inside *i)
{
    const bi_magic_formula *s = i->s;
    curve c = { .C = dual_of(s->PCX1 * s->LCX), .mu = friction_along(i), .stiffness = slipping(i) };
    c.D = times(times(c.mu, i->load), i->zeta[1]);
    dual e = dual_scale(s->LEX, parabola(s->PEX1, s->PEX2, s->PEX3, i->df));
    c.E_right = at_most_one(dual_scale(1.0 - s->PEX4, e));
    c.E_left = at_most_one(dual_scale(1.0 + s->PEX4, e));
    c.B = ratio(c.stiffness, times(c.C, c.D));
    c.shift_x = dual_scale(s->LHX, line(s->PHX1, s->PHX2, i->df));
    c.shift_y =
        dual_scale(s->LVX * i->mu_x, times(times(i->load, line(s->PVX1, s->PVX2, i->df)), i->zeta[1]));
    return c;
}

// Cornering stiffness (tyre.48).
static dual cornering(const inside *i, dual camber, dual zeta)
{
    const bi_magic_formula *s = i->s;
    double dpi = i->f->dpi;
    dual at = dual_scale(1.0 + s->PPY2 * dpi, line(s->PKY2, s->PKY5, square(camber)));
    dual k = dual_sin(dual_scale(s->PKY4, dual_atan(ratio(i->over, at))));
    k = times(k, line(1.0, -s->PKY3, dual_abs(camber)));
    return dual_scale(s->PKY1 * i->nominal * (1.0 + s->PPY1 * dpi) * s->LKY, times(k, zeta));
}

// Stiffness of camber (tyre.49).
static dual cambering(const inside *i)
{
    const bi_magic_formula *s = i->s;
    return dual_scale((1.0 + s->PPY5 * i->f->dpi) * s->LKYC, times(i->load, line(s->PKY6, s->PKY7, i->df)));
}

// (tyre.47)
static curve curve_across(const inside *i)
{
    const bi_magic_formula *s = i->s;
    dual g = i->camber;
    curve c = { .C = dual_of(s->PCY1 * s->LCY), .mu = friction_across(i) };
    c.D = times(times(c.mu, i->load), i->zeta[2]);
    dual e = dual_scale(s->LEY, line(s->PEY1, s->PEY2, i->df));
    dual even = line(1.0, s->PEY5, square(g)), odd = line(s->PEY3, s->PEY4, g);
    c.E_right = at_most_one(times(e, dual_sub(even, odd)));
    c.E_left = at_most_one(times(e, sum(even, odd)));
    c.stiffness = cornering(i, g, i->zeta[3]);
    c.B = ratio(c.stiffness, times(c.C, c.D));
    dual thrust = times(times(i->load, line(s->PVY3, s->PVY4, i->df)), times(g, i->zeta[2]));
    thrust = dual_scale(s->LKYC * i->mu_y, thrust);
    dual offset = times(times(i->load, line(s->PVY1, s->PVY2, i->df)), i->zeta[2]);
    c.shift_y = sum(dual_scale(s->LVY * i->mu_y, offset), thrust);
    c.shift_x = dual_scale(s->LHY, line(s->PHY1, s->PHY2, i->df));
    if (i->f->is_52) {
        c.shift_x = dual_add_scaled(c.shift_x, s->PHY3, g);
    } else {
        dual by_camber = ratio(dual_sub(times(cambering(i), g), thrust), c.stiffness);
        c.shift_x = dual_shift(sum(sum(c.shift_x, times(by_camber, i->zeta[0])), i->zeta[4]), -1.0);
    }
    return c;
}

// ---- both slips at once ----------------------------------------------------------------------------------------------

typedef struct {
    dual B, C, E, shift;
} weight;

// cos at x over cos at the shift alone
static dual weight_at(const weight *w, dual x)
{
    return ratio(dual_cos(bent(w->B, w->C, w->E, sum(x, w->shift))),
                 dual_cos(bent(w->B, w->C, w->E, w->shift)));
}

// (tyre.50)
static dual weight_along(const inside *i, dual kappa)
{
    const bi_magic_formula *s = i->s;
    if (!i->f->is_combined) {
        return dual_of(1.0);
    }
    weight w = { .B = times(line(s->RBX1, s->RBX3, square(i->camber)), cos_atan(dual_scale(s->RBX2, kappa))),
                 .C = dual_of(s->RCX1),
                 .E = at_most_one(line(s->REX1, s->REX2, i->df)),
                 .shift = dual_of(s->RHX1) };
    w.B = dual_scale(s->LXAL, w.B);
    return weight_at(&w, i->alpha);
}

// (tyre.51)
static dual weight_across(const inside *i, dual camber, dual alpha)
{
    const bi_magic_formula *s = i->s;
    if (!i->f->is_combined) {
        return dual_of(1.0);
    }
    dual around = dual_scale(s->RBY2, dual_shift(alpha, -s->RBY3));
    weight w = { .B = times(line(s->RBY1, s->RBY4, square(camber)), cos_atan(around)),
                 .C = dual_of(s->RCY1),
                 .E = at_most_one(line(s->REY1, s->REY2, i->df)),
                 .shift = line(s->RHY1, s->RHY2, i->df) };
    w.B = dual_scale(s->LYKA, w.B);
    return weight_at(&w, i->kappa);
}

// The lateral force that kappa makes (tyre.52).
static dual induced(const inside *i, const curve *across, dual alpha)
{
    const bi_magic_formula *s = i->s;
    if (!i->f->is_combined) {
        return dual_of(0.0);
    }
    dual most = sum(line(s->RVY1, s->RVY2, i->df), dual_scale(s->RVY3, i->camber_r));
    most = times(times(times(across->mu, i->load), most), cos_atan(dual_scale(s->RVY4, alpha)));
    dual at = dual_sin(dual_scale(s->RVY5, dual_atan(dual_scale(s->RVY6, i->kappa))));
    return dual_scale(s->LVYKA, times(times(most, i->zeta[2]), at));
}

// ---- turn slip (tyre.55 .. tyre.57) ----------------------------------------------------------------------------------

typedef struct {
    dual path;        // R0 phi, all spin
    dual steered;     // R0 |phi_t|
    dual camber_less; // 1 - eps_gamma
} turning;

static turning turning_of(const inside *i, const magic_state *state)
{
    const bi_magic_formula *s = i->s;
    dual less = dual_sub(dual_of(1.0), dual_scale(s->PECP1, line(1.0, s->PECP2, i->df)));
    dual phi = sum(state->turn_slip, times(less, state->camber_spin));
    return (turning){ dual_scale(s->UNLOADED_RADIUS, phi),
                      dual_scale(s->UNLOADED_RADIUS, dual_abs(state->turn_slip)), less };
}

static void turn_slip_forces(inside *i, const turning *t)
{
    const bi_magic_formula *s = i->s;
    dual u = t->path, length = dual_abs(u);
    i->zeta[0] = dual_of(0.0);
    dual along = times(line(1.0, s->PDXP2, i->df), cos_atan(dual_scale(s->PDXP3, i->kappa)));
    i->zeta[1] = cos_atan(dual_scale(s->PDXP1, times(along, u)));
    dual across = times(line(1.0, s->PDYP2, i->df), cos_atan(dual_scale(s->PDYP3, i->alpha)));
    across = times(across, dual_add_scaled(length, s->PDYP4, dual_sqrt(length)));
    i->zeta[2] = cos_atan(dual_scale(s->PDYP1, across));
    i->zeta[3] = cos_atan(dual_scale(s->PKYP1, square(u)));
    i->zeta[5] = cos_atan(dual_scale(s->QDTP1, u));
    i->zeta[6] = cos_atan(dual_scale(s->QBRP1, u));

    dual C = dual_of(s->PHYP1), D = dual_scale(i->direction, line(s->PHYP2, s->PHYP3, i->df));
    dual E = dual_of(fmin(s->PHYP4, 1.0)), plain = cornering(i, dual_of(0.0), dual_of(1.0));
    dual B = ratio(ratio(cambering(i), t->camber_less), times(times(C, D), plain));
    dual shift = dual_scale(i->direction, times(D, dual_sin(bent(B, C, E, u))));
    dual thrust = times(times(i->load, line(s->PVY3, s->PVY4, i->df)), times(i->camber, i->zeta[2]));
    thrust = dual_scale(s->LKYC * i->mu_y, thrust);
    i->zeta[4] = dual_shift(dual_sub(shift, ratio(thrust, cornering(i, i->camber, i->zeta[3]))), 1.0);
}

// What is left of the moment when the wheel turns on the spot, and how far it has come to that.
static void turn_slip_moments(inside *i, const turning *t, const curve *across, dual weight)
{
    const bi_magic_formula *s = i->s;
    dual most = times(times(dual_abs(across->mu), i->load), dual_sqrt(i->over));
    most = dual_scale(s->QCRP1 * s->UNLOADED_RADIUS * s->LMP, most);
    double C = s->QDRP1, sine, cosine;
    math_sincos(half_pi * C, &sine, &cosine);
    dual D = dual_scale(sine != 0.0 ? 1.0 / sine : 0.0, most);
    dual by_camber =
        sum(line(s->QDZ8, s->QDZ9, i->df), times(line(s->QDZ10, s->QDZ11, i->df), dual_abs(i->camber_z)));
    by_camber = dual_scale(s->UNLOADED_RADIUS * s->LKZC, times(i->load, by_camber));
    dual B = ratio(ratio(by_camber, t->camber_less), dual_scale(C, D));
    dual spin = times(D, dual_sin(bent(B, dual_of(C), dual_of(fmin(s->QDRP2, 1.0)), t->path)));
    i->zeta[8] = dual_shift(spin, 1.0);
    i->zeta[7] = dual_of(1.0);
    if (spin.v != 0.0) {
        dual at_90 = dual_scale(1.0 / half_pi, times(most, dual_atan(dual_scale(s->QCRP2, t->steered))));
        dual part = ratio(times(at_90, weight), dual_abs(spin));
        part = dual_max(dual_min(part, dual_of(1.0)), dual_of(-1.0));
        i->zeta[7] = dual_shift(dual_scale(-1.0 / half_pi, arc_sine(part)), 1.0);
    }
}

// ---- moments ---------------------------------------------------------------------------------------------------------

// An angle and the slip along as one: the formula of each version (tyre.54).
static dual joined(const inside *i, dual angle, dual share)
{
    dual x = times(share, i->kappa);
    double side = sign_of(angle.v);
    if (!i->f->is_52) {
        return dual_scale(side, dual_sqrt(sum(square(angle), square(x))));
    }
    dual tangent = ratio(dual_sin(angle), dual_cos(angle));
    return dual_scale(side, dual_atan(dual_sqrt(sum(square(tangent), square(x)))));
}

static dual trail(const inside *i, dual share)
{
    const bi_magic_formula *s = i->s;
    dual g = i->camber_z;
    dual at = sum(sum(i->alpha, line(s->QHZ1, s->QHZ2, i->df)), times(line(s->QHZ3, s->QHZ4, i->df), g));
    dual B = times(parabola(s->QBZ1, s->QBZ2, s->QBZ3, i->df),
                   dual_add_scaled(line(1.0, s->QBZ4, g), s->QBZ5, dual_abs(g)));
    B = dual_scale(s->LKY / i->mu_y, B);
    dual D = times(times(i->load, line(s->QDZ1, s->QDZ2, i->df)), parabola(1.0, s->QDZ3, s->QDZ4, g));
    D = dual_scale(s->UNLOADED_RADIUS / i->nominal * (1.0 - s->PPZ1 * i->f->dpi) * s->LTR * i->direction,
                   times(D, i->zeta[5]));
    dual bend = dual_scale(1.0 / half_pi, dual_atan(dual_scale(s->QCZ1, times(B, at))));
    dual E = times(parabola(s->QEZ1, s->QEZ2, s->QEZ3, i->df),
                   dual_shift(times(line(s->QEZ4, s->QEZ5, g), bend), 1.0));
    dual slip = joined(i, at, share);
    return times(times(D, dual_cos(bent(B, dual_of(s->QCZ1), at_most_one(E), slip))), i->cos_alpha);
}

static dual residual(const inside *i, const curve *across, dual share)
{
    const bi_magic_formula *s = i->s;
    dual g = i->camber_z;
    dual at =
        joined(i, sum(sum(i->alpha, across->shift_x), ratio(across->shift_y, across->stiffness)), share);
    dual B = dual_shift(dual_scale(s->QBZ10, times(across->B, across->C)), s->QBZ9 * s->LKY / i->mu_y);
    dual by_camber = sum(dual_scale(1.0 + s->PPZ2 * i->f->dpi, line(s->QDZ8, s->QDZ9, i->df)),
                         times(line(s->QDZ10, s->QDZ11, i->df), dual_abs(g)));
    by_camber = times(dual_scale(s->LKZC, times(by_camber, g)), i->zeta[0]);
    dual D = sum(dual_scale(s->LRES, times(line(s->QDZ6, s->QDZ7, i->df), i->zeta[2])), by_camber);
    D = dual_scale(s->UNLOADED_RADIUS * i->mu_y * i->direction, times(times(i->load, D), i->cos_alpha));
    D = dual_shift(sum(D, i->zeta[8]), -1.0);
    dual angle = dual_atan(times(times(B, i->zeta[6]), at));
    return times(D, dual_cos(times(i->zeta[7], angle)));
}

// (tyre.53)
static dual overturning(const inside *i, dual fy)
{
    const bi_magic_formula *s = i->s;
    dual n = dual_scale(1.0 / s->FNOMIN, i->load), y = dual_scale(1.0 / s->FNOMIN, fy), g = i->gamma;
    dual m = dual_shift(dual_scale(-s->QSX2 * (1.0 + s->PPMX1 * i->f->dpi), g), s->QSX1 * s->LVMX);
    m = dual_add_scaled(m, s->QSX3, y);
    dual wave = dual_cos(dual_scale(s->QSX5, dual_atan(square(dual_scale(s->QSX6, n)))));
    dual phase = dual_add_scaled(dual_scale(s->QSX7, g), s->QSX8, dual_atan(dual_scale(s->QSX9, y)));
    m = dual_add_scaled(m, s->QSX4, times(wave, dual_sin(phase)));
    m = dual_add_scaled(m, s->QSX10, times(dual_atan(dual_scale(s->QSX11, n)), g));
    m = times(m, i->load);
    m = sum(m, times(fy, line(s->QSX13, s->QSX14, dual_abs(g))));
    m = dual_add_scaled(m, -s->QSX12, times(i->load, times(g, dual_abs(g))));
    return dual_scale(s->UNLOADED_RADIUS * s->LMX, m);
}

static dual rolling(const inside *i, dual fx, dual speed, dual rolls)
{
    const bi_magic_formula *s = i->s;
    dual v = dual_scale(1.0 / s->LONGVL, dual_abs(speed)), n = dual_scale(1.0 / s->FNOMIN, i->load);
    dual m = line(s->QSY1, s->QSY2 / s->FNOMIN, fx);
    m = dual_add_scaled(dual_add_scaled(m, s->QSY3, v), s->QSY4, square(square(v)));
    m = sum(m, times(line(s->QSY5, s->QSY6, n), square(i->gamma)));
    m = times(times(m, power(n, s->QSY7)), rolls);
    return dual_scale(-s->UNLOADED_RADIUS * s->FNOMIN * s->LMY * i->f->pressure_roll, m);
}

// ---- all -------------------------------------------------------------------------------------------------------------

static dual within(dual x, double low, double high)
{
    return low < high ? dual_max(dual_min(x, dual_of(high)), dual_of(low)) : x;
}

static void set_camber(inside *i, dual sine)
{
    const bi_magic_formula *s = i->s;
    i->gamma = arc_sine(sine);
    bool is_52 = i->f->is_52;
    i->camber_x = is_52 ? dual_scale(s->LGAX, i->gamma) : i->gamma;
    i->camber = is_52 ? dual_scale(s->LGAY, i->gamma) : sine;
    i->camber_z = is_52 ? dual_scale(s->LGAZ, i->gamma) : sine;
    i->camber_r = is_52 ? i->gamma : sine;
}

static inside look_inside(const magic_formula *f, const magic_state *state)
{
    const bi_magic_formula *s = &f->set;
    inside i = { .f = f, .s = s, .nominal = s->LFZO * s->FNOMIN, .direction = sign_of(state->speed.v) };
    dual tangent = state->tan_alpha, sine = state->sin_gamma;
    i.load = state->load;
    i.kappa = state->kappa;
    if (f->is_clamped) {
        i.kappa = within(i.kappa, s->KPUMIN, s->KPUMAX);
        tangent = s->ALPMIN < s->ALPMAX
                      ? within(tangent, math_tan(fmax(s->ALPMIN, -1.57)), math_tan(fmin(s->ALPMAX, 1.57)))
                      : tangent;
        double low, high, unused;
        math_sincos(fmax(s->CAMMIN, -half_pi), &low, &unused);
        math_sincos(fmin(s->CAMMAX, half_pi), &high, &unused);
        sine = within(sine, low, high);
        i.load = s->FZMAX > 0.0 ? dual_min(i.load, dual_of(s->FZMAX)) : i.load;
        i.load = dual_max(i.load, dual_of(s->FZMIN));
    }
    i.over = dual_scale(1.0 / i.nominal, i.load);
    i.df = dual_shift(i.over, -1.0);
    i.cos_alpha = cos_atan(tangent);
    i.alpha = f->is_52 ? dual_atan(tangent) : tangent;
    i.mu_x = s->LMUX * state->friction;
    i.mu_y = s->LMUY * state->friction;
    set_camber(&i, sine);
    without_turn_slip(i.zeta);
    return i;
}

// Below the least load the forces of that load in proportion.
static void share_load(const magic_formula *f, dual load, magic_force *out)
{
    if (!f->is_clamped || !(load.v < f->set.FZMIN)) {
        return;
    }
    dual part = dual_scale(1.0 / f->set.FZMIN, load);
    dual *const each[] = { &out->fx, &out->fy, &out->mx, &out->my, &out->mz, &out->zero_x, &out->zero_y };
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        *each[k] = times(*each[k], part);
    }
}

// The force whose lever is the trail (tyre.54): without camber and turn slip from version 6 on.
static dual levered(const inside *i, dual fy_pure)
{
    if (i->f->is_52) {
        return times(weight_across(i, i->camber, i->alpha), fy_pure);
    }
    inside upright = *i;
    set_camber(&upright, dual_of(0.0));
    without_turn_slip(upright.zeta);
    curve across = curve_across(&upright);
    return times(weight_across(i, dual_of(0.0), i->alpha), curve_at(&across, i->alpha));
}

void magic_eval(const magic_formula *f, const magic_state *state, magic_force *out)
{
    const bi_magic_formula *s = &f->set;
    inside i = look_inside(f, state);
    turning turn = turning_of(&i, state);
    if (f->has_turn_slip) {
        turn_slip_forces(&i, &turn);
    }
    curve along = curve_along(&i), across = curve_across(&i);
    dual none = dual_of(0.0), weight = weight_across(&i, i.camber, i.alpha);
    dual fy_pure = curve_at(&across, i.alpha);
    *out = (magic_force){
        .mu_x = along.mu, .mu_y = across.mu, .slope_x = along.stiffness, .slope_y = across.stiffness
    };
    if (f->has_x) {
        out->fx = times(weight_along(&i, i.kappa), curve_at(&along, i.kappa));
        out->zero_x = state->wants_zero ? times(weight_along(&i, none), curve_at(&along, none)) : none;
    }
    if (f->has_y) {
        out->fy = sum(times(weight, fy_pure), induced(&i, &across, i.alpha));
        if (state->wants_zero) {
            out->zero_y = sum(times(weight_across(&i, i.camber, none), curve_at(&across, none)),
                              induced(&i, &across, none));
        }
        if (f->has_turn_slip) {
            turn_slip_moments(&i, &turn, &across, weight);
        }
        dual share = ratio(along.stiffness, across.stiffness);
        dual lever = dual_add_scaled(dual_shift(dual_scale(s->SSZ2 / i.nominal, out->fy), s->SSZ1), 1.0,
                                     times(line(s->SSZ3, s->SSZ4, i.df), i.camber_r));
        out->mx = overturning(&i, out->fy);
        out->mz = dual_sub(residual(&i, &across, share), times(trail(&i, share), levered(&i, fy_pure)));
        out->mz = sum(out->mz, dual_scale(s->UNLOADED_RADIUS * s->LS, times(lever, out->fx)));
    }
    if (f->has_x) {
        out->my = rolling(&i, out->fx, state->speed, state->rolls);
    }
    share_load(f, state->load, out);
}

// ---- how forces follow (tyre.60) -------------------------------------------------------------------------------------

void magic_relax(const magic_formula *f, const magic_state *state, magic_lag *out)
{
    // no more than that, of the radius: a length is a denominator
    static const double least = 1e-3;
    const bi_magic_formula *s = &f->set;
    inside i = look_inside(f, state);
    turning turn = turning_of(&i, state);
    dual zeta = f->has_turn_slip ? cos_atan(dual_scale(s->PKYP1, square(turn.path))) : dual_of(1.0);
    dual kx = dual_abs(slipping(&i)), ky = dual_abs(cornering(&i, i.camber, zeta));
    double dpi = f->dpi, radius = s->UNLOADED_RADIUS;
    if (f->is_52) {
        dual x = times(times(i.load, line(s->PTX1, s->PTX2, i.df)), dual_exp(dual_scale(-s->PTX3, i.df)));
        out->sigma[0] = dual_scale(radius / s->FNOMIN * s->LSGKP, x);
        dual y = dual_sin(dual_scale(2.0, dual_atan(dual_scale(1.0 / s->PTY2, i.over))));
        y = times(y, line(1.0, -s->PKY3, dual_abs(i.camber)));
        out->sigma[1] = dual_scale(s->PTY1 * radius * s->LFZO * s->LSGAL, y);
    } else {
        dual cx = dual_scale(s->LONGITUDINAL_STIFFNESS * (1.0 + s->PCFX3 * dpi),
                             parabola(1.0, s->PCFX1, s->PCFX2, i.df));
        dual cy = dual_scale(s->LATERAL_STIFFNESS * (1.0 + s->PCFY3 * dpi),
                             parabola(1.0, s->PCFY1, s->PCFY2, i.df));
        out->sigma[0] = dual_abs(ratio(kx, cx));
        out->sigma[1] = dual_abs(ratio(ky, cy));
    }
    dual peak[2] = { times(friction_along(&i), i.load), times(friction_across(&i), i.load) };
    out->stiffness[0] = kx;
    out->stiffness[1] = ky;
    for (int k = 0; k < 2; k++) {
        out->sigma[k] = dual_max(out->sigma[k], dual_of(least * radius));
        out->critical[k] = dual_abs(ratio(peak[k], out->stiffness[k]));
    }
}

dual magic_softer(const magic_formula *f, dual depth, dual fx, dual fy)
{
    static const double most = 0.5;
    const bi_magic_formula *s = &f->set;
    dual x = dual_scale(s->Q_FCX / s->FNOMIN, fx), y = dual_scale(s->Q_FCY / s->FNOMIN, fy);
    if (s->Q_FCY2 != 0.0) {
        y = times(y, power(dual_scale(1.0 / s->UNLOADED_RADIUS, depth), s->Q_FCY2));
    }
    return dual_min(sum(square(x), square(y)), dual_of(most));
}

#ifndef TYRE_VALUES
// What a file does not say of relaxation: one radius at the nominal load.
static void give_lengths(magic_formula *f)
{
    bi_magic_formula *s = &f->set;
    magic_state at = { .load = dual_of(s->FNOMIN), .speed = dual_of(s->LONGVL), .friction = 1.0 };
    magic_lag lag;
    if (f->is_52) {
        s->PTX1 = s->PTX1 == 0.0 && s->PTX2 == 0.0 ? 1.0 : s->PTX1;
        bool lacks_y = s->PTY1 == 0.0 || s->PTY2 == 0.0;
        s->PTY1 = lacks_y ? 1.0 : s->PTY1;
        s->PTY2 = lacks_y ? 1.0 : s->PTY2;
    }
    magic_relax(f, &at, &lag);
    double radius = s->UNLOADED_RADIUS;
    if (!(s->LONGITUDINAL_STIFFNESS > 0.0)) {
        s->LONGITUDINAL_STIFFNESS = lag.stiffness[0].v / (f->is_52 ? lag.sigma[0].v : radius);
    }
    if (!(s->LATERAL_STIFFNESS > 0.0)) {
        s->LATERAL_STIFFNESS = lag.stiffness[1].v / (f->is_52 ? lag.sigma[1].v : radius);
    }
}

magic_formula magic_make(const bi_magic_formula *set, bool is_clamped)
{
    magic_formula f = { .set = *set, .is_clamped = is_clamped };
    bi_magic_formula *s = &f.set;
    int units = (int)fmod(fabs(s->USE_MODE), 10.0);
    f.is_52 = s->FITTYP < 60.0;
    f.has_x = units == 1 || units >= 3;
    f.has_y = units >= 2;
    f.is_combined = units >= 4;
    f.has_turn_slip = units >= 5 && !f.is_52;
    s->PKY4 = f.is_52 || s->PKY4 == 0.0 ? 2.0 : s->PKY4;
    s->PHYP1 = s->PHYP1 == 0.0 ? 1.0 : s->PHYP1;
    s->QDRP1 = s->QDRP1 == 0.0 ? 1.0 : s->QDRP1;
    s->Q_RE0 = s->Q_RE0 == 0.0 ? 1.0 : s->Q_RE0;
    s->QSY7 = f.is_52 ? 1.0 : s->QSY7;
    s->QSY8 = f.is_52 ? 0.0 : s->QSY8;
    double pressure = s->INFLPRES;
    if (is_clamped && s->PRESMIN < s->PRESMAX) {
        pressure = fmax(fmin(pressure, s->PRESMAX), s->PRESMIN);
    }
    bool has_pressure = !f.is_52 && s->NOMPRES > 0.0 && pressure > 0.0;
    f.dpi = has_pressure ? (pressure - s->NOMPRES) / s->NOMPRES : 0.0;
    f.pressure_roll = has_pressure ? math_pow(pressure / s->NOMPRES, s->QSY8) : 1.0;
    f.pressure_vertical = 1.0 + s->PFZ1 * (has_pressure ? (s->INFLPRES - s->NOMPRES) / s->NOMPRES : 0.0);
    give_lengths(&f);
    return f;
}

void magic_wheel(const magic_formula *f, double stiffness, tyre_spring *spring, tyre_rolling *rolling)
{
    // a tyre without air is as soft as that, of its stiffness, until the rim bears
    static const double flat = 0.02;
    const bi_magic_formula *s = &f->set;
    double r = s->UNLOADED_RADIUS, n = s->FNOMIN, square = stiffness * r / n * (stiffness * r / n);
    double pressure = fmax(f->pressure_vertical, flat);
    spring->stiffness = sqrt(fmax(square - 4.0 * s->Q_FZ2, 0.0)) * n / r * pressure;
    spring->stiffness_2 = s->Q_FZ2 * n / (r * r) * pressure;
    if (f->is_52) {
        spring->stiffness = stiffness;
        spring->stiffness_2 = 0.0;
    }
    double speed = r / s->LONGVL;
    spring->by_spin = f->is_52 ? 0.0 : s->Q_V2 * speed;
    spring->bottom_stiffness = s->BOTTOM_STIFF;
    spring->bottom_depth = r * s->Q_RE0 - s->RIM_RADIUS - s->BOTTOM_OFFST;
    double cz = stiffness * (f->is_52 ? 1.0 : pressure);
    *rolling = (tyre_rolling){ .growth = f->is_52 ? 0.0 : r * s->Q_V1 * speed * speed,
                               .by_depth = { spring->stiffness / n, spring->stiffness_2 / n },
                               .by_spin = spring->by_spin,
                               .deep = n / cz * s->DREFF,
                               .bend = s->BREFF,
                               .sink = n / cz * s->FREFF };
}
#endif
