// SPDX-License-Identifier: MIT
/* model.h - what the mechanism is: bodies, joints, inputs, outputs, look-ups. */
#pragma once
#include <biela/base.h>
BI_BEGIN

/* ---- model: adding never fails; bad definitions are listed by bi_compile -------------------- */
typedef struct bi_model bi_model;
bi_model *bi_model_create(const char *name); /* NULL: no memory */
void bi_model_destroy(bi_model *);
/* Something that callbacks of the model need: released with the model, when nothing uses it any more. False: no memory, and
 * it is released at once. */
bool bi_model_keep(bi_model *, void *data, void (*release)(void *data));
const char *bi_model_name(const bi_model *);
void bi_model_place(bi_model *, bi_place);    /* source position of whatever is added next */
void bi_model_gravity(bi_model *, bi_vec3 g); /* default (0, 0, -9.80665) m/s2 */

/* Parameters are named constants for expressions; defining one again replaces it. `unit` may be NULL; it fixes the
 * dimension ("deg": value is still given in SI; a text that is no unit fixes nothing). Remove with bi_model_forget
 * (loop indices). */
void bi_model_parameter(bi_model *, const char *name, double value, const char *unit);
void bi_model_forget(bi_model *, const char *name);
int bi_model_parameter_count(const bi_model *);
bool bi_model_parameter_at(const bi_model *, int k, const char **name, double *value, const char **unit);

/* The value of a constant expression such as "2*pi*R" or "30 deg". `unit`: expected dimension ("m", NULL = any).
 * Mistakes go to the report at the current place (column moved to the offending letter); returns false then. */
bool bi_model_number(const bi_model *, const char *text, const char *unit, const char *where, double *value,
                     bi_report *);

/* Expressions of time: may read t, parameters (their value now), inputs, joint coordinates and rates ("crank.angle",
 * "crank.rate", "slide.position"). Mistakes are reported by bi_compile. */
bi_expr bi_expression(bi_model *, const char *text, const char *unit);
/* Names of inputs and joints in the expressions added from now on get this before them: a part that is used several
 * times is written with its own names. NULL or "": nothing. */
void bi_model_prefix(bi_model *, const char *prefix);
bi_expr bi_constant(bi_model *, double value);
bi_input bi_add_input(bi_model *, const char *name, double initial);
/* A manoeuvre: the input follows straight lines through these samples, t increasing, end values held, exactly at every
 * stage of a step; bi_sim_input has no effect on it then. Copied; count 0: none any more. Before bi_compile. False,
 * with a message, when they are not usable. */
bool bi_input_samples(bi_model *, bi_input, int count, const double *t, const double *value, bi_report *);
/* What its samples give at an instant, s; its initial value without samples; NAN: no such input or instant. */
double bi_model_input_at(const bi_model *, bi_input, double t);
int bi_model_input_count(const bi_model *);
const char *bi_model_input_name(const bi_model *, bi_input); /* NULL: none */

/* Tables: curves through points, read by laws and signals. Of the name, "" is fine for a table that only its id finds.
 * Points, interpolation and what happens outside of them are in <biela/laws.h>. */
typedef struct bi_curve_def bi_curve_def;
bi_curve bi_add_curve(bi_model *, const bi_curve_def *);
bi_curve bi_model_curve(const bi_model *, const char *name); /* unset: none of that name */
/* Tables of two variables, read by expressions only. */
typedef struct bi_map_def bi_map_def;
bi_curve bi_add_map(bi_model *, const bi_map_def *);
/* Expressions call tables by their names, `torque(speed)`, `torque(speed, pedal)`. Until bi_model_uncall has taken
 * `count` such names back, the newest first, expressions that are added may call the table by another one. */
void bi_model_call(bi_model *, const char *name, bi_curve);
void bi_model_uncall(bi_model *, int count);
bi_curve bi_model_called(const bi_model *,
                         const char *name); /* the table that an expression would call; unset: none */

/* Modes of a flexible body: masses at nodes (zero where a node only carries points), shapes per mode; the elastic
 * energy is sum k eta^2 / 2. A node stands at place + sum_m shape_m eta_m + 1/2 sum_mn bend_mn eta_m eta_n and a vector
 * n at it points along n + sum_m (turn_m x n) eta_m, both in the body frame. */
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
    BI_SCREW,  /* cylindrical, advancing by `pitch` per turn */
} bi_joint_kind;

