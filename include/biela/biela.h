// SPDX-License-Identifier: MIT
/* biela.h - describe a mechanism, compile it, step it, read it.
 *
 *   bi_model   what the mechanism is      you build it; mutable; plain description
 *   bi_system  how it will be computed    made by bi_compile; immutable; share it between threads
 *   bi_sim     where it is now            one per run; owns every byte a run needs
 *
 * SI units and radians everywhere. Zero in a definition field means "default" (stated beside it).
 * Pointers returned by the library are borrowed; strings and arrays you pass in are copied. The core
 * reads no files: <biela/io.h> does.
 *
 * Every function, here and in the other headers, may be called with what makes no sense: NULL, ids of nothing, numbers
 * that are not finite, counts below zero, a sim that was not started. It then answers with a status (BI_BAD_ARGUMENT,
 * BI_NOT_STARTED), false, NULL, 0 or, where a value is read, NAN, and changes nothing. What was added so to a model is
 * a mistake that bi_compile tells. A bi_report may be NULL everywhere. */
#pragma once
#include <biela/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- ids: one type per kind so that they cannot be mixed; 0 is "unset" --------------------- */
typedef struct {
    int32_t i;
} bi_body; /* 1 is the ground */
typedef struct {
    int32_t i;
} bi_joint;
typedef struct {
    int32_t i;
} bi_element; /* a force or a constraint */
typedef struct {
    int32_t i;
} bi_input;
typedef struct {
    int32_t i;
} bi_expr;
typedef struct {
    int32_t i;
} bi_curve; /* a table of the model */
typedef struct {
    int32_t i;
} bi_channel;
static const bi_body BI_GROUND = { 1 };

/* ---- errors: values, never exits ------------------------------------------------------------ */
#define BI_STATUS_LIST(X)                                                                                    \
    X(BI_OK, "ok")                                                                                           \
    X(BI_BAD_MODEL, "the model has a mistake")                                                               \
    X(BI_BAD_FILE, "the file cannot be read")                                                                \
    X(BI_NO_MEMORY, "out of memory")                                                                         \
    X(BI_FULL, "a list of fixed capacity is full")                                                           \
    X(BI_CANNOT_ASSEMBLE, "the mechanism cannot be assembled")                                               \
    X(BI_NOT_CONVERGED, "the step did not converge")                                                         \
    X(BI_SINGULAR, "equations without a solution: no inertia, or stiffness that gives way")                  \
    X(BI_NOT_FINITE, "a number is not finite")                                                               \
    X(BI_BAD_SNAPSHOT, "the snapshot belongs to another system or is damaged")                               \
    X(BI_NOT_STEADY, "the motion is not steady")                                                             \
    X(BI_BAD_ARGUMENT, "an argument cannot be used")                                                         \
    X(BI_NOT_STARTED, "the simulation has not been started")
#define BI_STATUS_ENUM(code, text) code,
typedef enum { BI_STATUS_LIST(BI_STATUS_ENUM) } bi_status;
const char *bi_status_text(bi_status);

typedef struct {
    const char *file;
    int line, column;
} bi_place; /* line and column from 1; all zero: unknown */

typedef enum { BI_ERROR, BI_WARNING, BI_NOTE } bi_severity;
typedef struct {
    bi_severity severity;
    bi_status code;
    bi_place place;
    const char *where; /* "joints.B.axis" */
    const char *what;  /* what is wrong, and what to do */
} bi_issue;
typedef struct {
    int count, errors, capacity;
    bi_issue *issue; /* (count) in the order found; owned by the report */
} bi_report;         /* starts as { 0 }, grows, ends with bi_report_clear */
void bi_report_add(bi_report *, bi_severity, bi_status, bi_place, const char *where, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 6, 7)))
#endif
    ;
void bi_report_clear(bi_report *);

/* ---- model: adding never fails; bad definitions are listed by bi_compile -------------------- */
typedef struct bi_model bi_model;
bi_model *bi_model_create(const char *name); /* NULL: no memory */
void bi_model_destroy(bi_model *);
const char *bi_model_name(const bi_model *);
void bi_model_place(bi_model *, bi_place);    /* source position of whatever is added next */
void bi_model_gravity(bi_model *, bi_vec3 g); /* default (0, 0, -9.80665) m/s2 */

/* Parameters are named constants for expressions; defining one again replaces it. `unit` may be NULL; it fixes
 * the dimension ("deg": value is still given in SI; a text that is no unit fixes nothing). Remove with bi_model_forget (loop indices). */
void bi_model_parameter(bi_model *, const char *name, double value, const char *unit);
void bi_model_forget(bi_model *, const char *name);
int bi_model_parameter_count(const bi_model *);
bool bi_model_parameter_at(const bi_model *, int k, const char **name, double *value, const char **unit);

