// SPDX-License-Identifier: MIT
// Force laws between bodies and on joints, inputs and signals.
#include "mechanism.h"
#include <string.h>

static void add_effort_output(part *p, const char *name)
{
    field_add(entry_add(p, IN_OUTPUTS, "E_%s", name), "effort: %s", name);
}

static entry *force_entry(mechanism *m, part *p, const char *type)
{
    entry *e = entry_add(p, IN_FORCES, "f%d", part_index(m, p));
    field_add(e, "type: %s", type);
    return e;
}

// ---- between bodies ------------------------------------------------------------------------------------------------------

static void add_spring(mechanism *m, part *p, int a, int b)
{
    chance *c = &m->chance;
    made_point from = pick_point(m, a), to = pick_point(m, b);
    entry *e = force_entry(m, p, "spring");
    field_add(e, "a: %s", from.text);
    field_add(e, "b: %s", to.text);
    if (chance_is(c, 0.2)) {
        field_add(e, "table: {points: [[-1, %g], [0, 0], [1, %g]], interpolation: %s, outside: extrapolate}",
                  -chance_size(c, 20, 500), chance_size(c, 20, 500),
                  chance_is(c, 0.5) ? "monotone" : "linear");
    } else {
        field_add(e, "stiffness: %g", chance_size(c, 10, 5000));
        field_maybe(e, "rest: %g", chance_length(c, 0, 1));
    }
    field_maybe(e, "damping: %g", chance_size(c, 0.1, 50));
    if (chance_is(c, 0.2)) {
        field_maybe(e, "only: %s", chance_is(c, 0.5) ? "tension" : "compression");
    }
    if (chance_is(c, 0.2)) {
        field_maybe(e, "preload: %g", chance_length(c, -20, 20));
    }
}

static void add_bushing(mechanism *m, part *p, int a, int b)
{
    chance *c = &m->chance;
    made_point to = pick_point(m, b), from = point_at(m, a, to.ground);
    double k = chance_size(c, 50, 5000), kt = chance_size(c, 1, 100);
    entry *e = force_entry(m, p, "bushing");
    field_add(e, "a: %s", from.text);
    field_add(e, "b: %s", to.text);
    field_add(e, "stiffness: [%g, %g, %g, %g, %g, %g]", k, k, 2 * k, kt, kt, 0.5 * kt);
    field_maybe(e, "damping: [%g, %g, %g, %g, %g, %g]", 0.01 * k, 0.01 * k, 0.01 * k, 0.01 * kt, 0.01 * kt,
                0.01 * kt);
}

static void add_push(mechanism *m, part *p, int b)
{
    chance *c = &m->chance;
    char x[128], y[128];
    made_point at = pick_point(m, b);
    entry *e = force_entry(m, p, "force");
    write_expression(m, p, chance_size(c, 0.5, 50), x, sizeof x);
    write_expression(m, p, chance_size(c, 0.5, 50), y, sizeof y);
    field_add(e, "point: %s", at.text);
    field_maybe(e, "fx: %s", x);
    field_maybe(e, "f%c: %s", m->is_plane || chance_is(c, 0.5) ? 'y' : 'z', y);
    if (chance_is(c, 0.4)) {
        field_maybe(e, "axes: body");
    }
}

static void add_body_torque(mechanism *m, part *p, int b)
{
    chance *c = &m->chance;
    char text[128];
    write_expression(m, p, chance_size(c, 0.1, 10), text, sizeof text);
    entry *e = force_entry(m, p, "torque-on-body");
    field_add(e, "body: %s", m->body[b].name);
    field_add(e, "m%c: %s", m->is_plane ? 'z' : 'x' + chance_below(c, 3), text);
    if (chance_is(c, 0.4)) {
        field_maybe(e, "axes: body");
    }
}

