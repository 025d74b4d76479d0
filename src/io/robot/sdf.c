// SPDX-License-Identifier: MIT
// SDF: worlds and models with links, frames and joints; what poses are relative to; files inside files.
#include "io/robot/sdf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_ITEMS = 100000, MOST_INCLUDES = 500, DEEPEST = 30 };

// ---- items -----------------------------------------------------------------------------------------------------

static int add_item(sdf *d, const xml_element *e, sdf_kind kind, const char *name, int model)
{
    char whole[400];
    if (model >= 0) {
        snprintf(whole, sizeof whole, "%.280s::%.100s", d->item[model].name, name);
    } else {
        snprintf(whole, sizeof whole, "%.380s", name);
    }
    if (d->n_item == d->cap_item) {
        int more = d->cap_item ? 2 * d->cap_item : 32;
        sdf_item *all = d->n_item < MOST_ITEMS ? realloc(d->item, (size_t)more * sizeof *all) : NULL;
        if (!all) {
            scene_tell(d->s, BI_ERROR, e, "too many models, links and joints");
            return -1;
        }
        d->item = all;
        d->cap_item = more;
    }
    const char *kept = blocks_text(&d->s->memory, whole, strlen(whole));
    if (!kept || name_set_add(&d->names, kept, e->line) < 0) {
        scene_tell(d->s, BI_ERROR, e, "there are two of the name '%.200s'", whole);
        return -1;
    }
    d->item[d->n_item] = (sdf_item){ .element = e,
                                     .kind = kind,
                                     .name = kept,
                                     .model = model,
                                     .pose = xml_child(e->first, "pose"),
                                     .body = -1,
                                     .link = -1,
                                     .lead = -1 };
    return d->n_item++;
}

// An item by its name, as seen from a model; -1: none, -2: the world.
static int find_item(const sdf *d, int model, const char *name)
{
    char whole[400];
    if (strcmp(name, "world") == 0) {
        return -2;
    }
    if (strcmp(name, "__model__") == 0) {
        return model >= 0 ? model : -2;
    }
    if (model >= 0) {
        snprintf(whole, sizeof whole, "%.280s::%.100s", d->item[model].name, name);
        return name_set_find(&d->names, whole);
    }
    return name_set_find(&d->names, name);
}

// A name in a text, without blanks around it.
static const char *word_of(sdf *d, const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1])) {
        length--;
    }
    const char *kept = blocks_text(&d->s->memory, text, length);
    return kept ? kept : text;
}

// ---- collecting ------------------------------------------------------------------------------------------------

typedef struct including including;
struct including {
    const char *path;
    const including *outer;
};

static void collect_model(sdf *d, const xml_element *e, int outer, const including *chain, int depth,
                          const xml_element *include);

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void collect_include(sdf *d, const xml_element *e, int outer, const including *chain, int depth)
{
    const char *uri = sdf_text(e, "uri");
    if (!uri) {
        scene_tell(d->s, BI_ERROR, e, "needs 'uri'");
        return;
    }
    const char *path = scene_uri(d->s, e, uri);
    if (is_folder(path)) {
        const xml_element here = { .path = "" };
        path = scene_beside(d->s, &here, path, "model.sdf");
    }
    for (const including *k = chain; k; k = k->outer) {
        if (strcmp(k->path, path) == 0) {
            scene_tell(d->s, BI_ERROR, e, "%.200s includes itself", path);
            return;
        }
    }
    if (depth >= DEEPEST || ++d->n_include > MOST_INCLUDES) {
        scene_tell(d->s, BI_ERROR, e, "more than %d files inside each other, or more than %d in all", DEEPEST,
                   MOST_INCLUDES);
        return;
    }
    const xml_element *root = scene_open(d->s, path, e),
                      *model = root ? xml_child(root->first, "model") : NULL;
    if (root && !model) {
        scene_tell(d->s, BI_ERROR, e, "%.200s has no model", path);
    }
    if (model) {
        collect_model(d, model, outer, &(including){ path, chain }, depth + 1, e);
    }
}

