// SPDX-License-Identifier: MIT
// URDF robots as model files. Every body frame stands at its link's origin, parallel to the ground axes when all joints
// are at zero: so the joint coordinates are those of the robot, and points and axes are plain ground vectors.
#include "io/robot/urdf.h"
#include "io/model/reader.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- messages --------------------------------------------------------------------------------------------------

__attribute__((format(printf, 4, 5))) static void tell(robot *r, bi_severity severity, const xml_element *at,
                                                       const char *format, ...)
{
    char what[400], where[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const char *name = xml_get(at, "name");
    snprintf(where, sizeof where, "%.60s%s%.100s", at->name, name ? " " : "", name ? name : "");
    bi_report_add(r->report, severity, severity == BI_ERROR ? BI_BAD_MODEL : BI_OK,
                  (bi_place){ r->path, at->line, 1 }, where, "%s", what);
}

// ---- numbers ---------------------------------------------------------------------------------------------------

// `count` numbers of an attribute; what is not given stays. False: a mistake was reported.
static bool read_numbers(robot *r, const xml_element *e, const char *key, int count, double *value)
{
    const char *text = xml_get(e, key);
    for (int k = 0; text && k < count; k++) {
        char *end;
        double x = strtod(text, &end);
        if (end == text || !isfinite(x)) {
            tell(r, BI_ERROR, e, "%s=\"%.60s\" must have %d numbers", key, xml_get(e, key), count);
            return false;
        }
        value[k] = x;
        text = end;
    }
    if (text && text[strspn(text, " \t\r\n")]) {
        tell(r, BI_ERROR, e, "%s=\"%.60s\" must have %d number%s and nothing else", key, xml_get(e, key),
             count, count > 1 ? "s" : "");
        return false;
    }
    return true;
}

// A number that must be there.
static bool need_number(robot *r, const xml_element *e, const char *key, double *value)
{
    if (!xml_get(e, key)) {
        tell(r, BI_ERROR, e, "needs %s", key);
        return false;
    }
    return read_numbers(r, e, key, 1, value);
}

// Of two elements where there is one, nobody knows which counts.
static void refuse_second(robot *r, const xml_element *outer, const char *const *names, size_t count)
{
    for (const xml_element *e = outer->first; e; e = e->next) {
        for (size_t k = 0; k < count; k++) {
            if (strcmp(e->name, names[k]) == 0 && xml_child(e->next, e->name)) {
                tell(r, BI_ERROR, xml_child(e->next, e->name), "a second '%s', after that of line %d",
                     e->name, e->line);
                return;
            }
        }
    }
}

static bi_vec3 read_vector(robot *r, const xml_element *e, const char *key, bi_vec3 otherwise)
{
    double x[3] = { otherwise.x, otherwise.y, otherwise.z };
    return e && read_numbers(r, e, key, 3, x) ? (bi_vec3){ x[0], x[1], x[2] } : otherwise;
}

static rotation product(const rotation *a, const rotation *b)
{
    rotation c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
    return c;
}

static bi_vec3 turned(const rotation *a, bi_vec3 v)
{
    return (bi_vec3){ a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z };
}

// roll, pitch, yaw about the fixed x, y, z: Rz Ry Rx
static rotation of_angles(bi_vec3 rpy)
{
    double cr = cos(rpy.x), sr = sin(rpy.x), cp = cos(rpy.y), sp = sin(rpy.y), cy = cos(rpy.z),
           sy = sin(rpy.z);
    return (rotation){ { { cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr },
                         { sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr },
                         { -sp, cp * sr, cp * cr } } };
}

// `origin` of an element, inside `outer`.
static frame read_origin(robot *r, const xml_element *e, const frame *outer)
{
    const xml_element *origin = xml_child(e->first, "origin");
    bi_vec3 xyz = read_vector(r, origin, "xyz", (bi_vec3){ 0 }),
            rpy = read_vector(r, origin, "rpy", (bi_vec3){ 0 });
    rotation own = of_angles(rpy);
    bi_vec3 d = turned(&outer->rot, xyz);
    return (frame){ { outer->pos.x + d.x, outer->pos.y + d.y, outer->pos.z + d.z },
                    product(&outer->rot, &own) };
}

// ---- names -----------------------------------------------------------------------------------------------------

// A name of the model for one of the robot: letters, digits and '_', not used yet.
static const char *call(robot *r, const xml_element *e, const char *name)
{
    size_t length = strlen(name);
    char *called = blocks_new(&r->memory, length + 16);
    if (!called) {
        return name;
    }
    for (size_t k = 0; k < length; k++) {
        char c = name[k];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        called[k] = is_plain ? c : '_';
    }
    for (int k = 2; name_set_add(&r->called, called, 1) < 0 && k < 100000; k++) {
        snprintf(called + length, 16, "_%d", k);
    }
    if (strcmp(called, name) != 0) {
        tell(r, BI_NOTE, e, "is called %s in the model", called);
    }
    return called;
}

static int find_link(const robot *r, const char *name) { return name ? name_set_find(&r->links, name) : -1; }

// ---- the tree --------------------------------------------------------------------------------------------------

// Links and joints in order. False: no memory.
static bool collect(robot *r, const xml_element *root)
{
    int n_link = 0, n_joint = 0;
    for (const xml_element *e = root->first; e; e = e->next) {
        n_link += strcmp(e->name, "link") == 0;
        n_joint += strcmp(e->name, "joint") == 0;
    }
    r->link = calloc((size_t)n_link + 1, sizeof *r->link);
    r->joint = calloc((size_t)n_joint + 1, sizeof *r->joint);
    if (!r->link || !r->joint) {
        return false;
    }
    for (const xml_element *e = root->first; e; e = e->next) {
        const char *name = xml_get(e, "name");
        bool is_link = strcmp(e->name, "link") == 0, is_joint = strcmp(e->name, "joint") == 0;
        if (!is_link && !is_joint) {
            tell(r, BI_NOTE, e, "left out");
        } else if (!name || !name[0]) {
            tell(r, BI_ERROR, e, "needs a name");
        } else if (is_link && find_link(r, name) >= 0) {
            tell(r, BI_ERROR, e, "there are two links of this name");
        } else if (is_link) {
            if (name_set_add(&r->links, name, e->line) < 0) {
                return false;
            }
            r->link[r->n_link++] = (link){ .element = e, .name = name, .parent = -1 };
        } else {
            r->joint[r->n_joint++] = (joint){ .element = e, .name = name, .type = xml_get(e, "type") };
        }
    }
    return true;
}

static int linked(robot *r, const joint *j, const char *key)
{
    const xml_element *e = xml_child(j->element->first, key);
    const char *name = e ? xml_get(e, "link") : NULL;
    int k = find_link(r, name);
    if (k < 0) {
        tell(r, BI_ERROR, e ? e : j->element, "joint %.80s: there is no link '%.80s' for its %s", j->name,
             name ? name : "", key);
    }
    return k;
}

static void connect(robot *r)
{
    for (int k = 0; k < r->n_joint; k++) {
        joint *j = &r->joint[k];
        j->parent = linked(r, j, "parent");
        j->child = linked(r, j, "child");
        if (j->child >= 0 && r->link[j->child].parent >= 0) {
            tell(r, BI_ERROR, j->element, "link %.80s has two parents; URDF describes trees only",
                 r->link[j->child].name);
        } else if (j->child >= 0) {
            r->link[j->child].parent = k;
        }
    }
    r->root = -1;
    for (int k = 0; k < r->n_link; k++) {
        if (r->link[k].parent >= 0) {
            continue;
        }
        if (r->root >= 0) {
            tell(r, BI_ERROR, r->link[k].element, "is a second root besides %.80s: connect it by a joint",
                 r->link[r->root].name);
        } else {
            r->root = k;
        }
    }
}

// What the engine would say of such a body, where its numbers stand.
static void check_inertia(robot *r, const link *l, const xml_element *inertial)
{
    bi_report found = { 0 };
    bi_model *m = bi_model_create(l->name);
    const double *i = l->inertia;
    bi_add_body(m, &(bi_body_def){
                       .name = "link", .mass = l->mass, .inertia = { i[0], i[1], i[2], i[3], i[4], i[5] } });
    (void)bi_model_check(m, &found);
    for (int k = 0; k < found.count; k++) {
        if (found.issue[k].severity == BI_ERROR) {
            const char *dot = strrchr(found.issue[k].where, '.');
            tell(r, BI_ERROR, inertial, "of link %.80s: %s %s", l->name, dot ? dot + 1 : found.issue[k].where,
                 found.issue[k].what);
        }
    }
    bi_report_clear(&found);
    bi_model_destroy(m);
}

static void read_link(robot *r, link *l)
{
    static const char *const once[] = { "inertial", "origin", "mass", "inertia" };
    const xml_element *inertial = xml_child(l->element->first, "inertial");
    for (const xml_element *e = l->element->first; e; e = e->next) {
        if (strcmp(e->name, "inertial") != 0) {
            tell(r, BI_NOTE, e, "of link %.80s: left out", l->name);
        }
    }
    refuse_second(r, l->element, once, 1);
    if (!inertial) {
        return;
    }
    refuse_second(r, inertial, once, 4);
    int errors = r->report->errors;
    frame at = read_origin(r, inertial, &l->at);
    const xml_element *mass = xml_child(inertial->first, "mass"),
                      *inertia = xml_child(inertial->first, "inertia");
    double i[6] = { 0 };
    static const char *const keys[6] = { "ixx", "iyy", "izz", "ixy", "iyz", "ixz" };
    if (!mass || !inertia) {
        tell(r, BI_ERROR, inertial, "of link %.80s: needs 'mass' and 'inertia'", l->name);
        return;
    }
    need_number(r, mass, "value", &l->mass);
    for (int k = 0; k < 6; k++) {
        // products that are not written are 0, as people write them
        (void)(k < 3 ? need_number(r, inertia, keys[k], &i[k]) : read_numbers(r, inertia, keys[k], 1, &i[k]));
    }
    l->com = (bi_vec3){ at.pos.x - l->at.pos.x, at.pos.y - l->at.pos.y, at.pos.z - l->at.pos.z };
    // R I R^T
    const double T[3][3] = { { i[0], i[3], i[5] }, { i[3], i[1], i[4] }, { i[5], i[4], i[2] } };
    static const int row[6] = { 0, 1, 2, 0, 1, 2 }, column[6] = { 0, 1, 2, 1, 2, 0 };
    for (int k = 0; k < 6; k++) {
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                l->inertia[k] += at.rot.m[row[k]][a] * T[a][b] * at.rot.m[column[k]][b];
            }
        }
    }
    if (r->report->errors == errors) {
        check_inertia(r, l, inertial);
    }
}

