// SPDX-License-Identifier: MIT
// MJCF, the format of MuJoCo, while it is read: settings, classes of defaults, and what other elements refer to.
#pragma once
#include "io/robot/scene.h"

typedef struct mjcf_class mjcf_class;
struct mjcf_class {
    const char *name;
    const xml_element *element; // <default>
    const mjcf_class *outer;    // NULL: the one of the file
    mjcf_class *next;           // all classes
};

typedef struct {
    const char *name;
    int body;
    frame at; // ground axes
} mjcf_site;

typedef struct {
    const xml_element *element;
    const char *name;
    int n_term;
    int joint[8]; // of the scene
    double factor[8];
} mjcf_tendon;

typedef struct {
    scene *s;
    // settings of <compiler>
    double degree; // SI value of the unit of angles
    char order[4]; // of euler angles; capitals: about fixed axes
    const char *meshdir;
    bool no_autolimits, balances, is_local_frame, strips_path;
    int from_geom; // 0 never, 1 always, 2 where there is no <inertial>
    double bound_mass, bound_inertia, total_mass, group_range[2];
    mjcf_class *classes, *top;
    const xml_element *root;
    mjcf_site *site;
    mjcf_tendon *tendon;
    int n_site, n_tendon, n_include;
    int n_coordinate; // of qpos so far
    name_set sites, tendons;
    bool has_told_mesh_mass;
    const xml_element *key; // the keyframe where the model starts; NULL: as described
    double *start;          // (n_start) its coordinates
    int n_start;
} mjcf;

// A file beside that of the element, or beside the first one.
const char *mjcf_path(mjcf *m, const xml_element *e, const char *folder, const char *name);

// ---- defaults ------------------------------------------------------------------------------------------------------
void mjcf_read_classes(mjcf *m);
// The class that counts for an element below a body of class `child`.
const mjcf_class *mjcf_class_of(mjcf *m, const xml_element *e, const mjcf_class *child);
// The value of an attribute: of the element, else of its defaults; NULL: none. `where` is what says it (may be NULL).
const char *mjcf_get(const mjcf_class *c, const xml_element *e, const char *key, const xml_element **where);
double mjcf_number(mjcf *m, const mjcf_class *c, const xml_element *e, const char *key, double otherwise);
// Up to `most` numbers: those of the outermost default first, then what inner ones and the element say; the largest
// count, 0: nobody says any.
int mjcf_numbers(mjcf *m, const mjcf_class *c, const xml_element *e, const char *key, int most,
                 double *value);
// true, false, or what is assumed
bool mjcf_flag(mjcf *m, const mjcf_class *c, const xml_element *e, const char *key, bool otherwise);
// limited="auto": whether a range is given
bool mjcf_is_limited(mjcf *m, const mjcf_class *c, const xml_element *e, const char *limited,
                     const char *range);
// pos and orientation of an element, in its body.
frame mjcf_frame(mjcf *m, const mjcf_class *c, const xml_element *e);
// Which attributes of an element mean nothing here: those not among `known`, " a b c ".
void mjcf_leave_others(mjcf *m, const xml_element *e, const char *known);

// ---- parts ---------------------------------------------------------------------------------------------------------
void mjcf_read_bodies(mjcf *m, const xml_element *world);
void mjcf_read_geom(mjcf *m, const mjcf_class *child, const xml_element *e, int body, const frame *at,
                    bool makes_mass);
void mjcf_finish_masses(mjcf *m);
void mjcf_read_tendons(mjcf *m);
void mjcf_read_actuators(mjcf *m);
void mjcf_read_equalities(mjcf *m);
void mjcf_read_contacts(mjcf *m);
// Index of what an attribute names; -1: a mistake was told.
int mjcf_find_joint(mjcf *m, const xml_element *e, const char *key);
int mjcf_find_body(mjcf *m, const xml_element *e, const char *name);
int mjcf_find_site(mjcf *m, const xml_element *e, const char *name);
// The element of a section of assets by its name; NULL: none.
const xml_element *mjcf_asset(const mjcf *m, const char *kind, const char *name);
// " + 3*x", " - x", nothing for 0; the first term has no blanks.
void mjcf_write_term(FILE *out, double factor, const char *what, bool *is_begun);
// `of_length` times the length of a fixed tendon and `of_speed` times its rate.
void mjcf_write_sum(mjcf *m, FILE *out, const mjcf_tendon *t, double of_length, double of_speed);
// "shoulder.angle", "slide.position"
const char *mjcf_coordinate(const scene_joint *j, char buffer[160]);