// What stands in a model or a world.
static void collect(sdf *d, const xml_element *outer, int model, const including *chain, int depth)
{
    static const char quiet[] =
        " pose static self_collide allow_auto_disable enable_wind name gravity physics scene light gui "
        "magnetic_field atmosphere spherical_coordinates wind audio state ";
    for (const xml_element *e = outer->first; e; e = e->next) {
        const char *name = xml_get(e, "name");
        bool is_link = strcmp(e->name, "link") == 0, is_joint = strcmp(e->name, "joint") == 0,
             is_frame = strcmp(e->name, "frame") == 0;
        char word[80];
        snprintf(word, sizeof word, " %.70s ", e->name);
        if (strcmp(e->name, "model") == 0) {
            collect_model(d, e, model, chain, depth + 1, NULL);
        } else if (strcmp(e->name, "include") == 0) {
            collect_include(d, e, model, chain, depth);
        } else if ((is_link || is_joint || is_frame) && (!name || !name[0])) {
            scene_tell(d->s, BI_ERROR, e, "needs a name");
        } else if (is_link || is_joint || is_frame) {
            (void)add_item(d, e, is_link ? SDF_LINK : is_joint ? SDF_JOINT : SDF_FRAME, name, model);
        } else if (!strstr(quiet, word)) {
            scene_leave(d->s, e, NULL, NULL);
        }
    }
}

static void collect_model(sdf *d, const xml_element *e, int outer, const including *chain, int depth,
                          const xml_element *include)
{
    const char *given = include ? sdf_text(include, "name") : NULL,
               *name = given ? word_of(d, given) : xml_get(e, "name");
    if (depth > DEEPEST) {
        scene_tell(d->s, BI_ERROR, e, "models are nested more than %d deep", DEEPEST);
        return;
    }
    if (!name || !name[0]) {
        scene_tell(d->s, BI_ERROR, e, "needs a name");
        return;
    }
    int k = add_item(d, e, SDF_MODEL, name, outer);
    if (k < 0) {
        return;
    }
    const char *fixed = sdf_text(e, "static"), *also = include ? sdf_text(include, "static") : NULL;
    fixed = also ? also : fixed;
    d->item[k].is_static = (fixed && (strncmp(fixed, "true", 4) == 0 || fixed[0] == '1')) ||
                           (outer >= 0 && d->item[outer].is_static);
    if (include && xml_child(include->first, "pose")) {
        d->item[k].pose = xml_child(include->first, "pose");
    }
    if (xml_get(e, "placement_frame")) {
        scene_leave(d->s, e, "placement_frame", NULL);
    }
    collect(d, e, k, chain, depth);
}

// ---- poses -----------------------------------------------------------------------------------------------------

static bool place(sdf *d, int k);

// The frame that a name means, as seen from a model. False: a mistake was told.
static bool frame_of(sdf *d, const xml_element *e, int model, const char *name, frame *at)
{
    int k = find_item(d, model, name);
    if (k == -1) {
        scene_tell(d->s, BI_ERROR, e, "there is no frame '%.100s'", name);
        return false;
    }
    *at = (frame){ { 0 }, no_rotation };
    if (k >= 0) {
        if (!place(d, k)) {
            return false;
        }
        *at = d->item[k].at;
    }
    return true;
}

// Where an item is, by what its pose is relative to. False: a mistake was told.
static bool place(sdf *d, int k)
{
    sdf_item *i = &d->item[k];
    if (i->state == 2) {
        return true;
    }
    if (i->state == 1) {
        scene_tell(d->s, BI_ERROR, i->element, "its pose is relative to itself, through others");
        return false;
    }
    i->state = 1;
    const char *name = i->pose ? xml_get(i->pose, "relative_to") : NULL;
    if ((!name || !name[0]) && i->kind == SDF_FRAME) {
        name = xml_get(i->element, "attached_to");
    }
    if ((!name || !name[0]) && i->kind == SDF_JOINT) {
        const char *child = sdf_text(i->element, "child");
        name = child ? word_of(d, child) : NULL;
    }
    frame own = sdf_pose(d, i->pose), outer = { { 0 }, no_rotation };
    bool is_good = true;
    if (name && name[0]) {
        is_good = frame_of(d, i->element, i->model, name, &outer);
    } else if (i->model >= 0) {
        is_good = place(d, i->model);
        outer = d->item[i->model].at;
    }
    i->at = frame_in(&outer, &own);
    i->state = is_good ? 2 : 0;
    return is_good;
}