static void tell_limit(robot *r, const joint *j, const xml_element *e)
{
    const char *low = xml_get(e, "lower"), *high = xml_get(e, "upper"), *effort = xml_get(e, "effort");
    stop_of_joint stop = urdf_stop(j);
    if (stop.is_there) {
        tell(r, BI_NOTE, e,
             "of joint %.80s: is a stop from %g to %g of stiffness %g (its effort %.20s just beyond the "
             "range); limits of effort "
             "and velocity are left out",
             j->name, stop.lower, stop.upper, stop.stiffness, effort);
    } else {
        tell(r, BI_NOTE, e, "of joint %.80s: left out (lower %.20s, upper %.20s, effort %.20s)", j->name,
             low ? low : "0", high ? high : "0", effort ? effort : "none");
    }
}

// The numbers that the model file is made of later.
static void check_numbers(robot *r, const xml_element *e, const char *const *keys, size_t count)
{
    double unused;
    for (size_t k = 0; e && k < count; k++) {
        (void)read_numbers(r, e, keys[k], 1, &unused);
    }
}

static void list_left_out(robot *r, const joint *j)
{
    static const char *const used[] = { "origin", "axis", "parent", "child", "dynamics", "limit" };
    static const char *const of_limit[] = { "lower", "upper", "effort" };
    static const char *const of_dynamics[] = { "damping", "friction" };
    refuse_second(r, j->element, used, sizeof used / sizeof *used);
    check_numbers(r, xml_child(j->element->first, "limit"), of_limit, 3);
    check_numbers(r, xml_child(j->element->first, "dynamics"), of_dynamics, 2);
    for (const xml_element *e = j->element->first; e; e = e->next) {
        bool is_used = false;
        for (size_t k = 0; k < sizeof used / sizeof *used; k++) {
            is_used = is_used || strcmp(e->name, used[k]) == 0;
        }
        if (strcmp(e->name, "limit") == 0) {
            tell_limit(r, j, e);
        } else if (!is_used) {
            tell(r, BI_NOTE, e, "of joint %.80s: left out", j->name);
        }
    }
    const xml_element *dynamics = xml_child(j->element->first, "dynamics");
    const char *text = dynamics ? xml_get(dynamics, "friction") : NULL;
    double friction = text ? strtod(text, NULL) : 0.0;
    if (friction != 0.0) {
        tell(r, BI_NOTE, dynamics, "of joint %.80s: friction %g left out", j->name, friction);
    }
}

