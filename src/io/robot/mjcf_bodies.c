// SPDX-License-Identifier: MIT
// Bodies of MJCF: frames, joints, masses, sites. A body with several joints hangs on bodies without mass between them.
#include "io/robot/mjcf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOINTS = 16, DEEPEST_BODY = 500 };

// ---- joints ----------------------------------------------------------------------------------------------------

static bool is_joint(const xml_element *e)
{
    return strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0;
}

static int count_joints(const xml_element *body)
{
    int n = 0;
    for (const xml_element *e = body->first; e; e = e->next) {
        n += is_joint(e);
    }
    return n;
}

// Springs and stops: numbers of angles are in the unit of the file.
static void read_range(mjcf *m, const mjcf_class *c, const xml_element *e, scene_joint *j, double unit)
{
    double range[2] = { 0.0, 0.0 }, reference[2] = { 0.02, 1.0 };
    int n = mjcf_numbers(m, c, e, "range", 2, range);
    j->is_limited = mjcf_is_limited(m, c, e, "limited", "range");
    j->lower = unit * range[0];
    j->upper = unit * range[1];
    if (j->is_limited && (n < 2 || !(j->lower < j->upper))) {
        scene_tell(m->s, BI_ERROR, e, "range must have two numbers, the smaller one first");
        j->is_limited = false;
    }
    // solref: time constant and damping ratio of the stop
    if (mjcf_numbers(m, c, e, "solreflimit", 2, reference) > 0 && reference[0] > 0.0 && reference[1] > 0.0) {
        j->stop_time = reference[0] * reference[1];
    }
    if (j->is_limited && strcmp(j->type, "spherical") == 0) {
        scene_leave(m->s, e, "range", "of a ball joint");
    }
}

static void read_joint_numbers(mjcf *m, const mjcf_class *c, const xml_element *e, scene_joint *j,
                               double unit)
{
    static const char *const keys[] = { "armature", "damping", "stiffness", "frictionloss" };
    double value[4];
    for (int k = 0; k < 4; k++) {
        value[k] = mjcf_number(m, c, e, keys[k], 0.0);
        if (value[k] < 0.0) {
            scene_tell(m->s, BI_ERROR, e, "%s is negative", keys[k]);
            value[k] = 0.0;
        }
    }
    j->armature = value[0];
    j->damping = value[1];
    j->stiffness = value[2];
    j->friction = value[3];
    j->ref = unit * mjcf_number(m, c, e, "ref", 0.0);
    j->rest = unit * mjcf_number(m, c, e, "springref", 0.0);
    bool is_ball = strcmp(j->type, "spherical") == 0, is_free = strcmp(j->type, "free") == 0;
    const char *what = is_ball ? "of a ball joint" : "of a floating body";
    for (int k = 0; k < 4; k++) {
        if (value[k] > 0.0 && (is_free || (is_ball && k != 1 && k != 2))) {
            scene_leave(m->s, e, keys[k], what);
        }
    }
    if (is_ball && value[1] > 0.0) {
        scene_tell(
            m->s, BI_NOTE, e,
            "damping of a ball joint acts on the rate of its rotation vector: the same for small turns");
    }
    double both[2] = { 0.0, 0.0 };
    if (mjcf_numbers(m, c, e, "springdamper", 2, both) == 2 && both[0] > 0.0 && both[1] > 0.0) {
        scene_leave(m->s, e, "springdamper", "write stiffness and damping");
    }
}

// Where the keyframe has it: moves the frame of the body behind the joint.
static void start_joint(const mjcf *m, scene_joint *j, int kind, const double pos[3], frame *at)
{
    const int width[] = { 1, 1, 4, 7 };
    if (j->address + width[kind] > m->n_start) {
        return;
    }
    const double *q = m->start + j->address;
    rotation r = no_rotation;
    if (kind == 3) {
        at->pos = (bi_vec3){ q[0], q[1], q[2] };
        at->rot = of_quaternion(q + 3, &r) ? r : at->rot;
        j->at = at->pos;
        return;
    }
    double way = q[0] - j->ref;
    if (kind == 1) {
        at->pos = sum(at->pos, scaled(way, j->axis));
        j->at = sum(j->at, scaled(way, j->axis));
    } else {
        if (kind == 0) {
            r = of_axis(j->axis, way);
            at->rot = product(&r, &at->rot);
        } else if (of_quaternion(q, &r)) {
            at->rot = product(&at->rot, &r);
        }
        at->pos = difference(j->at, turned(&at->rot, (bi_vec3){ pos[0], pos[1], pos[2] }));
    }
    j->ref = kind == 2 ? j->ref : q[0];
}