/* The value of a constant expression such as "2*pi*R" or "30 deg". `unit`: expected dimension ("m", NULL = any).
 * Mistakes go to the report at the current place (column moved to the offending letter); returns false then. */
bool bi_model_number(const bi_model *, const char *text, const char *unit, const char *where, double *value,
                     bi_report *);

/* Expressions of time: may read t, parameters (their value now), inputs, joint coordinates and rates
 * ("crank.angle", "crank.rate", "slide.position"). Mistakes are reported by bi_compile. */
bi_expr bi_expression(bi_model *, const char *text, const char *unit);
/* Names of inputs and joints in the expressions added from now on get this before them: a part that is used several
 * times is written with its own names. NULL or "": nothing. */
void bi_model_prefix(bi_model *, const char *prefix);
bi_expr bi_constant(bi_model *, double value);
bi_input bi_add_input(bi_model *, const char *name, double initial);
/* A manoeuvre: the input follows straight lines through these samples, t increasing, end values held, exactly at every
 * stage of a step; bi_sim_input has no effect on it then. Copied; count 0: none any more. Before bi_compile. False, with
 * a message, when they are not usable. */
bool bi_input_samples(bi_model *, bi_input, int count, const double *t, const double *value, bi_report *);
int bi_model_input_count(const bi_model *);
const char *bi_model_input_name(const bi_model *, bi_input); /* NULL: none */

/* Tables: curves through points, read by laws and signals. Of the name, "" is fine for a table that only its id
 * finds. Points, interpolation and what happens outside of them are in <biela/laws.h>. */
typedef struct bi_curve_def bi_curve_def;
bi_curve bi_add_curve(bi_model *, const bi_curve_def *);
bi_curve bi_model_curve(const bi_model *, const char *name); /* unset: none of that name */

/* Modes of a flexible body: masses at nodes (zero where a node only carries points), shapes per mode; the elastic
 * energy is sum k eta^2 / 2. A node stands at place + sum_m shape_m eta_m + 1/2 sum_mn bend_mn eta_m eta_n and a
 * vector n at it points along n + sum_m (turn_m x n) eta_m, both in the body frame. */
typedef struct {
    int n_node, n_mode;
    const bi_vec3 *at;       /* (n_node) undeformed position in the body frame, m */
    const double *mass;      /* (n_node) kg */
    const bi_vec3 *shape;    /* (n_mode * n_node) displacement per unit amplitude, mode by mode */
    const double *stiffness; /* (n_mode) generalised stiffness */
    const double *damping;   /* (n_mode) generalised damping; NULL = none */
    const bi_vec3
        *turn; /* (n_mode * n_node) small rotation of the node per unit amplitude, rad; NULL = none */
    /* (n_mode * n_mode * n_node) second-order displacement (foreshortening), symmetric in the modes: node `i` of modes
     * m, n at (m * n_mode + n) * n_node + i; NULL = none */
    const bi_vec3 *bend;
    /* false: `bend` moves the nodes, right for any motion; true: it only gives the stiffness of the centrifugal load,
     * for a body whose rotation is prescribed */
    bool bend_is_load;
} bi_modes;

typedef struct {
    const char *name;
    double mass;       /* kg; zero is a massless body */
    bi_vec3 com;       /* centre of mass in the body frame, m */
    double inertia[6]; /* xx yy zz xy yz zx about com, body axes: entries of the tensor (I_xy = -int xy dm) */
    bi_pose pose;      /* described configuration: the body frame seen from ground */
    bi_twist
        twist; /* velocity of the frame's origin and angular velocity, ground axes; first guess at t = 0 */
    const bi_modes *flex; /* NULL = rigid; with modes, mass, com and inertia above are ignored */
    /* names of four of its points and vectors that natural coordinates use as its variables; all NULL = automatic */
    const char *basis[4];
} bi_body_def;
bi_body bi_add_body(bi_model *, const bi_body_def *);

typedef enum {
    BI_FIXED = 1,
    BI_REVOLUTE,
    BI_PRISMATIC,
    BI_CYLINDRICAL,
    BI_FREE, /* no constraint: six coordinates that can be named, read and guided */
    BI_UNIVERSAL,
    BI_SPHERICAL,
    BI_DISTANCE,
    BI_PLANAR, /* a plane of b slides on a plane of a; the axis is their normal */
    BI_SCREW   /* cylindrical, advancing by `pitch` per turn */
} bi_joint_kind;

/* Which of the local fields of a joint are given; what is not given follows from `at` and `axis` (ground axes, in
 * the described configuration) or, when its partner is given, from that partner and the described poses. */
