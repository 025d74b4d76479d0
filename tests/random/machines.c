// SPDX-License-Identifier: MIT
// Parts that bring their own bodies: contact, wheels, tyres, cams, flexible bars; and bond graphs with a port.
#include "mechanism.h"
#include <string.h>

static part *own_part(mechanism *m, int bodies, int joints)
{
    bool is_full = m->n_body + bodies > BODIES_MOST || m->n_joint + joints > JOINTS_MOST;
    return is_full ? NULL : part_add(m);
}

static void add_point_output(part *p, const char *name)
{
    field_add(entry_add(p, IN_OUTPUTS, "%s_p", name), "point: {body: %s, at: [0.1, 0, 0.05]}", name);
    field_add(entry_add(p, IN_OUTPUTS, "%s_q", name), "point: {body: %s, at: [0, 0.1, 0]}", name);
}

static entry *own_body(mechanism *m, part *p, const double at[3])
{
    char name[24];
    snprintf(name, sizeof name, "b%d", m->n_body);
    body_new(m, p, name, at);
    entry *e = entry_add(p, IN_BODIES, "%s", name);
    field_add(e, "at: [%.12g, %.12g, %.12g]", at[0], at[1], at[2]);
    return e;
}

static made_joint *own_joint(mechanism *m, part *p, const char *type, int a, int b, const char *rest)
{
    entry *e = entry_add(p, IN_JOINTS, "j%d", m->n_joint);
    field_add(e, "type: %s, bodies: [%s, %s], %s", type, m->body[a].name, m->body[b].name, rest);
    return joint_new(m, p, e->name);
}

// ---- contact ---------------------------------------------------------------------------------------------------------------

// A shape with its lowest point below the body's origin by what is returned.
static double add_shape(mechanism *m, entry *e, double size)
{
    switch (chance_below(&m->chance, 6)) {
    case 0: field_add(e, "type: box, size: [%g, %g, %g]", 3 * size, 2.4 * size, 2 * size); return size;
    case 1:
        field_add(e, "type: capsule, radius: %g, length: %g, turn: {y: 1.5707963267948966}", size, 2 * size);
        return size;
    case 2: field_add(e, "type: cylinder, radius: %g, length: %g", size, 2 * size); return size;
    case 3: field_add(e, "type: torus, radius: %g, ring: %g", size, 3 * size); return size;
    case 4: field_add(e, "type: ellipsoid, half_axes: [%g, %g, %g]", 2 * size, 1.5 * size, size); return size;
    default: field_add(e, "type: sphere, radius: %g", size); return size;
    }
}

static void add_floor(mechanism *m, entry *e, double x)
{
    switch (chance_below(&m->chance, 5)) {
    case 0:
    case 1: field_add(e, "type: plane"); break;
    case 2:
        field_add(e, "type: field, surface: 0.02*cos(3*x) - 0.02, from: [%g, -2], to: [%g, 2]", x - 2, x + 2);
        field_add(e, "spacing: 0.1");
        field_maybe(e, "smooth: true");
        break;
    default: field_add(e, "type: box, size: [3, 3, 0.4], at: [%g, 0, -0.2]", x); break;
    }
}

static void add_contact_law(mechanism *m, part *p, const char *a, const char *b, double mass)
{
    chance *c = &m->chance;
    entry *e = entry_add(p, IN_FORCES, "f%d", part_index(m, p));
    double k = mass * chance_size(c, 2000, 20000);
    field_add(e, "type: contact, a: %s, b: %s, stiffness: %g", a, b, k);
    if (chance_is(c, 0.3)) {
        field_maybe(e, "law: hertz, restitution: %g", chance_length(c, 0.2, 0.9));
    } else {
        field_maybe(e, "damping: %g", 0.005 * k);
        field_maybe(e, "smooth: 0.001");
    }
    field_maybe(e, "friction: %g", chance_length(c, 0.1, 0.8));
    if (chance_is(c, 0.2)) {
        field_maybe(e, "sliding: %g", chance_length(c, 0.6, 0.9));
    }
    field_add(entry_add(p, IN_OUTPUTS, "C_%s", e->name), "contact: %s, only: normal", e->name);
}

