// SPDX-License-Identifier: MIT
// Two shapes: far apart, touching, and the anchors of the places where they touch.
#include "laws/contact/pair.h"
#include "geom/collide.h"
#include "geom/mesh.h"
#include "geom/work.h"
#include "laws/contact/crowd/fours.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FEWEST_PIECES = 256, MOST_PIECES = 8192 };

// what sleeps on wakes when something comes closer than this part of the smaller ball around the two shapes
// (contact.18)
static const double margin = 0.1;

// ---- compile ---------------------------------------------------------------------------------------------------

// Spheres first, planes last: the tangent takes b for flat.
int pair_rank_of(const model_shape *s)
{
    return s->form.kind == GEOM_SPHERE  ? 0
           : s->form.kind == GEOM_PLANE ? 3
           : s->form.kind == GEOM_FIELD ? 2
                                        : 1;
}

double pair_mass_of(const bi_model *m, int body)
{
    const bi_body_def *d = &m->body[body].def;
    double mass = d->flex ? 0.0 : d->mass;
    for (int k = 0; d->flex && k < d->flex->n_node; k++) {
        mass += d->flex->mass[k];
    }
    return body == 0 ? 0.0 : mass;
}

// What moves when the two slide on each other; the ground, and what has no mass of its own, counts as held.
static double reduced_mass(const bi_model *m, int a, int b)
{
    double ma = pair_mass_of(m, a), mb = pair_mass_of(m, b);
    return ma > 0.0 && mb > 0.0 ? ma * mb / (ma + mb) : ma > 0.0 ? ma : mb > 0.0 ? mb : 1.0;
}

// A ball around the shape, in the axes of its body, and half the sizes of the box around it in its own.
void pair_ball_around(const model_shape *s, vec3 *middle, double *reach, vec3 *half)
{
    if (s->form.kind == GEOM_PLANE) {
        *middle = s->in_body.pos;
        *reach = INFINITY;
        return;
    }
    geom_pose home = geom_pose_identity();
    geom_box box = geom_shape_bounds(&s->form, &home);
    *half = vec3_scale(0.5, vec3_sub(box.high, box.low));
    *middle = geom_outside(&s->in_body, vec3_add(box.low, *half));
    *reach = vec3_norm(*half);
}

// A shape whose origin is at a moving node of a flexible body moves and turns with the node.
pair_side pair_side_of(plan *plan, const model_shape *s, int *marker)
{
    int body = s->def.body.i - 1;
    vec3 at = { 0.0, 0.0, 0.0 };
    *marker = -1;
    if (body == 0) {
        return (pair_side){ -1, -1, at };
    }
    if (model_moved_node(plan->model, body, s->in_body.pos) > 0) {
        at = s->in_body.pos;
    }
    *marker = plan_frame(plan, body, at);
    return (pair_side){ plan_dof(plan, *marker), plan->marker[*marker].frame, at };
}

bool pair_is_by_meshes(const geom_shape *a, const geom_shape *b) { return geom_meets_by_meshes(a, b); }

// Forces of single places that move smoothly, and of corners on a plane, are gradients; where places come and go with
// the pose they are not.
static bool has_potential(const geom_shape *a, const geom_shape *b)
{
    if (a->kind == GEOM_SPHERE) {
        return b->kind != GEOM_MESH && b->kind != GEOM_FIELD;
    }
    if (a->kind == GEOM_ELLIPSOID && b->kind == GEOM_ELLIPSOID) {
        return true;
    }
    return b->kind == GEOM_PLANE &&
           (a->kind == GEOM_BOX || a->kind == GEOM_CAPSULE || a->kind == GEOM_ELLIPSOID);
}

bool pair_is_patch(const model_shape *a, const model_shape *b)
{
    bool is_swapped = pair_rank_of(a) > pair_rank_of(b);
    return !has_potential(is_swapped ? &b->form : &a->form, is_swapped ? &a->form : &b->form);
}

static int pieces_of(const geom_mesh *a, const geom_mesh *b)
{
    int pieces = 4 * (a->n_triangle + (b ? b->n_triangle : 0));
    return pieces < FEWEST_PIECES ? FEWEST_PIECES : pieces > MOST_PIECES ? MOST_PIECES : pieces;
}

size_t pair_work_size(const geom_mesh *a, const geom_mesh *b)
{
    arena measure = { 0 };
    geom_work work;
    arena_take(&measure, 1, sizeof work);
    geom_work_take(&work, &measure, a, b, pieces_of(a, b));
    return measure.used + 64;
}