enum { BI_AT_A = 1, BI_AT_B = 2, BI_AXIS_A = 4, BI_AXIS_B = 8 };

/* Coordinates of a joint: revolute, cylindrical, screw 'angle' (of b against a about the axis; zero when the reference
 * directions of the two local axes coincide, so for parallel frames); prismatic, cylindrical, screw, distance 'position'.
 * Free joints have x y z (of b's point against a's, in a's axes) and angle1 angle2 angle3 (successive turns about the
 * moving axes named by `angles`); spherical joints the three angles. With `angles` given they are the coordinates of the
 * joint formulation; otherwise it uses quaternions.
 * The reference direction of an axis is x less its part along the axis (y when the axis is near x). */
typedef struct {
    const char *name;
    bi_joint_kind kind;
    bi_body a, b;
    bi_vec3 at, axis;                   /* ground axes, described configuration; axis default z */
    bi_vec3 at_a, at_b, axis_a, axis_b; /* body frames; used where `local` says so */
    unsigned local;                     /* BI_AT_A | ... */
    const char
        *angles;   /* free, spherical: order of the turns about the moving axes, "xyz" (default) .. "zyx" */
    double length; /* distance joint: 0 = as described */
    bool set_value, set_rate, hold; /* value, rate: impose them at t = 0; hold: keep the described value */
    double value, rate;             /* of the first coordinate, rad or m, rad/s or m/s */
    double pitch;     /* screw: m per turn; position and angle keep step from the described ones on */
    bool closes_loop; /* joint formulation: never part of the tree, always rows that close a loop */
} bi_joint_def;
bi_joint bi_add_joint(bi_model *, const bi_joint_def *);

/* A point fixed to a body. */
typedef struct {
    bi_body body;
    bi_vec3 at; /* body frame, m */
} bi_point;

/* A direction fixed to a body. */
typedef struct {
    bi_body body;
    bi_vec3 along; /* body frame; its length does not matter */
} bi_vector;

/* A coordinate of a joint: 0 is the first, 1 the position of a cylindrical joint or screw. */
typedef struct {
    bi_joint joint;
    int32_t index;
} bi_joint_coordinate;
enum { BI_TERMS = 8 };
typedef struct {
    bi_joint_coordinate coordinate;
    double coefficient;
} bi_term;

/* Points and directions with names: for expressions that read P.x, P.y, P.z, and for a body's `basis`. A name stands
 * for one thing only; adding never fails. */
void bi_add_point(bi_model *, const char *name, bi_point);
void bi_add_vector(bi_model *, const char *name, bi_vector);
bool bi_model_point(const bi_model *, const char *name, bi_point *);   /* false: none of that name */
bool bi_model_vector(const bi_model *, const char *name, bi_vector *); /* false: none of that name */
typedef struct {
    const char *name;
    bi_point point;
} bi_named_point;
typedef struct {
    const char *name;
    bi_vector vector;
} bi_named_vector;
typedef struct {
    int count;
    const bi_named_point *item; /* (count) */
} bi_points;
typedef struct {
    int count;
    const bi_named_vector *item; /* (count) */
} bi_vectors;

/* Numbers in rows and columns, row by row. */
typedef struct {
    int rows, columns;
    const double *value; /* (rows * columns) */
} bi_grid;

/* Axes fixed to a body. */
typedef struct {
    bi_body body;
    bi_vec3 at;  /* body frame, m */
    bi_quat rot; /* from these axes to body axes; all zero: body axes */
} bi_frame;
enum { BI_MOST_NUMBERS = 36 };
typedef struct {
    int count;
    double value[BI_MOST_NUMBERS];
} bi_numbers; /* a short list */

/* Forces and constraints. Each kind has a definition struct that begins with its name, and a table of its fields
 * (bi_kind) from which the file reader, the checks and the documentation work. */