// Two bodies without weight that fly into each other.
void add_collision(mechanism *m)
{
    part *p = own_part(m, 2, 0);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    double size = chance_length(c, 0.05, 0.15), x = m->aside, apart = 6 * size + 0.03;
    char shape[2][24];
    for (int k = 0; k < 2; k++) {
        entry *e = own_body(m, p, (double[3]){ x + k * apart, 0.3 * k * size, 0 });
        field_add(e, "mass: %g, inertia: {sphere: %g}", chance_size(c, 0.5, 3), size);
        field_add(e, "velocity: [%g, 0, 0]", k == 0 ? chance_length(c, 0.2, 1) : -chance_length(c, 0.2, 1));
        const char *name = m->body[m->n_body - 1].name;
        entry *s = entry_add(p, IN_SHAPES, "sh_%s", name);
        field_add(s, "body: %s", name);
        add_shape(m, s, size);
        snprintf(shape[k], sizeof shape[k], "%.20s", s->name);
        add_point_output(p, name);
    }
    add_contact_law(m, p, shape[0], shape[1], 0.5);
    m->aside += 4.0;
}

void add_contact(mechanism *m)
{
    part *p = m->is_plane ? NULL : own_part(m, 1, 1);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    double size = chance_length(c, 0.05, 0.15), mass = chance_size(c, 0.3, 5), x = m->aside;
    double gap = chance_is(c, 0.5) ? 0.0 : chance_length(c, 0.01, 0.04);
    double at[3] = { x, 0, size + gap };
    entry *e = own_body(m, p, at);
    field_add(e, "mass: %g, inertia: {box: [%g, %g, %g]}", mass, 2 * size, 1.5 * size, 2 * size);
    if (m->is_moving) {
        field_maybe(e, "velocity: [%g, %g, %g]", chance_length(c, -1, 1), chance_length(c, -0.5, 0.5),
                    gap > 0.0 ? chance_length(c, -0.5, 0.2) : 0.0);
    }
    made_body *b = &m->body[m->n_body - 1];
    entry *shape = entry_add(p, IN_SHAPES, "sh_%s", b->name),
          *ground = entry_add(p, IN_SHAPES, "fl_%s", b->name);
    field_add(shape, "body: %s", b->name);
    add_shape(m, shape, size);
    add_floor(m, ground, x);
    add_contact_law(m, p, shape->name, ground->name, mass);
    if (chance_is(c, 0.2)) {
        own_joint(m, p, "planar", 0, m->n_body - 1, "at: [0, 0, 0], axis: [0, 1, 0]");
    }
    if (chance_is(c, 0.2)) {
        entry *ice = entry_add(p, IN_PATCHES, "ice_%s", b->name);
        field_add(ice, "at: [%g, 0, 0], size: [0.2, 3], friction: 0.2", x);
    }
    add_point_output(p, b->name);
    m->aside += 4.0;
}

// ---- wheels -----------------------------------------------------------------------------------------------------------------

void add_wheel(mechanism *m)
{
    part *p = m->is_plane ? NULL : own_part(m, 1, 1);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    double r = chance_length(c, 0.2, 0.5), v = m->is_moving ? chance_length(c, 0.5, 4) : 0.0;
    entry *e = own_body(m, p, (double[3]){ m->aside, 0, r });
    field_add(e, "mass: %g, inertia: {cylinder: [%g, 0.05], axis: y}", chance_size(c, 0.5, 10), r);
    field_maybe(e, "velocity: [%g, 0, 0], spin: [0, %.15g, 0]", v, v / r);
    char name[24];
    snprintf(name, sizeof name, "%s", m->body[m->n_body - 1].name);
    if (chance_is(c, 0.5)) {
        own_joint(m, p, "free", 0, m->n_body - 1, "angles: zxy");
    }
    entry *roll = entry_add(p, IN_CONSTRAINTS, "c%d", part_index(m, p));
    field_add(roll, "type: rolling, body: %s, radius: %g", name, r);
    if (chance_is(c, 0.4)) {
        field_maybe(roll, "section: %g", 0.2 * r);
    }
    field_add(entry_add(p, IN_OUTPUTS, "E_%s", roll->name), "effort: %s", roll->name);
    char text[128];
    write_expression(m, p, 2.0, text, sizeof text);
    entry *push = entry_add(p, IN_FORCES, "f%d", part_index(m, p));
    field_add(push, "type: torque-on-body, body: %s, my: %s", name, text);
    add_point_output(p, name);
    m->aside += 6.0;
}