/* Which of the local fields of a joint are given; what is not given follows from `at` and `axis` (ground axes, in the
 * described configuration) or, when its partner is given, from that partner and the described poses. */
enum { BI_AT_A = 1, BI_AT_B = 2, BI_AXIS_A = 4, BI_AXIS_B = 8 };

/* Coordinates of a joint: revolute, cylindrical, screw 'angle' (of b against a about the axis; zero when the reference
 * directions of the two local axes coincide, so for parallel frames); prismatic, cylindrical, screw, distance
 * 'position'. Planar joints have angle, x and y: b's point against a's along the reference direction of a's axis and
 * across it. Universal joints have angle1 about a's axis, zero where b's axis lies along the reference direction of a's,
 * and angle2 about b's axis, zero where the reference direction of b's axis lies along a's axis. Free joints have x y z (of b's point against a's, in a's axes) and angle1 angle2 angle3 (successive turns
 * about the moving axes named by `angles`); spherical joints the three angles. With `angles` given they are the
 * coordinates of the joint formulation; otherwise it uses quaternions.
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
    double pitch; /* screw: m per turn; position and angle keep step from the described ones on */
    double
        clearance; /* revolute: m, room of the journal in its ring, which a `bearing` fills; 0: none. With it the joint
                         has the coordinates of a planar one */
    double
        armature; /* revolute, prismatic: inertia that turns or slides with the coordinate alone, such as a motor's rotor
                        seen through its gear, kg m2 or kg */
    bool closes_loop; /* joint formulation: never part of the tree, always rows that close a loop */
    /* revolute, cylindrical, screw, planar, universal: the angle (of a universal joint both) that is called zero, by the
     * reference directions; zero_described: that of the described configuration */
    double zero[2]; /* rad */
    bool zero_described;
    struct {
        bool set_value, set_rate;
        double value, rate;
    } more[5]; /* the same as value and rate, of the other coordinates */
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
    BI_AFTER_STEP = 1024, /* an expression that counts after each step only: inside one nothing follows it */
    BI_ZERO_IS_DEFAULT = 2048, /* in C a zero stands for the default; a file that says 0 is refused */
    BI_ONE_IS_DEFAULT = 8192,  /* a number: 1 where a file says nothing */
    BI_IN_PAIR =
        4096 /* two fields in a row, both zero: none; a file gives both of them, not both 0, or none */
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
/* The constraint holds only in steps at whose start the expression is above zero; else it is left out altogether. When
 * it takes hold it must be nearly closed: it is closed at once, without rebound, and what that costs is counted as
 * work. */
void bi_element_active(bi_model *, bi_element, bi_expr);
/* Takes a force, contact, constraint, graph or signal out again, as if it had never been added; the ids of others stay,
 * its name is free. What still names it is a mistake that bi_compile tells. false: there is no such element, or a system
 * of this model lives. Bodies and joints stay: fix a body that is not wanted, or describe the model without it. */
bool bi_remove(bi_model *, bi_element);
bi_element bi_add_spring(bi_model *, const bi_spring_def *);
bi_element bi_add_torque(bi_model *, const bi_torque_def *);
bi_element bi_add_dc_motor(bi_model *, const bi_dc_motor_def *);
bi_element bi_add_point_contact(bi_model *, const bi_point_contact_def *);
bi_element bi_add_guide(bi_model *, const bi_guide_def *);
bi_element bi_add_rolling(bi_model *, const bi_rolling_def *);

