// SPDX-License-Identifier: MIT
/* laws.h - tables, signals and force laws beyond the first ones. Included by <biela/biela.h>. */
#pragma once
#include <biela/model.h>
BI_BEGIN

/* ---- tables ------------------------------------------------------------------------------------ */
typedef enum {
    BI_CUBIC,
    BI_LINEAR,
    BI_MONOTONE,
    BI_STEPPED
} bi_interpolation; /* default: natural cubic spline */
typedef enum {
    BI_CLAMP,
    BI_EXTRAPOLATE,
    BI_PERIODIC,
    BI_REFUSE
} bi_outside; /* default: the value of the end */
struct bi_curve_def {
    const char *name;
    int n_point;
    const double *x, *y; /* (n_point) in SI, x increasing; copied */
    bi_interpolation interpolation;
    bi_outside outside; /* BI_REFUSE: the step fails there */
};

struct bi_map_def {
    const char *name;
    int n_x, n_y;
    const double *x, *y; /* (n_x), (n_y) in SI, increasing; copied */
    const double *value; /* (n_x n_y) rows of one x each; copied */
    bi_interpolation
        interpolation;  /* natural cubic splines (default), or linear: straight along both variables */
    bi_outside outside; /* not periodic */
};

/* ---- signals: named values, usable by name in every expression ------------------------------------ */
/* Each is an element of the section "signals". Their expressions may read t, parameters, inputs, joint coordinates and
 * rates, and other signals; a circle of signals is a mistake that bi_compile names. All start at rest. */
typedef struct {
    const char *name;
    bi_expr value;
} bi_signal_def; /* "expr" */
typedef struct {
    const char *name;
    bi_curve table;
    bi_expr input;     /* unset: t */
} bi_table_signal_def; /* "table": table(input) */
typedef struct {
    const char *name;
    bi_expr input;
    double time;    /* s: T y' + y = input, or T^2 y'' + 2 damping T y' + y = input */
    double order;   /* 1 (default) or 2 */
    double damping; /* of the second order; 0 = 1, critical */
} bi_filter_def;    /* "filter" */
typedef struct {
    const char *name;
    bi_expr input;
    double rising, falling; /* largest rates, per second; falling 0 = rising */
} bi_rate_limit_def;        /* "rate-limit" */
typedef struct {
    const char *name;
    bi_expr setpoint, measured;
    double proportional, integral,
        derivative;      /* gains: output per error, per error and second, per error rate */
    double filter;       /* s, of the derivative; 0 = 0.01 */
    double lower, upper; /* limits of the output; both 0: none */
    double tracking; /* s, time in which the integral follows a limit; 0 = proportional / integral, or 1 */
} bi_pid_def;        /* "pid": error = setpoint - measured */
typedef struct {
    const char *name;
    bi_expr input;
    double on, off;   /* switches on above `on`, off below `off` <= on */
    double low, high; /* its two values; both 0: 0 and 1 */
} bi_switch_def;      /* "switch" */
typedef struct {
    const char *name;
    bi_expr input;
    double time; /* s */
} bi_delay_def;  /* "delay": the input of that time ago; before the start, as at the start */
typedef struct {
    const char *name;
    bi_expr input;
    double period;     /* s, between two looks at it */
    double delay;      /* s, until the value is out; at most 60 periods */
    double resolution; /* smallest step of the value; 0: none */
} bi_sample_def; /* "sample": the input as a device with a clock of its own gives it, held between looks */
typedef struct {
    const char *name;
    const char *of; /* a force, graph or constraint */
    const char
        *channel; /* of those it tells besides: a state of a graph, slip_x of a tyre; NULL = its effort */
    double time;  /* s, of the gauge; 0 = none */
    bool late;    /* a graph, too, is read at the end of the last step; else at once, when time is 0 */
} bi_effort_signal_def; /* "effort": its scalar at the end of the last step: tension, guide effort, normal force */
typedef struct {
    const char *name;
    bi_expr input;    /* lever, -1 to 1: share of the speed; of a servo: the wanted position */
    bi_expr load;     /* unset: none; beyond its limits no acceleration against them */
    bi_expr measured; /* unset: none; the position runs ahead of it by `leash` at most */
    bool servo;
    double speed, speed_back; /* largest, forwards and backwards; speed_back 0 = speed */
    double acceleration,
        braking;              /* largest, of full lever, and when it slows down; braking 0 = acceleration */
    double lower, upper;      /* stroke; both 0: none */
    double start, start_rate; /* at t = 0 */
    double load_lower, load_upper; /* both 0: none */
    double leash;
} bi_actuator_def; /* "actuator": position of a lever-driven machine part */
typedef struct {
    const char *name;
    bi_expr x, y, yaw, speed; /* of the vehicle: m, rad, m/s */
    bi_grid points;           /* x, y of the path, m */
    double wheelbase;         /* m */
    double preview, reach;    /* the driver looks preview s ahead, and reach m at least */
    double most;              /* rad, largest angle; 0 = 1 */
    /* optional, all or none: the car as the driver knows it, who then weighs the whole path within preview s */
    double mass, inertia;                   /* kg, kg m2 about the vertical */
    double front, rear;                     /* m, axles before and behind the centre of mass */
    double stiffness_front, stiffness_rear; /* N/rad, of each axle, across */
    double delay;                           /* s, of his arms and the steering */
} bi_path_def;                              /* "path": steering angle of a driver who follows a path */
typedef struct {
    const char *name;
    bi_expr input;
    double start, lower, upper;
} bi_count_def; /* "count": one more when the input rises above 0.5, one less when it falls below -0.5 */
bi_element bi_add_path(bi_model *, const bi_path_def *);
bi_element bi_add_count(bi_model *, const bi_count_def *);
bi_element bi_add_effort_signal(bi_model *, const bi_effort_signal_def *);
bi_element bi_add_actuator(bi_model *, const bi_actuator_def *);
bi_element bi_add_signal(bi_model *, const bi_signal_def *);
bi_element bi_add_table_signal(bi_model *, const bi_table_signal_def *);
bi_element bi_add_filter(bi_model *, const bi_filter_def *);
bi_element bi_add_rate_limit(bi_model *, const bi_rate_limit_def *);
bi_element bi_add_pid(bi_model *, const bi_pid_def *);
bi_element bi_add_switch(bi_model *, const bi_switch_def *);
bi_element bi_add_delay(bi_model *, const bi_delay_def *);
bi_element bi_add_sample(bi_model *, const bi_sample_def *);

