// SPDX-License-Identifier: MIT
// Where live pairs touch: looked for pair by pair, then laid out one after the other, in the order of the pairs
// (contact.20).
#include "laws/contact/crowd/settle.h"
#include "laws/contact/shape_contact.h"
#include "math/rotation.h"

// turns of a loop that a thread takes at a time: some tens of microseconds
enum { LOOKS = 8, LAYS = 32 };

typedef struct {
    const law_in *in;
    place_list *list;
} collecting;

static const contact_site *site_of(const place_pair *q, int side)
{
    const contact_pair *p = q->of;
    return &q->law->live->site[p->of[p->is_turned ? 1 - side : side]];
}

// ---- looking -------------------------------------------------------------------------------------------------------

// The same pair where its bodies would be without what contacts are taken to push.
static pair_motion unpushed(const pair_motion *m, const place_pair *q, const double *shift)
{
    pair_motion out = *m;
    for (int i = 0; i < 2; i++) {
        if (q->site[i] >= 0) {
            const double *by = &shift[6 * q->site[i]];
            vec3 turn = vec3_neg(tray_vec3(by + 3));
            out.pos[i] = vec3_sub(m->pos[i], tray_vec3(by));
            out.rot[i] = mat3_multiply(quat_to_mat3(quat_exp(turn)), m->rot[i]);
        }
    }
    return out;
}

static bool is_shifted(int site, const double *shift)
{
    const double *by = site >= 0 ? &shift[6 * site] : NULL;
    return by &&
           (by[0] != 0.0 || by[1] != 0.0 || by[2] != 0.0 || by[3] != 0.0 || by[4] != 0.0 || by[5] != 0.0);
}

// What a patch must not give of its elastic forces, or it would give more than it has stored (contact.14): known once they
// have acted, the prediction may be far off. Within a step it only grows: less force separates more slowly and would
// allow more.
static double withheld_of(const place_pair *q, const law_in *in, double before)
{
    const contact_pair *p = q->of;
    pair_motion m = pair_at(p, in->at);
    store_flow flow = store_flow_of(&m);
    if (!store_nears_end(pair_own(p, in), &flow, in->u->h)) {
        return before;
    }
    pair_place *moved = SPARE_NEW(in->spare, pair_place, p->capacity);
    int n_region,
        count = pair_places(p, &m, pair_own(p, in), in, in->want | LAW_KEEP | LAW_APART, moved, &n_region);
    double withheld = 1.0 - share_held(q->law, p, in, &m, moved, count).share;
    spare_give(in->spare, moved);
    return fmax(before, withheld);
}

// Places of a pair: where its bodies are if it touched before, else where they would be without that push, carried to
// where they are.
static void look_at(place_pair *q, const law_in *in, const double *shift)
{
    const contact_pair *p = q->of;
    bool keeps = in->want & LAW_KEEP;
    q->is_carried = false;
    q->withheld = 0.0;
    if (!keeps && !shift && pair_is_clear(p, in->at)) {
        pair_forget(p, in->scratch);
        q->n_kept = 0;
        return;
    }
    q->n_kept = keeps ? pair_kept_count(p, in->scratch) : 0;
    double *withheld = pair_withheld(p, in->scratch);
    if (q->n_kept > 0) {
        if (in->want & LAW_MORE) {
            pair_motion now = pair_at(p, in->at);
            q->n_kept = pair_look_again(p, &now, pair_own(p, in), in);
        }
        q->is_carried = true;
        q->withheld = q->law->live->is_limited && p->is_patch && !(in->want & LAW_LATE)
                          ? withheld_of(q, in, *withheld)
                          : 0.0;
    }
    *withheld = q->withheld;
    if (q->n_kept > 0) {
        return;
    }
    const double *own = pair_own(p, in);
    pair_motion m = pair_at(p, in->at);
    bool is_pushed = shift && !keeps && (is_shifted(q->site[0], shift) || is_shifted(q->site[1], shift));
    if (!is_pushed || own[HEAD_COUNT] > 0.0) {
        q->n_kept = pair_look(p, &m, own, in);
    }
    if (q->n_kept == 0 && is_pushed) {
        pair_motion before = unpushed(&m, q, shift);
        q->n_kept = pair_look(p, &before, own, in);
        q->is_carried = true;
    }
}

