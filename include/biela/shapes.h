// SPDX-License-Identifier: MIT
/* shapes.h - shapes on bodies: what touches and what is shown. Included by <biela/biela.h>. */
#pragma once
#include <biela/model.h>
#include <biela/road.h>
BI_BEGIN

typedef struct {
    int32_t i;
} bi_shape; /* 1 to bi_model_shape_count; 0 is "unset" */

typedef enum {
    BI_SHAPE_BOX = 1,   /* size */
    BI_SHAPE_SPHERE,    /* radius */
    BI_SHAPE_CYLINDER,  /* radius, length: along its z, centred */
    BI_SHAPE_CAPSULE,   /* radius, length: along its z, centred; the caps come on top of the length */
    BI_SHAPE_TORUS,     /* ring, radius, width: about its z */
    BI_SHAPE_PLANE,     /* the half space below its x y plane; no size */
    BI_SHAPE_MESH,      /* vertices and triangles */
    BI_SHAPE_FIELD,     /* heights over a grid in its x y plane, the solid below */
    BI_SHAPE_CONE,      /* radius, length: along its z, centred; the base below, the tip above */
    BI_SHAPE_HULL,      /* vertices: the convex solid that they span */
    BI_SHAPE_ELLIPSOID, /* half_axes: along its x, y and z */
    BI_SHAPE_ROAD       /* road: exact under wheels; everything else meets triangles in its place */
} bi_shape_type;

/* Triangles with all that queries need of them: neighbours, normals, a tree, convex pieces. Making it takes longer than
 * reading it; shapes of any number of models, in any number of threads, can share one. create: copies the mesh
 * (<biela/geom.h>); `pieces` as of a shape; NULL: `why` (may be NULL) says why not. Whoever creates or keeps it releases it;
 * shapes keep it as long as their model lives. */
typedef struct bi_surface bi_surface;
struct bi_mesh;
bi_surface *bi_surface_create(const struct bi_mesh *, int pieces, const char **why);
bi_surface *bi_surface_keep(bi_surface *);
void bi_surface_release(bi_surface *);

/* What a viewer paints a shape with. Shapes of the ground that have one are scenery: what stands around. */
typedef enum {
    BI_FINISH_NONE, /* the colour alone; no scenery */
    BI_FINISH_PLAIN,
    BI_FINISH_CONCRETE,
    BI_FINISH_ASPHALT,
    BI_FINISH_GRAVEL,
    BI_FINISH_GRASS,
    BI_FINISH_GRID,
    BI_FINISH_SHEET, /* profiled sheet metal */
    BI_FINISH_METAL,
    BI_FINISH_GLASS,
    BI_FINISH_WIRE, /* seen through */
    BI_FINISH_PAINT /* markings on a surface */
} bi_finish;
const char *bi_finish_name(bi_finish); /* "plain"; NULL: none */

typedef struct {
    const char *name;
    bi_shape_type type;
    bi_body body;          /* unset: the ground */
    bi_pose pose;          /* of the shape's axes in those of the body; a zero rotation reads as none */
    bi_vec3 size;          /* box: lengths of its edges, m */
    bi_vec3 half_axes;     /* ellipsoid: from its middle to its surface along x, y, z, m */
    double radius;         /* sphere, cylinder, capsule, cone; torus: semi-axis of the section across z; m */
    double length;         /* cylinder, capsule, cone, m */
    double ring;           /* torus: distance of the middle of the section from z, m */
    double width;          /* torus: width of the section along z, m; 0: 2 radius, a round section */
    int facets;            /* corners around where triangles have to stand for the shape; 0: 48 */
    int n_vertex;          /* mesh, hull */
    int n_triangle;        /* mesh */
    const bi_vec3 *vertex; /* mesh, hull: (n_vertex) m, axes of the shape */
    const int32_t (
        *triangle)[3]; /* mesh: (n_triangle) vertices from 0, counter-clockwise seen from outside */
    int pieces; /* mesh: cut into so many convex pieces at most, which meet boxes, planes, hulls and the like in its
                 * place; 0: it meets them by its triangles */
    bi_surface *surface;     /* mesh: in place of vertex, triangle and pieces; NULL: made of them */
    bi_road *road;           /* road */
    int n_x, n_y;            /* field: nodes along x and y, 2 at least */
    const double *height;    /* field: (n_y * n_x) m, row by row: height[j * n_x + i] over node (i, j) */
    double first_x, first_y; /* field: place of node (0, 0), m */
    double step_x, step_y;   /* field: distance of the nodes, m */
    bool is_smooth;          /* field: continuous slopes (bicubic); else bilinear */
    double colour[4];        /* red green blue opacity, 0 to 1; all zero: the viewer chooses */
    bool is_hidden;          /* not shown */
    bi_finish finish;        /* what it is painted with */
    const char *title;       /* what people call it, for events; NULL: its body, or its name */
} bi_shape_def;

/* Adding never fails; bad sizes, broken meshes and hulls without thickness are listed by bi_model_check and bi_compile.
 * Arrays are copied; of a hull its corners stay, and bi_model_shape_at has its triangles. */
bi_shape bi_add_shape(bi_model *, const bi_shape_def *);
int bi_model_shape_count(const bi_model *);
bi_shape bi_model_shape(const bi_model *, const char *name);        /* unset: none of that name */
bool bi_model_shape_at(const bi_model *, bi_shape, bi_shape_def *); /* borrowed pointers; false: none */
/* Convex pieces of a mesh, and how much more volume they fill than it does, as a part of its own; 0: none. `excess` may
 * be NULL. */
int bi_model_shape_pieces(const bi_model *, bi_shape, double *excess);
const char *bi_shape_type_name(bi_shape_type); /* "box"; NULL: none */

