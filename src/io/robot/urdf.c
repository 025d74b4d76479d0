// SPDX-License-Identifier: MIT
// URDF: links and joints of a tree, placed from the root outwards.
#include "io/robot/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const xml_element *element;
    const char *name;
    int parent; // joint that leads here; -1: the root
    int body;   // of the scene; -1: not placed yet
} urdf_link;

typedef struct {
    const xml_element *element;
    const char *name, *type;
    int parent, child; // links
    int joint;         // of the scene; -1: none
} urdf_joint;

typedef struct {
    scene *s;
    const xml_element *root;
    urdf_link *link;
    urdf_joint *joint;
    int n_link, n_joint, first;
    name_set links;
} urdf;

// Of two elements where there is one, nobody knows which counts.
static void refuse_second(urdf *u, const xml_element *outer, const char *const *names, size_t count)
{
    for (const xml_element *e = outer->first; e; e = e->next) {
        for (size_t k = 0; k < count; k++) {
            if (strcmp(e->name, names[k]) == 0 && xml_child(e->next, e->name)) {
                scene_tell(u->s, BI_ERROR, xml_child(e->next, e->name),
                           "a second '%s', after that of line %d", e->name, e->line);
                return;
            }
        }
    }
}

static frame read_origin(urdf *u, const xml_element *e, const frame *outer)
{
    const xml_element *origin = xml_child(e->first, "origin");
    bi_vec3 zero = { 0 };
    frame own = { origin ? scene_vector(u->s, origin, "xyz", zero) : zero,
                  of_rpy(origin ? scene_vector(u->s, origin, "rpy", zero) : zero) };
    return frame_in(outer, &own);
}

// ---- the tree --------------------------------------------------------------------------------------------------

static int find_link(const urdf *u, const char *name) { return name ? name_set_find(&u->links, name) : -1; }

// Links and joints in order. False: no memory.
static bool collect(urdf *u)
{
    int n_link = 0, n_joint = 0;
    for (const xml_element *e = u->root->first; e; e = e->next) {
        n_link += strcmp(e->name, "link") == 0;
        n_joint += strcmp(e->name, "joint") == 0;
    }
    u->link = calloc((size_t)n_link + 1, sizeof *u->link);
    u->joint = calloc((size_t)n_joint + 1, sizeof *u->joint);
    if (!u->link || !u->joint) {
        return false;
    }
    for (const xml_element *e = u->root->first; e; e = e->next) {
        const char *name = xml_get(e, "name");
        bool is_link = strcmp(e->name, "link") == 0, is_joint = strcmp(e->name, "joint") == 0;
        if (!is_link && !is_joint) {
            bool is_used = strcmp(e->name, "material") == 0 || strcmp(e->name, "transmission") == 0;
            if (!is_used) {
                scene_leave(u->s, e, NULL, NULL);
            }
        } else if (!name || !name[0]) {
            scene_tell(u->s, BI_ERROR, e, "needs a name");
        } else if (is_link && find_link(u, name) >= 0) {
            scene_tell(u->s, BI_ERROR, e, "there are two links of this name");
        } else if (is_link) {
            if (name_set_add(&u->links, name, e->line) < 0) {
                return false;
            }
            u->link[u->n_link++] = (urdf_link){ .element = e, .name = name, .parent = -1, .body = -1 };
        } else {
            u->joint[u->n_joint++] =
                (urdf_joint){ .element = e, .name = name, .type = xml_get(e, "type"), .joint = -1 };
        }
    }
    return true;
}

static int linked(urdf *u, const urdf_joint *j, const char *key)
{
    const xml_element *e = xml_child(j->element->first, key);
    const char *name = e ? xml_get(e, "link") : NULL;
    int k = find_link(u, name);
    if (k < 0) {
        scene_tell(u->s, BI_ERROR, e ? e : j->element, "joint %.80s: there is no link '%.80s' for its %s",
                   j->name, name ? name : "", key);
    }
    return k;
}