// Those that need the one work space of meshes are left to the caller.
static void look_at_some(void *of, int first, int end, int worker)
{
    const collecting *c = of;
    law_in own = *c->in;
    own.spare += worker;
    for (int k = first; k < end; k++) {
        place_pair *q = &c->list->pair[k];
        if (!q->of->needs_work) {
            look_at(q, &own, c->list->shift);
        }
    }
}

// All pairs that are awake.
static void list_pairs(const contact *item, int count, const law_in *in, place_list *out)
{
    for (int k = 0; k < count; k++) {
        pair_walk walk;
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; item[k].live && (p = walk_next(&walk)) != NULL;) {
            if (pair_sleeps(p, in->memory)) {
                continue;
            }
            if (out->n_pair >= out->most_pairs) {
                out->lacks |= PLACES_LACK_PAIRS;
                return;
            }
            place_pair *q = &out->pair[out->n_pair++];
            q->law = &item[k];
            q->of = p;
            for (int i = 0; i < 2; i++) {
                q->site[i] = site_of(q, i)->site;
            }
        }
    }
}

// ---- laying out ----------------------------------------------------------------------------------------------------

// Those that touch move together, and each is given its part of the lists.
static void give_room(place_list *list)
{
    int n = 0;
    for (int k = 0; k < list->n_pair; k++) {
        const place_pair *from = &list->pair[k];
        if (from->n_kept == 0) {
            continue;
        }
        int count = from->n_kept;
        place_pair *q = &list->pair[n];
        bool is_in_lanes = from->withheld == 0.0 && fours_can(from->law, from->of);
        list->lacks |=
            is_in_lanes && list->n_four + fours_of(count) > list->most_fours ? PLACES_LACK_FOURS : 0;
        list->lacks |= !is_in_lanes && list->n_item + count > list->most ? PLACES_LACK_ITEMS : 0;
        if (list->lacks != 0) {
            return;
        }
        if (n < k) {
            q->law = from->law;
            q->of = from->of;
            q->is_carried = from->is_carried;
            q->withheld = from->withheld;
            q->site[0] = from->site[0];
            q->site[1] = from->site[1];
            q->n_kept = count;
        }
        q->first = list->n_item;
        q->four = list->n_four;
        q->count = is_in_lanes ? 0 : count;
        q->n_four = is_in_lanes ? fours_of(count) : 0;
        list->count += count;
        list->n_item += q->count;
        list->n_four += q->n_four;
        n++;
    }
    list->n_pair = n;
}

static void lay_place(const contact *c, const contact_pair *p, const pair_motion *m, const law_in *in,
                      const pair_place found[], int k, int count, place *to)
{
    hold h;
    // forces and stiffnesses follow when it is met
    to->values = values_at(c, p, in, &found[k], count);
    to->at = motion_at(c, p, m, in, &found[k], &h);
    to->roll.stiffness = 0.0;
    to->at.is_new = !to->at.is_held;
    if (surface_rolls(&c->surface)) {
        place_roll r = roll_at(c, p, m, in, &found[k], count);
        to->roll = r.values;
        to->turned = r.at;
    }
    to->off = wide3_of(vec3_sub(found[k].point, found[0].point));
    to->is_plain = !(to->values.viscous > 0.0) && isinf(to->values.stick_speed);
}

