// SPDX-License-Identifier: MIT
// A contact among many shapes: its pairs live while they are near (contact.19).
#include "laws/contact/crowd/live.h"
#include "geom/broad.h"
#include "geom/work.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Room at first: some pairs, more of many shapes, and numbers for each of them.
enum { FIRST_PAIRS = 16, SITES_PER_PAIR = 16, FIRST_NUMBERS = 24 };

// Shapes of a list on bodies that move.
static double count_moving(const bi_model *m, const bi_shapes *list)
{
    double n = 0.0;
    for (int k = 0; k < list->count; k++) {
        n += m->shape[list->item[k].i - 1].def.body.i > 1 ? 1.0 : 0.0;
    }
    return n;
}

bool live_is_crowded(const bi_model *m)
{
    double pairs = 0.0, moving = 0.0;
    for (int k = 0; k < m->n_element; k++) {
        if (m->element[k].kind == contact_kind.schema) {
            const bi_contact_def *d = m->element[k].def;
            double n = d->a.count, a = count_moving(m, &d->a), b = count_moving(m, &d->b);
            pairs += d->b.count > 0 ? n * d->b.count : 0.5 * n * (n - 1.0);
            moving += d->b.count > 0 ? a * b : 0.5 * a * (a - 1.0);
        }
    }
    return moving > MOVING_FROM || pairs > LIVE_FROM;
}

// ---- compile ---------------------------------------------------------------------------------------------------

static bool is_endless(const model_shape *s) { return s->form.kind == GEOM_PLANE; }

static const char *site_mistake(const bi_model *m, const bi_contact_def *d)
{
    const bi_shapes *b = d->b.count == 0 ? &d->a : &d->b;
    for (int i = 0; i < d->a.count; i++) {
        const model_shape *first = &m->shape[d->a.item[i].i - 1];
        bool is_wide = first->form.kind == GEOM_PLANE || first->form.kind == GEOM_FIELD;
        for (int k = 0; k < b->count && is_wide; k++) {
            const model_shape *second = &m->shape[b->item[k].i - 1];
            const char *mistake =
                second->def.body.i == first->def.body.i ? NULL : pair_mistake(second, first);
            if (mistake) {
                return mistake;
            }
        }
    }
    return NULL;
}

// Those with ends first, then those without; each once, whatever lists it is on. place: of each shape among them, from 1.
static void list_sites(const bi_model *m, const bi_contact_def *d, int *place, contact_live *l)
{
    for (int endless = 0; endless < 2; endless++) {
        for (int list = 0; list < 2; list++) {
            const bi_shapes *from = list == 0 ? &d->a : &d->b;
            for (int k = 0; k < from->count; k++) {
                const model_shape *shape = &m->shape[from->item[k].i - 1];
                if (is_endless(shape) != (endless == 1)) {
                    continue;
                }
                int *at = &place[from->item[k].i - 1];
                *at = *at > 0 ? *at : ++l->n_site;
                contact_site *s = &l->site[*at - 1];
                s->shape = shape;
                s->is_in_a |= list == 0;
                s->is_in_b |= list == 1;
            }
        }
        l->n_finite = endless == 0 ? l->n_site : l->n_finite;
    }
}

static void compile_site(plan *p, contact_site *s)
{
    const bi_model *m = p->model;
    int marker = -1;
    s->body = s->shape->def.body.i - 1;
    s->side = pair_side_of(p, s->shape, &marker);
    s->site = s->side.dof >= 0 ? plan_add_site(p, marker) : -1;
    s->block = s->site >= 0 ? p->site[s->site].value : -1;
    pair_ball_around(s->shape, &s->middle, &s->reach, &s->half);
    s->middle = vec3_sub(s->middle, s->side.at);
    const double half[3] = { s->half.x, s->half.y, s->half.z };
    for (int i = 0; i < 3; i++) {
        s->span[i] = vec3_scale(half[i], s->shape->in_body.rot.col[i]);
    }
    s->centre = vec3_sub(m->body[s->body].def.com, s->side.at);
    s->mass = pair_mass_of(m, s->body);
    s->is_ground = pair_is_ground(m, s->body);
    s->is_free = plan_is_free(m, s->body);
    s->arm = vec3_norm(s->middle) + s->reach;
    s->is_box = s->shape->form.kind == GEOM_BOX;
    s->size = isfinite(s->reach) ? s->reach : 0.0;
    s->sleep = isfinite(s->arm) ? plan_sleep(p, s->body, s->arm) : -1;
}