/* ---- laws on joints: efforts in N m on an angle, N on a position; on body b, the opposite on body a -------- */
typedef struct {
    const char *name;
    bi_joint_coordinate joint;
    double stiffness, damping, rest, preload; /* effort -preload - stiffness (x - rest) - damping dx/dt */
    bi_curve table, damping_table; /* effort against x - rest, against the rate: instead of the constants */
} bi_torsion_spring_def;           /* "torsion-spring" */
typedef struct {
    const char *name;
    bi_joint_coordinate joint;
    double lower, upper;                   /* rad or m */
    double stiffness, damping, hysteresis; /* hysteresis: factor on damping while returning, default 1 */
    double smooth;                         /* rad or m over which stiffness and damping come in; 0: at once */
} bi_stop_def;                             /* "stop": never pulls */
typedef struct {
    const char *name;
    bi_joint_coordinate joint;
    int32_t control;                  /* 0, 1 torque, 2 speed */
    bi_expr command;                  /* torque, or speed of the joint */
    double gain;                      /* speed control: torque per speed error */
    double torque_limit, power_limit; /* 0: none */
    double time;                      /* s, first-order lag of the torque as own state; 0: none */
} bi_motor_def;                       /* "motor" */
typedef struct {
    const char *name;
    bi_joint_coordinate joint;
    bi_expr command; /* 0 released .. 1 full */
    double torque;   /* at full command */
    double inertia,
        stick_time; /* carried by the joint, kg m2 or kg; s, default 0.03: stiffness inertia / time^2 */
} bi_brake_def;     /* "brake": holds, own memory: the stick anchor */
typedef struct {
    const char *name;
    bi_joint_coordinate joint;
    double coulomb, breakaway;  /* sliding; from rest, default and at least coulomb */
    double stribeck;            /* rate at which breakaway has faded to coulomb, 0: at once when it slides */
    double viscous;             /* per rate */
    double inertia, stick_time; /* as in a brake */
} bi_joint_friction_def;        /* "joint-friction": own memory */
typedef struct {
    const char *name;
    bi_joint joint;               /* revolute with `clearance`: the ring is on a, the journal on b */
    double radius;                /* m, of the journal */
    double stiffness, exponent;   /* N/m^exponent; 0 = 1.5 */
    double dissipation, friction; /* s/m: force times 1 + dissipation * rate of depth; 1 */
    double slow_speed;            /* m/s, slip at which friction is at tanh(1), 0 = 1e-3 */
} bi_bearing_def;                 /* "bearing": tells the force with which it presses */
bi_element bi_add_bearing(bi_model *, const bi_bearing_def *);
bi_element bi_add_torsion_spring(bi_model *, const bi_torsion_spring_def *);
bi_element bi_add_stop(bi_model *, const bi_stop_def *);
bi_element bi_add_motor(bi_model *, const bi_motor_def *);
bi_element bi_add_brake(bi_model *, const bi_brake_def *);
bi_element bi_add_joint_friction(bi_model *, const bi_joint_friction_def *);