size_t pair_spare(int capacity, size_t room)
{
    size_t most = (size_t)capacity, places = spare_size(most, sizeof(pair_place));
    // two lists to look again and one to find those that were missed, or one with what is remembered
    return 3 * places + spare_size(most * MOST_SLOT, sizeof(double)) +
           spare_size((most + 3) / 4, sizeof(place_four)) + spare_size(PAIR_MOST, sizeof(geom_contact)) +
           room;
}

static void plan_work(plan *plan, contact_pair *out)
{
    out->work_mesh[0] = out->a->form.mesh;
    out->work_mesh[1] = out->b->form.kind == GEOM_PLANE ? NULL : out->b->form.mesh;
    out->needs_work = true;
    out->work_size = pair_work_size(out->work_mesh[0], out->work_mesh[1]);
    out->work = plan_scratch(plan, out->work_size);
}

const char *pair_mistake(const model_shape *a, const model_shape *b)
{
    bool is_plane = a->form.kind == GEOM_PLANE,
         is_other = b->form.kind == GEOM_PLANE || b->form.kind == GEOM_FIELD;
    return is_plane && is_other ? "two of these shapes have no ends: a plane does not meet a plane or a field"
                                : NULL;
}

// The block of an earlier pair between the same bodies; -1: none.
static int shared_block(const contact_pair *before, int n_before, const contact_pair *p)
{
    for (int k = 0; k < n_before; k++) {
        if (before[k].side[0].dof == p->side[0].dof && before[k].side[1].dof == p->side[1].dof) {
            return before[k].block;
        }
    }
    return -1;
}

// The ground, or fixed to it by at most `far` joints, of which `from` leads back.
static bool is_ground(const bi_model *m, int body, int from, int far)
{
    for (int j = 0; j < m->n_joint && body > 0 && far > 0; j++) {
        const bi_joint_def *d = &m->joint[j].def;
        int a = d->a.i - 1, b = d->b.i - 1;
        bool is_next = j != from && joint_is_rigid(d->kind) && (a == body || b == body);
        if (is_next && is_ground(m, a == body ? b : a, j, far - 1)) {
            return true;
        }
    }
    return body == 0;
}

bool pair_is_ground(const bi_model *m, int body)
{
    enum { FARTHEST = 8 };
    return is_ground(m, body, -1, FARTHEST);
}

// Readings of a sleeping pair, and room for them. Shapes without ends lie on the ground, where nothing sleeps.
static void plan_sleepers(plan *plan, contact_pair *out)
{
    out->carrier = -1;
    for (int k = 0; k < 2; k++) {
        out->is_ground[k] = pair_is_ground(plan->model, out->body[k]);
        out->carrier = out->is_ground[k] && out->side[k].dof >= 0 ? k : out->carrier;
        double reach = vec3_norm(out->middle[k]) + out->reach[k];
        out->sleep[k] = isfinite(reach) ? plan_sleep(plan, out->body[k], reach) : -1;
    }
    if (out->sleep[0] >= 0 || out->sleep[1] >= 0) {
        out->sleeping = plan_scratch(plan, sizeof(sleeping_pair));
    }
}

double pair_thinnest(vec3 half) { return fmin(half.x, fmin(half.y, half.z)); }

void pair_describe(contact_pair *p, vec3 half_b)
{
    const geom_shape *a = &p->a->form, *b = &p->b->form;
    p->thin = b->kind == GEOM_PLANE ? INFINITY : pair_thinnest(p->half) + pair_thinnest(half_b);
    p->near = 0.5 * fmin(p->reach[0], p->reach[1]);
    p->is_ball_on_plane = a->kind == GEOM_SPHERE && b->kind == GEOM_PLANE;
    p->rest = p->b->in_body;
    p->is_patch = !has_potential(a, b);
    p->is_over_ground = b->kind == GEOM_PLANE && p->side[1].dof < 0 && !p->is_patch;
    p->head = p->is_patch ? PATCH_HEAD : PAIR_HEAD;
    p->slot = PAIR_SLOT;
}

int pair_capacity(const contact_pair *p, int most)
{
    geom_kind a = p->a->form.kind, b = p->b->form.kind;
    bool is_single = (a == GEOM_SPHERE && b != GEOM_MESH && b != GEOM_FIELD) ||
                     (a == GEOM_ELLIPSOID && (b == GEOM_PLANE || b == GEOM_ELLIPSOID));
    return is_single ? 1 : most;
}