static void connect(urdf *u)
{
    for (int k = 0; k < u->n_joint; k++) {
        urdf_joint *j = &u->joint[k];
        j->parent = linked(u, j, "parent");
        j->child = linked(u, j, "child");
        if (j->child >= 0 && u->link[j->child].parent >= 0) {
            scene_tell(u->s, BI_ERROR, j->element, "link %.80s has two parents; URDF describes trees only",
                       u->link[j->child].name);
        } else if (j->child >= 0) {
            u->link[j->child].parent = k;
        }
    }
    u->first = -1;
    for (int k = 0; k < u->n_link; k++) {
        if (u->link[k].parent < 0 && u->first >= 0) {
            scene_tell(u->s, BI_ERROR, u->link[k].element,
                       "is a second root besides %.80s: connect it by a joint", u->link[u->first].name);
        } else if (u->link[k].parent < 0) {
            u->first = k;
        }
    }
}

// ---- masses ----------------------------------------------------------------------------------------------------

static double need_number(urdf *u, const xml_element *e, const char *key)
{
    if (!xml_get(e, key)) {
        scene_tell(u->s, BI_ERROR, e, "needs %s", key);
    }
    return scene_number(u->s, e, key, 0.0);
}

static void read_inertial(urdf *u, const urdf_link *l, const xml_element *inertial, scene_body *b)
{
    static const char *const once[] = { "origin", "mass", "inertia" };
    static const char *const keys[6] = { "ixx", "iyy", "izz", "ixy", "iyz", "ixz" };
    refuse_second(u, inertial, once, 3);
    int errors = u->s->report->errors;
    frame at = read_origin(u, inertial, &b->at);
    const xml_element *mass = xml_child(inertial->first, "mass"),
                      *inertia = xml_child(inertial->first, "inertia");
    double own[6] = { 0 };
    if (!mass || !inertia) {
        scene_tell(u->s, BI_ERROR, inertial, "of link %.80s: needs 'mass' and 'inertia'", l->name);
        return;
    }
    b->mass = need_number(u, mass, "value");
    for (int k = 0; k < 6; k++) {
        // products that are not written are 0, as people write them
        own[k] = k < 3 ? need_number(u, inertia, keys[k]) : scene_number(u->s, inertia, keys[k], 0.0);
    }
    b->com = difference(at.pos, b->at.pos);
    inertia_turned(&at.rot, own, b->inertia);
    if (u->s->report->errors == errors) {
        scene_check_body(u->s, b, inertial);
    }
}

// ---- shapes ----------------------------------------------------------------------------------------------------

static bool read_geometry(urdf *u, const xml_element *e, scene_shape *p)
{
    const xml_element *geometry = xml_child(e->first, "geometry"), *g = geometry ? geometry->first : NULL;
    scene *s = u->s;
    if (!g) {
        scene_tell(s, BI_ERROR, e, "needs a geometry");
        return false;
    }
    int errors = s->report->errors;
    if (strcmp(g->name, "box") == 0) {
        bi_vec3 size = scene_vector(s, g, "size", (bi_vec3){ 0 });
        memcpy(p->size, &(double[3]){ size.x, size.y, size.z }, sizeof p->size);
        p->type = "box";
        p->friction[0] = 1.0;
    } else if (strcmp(g->name, "sphere") == 0) {
        p->type = "sphere";
        p->size[0] = need_number(u, g, "radius");
    } else if (strcmp(g->name, "cylinder") == 0 || strcmp(g->name, "capsule") == 0) {
        p->type = g->name[1] == 'y' ? "cylinder" : "capsule";
        p->size[0] = need_number(u, g, "radius");
        p->size[1] = need_number(u, g, "length");
    } else if (strcmp(g->name, "mesh") == 0) {
        const char *name = xml_get(g, "filename"), *scale = xml_get(g, "scale");
        p->type = "mesh";
        if (!name) {
            scene_tell(s, BI_ERROR, g, "needs filename");
            return false;
        }
        if (scale && scene_numbers(s, g, "scale", scale, 3, 3, p->scale) == 3 &&
            !(p->scale[0] * p->scale[1] * p->scale[2] != 0.0)) {
            scene_tell(s, BI_ERROR, g, "scale must not be zero");
        }
        p->file = scene_mesh_file(s, g, scene_uri(s, g, name));
        return p->file && s->report->errors == errors;
    } else {
        scene_tell(s, BI_WARNING, g, "is not known as a geometry; left out");
        return false;
    }
    int n = strcmp(p->type, "box") == 0 ? 3 : strcmp(p->type, "sphere") == 0 ? 1 : 2;
    for (int k = 0; k < n && s->report->errors == errors; k++) {
        if (!(p->size[k] > 0.0)) {
            scene_tell(s, BI_ERROR, g, "its lengths must be positive");
        }
    }
    return s->report->errors == errors;
}

