// SPDX-License-Identifier: MIT
// What binds bodies of MJCF beyond their tree: tendons, equalities, pairs that do not touch.
#include "io/robot/mjcf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- names -----------------------------------------------------------------------------------------------------

int mjcf_find_body(mjcf *m, const xml_element *e, const char *name)
{
    if (!name || strcmp(name, "world") == 0) {
        return 0;
    }
    // of those that share an element the last one is the body itself
    for (int k = m->s->n_body - 1; k > 0; k--) {
        const char *own = xml_get(m->s->body[k].element, "name");
        if (own && strcmp(own, name) == 0) {
            return k;
        }
    }
    scene_tell(m->s, BI_ERROR, e, "there is no body '%.80s'", name);
    return -1;
}

int mjcf_find_site(mjcf *m, const xml_element *e, const char *name)
{
    int k = name ? name_set_find(&m->sites, name) : -1;
    if (k < 0) {
        scene_tell(m->s, BI_ERROR, e, "there is no site '%.80s'", name ? name : "");
    }
    return k;
}

static const char *name_of(mjcf *m, const xml_element *e, const char *otherwise)
{
    char text[120];
    snprintf(text, sizeof text, "%.100s_hold", xml_get(e, "name") ? xml_get(e, "name") : otherwise);
    return scene_call(m->s, &m->s->elements, e, text);
}

// A point of a body: "{body: arm, at: [0, 0, 1]}"
static void write_point(FILE *out, const scene *s, int body, bi_vec3 pos)
{
    const scene_body *b = &s->body[body];
    char at[112];
    fprintf(out, "{body: %s, at: %s}", b->called, scene_format(at, difference(pos, b->at.pos)));
}

// Bodies without joints may be a part of others in the model: the one that is there.
static int shown(const scene *s, int body)
{
    while (body > 0 && !s->body[body].is_joined && !(s->body[body].mass > 0.0)) {
        body = s->body[body].parent;
    }
    int top = body;
    while (top > 0 && !s->body[top].is_joined) {
        top = s->body[top].parent;
    }
    return top == 0 ? 0 : body;
}

// ---- tendons ---------------------------------------------------------------------------------------------------

void mjcf_write_sum(mjcf *m, FILE *out, const mjcf_tendon *t, double of_length, double of_speed)
{
    bool is_begun = false;
    for (int k = 0; k < t->n_term; k++) {
        const scene_joint *j = &m->s->joint[t->joint[k]];
        char name[160];
        mjcf_write_term(out, of_length * t->factor[k], mjcf_coordinate(j, name), &is_begun);
        snprintf(name, sizeof name, "%.120s.rate", j->called);
        mjcf_write_term(out, of_speed * t->factor[k], name, &is_begun);
    }
    if (!is_begun) {
        fputc('0', out);
    }
}

static void write_tendon_forces(mjcf *m, const mjcf_class *c, const xml_element *e, const mjcf_tendon *t)
{
    double stiffness = mjcf_number(m, c, e, "stiffness", 0.0), damping = mjcf_number(m, c, e, "damping", 0.0);
    double rest[2] = { -1.0, -1.0 }, described = 0.0;
    scene *s = m->s;
    if (!(stiffness > 0.0) && !(damping > 0.0)) {
        return;
    }
    char name[120], text[32];
    snprintf(name, sizeof name, "%.100s_pull", t->name);
    const char *pull = scene_call(s, &s->inputs, e, name);
    FILE *out = s->line[LINES_SIGNALS];
    for (int k = 0; k < t->n_term; k++) {
        described += t->factor[k] * s->joint[t->joint[k]].reference;
    }
    int n = mjcf_numbers(m, c, e, "springlength", 2, rest);
    if (n == 2 && rest[1] != rest[0]) {
        scene_leave(s, e, "springlength", "a range without force; its first number counts");
    }
    double length = n > 0 && rest[0] >= 0.0 ? rest[0] : described;
    fprintf(out, "  %s: \"", pull);
    mjcf_write_sum(m, out, t, -stiffness, -damping);
    bool is_begun = true;
    mjcf_write_term(out, stiffness * length, "", &is_begun);
    fputs("\"\n", out);
    for (int k = 0; k < t->n_term; k++) {
        fprintf(s->line[LINES_FORCES], "  %s_%d: {type: torque, joint: %s, torque: \"%s*%s\"}\n", pull, k + 1,
                s->joint[t->joint[k]].called, number_text(text, t->factor[k]), pull);
    }
}