// The frame of the child, from that of the parent.
static void place_child(robot *r, joint *j)
{
    static const char *const types[] = {
        "revolute", "continuous", "prismatic", "fixed", "floating", "planar"
    };
    link *child = &r->link[j->child];
    child->at = read_origin(r, j->element, &r->link[j->parent].at);
    child->is_placed = true;
    j->at = child->at.pos;
    bi_vec3 axis = read_vector(r, xml_child(j->element->first, "axis"), "xyz", (bi_vec3){ 1.0, 0.0, 0.0 });
    j->axis = turned(&child->at.rot, axis);
    bool is_known = false;
    for (size_t k = 0; j->type && k < sizeof types / sizeof *types; k++) {
        is_known = is_known || strcmp(j->type, types[k]) == 0;
    }
    if (!is_known) {
        tell(r, BI_ERROR, j->element,
             "joints of type '%.40s' cannot be imported; there are revolute, continuous, prismatic, planar, "
             "fixed and floating",
             j->type ? j->type : "");
    }
    if (axis.x == 0.0 && axis.y == 0.0 && axis.z == 0.0) {
        tell(r, BI_ERROR, j->element, "the axis is zero");
    }
    list_left_out(r, j);
}

// From the root outwards; the order of the file may be any.
static void place(robot *r)
{
    link *root = &r->link[r->root];
    root->at.rot = of_angles((bi_vec3){ 0 });
    root->is_placed = true;
    bool has_moved = true;
    while (has_moved) {
        has_moved = false;
        for (int k = 0; k < r->n_joint; k++) {
            joint *j = &r->joint[k];
            if (r->link[j->parent].is_placed && !r->link[j->child].is_placed) {
                place_child(r, j);
                has_moved = true;
            }
        }
    }
    for (int k = 0; k < r->n_link; k++) {
        if (!r->link[k].is_placed) {
            tell(r, BI_ERROR, r->link[k].element, "does not hang on the root: its joints make a circle");
        }
    }
}