static void read_joint(mjcf *m, const mjcf_class *child, const xml_element *e, int a, int b, frame *at)
{
    static const char *const types[][2] = {
        { "hinge", "revolute" }, { "slide", "prismatic" }, { "ball", "spherical" }, { "free", "free" }
    };
    static const int width[] = { 1, 1, 4, 7 };
    const mjcf_class *c = mjcf_class_of(m, e, child);
    bool is_bare = strcmp(e->name, "freejoint") == 0;
    const char *type = is_bare ? "free" : mjcf_get(c, e, "type", NULL), *name = xml_get(e, "name");
    int kind = -1;
    type = type ? type : "hinge";
    for (int k = 0; k < 4; k++) {
        kind = strcmp(type, types[k][0]) == 0 ? k : kind;
    }
    if (kind < 0) {
        scene_tell(m->s, BI_ERROR, e, "type=\"%.40s\" must be hinge, slide, ball or free", type);
        return;
    }
    char own[120];
    if (!name) {
        snprintf(own, sizeof own, "%.100s_joint", m->s->body[b].called);
        name = blocks_text(&m->s->memory, own, strlen(own));
    }
    scene_joint *j = scene_add_joint(m->s, e, name ? name : "x", types[kind][1], a, b);
    if (!j) {
        return;
    }
    j->address = m->n_coordinate;
    m->n_coordinate += width[kind];
    double pos[3] = { 0 }, axis[3] = { 0.0, 0.0, 1.0 }, unit = kind == 0 || kind == 2 ? m->degree : 1.0;
    if (!is_bare) {
        (void)mjcf_numbers(m, c, e, "pos", 3, pos);
        (void)mjcf_numbers(m, c, e, "axis", 3, axis);
        read_joint_numbers(m, c, e, j, unit);
        read_range(m, c, e, j, unit);
    }
    frame inner = { { pos[0], pos[1], pos[2] }, no_rotation };
    j->at = frame_in(at, &inner).pos;
    bi_vec3 along = { axis[0], axis[1], axis[2] };
    j->axis = kind < 2 && scene_is_direction(m->s, e, &along) ? turned(&at->rot, along)
                                                              : (bi_vec3){ 0.0, 0.0, 1.0 };
    if (kind == 3) {
        m->s->body[b].is_free = true;
        if (a != 0) {
            scene_tell(m->s, BI_ERROR, e, "a free joint can only be on a body of the world");
        }
    }
    j->reference = j->ref;
    start_joint(m, j, kind, pos, at);
    mjcf_leave_others(
        m, e,
        " name class type pos axis range limited armature damping stiffness frictionloss ref springref "
        "springdamper solreflimit solimplimit group user align margin solreffriction solimpfriction ");
}

// ---- masses ----------------------------------------------------------------------------------------------------

static void read_inertial(mjcf *m, const xml_element *e, scene_body *b)
{
    scene *s = m->s;
    double mass = 0.0, v[6] = { 0 }, own[6] = { 0 };
    const char *text = xml_get(e, "mass"), *diagonal = xml_get(e, "diaginertia"),
               *full = xml_get(e, "fullinertia");
    frame f = mjcf_frame(m, NULL, e);
    if (!text || !xml_get(e, "pos")) {
        scene_tell(s, BI_ERROR, e, "needs mass and pos");
        return;
    }
    if (scene_numbers(s, e, "mass", text, 1, 1, &mass) < 0) {
        return;
    }
    if (!(mass >= 0.0)) {
        scene_tell(s, BI_ERROR, e, "mass=\"%.40s\" is negative", text);
        return;
    }
    if (full && scene_numbers(s, e, "fullinertia", full, 6, 6, v) == 6) {
        const double order[6] = { v[0], v[1], v[2], v[3], v[5], v[4] };
        memcpy(own, order, sizeof own);
    } else if (diagonal && scene_numbers(s, e, "diaginertia", diagonal, 3, 3, v) == 3) {
        memcpy(own, v, 3 * sizeof *v);
    } else if (!full && !diagonal && mass > 0.0) {
        scene_tell(s, BI_ERROR, e, "needs diaginertia or fullinertia");
    }
    rotation r = product(&b->at.rot, &f.rot);
    inertia_turned(&r, own, b->inertia);
    b->mass = mass;
    b->com = turned(&b->at.rot, f.pos);
}