static void add_drag(mechanism *m, part *p, int b)
{
    chance *c = &m->chance;
    made_point at = pick_point(m, b);
    entry *e = force_entry(m, p, "drag");
    field_add(e, "point: %s", at.text);
    field_maybe(e, "area: %g, coefficient: %g", chance_length(c, 0.1, 2), chance_length(c, 0.2, 1.2));
    field_maybe(e, "linear: %g", chance_length(c, 0, 5));
    field_maybe(e, "wind: [%g, %g, 0]", chance_length(c, -5, 5), chance_length(c, -5, 5));
}

// A point against a plane a little below it.
static void add_point_contact(mechanism *m, part *p, int b)
{
    chance *c = &m->chance;
    made_point at = pick_point(m, b);
    entry *e = force_entry(m, p, "point-contact");
    double mass = chance_size(c, 0.5, 5);
    field_add(e, "point: %s, plane: [0, 0, %.12g]", at.text, at.ground[2] - chance_length(c, 0.01, 0.1));
    field_add(e, "stiffness: %g, mass: %g", mass * chance_size(c, 1000, 10000), mass);
    field_maybe(e, "damping: %g", mass * chance_size(c, 1, 50));
    field_maybe(e, "friction: %g", chance_length(c, 0.1, 0.8));
}

void add_law(mechanism *m)
{
    part *p = m->n_body < 2 ? NULL : part_add(m);
    if (!p) {
        return;
    }
    int b = pick_body(m), a = pick_other(m, b);
    part_needs(p, m->body[b].part);
    int kind = chance_below(&m->chance, m->is_plane ? 6 : 7);
    if (kind <= 2) {
        part_needs(p, m->body[a].part);
    }
    switch (m->body[a].is_flexible || m->body[b].is_flexible ? 3 : kind) {
    case 0:
    case 1: add_spring(m, p, a, b); break;
    case 2: add_bushing(m, p, a, b); break;
    case 3: add_push(m, p, b); break;
    case 4: add_body_torque(m, p, b); break;
    case 6: add_point_contact(m, p, b); break;
    default: add_drag(m, p, b); break;
    }
    char name[24];
    snprintf(name, sizeof name, "%s", p->entry[0].name);
    if (kind <= 1) {
        add_effort_output(p, name);
    }
}

// ---- on joints ---------------------------------------------------------------------------------------------------------------

static void add_torsion_spring(chance *c, entry *e, const made_joint *j)
{
    field_add(e, "type: torsion-spring, joint: %s", j->coordinate);
    field_maybe(e, "stiffness: %g", chance_size(c, 1, j->is_angle ? 100 : 2000));
    field_maybe(e, "damping: %g", chance_size(c, 0.01, 5));
    field_maybe(e, "rest: %g", chance_length(c, -0.5, 0.5));
}

static void add_stop(chance *c, entry *e, const made_joint *j)
{
    field_add(e, "type: stop, joint: %s", j->coordinate);
    field_add(e, "lower: %g, upper: %g", j->is_zero ? chance_length(c, -0.5, -0.02) : -100.0,
              j->is_zero ? chance_length(c, 0.02, 0.5) : 100.0);
    field_add(e, "stiffness: %g", chance_size(c, 50, 2000));
    field_maybe(e, "damping: %g", chance_size(c, 0.1, 20));
    if (chance_is(c, 0.5)) {
        field_maybe(e, "smooth: %g", chance_length(c, 0.01, 0.05));
    }
}

static void add_friction(chance *c, entry *e, const made_joint *j)
{
    field_add(e, "type: joint-friction, joint: %s", j->coordinate);
    field_add(e, "coulomb: %g", chance_size(c, 0.05, 5));
    field_add(e, "inertia: %g", chance_size(c, 0.02, 0.3));
    field_maybe(e, "viscous: %g", chance_size(c, 0.01, 2));
    if (chance_is(c, 0.3)) {
        field_maybe(e, "breakaway: %g", chance_length(c, 5, 8));
        field_maybe(e, "stribeck: %g", chance_length(c, 0.05, 0.5));
    }
}

