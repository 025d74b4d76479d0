// SPDX-License-Identifier: MIT
// Classes of defaults of MJCF, attributes as they count, frames of elements.
#include "io/robot/mjcf.h"
#include <math.h>
#include <string.h>

// ---- classes ---------------------------------------------------------------------------------------------------

static void read_class(mjcf *m, const xml_element *e, const mjcf_class *outer, int depth)
{
    mjcf_class *c = blocks_new(&m->s->memory, sizeof *c);
    const char *name = xml_get(e, "class");
    if (!c || depth > 40) {
        return;
    }
    if (!name && outer) {
        scene_tell(m->s, BI_ERROR, e, "a default inside another one needs a class");
    }
    *c = (mjcf_class){ name ? name : "main", e, outer, m->classes };
    m->classes = c;
    for (const xml_element *k = e->first; k; k = k->next) {
        if (strcmp(k->name, "default") == 0) {
            read_class(m, k, c, depth + 1);
        }
    }
    m->top = outer ? m->top : c;
}

void mjcf_read_classes(mjcf *m)
{
    for (const xml_element *e = m->root->first; e; e = e->next) {
        if (strcmp(e->name, "default") == 0) {
            // several sections are one: the later ones hang on the first
            read_class(m, e, m->top, m->top ? 1 : 0);
        }
    }
}

static const mjcf_class *find_class(mjcf *m, const xml_element *e, const char *key)
{
    const char *name = xml_get(e, key);
    for (const mjcf_class *c = m->classes; name && c; c = c->next) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    if (name) {
        scene_tell(m->s, BI_ERROR, e, "there is no default class '%.80s'", name);
    }
    return NULL;
}

const mjcf_class *mjcf_class_of(mjcf *m, const xml_element *e, const mjcf_class *child)
{
    bool is_body =
        strcmp(e->name, "body") == 0 || strcmp(e->name, "frame") == 0 || strcmp(e->name, "worldbody") == 0;
    const char *key = is_body ? "childclass" : "class";
    if (xml_get(e, key)) {
        const mjcf_class *own = find_class(m, e, key);
        return own ? own : child;
    }
    return child ? child : m->top;
}

// All actuators share the defaults of one kind.
static bool is_actuator(const char *name)
{
    static const char *const kinds[] = { "general", "motor",    "position", "velocity", "intvelocity",
                                         "damper",  "cylinder", "muscle",   "adhesion" };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(name, kinds[k]) == 0) {
            return true;
        }
    }
    return false;
}

static const char *kind_of(const char *name)
{
    if (strcmp(name, "freejoint") == 0) {
        return "";
    }
    if (strcmp(name, "fixed") == 0 || strcmp(name, "spatial") == 0) {
        return "tendon";
    }
    if (strcmp(name, "connect") == 0 || strcmp(name, "weld") == 0) {
        return "equality";
    }
    return is_actuator(name) ? "general" : name;
}

// The value that a class itself gives to elements of that kind.
static const char *given(const mjcf_class *c, const char *kind, const char *key, const xml_element **where)
{
    const char *value = NULL;
    for (const xml_element *k = c->element->first; k; k = k->next) {
        const char *text = strcmp(kind_of(k->name), kind) == 0 ? xml_get(k, key) : NULL;
        if (text) {
            value = text;
            *where = k;
        }
    }
    return value;
}

const char *mjcf_get(const mjcf_class *c, const xml_element *e, const char *key, const xml_element **where)
{
    const xml_element *at = e;
    const char *value = xml_get(e, key), *kind = kind_of(e->name);
    for (; !value && c; c = c->outer) {
        value = given(c, kind, key, &at);
    }
    if (where && value) {
        *where = at;
    }
    return value;
}

// ---- values ----------------------------------------------------------------------------------------------------

static void overlay(mjcf *m, const mjcf_class *c, const xml_element *e, const char *key, int most,
                    double *value, int *count)
{
    if (!c) {
        return;
    }
    overlay(m, c->outer, e, key, most, value, count);
    const xml_element *at = e;
    const char *text = given(c, kind_of(e->name), key, &at);
    int n = text ? scene_numbers(m->s, at, key, text, 0, most, value) : 0;
    *count = n > *count ? n : *count;
}

int mjcf_numbers(mjcf *m, const mjcf_class *c, const xml_element *e, const char *key, int most, double *value)
{
    int count = 0;
    overlay(m, c, e, key, most, value, &count);
    const char *text = xml_get(e, key);
    int n = text ? scene_numbers(m->s, e, key, text, 0, most, value) : 0;
    return n > count ? n : count;
}