// Bounds, and moments that no body has, as the settings say.
static void mend_inertia(mjcf *m, scene_body *b)
{
    double moment[3], own[6] = { 0 };
    rotation axes;
    inertia_principal(b->inertia, moment, &axes);
    b->mass = fmax(b->mass, m->bound_mass);
    for (int k = 0; k < 3; k++) {
        own[k] = fmax(moment[k], m->bound_inertia);
    }
    bool is_odd = false;
    for (int k = 0; k < 3; k++) {
        is_odd = is_odd || own[k] + own[(k + 1) % 3] < own[(k + 2) % 3];
    }
    if (is_odd && m->balances) {
        double mean = (own[0] + own[1] + own[2]) / 3.0;
        own[0] = own[1] = own[2] = mean;
    }
    if ((is_odd && m->balances) || m->bound_inertia > 0.0) {
        inertia_turned(&axes, own, b->inertia);
    }
}

static void compensate_gravity(mjcf *m, const scene_body *b)
{
    double part = b->element && b->parent >= 0 ? scene_number(m->s, b->element, "gravcomp", 0.0) : 0.0;
    if (part == 0.0 || !(b->mass > 0.0) || strcmp(b->element->name, "body") != 0) {
        return;
    }
    bi_vec3 f = scaled(-part * b->mass, m->s->gravity);
    char x[32], y[32], z[32], at[112];
    fprintf(m->s->line[LINES_FORCES],
            "  %s_gravcomp: {type: force, point: {body: %s, at: %s}, fx: %s, fy: %s, fz: %s}\n", b->called,
            b->called, scene_format(at, b->com), number_text(x, f.x), number_text(y, f.y),
            number_text(z, f.z));
}

void mjcf_finish_masses(mjcf *m)
{
    scene *s = m->s;
    double whole = 0.0;
    for (int k = 1; k < s->n_body; k++) {
        scene_body *b = &s->body[k];
        bool is_own = k + 1 == s->n_body || s->body[k + 1].element != b->element; // not one between joints
        if (is_own && (b->mass > 0.0 || m->bound_mass > 0.0)) {
            mend_inertia(m, b);
        }
        whole += b->mass;
    }
    for (int k = 1; k < s->n_body; k++) {
        scene_body *b = &s->body[k];
        double factor = m->total_mass > 0.0 && whole > 0.0 ? m->total_mass / whole : 1.0;
        b->mass *= factor;
        for (int i = 0; i < 6; i++) {
            b->inertia[i] *= factor;
        }
        const xml_element *inertial = xml_child(b->element->first, "inertial");
        if (b->mass > 0.0) {
            scene_check_body(s, b, inertial ? inertial : b->element);
        }
        compensate_gravity(m, b);
    }
}

// ---- the tree --------------------------------------------------------------------------------------------------

static void read_site(mjcf *m, const mjcf_class *child, const xml_element *e, int body, const frame *at)
{
    const char *name = xml_get(e, "name");
    frame own = mjcf_frame(m, mjcf_class_of(m, e, child), e);
    if (!name || name_set_find(&m->sites, name) >= 0) {
        return;
    }
    mjcf_site *all = realloc(m->site, ((size_t)m->n_site + 1) * sizeof *all);
    if (all && name_set_add(&m->sites, name, e->line) >= 0) {
        m->site = all;
        m->site[m->n_site++] = (mjcf_site){ name, body, frame_in(at, &own) };
    }
}

static void read_body(mjcf *m, const mjcf_class *child, const xml_element *e, int parent, const frame *outer,
                      int depth);

