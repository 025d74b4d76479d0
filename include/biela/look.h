// SPDX-License-Identifier: MIT
/* look.h - what somebody who draws, drives or documents a model asks of it. Nothing here changes a run. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

/* ---- inputs: what a control needs to know ----------------------------------------------------------- */
typedef struct {
    const char *name, *unit, *help; /* unit, help: "" if none */
    double initial;                 /* also the safe value */
    double min, max;                /* range of the control; -1 to 1 when not said */
} bi_input_info;
/* `unit` and `help` may be NULL. The range is told to controls; the engine does not clamp. */
void bi_input_about(bi_model *, bi_input, double min, double max, const char *unit, const char *help);
bool bi_model_input_info(const bi_model *, bi_input, bi_input_info *); /* false: no such input */

/* A hand that pulls bodies, for pages: inputs "hand_body" (number of a body, the first after the ground is 1; 0: none), "hand_x",
 * "hand_y", "hand_z" (the point it holds, axes of the body), "hand_to_x", "hand_to_y", "hand_to_z" (where it pulls to, ground axes),
 * "hand_stiffness" (N/m; the damping is critical for the body alone). Before bi_compile; a step with it is as exact as others, but
 * gets no tangent: keep the stiffness well below m/h2. False: there is no body, or an input has one of these names. */
enum { BI_HAND_INPUTS = 8 };
bool bi_add_hand(bi_model *);

/* ---- geometry ---------------------------------------------------------------------------------------- */
bi_vec3 bi_model_gravity_of(const bi_model *);                /* m/s2 */
bool bi_model_body_com(const bi_model *, bi_body, bi_vec3 *); /* body frame; false: no such body */
bool bi_model_joint_points(const bi_model *, bi_joint, bi_point *a, bi_point *b); /* of its two bodies */

/* ---- struts: drawn between points of several bodies, and nothing else ---------------------------------- */
#define BI_STRUT_LIST(X)                                                                                     \
    X(BI_STRUT_ROD, "rod")           /* round, of `radius` */                                                \
    X(BI_STRUT_CYLINDER, "cylinder") /* a barrel of `radius` at the first point, its rod to the second */    \
    X(BI_STRUT_CHAIN, "chain")       /* links of `radius` */
#define BI_STRUT_VALUE(value, name) value,
typedef enum { BI_STRUT_NONE, BI_STRUT_LIST(BI_STRUT_VALUE) } bi_strut_type;
enum { BI_STRUT_POINTS = 8 };
typedef struct {
    const char *name;
    bi_strut_type type;
    int n_point; /* 2 to BI_STRUT_POINTS; a cylinder has 2 */
    bi_point point[BI_STRUT_POINTS];
    double radius; /* m */
    double rod;    /* m, cylinder: radius of its rod; 0: 0.6 of `radius` */
    double
        barrel; /* m, cylinder: length of its barrel; 0: from the first point to 0.6 of the way as described */
    double colour[4]; /* as of bi_shape_def */
} bi_strut_def;
/* Adding never fails; bad sizes and points of no body are listed by bi_model_check and bi_compile. */
void bi_add_strut(bi_model *, const bi_strut_def *);
int bi_model_strut_count(const bi_model *);
bool bi_model_strut_at(const bi_model *, int k, bi_strut_def *); /* from 0; borrowed name; false: none */
const char *bi_strut_type_name(bi_strut_type);                   /* "rod"; NULL: none */
/* From point to point with these poses of all bodies (the ground first), as of bi_sim_view, m; NAN: not given. */
double bi_strut_length(const bi_strut_def *, const bi_pose *pose);

/* ---- looks: files of modelling programs, drawn and nothing else ------------------------------------------ */
typedef struct {
    const char *name;
    const char *file; /* path of a .gltf, .glb or .obj */
    bi_body body;     /* unset: the ground */
    bi_pose pose;     /* in the body; a zero rotation reads as none */
    double scale;     /* 0: 1 */
} bi_look_def;
void bi_add_look(bi_model *, const bi_look_def *); /* adding never fails */
int bi_model_look_count(const bi_model *);
bool bi_model_look_at(const bi_model *, int k, bi_look_def *); /* from 0; borrowed texts; false: none */

/* What a ray meets first. */
typedef struct {
    bi_shape shape;
    double distance;       /* from the origin of the ray, m */
    bi_vec3 point, normal; /* ground axes; the normal points out of the shape */
} bi_ray_hit;
/* The surface that is crossed first within `reach` (m), from either side, of all shapes where they are now, also hidden
 * ones; the direction may have any length. A shape of a flexible body is where the frame of the body is. False: none,
 * not started, or numbers that are not finite; the hit has no shape then. */
bool bi_sim_ray(bi_sim *, bi_vec3 origin, bi_vec3 direction, double reach, bi_ray_hit *);

/* The way between two shapes. */
typedef struct {
    double distance;    /* m; negative: they overlap, by the least way that parts them */
    bi_vec3 on_a, on_b; /* nearest points, ground axes */
    bi_vec3 normal;     /* from b to a, unit */
} bi_shape_gap;
/* Of spheres to anything, and of boxes, capsules, cylinders, cones, hulls and ellipsoids to each other and to planes.
 * False: other pairs, not started, no such shape; the distance is NAN then. */
bool bi_sim_distance(bi_sim *, bi_shape a, bi_shape b, bi_shape_gap *);

/* Reactions of the joints on body b at the joint's point, ground axes; (bi_model_joint_count), valid until the next step. */
const bi_wrench *bi_sim_reactions(bi_sim *);
BI_END
