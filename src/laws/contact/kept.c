// SPDX-License-Identifier: MIT
// Places that stay: found once, then carried along with both bodies (contact.16).
#include "laws/contact/pair.h"
#include <string.h>

// The points of both surfaces go with their bodies, the normal with b (contact.16).
static void carry_place(const pair_place *old, const pair_motion *from, const mat3 turn[2],
                        const pair_motion *to, pair_place *now)
{
    vec3 at[2];
    *now = *old;
    for (int k = 0; k < 2; k++) {
        double out = k == 0 ? -0.5 * old->depth : 0.5 * old->depth;
        vec3 arm = vec3_sub(vec3_add_scaled(old->point, out, old->normal), from->pos[k]);
        at[k] = vec3_add(to->pos[k], mat3_apply(turn[k], arm));
    }
    now->normal = mat3_apply(turn[1], old->normal);
    now->depth = vec3_dot(now->normal, vec3_sub(at[1], at[0]));
    now->point = vec3_scale(0.5, vec3_add(at[0], at[1]));
}

// What a body of the pair has turned since. One that has not, has not by a rounding either.
static mat3 turn_of(const pair_motion *from, const pair_motion *to, int k)
{
    bool is_same = memcmp(&from->rot[k], &to->rot[k], sizeof from->rot[k]) == 0;
    return is_same ? mat3_identity() : mat3_multiply(to->rot[k], mat3_transposed(from->rot[k]));
}

// With LAW_APART those, too, that have parted: they may meet again in the step.
static int carry(const pair_kept *kept, const pair_motion *m, unsigned want, pair_place *out, int *n_region)
{
    int n = 0;
    mat3 turn[2] = { turn_of(&kept->at, m, 0), turn_of(&kept->at, m, 1) };
    for (int k = 0; k < kept->count; k++) {
        carry_place(&kept->place[k], &kept->at, turn, m, &out[n]);
        n += out[n].depth > 0.0 || (want & LAW_APART);
    }
    *n_region = n > 0 ? kept->n_region : 0;
    return n;
}

static pair_kept *kept_in(const contact_pair *p, void *scratch)
{
    return (pair_kept *)(void *)((char *)scratch + p->kept);
}

int pair_kept_count(const contact_pair *p, void *scratch) { return kept_in(p, scratch)->count; }

pair_place *pair_kept_places(const contact_pair *p, void *scratch) { return kept_in(p, scratch)->place; }

const pair_motion *pair_kept_motion(const contact_pair *p, void *scratch) { return &kept_in(p, scratch)->at; }

double *pair_withheld(const contact_pair *p, void *scratch) { return &kept_in(p, scratch)->withheld; }

void pair_forget(const contact_pair *p, void *scratch)
{
    kept_in(p, scratch)->withheld = 0.0;
    kept_in(p, scratch)->count = 0;
    kept_in(p, scratch)->is_moved = false;
}

int pair_look(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in)
{
    pair_kept *kept = kept_in(p, in->scratch);
    kept->count = pair_find(p, m, own, in, kept->place, &kept->n_region);
    kept->is_moved = true;
    kept->at = *m;
    return kept->count;
}

// Two places of a shape that touches a plane or so are farther apart, of its reach.
static bool is_among(const pair_place *x, const pair_place *list, int n, double reach)
{
    const double same = 0.05;
    for (int k = 0; k < n; k++) {
        vec3 d = vec3_sub(x->point, list[k].point);
        if (vec3_dot(d, d) < same * same * reach * reach) {
            return true;
        }
    }
    return false;
}

// Since its places were found the pair has moved by a part of its reach that would matter.
static bool has_moved(const pair_kept *kept, const pair_motion *m, double reach)
{
    const double trifle = 1e-6;
    double most = trifle * reach, turned = 0.0;
    vec3 way = vec3_sub(vec3_sub(m->pos[0], kept->at.pos[0]), vec3_sub(m->pos[1], kept->at.pos[1]));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            vec3 d = vec3_sub(m->rot[k].col[i], kept->at.rot[k].col[i]);
            turned += vec3_dot(d, d);
        }
    }
    return vec3_dot(way, way) > most * most || turned > trifle * trifle;
}

int pair_missed(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                pair_place *out)
{
    enum { OF_A_FACE = 4 }; // of a box, which has no more on a plane
    const pair_kept *kept = kept_in(p, in->scratch);
    int most = p->a->form.kind == GEOM_BOX ? OF_A_FACE : p->capacity;
    if (p->is_patch || kept->count <= 0 || kept->count >= p->capacity || kept->count >= most ||
        !has_moved(kept, m, p->reach[0])) {
        return 0;
    }
    pair_place *carried = SPARE_NEW(in->spare, pair_place, p->capacity);
    int n_region, n = 0, count = pair_find(p, m, own, in, out, &n_region),
                  n_carried = carry(kept, m, LAW_APART, carried, &n_region);
    for (int k = 0; k < count && n_carried + n < p->capacity; k++) {
        if (!is_among(&out[k], carried, n_carried, p->reach[0])) {
            out[n] = out[k];
            out[n++].slot = -1;
        }
    }
    spare_give(in->spare, carried);
    return n;
}

int pair_look_again(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in)
{
    pair_kept *kept = kept_in(p, in->scratch);
    pair_place *more = SPARE_NEW(in->spare, pair_place, p->capacity),
               *carried = SPARE_NEW(in->spare, pair_place, p->capacity);
    int n_region, n = pair_missed(p, m, own, in, more);
    if (n > 0) {
        int n_carried = carry(kept, m, LAW_APART, carried, &n_region);
        memcpy(kept->place, carried, (size_t)n_carried * sizeof *carried);
        memcpy(kept->place + n_carried, more, (size_t)n * sizeof *more);
        kept->count = n_carried + n;
        kept->at = *m;
    }
    spare_give(in->spare, more);
    return kept->count;
}

int pair_places(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                unsigned want, pair_place *out, int *n_region)
{
    if (!p->is_patch && !p->is_live) {
        return pair_find(p, m, own, in, out, n_region);
    }
    pair_kept *kept = kept_in(p, in->scratch);
    // nothing is no place to stay at: what comes to touch would be passed through
    kept->is_moved = (want & LAW_KEEP) && kept->count > 0;
    if (kept->is_moved) {
        return carry(kept, m, want, out, n_region);
    }
    int count = pair_find(p, m, own, in, out, n_region);
    // those that a step settles stay those of its end
    kept->is_moved = p->is_live && (want & LAW_APART);
    kept->at = *m;
    kept->count = count;
    kept->n_region = *n_region;
    memcpy(kept->place, out, (size_t)count * sizeof *out);
    return count;
}

int pair_places_done(const contact_pair *p, const pair_motion *m, const double *own, const law_in *in,
                     pair_place *out, int *n_region)
{
    if (!(p->is_patch || p->is_live) || !kept_in(p, in->scratch)->is_moved) {
        return pair_find(p, m, own, in, out, n_region);
    }
    kept_in(p, in->scratch)->is_moved = false; // once
    return carry(kept_in(p, in->scratch), m, 0, out, n_region);
}