const pair_asked *pair_asks(plan *plan, int element, const bi_contact_def *d)
{
    pair_asked *asks = d->decides || d->observes ? plan_keep(plan, sizeof *asks) : NULL;
    if (asks) {
        *asks = (pair_asked){ element, d, plan->model->shape };
    }
    return asks;
}

bool pair_compile(plan *plan, int element, bi_shape a, bi_shape b, int most, int slot,
                  const contact_pair *before, int n_before, contact_pair *out)
{
    const bi_model *m = plan->model;
    const model_shape *sa = &m->shape[a.i - 1], *sb = &m->shape[b.i - 1];
    bool is_swapped = pair_rank_of(sa) > pair_rank_of(sb);
    const model_shape *first = is_swapped ? sb : sa, *second = is_swapped ? sa : sb;
    int body_a = first->def.body.i - 1, body_b = second->def.body.i - 1, markers[3], n_marker = 0;
    if (body_a == body_b) {
        return false;
    }
    const char *mistake = pair_mistake(second, first);
    if (mistake) {
        plan_complain(plan, element, "b", "%s (%s, %s)", mistake, sa->def.name, sb->def.name);
        return false;
    }
    *out = (contact_pair){ .a = first, .b = second, .is_swapped = is_swapped, .body = { body_a, body_b } };
    out->side[0] = pair_side_of(plan, first, &markers[n_marker]);
    n_marker += markers[n_marker] >= 0;
    out->side[1] = pair_side_of(plan, second, &markers[n_marker]);
    n_marker += markers[n_marker] >= 0;
    out->width = 6 * n_marker;
    int block = shared_block(before, n_before, out);
    out->is_first = block < 0;
    out->block = block < 0 ? plan_block(plan, markers, n_marker) : block;
    vec3 half;
    pair_ball_around(first, &out->middle[0], &out->reach[0], &out->half);
    pair_ball_around(second, &out->middle[1], &out->reach[1], &half);
    for (int k = 0; k < 2; k++) {
        out->middle[k] = vec3_sub(out->middle[k], out->side[k].at);
    }
    out->centre = vec3_sub(m->body[body_a].def.com, out->side[0].at);
    out->mass = reduced_mass(m, body_a, body_b);
    pair_describe(out, half);
    out->capacity = pair_capacity(out, most);
    plan_spare(plan, pair_spare(out->capacity, geom_room(&first->form, &second->form)));
    if (pair_is_by_meshes(&first->form, &second->form)) {
        plan_work(plan, out);
    }
    if (out->is_patch) {
        out->kept = plan_scratch(plan, sizeof(pair_kept) + (size_t)out->capacity * sizeof(pair_place));
    }
    out->slot = pair_slot(out, slot);
    out->memory = plan_memory(plan, out->head + out->slot * out->capacity);
    plan_sleepers(plan, out);
    return true;
}

// ---- motion ----------------------------------------------------------------------------------------------------

pair_motion pair_at(const contact_pair *p, const motion *at)
{
    pair_motion m;
    for (int k = 0; k < 2; k++) {
        int dof = p->side[k].dof;
        bool is_ground = dof < 0;
        const vec3 zero = { 0.0, 0.0, 0.0 };
        m.rot[k] = is_ground ? mat3_identity() : at->axes[p->side[k].frame];
        m.pos[k] = is_ground ? zero : tray_vec3(&at->value[dof]);
        m.vel[k] = is_ground ? zero : tray_vec3(&at->rate[dof]);
        m.spin[k] = is_ground ? zero : tray_vec3(&at->rate[dof + 3]);
    }
    return m;
}

static geom_pose pose_of(const contact_pair *p, const pair_motion *m, int side)
{
    const model_shape *s = side == 0 ? p->a : p->b;
    geom_pose body = { m->rot[side], m->pos[side] };
    vec3 arm = vec3_sub(s->in_body.pos, p->side[side].at);
    vec3 pos = geom_outside(&body, arm);
    // most shapes lie along the axes of their bodies
    return (geom_pose){ s->is_along ? body.rot : mat3_multiply(body.rot, s->in_body.rot), pos };
}

// The box around the first shape does not reach down to a plane `height` below its middle, normal in the axes of the
// side: tighter than a ball.
static bool is_above(const contact_pair *p, vec3 normal, double height)
{
    if (height > p->reach[0]) {
        return true;
    }
    vec3 n = mat3_apply_transposed(p->a->in_body.rot, normal);
    return height > fabs(n.x) * p->half.x + fabs(n.y) * p->half.y + fabs(n.z) * p->half.z;
}

