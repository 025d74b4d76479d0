// SPDX-License-Identifier: MIT
// Constraints beyond joints. All are closed where the bodies stand.
#include "mechanism.h"
#include <string.h>

static bool is_guidable(const made_joint *j) { return j->is_zero && j->coordinate[0] && !j->is_guided; }
static bool has_one(const made_joint *j) { return j->coordinate[0] != 0; }
static bool turns(const made_joint *j) { return j->coordinate[0] && j->is_angle; }
static bool slides(const made_joint *j) { return j->coordinate[0] && strstr(j->coordinate, ".position"); }

// A guide says how fast its joint is.
static void drop_rate(part *p)
{
    for (int i = 0; i < p->n_entry; i++) {
        for (int f = 0; f < p->entry[i].n_field; f++) {
            field *r = &p->entry[i].field[f];
            r->is_dropped |= strncmp(r->text, "rate:", 5) == 0;
        }
    }
}

static bool add_guide(mechanism *m, part *p, entry *e)
{
    made_joint *j = pick_of(m, is_guidable);
    if (!j) {
        return false;
    }
    chance *c = &m->chance;
    j->is_guided = true;
    part_needs(p, j->part);
    drop_rate(&m->part[j->part]);
    const char *dot = strchr(j->coordinate, '.');
    field_add(e, "type: guide, joint: %s, coordinate: %s", j->name, dot + 1);
    double w = chance_length(c, 1, 10), size = chance_length(c, 0.05, 0.4);
    if (m->n_value > 0 && m->value[0].name[0] == 'u' && chance_is(c, 0.4)) {
        part_needs(p, m->value[0].part);
        field_add(e, "value: 0.1*%s, smooth: %g", m->value[0].name, chance_length(c, 0.05, 0.2));
    } else if (chance_is(c, 0.5)) {
        field_add(e, "value: \"%g*(1 - cos(%g*t))\"", size, w);
    } else {
        field_add(e, "value: \"%g*sin(%g*t)\"", size, w);
    }
    return true;
}

static bool add_relation(mechanism *m, part *p, entry *e)
{
    chance *c = &m->chance;
    int kind = chance_below(c, 3);
    const made_joint *a = pick_of(m, kind == 1 ? turns : has_one),
                     *b = pick_of(m, kind == 1 ? slides : has_one);
    if (!a || !b || a == b) {
        return false;
    }
    part_needs(p, a->part);
    part_needs(p, b->part);
    double ratio = chance_length(c, -2, 2);
    ratio = ratio == 0.0 ? 1.0 : ratio;
    if (kind == 0) {
        field_add(e, "type: gear, a: %s, b: %s, ratio: %g", a->coordinate, b->coordinate, ratio);
    } else if (kind == 1) {
        field_add(e, "type: rack, pinion: %s, rack: %s, radius: %g", a->coordinate, b->coordinate,
                  0.1 * ratio);
    } else {
        field_add(e, "type: coupling, terms: {%s: 1, %s: %g}", a->coordinate, b->coordinate, ratio);
    }
    return true;
}

// ---- points and directions -----------------------------------------------------------------------------------------------------

static void add_curve(mechanism *m, entry *e, const made_point *at, const made_point *on, const char *carrier)
{
    const double *o = on->local;
    double bend = chance_length(&m->chance, -0.4, 0.4);
    char text[FIELD_TEXT - 64] = "";
    for (int k = -2; k <= 2; k++) {
        size_t used = strlen(text);
        double s = 0.3 * k;
        snprintf(text + used, sizeof text - used, "%s[%.12g, %.12g, %.12g]", k > -2 ? ", " : "", o[0] + s,
                 o[1] + bend * s * s, o[2]);
    }
    field_add(e, "type: point-on-curve, point: %s, body: %s", at->text, carrier);
    field_add(e, "points: [%s]", text);
}

