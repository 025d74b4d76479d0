// SPDX-License-Identifier: MIT
// A wheel on the ground, whatever its tyre: finds the patch, asks the law of the tyre, puts forces, tangents and states
// on the trays. A kind of tyre is a file of kinds/: the function of its law, its data, a table of fields, and the line
// TYRE.
#pragma once
#include "laws/tyre/carcass.h"
#include "laws/tyre/road.h"
#include "laws/tyre/tyre.h"
#include "laws/tyre/tyre_patch.h"
#include "state/law.h"

// What a law answers: the load, how the tread gives way, moments, and two numbers to show.
typedef struct TYRE_INSTANCE(tyre_answer) {
    dual load;   // N, along the normal; given, and the law may change it
    double soft; // given: factor of the spring along the normal
    dual spin;   // rad/s, given where the wheel has a rolling radius or a law of it (tyre_rolling)
    tread tread;
    dual roll; // N m about the axis, besides that of the forces
    dual turn; // N m about the normal
    dual tip;  // N m about the direction of travel
    double slip[2];
    // where slips lag (wheel.lags): the deflection, or what the rule of the step makes of the old one, m, and the step,
    // s, are given; where it comes to, m, and its rate, m/s, are answered
    double from[2], h, deflection[2], rate[2];
} tyre_answer;

// The normal force: spring, damper, never pulling.
typedef struct {
    double stiffness, stiffness_2, damping, damping_2; // N/m, N/m2, N s/m, N s/m2
    double by_spin;                                    // s: springs are stiffer by this times the spin
    double bottom_depth, bottom_stiffness;             // m, N/m: from there on the rim presses, too
} tyre_spring;

typedef struct {
    int frame, axes, block, element, state, scalar;
    size_t energy; // potential and power of the last evaluation that wrote readings
    int memory;    // where it stood at the last commit: centre, quaternion; with states only
    vec3 axis;
    tyre_shape shape;
    tyre_spring spring;
    carcass carcass;
    road road;
    double resistance[2];     // rolling resistance: factor on load and radius, and on speed squared, s2/m2
    bool tells_law;           // moments are shown as the law has them, without that of the lever of (tyre.12)
    bool lags;                // the law itself follows slips with the deflection, and there is no tread
    double holds[2];          // m, then: the deflection up to which it is a spring that holds energy
    double modulus;           // Pa, of the contact; 0: no readings of its ellipse
    const double (*range)[2]; // (4) of slip, slip angle, camber, load that the data are of; NULL: not known
    int worn;                 // state: radius lost, m; -1: does not wear
    double wear;              // m/J
    double over;              // N/m: the load acts aside by the side force over it; 0: it does not
    int leaking, leak; // state: share of the air that is lost, and the signal of its rate; -1: keeps its air
    double flat[3];    // what is left without air of stiffness, forces along the ground, rolling resistance
    int warm, told;    // state: temperature over the surroundings, K, -1: not known; readings that it tells
    double heat[4];    // J/K; share of sliding; W/K and W s/(K m) of cooling
    double best[2];    // K: with the best friction, and how far off it is half, 0: always as given
    // as it is now: factors of spring, forces along the ground, rolling resistance, friction; rate of the first one, 1/s
    double soft, grip, drag, rub, fades;
    const tyre_laws *laws;
    const void *data;
} wheel;