static void add_tyre_law(mechanism *m, entry *e, double load)
{
    chance *c = &m->chance;
    double mu = chance_length(c, 0.5, 1.1), peak = mu * load;
    switch (chance_below(c, 4)) {
    case 0:
        field_add(e, "type: tyre-linear, friction: %g, critical_slip: %g", mu, chance_length(c, 0.1, 0.3));
        break;
    case 1:
        field_add(e, "type: tyre-tmeasy, nominal_load: %.3g", load);
        field_add(e, "longitudinal: [%.3g, %.3g, 0.12, %.3g, 0.5], lateral: [%.3g, %.3g, 0.2, %.3g, 0.6]",
                  20 * peak, peak, 0.8 * peak, 12 * peak, 0.95 * peak, 0.85 * peak);
        field_maybe(e, "trail: 0.15");
        break;
    case 2:
        field_add(e, "type: tyre-lean, friction: %g", mu);
        field_maybe(e, "critical_angle: %g", chance_length(c, 0.05, 0.2));
        break;
    default:
        field_add(e, "type: tyre-pacejka, lateral: [1.3, -22.1, 1011, 1078, 1.82, 0.208, 0, -0.354]");
        field_add(e, "adhesion: [1.12, 40.4, 0.625, 1]");
        break;
    }
    field_add(e, "stiffness_x: 5e4, damping_x: 200, stiffness_y: 4e4, damping_y: 200");
}

void add_tyre(mechanism *m)
{
    part *p = m->is_plane ? NULL : own_part(m, 3, 3);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    double g = fabs(m->gravity[2]), r = chance_length(c, 0.25, 0.4), mass = chance_size(c, 60, 400),
           k = 1.5e5;
    double x = m->aside, v = m->is_moving ? chance_length(c, 1, 12) : 0.0, depth = (mass + 10) * g / k;
    double at[3] = { x, 0, r - depth };
    char text[128], joint[96];
    snprintf(joint, sizeof joint, "at: [%g, 0, 1], axis: [%d, %d, 0]", x, 1, chance_below(c, 2));
    int first = m->n_body;
    entry *e = own_body(m, p, (double[3]){ x, 0, 1 });
    field_add(e, "mass: 5, inertia: [1, 1, 1]");
    field_add(e, "velocity: [%g, 0, 0]", v);
    e = own_body(m, p, at);
    field_add(e, "mass: %g, inertia: [2, 2, 2], velocity: [%g, 0, 0]", mass, v);
    e = own_body(m, p, at);
    field_add(e, "mass: 10, inertia: [0.4, 0.8, 0.4], velocity: [%g, 0, 0]", v);
    field_add(e, "spin: [0, %.12g, 0]", v / (r - depth / 3));
    own_joint(m, p, "prismatic", 0, first, joint);
    snprintf(joint, sizeof joint, "at: [%g, 0, 1], axis: [0, 0, 1]", x);
    own_joint(m, p, chance_is(c, 0.6) ? "prismatic" : "cylindrical", first, first + 1, joint);
    snprintf(joint, sizeof joint, "at: [%g, 0, %.12g], axis: [0, 1, 0]", x, at[2]);
    own_joint(m, p, "revolute", first + 1, first + 2, joint);
    write_expression(m, p, 0.3 * mass, text, sizeof text);
    entry *drive = entry_add(p, IN_FORCES, "d%d", part_index(m, p));
    field_add(drive, "type: torque, joint: %s, torque: %s", m->joint[m->n_joint - 1].name, text);
    entry *tyre = entry_add(p, IN_FORCES, "f%d", part_index(m, p));
    add_tyre_law(m, tyre, (mass + 10) * 9.81);
    field_add(tyre, "body: %s, radius: %g, stiffness: %g", m->body[first + 2].name, r, k);
    field_maybe(tyre, "damping: %g", chance_size(c, 200, 2000));
    field_add(entry_add(p, IN_OUTPUTS, "T_%s", tyre->name), "tyre: %s, only: fz", tyre->name);
    field_add(entry_add(p, IN_OUTPUTS, "X_%s", tyre->name), "tyre: %s, only: fx", tyre->name);
    add_point_output(p, m->body[first + 2].name);
    m->aside += 6.0;
}