static void lay_pair(place_pair *q, const law_in *in, place_list *list)
{
    const contact_pair *p = q->of;
    pair_place *moved = SPARE_NEW(in->spare, pair_place, p->capacity);
    q->kept = pair_kept_places(p, in->scratch); // all of them, in this order
    const pair_place *found = q->kept;
    const double *own = pair_own(p, in);
    q->stored = p->is_patch && own[HEAD_COUNT] > 0.0 ? fmax(0.0, own[HEAD_STORED]) : 0.0;
    pair_motion m = q->is_carried ? pair_at(p, in->at) : *pair_kept_motion(p, in->scratch);
    if (q->is_carried) {
        int n_region;
        pair_places(p, &m, pair_own(p, in), in, in->want | LAW_KEEP | LAW_APART, moved, &n_region);
        found = moved;
    }
    for (int i = 0; i < 2; i++) {
        q->arm[i] = wide3_of(vec3_sub(found[0].point, m.pos[i]));
    }
    if (q->n_four > 0) {
        fours_take(q->law, p, &m, in, found, q->n_kept, &list->four[q->four]);
    }
    for (int k = 0; k < q->count; k++) {
        lay_place(q->law, p, &m, in, found, k, q->count, &list->item[q->first + k]);
        list->item[q->first + k].values.held = 1.0 - q->withheld;
    }
    spare_give(in->spare, moved);
}

static void lay_some(void *of, int first, int end, int worker)
{
    const collecting *c = of;
    law_in own = *c->in;
    own.spare += worker;
    for (int k = first; k < end; k++) {
        lay_pair(&c->list->pair[k], &own, c->list);
    }
}

void places_collect(const void *items, int count, const law_in *in, place_list *out)
{
    collecting c = { in, out };
    list_pairs(items, count, in, out);
    if (out->lacks != 0) {
        return;
    }
    crew_do(in->crew, out->n_pair, LOOKS, look_at_some, &c);
    for (int k = 0; k < out->n_pair; k++) {
        if (out->pair[k].of->needs_work) {
            look_at(&out->pair[k], in, out->shift);
        }
    }
    give_room(out);
    if (out->lacks == 0) {
        crew_do(in->crew, out->n_pair, LAYS, lay_some, &c);
    }
}

// ---- who is near ---------------------------------------------------------------------------------------------------

int places_near(const void *items, int count, const law_in *in, bool *site)
{
    const contact *item = items;
    int n = 0;
    for (int k = 0; k < count; k++) {
        pair_walk walk;
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; item[k].live && (p = walk_next(&walk)) != NULL; n++) {
            for (int i = 0; i < 2; i++) {
                int of = item[k].live->site[p->of[i]].site;
                if (of >= 0) {
                    site[of] = true;
                }
            }
        }
    }
    return n;
}

static bool is_found(const contact_pair *p, const law_in *in)
{
    int n_region;
    if (pair_sleeps(p, in->memory) || pair_is_clear(p, in->at)) {
        return false;
    }
    pair_motion m = pair_at(p, in->at);
    pair_place *found = SPARE_NEW(in->spare, pair_place, p->capacity);
    int count = pair_find(p, &m, pair_own(p, in), in, found, &n_region);
    spare_give(in->spare, found);
    return count > 0;
}

static bool is_missed(const contact_pair *p, const law_in *in)
{
    if (pair_kept_count(p, in->scratch) <= 0) {
        return is_found(p, in);
    }
    if (p->is_patch || p->capacity == 1 || pair_sleeps(p, in->memory)) {
        return false;
    }
    pair_place *more = SPARE_NEW(in->spare, pair_place, p->capacity);
    pair_motion m = pair_at(p, in->at);
    int count = pair_missed(p, &m, pair_own(p, in), in, more);
    spare_give(in->spare, more);
    return count > 0;
}

static bool is_remembered(const contact_pair *p, const law_in *in)
{
    return pair_own(p, in)[HEAD_COUNT] > 0.0 && !pair_sleeps(p, in->memory);
}

// Whether a live pair is as `is_so` says.
static bool some_pair(const void *items, int count, const law_in *in,
                      bool (*is_so)(const contact_pair *, const law_in *))
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        pair_walk walk;
        if (!item[k].live || all_sleeps(&item[k], in)) {
            continue;
        }
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
            if (is_so(p, in)) {
                return true;
            }
        }
    }
    return false;
}

bool places_are_missed(const void *items, int count, const law_in *in)
{
    return some_pair(items, count, in, is_missed);
}

bool places_are_remembered(const void *items, int count, const law_in *in)
{
    return some_pair(items, count, in, is_remembered);
}

bool places_are_found(const void *items, int count, const law_in *in)
{
    return some_pair(items, count, in, is_found);
}