static const xml_element *find_material(const urdf *u, const char *name)
{
    for (const xml_element *e = u->root->first; e; e = e->next) {
        const char *own = strcmp(e->name, "material") == 0 ? xml_get(e, "name") : NULL;
        if (own && name && strcmp(own, name) == 0) {
            return e;
        }
    }
    return NULL;
}

static void read_colour(urdf *u, const xml_element *e, scene_shape *p)
{
    const xml_element *material = xml_child(e->first, "material");
    const xml_element *colour = material ? xml_child(material->first, "color") : NULL;
    const xml_element *other = material && !colour ? find_material(u, xml_get(material, "name")) : NULL;
    colour = other ? xml_child(other->first, "color") : colour;
    const char *text = colour ? xml_get(colour, "rgba") : NULL;
    if (text) {
        (void)scene_numbers(u->s, colour, "rgba", text, 4, 4, p->colour);
    }
    for (int k = 0; k < 4; k++) {
        p->colour[k] = fmin(1.0, fmax(0.0, p->colour[k]));
    }
}

static void read_shape(urdf *u, const xml_element *e, const urdf_link *l)
{
    scene *s = u->s;
    bool is_visual = strcmp(e->name, "visual") == 0;
    char name[120];
    snprintf(name, sizeof name, "%.100s%s", s->body[l->body].called, is_visual ? "_look" : "");
    const char *kept = blocks_text(&s->memory, name, strlen(name));
    frame at = read_origin(u, e, &s->body[l->body].at);
    scene_shape *p = scene_add_shape(s, e, kept, "box", l->body);
    if (!p) {
        return;
    }
    p->at = at;
    p->is_hidden = !is_visual;
    p->is_solid = !is_visual;
    read_colour(u, e, p);
    if (!read_geometry(u, e, p)) {
        s->n_shape--;
    } else if (!is_visual && strcmp(p->type, "mesh") == 0) {
        p->type = "hull";
    }
}

// A link with nothing to see shows what touches.
static void read_shapes(urdf *u, const urdf_link *l)
{
    int first = u->s->n_shape;
    bool is_seen = false;
    for (const xml_element *e = l->element->first; e; e = e->next) {
        if (strcmp(e->name, "visual") == 0 || strcmp(e->name, "collision") == 0) {
            read_shape(u, e, l);
            is_seen = is_seen || strcmp(e->name, "visual") == 0;
        } else if (strcmp(e->name, "inertial") != 0) {
            scene_leave(u->s, e, NULL, NULL);
        }
    }
    for (int k = first; k < u->s->n_shape && !is_seen; k++) {
        u->s->shape[k].is_hidden = strcmp(u->s->shape[k].type, "hull") == 0;
    }
}

// ---- joints ----------------------------------------------------------------------------------------------------

// A limit is a stop that takes the joint's effort within this far beyond it, rad or m; the file says no stiffness.
static const double stop_depth[2] = { 0.01, 0.001 };

