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
    bool envelops;      /* lies over edges: springs over the footprint in place of the deepest point */
    double wear;        /* m/J: radius lost per work of sliding, a state; 0: none */
    double overturning; /* N/m: the load acts aside by the side force over it; 0: it does not */
    bi_expr leak;       /* 1/s: share of the air that leaves, a state; unset: none does */
    double flat_stiffness, flat_grip,
        flat_resistance; /* 1: what is left without air of stiffness, forces along the
                                                          ground, rolling resistance; 0 = 0.1, 0.5, 10 */
    double rim_radius,
        rim_stiffness;    /* m, N/m: the rim meets the ground; 0: it does not, ten times the stiffness */
    double heat_capacity; /* J/K: temperature is a state, over that of the surroundings; 0: none */
    double
        heat_share; /* 1: of the power of sliding that stays in the tyre, 0 = 0.5; of that of rolling all does */
    double cooling, cooling_speed; /* W/K, W s/(K m): at rest, and per speed */
    double best_warm,
        warm_width; /* K: where friction is as given, and how far off it is half; width 0: it is always */
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
/* The Magic Formula as property files (.tir) give it: keys, units (SI, radians) and meaning are those of the files. Begin
 * with bi_magic_formula_default, which has what counts where a file says nothing: scale factors 1, others 0. */
typedef struct {
    double FITTYP; /* 5, 6, 21, 52: version 5.2; 60, 61, 62: 6.x */
    double
        USE_MODE; /* units: 0 load only, 1 Fx My, 2 Fy Mx Mz, 3 both, 4 combined, 5 with turn slip; tens: see relaxation */
    double UNLOADED_RADIUS, FNOMIN, LONGVL;                /* m, N, m/s */
    double NOMPRES, INFLPRES, PRESMIN, PRESMAX;            /* Pa */
    double KPUMIN, KPUMAX, ALPMIN, ALPMAX, CAMMIN, CAMMAX; /* 1, rad, rad; equal: no range */
    double FZMIN, FZMAX;                                   /* N */
    double RIM_RADIUS, BOTTOM_OFFST, BOTTOM_STIFF; /* m, m, N/m: the rim meets the ground; 0: it does not */
    double LONGITUDINAL_STIFFNESS, LATERAL_STIFFNESS; /* N/m; 0: a relaxation length of one radius (6.x) */
    double Q_RE0, PKY4, PHYP1, QDRP1;                 /* 0 = 1, 2, 1, 1 */
    /* load and rolling radius; how the forces relax */
    double BREFF, DREFF, FREFF, Q_V1, Q_V2, Q_FZ2, Q_FCX, Q_FCY, Q_FCY2, PFZ1;
    double PCFX1, PCFX2, PCFX3, PCFY1, PCFY2, PCFY3, PTX1, PTX2, PTX3, PTY1, PTY2;
    /* scale factors: a file has 1 where it says nothing */
    double LFZO, LCX, LMUX, LEX, LKX, LHX, LVX, LCY, LMUY, LEY, LKY, LHY, LVY, LTR, LRES, LXAL, LYKA, LVYKA,
        LS, LMX, LVMX, LMY, LKYC, LKZC, LMP, LGAX, LGAY, LGAZ, LSGKP, LSGAL;
    /* longitudinal force */
    double PCX1, PDX1, PDX2, PDX3, PEX1, PEX2, PEX3, PEX4, PKX1, PKX2, PKX3, PHX1, PHX2, PVX1, PVX2, RBX1,
        RBX2, RBX3, RCX1, REX1, REX2, RHX1, PPX1, PPX2, PPX3, PPX4;
    /* lateral force */
    double PCY1, PDY1, PDY2, PDY3, PEY1, PEY2, PEY3, PEY4, PEY5, PKY1, PKY2, PKY3, PKY5, PKY6, PKY7, PHY1,
        PHY2, PHY3, PVY1, PVY2, PVY3, PVY4, RBY1, RBY2, RBY3, RBY4, RCY1, REY1, REY2, RHY1, RHY2, RVY1, RVY2,
        RVY3, RVY4, RVY5, RVY6, PPY1, PPY2, PPY3, PPY4, PPY5;
    /* moment about the direction of travel */
    double QSX1, QSX2, QSX3, QSX4, QSX5, QSX6, QSX7, QSX8, QSX9, QSX10, QSX11, QSX12, QSX13, QSX14, PPMX1;
    /* rolling resistance */
    double QSY1, QSY2, QSY3, QSY4, QSY5, QSY6, QSY7, QSY8;
    /* moment about the normal */
    double QBZ1, QBZ2, QBZ3, QBZ4, QBZ5, QBZ9, QBZ10, QCZ1, QDZ1, QDZ2, QDZ3, QDZ4, QDZ6, QDZ7, QDZ8, QDZ9,
        QDZ10, QDZ11, QEZ1, QEZ2, QEZ3, QEZ4, QEZ5, QHZ1, QHZ2, QHZ3, QHZ4, SSZ1, SSZ2, SSZ3, SSZ4, PPZ1,
        PPZ2;
    /* turn slip */
    double PDXP1, PDXP2, PDXP3, PKYP1, PDYP1, PDYP2, PDYP3, PDYP4, PHYP2, PHYP3, PHYP4, PECP1, PECP2, QDTP1,
        QCRP1, QCRP2, QBRP1, QDRP2;
} bi_magic_formula;
bi_magic_formula bi_magic_formula_default(void);

typedef struct {
    const char *name;
    bi_wheel wheel;
    bi_magic_formula formula; /* wheel.stiffness is its VERTICAL_STIFFNESS */
    int32_t relaxation;       /* 0: as the tens of USE_MODE say; 1 steady, 2 linear: slips lag */
    double tread_damping;     /* s, at standstill, over the stiffness of the tread, 0 = 0.01 */
    int32_t tyre_side;        /* the data are of a tyre 0, 1 symmetric, 2 of the left side, 3 of the right */
    int32_t side; /* it is mounted 0, 1 as the data say, 2 left, 3 right: mirrored when they differ */
    double
        slow_speed; /* m/s: below it offsets and moments fade, 0 = 1; steady: least denominator of the slips */
    bool unclamped;  /* slips, camber and load beyond the ranges of the data count as they are */
} bi_tyre_magic_def; /* "tyre-magic": Magic Formula 5.2, 6.1, 6.2 */
bi_element bi_add_tyre_linear(bi_model *, const bi_tyre_linear_def *);
bi_element bi_add_tyre_pacejka(bi_model *, const bi_tyre_pacejka_def *);
bi_element bi_add_tyre_tmeasy(bi_model *, const bi_tyre_tmeasy_def *);
bi_element bi_add_tyre_lean(bi_model *, const bi_tyre_lean_def *);
bi_element bi_add_tyre_magic(bi_model *, const bi_tyre_magic_def *);

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
    double rolling_radius;         /* m */
} bi_tyre_force;
bool bi_tyre_test(const bi_system *, bi_element, const bi_tyre_state *, bi_tyre_force *);
BI_END
