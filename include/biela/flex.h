// SPDX-License-Identifier: MIT
/* flex.h - a finite-element mesh becomes the modes of a flexible body.
 *
 *   bi_fe_mesh   nodes, elements, sections, materials        you fill it, or a file reader does
 *   bi_flex_def  the mesh, its frame, boundary, and how many modes
 *   bi_flex      what bi_flex_build makes of it: bi_modes for bi_body_def.flex, checks, rows that recover stresses
 *
 * Coordinates are those of the body frame; SI units. */
#pragma once
#include <biela/biela.h>
BI_BEGIN

typedef struct {
    const char *name;
    double young, poisson, density; /* Pa, -, kg/m3 */
    bi_place place;
} bi_material;

/* A section of beams (x along the beam, y and z its principal axes) or the thickness of plane elements. */
typedef struct {
    const char *name;
    double area, iy, iz;     /* m2; m4, bending about y and z */
    double torsion;          /* m4, of St Venant; 0: iy + iz */
    double shear_y, shear_z; /* shear areas over area, of Timoshenko beams; 0: rigid in shear */
    double top, side;        /* m, outermost fibres at y = +-top and z = +-side; stresses are told there */
    double twist;     /* m, torsional stress is twist * moment / torsion; 0: the farther of top and side */
    bool is_round;    /* fibres lie on a circle: the largest stress is that of the resulting moment */
    double thickness; /* m, of plane elements */
    bi_place place;
} bi_section;
bi_section bi_section_tube(double diameter, double wall); /* wall 0, or half the diameter: full */
bi_section bi_section_rectangle(double y, double z);      /* sides along the section's y and z */

typedef struct {
    const char *name; /* may be NULL: its number in the messages then */
    int64_t number;   /* of the file it came from; 0: its place in the list, from 1 */
    bi_vec3 at;       /* m */
    bi_place place;
} bi_fe_node;

/* name, nodes */
#define BI_FE_KIND_LIST(X)                                                                                   \
    X(BI_FE_BEAM, "beam")             /* 2: Euler-Bernoulli */                                               \
    X(BI_FE_TIMOSHENKO, "timoshenko") /* 2: with the shear factors of the section */                         \
    X(BI_FE_QUAD, "quad")             /* 4: plane stress in xy, incompatible modes */                        \
    X(BI_FE_QUAD_PLAIN, "quad-plain") /* 4: plane stress, bilinear, 2 x 2 */                                 \
    X(BI_FE_TRIANGLE, "triangle")     /* 3: plane stress, constant strain */                                 \
    X(BI_FE_MASS, "mass")             /* 1: mass with inertia at a node */                                   \
    X(BI_FE_LINK, "link")       /* 2: the second node follows the first as if both were one rigid body */    \
    X(BI_FE_TET10, "tet10")     /* 10 */                                                                     \
    X(BI_FE_HEX8, "hex8")       /* 8: incompatible modes */                                                  \
    X(BI_FE_HEX20, "hex20")     /* 20 */                                                                     \
    X(BI_FE_SHELL4, "shell4")   /* 4: flat shell, membrane with incompatible modes, plate with shear */      \
    X(BI_FE_SHELL3, "shell3")   /* 3: flat shell, membrane of constant strain, thin plate */                 \
    X(BI_FE_WEDGE15, "wedge15") /* 15 */
#define BI_FE_KIND_ENUM(code, text) code,
typedef enum { BI_FE_KIND_LIST(BI_FE_KIND_ENUM) BI_FE_KIND_COUNT } bi_fe_kind;
bool bi_fe_is_beam(bi_fe_kind); /* of either theory */
enum { BI_FE_MOST_NODES = 20 };

typedef struct {
    const char *name; /* may be NULL */
    int64_t number;   /* as of a node */
    bi_fe_kind kind;
    int32_t node[BI_FE_MOST_NODES]; /* places in the list of nodes, from 0 */
    int32_t section, material;      /* places in their lists, from 0; -1: none */
    bi_vec3 y_axis;    /* beams: towards the section's y axis; 0: z x beam, or y for a beam along z */
    bi_vec3 offset[2]; /* beams: from the nodes to the ends of the beam, m, rigid */
    bi_vec3
        bend; /* exact beams: turn from start to end of an arc, rad, about this axis of the body; 0: straight */
    double prestress;        /* exact beams: normal force as described, N, tension positive */
    double mass, inertia[6]; /* of a mass, kg, kg m2: xx yy zz xy yz zx about the node */
    bi_place place;
} bi_fe_element;

typedef struct {
    int n_node, n_element, n_section, n_material;
    bi_fe_node *node;
    bi_fe_element *element;
    bi_section *section;
    bi_material *material;
    bool
        is_plane; /* nodes move in x and y and turn about z only: beams and plane elements in two dimensions */
} bi_fe_mesh;