static void add_motor(mechanism *m, part *p, entry *e, const made_joint *j)
{
    chance *c = &m->chance;
    char text[128];
    write_expression(m, p, chance_size(c, 0.2, 10), text, sizeof text);
    bool is_speed = chance_is(c, 0.5);
    field_add(e, "type: motor, joint: %s", j->coordinate);
    field_add(e, "control: %s, command: %s", is_speed ? "speed" : "torque", text);
    if (is_speed) {
        field_add(e, "gain: %g", chance_size(c, 0.1, 20));
    }
    if (chance_is(c, 0.5)) {
        field_maybe(e, "torque_limit: %g", chance_size(c, 1, 50));
    }
    if (chance_is(c, 0.3)) {
        field_maybe(e, "power_limit: %g", chance_size(c, 1, 100));
    }
    if (chance_is(c, 0.4)) {
        field_maybe(e, "time: %g", chance_length(c, 0.01, 0.2));
    }
}

static void add_brake(mechanism *m, part *p, entry *e, const made_joint *j)
{
    char text[128];
    write_expression(m, p, 1.0, text, sizeof text);
    field_add(e, "type: brake, joint: %s", j->coordinate);
    field_add(e, "command: %s", chance_is(&m->chance, 0.5) ? "1" : text);
    field_add(e, "torque: %g", chance_size(&m->chance, 0.1, 20));
    field_add(e, "inertia: %g", chance_size(&m->chance, 0.02, 0.3));
}

void add_joint_law(mechanism *m)
{
    const made_joint *j = pick_joint(m);
    part *p = j ? part_add(m) : NULL;
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    char text[128];
    part_needs(p, j->part);
    entry *e = entry_add(p, IN_FORCES, "f%d", part_index(m, p));
    const char *dot = strchr(j->coordinate, '.');
    switch (chance_below(c, 7)) {
    case 0: add_torsion_spring(c, e, j); break;
    case 1: add_stop(c, e, j); break;
    case 2: add_friction(c, e, j); break;
    case 3: add_motor(m, p, e, j); break;
    case 4: add_brake(m, p, e, j); break;
    case 5:
        write_expression(m, p, chance_size(c, 2, 24), text, sizeof text);
        field_add(e, "type: dc-motor, joint: %s, coordinate: %s", j->name, dot + 1);
        field_add(e, "voltage: %s, resistance: %g", text, chance_size(c, 0.2, 5));
        field_add(e, "inductance: %g, constant: %g", chance_size(c, 1e-3, 0.05), chance_size(c, 0.02, 1));
        break;
    default:
        write_expression(m, p, chance_size(c, 0.2, 20), text, sizeof text);
        field_add(e, "type: torque, joint: %s, coordinate: %s, torque: %s", j->name, dot + 1, text);
        break;
    }
    add_effort_output(p, e->name);
}

// ---- inputs and signals --------------------------------------------------------------------------------------------------------

static void note_value(mechanism *m, part *p, const char *name)
{
    made_value *v = &m->value[m->n_value++];
    v->part = part_index(m, p);
    snprintf(v->name, sizeof v->name, "%s", name);
}

void add_input(mechanism *m)
{
    part *p = m->n_value < VALUES_MOST ? part_add(m) : NULL;
    if (!p) {
        return;
    }
    entry *e = entry_add(p, IN_INPUTS, "u%d", m->n_value);
    field_add(e, "initial: %g", chance_length(&m->chance, -1, 1));
    note_value(m, p, e->name);
}

static void add_lever(mechanism *m, entry *e, const char *text)
{
    chance *c = &m->chance;
    field_add(e, "type: actuator, input: %s", text);
    field_add(e, "speed: %g, acceleration: %g", chance_length(c, 0.2, 2), chance_length(c, 0.5, 10));
    if (chance_is(c, 0.4)) {
        field_maybe(e, "servo: true");
    }
    if (chance_is(c, 0.4)) {
        field_maybe(e, "lower: %g, upper: %g", -0.2, 0.2);
    }
}