static void read_fixed(mjcf *m, const mjcf_class *c, const xml_element *e, mjcf_tendon *t)
{
    for (const xml_element *k = e->first; k; k = k->next) {
        int j = strcmp(k->name, "joint") == 0 ? mjcf_find_joint(m, k, "joint") : -1;
        if (j < 0) {
            continue;
        }
        if (strcmp(m->s->joint[j].type, "revolute") != 0 && strcmp(m->s->joint[j].type, "prismatic") != 0) {
            scene_tell(m->s, BI_ERROR, k, "a tendon acts on hinges and slides only");
        } else if (t->n_term == 8) {
            scene_tell(m->s, BI_ERROR, k, "more than 8 joints in a tendon");
        } else {
            t->joint[t->n_term] = j;
            t->factor[t->n_term++] = scene_number(m->s, k, "coef", 0.0);
        }
    }
    if (t->n_term > 0) {
        write_tendon_forces(m, c, e, t);
    }
}

// Between two sites: a spring with a damper.
static void read_spatial(mjcf *m, const mjcf_class *c, const xml_element *e, const mjcf_tendon *t)
{
    int site[2] = { -1, -1 }, n = 0;
    bool is_plain = true;
    for (const xml_element *k = e->first; k; k = k->next) {
        is_plain = is_plain && strcmp(k->name, "site") == 0 && n < 2;
        if (is_plain) {
            site[n++] = mjcf_find_site(m, k, xml_get(k, "site"));
        }
    }
    if (!is_plain || n != 2) {
        scene_leave(m->s, e, NULL, "it runs over more than two sites, or over geoms");
        return;
    }
    double stiffness = mjcf_number(m, c, e, "stiffness", 0.0), damping = mjcf_number(m, c, e, "damping", 0.0);
    double rest[2] = { -1.0, -1.0 };
    if (site[0] < 0 || site[1] < 0 || (!(stiffness > 0.0) && !(damping > 0.0))) {
        return;
    }
    const mjcf_site *a = &m->site[site[0]], *b = &m->site[site[1]];
    bi_vec3 d = difference(a->at.pos, b->at.pos);
    int given = mjcf_numbers(m, c, e, "springlength", 2, rest);
    double length = given > 0 && rest[0] >= 0.0 ? rest[0] : sqrt(dotted(d, d));
    char x[32], y[32], z[32];
    FILE *out = m->s->line[LINES_FORCES];
    fprintf(out, "  %s: {type: spring, a: ", scene_call(m->s, &m->s->elements, e, t->name));
    write_point(out, m->s, shown(m->s, a->body), a->at.pos);
    fputs(", b: ", out);
    write_point(out, m->s, shown(m->s, b->body), b->at.pos);
    fprintf(out, ", stiffness: %s, damping: %s, rest: %s}\n", number_text(x, stiffness),
            number_text(y, damping), number_text(z, length));
}

static void read_tendon(mjcf *m, const xml_element *e)
{
    const mjcf_class *c = mjcf_class_of(m, e, NULL);
    const char *name = xml_get(e, "name");
    mjcf_tendon *all = realloc(m->tendon, ((size_t)m->n_tendon + 1) * sizeof *all);
    char own[40];
    snprintf(own, sizeof own, "tendon%d", m->n_tendon + 1);
    const char *kept = blocks_text(&m->s->memory, name ? name : own, strlen(name ? name : own));
    if (!all) {
        return;
    }
    m->tendon = all;
    if (!kept || name_set_add(&m->tendons, kept, e->line) < 0) {
        scene_tell(m->s, BI_ERROR, e, "there are two tendons of this name");
        return;
    }
    mjcf_tendon *t = &m->tendon[m->n_tendon++];
    *t = (mjcf_tendon){ .element = e, .name = kept };
    if (strcmp(e->name, "fixed") == 0) {
        read_fixed(m, c, e, t);
    } else {
        read_spatial(m, c, e, t);
    }
    mjcf_leave_others(m, e, " name class stiffness damping springlength rgba width material group user ");
}

void mjcf_read_tendons(mjcf *m)
{
    for (const xml_element *e = m->root->first; e; e = e->next) {
        for (const xml_element *k = strcmp(e->name, "tendon") == 0 ? e->first : NULL; k; k = k->next) {
            if (strcmp(k->name, "fixed") == 0 || strcmp(k->name, "spatial") == 0) {
                read_tendon(m, k);
            } else {
                scene_tell(m->s, BI_WARNING, k, "is not known among tendons; left out");
            }
        }
    }
}

// ---- equalities ------------------------------------------------------------------------------------------------