typedef struct {
    const char *name;
    bi_point a, b;
    double stiffness, damping, rest; /* N/m, N s/m, m */
    double preload;                  /* N, tension at the rest length */
    bi_curve table, damping_table; /* force against elongation, against its rate: instead of the constants */
    int32_t only;                  /* 0, 1 pulls and pushes, 2 only pulls, 3 only pushes */
} bi_spring_def;                   /* "spring": tension preload + stiffness (l - rest) + damping dl/dt */
typedef struct {
    const char *name;
    bi_joint joint;
    bi_expr torque;     /* N m (N on a position), on body b, minus it on body a */
    int32_t coordinate; /* as bi_guide_def.coordinate */
} bi_torque_def;        /* "torque" */
typedef struct {
    const char *name;
    bi_joint joint;
    bi_expr voltage;                         /* V */
    double resistance, inductance, constant; /* ohm, H, N m/A = V s/rad */
    int32_t coordinate;                      /* as bi_guide_def.coordinate */
} bi_dc_motor_def;                           /* "dc-motor": own state, the current */
typedef struct {
    const char *name;
    bi_point point;        /* on the body */
    bi_vec3 plane, normal; /* a point of the plane and its normal, ground axes; normal default z */
    double stiffness, damping, hysteresis; /* N/m, N s/m, factor on damping while separating (default 1) */
    double friction, stick_time, mass;     /* mu; s (default 0.03); kg carried by this point */
} bi_point_contact_def;                    /* "point-contact": own memory, the stick anchor */
typedef struct {
    const char *name;
    bi_joint joint;
    bi_expr value; /* of t and inputs only; rate and acceleration by exact derivatives */
    int32_t
        coordinate; /* 1 = angle, 2 = position, 3 4 5 = x y z, 6 7 8 = angle1 angle2 angle3; 0 = the joint's first */
    double smooth; /* s; the value passes a critically damped filter of this time; 0: none */
} bi_guide_def;    /* "guide": joint coordinate = value */
typedef struct {
    const char *name;
    bi_body body;
    bi_vec3 centre, axis;  /* body frame; axis default y */
    double radius;         /* m */
    bi_vec3 plane, normal; /* ground axes; normal default z */
    double section;        /* m, radius of the rounded rim: 0 is a sharp disc, equal to `radius` a ball */
    bi_expr surface;       /* of x and y, m: rolls on z = surface instead of the plane; unset: the plane */
} bi_rolling_def;          /* "rolling": a disc or torus rolls without slipping */

typedef enum {
    BI_FIELD_NUMBER,     /* double */
    BI_FIELD_EXPR,       /* bi_expr */
    BI_FIELD_VEC3,       /* bi_vec3 */
    BI_FIELD_BODY,       /* bi_body */
    BI_FIELD_JOINT,      /* bi_joint */
    BI_FIELD_POINT,      /* bi_point */
    BI_FIELD_VECTOR,     /* bi_vector */
    BI_FIELD_COORDINATE, /* bi_joint_coordinate */
    BI_FIELD_TERMS,      /* bi_term[BI_TERMS] */
    BI_FIELD_GRID,       /* bi_grid; `unit` has those of the columns, "m,m,m" */
    BI_FIELD_CHOICE,     /* int32_t, counted from 1; `unit` has the words, "angle,position" */
    BI_FIELD_FLAG,       /* bool */
    BI_FIELD_POINTS,     /* bi_points */
    BI_FIELD_VECTORS,    /* bi_vectors */
    BI_FIELD_FRAME,      /* bi_frame */
    BI_FIELD_TABLE,      /* bi_curve */
    BI_FIELD_NUMBERS,    /* bi_numbers; `unit` has the possible counts, "6|21|36" */
    BI_FIELD_SHAPES,     /* bi_shapes: one or several */
    BI_FIELD_NAME, /* const char *: name of another element, also of one that comes later; `unit` "channel":
                          one of its channels */
    BI_FIELD_GRAPH /* bi_graph */
} bi_field_type;
typedef enum {
    BI_REQUIRED = 1,
    BI_POSITIVE = 2,
    BI_NOT_NEGATIVE = 4,
    BI_DIRECTION = 8,
    BI_OF_TIME = 16,      /* an expression that reads no joint */
    BI_OF_POINTS = 32,    /* an expression that also reads P.x, P.y, P.z of points and vectors */
    BI_GROUND_AXES = 256, /* in ground axes: moves with a part that is placed elsewhere (a point if in m) */
    BI_OWN_NAMES = 512,   /* an expression whose names the element itself explains */
    BI_AFTER_STEP = 1024  /* an expression that counts after each step only: inside one nothing follows it */
} bi_field_rule;
typedef struct {
    const char *key;
    bi_field_type type;
    size_t offset;    /* in the definition struct */
    const char *unit; /* expected dimension, "N/m" */
    unsigned rules;   /* bi_field_rule, or-ed */
    const char *help;
} bi_field;
typedef struct {
    const char *section, *type; /* "forces", "spring" */
    size_t size;                /* of the definition struct */
    const bi_field *field;
    int n_field;
    const char *help;
} bi_kind;
int bi_kind_count(void);
const bi_kind *bi_kind_at(int k);
const bi_kind *bi_kind_find(const char *section, const char *type); /* NULL: none */
bi_element bi_add(bi_model *, const bi_kind *, const void *definition);
/* The constraint holds only in steps at whose start the expression is above zero; else it is left out altogether. When it
 * takes hold it must be nearly closed: it is closed at once, without rebound, and what that costs is counted as work. */