/* ---- laws on points, frames and bodies --------------------------------------------------------------- */
typedef struct {
    const char *name;
    bi_frame a, b;
    bi_numbers stiffness,
        damping; /* axes of a: x y z, rotation vector; 6 diagonal, 21 upper triangle by rows, 36 full */
    bi_numbers preload; /* none or 6: force and moment on a at no deformation */
} bi_bushing_def;       /* "bushing" */
typedef struct {
    const char *name;
    bi_frame a, b; /* sections where it begins and ends: x along the beam, y and z their principal axes */
    double length; /* m, along the beam without load */
    bi_numbers stiffness; /* 6, all positive: EA GAy GAz, N; GJ EIy EIz, N m2 */
    double damping;       /* s: stress = stiffness * (strain + damping * its rate) */
    bi_numbers rest;      /* none or 6: elongation, two shears, twist and two curvatures (1/m) without load */
} bi_beam_def; /* "beam": tells N Vy Vz, N, Mt My Mz, N m, in the middle; N_a .. Mz_a, N_b .. Mz_b at its ends */
typedef struct {
    const char *name;
    bi_point point;
    bi_expr fx, fy, fz; /* N; unset: 0 */
    int32_t axes;       /* 0, 1 ground, 2 body */
} bi_force_def;         /* "force" */
typedef struct {
    const char *name;
    bi_body body;
    bi_expr mx, my, mz; /* N m; unset: 0 */
    int32_t axes;       /* 0, 1 ground, 2 body */
} bi_body_torque_def;   /* "torque-on-body" */
typedef struct {
    const char *name;
    bi_point point;
    double area, coefficient, density; /* m2, 1, kg/m3 (0 = 1.225) */
    double linear;                     /* N s/m */
    bi_vec3 wind;                      /* velocity of the air, ground axes */
} bi_drag_def;                         /* "drag": -(density coefficient area |v| / 2 + linear) v */
typedef struct {
    const char *name;
    bi_point point;
    bi_vec3 forward, up;            /* body axes; zero = x, z */
    double area, length, density;   /* m2; m of moments (0 = 1); kg/m3 (0 = 1.225) */
    bi_expr wind_x, wind_y, wind_z; /* m/s, velocity of the air, ground axes; unset: 0 */
    double drag, side, lift;        /* coefficients */
    double roll, pitch, yaw;
    bi_curve drag_table, side_table, lift_table, /* over the angle of the flow, rad, instead of the numbers */
        roll_table, pitch_table, yaw_table;
} bi_air_def; /* "air": tells speed, angle, drag, side, lift, roll, pitch, yaw */
bi_element bi_add_bushing(bi_model *, const bi_bushing_def *);
bi_element bi_add_beam(bi_model *, const bi_beam_def *);
bi_element bi_add_force(bi_model *, const bi_force_def *);
bi_element bi_add_body_torque(bi_model *, const bi_body_torque_def *);
bi_element bi_add_drag(bi_model *, const bi_drag_def *);
bi_element bi_add_air(bi_model *, const bi_air_def *);