static void read_limit(urdf *u, const urdf_joint *j, scene_joint *to)
{
    const xml_element *e = xml_child(j->element->first, "limit");
    bool is_prismatic = strcmp(j->type, "prismatic") == 0,
         is_range = is_prismatic || strcmp(j->type, "revolute") == 0;
    if (!e) {
        if (is_range) {
            scene_tell(u->s, BI_NOTE, j->element, "has no limit, which its type wants: it moves freely");
        }
        return;
    }
    double effort = scene_number(u->s, e, "effort", 0.0);
    to->lower = scene_number(u->s, e, "lower", 0.0);
    to->upper = scene_number(u->s, e, "upper", 0.0);
    (void)scene_number(u->s, e, "velocity", 0.0);
    to->stop_stiffness = effort / stop_depth[is_prismatic];
    // as much damping as turns the joint back without a second blow, at the time scale of a hundredth of a second
    to->stop_damping = 0.01 * to->stop_stiffness;
    to->is_limited = is_range && (xml_get(e, "lower") || xml_get(e, "upper")) && to->lower < to->upper;
    if (!(to->stop_stiffness > 0.0) || !isfinite(to->stop_stiffness)) {
        to->stop_stiffness = 0.0;
    }
    if (is_range && to->lower > to->upper) {
        scene_tell(u->s, BI_ERROR, e, "of joint %.80s: lower %g is above upper %g", j->name, to->lower,
                   to->upper);
    } else if (is_range && !to->is_limited) {
        scene_tell(u->s, BI_NOTE, e, "of joint %.80s: left out (lower %g, upper %g)", j->name, to->lower,
                   to->upper);
    }
}

static void read_dynamics(urdf *u, const urdf_joint *j, scene_joint *to)
{
    const xml_element *e = xml_child(j->element->first, "dynamics");
    to->damping = e ? scene_number(u->s, e, "damping", 0.0) : 0.0;
    to->friction = e ? scene_number(u->s, e, "friction", 0.0) : 0.0;
    if (to->damping < 0.0 || to->friction < 0.0) {
        scene_tell(u->s, BI_ERROR, e, "of joint %.80s: damping and friction must not be negative", j->name);
    }
}

static const char *type_of(const char *type)
{
    static const char *const types[][2] = { { "revolute", "revolute" },   { "continuous", "revolute" },
                                            { "prismatic", "prismatic" }, { "fixed", "fixed" },
                                            { "floating", "free" },       { "planar", "planar" } };
    for (size_t k = 0; type && k < sizeof types / sizeof *types; k++) {
        if (strcmp(type, types[k][0]) == 0) {
            return types[k][1];
        }
    }
    return NULL;
}

static void list_others(urdf *u, const urdf_joint *j)
{
    static const char *const used[] = { "origin", "axis", "parent", "child", "dynamics", "limit", "mimic" };
    refuse_second(u, j->element, used, sizeof used / sizeof *used);
    for (const xml_element *e = j->element->first; e; e = e->next) {
        bool is_used = false;
        for (size_t k = 0; k < sizeof used / sizeof *used; k++) {
            is_used = is_used || strcmp(e->name, used[k]) == 0;
        }
        if (!is_used) {
            scene_tell(u->s, BI_NOTE, e, "of joint %.80s: left out", j->name);
        }
    }
}

static int add_link(urdf *u, urdf_link *l, int parent, const frame *at)
{
    scene_body *b = scene_add_body(u->s, l->element, l->name, parent);
    static const char *const once[] = { "inertial" };
    if (!b) {
        return -1;
    }
    b->at = *at;
    l->body = u->s->n_body - 1;
    const xml_element *inertial = xml_child(l->element->first, "inertial");
    refuse_second(u, l->element, once, 1);
    if (inertial) {
        read_inertial(u, l, inertial, b);
    }
    read_shapes(u, l);
    return l->body;
}