// The fields that all kinds share.
#define TYRE_COMMON_FIELDS(def)                                                                              \
    { "body", BI_FIELD_BODY, offsetof(def, wheel.body), NULL, BI_REQUIRED, "the wheel" },                    \
        { "centre", BI_FIELD_VEC3, offsetof(def, wheel.centre), "m", 0, "its centre, body frame" },          \
        { "axis",                                                                                            \
          BI_FIELD_VEC3,                                                                                     \
          offsetof(def, wheel.axis),                                                                         \
          NULL,                                                                                              \
          BI_DIRECTION,                                                                                      \
          "axis of its spin, body frame (default y): rolling forwards is a positive turn about it" },        \
        { "radius", BI_FIELD_NUMBER,           offsetof(def, wheel.radius),                                  \
          "m",      BI_REQUIRED | BI_POSITIVE, "outer radius, not loaded" },                                 \
        { "section",                                                                                         \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.section),                                                                      \
          "m",                                                                                               \
          BI_NOT_NEGATIVE,                                                                                   \
          "radius of the rounded tread in the plane of the wheel (default 0: a sharp disc)" },               \
        { "section_width",                                                                                   \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.section_width),                                                                \
          "m",                                                                                               \
          BI_NOT_NEGATIVE,                                                                                   \
          "the same along the axis: half width of an elliptic section (default: as section)" },              \
        { "rolling_radius",                                                                                  \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.rolling_radius),                                                               \
          "m",                                                                                               \
          BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,                                                              \
          "path per radian when rolling freely (default: radius less a third of the deflection)" },          \
        { "plane", BI_FIELD_VEC3,  offsetof(def, wheel.plane),                                               \
          "m",     BI_GROUND_AXES, "a point of the ground plane, ground axes" },                             \
        { "normal",                                                                                          \
          BI_FIELD_VEC3,                                                                                     \
          offsetof(def, wheel.normal),                                                                       \
          NULL,                                                                                              \
          BI_DIRECTION | BI_GROUND_AXES,                                                                     \
          "its normal, ground axes (default z)" },                                                           \
        { "road",                                                                                            \
          BI_FIELD_SHAPES,                                                                                   \
          offsetof(def, wheel.road),                                                                         \
          NULL,                                                                                              \
          0,                                                                                                 \
          "shapes of the ground instead of the plane: fields, meshes, boxes" },                              \
        { "surface", BI_FIELD_EXPR, offsetof(def, wheel.surface),                                            \
          NULL,      BI_OWN_NAMES,  "or: height of a smooth ground, an expression of x and y" },             \
        { "enveloping",                                                                                      \
          BI_FIELD_FLAG,                                                                                     \
          offsetof(def, wheel.envelops),                                                                     \
          NULL,                                                                                              \
          0,                                                                                                 \
          "lies over edges of a road, a smooth field or a surface: springs over its footprint (default "     \
          "false)" },                                                                                        \
        { "wear", BI_FIELD_NUMBER, offsetof(def, wheel.wear),                                                \
          "m/J",  BI_NOT_NEGATIVE, "radius lost per work of sliding (default 0: does not wear)" },           \
        { "overturning",                                                                                     \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.overturning),                                                                  \
          "N/m",                                                                                             \
          BI_NOT_NEGATIVE,                                                                                   \
          "the load acts aside by the side force over this: an overturning moment (default 0: none, or "     \
          "that of a .tir file alone)" },                                                                    \
        { "leak",                                                                                            \
          BI_FIELD_EXPR,                                                                                     \
          offsetof(def, wheel.leak),                                                                         \
          "s^-1",                                                                                            \
          0,                                                                                                 \
          "share of its air that leaves per second: a flat tyre (default: none)" },                          \
        { "flat_stiffness",                                                                                  \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.flat_stiffness),                                                               \
          "1",                                                                                               \
          BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,                                                              \
          "what is left of the stiffness without air (default 0.1)" },                                       \
        { "flat_grip",                                                                                       \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.flat_grip),                                                                    \
          "1",                                                                                               \
          BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,                                                              \
          "what is left of the forces along the ground without air (default 0.5)" },                         \
        { "flat_resistance",                                                                                 \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.flat_resistance),                                                              \
          "1",                                                                                               \
          BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,                                                              \
          "rolling resistance without air over that with it (default 10)" },                                 \
        { "rim_radius",                                                                                      \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.rim_radius),                                                                   \
          "m",                                                                                               \
          BI_NOT_NEGATIVE,                                                                                   \
          "of the rim, which carries the wheel from there on (default 0: no rim)" },                         \
        { "rim_stiffness",                                                                                   \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.rim_stiffness),                                                                \
          "N/m",                                                                                             \
          BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,                                                              \
          "of the tyre squeezed by the rim, besides (default ten times the stiffness)" },                    \
        { "heat_capacity",                                                                                   \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.heat_capacity),                                                                \
          "J/K",                                                                                             \
          BI_NOT_NEGATIVE,                                                                                   \
          "of the tyre: its temperature over that of the surroundings is told (default 0: is not known)" },  \
        { "heat_share",                                                                                      \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.heat_share),                                                                   \
          "1",                                                                                               \
          BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,                                                              \
          "of the power of sliding that stays in the tyre (default 0.5); of rolling resistance all does" },  \
        { "cooling", BI_FIELD_NUMBER, offsetof(def, wheel.cooling),                                          \
          "W/K",     BI_NOT_NEGATIVE, "heat given off per degree" },                                         \
        { "cooling_speed", BI_FIELD_NUMBER, offsetof(def, wheel.cooling_speed),                              \
          "W*s/(K*m)",     BI_NOT_NEGATIVE, "the same per speed, besides" },                                 \
        { "best_warm", BI_FIELD_NUMBER, offsetof(def, wheel.best_warm),                                      \
          "K",         BI_NOT_NEGATIVE, "temperature over the surroundings at which friction is as given" }, \
        { "warm_width",                                                                                      \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.warm_width),                                                                   \
          "K",                                                                                               \
          BI_NOT_NEGATIVE,                                                                                   \
          "that far colder or warmer half of the friction is left (default 0: friction does not change)" },  \
        { "stiffness", BI_FIELD_NUMBER,           offsetof(def, wheel.stiffness),                            \
          "N/m",       BI_REQUIRED | BI_POSITIVE, "along the normal" },                                      \
        { "stiffness_2", BI_FIELD_NUMBER, offsetof(def, wheel.stiffness_2),                                  \
          "N/m^2",       BI_NOT_NEGATIVE, "force per deflection squared, besides" },                         \
        { "damping", BI_FIELD_NUMBER, offsetof(def, wheel.damping),                                          \
          "N*s/m",   BI_NOT_NEGATIVE, "along the normal" },                                                  \
        { "damping_2", BI_FIELD_NUMBER, offsetof(def, wheel.damping_2),                                      \
          "N*s/m^2",   BI_NOT_NEGATIVE, "force per deflection and its rate, besides" },                      \
        { "rolling_resistance",                                                                              \
          BI_FIELD_NUMBER,                                                                                   \
          offsetof(def, wheel.rolling_resistance),                                                           \
          "1",                                                                                               \
          BI_NOT_NEGATIVE,                                                                                   \
          "force against rolling over load" },                                                               \
    {                                                                                                        \
        "rolling_resistance_2", BI_FIELD_NUMBER, offsetof(def, wheel.rolling_resistance_2), "s^2/m^2",       \
            BI_NOT_NEGATIVE, "the same per speed squared, besides"                                           \
    }