// The link that a name stands for: itself, what a frame is fixed to, the first link of a model. -2: the world, -1: told.
static int link_of(sdf *d, const xml_element *e, int model, const char *name, int depth)
{
    int k = find_item(d, model, name);
    if (k == -1 || depth > DEEPEST) {
        scene_tell(d->s, BI_ERROR, e, "there is no link '%.100s'", name);
        return -1;
    }
    if (k == -2) {
        return -2;
    }
    const sdf_item *i = &d->item[k];
    if (i->kind == SDF_LINK) {
        return k;
    }
    if (i->kind == SDF_FRAME && xml_get(i->element, "attached_to")) {
        return link_of(d, e, i->model, xml_get(i->element, "attached_to"), depth + 1);
    }
    int of = i->kind == SDF_MODEL ? k : i->model;
    for (int l = 0; l < d->n_item; l++) {
        if (d->item[l].kind == SDF_LINK && d->item[l].model == of) {
            return l;
        }
    }
    return of < 0 ? -2 : -1;
}

// ---- links -----------------------------------------------------------------------------------------------------

static void read_inertial(sdf *d, const sdf_item *i, scene_body *b)
{
    static const char *const keys[6] = { "ixx", "iyy", "izz", "ixy", "iyz", "ixz" };
    const xml_element *e = xml_child(i->element->first, "inertial"),
                      *inertia = e ? xml_child(e->first, "inertia") : NULL;
    double own[6];
    frame inner = sdf_pose(d, e ? xml_child(e->first, "pose") : NULL), at = frame_in(&i->at, &inner);
    // the standard's default is a kilogram with moments of one
    b->mass = e ? sdf_number(d, e, "mass", 1.0) : 1.0;
    for (int k = 0; k < 6; k++) {
        double otherwise = k < 3 ? 1.0 : 0.0;
        own[k] = inertia ? sdf_number(d, inertia, keys[k], otherwise) : otherwise;
    }
    b->com = difference(at.pos, i->at.pos);
    inertia_turned(&at.rot, own, b->inertia);
    scene_check_body(d->s, b, e ? e : i->element);
}

static const char *plain_name(const sdf_item *i)
{
    const char *last = strrchr(i->name, ':');
    return last ? last + 1 : i->name;
}

// A link and, before it, those that carry it.
static void add_link(sdf *d, int k, int depth)
{
    sdf_item *i = &d->item[k];
    if (i->body >= 0 || depth > 2000) {
        return;
    }
    int parent = 0;
    if (i->lead >= 0) {
        int up = d->item[i->lead].link;
        if (up >= 0) {
            add_link(d, up, depth + 1);
            parent = d->item[up].body;
        }
    }
    bool is_static = i->model >= 0 && d->item[i->model].is_static;
    scene_body *b = parent >= 0 ? scene_add_body(d->s, i->element, plain_name(i), parent) : NULL;
    if (!b) {
        return;
    }
    i->body = d->s->n_body - 1;
    b->at = i->at;
    b->is_free = !is_static && i->lead < 0;
    const char *type = i->lead >= 0 ? xml_get(d->item[i->lead].element, "type") : NULL;
    b->is_joined = !is_static && (i->lead < 0 || !type || strcmp(type, "fixed") != 0);
    if (!is_static) {
        read_inertial(d, i, b);
    }
    sdf_read_shapes(d, i->element, i->body, &i->at);
}

// ---- joints ----------------------------------------------------------------------------------------------------

static const char *type_of(const char *type)
{
    static const char *const types[][2] = { { "revolute", "revolute" },   { "continuous", "revolute" },
                                            { "prismatic", "prismatic" }, { "fixed", "fixed" },
                                            { "ball", "spherical" },      { "universal", "universal" },
                                            { "screw", "screw" } };
    for (size_t k = 0; type && k < sizeof types / sizeof *types; k++) {
        if (strcmp(type, types[k][0]) == 0) {
            return types[k][1];
        }
    }
    return NULL;
}