bool pair_is_clear(const contact_pair *p, const motion *at)
{
    if (!p->is_over_ground) {
        return false;
    }
    vec3 normal = p->rest.rot.col[2], n = mat3_apply_transposed(at->axes[p->side[0].frame], normal);
    vec3 from = vec3_sub(tray_vec3(&at->value[p->side[0].dof]), p->rest.pos);
    return is_above(p, n, vec3_dot(normal, from) + vec3_dot(n, p->middle[0]));
}

// Far apart by their balls.
static bool is_apart(const contact_pair *p, const pair_motion *m)
{
    vec3 at[2];
    for (int k = 0; k < 2; k++) {
        at[k] = vec3_add(m->pos[k], mat3_apply(m->rot[k], p->middle[k]));
    }
    vec3 d = vec3_sub(at[0], at[1]);
    if (p->b->form.kind == GEOM_PLANE) {
        vec3 n = mat3_apply(m->rot[1], p->b->in_body.rot.col[2]);
        return is_above(p, mat3_apply_transposed(m->rot[0], n), vec3_dot(n, d));
    }
    double reach = p->reach[0] + p->reach[1];
    return vec3_dot(d, d) > reach * reach;
}

bool pair_is_near(const contact_pair *p, const pair_motion *m, double h, double gravity)
{
    vec3 at[2];
    double speed[2];
    for (int k = 0; k < 2; k++) {
        at[k] = vec3_add(m->pos[k], mat3_apply(m->rot[k], p->middle[k]));
        speed[k] =
            vec3_norm(m->vel[k]) + vec3_norm(m->spin[k]) * (vec3_norm(p->middle[k]) + fmin(p->reach[k], 1e9));
    }
    // twice the way of a step, and four times that of a fall: bodies may become faster, and the next step may be longer
    double near =
        margin * fmin(p->reach[0], p->reach[1]) + 2.0 * h * (speed[0] + speed[1]) + 2.0 * gravity * h * h;
    vec3 d = vec3_sub(at[0], at[1]);
    if (p->b->form.kind == GEOM_PLANE) {
        return vec3_dot(mat3_apply(m->rot[1], p->b->in_body.rot.col[2]), d) <= p->reach[0] + near;
    }
    double reach = p->reach[0] + p->reach[1] + near;
    if (vec3_dot(d, d) > reach * reach) {
        return false;
    }
    // boxes are tighter than balls; grown by what is near
    geom_pose pa = pose_of(p, m, 0), pb = pose_of(p, m, 1), relative = geom_relative(&pa, &pb),
              home = geom_pose_identity();
    geom_box a = geom_shape_bounds(&p->a->form, &relative), b = geom_shape_bounds(&p->b->form, &home);
    return !(a.low.x > b.high.x + near || a.low.y > b.high.y + near || a.low.z > b.high.z + near ||
             b.low.x > a.high.x + near || b.low.y > a.high.y + near || b.low.z > a.high.z + near);
}

static bool is_within(const model_shape *of, const geom_pose *pose, vec3 point)
{
    return of->form.kind != GEOM_PLANE && geom_shape_near(&of->form, pose, point).distance < 0.0;
}

// Rings and concave meshes may have nothing in their middles.
static bool has_middle(const model_shape *s, const geom_pose *pose, vec3 middle)
{
    bool may_not = s->form.kind == GEOM_TORUS || (s->form.kind == GEOM_MESH && s->form.mesh->is_closed);
    return !may_not || is_within(s, pose, middle);
}

bool pair_is_inside(const contact_pair *p, const pair_motion *m)
{
    bool is_field = p->b->form.kind == GEOM_FIELD; // solid below, however far
    if (!is_field && (!p->needs_work || is_apart(p, m))) {
        return false;
    }
    geom_pose a = pose_of(p, m, 0), b = pose_of(p, m, 1);
    vec3 middle[2];
    for (int i = 0; i < 2; i++) {
        middle[i] = vec3_add(m->pos[i], mat3_apply(m->rot[i], p->middle[i]));
    }
    return (is_within(p->b, &b, middle[0]) && has_middle(p->a, &a, middle[0])) ||
           (!is_field && is_within(p->a, &a, middle[1]) && has_middle(p->b, &b, middle[1]));
}