// ---- cams -------------------------------------------------------------------------------------------------------------------

void add_cam(mechanism *m)
{
    part *p = own_part(m, 2, 2);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    double x = m->aside, r = chance_length(c, 0.2, 0.4), lift = 0.15 * r;
    char joint[96], profile[FIELD_TEXT - 32] = "";
    int first = m->n_body;
    entry *e = own_body(m, p, (double[3]){ x, 0, 0 });
    field_add(e, "mass: 2, inertia: [0.1, 0.1, 0.1]");
    e = own_body(m, p, (double[3]){ x, r, 0 });
    field_add(e, "mass: %g, inertia: [0.01, 0.01, 0.01]", chance_size(c, 0.2, 2));
    snprintf(joint, sizeof joint, "at: [%g, 0, 0], axis: [0, 0, 1], rate: %g", x,
             m->is_moving ? chance_length(c, 1, 6) : 0.0);
    made_joint *cam = own_joint(m, p, "revolute", 0, first, joint);
    snprintf(joint, sizeof joint, "at_a: [%g, 0, 0], at_b: [0, 0, 0], axis: [0, 1, 0]", x);
    made_joint *follower = own_joint(m, p, "prismatic", 0, first + 1, joint);
    for (int k = 0; k < 16; k++) {
        size_t used = strlen(profile);
        double angle = 2 * 3.14159265358979 * k / 16;
        snprintf(profile + used, sizeof profile - used, "%s[%.8g, %.8g]", k ? ", " : "", angle,
                 r + lift * cos(angle));
    }
    entry *cam_entry = entry_add(p, IN_CONSTRAINTS, "c%d", part_index(m, p));
    field_add(cam_entry, "type: cam, cam: %s, follower: %s, direction: 90 deg", cam->name, follower->name);
    field_add(cam_entry, "profile: [%s]", profile);
    field_add(entry_add(p, IN_OUTPUTS, "E_%s", cam_entry->name), "effort: %s", cam_entry->name);
    field_add(entry_add(p, IN_OUTPUTS, "%s", cam->name), "joint: %s", cam->name);
    field_add(entry_add(p, IN_OUTPUTS, "%s", follower->name), "joint: %s", follower->name);
    m->aside += 4.0;
}

// ---- flexible bars ------------------------------------------------------------------------------------------------------------

void add_flexible(mechanism *m)
{
    part *p = own_part(m, 1, 1);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    double x = m->aside;
    char name[24], joint[96];
    snprintf(name, sizeof name, "b%d", m->n_body);
    entry *e = entry_add(p, IN_BODIES, "%s", name);
    made_body *b = body_new(m, p, name, (double[3]){ x, 0, 0 });
    b->is_flexible = true;
    field_add(
        e,
        "flex: {%s materials: {steel: {young: %g, density: %g}}, sections: {bar: {rectangle: [%g, %g]}}, "
        "nodes: {root: [0, 0, 0], tip: [0.5, 0, 0]}, lines: {bar: {from: root, to: tip, elements: 6}}, "
        "frame: root, boundary: [tip], modes: %d, damping: %g}",
        m->is_plane ? "plane: true," : "", chance_size(c, 5e10, 2e11), chance_size(c, 2000, 8000),
        chance_length(c, 0.01, 0.03), chance_length(c, 0.01, 0.03), chance_below(c, 3),
        chance_is(c, 0.7) ? 0.01 : 0.0);
    field_add(e, "at: [%g, 0, 0]", x);
    bool turns = chance_is(c, 0.6);
    snprintf(joint, sizeof joint, "at: [%g, 0, 0], axis: [0, %d, %d]", x, m->is_plane ? 0 : 1,
             m->is_plane ? 1 : 0);
    made_joint *j = own_joint(m, p, turns ? "revolute" : "fixed", 0, m->n_body - 1, joint);
    if (turns) {
        snprintf(j->coordinate, sizeof j->coordinate, "%s.angle", j->name);
        j->is_angle = j->is_zero = true;
        if (m->is_moving) {
            field_maybe(&p->entry[1], "rate: %g", chance_length(c, -4, 4));
        }
    }
    field_add(entry_add(p, IN_OUTPUTS, "%s_p", name), "point: {body: %s, node: tip}", name);
    field_add(entry_add(p, IN_OUTPUTS, "R_%s", j->name), "reaction: %s", j->name);
    m->aside += 4.0;
}

