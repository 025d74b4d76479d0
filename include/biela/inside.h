// SPDX-License-Identifier: MIT
/* inside.h - a view into a model: its points, vectors, axes, masses, what touches, and what the equations make of them. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

/* What a point or vector is to the equations. */
typedef enum {
    BI_ENTITY_VARIABLE = 1, /* its three components are variables */
    BI_ENTITY_CONSTANT,     /* it never moves: its components are constants of the equations */
    BI_ENTITY_NAMED         /* the model names it, and the equations do not hold it */
} bi_entity_role;

/* A point or vector, once, however many bodies have it. */
typedef struct {
    const char *name; /* of the model; else "rod.point1", as bi_variable_name has it; else of a joint there */
    bool is_vector;
    bi_entity_role role;
    int variable;          /* number of its first variable; -1: it has none */
    bi_body body;          /* the first of those that have it */
    bi_vec3 at;            /* in that body, m; of a vector: where it may be drawn, on a point of that body */
    bi_vec3 along;         /* vector: unit, in that body; else 0 */
    int n_body;            /* bodies that share it: 1 where nobody shares */
    const bi_body *shares; /* (n_body) */
} bi_inside_entity;

/* A joint: where it is, and how much of what it holds is held already. */
typedef struct {
    bi_joint joint;
    const char *name, *kind;
    bi_point a, b;
    bool has_axis;
    bi_vec3 axis;   /* unit, in the body of b */
    int variables;  /* its coordinates among the variables of the equations */
    int redundant;  /* of its rows, these are held by others */
    bool is_shared; /* its reactions are not unique */
} bi_inside_joint;

/* A body that has mass, and the ellipsoid of even density with the same mass and inertia. */
typedef struct {
    bi_body body;
    double mass;       /* kg */
    bi_pose ellipsoid; /* centre of mass and principal axes, in the body */
    bi_vec3 half_axes; /* m; 0: no mass away from the middle across the others */
} bi_inside_mass;

/* A constraint that is no joint. */
typedef struct {
    const char *name, *kind;
    int redundant;
    bool is_shared;
} bi_inside_constraint;

/* A shape that a contact or a tyre names. */
typedef struct {
    bi_shape shape;
    const char *element; /* the first that names it */
} bi_inside_touch;

/* A force on one or two points, which has no joint: a spring, a tyre, air. */
typedef struct {
    const char *name, *kind;
    bi_point a, b; /* b: as a where it has one point only */
    bool has_two;
} bi_inside_force;

typedef struct {
    int n_entity, n_joint, n_mass, n_constraint, n_touch;
    const bi_inside_entity *entity;
    const bi_inside_joint *joint;
    const bi_inside_mass *mass;
    const bi_inside_constraint *constraint;
    const bi_inside_touch *touch;
    int redundant; /* rows of all of them; -1: too many rows to look at */
    int n_force;
    const bi_inside_force *force;
} bi_inside;

/* Looks at a started sim where it is. Names are borrowed from the model and the view itself. NULL: not started, or no memory. */
bi_inside *bi_sim_inside(bi_sim *);
void bi_inside_destroy(bi_inside *);
const char *bi_entity_role_name(bi_entity_role); /* "variable"; NULL: none */
BI_END