// What stands in a body or in a frame of it; `a` is what its joints hang on.
static void read_contents(mjcf *m, const mjcf_class *child, const xml_element *outer, int body,
                          const frame *at, bool makes_mass, int depth)
{
    for (const xml_element *e = outer->first; e; e = e->next) {
        if (strcmp(e->name, "geom") == 0) {
            mjcf_read_geom(m, child, e, body, at, makes_mass);
        } else if (strcmp(e->name, "site") == 0) {
            read_site(m, child, e, body, at);
        } else if (strcmp(e->name, "body") == 0) {
            read_body(m, child, e, body, at, depth + 1);
        } else if (strcmp(e->name, "frame") == 0 && depth < DEEPEST_BODY) {
            frame own = mjcf_frame(m, NULL, e), inner = frame_in(at, &own);
            read_contents(m, mjcf_class_of(m, e, child), e, body, &inner, makes_mass, depth + 1);
        } else if (strcmp(e->name, "camera") == 0 || strcmp(e->name, "light") == 0) {
            scene_leave(m->s, e, NULL, NULL);
        } else if (strcmp(e->name, "composite") == 0 || strcmp(e->name, "flexcomp") == 0 ||
                   strcmp(e->name, "replicate") == 0 || strcmp(e->name, "attach") == 0 ||
                   strcmp(e->name, "plugin") == 0) {
            scene_tell(m->s, BI_WARNING, e, "left out, with the bodies that it makes");
        } else if (strcmp(e->name, "inertial") != 0 && (!is_joint(e) || strcmp(outer->name, "frame") == 0)) {
            scene_tell(m->s, BI_WARNING, e, "is not known in a body; left out");
        }
    }
}

// The joints of a body, and bodies without mass between them; the body itself comes last. Its index, or -1.
static int add_joined(mjcf *m, const mjcf_class *child, const xml_element *e, int parent, frame *at)
{
    const char *name = xml_get(e, "name");
    int n = count_joints(e), last = parent;
    if (n > MOST_JOINTS) {
        scene_tell(m->s, BI_ERROR, e, "has more than %d joints", MOST_JOINTS);
        return -1;
    }
    for (int k = 0; k < (n > 1 ? n : 1); k++) {
        bool is_own = k + 1 >= n;
        char own[120];
        snprintf(own, sizeof own, is_own ? "%.100s" : "%.100s_%d", name ? name : "body", k + 1);
        const char *kept = blocks_text(&m->s->memory, own, strlen(own));
        scene_body *b = scene_add_body(m->s, e, kept ? kept : "x", last);
        if (!b) {
            return -1;
        }
        b->at = *at;
        b->is_joined = n > 0;
        last = m->s->n_body - 1;
    }
    int k = 0, first = last - (n > 1 ? n - 1 : 0);
    for (const xml_element *j = e->first; j; j = j->next) {
        if (is_joint(j)) {
            read_joint(m, child, j, k == 0 ? parent : first + k - 1, first + k, at);
            m->s->body[first + k].at = *at;
            k++;
        }
    }
    return last;
}

static void read_body(mjcf *m, const mjcf_class *child, const xml_element *e, int parent, const frame *outer,
                      int depth)
{
    if (depth > DEEPEST_BODY) {
        scene_tell(m->s, BI_ERROR, e, "bodies are nested more than %d deep", DEEPEST_BODY);
        return;
    }
    const mjcf_class *c = mjcf_class_of(m, e, child);
    frame own = mjcf_frame(m, NULL, e), at = frame_in(outer, &own);
    const frame *carrier = &m->s->body[parent].at, *before = &m->s->body[parent].reference;
    rotation back = inverse_of(&carrier->rot);
    frame local = { turned(&back, difference(at.pos, carrier->pos)), product(&back, &at.rot) };
    frame reference = frame_in(before, &local);
    int body = add_joined(m, c, e, parent, &at);
    if (body < 0) {
        return;
    }
    m->s->body[body].reference = reference;
    const xml_element *inertial = xml_child(e->first, "inertial");
    if (inertial && m->from_geom != 1) {
        read_inertial(m, inertial, &m->s->body[body]);
    }
    mjcf_leave_others(m, e, " name childclass pos quat axisangle euler xyaxes zaxis gravcomp user mocap ");
    read_contents(m, c, e, body, &at, m->from_geom == 1 || (m->from_geom == 2 && !inertial), depth);
}

void mjcf_read_bodies(mjcf *m, const xml_element *world)
{
    frame ground = { { 0 }, no_rotation };
    read_contents(m, mjcf_class_of(m, world, NULL), world, 0, &ground, false, 0);
}
