// SPDX-License-Identifier: MIT
// What follows from a scene that is read: bodies that are one, what joints carry, which shapes stay, and who touches whom.
#include "io/robot/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- bodies and joints -----------------------------------------------------------------------------------------

// What nothing moves is the ground; what has no mass and no joint is a part of what carries it.
static void find_hosts(scene *s)
{
    for (int k = 1; k < s->n_body; k++) {
        scene_body *b = &s->body[k];
        int carrier = s->body[b->parent].host;
        if (b->is_joined || (carrier > 0 && b->mass > 0.0)) {
            b->host = k;
            continue;
        }
        b->host = carrier;
        if (carrier == 0) {
            scene_tell(s, BI_NOTE, b->element, "is the ground%s",
                       b->mass > 0.0 ? "; its mass is left out" : "");
        }
    }
}

static void weld_bodies(scene *s)
{
    for (int k = 1; k < s->n_body; k++) {
        if (s->body[k].host == k && !s->body[k].is_joined) {
            char name[120];
            snprintf(name, sizeof name, "%.100s_fixed", s->body[k].called);
            const char *kept = blocks_text(&s->memory, name, strlen(name));
            scene_joint *j =
                scene_add_joint(s, s->body[k].element, kept ? kept : "x", "fixed", s->body[k].parent, k);
            if (j) {
                j->at = s->body[k].at.pos;
            }
        }
    }
}

static bool is_below(const scene *s, int body, int top)
{
    while (body > 0 && body != top) {
        body = s->body[body].parent;
    }
    return body == top;
}

// The inertia that the coordinate of a joint moves, as described.
void scene_find_carried(scene *s)
{
    for (int k = 0; k < s->n_joint; k++) {
        scene_joint *j = &s->joint[k];
        bool is_sliding = strcmp(j->type, "prismatic") == 0;
        j->carried = j->armature;
        for (int b = 1; b < s->n_body && !j->is_loop; b++) {
            const scene_body *body = &s->body[b];
            if (!(body->mass > 0.0) || !is_below(s, b, j->b)) {
                continue;
            }
            bi_vec3 arm = crossed(j->axis, difference(sum(body->at.pos, body->com), j->at));
            const double *i = body->inertia, x = j->axis.x, y = j->axis.y, z = j->axis.z;
            double own = i[0] * x * x + i[1] * y * y + i[2] * z * z +
                         2.0 * (i[3] * x * y + i[4] * y * z + i[5] * z * x);
            j->carried += is_sliding ? body->mass : body->mass * dotted(arm, arm) + own;
        }
    }
    s->mass = 0.0;
    for (int b = 1; b < s->n_body; b++) {
        s->mass += s->body[b].host > 0 ? s->body[b].mass : 0.0;
    }
}

// ---- shapes ----------------------------------------------------------------------------------------------------

// Those that are seen or touch keep their place and get a name.
static void choose_shapes(scene *s)
{
    for (int k = 0; k < s->n_shape; k++) {
        scene_shape *p = &s->shape[k];
        p->is_solid = p->is_solid && !scene_without(s, BI_WITHOUT_CONTACT);
        bool is_seen = !p->is_hidden && !scene_without(s, BI_WITHOUT_LOOKS);
        if (!is_seen && !p->is_solid) {
            continue;
        }
        p->is_hidden = !is_seen;
        char name[120];
        snprintf(name, sizeof name, "%.100s", p->name ? p->name : s->body[p->body].called);
        p->called = scene_call(s, &s->shapes, p->element, name);
    }
}

void scene_finish(scene *s)
{
    find_hosts(s);
    weld_bodies(s);
    scene_find_carried(s);
    choose_shapes(s);
    scene_find_contacts(s);
}

// ---- contacts --------------------------------------------------------------------------------------------------

enum { MOST_TOUCHING = 1500 };

static int host_of(const scene *s, int shape) { return s->body[s->shape[shape].body].host; }

// What a body moves with: itself, or what it is fixed to.
static int moving(const scene *s, int body)
{
    while (body > 0 && !s->body[body].is_joined) {
        body = s->body[body].parent;
    }
    return body;
}

// What a body that moves hangs on, bodies between its own joints left out.
static int carrier_of(const scene *s, int body)
{
    int parent = s->body[body].parent;
    while (parent > 0 && s->body[parent].element == s->body[body].element) {
        parent = s->body[parent].parent;
    }
    return moving(s, parent);
}

// The body of the same tree that hangs on the ground.
static int root_of(const scene *s, int body)
{
    while (body > 0 && s->body[body].parent > 0) {
        body = s->body[body].parent;
    }
    return body;
}

static bool is_excluded(const scene *s, int a, int b)
{
    for (int k = 0; k < s->n_exclusion; k++) {
        const scene_exclusion *x = &s->exclusion[k];
        if ((x->a == a && x->b == b) || (x->a == b && x->b == a)) {
            return true;
        }
    }
    return false;
}

static bool can_touch(const scene *s, int i, int k)
{
    const scene_shape *p = &s->shape[i], *q = &s->shape[k];
    int a = moving(s, p->body), b = moving(s, q->body);
    bool is_plane = strcmp(p->type, "plane") == 0 && strcmp(q->type, "plane") == 0;
    if (a == b || is_plane || !((p->mask[0] & q->mask[1]) | (q->mask[0] & p->mask[1]))) {
        return false;
    }
    if (a > 0 && b > 0 && scene_without(s, BI_WITHOUT_SELF) && root_of(s, a) == root_of(s, b)) {
        return false;
    }
    bool are_neighbours = (a > 0 && carrier_of(s, a) == b) || (b > 0 && carrier_of(s, b) == a);
    if (are_neighbours && ((a > 0 && b > 0) || (s->filters_static && p->body != 0 && q->body != 0))) {
        return false;
    }
    return !is_excluded(s, p->body, q->body);
}