/* Outputs become channels. energy.kinetic, .potential, .total and .balance (total less the work done on the mechanism)
 * are always there. */
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
    BI_OUT_CHANNEL,  /* only: NAME, another channel by its name, times `times`, plus expr if set */
    BI_OUT_VECTOR, /* body, along: NAME.x .y .z of the unit vector in ground axes, NAME.vx .vy .vz its rate */
    BI_OUT_COM, /* body, or bodies, or none of them (all that weigh): NAME.x .y .z .vx .vy .vz .ax .ay .az of their
                   centre of mass, ground axes; NAME.mass */
    BI_OUT_VELOCITY, /* body, at: NAME.x .y .z of the point's velocity over the ground, body axes */
    BI_OUT_STABILITY, /* wheels, row (1: four wheels; 2: the rear axle rocks, which leaves a triangle): NAME.margin to
                         the nearest line over which the vehicle tips, and .forwards .backwards .left .right of each */
    BI_OUT_ROTATION /* body, at: NAME.xx .xy .xz .yx ... .zz, the matrix from body axes to ground axes by rows (xy: part
                       along the ground's x of the body's y axis), and NAME.qw .qx .qy .qz */
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
    const char *only; /* what has several: one of its channels, such as "fz", called NAME; unset: all */
    const bi_recovery *recovery; /* BI_OUT_RECOVERY: from amplitudes to stresses; copied */
    bi_element
        beam; /* BI_OUT_RECOVERY: the first of n_beam forces "beam", whose section forces are the amplitudes; */
    int n_beam;        /* 0: those of the modes of the body */
    double times;      /* BI_OUT_CHANNEL: 0 is 1 */
    const char *minus; /* BI_OUT_CHANNEL: another channel that is taken away before: a bridge; unset: none */
    /* BI_OUT_CHANNEL as a sensor tells it: what is added by chance, standard deviation, by seed and time so that it is
     * the same again; cut to low .. high (both 0: any); in steps of `resolution` (0: any) */
    double noise, seed, low, high, resolution;
    double cutoff;         /* Hz, the same: a low pass before all that, 3 dB down there; 0: none */
    int order;             /* of the low pass: 1, or 2 (Butterworth); 0 is 1 */
    bi_vec3 along;         /* BI_OUT_VECTOR: body axes; its length does not matter */
    int n_body;            /* BI_OUT_COM: how many bodies, */
    const bi_body *bodies; /* (n_body) and which; copied */
    bi_element wheels
        [8]; /* BI_OUT_STABILITY: forces whose scalars are the loads of the wheels, front left, front right,
                              rear left, rear right; then others that carry the same wheels, unset: none */
} bi_output_def;
void bi_add_output(bi_model *, const bi_output_def *);

/* A part of a model can be described again in its place, with other numbers: marks are taken before and after it is added. Between
 * bi_model_reopen and bi_model_shut the model is as it was at the first mark, and what is added takes the place of what stood there;
 * samples of inputs and actions stay. Bodies, joints, elements, expressions, inputs, outputs, events and imposed motions can be
 * described again, nothing else (bi_mark_is_whole: the part has only these). */
#define BI_MARK_LISTS 17
typedef struct {
    int length[BI_MARK_LISTS];
} bi_mark;
bi_mark bi_model_mark(const bi_model *);
bool bi_mark_is_whole(const bi_mark *from, const bi_mark *to);
/* False: nothing is open; the part has something else, a system is made of the model, a part is open, or no memory. */
bool bi_model_reopen(bi_model *, const bi_mark *from, const bi_mark *to);
/* False: not as many were added as there were before, and the model is as before. */
bool bi_model_shut(bi_model *);
/* `reads` hears of each parameter that a number or an expression reads from now on, whether its value or its unit counts; NULL: nobody. */
void bi_model_listen(bi_model *, void (*reads)(void *context, const char *parameter), void *context);

/* Look-ups by name; unset (i = 0) when there is none. "ground" is a body. */
bi_body bi_model_body(const bi_model *, const char *name);
bi_joint bi_model_joint(const bi_model *, const char *name);
bi_element bi_model_element(const bi_model *, const char *name);
bi_input bi_model_input(const bi_model *, const char *name);
bi_joint_coordinate bi_model_coordinate(const bi_model *, const char *name); /* "slide", "slide.position" */
/* All the model's mistakes that can be seen without compiling; returns the number of errors added. */
int bi_model_check(const bi_model *, bi_report *);
int bi_model_body_count(const bi_model *); /* the ground is body 1 */
int bi_model_joint_count(const bi_model *);
const char *bi_model_body_name(const bi_model *, bi_body); /* NULL: none */
const char *bi_model_joint_name(const bi_model *, bi_joint);
int bi_model_joint_coordinates(const bi_model *, bi_joint); /* how many it has */
/* "angle", "angle2", ...: the name of coordinate k, from 0; NULL: there is none */
const char *bi_model_joint_coordinate(const bi_model *, bi_joint, int k);
BI_END