static bi_vec3 read_axis(sdf *d, const sdf_item *i, const xml_element *axis)
{
    double v[3] = { 0.0, 0.0, 1.0 };
    const char *text = axis ? sdf_text(axis, "xyz") : NULL;
    const xml_element *xyz = text ? xml_child(axis->first, "xyz") : NULL;
    const char *in = xyz ? xml_get(xyz, "expressed_in") : NULL;
    frame at = i->at;
    if (text) {
        (void)scene_numbers(d->s, xyz, NULL, text, 3, 3, v);
    }
    if (in && in[0]) {
        (void)frame_of(d, xyz, i->model, in, &at);
    } else if (axis && sdf_text(axis, "use_parent_model_frame") &&
               sdf_text(axis, "use_parent_model_frame")[0] != '0' &&
               sdf_text(axis, "use_parent_model_frame")[0] != 'f' && i->model >= 0) {
        at = d->item[i->model].at;
    }
    bi_vec3 along = { v[0], v[1], v[2] };
    return scene_is_direction(d->s, xyz ? xyz : i->element, &along) ? turned(&at.rot, along) : along;
}

static void read_limits(sdf *d, const xml_element *axis, scene_joint *j, double *effort, double *speed)
{
    const xml_element *limit = axis ? xml_child(axis->first, "limit") : NULL,
                      *dynamics = axis ? xml_child(axis->first, "dynamics") : NULL;
    double lower = limit ? sdf_number(d, limit, "lower", -1e16) : -1e16,
           upper = limit ? sdf_number(d, limit, "upper", 1e16) : 1e16;
    *effort = limit ? sdf_number(d, limit, "effort", -1.0) : -1.0;
    *speed = limit ? sdf_number(d, limit, "velocity", -1.0) : -1.0;
    j->is_limited = lower > -1e15 && upper < 1e15 && lower < upper;
    j->lower = lower;
    j->upper = upper;
    if (dynamics) {
        j->damping = sdf_number(d, dynamics, "damping", 0.0);
        j->friction = sdf_number(d, dynamics, "friction", 0.0);
        j->stiffness = sdf_number(d, dynamics, "spring_stiffness", 0.0);
        j->rest = sdf_number(d, dynamics, "spring_reference", 0.0);
    }
    if (j->damping < 0.0 || j->friction < 0.0 || j->stiffness < 0.0) {
        scene_tell(d->s, BI_ERROR, dynamics, "damping, friction and stiffness must not be negative");
    }
}

// What joins what; the first joint that has a link for its child holds it in the tree.
static bool connect(sdf *d, int k)
{
    sdf_item *i = &d->item[k];
    const char *parent = sdf_text(i->element, "parent"), *child = sdf_text(i->element, "child");
    if (!parent || !child) {
        scene_tell(d->s, BI_ERROR, i->element, "needs 'parent' and 'child'");
        return false;
    }
    int a = link_of(d, i->element, i->model, word_of(d, parent), 0),
        b = link_of(d, i->element, i->model, word_of(d, child), 0);
    if (a == -1 || b < 0 || a == b) {
        if (b == -2 || a == b) {
            scene_tell(d->s, BI_ERROR, i->element,
                       a == b ? "joins a link to itself" : "the world cannot be a child");
        }
        return false;
    }
    i->link = a;
    i->body = b; // until bodies are there: the child link
    // a circle of joints is closed by the last one
    int up = a;
    for (int n = 0; up >= 0 && up != b && n <= d->n_item; n++) {
        up = d->item[up].lead >= 0 ? d->item[d->item[up].lead].link : -2;
    }
    if (d->item[b].lead < 0 && up != b) {
        d->item[b].lead = k;
    }
    return true;
}