static void read_connect(mjcf *m, const xml_element *e)
{
    scene *s = m->s;
    FILE *out = s->line[LINES_CONSTRAINTS];
    int body[2];
    bi_vec3 at[2];
    if (xml_get(e, "site1")) {
        for (int k = 0; k < 2; k++) {
            int site = mjcf_find_site(m, e, xml_get(e, k ? "site2" : "site1"));
            if (site < 0) {
                return;
            }
            body[k] = m->site[site].body;
            at[k] = m->site[site].at.pos;
        }
    } else {
        double v[3] = { 0 };
        body[0] = mjcf_find_body(m, e, xml_get(e, "body1"));
        body[1] = mjcf_find_body(m, e, xml_get(e, "body2"));
        if (body[0] < 0 || body[1] < 0 || !xml_get(e, "anchor")) {
            if (!xml_get(e, "anchor")) {
                scene_tell(s, BI_ERROR, e, "needs anchor");
            }
            return;
        }
        if (scene_numbers(s, e, "anchor", xml_get(e, "anchor"), 3, 3, v) < 0) {
            return;
        }
        // where the second body has the anchor is known of the file's own description
        const scene_body *first = &s->body[body[0]], *second = &s->body[body[1]];
        frame inner = { { v[0], v[1], v[2] }, no_rotation };
        bi_vec3 described = frame_in(&first->reference, &inner).pos;
        inner.pos = turned_back(&second->reference.rot, difference(described, second->reference.pos));
        at[1] = frame_in(&second->at, &inner).pos;
        inner.pos = (bi_vec3){ v[0], v[1], v[2] };
        at[0] = frame_in(&first->at, &inner).pos;
    }
    fprintf(out, "  %s: {type: coincide, a: ", name_of(m, e, "connect"));
    write_point(out, s, shown(s, body[0]), at[0]);
    fputs(", b: ", out);
    write_point(out, s, shown(s, body[1]), at[1]);
    fputs("}\n", out);
}

static void read_weld(mjcf *m, const xml_element *e)
{
    scene *s = m->s;
    if (!xml_get(e, "body1")) {
        scene_leave(s, e, NULL, "a weld of sites");
        return;
    }
    int a = mjcf_find_body(m, e, xml_get(e, "body1")), b = mjcf_find_body(m, e, xml_get(e, "body2"));
    if (a < 0 || b < 0) {
        return;
    }
    if (xml_get(e, "relpose")) {
        scene_leave(s, e, "relpose", "the bodies are held as they are described");
    }
    char at[112];
    a = shown(s, a);
    b = shown(s, b);
    fprintf(s->line[LINES_JOINTS], "  %s: {type: fixed, bodies: [%s, %s], at: %s, loop: true}\n",
            scene_call(s, &s->joints, e, xml_get(e, "name") ? xml_get(e, "name") : "weld"), s->body[a].called,
            s->body[b].called, scene_format(at, s->body[b].at.pos));
}

// joint1 = ref1 + c0 + c1 x + c2 x^2 ..., x = joint2 - ref2
static void read_joints(mjcf *m, const xml_element *e)
{
    scene *s = m->s;
    double c[5] = { 0.0, 1.0, 0.0, 0.0, 0.0 };
    int a = mjcf_find_joint(m, e, "joint1"), b = xml_get(e, "joint2") ? mjcf_find_joint(m, e, "joint2") : -2;
    const char *text = xml_get(e, "polycoef");
    if (a < 0 || b == -1 || (text && scene_numbers(s, e, "polycoef", text, 1, 5, c) < 0)) {
        return;
    }
    FILE *out = s->line[LINES_CONSTRAINTS];
    const scene_joint *first = &s->joint[a], *second = b >= 0 ? &s->joint[b] : NULL;
    char one[160], two[160], x[32], y[32];
    const char *name = name_of(m, e, "joint");
    mjcf_coordinate(first, one);
    if (!second) {
        fprintf(out, "  %s: {type: guide, joint: %s, value: %s}\n", name, first->called,
                number_text(x, first->reference + c[0]));
        return;
    }
    mjcf_coordinate(second, two);
    if (c[2] == 0.0 && c[3] == 0.0 && c[4] == 0.0) {
        // relations hold from the described places on
        double wanted = first->reference + c[0] - c[1] * second->reference,
               now = first->ref - c[1] * second->ref;
        fprintf(out, "  %s: {type: gear, a: %s, b: %s, ratio: %s, offset: %s}\n", name, two, one,
                number_text(x, c[1]), number_text(y, wanted - now));
        return;
    }
    fprintf(out, "  %s: {type: expression, zero: \"%s - (%s)", name, one,
            number_text(x, first->reference + c[0]));
    for (int k = 1; k < 5; k++) {
        if (c[k] != 0.0) {
            fprintf(out, " - (%s)*(%s - (%s))^%d", number_text(x, c[k]), two,
                    number_text(y, second->reference), k);
        }
    }
    fputs("\"}\n", out);
}