static void add_pid(mechanism *m, part *p, entry *e, const char *text)
{
    chance *c = &m->chance;
    const made_joint *j = pick_joint(m);
    if (j) {
        part_needs(p, j->part);
    }
    field_add(e, "type: pid, setpoint: %s, measured: %s", text, j ? j->coordinate : "0*t");
    field_add(e, "proportional: %g", chance_size(c, 0.2, 5));
    field_maybe(e, "integral: %g", chance_size(c, 0.1, 10));
    field_maybe(e, "derivative: %g", chance_size(c, 0.01, 0.3));
    if (chance_is(c, 0.4)) {
        field_maybe(e, "lower: %g, upper: %g", -1.0, 1.0);
    }
}

// The effort of a law that is there.
static bool add_effort(mechanism *m, part *p, entry *e)
{
    for (int k = 0; k < m->n_part; k++) {
        const part *q = &m->part[k];
        const entry *last = &q->entry[q->n_entry > 0 ? q->n_entry - 1 : 0];
        if (q->n_entry > 0 && strncmp(last->name, "E_f", 3) == 0 && chance_is(&m->chance, 0.5)) {
            part_needs(p, k);
            field_add(e, "type: effort, of: %s", last->name + 2);
            field_maybe(e, "time: %g", chance_length(&m->chance, 0.02, 0.1));
            return true;
        }
    }
    return false;
}

static void fill_signal(mechanism *m, part *p, entry *e)
{
    chance *c = &m->chance;
    char text[128];
    write_expression(m, p, 1.0, text, sizeof text);
    if (chance_is(c, 0.15) && add_effort(m, p, e)) {
        return;
    }
    switch (chance_below(c, 10)) {
    case 9:
        field_add(e, "type: path, x: %s, y: 0.1*t, yaw: 0*t, speed: 1, points: [[0, 0], [5, 0], [9, 2]]",
                  text);
        field_add(e, "wheelbase: %g, reach: %g", chance_length(c, 1, 3), chance_length(c, 0.5, 2));
        break;
    case 0: field_add(e, "type: expr, value: %s", text); break;
    case 1:
        field_add(e, "type: filter, input: %s, time: %g", text, chance_length(c, 0.02, 0.3));
        if (chance_is(c, 0.5)) {
            field_maybe(e, "order: 2, damping: %g", chance_length(c, 0.3, 1));
        }
        break;
    case 2: field_add(e, "type: rate-limit, input: %s, rising: %g", text, chance_length(c, 0.5, 5)); break;
    case 3: add_pid(m, p, e, text); break;
    case 4:
        field_add(e, "type: switch, input: %s, on: %g, off: %g", text, chance_length(c, 0.2, 0.5),
                  chance_length(c, -0.2, 0.2));
        break;
    case 5: field_add(e, "type: delay, input: %s, time: %g", text, chance_length(c, 0.02, 0.1)); break;
    case 6: add_lever(m, e, text); break;
    case 7: field_add(e, "type: count, input: %s, upper: 3", text); break;
    default:
        field_add(e, "type: table, input: %s, table: {points: [[-1, %g], [0, 0], [0.5, %g], [1, 1]]}", text,
                  chance_length(c, -1, 1), chance_length(c, -1, 1));
        break;
    }
}

void add_signal(mechanism *m)
{
    part *p = m->n_value < VALUES_MOST ? part_add(m) : NULL;
    if (!p) {
        return;
    }
    entry *e = entry_add(p, IN_SIGNALS, "s%d", m->n_value);
    fill_signal(m, p, e);
    field_add(entry_add(p, IN_OUTPUTS, "V_%s", e->name), "expr: %s", e->name);
    note_value(m, p, e->name);
}