// A joint and the link behind it.
static void place_child(urdf *u, urdf_joint *j)
{
    urdf_link *child = &u->link[j->child];
    scene *s = u->s;
    int parent = u->link[j->parent].body;
    frame at = read_origin(u, j->element, &s->body[parent].at);
    const char *type = type_of(j->type);
    int body = add_link(u, child, parent, &at);
    if (!type) {
        scene_tell(s, BI_ERROR, j->element,
                   "joints of type '%.40s' cannot be imported; there are revolute, continuous, prismatic, "
                   "planar, fixed "
                   "and floating",
                   j->type ? j->type : "");
    }
    const xml_element *e = xml_child(j->element->first, "axis");
    bi_vec3 axis = { 1.0, 0.0, 0.0 };
    axis = e ? scene_vector(s, e, "xyz", axis) : axis;
    list_others(u, j);
    if (body < 0 || !type || !scene_is_direction(s, j->element, &axis)) {
        return;
    }
    // what is fixed is joined later, where it is not a part of the other
    s->body[body].is_joined = strcmp(type, "fixed") != 0;
    s->body[body].is_free = strcmp(type, "free") == 0;
    if (strcmp(type, "fixed") == 0) {
        return;
    }
    scene_joint *to = scene_add_joint(s, j->element, j->name, type, parent, body);
    if (!to) {
        return;
    }
    j->joint = s->n_joint - 1;
    to->address = -1;
    to->at = at.pos;
    to->axis = turned(&at.rot, axis);
    read_limit(u, j, to);
    read_dynamics(u, j, to);
}

// From the root outwards; the order of the file may be any.
static void place(urdf *u)
{
    frame ground = { { 0 }, no_rotation };
    urdf_link *root = &u->link[u->first];
    if (add_link(u, root, 0, &ground) < 0) {
        return;
    }
    bool floats = u->s->options->floating && strcmp(root->name, "world") != 0;
    u->s->body[root->body].is_joined = u->s->body[root->body].is_free = floats;
    bool has_moved = true;
    while (has_moved) {
        has_moved = false;
        for (int k = 0; k < u->n_joint; k++) {
            urdf_joint *j = &u->joint[k];
            if (u->link[j->parent].body >= 0 && u->link[j->child].body < 0) {
                place_child(u, j);
                has_moved = u->link[j->child].body >= 0;
            }
        }
    }
    for (int k = 0; k < u->n_link; k++) {
        if (u->link[k].body < 0) {
            scene_tell(u->s, BI_ERROR, u->link[k].element,
                       "does not hang on the root: its joints make a circle");
        }
    }
}

// ---- what follows and what is driven ---------------------------------------------------------------------------

static int find_joint(urdf *u, const xml_element *e, const char *name)
{
    for (int k = 0; name && k < u->n_joint; k++) {
        if (strcmp(u->joint[k].name, name) == 0) {
            return k;
        }
    }
    scene_tell(u->s, BI_ERROR, e, "there is no joint '%.80s'", name ? name : "");
    return -1;
}

static const char *coordinate_of(const scene_joint *j)
{
    return strcmp(j->type, "prismatic") == 0 ? "position" : "angle";
}

static void read_mimic(urdf *u, const urdf_joint *j, const xml_element *e)
{
    int k = find_joint(u, e, xml_get(e, "joint"));
    double factor = scene_number(u->s, e, "multiplier", 1.0), offset = scene_number(u->s, e, "offset", 0.0);
    if (k < 0 || j->joint < 0 || scene_without(u->s, BI_WITHOUT_CONSTRAINTS)) {
        return;
    }
    if (u->joint[k].joint < 0 || &u->joint[k] == j) {
        scene_tell(u->s, BI_ERROR, e, "joint %.80s cannot follow '%.80s', which does not move", j->name,
                   u->joint[k].name);
        return;
    }
    const scene_joint *own = &u->s->joint[j->joint], *other = &u->s->joint[u->joint[k].joint];
    char x[32], y[32];
    fprintf(u->s->line[LINES_CONSTRAINTS],
            "  %s_mimic: {type: gear, a: %s.%s, b: %s.%s, ratio: %s, offset: %s}\n", own->called,
            other->called, coordinate_of(other), own->called, coordinate_of(own), number_text(x, factor),
            number_text(y, offset));
}