// One work space that serves all pairs of meshes.
static void plan_live_work(plan *p, contact_live *l)
{
    for (int k = 0; k < l->n_site; k++) {
        const geom_mesh *mesh = l->site[k].shape->form.mesh;
        for (int i = 0; i < l->n_site && mesh; i++) {
            l->needs_work |= i != k && pair_is_by_meshes(&l->site[k].shape->form, &l->site[i].shape->form);
        }
        if (mesh && (!l->mesh || mesh->n_vertex > l->mesh->n_vertex)) {
            l->mesh = mesh;
        }
    }
    if (l->needs_work && l->mesh) {
        l->work_size = pair_work_size(l->mesh, l->mesh);
        l->work = plan_scratch(p, l->work_size);
    }
}

// Places of a pair at most: a ball has one, two boxes the four of a patch, a box on a plane its corners.
static int places_at_most(const contact_live *l, int most)
{
    enum { OF_PATCH = 4, CORNERS = 8 };
    bool are_balls = true, are_boxes = true, has_planes = l->n_site > l->n_finite;
    for (int k = 0; k < l->n_finite; k++) {
        geom_kind kind = l->site[k].shape->form.kind;
        are_balls = are_balls && kind == GEOM_SPHERE;
        are_boxes = are_boxes && (kind == GEOM_SPHERE || kind == GEOM_BOX);
    }
    int own = are_balls ? 1 : !are_boxes ? most : has_planes ? CORNERS : OF_PATCH;
    return own < most ? own : most;
}

// Whoever of the sites meet: of the largest two.
static void plan_live_spare(plan *p, const contact_live *l)
{
    const geom_shape **shape = calloc((size_t)l->n_site + 1, sizeof *shape);
    if (!shape) {
        p->no_memory = true;
        return;
    }
    for (int k = 0; k < l->n_site; k++) {
        shape[k] = &l->site[k].shape->form;
    }
    plan_spare(p, pair_spare(l->most_points, geom_room_among(shape, l->n_site)));
    free((void *)shape);
}

static size_t room(plan *p, int count, size_t item) { return plan_scratch(p, (size_t)count * item + 1); }

// An entry of the largest pair, with its size in front.
static size_t most_numbers(const contact_live *l)
{
    return 1 + ENTRY_OWN + PATCH_HEAD + (size_t)(MOST_SLOT * l->most_points);
}

static void plan_live_pool(plan *p, int element, contact_live *l)
{
    plan_pool_part part = { .element = element, .pairs = FIRST_PAIRS + l->n_site / SITES_PER_PAIR };
    part.numbers = POOL_HEAD + FIRST_NUMBERS * part.pairs;
    part.fixed = broad_size(l->n_finite_mover, 0) + most_numbers(l) * sizeof(double);
    part.of_pair =
        l->kept_size + sizeof(contact_pair) + l->sleeping_size + 3 * sizeof(broad_pair) + sizeof(double);
    part.of_number = sizeof(double);
    l->part = plan_pool(p, part);
}

live_room live_room_of(const contact_live *l, const pool_room *room)
{
    size_t n = (size_t)room->pairs;
    live_room out = { .kept = room->work };
    out.made = out.kept + n * l->kept_size;
    out.sleeping = out.made + n * sizeof(contact_pair);
    out.found = out.sleeping + n * l->sleeping_size;
    out.done = out.found + n * sizeof(broad_pair);
    out.n_done = (size_t)room->size + n + most_numbers(l);
    out.broad = out.done + out.n_done * sizeof(double);
    return out;
}

void live_move(const contact_live *l, const void *from, const pool_room *before, void *to,
               const pool_room *now)
{
    // the pairs and the tree are made anew
    live_room a = live_room_of(l, before), b = live_room_of(l, now);
    size_t n = (size_t)before->pairs;
    memcpy((char *)to + b.kept, (const char *)from + a.kept, n * l->kept_size);
    memcpy((char *)to + b.sleeping, (const char *)from + a.sleeping, n * l->sleeping_size);
    memcpy((char *)to + b.done, (const char *)from + a.done, a.n_done * sizeof(double));
}