/* A beam of the mesh as a bar between two sections: what a geometrically exact one is made of (bi_beam_def). */
typedef struct {
    int node[2];         /* of the mesh */
    bi_vec3 end[2];      /* of the beam itself, body frame, m: beside its nodes by the offsets */
    bi_quat rot;         /* from the axes of the section in the middle to those of the body */
    bi_quat rot_end[2];  /* the same at the ends: of an arc they turn */
    double length;       /* m, along an arc */
    double rest[6];      /* strains without load, as bi_beam_def.rest: pre-stress, curvature */
    double stiffness[6]; /* EA GAy GAz, N; GJ EIy EIz, N m2 */
    double mass;         /* kg/m */
    double rotary[3];    /* kg m, inertia of a length of 1 about x, y, z of the section */
} bi_fe_bar;
bool bi_fe_bar_of(const bi_fe_mesh *, int element, bi_fe_bar *); /* false: it is not a beam */

/* An arc from the first of three points through the second to the third. */
typedef struct {
    bi_vec3 centre, axis; /* m; unit vector about which it turns */
    double angle;         /* rad, up to a full turn */
} bi_arc;
bool bi_arc_of(const bi_vec3 point[3], bi_arc *); /* false: they lie on a line */
/* A direction of its start, turned to where a share of it is gone, from 0 to 1. */
bi_vec3 bi_arc_turned(const bi_arc *, double share, bi_vec3);

/* A node that joints, forces or vectors of the mechanism hold: it gets static modes. */
typedef struct {
    int32_t node;
    bool is_point; /* its three displacements */
    int n_vector;  /* unit vectors of the body at this node: the two turns that move each of them */
    bi_vec3 vector[3];
    bi_place place;
} bi_flex_boundary;

typedef struct {
    const char *name; /* of the body, for messages */
    bi_fe_mesh mesh;
    int n_frame;          /* nodes that stand still in the body frame, with all their freedoms */
    const int32_t *frame; /* (n_frame) */
    int n_boundary;
    const bi_flex_boundary *boundary; /* (n_boundary) */
    int n_normal; /* normal modes with frame and boundary held; with up_to: at most so many (0: no limit) */
    double up_to; /* Hz, those up to this frequency; 0: as many as n_normal says */
    double
        tolerance; /* > 0: as many normal modes as it takes for stresses this close, relative, to those of the
                         full mesh under accelerations up to the frequency up_to; n_normal is not looked at then */
    double damping;     /* ratio of critical damping of every mode */
    double alpha, beta; /* 1/s, s: damping proportional to mass and to stiffness, besides */
    bool
        has_weight_modes; /* and static shapes under unit accelerations of the body: what carries its own weight */
    bool is_foreshortened; /* straight beams: second-order shortening, bi_modes.bend */
    bool has_no_rotary;    /* beams: mass on the axis only */
    double mass;           /* kg, what the body should weigh; 0: not known */
    bi_place place, frame_place, mass_place, foreshortening_place, normal_place;
} bi_flex_def;

/* Told now and then while modes are computed; `done` from 0 to 1. */
typedef void bi_flex_progress(void *context, const char *stage, double done);

typedef struct bi_flex bi_flex;
bi_flex *bi_flex_build(const bi_flex_def *, bi_flex_progress *, void *context,
                       bi_report *); /* NULL: see the report */
/* Mistakes and doubts that can be seen without building it; false: it cannot be built. */
bool bi_flex_check(const bi_flex_def *, bi_report *);
void bi_flex_destroy(bi_flex *);
const bi_modes *bi_flex_modes(const bi_flex *); /* its first nodes are those of the mesh, in order */
const bi_fe_mesh *bi_flex_mesh(const bi_flex *);

typedef struct {
    int n_freedom;          /* of the mesh, links and frame counted out */
    int n_static, n_normal; /* modes of either kind; what is left of n_mode carries the body's own weight */
    int n_rigid; /* motions of the free mesh without stiffness: 6, in a plane 3; -1: too large to be counted */
    double mass, inertia[6]; /* of the particles; about com, xx yy zz xy yz zx */
    bi_vec3 com;             /* m */
    double section_mass;     /* sum of density * section * length, and masses */
    double rigid, patch; /* largest errors: force of a rigid motion; work of constant strain; both relative */
    double truncation; /* with bi_flex_def.tolerance: stress that the modes lack at up_to, relative; else 0 */
    const double *normal_hz; /* (n_normal) frame and boundary held */
    const double *hz;        /* (n_mode) of the modes given out: only the frame held */
} bi_flex_facts;
bi_flex_facts bi_flex_facts_of(const bi_flex *);