static void add_expression(mechanism *m, entry *e, const made_point *at)
{
    chance *c = &m->chance;
    field_add(e, "type: expression, points: {P: %s}", at->text);
    field_add(e, "zero: \"(P.x - %.15g) - %g*(P.y - %.15g) + %g*(P.x - %.15g)^2\"", at->ground[0],
              chance_length(c, -1, 1), at->ground[1], chance_length(c, -1, 1), at->ground[0]);
}

static void add_dot(mechanism *m, entry *e, int a, int b)
{
    double u[3], v[3];
    pick_direction(m, u);
    pick_direction(m, v);
    made_point from = pick_point(m, a), to = pick_point(m, b);
    field_add(e, "type: dot, u: {body: %s, along: [%g, %g, %g]}", m->body[a].name, u[0], u[1], u[2]);
    if (chance_is(&m->chance, 0.5)) {
        field_add(e, "v: {body: %s, along: [%g, %g, %g]}", m->body[b].name, v[0], v[1], v[2]);
    } else {
        field_add(e, "a: %s, b: %s", from.text, to.text);
    }
}

static void add_on_velocity(mechanism *m, entry *e, const made_point *at)
{
    chance *c = &m->chance;
    if (chance_is(c, 0.5)) {
        field_add(e, "type: knife-edge, point: %s", at->text);
        field_maybe(e, "along: [%d, 1, 0]", chance_below(c, 3) - 1);
    } else {
        field_add(e, "type: velocity-expression, a: %s", at->text);
        field_add(e, "velocity: \"a.v%c - %g*a.v%c\"", chance_is(c, 0.5) ? 'x' : 'z', chance_length(c, -1, 1),
                  'y');
    }
}

static void add_of_points(mechanism *m, part *p, entry *e)
{
    int b = pick_body(m), a = pick_other(m, b);
    made_point at = pick_point(m, b), on = point_at(m, a, at.ground), other = pick_point(m, a);
    double n[3];
    pick_direction(m, n);
    part_needs(p, m->body[b].part);
    part_needs(p, m->body[a].part);
    switch (chance_below(&m->chance, 8)) {
    case 0: field_add(e, "type: distance, a: %s, b: %s", other.text, at.text); break;
    case 1: add_dot(m, e, a, b); break;
    case 2: field_add(e, "type: coincide, a: %s, b: %s", on.text, at.text); break;
    case 3:
        field_add(e, "type: in-plane, point: %s, plane: %s", at.text, on.text);
        field_add(e, "normal: [%g, %g, %g]", n[0], n[1], n[2]);
        break;
    case 4:
        field_add(e, "type: on-line, point: %s, line: %s", at.text, on.text);
        field_add(e, "direction: [%g, %g, %g]", n[0], n[1], n[2]);
        break;
    case 5: add_curve(m, e, &at, &on, m->body[a].name); break;
    case 6: add_expression(m, e, &at); break;
    default: add_on_velocity(m, e, &at); break;
    }
}

static bool has_flexible(const mechanism *m)
{
    bool has = false;
    for (int k = 0; k < m->n_body; k++) {
        has |= m->body[k].is_flexible;
    }
    return has;
}

void add_constraint(mechanism *m)
{
    part *p = m->n_body < 2 ? NULL : part_add(m);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    entry *e = entry_add(p, IN_CONSTRAINTS, "c%d", part_index(m, p));
    int kind = chance_below(c, 4);
    bool done = kind == 0 ? add_guide(m, p, e) : kind == 1 ? add_relation(m, p, e) : !has_flexible(m);
    if (!done) {
        m->n_part--;
        return;
    }
    if (kind > 1) {
        add_of_points(m, p, e);
    }
    if (chance_is(c, 0.08)) {
        field_maybe(e, "active: %g - t", chance_length(c, 0.03, 0.1));
    }
    field_add(entry_add(p, IN_OUTPUTS, "E_%s", e->name), "effort: %s", e->name);
}