contact_live *live_compile(plan *p, int element, const bi_contact_def *d, int most_points)
{
    const char *mistake = site_mistake(p->model, d);
    if (mistake) {
        plan_complain(p, element, "b", "%s", mistake);
        return NULL;
    }
    int n = d->a.count + d->b.count;
    contact_live *l = plan_keep(p, sizeof *l);
    contact_site *site = plan_keep(p, (size_t)n * sizeof *site);
    int *place = calloc((size_t)p->model->n_shape + 1, sizeof *place);
    if (!l || !site || !place) {
        free(place);
        p->no_memory = true;
        return NULL;
    }
    *l = (contact_live){ .site = site, .is_among = d->b.count == 0, .most_points = most_points };
    list_sites(p->model, d, place, l);
    free(place);
    for (int k = 0; k < l->n_site; k++) {
        compile_site(p, &site[k]);
    }
    if (!live_part_sites(p, l) || !live_group_sites(p, l)) {
        p->no_memory = true;
        return NULL;
    }
    plan_live_work(p, l);
    l->mass = d->mass;
    l->asks = pair_asks(p, element, d);
    l->slot = d->rolling_friction > 0.0 || d->spinning_friction > 0.0 ? ROLL_SLOT : PAIR_SLOT;
    l->most_points = places_at_most(l, most_points);
    for (int k = 0; k < l->n_site; k++) {
        l->sleeping_size = l->site[k].sleep >= 0 ? sizeof(sleeping_pair) : l->sleeping_size;
    }
    plan_live_spare(p, l);
    l->kept_size = sizeof(pair_kept) + (size_t)l->most_points * sizeof(pair_place);
    l->box = room(p, l->n_finite_mover, sizeof(geom_box));
    l->margin = room(p, l->n_finite_mover, sizeof(double));
    l->effort = room(p, 6 * l->n_mover + 6, sizeof(double));
    l->commit = plan_scratch(p, sizeof(live_progress));
    plan_live_pool(p, element, l);
    l->last = plan_memory(p, 12 * l->n_mover);
    return l;
}

// ---- pairs -----------------------------------------------------------------------------------------------------

static void take_scratch(const contact_live *l, const live_room *room, int k, contact_pair *p)
{
    p->kept = room->kept + (size_t)k * l->kept_size;
    p->work = l->work;
    p->work_size = l->work_size;
    p->work_mesh[0] = p->work_mesh[1] = l->mesh;
    p->sleeping = room->sleeping + (size_t)k * l->sleeping_size;
}

static double mass_of(const contact_live *l, const contact_site *a, const contact_site *b)
{
    return l->mass > 0.0                    ? l->mass
           : a->mass > 0.0 && b->mass > 0.0 ? a->mass * b->mass / (a->mass + b->mass)
           : a->mass > 0.0                  ? a->mass
           : b->mass > 0.0                  ? b->mass
                                            : 1.0;
}

static void make_pair(const contact_live *l, const live_room *room, int first, int second, int k,
                      contact_pair *p)
{
    const contact_site *sa = &l->site[first], *sb = &l->site[second];
    bool is_turned = pair_rank_of(sa->shape) > pair_rank_of(sb->shape);
    const contact_site *a = is_turned ? sb : sa, *b = is_turned ? sa : sb, *side[2] = { a, b };
    // sites have an order of their own: who is of which list, they say themselves
    bool is_swapped = l->is_among ? is_turned : !(a->is_in_a && b->is_in_b);
    *p = (contact_pair){
        .a = a->shape, .b = b->shape, .is_live = true, .is_turned = is_turned, .is_swapped = is_swapped
    };
    p->of[0] = first;
    p->of[1] = second;
    p->asks = l->asks;
    p->carrier = -1;
    for (int i = 0; i < 2; i++) {
        p->side[i] = side[i]->side;
        p->middle[i] = side[i]->middle;
        p->reach[i] = side[i]->reach;
        p->body[i] = side[i]->body;
        p->is_ground[i] = side[i]->is_ground;
        p->sleep[i] = side[i]->sleep;
        p->width += side[i]->site >= 0 ? 6 : 0;
        p->carrier = side[i]->is_ground && side[i]->site >= 0 ? i : p->carrier;
    }
    p->are_free = a->is_free && b->is_free;
    p->block = p->width == 12 ? -1 : a->site >= 0 ? a->block : b->block;
    p->half = a->half;
    p->centre = a->centre;
    p->mass = mass_of(l, a, b);
    pair_describe(p, b->half);
    p->slot = pair_slot(p, l->slot);
    p->capacity = pair_capacity(p, l->most_points);
    p->needs_work = l->needs_work && pair_is_by_meshes(&a->shape->form, &b->shape->form);
    take_scratch(l, room, k, p);
}

const contact_pair *live_pair(const contact_live *l, const law_in *in, const double *entry, int k)
{
    const live_room room = live_room_of(l, &in->room[l->part]);
    contact_pair *p = (contact_pair *)(void *)((char *)in->scratch + room.made) + k;
    int a = (int)entry[ENTRY_A], b = (int)entry[ENTRY_B];
    if (p->of[0] != a || p->of[1] != b) {
        make_pair(l, &room, a, b, k, p);
        if (l->sleeping_size > 0) {
            sleeping_pair *sleeping = (sleeping_pair *)(void *)((char *)in->scratch + p->sleeping);
            // readings of before stay, when only the room has changed
            if (sleeping->site[0] != a || sleeping->site[1] != b) {
                *sleeping = (sleeping_pair){ .site = { a, b } };
            }
        }
    }
    p->memory = (int)(entry + ENTRY_OWN - in->pool);
    return p;
}