double mjcf_number(mjcf *m, const mjcf_class *c, const xml_element *e, const char *key, double otherwise)
{
    const xml_element *at = e;
    const char *text = mjcf_get(c, e, key, &at);
    double value = otherwise;
    return text && scene_numbers(m->s, at, key, text, 1, 1, &value) == 1 ? value : otherwise;
}

bool mjcf_flag(mjcf *m, const mjcf_class *c, const xml_element *e, const char *key, bool otherwise)
{
    const xml_element *at = e;
    const char *text = mjcf_get(c, e, key, &at);
    if (!text || strcmp(text, "auto") == 0) {
        return otherwise;
    }
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0) {
        scene_tell(m->s, BI_ERROR, at, "%s=\"%.40s\" must be true or false", key, text);
    }
    return strcmp(text, "true") == 0;
}

bool mjcf_is_limited(mjcf *m, const mjcf_class *c, const xml_element *e, const char *limited,
                     const char *range)
{
    return mjcf_flag(m, c, e, limited, !m->no_autolimits && mjcf_get(c, e, range, NULL));
}

// ---- frames ----------------------------------------------------------------------------------------------------

static rotation of_euler(const mjcf *m, const double angle[3])
{
    rotation r = no_rotation;
    for (int k = 0; k < 3; k++) {
        char letter = m->order[k];
        bool is_fixed = letter >= 'X' && letter <= 'Z';
        int axis = is_fixed ? letter - 'X' : letter - 'x';
        bi_vec3 unit = { axis == 0, axis == 1, axis == 2 };
        rotation one = of_axis(unit, m->degree * angle[k]);
        r = is_fixed ? product(&one, &r) : product(&r, &one);
    }
    return r;
}

static rotation of_axes(mjcf *m, const xml_element *e, const double v[6])
{
    bi_vec3 x = { v[0], v[1], v[2] }, y = { v[3], v[4], v[5] };
    if (!scene_is_direction(m->s, e, &x)) {
        return no_rotation;
    }
    y = difference(y, scaled(dotted(x, y), x));
    if (!scene_is_direction(m->s, e, &y)) {
        return no_rotation;
    }
    bi_vec3 z = crossed(x, y);
    return (rotation){ { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } } };
}

// The orientation that an element itself says, if it does.
static bool read_turn(mjcf *m, const xml_element *e, rotation *r)
{
    double v[6] = { 0 };
    const char *text;
    if ((text = xml_get(e, "quat"))) {
        if (scene_numbers(m->s, e, "quat", text, 4, 4, v) == 4 && !of_quaternion(v, r)) {
            scene_tell(m->s, BI_ERROR, e, "quat is zero");
        }
    } else if ((text = xml_get(e, "axisangle"))) {
        bi_vec3 axis;
        if (scene_numbers(m->s, e, "axisangle", text, 4, 4, v) == 4) {
            axis = (bi_vec3){ v[0], v[1], v[2] };
            *r = scene_is_direction(m->s, e, &axis) ? of_axis(axis, m->degree * v[3]) : *r;
        }
    } else if ((text = xml_get(e, "euler"))) {
        *r = scene_numbers(m->s, e, "euler", text, 3, 3, v) == 3 ? of_euler(m, v) : *r;
    } else if ((text = xml_get(e, "xyaxes"))) {
        *r = scene_numbers(m->s, e, "xyaxes", text, 6, 6, v) == 6 ? of_axes(m, e, v) : *r;
    } else if ((text = xml_get(e, "zaxis"))) {
        bi_vec3 axis;
        if (scene_numbers(m->s, e, "zaxis", text, 3, 3, v) == 3) {
            axis = (bi_vec3){ v[0], v[1], v[2] };
            *r = scene_is_direction(m->s, e, &axis) ? along_z(axis) : *r;
        }
    } else {
        return false;
    }
    return true;
}

frame mjcf_frame(mjcf *m, const mjcf_class *c, const xml_element *e)
{
    double pos[3] = { 0 };
    (void)mjcf_numbers(m, c, e, "pos", 3, pos);
    frame f = { { pos[0], pos[1], pos[2] }, no_rotation };
    bool is_said = read_turn(m, e, &f.rot);
    for (; !is_said && c; c = c->outer) {
        for (const xml_element *k = c->element->first; k && !is_said; k = k->next) {
            is_said = strcmp(kind_of(k->name), kind_of(e->name)) == 0 && read_turn(m, k, &f.rot);
        }
    }
    return f;
}

// ---- what is left out ------------------------------------------------------------------------------------------

void mjcf_leave_others(mjcf *m, const xml_element *e, const char *known)
{
    for (int k = 0; k < e->n_attribute; k++) {
        char word[80];
        snprintf(word, sizeof word, " %.70s ", e->key[k]);
        if (!strstr(known, word)) {
            scene_leave(m->s, e, e->key[k], NULL);
        }
    }
}