/* What its definition said about damping and mass. */
typedef struct {
    double ratio, alpha, beta; /* as bi_flex_def.damping, .alpha, .beta */
    bool has_no_rotary;
} bi_flex_damping;
bi_flex_damping bi_flex_damping_of(const bi_flex *);

/* Rows (6 x n_mode) that give the stresses of an element from the amplitudes, at a place in its own coordinates
 * (beams: x from -1 to 1). Solids and plane elements: xx yy zz xy yz zx in body axes, Pa. Beams: N Vy Vz, N; Mt My Mz,
 * N m, in their own axes, on the side that the second node holds. False: the element has none. */
bool bi_flex_stress_rows(const bi_flex *, int element, bi_vec3 site, double *rows);
/* The k-th place, from 0, where an element's stress is best (Gauss points; of beams start, middle and end). False: none. */
bool bi_flex_site(const bi_flex *, int element, int k, bi_vec3 *site);
/* The same at a node of the mesh, averaged over the plane or solid elements around it. False: there are none. */
bool bi_flex_nodal_rows(const bi_flex *, int node, double *rows);
/* The axes of an element: beams, their own as rows of the matrix x, y, z; others those of the body. */
void bi_flex_axes(const bi_flex *, int element, bi_vec3 axes[3]);
/* Displacement and turn of a node per unit amplitude of a mode are bi_modes.shape and .turn. */

/* ---- stresses as outputs: values that follow from the amplitudes -------------------------------------------------- */
typedef enum {
    BI_FORM_LINEAR = 1, /* a value per row */
    BI_FORM_VECTORS,    /* six rows, two vectors of the body: told in ground axes */
    BI_FORM_TENSOR,     /* six rows xx yy zz xy yz zx of the body: told in ground axes */
    BI_FORM_MISES,      /* six rows: their von Mises stress */
    BI_FORM_FIBRE,      /* two rows, normal and shear stress of a fibre: von Mises */
    BI_FORM_SECTION, /* four rows N/A, Mz top/Iz, My side/Iy, Mt twist/J: largest von Mises stress of the section */
    BI_FORM_LARGEST,   /* of the same rows: the largest normal stress, */
    BI_FORM_SMALLEST,  /* and the smallest */
    BI_FORM_PRINCIPAL, /* six rows: the three principal stresses, largest first */
    BI_FORM_MIXED /* six rows; of the first n_section places four of them as BI_FORM_SECTION, of the others as BI_FORM_MISES */
} bi_recovery_form;

typedef enum {
    BI_PROBE_MISES = 1,
    BI_PROBE_NORMAL,
    BI_PROBE_TENSOR,
    BI_PROBE_SECTION,
    BI_PROBE_PRINCIPAL, /* not of beams: the three principal stresses, largest first */
    BI_PROBE_STRAIN     /* as a strain gauge: of a fibre of a beam; of others along `along` */
} bi_probe_quantity;
typedef enum { BI_AXES_ELEMENT, BI_AXES_BODY, BI_AXES_GROUND } bi_probe_axes;
typedef enum {
    BI_FIBRE_MAX,    /* the largest normal stress of the section */
    BI_FIBRE_MIN,    /* the smallest */
    BI_FIBRE_TOP,    /* y = top */
    BI_FIBRE_BOTTOM, /* y = -top */
    BI_FIBRE_LEFT,   /* z = side */
    BI_FIBRE_RIGHT,  /* z = -side */
    BI_FIBRE_CENTRE
} bi_fibre;
typedef struct {
    bi_probe_quantity quantity;
    bool is_everywhere; /* the largest over the body: beams at both ends, other elements at nodes */
    int element;        /* -1: at the node */
    int next;           /* beams: element that begins where this one ends, averaged with it; -1: none */
    int node;           /* average of the elements around it */
    bi_vec3 site;       /* in the element's own coordinates */
    bi_probe_axes axes;
    bi_fibre fibre; /* of beams, for BI_PROBE_NORMAL and BI_PROBE_STRAIN */
    bi_vec3
        along; /* BI_PROBE_STRAIN but of beams: direction of the gauge, body axes; its length does not matter */
} bi_flex_probe;

