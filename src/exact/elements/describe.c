// SPDX-License-Identifier: MIT
// Describing a structure: places, turns, elements, joints, loads. Lists grow; nothing is computed yet.
#include "base/list.h"
#include "exact/elements/inside.h"
#include "math/elementary.h"
#include <stdlib.h>

yard *yard_create(void)
{
    yard *y = calloc(1, sizeof *y);
    if (y) {
        y->scale = 1.0;
    }
    return y;
}

void yard_planar(yard *y) { y->is_planar = true; }

void yard_gravity(yard *y, vec3 g) { y->gravity = g; }

// The next item of a list, zeroed by the caller; a lack of memory is reported by yard_finish.
#define NEXT(y, list, count, capacity)                                                                       \
    (LIST_RESERVE((y)->list, (y)->count, (y)->capacity) ? &(y)->list[(y)->count++]                           \
                                                        : ((y)->is_short = true, NULL))

int yard_place(yard *y, vec3 at)
{
    vec3 *item = NEXT(y, place0, n_place, c_place);
    if (!item) {
        return 0;
    }
    *item = at;
    return y->n_place - 1;
}

int yard_turn(yard *y, quat rot)
{
    turn_def *item = NEXT(y, turn0, n_turn, c_turn);
    if (!item) {
        return 0;
    }
    *item = (turn_def){ .rot0 = quat_normalized(rot) };
    return y->n_turn - 1;
}

yard_node yard_add_node(yard *y, vec3 at, quat rot)
{
    return (yard_node){ yard_place(y, at), yard_turn(y, rot) };
}

static void add_hold(yard *y, int is_turn, int index, unsigned components)
{
    struct hold *item = NEXT(y, hold, n_hold, c_hold);
    if (item) {
        *item = (struct hold){ is_turn, index, components };
    }
}

void yard_hold_place(yard *y, int place, unsigned components) { add_hold(y, 0, place, components); }

void yard_hold_turn(yard *y, int turn, unsigned components) { add_hold(y, 1, turn, components); }

static void add_start(yard *y, int is_turn, int index, vec3 v)
{
    struct start *item = NEXT(y, start, n_start, c_start);
    if (item) {
        *item = (struct start){ is_turn, index, v };
    }
}

void yard_set_velocity(yard *y, int place, vec3 v) { add_start(y, 0, place, v); }

void yard_set_spin(yard *y, int turn, vec3 w)
{
    add_start(y, 1, turn, quat_rotate(quat_conjugate(y->turn0[turn].rot0), w));
}

void yard_drive_turn(yard *y, int turn, vec3 axis, yard_profile angle)
{
    y->turn0[turn].is_driven = 1;
    y->turn0[turn].axis = vec3_normalized(axis);
    y->turn0[turn].drive = angle;
    yard_hold_turn(y, turn, YARD_ALL);
}

// ---- beams -----------------------------------------------------------------------------------------------

// Angle about z of a frame.
static double angle_of(quat rot) { return 2.0 * math_atan2(rot.z, rot.w); }

static void add_planar_beam(yard *y, const yard_node node[4], double direction, double length,
                            const yard_section *section)
{
    planar_beam *e = NEXT(y, planar, n_planar, c_planar);
    if (!e) {
        return;
    }
    *e = (planar_beam){ .length = length, .section = *section };
    for (int i = 0; i < 4; i++) {
        e->place[i] = node[i].place;
        e->turn[i] = node[i].turn;
        e->off[i] = direction - angle_of(y->turn0[node[i].turn].rot0);
    }
}

static void add_spatial_beam(yard *y, yard_node a, yard_node b, quat rot_a, quat rot_b, double length,
                             const yard_section *section)
{
    spatial_beam *e = NEXT(y, spatial, n_spatial, c_spatial);
    if (!e) {
        return;
    }
    *e = (spatial_beam){ .node = { a, b }, .length = length, .section = *section };
    e->fit[0] = quat_multiply(quat_conjugate(y->turn0[a.turn].rot0), rot_a);
    e->fit[1] = quat_multiply(quat_conjugate(y->turn0[b.turn].rot0), rot_b);
    spatial_beam_rest(y, e);
}

static vec3 between(vec3 a, vec3 b, double s) { return vec3_add_scaled(a, s, vec3_sub(b, a)); }

yard_bar yard_add_bar(yard *y, yard_node a, yard_node b, vec3 up, const yard_section *section, int count)
{
    vec3 from = y->place0[a.place], to = y->place0[b.place], along = vec3_sub(to, from);
    double length = vec3_norm(along) / count;
    yard_bar bar = { y->is_planar ? y->n_planar : y->n_spatial, count, y->is_planar };
    vec3 ex = vec3_normalized(along);
    vec3 ey = vec3_normalized(vec3_cross(up, ex));
    quat rot = y->is_planar ? quat_from_axis_angle((vec3){ 0.0, 0.0, 1.0 }, math_atan2(along.y, along.x))
                            : quat_from_mat3((mat3){ { ex, ey, vec3_cross(ex, ey) } });
    int inner = y->is_planar ? 3 : 1;
    yard_node node[4] = { a };
    for (int e = 0; e < count; e++) {
        for (int i = 1; i <= inner; i++) {
            bool is_end = e == count - 1 && i == inner;
            double s = (inner * e + i) / (double)(inner * count);
            node[i] = is_end ? b : yard_add_node(y, between(from, to, s), rot);
        }
        if (y->is_planar) {
            add_planar_beam(y, node, math_atan2(along.y, along.x), length, section);
        } else {
            add_spatial_beam(y, node[0], node[1], rot, rot, length, section);
        }
        node[0] = node[inner];
    }
    return bar;
}