// ---- the whole -------------------------------------------------------------------------------------------------

static void give_names(robot *r)
{
    name_set_add(&r->called, "ground", 1);
    name_set_add(&r->called, "t", 1);
    name_set_add(&r->called, "pi", 1);
    for (int k = 0; k < r->n_link; k++) {
        r->link[k].called = call(r, r->link[k].element, r->link[k].name);
    }
    // links and joints may have the same name
    name_set_clear(&r->called);
    name_set_add(&r->called, "t", 1);
    name_set_add(&r->called, "pi", 1);
    for (int k = 0; k < r->n_joint; k++) {
        r->joint[k].called = call(r, r->joint[k].element, r->joint[k].name);
    }
}

static void import_robot(robot *r, const xml_element *root, bi_urdf_base base, FILE *out)
{
    int errors = r->report->errors;
    if (strcmp(root->name, "robot") != 0) {
        tell(r, BI_ERROR, root, "the root of a URDF file is 'robot', not '%.60s'", root->name);
        return;
    }
    for (int k = 0; k < root->n_attribute; k++) {
        if (strncmp(root->key[k], "xmlns:xacro", 11) == 0) {
            tell(r, BI_NOTE, root, "is written for xacro: import the file that xacro makes of it");
        }
    }
    if (!collect(r, root)) {
        tell(r, BI_ERROR, root, "out of memory");
        return;
    }
    connect(r);
    if (r->root < 0) {
        tell(r, BI_ERROR, root, r->n_link > 0 ? "has no root: every link is a child" : "has no links");
    }
    if (r->report->errors > errors) {
        return;
    }
    give_names(r);
    place(r);
    for (int k = 0; k < r->n_link; k++) {
        read_link(r, &r->link[k]);
    }
    const link *base_link = &r->link[r->root];
    bool is_ground = base == BI_URDF_FIXED || strcmp(base_link->name, "world") == 0;
    if (is_ground) {
        tell(r, BI_NOTE, base_link->element, "is the ground%s",
             base_link->mass > 0.0 ? "; its mass is left out" : "");
    }
    if (r->n_link < 2 && is_ground) {
        tell(r, BI_ERROR, root, "has one link only, which is the ground; nothing can move");
    }
    if (r->report->errors == errors) {
        const char *name = xml_get(root, "name");
        urdf_write(out, r, name ? name : "robot", is_ground);
    }
}

static bool import_urdf(const char *path, bi_urdf_base base, FILE *out, bi_report *report)
{
    size_t length = 0;
    int errors = report->errors;
    robot r = { .path = path, .report = report };
    char *text = reader_whole_file(path, (bi_place){ path, 0, 0 }, "", &length, report);
    const xml_element *root = text ? xml_parse(text, length, path, &r.memory, report) : NULL;
    if (root) {
        import_robot(&r, root, base, out);
    }
    name_set_clear(&r.called);
    name_set_clear(&r.links);
    free(r.link);
    free(r.joint);
    blocks_free(&r.memory);
    free(text);
    return report->errors == errors;
}

bool bi_import_urdf(const char *path, bi_urdf_base base, FILE *out, bi_report *report)
{
    bi_report own = { 0 };
    bool is_good = path && out && import_urdf(path, base, out, report ? report : &own);
    if (!path || !out) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "needs a file to read and one to write");
    }
    bi_report_clear(&own);
    return is_good;
}