static void add_joint(sdf *d, int k)
{
    sdf_item *i = &d->item[k];
    scene *s = d->s;
    const char *type = type_of(xml_get(i->element, "type"));
    if (!type) {
        scene_tell(s, BI_ERROR, i->element,
                   "joints of type '%.40s' cannot be imported; there are revolute, continuous, prismatic, "
                   "fixed, ball, universal and screw",
                   xml_get(i->element, "type") ? xml_get(i->element, "type") : "");
        return;
    }
    int a = i->link >= 0 ? d->item[i->link].body : 0, child = i->body, b = d->item[child].body;
    bool is_lead = d->item[child].lead == k, is_fixed = strcmp(type, "fixed") == 0;
    if (a < 0 || b < 0 || (is_fixed && is_lead)) {
        return;
    }
    scene_joint *j = scene_add_joint(s, i->element, plain_name(i), type, a, b);
    if (!j) {
        return;
    }
    const xml_element *axis = xml_child(i->element->first, "axis"),
                      *second = xml_child(i->element->first, "axis2");
    double effort = 0.0, speed = 0.0;
    j->address = -1;
    j->is_loop = !is_lead;
    j->at = i->at.pos;
    if (!is_fixed && strcmp(type, "spherical") != 0) {
        j->axis = read_axis(d, i, axis);
    }
    if (strcmp(type, "universal") == 0) {
        j->axis_b = read_axis(d, i, second);
    }
    if (strcmp(type, "screw") == 0) {
        // metres per turn; the older key is radians per metre, with the sign of a left-handed thread
        double old = sdf_number(d, i->element, "thread_pitch", 1.0);
        j->pitch = sdf_number(d, i->element, "screw_thread_pitch",
                              old != 0.0 ? -2.0 * 3.14159265358979323846 / old : 1.0);
    }
    read_limits(d, axis, j, &effort, &speed);
    for (const xml_element *e = i->element->first; e; e = e->next) {
        static const char known[] = " parent child pose axis axis2 thread_pitch screw_thread_pitch ";
        char word[80];
        snprintf(word, sizeof word, " %.70s ", e->name);
        if (!strstr(known, word)) {
            scene_leave(s, e, NULL, "of a joint");
        }
    }
}

static void drive_joints(sdf *d)
{
    scene_find_carried(d->s);
    for (int k = 0; k < d->s->n_joint; k++) {
        const scene_joint *j = &d->s->joint[k];
        const xml_element *axis = xml_child(j->element->first, "axis"),
                          *limit = axis ? xml_child(axis->first, "limit") : NULL;
        double effort = limit ? sdf_number(d, limit, "effort", -1.0) : -1.0,
               speed = limit ? sdf_number(d, limit, "velocity", -1.0) : -1.0;
        if (!j->is_loop) {
            scene_drive(d->s, j, j->is_limited ? DRIVE_PLACE : DRIVE_SPEED, effort > 1e15 ? 0.0 : effort,
                        speed > 1e15 ? 0.0 : speed);
        }
    }
}

// ---- the whole -------------------------------------------------------------------------------------------------

static void read_items(sdf *d)
{
    int errors = d->s->report->errors;
    for (int k = 0; k < d->n_item; k++) {
        (void)place(d, k);
    }
    for (int k = 0; k < d->n_item; k++) {
        if (d->item[k].kind == SDF_JOINT) {
            (void)connect(d, k);
        }
    }
    if (d->s->report->errors > errors) {
        return;
    }
    for (int k = 0; k < d->n_item; k++) {
        if (d->item[k].kind == SDF_LINK) {
            add_link(d, k, 0);
        }
    }
    for (int k = 0; k < d->n_item; k++) {
        if (d->item[k].kind == SDF_JOINT && !(d->item[k].model >= 0 && d->item[d->item[k].model].is_static)) {
            add_joint(d, k);
        }
    }
    if (d->s->report->errors == errors) {
        drive_joints(d);
    }
}

void sdf_read(scene *s, xml_element *root)
{
    sdf d = { .s = s };
    const including first = { s->path, NULL };
    s->filters_static = true;
    s->gravity = (bi_vec3){ 0.0, 0.0, -9.8 };
    for (const xml_element *e = root->first; e; e = e->next) {
        if (strcmp(e->name, "world") == 0) {
            const char *text = sdf_text(e, "gravity");
            double v[3];
            if (text && scene_numbers(s, xml_child(e->first, "gravity"), NULL, text, 3, 3, v) == 3) {
                s->gravity = (bi_vec3){ v[0], v[1], v[2] };
            }
            s->name = xml_get(e, "name");
            collect(&d, e, -1, &first, 0);
        } else if (strcmp(e->name, "model") == 0) {
            s->name = s->name ? s->name : xml_get(e, "name");
            collect_model(&d, e, -1, &first, 0, NULL);
        } else {
            scene_leave(s, e, NULL, NULL);
        }
    }
    if (d.n_item == 0 && s->report->errors == 0) {
        scene_tell(s, BI_ERROR, root, "has no model");
    }
    read_items(&d);
    name_set_clear(&d.names);
    free(d.item);
}