static void join_friction(const scene_shape *p, const scene_shape *q, double friction[3])
{
    for (int k = 0; k < 3; k++) {
        friction[k] = p->priority > q->priority   ? p->friction[k]
                      : q->priority > p->priority ? q->friction[k]
                                                  : fmax(p->friction[k], q->friction[k]);
    }
}

typedef struct {
    int count, *shape; // those that touch
    char *touches;     // (count * count) symmetric: not written yet
} touching;

static bool is_same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Whether shape i has, of what is left, exactly the partners of shape `like` with this friction.
static bool has_same_partners(const scene *s, const touching *t, int like, int i, const double friction[3])
{
    for (int k = 0; k < t->count; k++) {
        double own[3];
        bool a = t->touches[like * t->count + k], b = t->touches[i * t->count + k];
        if (a) {
            join_friction(&s->shape[t->shape[like]], &s->shape[t->shape[k]], own);
            a = is_same(own, friction);
        }
        if (b) {
            join_friction(&s->shape[t->shape[i]], &s->shape[t->shape[k]], own);
            b = is_same(own, friction);
        }
        if (a != b) {
            return false;
        }
    }
    return true;
}

static void write_list(FILE *out, const scene *s, const touching *t, const char *is_listed)
{
    const char *comma = "[";
    for (int k = 0; k < t->count; k++) {
        if (is_listed[k]) {
            fprintf(out, "%s%s", comma, s->shape[t->shape[k]].called);
            comma = ", ";
        }
    }
    fputc(']', out);
}

// One contact: all shapes of a body with the same partners, and these.
static void write_contact(scene *s, touching *t, int i, const double friction[3], char *first, char *second)
{
    memset(first, 0, (size_t)t->count);
    memset(second, 0, (size_t)t->count);
    for (int k = 0; k < t->count; k++) {
        first[k] = (char)(host_of(s, t->shape[k]) == host_of(s, t->shape[i]) &&
                          has_same_partners(s, t, i, k, friction));
        double own[3];
        join_friction(&s->shape[t->shape[i]], &s->shape[t->shape[k]], own);
        second[k] = (char)(t->touches[i * t->count + k] && is_same(own, friction));
    }
    for (int k = 0; k < t->count; k++) {
        for (int l = 0; l < t->count && first[k]; l++) {
            if (second[l]) {
                t->touches[k * t->count + l] = t->touches[l * t->count + k] = 0;
            }
        }
    }
    char name[120];
    FILE *out = s->line[LINES_CONTACTS];
    snprintf(name, sizeof name, "%.100s_contact", s->body[host_of(s, t->shape[i])].called);
    fprintf(out,
            "  %s: {type: contact, a: ", scene_call(s, &s->elements, s->shape[t->shape[i]].element, name));
    bool is_ground = host_of(s, t->shape[i]) == 0; // it is what others stand on
    write_list(out, s, t, is_ground ? second : first);
    fputs(", b: ", out);
    write_list(out, s, t, is_ground ? first : second);
    char text[32];
    fprintf(out, ", stiffness: contact_stiffness, damping: contact_damping, friction: %s",
            number_text(text, friction[0]));
    if (friction[1] > 0.0) {
        fprintf(out, ", spinning_friction: %s", number_text(text, friction[1]));
    }
    if (friction[2] > 0.0) {
        fprintf(out, ", rolling_friction: %s", number_text(text, friction[2]));
    }
    fputs("}\n", out);
}

static void write_contacts(scene *s, touching *t, char *first, char *second)
{
    for (int i = 0; i < t->count; i++) {
        for (int k = i + 1; k < t->count; k++) {
            t->touches[i * t->count + k] = t->touches[k * t->count + i] =
                (char)can_touch(s, t->shape[i], t->shape[k]);
        }
    }
    for (int i = 0; i < t->count; i++) {
        for (int k = 0; k < t->count; k++) {
            if (t->touches[i * t->count + k]) {
                double friction[3];
                join_friction(&s->shape[t->shape[i]], &s->shape[t->shape[k]], friction);
                write_contact(s, t, i, friction, first, second);
            }
        }
    }
}

void scene_find_contacts(scene *s)
{
    touching t = { .shape = calloc((size_t)s->n_shape + 1, sizeof *t.shape) };
    const xml_element *last = NULL;
    // those of the ground first: what meets them is then one list
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; t.shape && k < s->n_shape; k++) {
            if (s->shape[k].is_solid && s->shape[k].called && (host_of(s, k) == 0) == (turn == 0)) {
                t.shape[t.count++] = k;
                last = s->shape[k].element;
            }
        }
    }
    if (t.count > MOST_TOUCHING) {
        scene_tell(s, BI_WARNING, last, "more than %d shapes touch; no contact is written", MOST_TOUCHING);
        t.count = 0;
    }
    size_t n = (size_t)t.count;
    t.touches = calloc(n * n + 1, 1);
    char *lists = calloc(2 * n + 1, 1);
    if (t.shape && t.touches && lists) {
        write_contacts(s, &t, lists, lists + n);
    }
    free(lists);
    free(t.touches);
    free(t.shape);
}