yard_bar yard_add_curved_bar(yard *y, const yard_node *node, int count, double length,
                             const yard_section *section)
{
    yard_bar bar = { y->n_spatial, count, false };
    for (int e = 0; e < count; e++) {
        add_spatial_beam(y, node[e], node[e + 1], y->turn0[node[e].turn].rot0,
                         y->turn0[node[e + 1].turn].rot0, length, section);
    }
    return bar;
}

// ---- plates, bodies, loads -------------------------------------------------------------------------------

int yard_add_quad(yard *y, const int place[4], const yard_plate *plate)
{
    quad *e = NEXT(y, quad, n_quad, c_quad);
    if (!e) {
        return 0;
    }
    *e = (quad){ .place = { place[0], place[1], place[2], place[3] }, .viscous = plate->viscous };
    e->n = place[3] == place[2] ? 3 : 4;
    if (!quad_prepare(y, e, plate)) {
        y->n_quad--;
        return -1;
    }
    return y->n_quad - 1;
}

int yard_add_triangle(yard *y, const int place[3], const yard_plate *plate)
{
    return yard_add_quad(y, (const int[4]){ place[0], place[1], place[2], place[2] }, plate);
}

void yard_add_spring(yard *y, yard_node a, vec3 offset_a, yard_node b, vec3 offset_b, const yard_spring *law)
{
    spring *item = NEXT(y, spring, n_spring, c_spring);
    if (item) {
        *item = (spring){ .node = { a, b }, .offset = { offset_a, offset_b }, .stiffness = law->stiffness };
        item->damping = law->damping;
        item->rest = law->rest;
        item->preload = law->preload;
        item->only = law->only;
    }
}

void yard_add_body(yard *y, yard_node node, double mass, vec3 com, mat3 inertia)
{
    rigid *item = NEXT(y, rigid, n_rigid, c_rigid);
    if (item) {
        *item = (rigid){ .node = node, .mass = mass, .com = com, .inertia = inertia };
    }
}

static void add_load(yard *y, load l)
{
    load *item = NEXT(y, load, n_load, c_load);
    if (item) {
        *item = l;
    }
}

void yard_force(yard *y, yard_node node, vec3 offset, vec3 direction, yard_profile value)
{
    add_load(y, (load){ node, offset, direction, value });
}

void yard_torque(yard *y, int turn, vec3 axis, yard_profile value)
{
    add_load(y, (load){ .node = { -1, turn }, .direction = axis, .value = value });
}

// ---- joints ----------------------------------------------------------------------------------------------

static int add_row(yard *y, row r)
{
    row *item = NEXT(y, row, n_row, c_row);
    if (!item) {
        return 0;
    }
    *item = r;
    return y->n_row - 1;
}

int yard_join(yard *y, yard_node a, vec3 offset_a, yard_node b, vec3 offset_b)
{
    int first = y->n_row;
    for (int k = 0; k < (y->is_planar ? 2 : 3); k++) {
        add_row(y, (row){ .kind = ROW_JOIN, .a = a, .b = b, .u = offset_a, .w = offset_b, .component = k });
    }
    return first;
}

// A ground direction in the axes of a turn as it stands.
static vec3 into_turn(const yard *y, int turn, vec3 v)
{
    return turn < 0 ? v : quat_rotate(quat_conjugate(y->turn0[turn].rot0), v);
}

int yard_perpendicular(yard *y, int turn_a, vec3 u, int turn_b, vec3 w)
{
    return add_row(y, (row){ .kind = ROW_PERPENDICULAR,
                             .a = { -1, turn_a },
                             .b = { -1, turn_b },
                             .u = into_turn(y, turn_a, u),
                             .w = into_turn(y, turn_b, w) });
}

int yard_hinge(yard *y, int turn_a, int turn_b, vec3 axis)
{
    vec3 e = vec3_normalized(axis), u = vec3_perpendicular(e);
    int first = yard_perpendicular(y, turn_a, u, turn_b, e);
    yard_perpendicular(y, turn_a, vec3_cross(e, u), turn_b, e);
    return first;
}

int yard_align(yard *y, int turn_a, int turn_b)
{
    if (y->is_planar) {
        return yard_drive_angle(y, turn_a, turn_b, (yard_profile){ 0 });
    }
    vec3 ex = { 1.0, 0.0, 0.0 }, ey = { 0.0, 1.0, 0.0 }, ez = { 0.0, 0.0, 1.0 };
    int first = yard_perpendicular(y, turn_a, ex, turn_b, ey);
    yard_perpendicular(y, turn_a, ey, turn_b, ez);
    yard_perpendicular(y, turn_a, ez, turn_b, ex);
    return first;
}

int yard_guide_point(yard *y, yard_node a, vec3 offset_a, vec3 direction, yard_node b, vec3 offset_b)
{
    return add_row(y, (row){ .kind = ROW_GUIDE,
                             .a = a,
                             .b = b,
                             .u = offset_a,
                             .w = offset_b,
                             .direction = into_turn(y, a.turn, vec3_normalized(direction)) });
}

int yard_drive_point(yard *y, yard_node a, vec3 offset_a, vec3 direction, yard_node b, vec3 offset_b,
                     yard_profile value)
{
    int k = yard_guide_point(y, a, offset_a, direction, b, offset_b);
    if (k < y->n_row) {
        y->row[k].drive = value;
    }
    return k;
}

int yard_drive_angle(yard *y, int turn_a, int turn_b, yard_profile value)
{
    return add_row(y, (row){ .kind = ROW_ANGLE, .a = { -1, turn_a }, .b = { -1, turn_b }, .drive = value });
}