bool pair_has_passed(const contact_pair *p, const pair_motion *m, double h)
{
    // the way of the step, seen from b where it is now
    vec3 arm = mat3_apply(m->rot[0], p->middle[0]), to = vec3_add(m->pos[0], arm);
    vec3 reach = vec3_sub(to, m->pos[1]);
    vec3 speed = vec3_sub(vec3_add(m->vel[0], vec3_cross(m->spin[0], arm)),
                          vec3_add(m->vel[1], vec3_cross(m->spin[1], reach)));
    geom_pose a = pose_of(p, m, 0), b = pose_of(p, m, 1);
    vec3 way = vec3_scale(h, speed), turn = vec3_scale(h, vec3_sub(m->spin[0], m->spin[1]));
    vec3 other = vec3_add(m->pos[1], mat3_apply(m->rot[1], p->middle[1]));
    return geom_shape_ray(&p->b->form, &b, vec3_sub(to, way), way, 1.0).is_hit ||
           pair_is_swept(p, &a, &b, (pair_way){ to, vec3_sub(other, to), way, turn });
}

double pair_below(const contact_pair *p, const motion *at)
{
    if (p->b->form.kind != GEOM_PLANE || p->side[1].dof >= 0 || pair_may_pass(p)) {
        return -INFINITY;
    }
    const pair_side *side = &p->side[0];
    vec3 centre = vec3_add(tray_vec3(&at->value[side->dof]), mat3_apply(at->axes[side->frame], p->centre));
    return -vec3_dot(p->rest.rot.col[2], vec3_sub(centre, p->rest.pos));
}

// ---- places ----------------------------------------------------------------------------------------------------

// The work space lives in the scratch; it is laid out when it is first used, and again when the scratch has moved: its marks
// are clean between two uses, and lie where they lay.
static geom_work *work_in(const contact_pair *p, void *scratch)
{
    char *from = (char *)scratch + p->work;
    geom_work *work = (geom_work *)(void *)from;
    uintptr_t here = (uintptr_t)from, laid = (uintptr_t)work->piece;
    if (work->n_piece == 0 || laid < here || laid >= here + p->work_size) {
        const geom_mesh *a = p->work_mesh[0], *b = p->work_mesh[1];
        arena room = { from, 0, p->work_size, false };
        arena_take(&room, 1, sizeof *work);
        geom_work_take(work, &room, a, b, pieces_of(a, b));
    }
    return work;
}

// The deepest ones, in the order found.
static int keep_deepest(geom_contact *item, int count, int most)
{
    while (count > most) {
        int least = 0;
        for (int k = 1; k < count; k++) {
            least = item[k].depth < item[least].depth ? k : least;
        }
        memmove(&item[least], &item[least + 1], (size_t)(count - least - 1) * sizeof *item);
        count--;
    }
    return count;
}

static double square(vec3 a, vec3 b)
{
    vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d);
}

// Each place takes the nearest anchor that is still free, as seen from either body.
static void take_slots(const contact_pair *p, const pair_motion *m, const double *own, pair_place *place,
                       int count)
{
    int n_slot = (int)own[0];
    bool is_taken[PAIR_MOST] = { false };
    for (int k = 0; k < count; k++) {
        double best = p->near * p->near;
        vec3 in_a = mat3_apply_transposed(m->rot[0], vec3_sub(place[k].point, m->pos[0])),
             in_b = mat3_apply_transposed(m->rot[1], vec3_sub(place[k].point, m->pos[1]));
        place[k].slot = -1;
        const double *slot = own + p->head;
        for (int s = 0; s < n_slot; s++, slot += p->slot) {
            if (is_taken[s]) {
                continue;
            }
            double a = square(in_a, tray_vec3(slot + SLOT_A)), b = square(in_b, tray_vec3(slot + SLOT_B)),
                   far = a < b ? a : b;
            if (far < best) {
                best = far;
                place[k].slot = s;
            }
        }
        if (place[k].slot >= 0) {
            is_taken[place[k].slot] = true;
        }
    }
}

// The commonest pair, without lists: what geom_collide finds for it, bit by bit.
static int find_ball_on_plane(const contact_pair *p, const pair_motion *m, const double *own, pair_place *out)
{
    geom_pose body = { m->rot[0], m->pos[0] }, plane = p->side[1].dof < 0 ? p->rest : pose_of(p, m, 1);
    vec3 centre = geom_outside(&body, vec3_sub(p->a->in_body.pos, p->side[0].at));
    geom_near near = geom_shape_near(&p->b->form, &plane, centre);
    double radius = p->a->form.radius, depth = radius - near.distance;
    if (!(depth > 0.0)) {
        return 0;
    }
    *out = (pair_place){ .point = vec3_add_scaled(centre, 0.5 * depth - radius, near.normal),
                         .normal = near.normal,
                         .depth = depth,
                         .area = geom_cap_area(radius, depth),
                         .radius = radius,
                         .other = p->b->form.radius };
    take_slots(p, m, own, out, 1);
    return 1;
}