/* Shapes that a contact is between. */
typedef struct {
    int count;
    const bi_shape *item; /* (count) */
} bi_shapes;

/* ---- patches of the ground with another friction: wet, ice ----------------------------------------- */
typedef struct {
    const char *name;
    bi_pose pose;    /* middle and axes, ground axes; heights do not matter */
    double size[2];  /* m, a rectangle along its x and y; or */
    double radius;   /* m, a disc */
    double friction; /* factor on the friction of whatever touches the ground there */
    /* of t and inputs, for what changes during a run; in place of at, size and radius: x, y and radius of a disc, m, which
     * is not there while its radius is not above zero; in place of friction: the factor. Unset: as above */
    bi_expr disc[3], factor;
} bi_patch_def;
void bi_add_patch(bi_model *, const bi_patch_def *);
/* The factor at a point of the ground, of the last patch that covers it; 1 where none does. Those with expressions are left
 * out: their numbers are known while a sim runs. */
double bi_model_friction_at(const bi_model *, bi_vec3 at);
int bi_model_patch_count(const bi_model *);
bool bi_model_patch_at(const bi_model *, int k, bi_patch_def *); /* from 0; borrowed name; false: none */

/* A place where two shapes touch. */
typedef struct {
    bi_element contact;
    bi_shape a, b;         /* of the lists a and b of the contact */
    bi_vec3 point, normal; /* ground axes; the normal points from b to a */
    double depth, area;    /* m, m2 */
    bi_vec3 velocity;      /* of a against b there, m/s, ground axes */
} bi_touch;
/* Whether a place counts: false, and the shapes pass each other there without a force. It may be asked several times in
 * a step, by several threads at once, and must answer by what it is given, and by constants. */
typedef bool bi_touch_decides(void *data, const bi_touch *);
/* Told about every place that touches after every accepted step, with the force on a, N, ground axes. It sees, and
 * changes nothing; a run that goes back and on again tells the same again. */
typedef void bi_touch_observes(void *data, double t, const bi_touch *, bi_vec3 force);

/* ---- contact between shapes ---------------------------------------------------------------------- */
/* Every shape of a against every shape of b, bodies with themselves left out; b empty: all pairs of a. Touching places
 * are points: one of a sphere, the corners of a box on a plane, four of each region of boxes or meshes. The values are
 * those of one point (per area: of 1 m2). Expressions may read t, inputs and signals: changeable during a run. */
typedef struct {
    const char *name;
    bi_shapes a, b;
    int32_t law;       /* 0, 1 Kelvin-Voigt k d + c d', 2 Hertz k d^n (1 + ...) */
    bi_expr stiffness; /* N/m; Hertz: N/m^n */
    bi_expr damping;   /* Kelvin-Voigt: N s/m */
    double hysteresis; /* Kelvin-Voigt: factor on the damping while separating, 0 = 1 */
    double smooth;     /* Kelvin-Voigt: depth over which the damping comes in, m; 0: at once */
    double exponent;   /* Hertz: n, 0 = 1.5 */
    /* speed back over speed in: Hertz 0 to 1, k d^n (1 + loss d'/d0'), d0' the speed of the first touch; Kelvin-Voigt:
     * exp(-2) to 1, instead of damping, 0: none */
    double restitution;
    int32_t restitution_law; /* Hertz: how the loss follows from it, 0, 1 exact, 2 .. 8 as published */
    double dissipation;      /* Hertz: k d^n (1 + dissipation d'), s/m; instead of restitution */
    bi_expr force_limit;     /* N; unset: none */
    int32_t per;             /* 0, 1 point, 2 area: stiffness in N/m3, damping in N s/m3 */
    bi_expr friction;        /* coefficient; unset: 0 */
    int32_t friction_law;    /* 0, 1 coulomb: sticks or slides and remembers which, 2 blended by the speed */
    double sliding;          /* friction while sliding over friction from rest; 0 = 1 */
    double viscous;          /* N s/m across the normal */
    double stick_time;       /* s; 0 = 2 ms, blended 30 ms */
    double mass;             /* kg that the contact holds; 0: from the masses of the two bodies */
    double kept;             /* blended: of its limit, by a stick spring that follows; 0 = 0.95 */
    int32_t anchor; /* blended: 0, 1 is dragged along, 2 is set to what is kept as soon as the spring slips */
    bi_expr belt;   /* m/s, speed of the surface of b along belt_axis, as of a belt; unset: 0 */
    bi_vec3 belt_axis;        /* axes of the body of b; 0 = x */
    double rolling_friction;  /* m: moment against rolling over the normal force, at most */
    double spinning_friction; /* m: moment against spinning about the normal over the normal force, at most */
    double friction_across;   /* friction across friction_axis over friction along it; 0 = 1; coulomb only */
    bi_vec3 friction_axis;    /* axes of the body of a; 0 = x */
    double most_points;       /* of one pair of shapes, the deepest; 0 = 16 */
    /* the stick spring of a point by itself, instead of stick_time: N/m, N s/m (unset: with the stiffness as damped as
     * usual); blended: m/s, the speed up to which it sticks */
    bi_expr stick_stiffness, stick_damping, stick_speed;
    bi_touch_decides *decides;   /* asked about every place; NULL: all of them count */
    bi_touch_observes *observes; /* told after every step; NULL: nobody is */
    void *data;                  /* of both */
} bi_contact_def;                /* "contact" */
bi_element bi_add_contact(bi_model *, const bi_contact_def *);
/* The same observer for a contact of a model that came from a file; NULL: nobody. Before bi_compile: all sims of a system tell
 * the same one, those of several threads at once. False: no such contact. */
bool bi_contact_observe(bi_model *, bi_element, bi_touch_observes *, void *data);
BI_END