static void read_tendons_equal(mjcf *m, const xml_element *e)
{
    int k[2];
    double c[5] = { 0.0, 1.0, 0.0, 0.0, 0.0 };
    const char *text = xml_get(e, "polycoef");
    for (int i = 0; i < 2; i++) {
        const char *name = xml_get(e, i ? "tendon2" : "tendon1");
        k[i] = name ? name_set_find(&m->tendons, name) : -2;
        if (k[i] == -1) {
            scene_tell(m->s, BI_ERROR, e, "there is no tendon '%.80s'", name);
            return;
        }
    }
    if (text && scene_numbers(m->s, e, "polycoef", text, 1, 5, c) < 0) {
        return;
    }
    int n = 0;
    for (int i = 0; i < 2; i++) {
        n += k[i] >= 0 ? m->tendon[k[i]].n_term : 0;
    }
    if (k[0] < 0 || n == 0 || n > 8 || m->tendon[k[0]].n_term == 0 ||
        (k[1] >= 0 && m->tendon[k[1]].n_term == 0) || c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0) {
        scene_leave(m->s, e, NULL, "tendons over sites, more than 8 joints, or powers");
        return;
    }
    FILE *out = m->s->line[LINES_CONSTRAINTS];
    char x[32], coordinate[160];
    fprintf(out, "  %s: {type: coupling, terms: {", name_of(m, e, "tendon"));
    const char *comma = "";
    double offset = c[0];
    for (int i = 0; i < 2 && k[i] >= 0; i++) {
        const mjcf_tendon *t = &m->tendon[k[i]];
        for (int l = 0; l < t->n_term; l++) {
            fprintf(out, "%s%s: %s", comma, mjcf_coordinate(&m->s->joint[t->joint[l]], coordinate),
                    number_text(x, t->factor[l] * (i ? -c[1] : 1.0)));
            comma = ", ";
            const scene_joint *j = &m->s->joint[t->joint[l]];
            offset += t->factor[l] * (i ? -c[1] : 1.0) * (j->reference - j->ref);
        }
    }
    fprintf(out, "}, offset: %s}\n", number_text(x, offset));
}

static void read_equality(mjcf *m, const xml_element *e)
{
    const mjcf_class *c = mjcf_class_of(m, e, NULL);
    if (!mjcf_flag(m, c, e, "active", true)) {
        scene_leave(m->s, e, NULL, "it is not active");
    } else if (strcmp(e->name, "connect") == 0) {
        read_connect(m, e);
    } else if (strcmp(e->name, "weld") == 0) {
        read_weld(m, e);
    } else if (strcmp(e->name, "joint") == 0) {
        read_joints(m, e);
    } else if (strcmp(e->name, "tendon") == 0) {
        read_tendons_equal(m, e);
    } else {
        scene_tell(m->s, BI_WARNING, e, "has no counterpart among constraints; left out");
    }
    mjcf_leave_others(
        m, e,
        " name class active body1 body2 anchor site1 site2 relpose joint1 joint2 tendon1 tendon2 polycoef "
        "solref solimp torquescale ");
}

void mjcf_read_equalities(mjcf *m)
{
    bool has_told = false;
    for (const xml_element *e = m->root->first; e; e = e->next) {
        for (const xml_element *k = strcmp(e->name, "equality") == 0 ? e->first : NULL; k; k = k->next) {
            if (scene_without(m->s, BI_WITHOUT_CONSTRAINTS)) {
                continue;
            }
            if (!has_told) {
                scene_tell(
                    m->s, BI_NOTE, k,
                    "equalities hold exactly here; solref and solimp, which make them soft, mean nothing");
                has_told = true;
            }
            read_equality(m, k);
        }
    }
}

// ---- contacts --------------------------------------------------------------------------------------------------

void mjcf_read_contacts(mjcf *m)
{
    for (const xml_element *e = m->root->first; e; e = e->next) {
        for (const xml_element *k = strcmp(e->name, "contact") == 0 ? e->first : NULL; k; k = k->next) {
            if (strcmp(k->name, "exclude") == 0) {
                int a = mjcf_find_body(m, k, xml_get(k, "body1")),
                    b = mjcf_find_body(m, k, xml_get(k, "body2"));
                if (a >= 0 && b >= 0) {
                    scene_exclude(m->s, a, b);
                }
            } else {
                scene_leave(m->s, k, NULL, "contacts follow from contype and conaffinity");
            }
        }
    }
}