// The deflection of the carcass along the ground.
#define TYRE_CARCASS_FIELDS(def, rules)                                                                      \
    {                                                                                                        \
        "stiffness_x", BI_FIELD_NUMBER, offsetof(def, carcass.stiffness_x), "N/m", rules, "along the ground" \
    },                                                                                                       \
        { "damping_x", BI_FIELD_NUMBER, offsetof(def, carcass.damping_x), "N*s/m", rules, "along" },         \
        { "stiffness_y", BI_FIELD_NUMBER, offsetof(def, carcass.stiffness_y), "N/m", rules, "across" },      \
        { "damping_y", BI_FIELD_NUMBER, offsetof(def, carcass.damping_y), "N*s/m", rules, "across" },        \
    {                                                                                                        \
        "standstill_speed", BI_FIELD_NUMBER, offsetof(def, carcass.standstill_speed), "m/s",                 \
            BI_NOT_NEGATIVE,                                                                                 \
            "added to the rolling speed in slips, so that a parked wheel creeps (default 0: it holds)"       \
    }

// What makes a law a tyre: the kind name_kind with both instances of the law. Both are made of this one line, under one
// name, by the two compilations of the file: if the one without derivatives is missing, nothing links. compile: fills
// in the wheel.
#ifdef TYRE_VALUES
#define TYRE(name, law, compile, schema)                                                                     \
    tyre_law_values name##_law_values;                                                                       \
    void name##_law_values(const void *data, const dual *patch_state, double friction, tyre_answer *out)     \
    {                                                                                                        \
        (void)compile, (void)schema; /* the other instance makes the kind of them */                         \
        law(data, patch_state, friction, out);                                                               \
    }
#else
#define TYRE(name, law, compile, schema)                                                                     \
    tyre_law_values name##_law_values;                                                                       \
    extern const tyre_laws name##_laws;                                                                      \
    const tyre_laws name##_laws = { law, name##_law_values };                                                \
    static void name##_compile(plan *p, int element, const void *def, void *item)                            \
    {                                                                                                        \
        wheel *out = item;                                                                                   \
        compile(p, element, def, out);                                                                       \
        out->laws = &name##_laws;                                                                            \
    }                                                                                                        \
    const law_kind name##_kind = { &schema, sizeof(wheel), name##_compile, wheel_eval,                       \
                                   NULL,    wheel_energy,  wheel_commit };
#endif

// Markers, states and numbers of a wheel; the caller sets carcass and data.
void wheel_compile(plan *p, int element, const bi_wheel *def, wheel *out);
// Whether the four numbers of a carcass are given; some only is a mistake.
bool wheel_has_carcass(plan *p, int element, const bi_carcass *def);
// A tread that deflects: states, and the memory that a standing wheel needs.
void wheel_deflects(plan *p, const bi_carcass *def, wheel *out);
void wheel_eval(const void *items, int count, const law_in *in, law_out *out);
void wheel_commit(const void *items, int count, const law_in *in, double *memory);
void wheel_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out);

// What the ground does to a wheel: forces along and across and the load, N; moments about axis, normal and direction of
// travel, N m; slips shown; the ellipse of friction, N; rate of the deflection, m/s.
typedef struct {
    double fx, fy, load, roll, turn, tip, slip[2], limit[2], rate[2];
    double deflection[2]; // at the end of the step, m: where slips lag
} wheel_values;
#ifndef TYRE_VALUES
typedef struct {
    wheel_values at;
    dual fx, fy, load, roll, turn, tip;
} wheel_load;
// With its derivatives. from: deflection, or what the rule of the step makes of the old one.
void wheel_load_at(const wheel *w, const tyre_patch *patch, double friction, const double from[2], double h,
                   wheel_load *out);
#endif
// Without them; the same bits.
wheel_values wheel_values_at(const wheel *w, const tyre_patch *patch, double friction, const double from[2],
                             double h);
// The deflection at which the tread rests.
void wheel_rest_at(const wheel *w, const tyre_patch *patch, double friction, double deflection[2]);

// Forces and moments when the deflection rests, which is written.
void wheel_steady(const wheel *w, const tyre_patch *patch, double deflection[2], bi_tyre_force *out);
// The steady force of a wheel on the rig (rig.c).
void wheel_test(const wheel *w, const bi_tyre_state *state, bi_tyre_force *out);