/* ---- the user's own law ---------------------------------------------------------------------------------- */
/* Reads points and joint coordinates, writes forces and efforts; all it does counts as work. The numbers of the tangent
 * are those of the points, three each, then those of the joints: width = 3 n_point + n_joint. The callback must not
 * keep anything between calls that changes its answer; it may be called several times per step. */
enum { BI_USER_POINTS = 6, BI_USER_JOINTS = 6, BI_USER_WIDTH = 3 * BI_USER_POINTS + BI_USER_JOINTS };
typedef struct {
    double t;                                         /* s */
    bi_vec3 pos[BI_USER_POINTS], vel[BI_USER_POINTS]; /* ground axes */
    double value[BI_USER_JOINTS], rate[BI_USER_JOINTS];
    bool wants_tangent; /* K and C will be read */
} bi_force_motion;
typedef struct {
    bi_vec3 force[BI_USER_POINTS];           /* N, ground axes; zero at first */
    double effort[BI_USER_JOINTS];           /* N m or N; zero at first */
    double scalar;                           /* the number that `effort` outputs show */
    double K[BI_USER_WIDTH * BI_USER_WIDTH]; /* -d effort / d value, row-major width x width; zero at first */
    double C[BI_USER_WIDTH * BI_USER_WIDTH]; /* -d effort / d rate */
} bi_force_load;
typedef struct {
    const char *name;
    int n_point, n_joint;
    bi_point point[BI_USER_POINTS];
    bi_joint joint[BI_USER_JOINTS];
    void (*eval)(void *data, const bi_force_motion *, bi_force_load *);
    void *data;
    bool
        gives_tangent; /* the callback writes K and C (compared with differences at the start of a run); otherwise
                           they are found by differences */
} bi_user_force_def;
bi_element bi_add_user_force(bi_model *, const bi_user_force_def *);

/* The same on any number of points and coordinates, with a memory of its own: numbers that stay what they are during a
 * step and follow after it, and that are part of snapshots and hashes. Numbers are in this order: x y z of each point
 * (ground axes), each coordinate; n = 3 points + coordinates. Nothing but the memory may be kept between calls; no
 * allocation. */
typedef struct {
    double t, h;                /* s; h: length of the step, 0 outside of one */
    int n;                      /* numbers */
    const double *value, *rate; /* (n) */
    const double *memory;       /* (n_memory) as the last commit left it; zero before the first */
    const double *signal;       /* (n_signal) values of its expressions */
} bi_law_motion;
typedef struct {
    double *effort;   /* (n) N, N m; zero at first */
    double *K, *C;    /* (n * n) -d effort / d value, / d rate, row-major, zero at first; NULL: not asked */
    double scalar;    /* the number that `effort` outputs show */
    double potential; /* J that it stores; what it does beside counts as work */
    double *
        told; /* (n_told) numbers with names, which outputs and signals of type effort read; NULL: not asked */
} bi_law_load;
typedef enum {
    BI_TANGENT_DIFFERENCES, /* found by differences: 4 n calls where a tangent is formed */
    BI_TANGENT_GIVEN,       /* the callback writes K and C */
    BI_TANGENT_NONE         /* none: for soft laws on many points; implicit steps converge more slowly */
} bi_law_tangent;
enum { BI_USER_COORDINATES = 16, BI_USER_SIGNALS = 32 };
typedef struct {
    const char *name;
    bi_points points; /* any number; their names are for messages and may be NULL */
    int n_coordinate;
    bi_joint_coordinate coordinate[BI_USER_COORDINATES];
    int n_memory;
    void (*eval)(void *data, const bi_law_motion *, bi_law_load *);
    void (*commit)(void *data, const bi_law_motion *,
                   double *memory); /* at the start and after every accepted step */
    void *data;
    bi_law_tangent tangent;
    int n_signal;
    bi_expr signal[BI_USER_SIGNALS]; /* whose values it reads */
    int n_told;
    const char *told[BI_USER_SIGNALS];  /* names of numbers that it tells; valid as long as the model */
    const char *(*failure)(void *data); /* why its memory is no number; NULL, or NULL from it: nobody knows */
} bi_user_law_def;
bi_element bi_add_user_law(bi_model *, const bi_user_law_def *);
BI_END