static int find_places(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                       pair_place *out, int *n_region)
{
    *n_region = 0;
    if (p->is_ball_on_plane) {
        *n_region = find_ball_on_plane(p, m, own, out);
        return *n_region;
    }
    if (is_apart(p, m)) {
        return 0;
    }
    geom_pose pa = pose_of(p, m, 0), pb = pose_of(p, m, 1);
    if (geom_are_bounds_apart(&p->a->form, &pa, &p->b->form, &pb)) {
        return 0;
    }
    geom_contact *item = SPARE_NEW(in->spare, geom_contact, PAIR_MOST);
    geom_contacts list = { .item = item, .capacity = PAIR_MOST, .room = in->spare };
    geom_collide(&p->a->form, &pa, &p->b->form, &pb, p->needs_work ? work_in(p, in->scratch) : NULL, &list);
    geom_spread_regions(&p->a->form, &pa, &p->b->form, &pb, 0, &list);
    int count = keep_deepest(item, list.count, p->capacity), n = 0;
    bool is_ball = p->a->form.kind == GEOM_SPHERE;
    for (int k = 0; k < count; k++) {
        if (item[k].depth > 0.0) {
            out[n++] = (pair_place){ .point = item[k].point,
                                     .normal = item[k].normal,
                                     .depth = item[k].depth,
                                     .area = item[k].area,
                                     .radius = is_ball ? p->a->form.radius : 0.0,
                                     .other = p->b->form.radius,
                                     .is_round = is_ball && p->b->form.kind == GEOM_SPHERE,
                                     .region = item[k].region };
        }
    }
    spare_give(in->spare, item);
    *n_region = n > 0 ? list.n_region : 0;
    take_slots(p, m, own, out, n);
    return n;
}

// A place as its user sees it: the shapes in the order of the definition.
bi_touch pair_touch(const contact_pair *p, int element, const model_shape *shapes, const pair_motion *m,
                    const pair_place *place)
{
    vec3 ra = vec3_sub(place->point, m->pos[0]), rb = vec3_sub(place->point, m->pos[1]);
    vec3 slip = vec3_sub(vec3_add(m->vel[0], vec3_cross(m->spin[0], ra)),
                         vec3_add(m->vel[1], vec3_cross(m->spin[1], rb)));
    bi_shape first = { (int32_t)(p->a - shapes) + 1 }, second = { (int32_t)(p->b - shapes) + 1 };
    return (bi_touch){ .contact = { element + 1 },
                       .a = p->is_swapped ? second : first,
                       .b = p->is_swapped ? first : second,
                       .point = place->point,
                       .normal = p->is_swapped ? vec3_neg(place->normal) : place->normal,
                       .depth = place->depth,
                       .area = place->area,
                       .velocity = p->is_swapped ? vec3_neg(slip) : slip };
}

int pair_find(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
              pair_place *out, int *n_region)
{
    int count = find_places(p, m, own, in, out, n_region), n = 0;
    if (!p->asks || !p->asks->def->decides) {
        return count;
    }
    for (int k = 0; k < count; k++) {
        bi_touch touch = pair_touch(p, p->asks->element, p->asks->shapes, m, &out[k]);
        if (p->asks->def->decides(p->asks->def->data, &touch)) {
            out[n++] = out[k];
        }
    }
    *n_region = n > 0 ? *n_region : 0;
    return n;
}

int pair_deepest(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                 pair_place *out)
{
    pair_place *place = SPARE_NEW(in->spare, pair_place, p->capacity);
    int n_region, count = pair_find(p, m, own, in, place, &n_region), deepest = 0;
    for (int k = 1; k < count; k++) {
        deepest = place[k].depth > place[deepest].depth ? k : deepest;
    }
    if (count > 0) {
        *out = place[deepest];
    }
    spare_give(in->spare, place);
    return count;
}

mat3 pair_bend(const contact_pair *p, const pair_motion *m, vec3 normal)
{
    mat3 rot = mat3_multiply(m->rot[0], p->a->in_body.rot);
    mat3 bend = geom_ellipsoid_bend(p->a->form.half, mat3_apply_transposed(rot, vec3_neg(normal)));
    return mat3_multiply(rot, mat3_multiply(bend, mat3_transposed(rot)));
}