/* `n_row` rows at each of `n_point` places. With one place its values, with several the largest and the label of its place. */
struct bi_recovery {
    bi_recovery_form form;
    int n_point, n_row, n_mode;
    const double *row;    /* (n_point * n_row * n_mode) */
    const int32_t *start; /* (n_point) the amplitude that the rows of a place begin with; NULL: the first */
    int n_section;        /* of BI_FORM_MIXED: ends of beams, which come first */
    const double *label;  /* (n_point) number of the element, with other elements than beams of the node */
    const int32_t *node;  /* (n_point) node of the mesh, from 0; -1: not at a node */
    const bool *is_round; /* (n_point) moments add as vectors, not as sizes; NULL: none is */
    const char *part[6];  /* names of the values; "" for the only one */
    bi_flex_probe probe;  /* what was asked */
    /* Straight bars of beams: what the inertia between held nodes adds to the normal force; NULL: nothing. */
    const double *axial; /* (n_point * axial_size) */
    int axial_size;
    bool is_bent;         /* with second-order shapes */
    bi_vec3 origin, axis; /* of the line, body axes: its origin is the node of the frame */
    const char *unit;     /* "Pa"; of forces NULL: N and N m */
    /* Many places with six rows: a tree of them. A branch is a part of `order`, its middle the place in the middle;
     * branches of BI_RECOVERY_LEAF places are not divided. NULL: none. */
    const int32_t *order; /* (n_point - n_section) */
    const double *
        reach; /* (n_mode each) stress per unit of each amplitude by which a branch differs from its middle, Pa */
};
enum { BI_RECOVERY_LEAF = 8 };
int bi_recovery_value_count(const bi_recovery *); /* of one place */
/* Values of place `point`, for the amplitudes (n_mode) and the rotation from body to ground axes. */
void bi_recovery_values(const bi_recovery *, int point, const double *eta, bi_quat rot, double *value);
/* How a flexible body moves, in its own axes. */
typedef struct {
    const double *eta, *rate, *second; /* (n_mode) amplitudes and their rates */
    bi_vec3 felt;                      /* acceleration of the node of the frame less gravity, m/s2 */
    bi_vec3 omega, alpha;              /* rad/s, rad/s2 */
    bi_quat rot;                       /* from body to ground axes */
} bi_flex_motion;
/* The same with the normal forces that inertia and weight make between the held nodes of a straight bar. */
void bi_recovery_values_moving(const bi_recovery *, int point, const bi_flex_motion *, double *value);
/* The place of the largest value, the first of equal ones, and that value, for the amplitudes (n_mode); -1: there is no place. */
int bi_recovery_largest(const bi_recovery *, const double *eta, double *value);
bi_recovery *bi_recovery_copy(const bi_recovery *); /* NULL: no memory, or NULL given */
void bi_recovery_destroy(bi_recovery *);

/* NULL: `why` says what is wrong. */
/* Of geometrically exact beams: amplitudes are their section forces, N Vy Vz Mt My Mz at the start and at the end, twelve
 * each. Of one place: those of its beam, or of it and the next; everywhere: those of all beams of the mesh, in order. */
bi_recovery *bi_bar_recover(const bi_fe_mesh *, const bi_flex_probe *, char *why, size_t size);
bi_recovery *bi_flex_recover(const bi_flex *, const bi_flex_probe *, char *why, size_t size);

/* Amplitudes (n_mode) of a flexible body in the state that the sim shows; how many, 0: it is not flexible. */
int bi_sim_modes(bi_sim *, bi_body, double *eta);
/* Where the nodes of the mesh are, ground axes, shortening included (n_node of the mesh). */
void bi_flex_deformed(const bi_flex *, const double *eta, bi_pose, bi_vec3 *at);

/* The model keeps what its body was made of, for points at nodes and for stresses; it destroys it in the end. The modes
 * themselves are in bi_body_def.flex. */
void bi_body_keep(bi_model *, bi_body, bi_flex *);
const bi_flex *bi_model_flex(const bi_model *, bi_body); /* NULL: none */

/* What joints, forces and constraints of the model hold of a flexible body, one entry per node, in their order; how
 * many, `most` at most. With these as boundary (and what else the user wants) the body carries every load that reaches
 * it. */
int bi_model_holds(const bi_model *, bi_body, bi_flex_boundary *list, int most);
/* Joins such entries to the boundary of a definition; `list` has room for n_boundary + n_hold and becomes its boundary.
 * What stands with the frame is left out; of a node that follows another by a link, the other one is held. True: there
 * is more than before. */
bool bi_flex_hold(bi_flex_def *, bi_flex_boundary *list, const bi_flex_boundary *hold, int n_hold);
/* Another reduction of the same mesh in place of the one that the body has: modes and recoveries follow. The model owns
 * it. False: no memory, or not a flexible body. */
bool bi_body_reduce(bi_model *, bi_body, bi_flex *);

/* Everything that decides what bi_flex_build gives. */
uint64_t bi_flex_hash(const bi_flex_def *);
/* The result as bytes, to be kept in a file; the size when buffer is NULL. Load gives NULL when the bytes are not those
 * of this definition. */
size_t bi_flex_save(const bi_flex *, void *buffer, size_t capacity);
bi_flex *bi_flex_load(const bi_flex_def *, const void *bytes, size_t size);

BI_END