void bi_element_active(bi_model *, bi_element, bi_expr);
bi_element bi_add_spring(bi_model *, const bi_spring_def *);
bi_element bi_add_torque(bi_model *, const bi_torque_def *);
bi_element bi_add_dc_motor(bi_model *, const bi_dc_motor_def *);
bi_element bi_add_point_contact(bi_model *, const bi_point_contact_def *);
bi_element bi_add_guide(bi_model *, const bi_guide_def *);
bi_element bi_add_rolling(bi_model *, const bi_rolling_def *);

/* Outputs become channels. energy.kinetic, .potential, .total and .balance (total less the work done on the
 * mechanism) are always there. */
typedef enum {
    BI_OUT_POINT = 1, /* body, at: NAME.x .y .z .vx .vy .vz */
    BI_OUT_JOINT,     /* joint: NAME.angle (or .position) and NAME.rate */
    BI_OUT_EXPR,      /* expr: NAME */
    BI_OUT_REACTION,  /* joint: NAME.fx .fy .fz .mx .my .mz on body b at the joint's point, ground axes */
    BI_OUT_BODY,      /* body: NAME.x .y .z .qw .qx .qy .qz .vx .vy .vz .wx .wy .wz */
    BI_OUT_EFFORT, /* element: NAME, the scalar of a force or constraint: spring tension, guide effort, current */
    BI_OUT_ACCELEROMETER, /* body, at: NAME.x .y .z specific force (acceleration less gravity), body axes */
    BI_OUT_GYRO,          /* body: NAME.x .y .z angular velocity, body axes */
    BI_OUT_RELATIVE, /* body, at, seen from `about`: NAME.x ... .wz as BI_OUT_BODY, in the axes of that body */
    BI_OUT_POWER,    /* element: NAME.power done on the mechanism and not stored, W; NAME.energy stored, J */
    BI_OUT_MULTIPLIER,    /* element, row: NAME, lambda of that row of a constraint, M a + G^T lambda = Q */
    BI_OUT_CONTACT_ANGLE, /* element: NAME, where a rolling wheel touches: angle about its axis in the wheel */
    BI_OUT_CONTACT_ANGLE_RATE, /* element: NAME */
    BI_OUT_ACCELERATION, /* joint, row (coordinate from 1): NAME, second derivative of a joint coordinate */
    BI_OUT_ENERGY,       /* row: NAME, 1 kinetic, 2 potential, 3 total, 4 balance; plus expr if set */
    BI_OUT_CONTACT_ANGLE_ACCELERATION, /* element: NAME, second derivative; of a wheel on a plane */
    BI_OUT_VIOLATION,                  /* row: NAME, largest row of the constraints, 1 position, 2 velocity */
    BI_OUT_TYRE, /* element: NAME.fx .fy .fz .mx ... what a tyre tells, in its own axes */
    BI_OUT_CONTACT, /* element: all that it tells. A contact: NAME.fx .fy .fz on the bodies of a, .normal, N; .points,
                            .regions; .depth, m; .stick, .slipping, shares of the normal force; .slip, m/s */
    BI_OUT_ATTITUDE, /* body: NAME.roll .pitch .yaw about x, y, z: yaw first, then pitch, then roll */
    BI_OUT_RECOVERY, /* body, recovery: stresses of a flexible body, see <biela/flex.h> */
    BI_OUT_CHANNEL   /* only: NAME, another channel by its name, times `times`, plus expr if set */
} bi_output_kind;
typedef struct bi_recovery bi_recovery;
typedef enum { BI_FRAME_GROUND, BI_FRAME_A, BI_FRAME_B } bi_output_frame; /* a, b: bodies of the joint */
typedef struct {
    const char *name;
    bi_output_kind kind;
    bi_body body;
    bi_vec3 at;
    bi_joint joint;
    bi_expr expr;
    bi_element element;
    bool on_a;             /* BI_OUT_REACTION: on body a; default b */
    bi_output_frame frame; /* BI_OUT_REACTION: axes */
    bi_point
        about; /* BI_OUT_REACTION: point of the moment, unset: the joint's; BI_OUT_RELATIVE: from where */
    int row;   /* BI_OUT_MULTIPLIER: 0 is the first row of the constraint; others: see their kind */
    const char
        *only; /* BI_OUT_TYRE, BI_OUT_CONTACT: one of its channels, such as "fz", called NAME; unset: all */
    const bi_recovery *recovery; /* BI_OUT_RECOVERY: from amplitudes to stresses; copied */
    double times;                /* BI_OUT_CHANNEL: 0 is 1 */
} bi_output_def;
void bi_add_output(bi_model *, const bi_output_def *);

