// SPDX-License-Identifier: MIT
/* tyre.h - wheels on tyres. Included by <biela/biela.h> (through shapes.h, whose types it needs). */
#pragma once
#include <biela/shapes.h>
#include <biela/sim.h>
BI_BEGIN

/* The wheel of every tyre, and the ground it rolls on; patches of the model (bi_add_patch) scale its friction. Forwards
 * is the direction axis x normal: with the axis to the left and the normal upwards, ISO 8855. */
typedef struct {
    bi_body body;
    bi_vec3 centre, axis; /* body frame; axis default y */
    double radius;        /* m, outer, not loaded */
    double section,
        section_width;     /* m, semi-axes of the tread's section; 0: a sharp disc; width 0: as section */
    double rolling_radius; /* m; 0: radius less a third of the deflection */
    bi_vec3 plane, normal; /* of the ground, ground axes; normal default z */
    bi_shapes road;        /* shapes of the ground instead of the plane; none: the plane */
    bi_expr surface;       /* or: height of a smooth ground over x and y, m; unset: none */
    double stiffness, stiffness_2, damping,
        damping_2; /* N/m, N/m2, N s/m, N s/m2, along the normal; never pulls */
    double rolling_resistance, rolling_resistance_2; /* 1, s2/m2: force over load, and per speed squared */
    double wear; /* m/J: radius lost per work of sliding, a state; 0: none */
} bi_wheel;

/* The deflection of the tread along the ground: own states. */
typedef struct {
    double stiffness_x, damping_x, stiffness_y, damping_y; /* N/m, N s/m */
    double standstill_speed;                               /* m/s; 0: a parked wheel holds for ever */
} bi_carcass;

typedef struct {
    const char *name;
    bi_wheel wheel;
    bi_carcass carcass;
    double friction, critical_slip; /* slip at which it slides, 0 = 0.2 */
} bi_tyre_linear_def;               /* "tyre-linear": TMeasy with linear curves */
typedef struct {
    const char *name;
    bi_wheel wheel;
    bi_carcass carcass; /* all zero: no deflection, forces follow the slips at once */
    bi_numbers lateral; /* a0 to a7, or to a13: loads in kN, angles in degrees, forces in N */
    bi_numbers longitudinal,
        adhesion;        /* one of them: b0 to b10, slip in per cent; A, B, C, D of adhesion over slip */
    bi_numbers aligning; /* c0 to c17; none: no aligning moment */
    int32_t combined;    /* without deflection: 0, 1 none, 2 forces cut at the ellipse of friction */
    double slow_speed;   /* m/s, without deflection: least denominator of the slips, 0 = 0.5 */
} bi_tyre_pacejka_def;   /* "tyre-pacejka": Pacejka's formula of 1989 */
typedef struct {
    const char *name;
    bi_wheel wheel;
    bi_carcass carcass;
    double nominal_load; /* N */
    bi_numbers longitudinal,
        lateral;  /* slope, peak, its slip, sliding, its slip; 10: the same at twice the load */
    double trail; /* pneumatic trail over length of the patch at no slip; 0: none */
    double trail_slip, trail_end; /* slips where it changes sign and ends; 0 = 0.2, 0.4 */
} bi_tyre_tmeasy_def;             /* "tyre-tmeasy" */
typedef struct {
    const char *name;
    bi_wheel wheel;                       /* forces act at the deepest point of the undeformed tyre */
    bi_carcass carcass;                   /* all zero: no deflection */
    double friction, friction_y;          /* along, across; across 0: the same */
    double critical_slip, critical_angle; /* of the largest forces; rad; 0 = 0.1 */
    int32_t angle_of;                     /* slip angle of 0, 1 the patch, 2 the wheel's centre */
    double slow_speed;                    /* m/s, least denominator of the slips, 0 = 0.5 */
    double contact_modulus;               /* Pa; 0: the ellipse of contact is not told */
    double nominal_load,
        load_exponent; /* N, 1: limits go with load^exponent and are friction*load there; 0: load */
} bi_tyre_lean_def;    /* "tyre-lean": bicycles */
bi_element bi_add_tyre_linear(bi_model *, const bi_tyre_linear_def *);
bi_element bi_add_tyre_pacejka(bi_model *, const bi_tyre_pacejka_def *);
bi_element bi_add_tyre_tmeasy(bi_model *, const bi_tyre_tmeasy_def *);
bi_element bi_add_tyre_lean(bi_model *, const bi_tyre_lean_def *);

/* The test rig: one tyre of a system in steady motion on a dry, flat road. False: the element is no tyre. */
typedef struct {
    double load;   /* N */
    double slip;   /* longitudinal: rolling speed over speed, less 1; -1 is locked */
    double angle;  /* rad, slip angle: positive pushes to the left */
    double camber; /* rad, about the direction of travel */
    double speed;  /* m/s, of the centre, forwards */
} bi_tyre_state;
typedef struct {
    double fx, fy, fz, mx, my, mz; /* N, N m at the patch, axes of the tyre */
    double depth;                  /* m */
    double power;                  /* W, of all forces on the wheel: at most 0 but for what camber stores */
} bi_tyre_force;
bool bi_tyre_test(const bi_system *, bi_element, const bi_tyre_state *, bi_tyre_force *);
BI_END