// ---- bond graphs ----------------------------------------------------------------------------------------------------------------

static void add_electric(mechanism *m, part *p, entry *e, const char *port)
{
    chance *c = &m->chance;
    char text[128];
    write_expression(m, p, chance_size(c, 2, 24), text, sizeof text);
    field_add(
        e,
        "nodes: {V: {type: Se, value: %s}, coil: {type: 1}, L: {type: I, value: %g}, R: {type: R, value: "
        "%g}, "
        "motor: {type: GY, value: %g}, out: {type: 1}, drag: {type: R, effort: %g*f + %g*f*abs(f)}, P: %s}",
        text, chance_size(c, 1e-3, 0.05), chance_size(c, 0.2, 3), chance_size(c, 0.02, 0.5),
        chance_size(c, 0.01, 1), chance_size(c, 0.01, 0.2), port);
    field_add(e, "bonds: [V -> coil, coil -> L, coil -> R, coil -> motor -> out, out -> drag, out -> P]");
}

static void add_hydraulic(mechanism *m, part *p, entry *e, const char *port)
{
    chance *c = &m->chance;
    char text[128];
    write_expression(m, p, 1e-4, text, sizeof text);
    field_add(e,
              "nodes: {pump: {type: Sf, value: %s}, line: {type: 0}, oil: {type: C, value: 1e-10}, "
              "valve: {type: R, value: %g}, piston: {type: TF, value: 500}, rod: {type: 1}, "
              "seal: {type: R, value: %g}, P: %s}",
              text, chance_size(c, 1e7, 1e8), chance_size(c, 10, 300), port);
    field_add(
        e, "bonds: [pump -> line, line -> oil, line -> valve, line -> piston -> rod, rod -> seal, rod -> P]");
}

void add_graph(mechanism *m)
{
    int b = pick_body(m), a = pick_other(m, b);
    part *p = b == 0 || m->body[a].is_flexible || m->body[b].is_flexible ? NULL : part_add(m);
    if (!p) {
        return;
    }
    chance *c = &m->chance;
    made_point from = pick_point(m, a), to = pick_point(m, b);
    const made_joint *j = pick_joint(m);
    char port[FIELD_TEXT];
    entry *e = entry_add(p, IN_GRAPHS, "g%d", part_index(m, p));
    int kind = chance_below(c, 4);
    if (kind == 0 && j) {
        part_needs(p, j->part);
        snprintf(port, sizeof port, "{type: port, joint: %s}", j->coordinate);
    } else {
        part_needs(p, m->body[b].part);
        part_needs(p, kind == 1 ? m->body[a].part : -1);
    }
    if (kind == 1) {
        snprintf(port, sizeof port, "{type: port, between: [%s, %s]}", from.text, to.text);
    } else if (kind == 2) {
        snprintf(port, sizeof port, "{type: port, force: %s, axis: [1, 0, 0]}", to.text);
    } else if (kind == 3 || !j) {
        snprintf(port, sizeof port, "{type: port, torque: %s, axis: [0, 0, 1]}", m->body[b].name);
    }
    if (kind == 1) {
        add_hydraulic(m, p, e, port);
    } else {
        add_electric(m, p, e, port);
    }
    field_add(entry_add(p, IN_OUTPUTS, "G_%s", e->name), "graph: %s", e->name);
}