/* Look-ups by name; unset (i = 0) when there is none. "ground" is a body. */
bi_body bi_model_body(const bi_model *, const char *name);
bi_joint bi_model_joint(const bi_model *, const char *name);
bi_element bi_model_element(const bi_model *, const char *name);
bi_input bi_model_input(const bi_model *, const char *name);
bi_joint_coordinate bi_model_coordinate(const bi_model *, const char *name); /* "slide", "slide.position" */
/* All the model's mistakes that can be seen without compiling; returns the number of errors added. */
int bi_model_check(const bi_model *, bi_report *);

/* ---- system: compile once --------------------------------------------------------------------- */
typedef enum { BI_NATURAL, BI_JOINT } bi_coordinates;
typedef enum {
    BI_ALI3P,
    BI_INDEX1_RK4,          /* explicit, order 4 */
    BI_ALI3P_ALPHA,         /* generalised-alpha */
    BI_EULER,               /* explicit, order 1 */
    BI_HEUN,                /* explicit, order 2 */
    BI_DOPRI5,              /* Dormand-Prince 5(4); with `accuracy` it controls its error */
    BI_SEMI_IMPLICIT_EULER, /* velocities first: order 1, one factor per step */
    BI_ALI3P_FLEX,          /* ALI3-P; vibrations of flexible bodies with a phase of order 4 */
    BI_RK4 = BI_INDEX1_RK4
} bi_scheme;
typedef enum {
    BI_SOLVER_OWN,
    BI_SOLVER_KLU,
    BI_SOLVER_DENSE
} bi_solver; /* of the linear equations of a step */
typedef struct {
    bi_coordinates coordinates; /* 0 = natural */
    bi_scheme scheme;           /* 0 = ALI3-P with the trapezoidal rule */
    double dt;                  /* 0 = 1e-3 s */
    double tolerance;           /* 0 = 1e-3: last correction against the first one of a step */
    int iterations;             /* 0 = 5 at most per step, then step over */
    double penalty;             /* 0 = 1e9, dimensionless */
    void *(*alloc)(size_t);     /* NULL = malloc */
    void (*release)(void *);    /* NULL = free */
    double damping;   /* BI_ALI3P_ALPHA: 1 - rho_inf; 0 = trapezoidal, 1 = fast modes vanish in a step.
                       * BI_ALI3P_FLEX: the same, 0 = 0.1 */
    bi_solver solver; /* 0 = own sparse factor */
    double
        accuracy; /* 0 = steps of dt; else steps of any length that keep the error over `horizon` near this */
    double dt_min, dt_max; /* with accuracy: 0 = 1e-9 s, 0 = 0.1 s */
    double horizon;        /* with accuracy: length of the run, s; 0 = 10 */
    double baumgarte;      /* explicit schemes: 1/s; 0 = projections instead */
    double sleep;          /* s, at rest after which free bodies fall asleep (contact.13); 0 = never */
} bi_options;
bool bi_solver_exists(bi_solver); /* false: built without that library */
typedef struct bi_system bi_system;
bi_system *bi_compile(const bi_model *, const bi_options *, bi_report *); /* NULL: see the report */
void bi_system_destroy(bi_system *);
bi_channel bi_find_channel(const bi_system *, const char *name); /* unset: none of that name */
int bi_channel_count(const bi_system *);
bi_channel bi_channel_at(const bi_system *, int k);
const char *bi_channel_name(const bi_system *, bi_channel);
const char *bi_channel_unit(const bi_system *, bi_channel);
bi_input bi_find_input(const bi_system *, const char *name);
int bi_input_count(const bi_system *);
const char *bi_input_name(const bi_system *, int k);
int bi_variable_count(const bi_system *);
/* "p3.x" of a named point, "rod.point1.x", "crank.angle"; written to the buffer, which is returned. */
const char *bi_variable_name(const bi_system *, int k, char *buffer, size_t size);
/* Where the matrix of a step and its factor have numbers, by compressed columns. */
typedef struct {
    int n;            /* variables */
    int *start, *row; /* (n + 1), (start[n]) upper triangle of the matrix, variables in their order */
    int *order;       /* (n) variable of each column of the factor; NULL: the solver does not tell */
    int *factor_start,
        *factor_row; /* (n + 1), (factor_start[n]) lower triangle, in that order; NULL likewise */
} bi_sparsity;       /* ends with bi_sparsity_clear */
bool bi_system_sparsity(const bi_system *, bi_sparsity *); /* false: no memory */
void bi_sparsity_clear(bi_sparsity *);
double bi_system_dt(const bi_system *);
uint64_t bi_system_hash(const bi_system *); /* of the model, the options and the build */
const char *bi_version(void);               /* "0.1.0" */
const char *bi_build_name(void);            /* "default" or "fast": part of every hash */