const contact_pair *walk_made(pair_walk *w)
{
    w->entry = w->next;
    w->made = live_pair(w->live, w->in, w->entry, w->k);
    w->next += live_entry_size(w->made, w->entry);
    return w->made;
}

// Part (i, k) of a matrix of two bodies, 6 x 6.
static void add_part(const double *from, int i, int k, double *to)
{
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            to[6 * r + c] += from[12 * (6 * i + r) + 6 * k + c];
        }
    }
}

void live_add_blocks(const contact_live *l, const double *entry, const contact_pair *p, const double *K,
                     const double *C, load *to)
{
    const contact_site *first = &l->site[(int)entry[p->is_turned ? ENTRY_B : ENTRY_A]],
                       *second = &l->site[(int)entry[p->is_turned ? ENTRY_A : ENTRY_B]];
    add_part(K, 0, 0, &to->K[first->block]);
    add_part(C, 0, 0, &to->C[first->block]);
    add_part(K, 1, 1, &to->K[second->block]);
    add_part(C, 1, 1, &to->C[second->block]);
}

// h/4 (w_0 + w_1) . (t_0 + t_1): what the trapezoidal rule makes of them (contact.22); h/2 w_1 . (t_0 + t_1) of forces
// as they are at the end (contact.23).
void live_count_work(const contact_live *l, const law_in *in, double *memory)
{
    double *pool = live_pool(l, in), passed = in->u->t - pool[POOL_TIME], sum = 0.0;
    const double *effort = live_effort(l, in);
    for (int k = 0; k < l->n_mover; k++) {
        double *before = &memory[l->last + 12 * k];
        const double *now = &effort[6 * k];
        int dof = live_mover(l, k)->side.dof;
        for (int i = 0; i < 6; i++) {
            double rate = in->at->rate[dof + i];
            double mean = in->want & LAW_LATE ? now[i] : 0.5 * (before[i] + now[i]);
            sum += mean * (before[6 + i] + rate);
            before[i] = now[i];
            before[6 + i] = rate;
        }
    }
    pool[POOL_WORK] += passed > 0.0 ? 0.5 * passed * sum : 0.0;
    pool[POOL_TIME] = in->u->t;
}

// ---- the list made anew ----------------------------------------------------------------------------------------

static bool is_entry_of(const double *entry, broad_pair p)
{
    return (int)entry[ENTRY_A] == p.a && (int)entry[ENTRY_B] == p.b;
}

static bool is_entry_before(const double *entry, broad_pair p)
{
    int a = (int)entry[ENTRY_A];
    return a < p.a || (a == p.a && (int)entry[ENTRY_B] < p.b);
}

// The entry of a pair in `done`, where entries carry their size in front; NULL: it is new.
static const double *find_entry(const double **done, int *left, broad_pair p)
{
    for (; *left > 0 && is_entry_before(*done + 1, p); --*left) {
        *done += 1 + (int)(*done)[0];
    }
    return *left > 0 && is_entry_of(*done + 1, p) ? *done : NULL;
}

static int numbers_needed(const broad_pair *found, int n, const double *done, int n_done)
{
    int used = POOL_HEAD;
    for (int i = 0; i < n; i++) {
        const double *known = find_entry(&done, &n_done, found[i]);
        used += known ? (int)known[0] : ENTRY_OWN + PAIR_HEAD;
    }
    return used;
}

bool live_renew(const contact_live *l, const law_in *in, double h, double gravity, const double *done,
                int n_done)
{
    double *pool = live_pool(l, in);
    const live_room room = live_room_of(l, &in->room[l->part]);
    broad_pair *found = (broad_pair *)(void *)((char *)in->scratch + room.found);
    int n = live_find(l, in, h, gravity, found), used = POOL_HEAD;
    bool lacks_numbers = n >= 0 && numbers_needed(found, n, done, n_done) > in->room[l->part].size;
    pool[POOL_FULL] = n < 0 ? POOL_LACKS_PAIRS : lacks_numbers ? POOL_LACKS_NUMBERS : 0.0;
    if (pool[POOL_FULL] > 0.0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const double *known = find_entry(&done, &n_done, found[i]);
        double *entry = &pool[used];
        int size = known ? (int)known[0] : ENTRY_OWN + PAIR_HEAD;
        if (known) {
            memcpy(entry, known + 1, (size_t)size * sizeof *entry);
        } else {
            memset(entry, 0, (size_t)size * sizeof *entry);
            entry[ENTRY_A] = found[i].a;
            entry[ENTRY_B] = found[i].b;
        }
        used += size;
    }
    pool[POOL_USED] = used;
    pool[POOL_COUNT] = n;
    return true;
}
