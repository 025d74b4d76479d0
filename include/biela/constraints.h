// SPDX-License-Identifier: MIT
/* constraints.h - definitions of the constraint elements; biela.h includes it. As everywhere, SI units and radians, and
 * zero means "default". */
#pragma once
#include <biela/model.h>
BI_BEGIN

/* ---- relations between joint coordinates; "described" is what the bodies' poses in the model say -------------- */
typedef struct {
    const char *name;
    bi_joint_coordinate a, b;
    double ratio;  /* b moves ratio times as far as a */
    double offset; /* added to the described difference, rad or m */
} bi_gear_def;     /* "gear": b - ratio a = constant */
typedef struct {
    const char *name;
    bi_joint_coordinate pinion, rack; /* an angle and a position */
    double radius;                    /* m; negative: the other way */
    double offset;                    /* m */
} bi_rack_def;                        /* "rack": rack - radius pinion = constant */
typedef struct {
    const char *name;
    bi_term term[BI_TERMS]; /* unset ones are skipped */
    double offset;
} bi_coupling_def; /* "coupling": sum of coefficient times coordinate = constant */
typedef struct {
    const char *name;
    bi_joint_coordinate cam, follower; /* an angle and a position along a line through the cam's axis */
    bi_grid profile;  /* (n x 2) polar angle in the cam, rad, and radius, m; one turn, without its end */
    int32_t contact;  /* bi_cam_contact; 0 = point */
    double roller;    /* radius of the roller, m */
    double direction; /* polar angle of the follower's line, rad, when the cam's angle is zero */
    double offset;    /* m, added to the position */
} bi_cam_def;         /* "cam": follower rides on a periodic profile */
typedef enum { BI_CAM_POINT = 1, BI_CAM_ROLLER, BI_CAM_FLAT } bi_cam_contact;

/* ---- points and directions of two bodies ------------------------------------------------------------------------ */
typedef struct {
    const char *name;
    bi_point a, b;
    double length; /* m; 0 = as described */
} bi_distance_def; /* "distance" */
typedef struct {
    const char *name;
    bi_vector u, v; /* unit directions; without v: */
    bi_point a, b;  /* the difference b - a, m */
    bi_expr value;  /* of t and inputs; unset = as described */
} bi_dot_def;       /* "dot": u . v or u . (b - a) = value */
typedef struct {
    const char *name;
    bi_point a, b;
} bi_coincide_def; /* "coincide": b on a */
typedef struct {
    const char *name;
    bi_point point, plane; /* the point, and a point of the plane on another body */
    bi_vec3 normal;        /* in the frame of the plane's body; default z */
    double distance;       /* of the point from the plane, m */
} bi_in_plane_def;         /* "in-plane" */
typedef struct {
    const char *name;
    bi_point point, line; /* the point, and a point of the line on another body */
    bi_vec3 direction;    /* in the frame of the line's body; default z */
} bi_on_line_def;         /* "on-line" */
typedef struct {
    const char *name;
    bi_point point;
    bi_body body;   /* that carries the curve */
    bi_grid points; /* (n x 3) m, in its frame; a smooth curve goes through them */
    bool closed;    /* the last is followed by the first */
} bi_on_curve_def;  /* "point-on-curve" */

/* ---- written by the user ----------------------------------------------------------------------------------------- */
typedef struct {
    const char *name;
    bi_points points;   /* names that `zero` may read besides those of bi_add_point: P.x, P.y, P.z, m */
    bi_vectors vectors; /* the same of unit directions */
    bi_expr zero;       /* of points, vectors, joint coordinates, t and inputs; its derivatives are exact */
} bi_expression_def;    /* "expression": zero = 0 */

/* What a callback sees and writes. Numbers are in this order: x y z of each point, x y z of each vector (unit, ground
 * axes), each coordinate; n = 3 n_point + 3 n_vector + n_coordinate. */
typedef struct {
    double t;
    const double *value, *rate; /* (n) */
} bi_user_motion;
typedef struct {
    double *phi;      /* (rows) zero when the constraint holds, m or rad */
    double *gradient; /* (rows * n), row by row; NULL when left to finite differences */
    double *phi_t;    /* (rows) partial derivative with time, zero at first; NULL together with gradient */
    double *gamma; /* (rows) second derivative when all second rates are zero; NULL when not asked, or left */
} bi_user_rows;
typedef void bi_user_function(void *context, const bi_user_motion *, bi_user_rows *);
enum {
    BI_USER_ITEMS = 16,
    BI_USER_NUMBERS = 48,
    BI_USER_ROWS = 6
}; /* points, vectors, coordinates; n; rows */
typedef struct {
    const char *name;
    int n_row;
    int n_point, n_vector, n_coordinate;
    const bi_point *point;
    const bi_vector *vector;
    const bi_joint_coordinate *coordinate;
    bi_user_function *function; /* no allocation, no memory of earlier calls */
    void *context;
    bool gives_gradient, gives_gamma; /* what is not given is found by finite differences */
    bool check; /* compare the gradient with differences at compile; debug builds always do */
} bi_user_constraint_def;
bi_element bi_add_user_constraint(bi_model *, const bi_user_constraint_def *);

bi_element bi_add_expression(bi_model *, const bi_expression_def *);

/* ---- on velocities ------------------------------------------------------------------------------------------------ */
typedef struct {
    const char *name;
    bi_point point;
    bi_vec3 along;   /* of the blade, body frame; default x */
    bi_vec3 normal;  /* of the ground it glides on, ground axes; default z */
    bi_expr surface; /* instead: height of a smooth ground over x and y; the point then also stays on it */
} bi_knife_edge_def; /* "knife-edge": the point has no velocity across the blade */
typedef struct {
    const char *name;
    bi_point a, b, c, d; /* points whose motion the expression reads; unset ones are not there */
    bi_expr
        velocity; /* of t, inputs, JOINT.rate ..., and a.x a.y a.z, a.vx a.vy a.vz (ground axes), a.wx a.wy a.wz (its
                            body's angular velocity); linear in all rates */
} bi_velocity_def; /* "velocity-expression": velocity = 0 */

bi_element bi_add_knife_edge(bi_model *, const bi_knife_edge_def *);
bi_element bi_add_velocity(bi_model *, const bi_velocity_def *);
bi_element bi_add_gear(bi_model *, const bi_gear_def *);
bi_element bi_add_rack(bi_model *, const bi_rack_def *);
bi_element bi_add_coupling(bi_model *, const bi_coupling_def *);
bi_element bi_add_cam(bi_model *, const bi_cam_def *);
bi_element bi_add_distance(bi_model *, const bi_distance_def *);
bi_element bi_add_dot(bi_model *, const bi_dot_def *);
bi_element bi_add_coincide(bi_model *, const bi_coincide_def *);
bi_element bi_add_in_plane(bi_model *, const bi_in_plane_def *);
bi_element bi_add_on_line(bi_model *, const bi_on_line_def *);
bi_element bi_add_on_curve(bi_model *, const bi_on_curve_def *);
BI_END