/* ---- sim: step and read -------------------------------------------------------------------------- */
typedef struct bi_sim bi_sim;
bi_sim *bi_sim_create(const bi_system *); /* NULL: no memory; the last allocation of a run */
void bi_sim_destroy(bi_sim *);
bi_status bi_sim_start(bi_sim *, bi_report *); /* position, velocity, acceleration at t = 0 */
/* Held until changed. A value that is not finite makes the steps that read it fail with BI_NOT_FINITE. */
void bi_sim_input(bi_sim *, bi_input, double value);
bi_status bi_sim_step(bi_sim *);                /* one dt; all or nothing; no malloc */
bool bi_sim_is_asleep(const bi_sim *, bi_body); /* with bi_options.sleep */
/* One step that ends at t, from now to now + 1.5 dt. A time in the past, farther away or not finite is refused:
 * BI_BAD_ARGUMENT, bi_sim_failure says why, and the sim stays where it is. Back in time lead snapshots (bi_sim_load). */
bi_status bi_sim_step_to(bi_sim *, double t);
/* With bi_options.accuracy steps have a length of their own choice: bi_sim_step takes one, bi_sim_step_toward one that does
 * not pass t, bi_sim_step_to as many as it needs to end at t; a failure leaves the sim at the last good step. Times in
 * the past and not finite ones are refused likewise. */
bi_status bi_sim_step_toward(bi_sim *, double t);
/* As many steps as it takes to stand at t: of dt, the last one longer or shorter, or of the length that accuracy allows. Ends early, with
 * BI_OK, at an event that stops the run. */
bi_status bi_sim_run_to(bi_sim *, double t);

typedef struct {
    double t;
    int64_t step;
    int n_body, n_q, n_rows;
    const double *q, *v, *a;
    const bi_pose *pose;   /* (n_body), body 0 is the ground */
    const bi_twist *twist; /* (n_body) */
} bi_view;
bi_view bi_sim_view(bi_sim *);               /* valid until the next step; all zero before the start */
double bi_sim_read(bi_sim *, bi_channel);    /* NAN: no such channel, or not started */
void bi_sim_read_all(bi_sim *, double *out); /* (bi_channel_count) */
size_t bi_sim_save(const bi_sim *, void *buffer, size_t capacity); /* NULL, 0: asks the size */
bi_status bi_sim_load(bi_sim *, const void *buffer, size_t size);
uint64_t bi_sim_hash(const bi_sim *); /* same bits, same hash */

typedef struct {
    int64_t steps, iterations, factors, step_overs, unconverged; /* since start */
    double violation, violation_rate, violation_acceleration; /* largest row now: Phi, dPhi/dt, d2Phi/dt2 */
    double moved, turned; /* largest change of a body by the assembly at start, m and rad */
    int64_t rejected,
        forced; /* with accuracy: steps taken back; steps kept in spite of their error (dead points, dt_min) */
    double dt_smallest, dt_largest; /* with accuracy, s */
} bi_statistics;
bi_statistics bi_sim_statistics(bi_sim *);
const char *
bi_sim_failure(const bi_sim *); /* what went wrong in the last step that failed, with names; "" if none */

/* What the mechanism looks like to the solver, at the sim's present position. Redundant constraints and reactions
 * that are not unique are added to the report as notes, by name. At the start, degrees of freedom and redundant are those
 * of the mechanism's joints and constraints, the same in all coordinates; -1: too large to compute. */
typedef struct {
    int bodies, joints, variables, constraints, velocity_constraints, rank, degrees_of_freedom, redundant;
    int nonzeros_tangent, nonzeros_factor;
    bi_scheme recommended;
    const char *reason; /* of the recommendation */
} bi_info;
bi_status bi_sim_info(bi_sim *, bi_info *, bi_report *);

/* ---- analyses: other ways to move a started sim ---------------------------------------------------- */
/* Kinematic simulation: guides drive every degree of freedom. The check reports the ones that are free, by name
 * (BI_BAD_MODEL); the step solves position, velocity and acceleration at t, any distance from now, also backwards, that
 * the mechanism can follow. Channels, reactions and efforts of guides are those of inverse dynamics. */
bi_status bi_kinematics_check(bi_sim *, bi_report *);
bi_status bi_kinematics_step_to(bi_sim *, double t);

/* Static equilibrium near the present position, guides held where they are at t = 0; contact included. The sim then
 * stands there at rest, t = 0, and can be stepped. What stands by friction stays where it is: of all equilibria the one that
 * is reached without sliding; BI_NOT_CONVERGED if it would slide, roll or tip. Directions without stiffness are held and named in the report (note);
 * so are those along which the equilibrium is unstable (warning). BI_NOT_CONVERGED: none was found; start the sim again. */