// A transmission names a joint and what commands it.
static const xml_element *find_transmission(const urdf *u, const char *name, bool *is_any)
{
    const xml_element *found = NULL;
    for (const xml_element *e = u->root->first; e; e = e->next) {
        const xml_element *j = strcmp(e->name, "transmission") == 0 ? xml_child(e->first, "joint") : NULL;
        *is_any = *is_any || j;
        if (j && xml_get(j, "name") && strcmp(xml_get(j, "name"), name) == 0) {
            found = e;
        }
    }
    return found;
}

static scene_drive_kind kind_of(const xml_element *transmission, const urdf_joint *j)
{
    const xml_element *own = transmission ? xml_child(transmission->first, "joint") : NULL,
                      *face = own ? xml_child(own->first, "hardwareInterface") : NULL;
    if (face && face->text && strstr(face->text, "Effort")) {
        return DRIVE_EFFORT;
    }
    if (face && face->text && strstr(face->text, "Velocity")) {
        return DRIVE_SPEED;
    }
    return j->type && strcmp(j->type, "continuous") == 0 && !(face && face->text) ? DRIVE_SPEED : DRIVE_PLACE;
}

static void drive(urdf *u)
{
    for (const xml_element *e = u->root->first; e; e = e->next) {
        const xml_element *j = strcmp(e->name, "transmission") == 0 ? xml_child(e->first, "joint") : NULL;
        if (j) {
            (void)find_joint(u, j, xml_get(j, "name"));
        }
        const xml_element *motor = j ? xml_child(e->first, "actuator") : NULL;
        if (motor && xml_child(motor->first, "mechanicalReduction")) {
            scene_leave(u->s, xml_child(motor->first, "mechanicalReduction"), NULL,
                        "inputs count at the joint");
        }
    }
    for (int k = 0; k < u->n_joint; k++) {
        const urdf_joint *j = &u->joint[k];
        const xml_element *mimic = xml_child(j->element->first, "mimic"),
                          *limit = xml_child(j->element->first, "limit");
        if (mimic) {
            read_mimic(u, j, mimic);
        }
        bool is_any = false;
        const xml_element *transmission = find_transmission(u, j->name, &is_any);
        bool is_free = mimic && !scene_without(u->s, BI_WITHOUT_CONSTRAINTS);
        if (j->joint < 0 || is_free || (is_any && !transmission)) {
            continue;
        }
        double effort = limit ? scene_number(u->s, limit, "effort", 0.0) : 0.0,
               speed = limit ? scene_number(u->s, limit, "velocity", 0.0) : 0.0;
        scene_drive(u->s, &u->s->joint[j->joint], kind_of(transmission, j), effort, speed);
    }
}

void urdf_read(scene *s, const xml_element *root)
{
    urdf u = { .s = s, .root = root };
    int errors = s->report->errors;
    s->name = xml_get(root, "name");
    s->filters_static = true;
    for (int k = 0; k < root->n_attribute; k++) {
        if (strncmp(root->key[k], "xmlns:xacro", 11) == 0) {
            scene_tell(s, BI_NOTE, root, "is written for xacro: import the file that xacro makes of it");
        }
    }
    if (!collect(&u)) {
        scene_tell(s, BI_ERROR, root, "out of memory");
    } else {
        connect(&u);
        if (u.first < 0) {
            scene_tell(s, BI_ERROR, root,
                       u.n_link > 0 ? "has no root: every link is a child" : "has no links");
        }
        if (s->report->errors == errors) {
            place(&u);
        }
        if (s->report->errors == errors) {
            scene_find_carried(s);
            drive(&u);
        }
    }
    name_set_clear(&u.links);
    free(u.link);
    free(u.joint);
}