typedef struct {
    int iterations, relaxation_steps; /* of Newton; of dynamic relaxation, 0 when Newton was enough */
    int soft, unstable;               /* directions */
    double residual;                  /* largest force left, against the largest force */
} bi_balance;
bi_status bi_equilibrium(bi_sim *, bi_balance *, bi_report *); /* balance, report: may be NULL */

/* Events: a limit on an expression or channel, or a condition, watched in every step; the instant at which it becomes true
 * is found to 1e-9 s on the interpolated state. Steps that did not converge are events too. */
typedef enum { BI_EVENT_NOTE, BI_EVENT_STOP } bi_event_action;
typedef struct {
    const char *name;
    bi_expr expr;              /* what is watched; unset: a channel */
    const char *channel;       /* "P.y" */
    bool has_above, has_below; /* limits; none: expr is a condition, true when not zero */
    double above, below;
    bi_event_action action;
    const char *remedy; /* what to do about it; may be NULL */
} bi_event_def;
void bi_add_event(bi_model *, const bi_event_def *);
int bi_model_event_count(const bi_model *);
const char *bi_model_event_name(const bi_model *, int k); /* NULL: none of that number */
/* The run ends at this event, whatever its definition says. Before bi_compile. False: there is none of that name. */
bool bi_model_stop_at(bi_model *, const char *event);
typedef struct {
    const char *name;
    double t, value; /* s; of what is watched */
    bi_event_action action;
    char what[200];
    const char *remedy; /* NULL: none */
} bi_event;
int bi_sim_event_count(const bi_sim *);               /* since the start; the first 200 are kept */
bool bi_sim_event(const bi_sim *, int k, bi_event *); /* false: none of that number */
bool bi_sim_stopped(const bi_sim *); /* an event with BI_EVENT_STOP: the sim stands at its instant */

/* The last step that failed: where the solver stood when it gave up. */
typedef struct {
    char name[96];    /* of a constraint or body */
    const char *what; /* "constraint left open, m or rad" */
    double value;
} bi_residual;
typedef struct {
    bi_status status;
    double t, h;          /* start and length of the step, s */
    int n_worst;          /* five at most, the worst first */
    bi_residual worst[5]; /* a name stands there once */
    char grew[96];        /* the law or constraint that grew most over the last steps; "": none did */
    bool grew_is_law;
    double grew_from, grew_to; /* its effort, usual and last */
    char advice[240];          /* what to try */
} bi_divergence;
bool bi_sim_divergence(const bi_sim *, bi_divergence *); /* false: none failed since the start */

/* What a model consists of, by number: ids 1 to count. */
int bi_model_body_count(const bi_model *); /* the ground is body 1 */
int bi_model_joint_count(const bi_model *);
const char *bi_model_body_name(const bi_model *, bi_body); /* NULL: none */
const char *bi_model_joint_name(const bi_model *, bi_joint);
int bi_model_joint_coordinates(const bi_model *, bi_joint); /* how many it has */

/* ---- linearisation about a steady motion ----------------------------------------------------------- */
/* A joint coordinate that the linearised equations are written in: "base.angle2", or "steer" when the joint has one
 * coordinate; "-steer" counts it the other way. Call once per coordinate, in order. None: the solver chooses as many
 * as there are degrees of freedom. */
void bi_model_independent(bi_model *, const char *coordinate);

/* M d2q + C dq + K q = F z for small changes q of the independent coordinates, all constraints kept, and z of the
 * states that laws and signals have (currents, filters): dz = Zq q + Zv dq + Zz z. */
typedef struct {
    int n, n_state, n_value;     /* coordinates, states, eigenvalues: 2 n + n_state */
    char **name;                 /* (n) "base.angle2" */
    double *M, *C, *K;           /* (n * n) by rows; SI */
    double *F, *Zq, *Zv, *Zz;    /* (n * n_state), (n_state * n) twice, (n_state * n_state), by rows */
    double *re, *im;             /* (n_value) eigenvalues, 1/s, sorted by real part, then imaginary part */
    double *shape_re, *shape_im; /* (n_value * n) q of each eigenvalue, largest component 1 */
} bi_linear;                     /* ends with bi_linear_clear */

/* Linearises about the state where the sim stands, which stays as it is; the system must be in joint coordinates.
 * That state must be steady: all second rates zero, now and further along its rates. BI_NOT_STEADY, BI_BAD_MODEL
 * (names that are not independent, or too few): the report tells which coordinate and why. */
bi_status bi_linearize(bi_sim *, bi_linear *, bi_report *);
void bi_linear_clear(bi_linear *);
#ifdef __cplusplus
}
#endif
#include <biela/bond.h>
#include <biela/constraints.h>
#include <biela/inverse.h>
#include <biela/laws.h>
#include <biela/shapes.h>
