// SPDX-License-Identifier: MIT
// Forces at many places at once: each in turn is brought to agree with its law, and moves its two bodies (contact.18,
// contact.19).
#include "laws/contact/settle.h"
#include "laws/contact/shape_contact.h"
#include <string.h>

// ---- collecting --------------------------------------------------------------------------------------------------

static void collect_pair(const contact *c, const pair_walk *w, const law_in *in, place_list *out)
{
    pair_place found[PAIR_MOST];
    const contact_pair *p = &w->made;
    pair_motion m = pair_at(p, in->at);
    int n_region, count = pair_places(p, &m, pair_own(p, in), in->scratch, in->want, found, &n_region);
    const contact_site *site[2] = { &c->live->site[(int)w->entry[p->is_swapped ? ENTRY_B : ENTRY_A]],
                                    &c->live->site[(int)w->entry[p->is_swapped ? ENTRY_A : ENTRY_B]] };
    if (count == 0) {
        return;
    }
    if (out->count + count > out->most || out->n_pair >= out->most_pairs) {
        out->is_full = true;
        return;
    }
    pair_place *acted = pair_kept_places(p, in->scratch); // all of them, in this order
    out->pair[out->n_pair++] = (place_pair){ .first = out->count, .count = count };
    for (int k = 0; k < count; k++) {
        hold h;
        place *to = &out->item[out->count++];
        *to = (place){ .site = { site[0]->site, site[1]->site },
                       .values = values_at(c, p, in, &found[k], count),
                       .at = motion_at(c, p, &m, in, &found[k], &h) };
        to->at.is_new = !to->at.is_held;
        to->acted = &acted[k].acted;
        for (int i = 0; i < 2; i++) {
            to->arm[i] = vec3_sub(found[k].point, m.pos[i]);
        }
    }
}

void places_collect(const void *items, int count, const law_in *in, place_list *out)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        if (!item[k].live) {
            continue;
        }
        pair_walk walk;
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; (p = walk_next(&walk)) != NULL;) {
            if (pair_sleeps(p, in->memory)) {
                continue;
            }
            if (!(in->want & LAW_KEEP) && pair_is_clear(p, in->at)) {
                pair_forget(p, in->scratch);
            } else {
                collect_pair(&item[k], &walk, in, out);
            }
        }
    }
}

static bool is_missed(const contact_pair *p, const law_in *in)
{
    pair_place found[PAIR_MOST];
    int n_region;
    if (pair_sleeps(p, in->memory) || pair_kept_count(p, in->scratch) > 0 || pair_is_clear(p, in->at)) {
        return false;
    }
    pair_motion m = pair_at(p, in->at);
    return pair_find(p, &m, pair_own(p, in), in->scratch, found, &n_region) > 0;
}

bool places_are_missed(const void *items, int count, const law_in *in)
{
    const contact *item = items;
    for (int k = 0; k < count; k++) {
        pair_walk walk;
        contact_walk(&walk, &item[k], in);
        for (const contact_pair *p; item[k].live && (p = walk_next(&walk)) != NULL;) {
            if (is_missed(p, in)) {
                return true;
            }
        }
    }
    return false;
}

static const place_move nothing = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };

#define FOR_ACTIVE(p, s) for (int at_ = 0, s; at_ < (p)->n_active && (s = (p)->active[at_], true); at_++)

// ---- how sites move ------------------------------------------------------------------------------------------------

static vec3 moved_at(const place_site *s, vec3 arm)
{
    return vec3_add(s->at.lin, vec3_cross(s->at.ang, arm));
}

static const double *mobility_in(const places_problem *p, int on, int by, int *width)
{
    const mobile_part *part = &p->part[p->part_of[on]];
    *width = 6 * part->count;
    return &p->A[part->value + 6 * p->place_of[on] * *width + 6 * p->place_of[by]];
}

// A quarter of it, 3 x 3.
static mat3 quarter(const double *A, int width, int i, int k)
{
    mat3 m;
    for (int c = 0; c < 3; c++) {
        const double *from = &A[3 * i * width + 3 * k + c];
        m.col[c] = (vec3){ from[0], from[width], from[2 * width] };
    }
    return m;
}

static mat3 inverse(mat3 m)
{
    vec3 r[3] = { vec3_cross(m.col[1], m.col[2]), vec3_cross(m.col[2], m.col[0]),
                  vec3_cross(m.col[0], m.col[1]) };
    double by = 1.0 / vec3_dot(m.col[0], r[0]);
    return mat3_scale(by, mat3_transposed((mat3){ { r[0], r[1], r[2] } }));
}

static double size_of(mat3 m)
{
    return fmax(vec3_norm(m.col[0]), fmax(vec3_norm(m.col[1]), vec3_norm(m.col[2])));
}

// A body that moves by itself has a centre: forces there shift it equally in all directions, moments turn it about it.
// A22 is the turn by a moment, A12 = [c] A22, A11 = 1/m - [c] A22 [c].
static place_site site_of(const places_problem *p, int s)
{
    static const double same = 1e-8;
    int width;
    const double *A = mobility_in(p, s, s, &width);
    place_site out = { .start = { tray_vec3(&p->u[6 * s]), tray_vec3(&p->u[6 * s + 3]) } };
    out.at = out.start;
    if (p->part[p->part_of[s]].count > 1) {
        return out;
    }
    mat3 turn = quarter(A, width, 1, 1), arm = mat3_multiply(quarter(A, width, 0, 1), inverse(turn));
    mat3 shift = mat3_add(quarter(A, width, 0, 0),
                          mat3_scale(-1.0, mat3_multiply(arm, mat3_multiply(turn, mat3_transposed(arm)))));
    double by_force = shift.col[0].x, size = size_of(arm);
    mat3 rest = mat3_add(shift, mat3_scale(-by_force, mat3_identity()));
    bool is_skew = size_of(mat3_add(arm, mat3_transposed(arm))) <= same * fmax(size, 1e-3);
    if (is_skew && by_force > 0.0 && size_of(rest) <= same * by_force) {
        out.is_free = true;
        out.centre = (vec3){ arm.col[1].z, arm.col[2].x, arm.col[0].y };
        out.mass = 1.0 / by_force;
        out.inertia = inverse(turn);
        out.start.lin = vec3_add(out.start.lin, vec3_cross(out.start.ang, out.centre));
        out.at = nothing;
        if (p->guess) {
            out.at = (place_move){ tray_vec3(&p->guess[6 * s]), tray_vec3(&p->guess[6 * s + 3]) };
            out.at.lin = vec3_add(out.at.lin, vec3_cross(out.at.ang, out.centre));
        }
    }
    return out;
}

static vec3 across(vec3 n, vec3 v) { return vec3_add_scaled(v, -vec3_dot(n, v), n); }

// ---- the law at a place -----------------------------------------------------------------------------------------------

// How far the first has moved against the second.
static inline vec3 moved(const places_problem *p, const place *x)
{
    vec3 e = { 0.0, 0.0, 0.0 };
    e = x->site[0] >= 0 ? moved_at(&p->sites[x->site[0]], x->arm[0]) : e;
    return x->site[1] >= 0 ? vec3_sub(e, moved_at(&p->sites[x->site[1]], x->arm[1])) : e;
}

// Force and stiffness against e, of any law.
static void meet_any(place *x, vec3 e, double rate)
{
    touch_motion t = x->at;
    t.depth -= vec3_dot(t.normal, e);
    t.velocity = vec3_add_scaled(t.velocity, rate, e);
    t.stretch = vec3_add(t.stretch, e);
    touch_force f = touch_eval(&x->values, &t, TOUCH_SLOPES);
    mat3 slope = mat3_add(mat3_add(f.by_stretch, mat3_scale(rate, f.by_velocity)),
                          mat3_scale(-1.0, mat3_outer(f.by_depth, t.normal)));
    x->force = f.force;
    x->stiffness = mat3_scale(-0.5, mat3_add(slope, mat3_transposed(slope)));
}

// Of a spring across the normal that gives way at its limit: the limit is taken as it is, so that the stiffness is
// symmetric and never negative (contact.19).
static void meet_plain(place *x, vec3 e, double rate)
{
    const touch_values *v = &x->values;
    vec3 n = x->at.normal;
    double by_depth, by_rate, held = x->at.is_held ? v->stick_stiffness : 0.0;
    touch_motion t = x->at;
    t.depth -= vec3_dot(n, e);
    vec3 speed = vec3_add_scaled(t.velocity, rate, e);
    double push = touch_push(v, &t, -vec3_dot(n, speed), &by_depth, &by_rate);
    vec3 stretch = across(n, vec3_add(t.stretch, e)), pull = vec3_scale(held, stretch);
    pull = vec3_add_scaled(pull, v->stick_damping, across(n, speed));
    double most = touch_most(v, &t, stretch, pull, push), size = vec3_norm(pull),
           stiff = held + rate * v->stick_damping, part = size > most ? most / size : 1.0;
    x->force = vec3_add_scaled(vec3_scale(-part, pull), push, n);
    x->stiffness = mat3_add(mat3_scale(part * stiff, mat3_identity()),
                            mat3_scale(by_depth + rate * by_rate - part * stiff, mat3_outer(n, n)));
    if (part < 1.0) {
        x->stiffness =
            mat3_add(x->stiffness, mat3_scale(-part * stiff / (size * size), mat3_outer(pull, pull)));
    }
}

static void meet(const places_problem *p, place *x)
{
    vec3 e = moved(p, x);
    if (!(x->at.depth - vec3_dot(x->at.normal, e) > 0.0)) {
        x->force = (vec3){ 0.0, 0.0, 0.0 };
        x->is_open = true;
        return;
    }
    x->is_open = false;
    if (x->is_plain) {
        meet_plain(x, e, p->rate);
    } else {
        meet_any(x, e, p->rate);
    }
}

// ---- bodies -----------------------------------------------------------------------------------------------------------

// y = A x over a part that is no free body.
static void move_part(const places_problem *p, const mobile_part *part, const place_move *x, place_move *y)
{
    int width = 6 * part->count;
    const double *A = &p->A[part->value];
    for (int i = 0; i < part->count; i++) {
        double sum[6] = { 0.0 };
        for (int r = 0; r < 6; r++, A += width) {
            for (int k = 0; k < part->count; k++) {
                const place_move *w = &x[p->site[part->first + k]];
                const double *a = &A[6 * k];
                sum[r] += a[0] * w->lin.x + a[1] * w->lin.y + a[2] * w->lin.z + a[3] * w->ang.x +
                          a[4] * w->ang.y + a[5] * w->ang.z;
            }
        }
        y[p->site[part->first + i]] = (place_move){ tray_vec3(sum), tray_vec3(sum + 3) };
    }
}

static place_move weighed(const place_site *s, place_move x)
{
    return (place_move){ vec3_scale(s->mass, x.lin), mat3_apply(s->inertia, x.ang) };
}

static inline double work(place_move f, place_move x)
{
    return vec3_dot(f.lin, x.lin) + vec3_dot(f.ang, x.ang);
}
static inline place_move more(place_move a, double by, place_move b)
{
    return (place_move){ vec3_add_scaled(a.lin, by, b.lin), vec3_add_scaled(a.ang, by, b.ang) };
}

// The force f at an arm.
static inline void pull(place_move *w, vec3 arm, vec3 f)
{
    w->lin = vec3_add(w->lin, f);
    w->ang = vec3_add(w->ang, vec3_cross(arm, f));
}

// ---- residual ---------------------------------------------------------------------------------------------------------

// Forces at all places, their efforts on the sites, and what is open of M (u - u_free) = w.
static void find_open(place_list *list, const places_problem *p, place_move *w, place_move *open)
{
    FOR_ACTIVE(p, s) { w[s] = nothing; }
    for (int k = 0; k < list->count; k++) {
        place *x = &list->item[k];
        meet(p, x);
        if (x->is_open) {
            continue;
        }
        if (x->site[0] >= 0) {
            pull(&w[x->site[0]], x->arm[0], x->force);
        }
        if (x->site[1] >= 0) {
            pull(&w[x->site[1]], x->arm[1], vec3_neg(x->force));
        }
    }
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        place_move gone = more(site->at, -1.0, site->start);
        // of other parts the effort that moved them is known instead
        open[s] = more(w[s], -1.0, site->is_free ? weighed(site, gone) : site->effort);
    }
}

// ---- Newton -----------------------------------------------------------------------------------------------------------

// Stiffness of a pair against the twist of the first about its first place.
static void stiffen(const place_list *list, place_pair *q)
{
    mat3 zero = { 0 };
    q->shift = q->mixed = q->turn = zero;
    const place *first = &list->item[q->first];
    for (int k = q->first; k < q->first + q->count; k++) {
        const place *x = &list->item[k];
        if (x->is_open) {
            continue;
        }
        int side = x->site[0] >= 0 ? 0 : 1;
        vec3 o = vec3_sub(x->arm[side], first->arm[side]);
        // columns of S [o]: the force against a turn about each axis is S (axis x o)
        const vec3 turned[3] = { { 0.0, -o.z, o.y }, { o.z, 0.0, -o.x }, { -o.y, o.x, 0.0 } };
        mat3 by_turn;
        for (int c = 0; c < 3; c++) {
            by_turn.col[c] = mat3_apply(x->stiffness, turned[c]);
        }
        q->shift = mat3_add(q->shift, x->stiffness);
        q->mixed = mat3_add(q->mixed, by_turn);
        for (int c = 0; c < 3; c++) {
            q->turn.col[c] = vec3_add(q->turn.col[c], vec3_cross(o, by_turn.col[c]));
        }
    }
}

static place_move resist(const place_pair *q, place_move x)
{
    return (place_move){ vec3_add(mat3_apply(q->shift, x.lin), mat3_apply(q->mixed, x.ang)),
                         vec3_add(mat3_apply_transposed(q->mixed, x.lin), mat3_apply(q->turn, x.ang)) };
}

// y += P x
static void add_resistance(const place_list *list, const place_move *x, place_move *y)
{
    for (int k = 0; k < list->n_pair; k++) {
        const place_pair *q = &list->pair[k];
        const place *at = &list->item[q->first];
        int a = at->site[0], b = at->site[1];
        place_move d = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
        if (a >= 0) {
            d.lin = vec3_add(x[a].lin, vec3_cross(x[a].ang, at->arm[0]));
            d.ang = x[a].ang;
        }
        if (b >= 0) {
            d.lin = vec3_sub(d.lin, vec3_add(x[b].lin, vec3_cross(x[b].ang, at->arm[1])));
            d.ang = vec3_sub(d.ang, x[b].ang);
        }
        place_move f = resist(q, d);
        if (a >= 0) {
            pull(&y[a], at->arm[0], f.lin);
            y[a].ang = vec3_add(y[a].ang, f.ang);
        }
        if (b >= 0) {
            pull(&y[b], at->arm[1], vec3_neg(f.lin));
            y[b].ang = vec3_sub(y[b].ang, f.ang);
        }
    }
}

// L of (M + P) of a free body, 6 x 6, lower triangle by rows, with the reciprocals of the pivots.
static void factor_site(double *L)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = L[6 * i + j];
            for (int k = 0; k < j; k++) {
                sum -= L[6 * i + k] * L[6 * j + k];
            }
            L[6 * i + j] = i == j ? 1.0 / sqrt(sum) : sum * L[6 * j + j];
        }
    }
}

static void add_block(double *L, int i, int k, mat3 m)
{
    for (int c = 0; c < 3; c++) {
        L[6 * (3 * i + 0) + 3 * k + c] += m.col[c].x;
        L[6 * (3 * i + 1) + 3 * k + c] += m.col[c].y;
        L[6 * (3 * i + 2) + 3 * k + c] += m.col[c].z;
    }
}

static mat3 skew(vec3 v) { return (mat3){ { { 0.0, v.z, -v.y }, { -v.z, 0.0, v.x }, { v.y, -v.x, 0.0 } } }; }

// Stiffness of a pair about the centre of one of its bodies.
static void add_pair_to(const place_pair *q, vec3 arm, double *L)
{
    mat3 r = skew(arm), rt = mat3_transposed(r);
    mat3 mixed = mat3_add(q->mixed, mat3_multiply(q->shift, rt));
    mat3 turn =
        mat3_add(mat3_add(q->turn, mat3_multiply(mat3_transposed(q->mixed), rt)), mat3_multiply(r, mixed));
    add_block(L, 0, 0, q->shift);
    add_block(L, 1, 0, mat3_transposed(mixed));
    add_block(L, 1, 1, turn);
}

static void prepare(place_list *list, const places_problem *p)
{
    FOR_ACTIVE(p, s)
    {
        place_site *site = &p->sites[s];
        memset(site->L, 0, sizeof site->L);
        if (site->is_free) {
            site->L[0] = site->L[7] = site->L[14] = site->mass;
            add_block(site->L, 1, 1, site->inertia);
        }
    }
    for (int k = 0; k < list->n_pair; k++) {
        place_pair *q = &list->pair[k];
        const place *at = &list->item[q->first];
        stiffen(list, q);
        for (int i = 0; i < 2; i++) {
            if (at->site[i] >= 0 && p->sites[at->site[i]].is_free) {
                add_pair_to(q, at->arm[i], p->sites[at->site[i]].L);
            }
        }
    }
    FOR_ACTIVE(p, s)
    {
        if (p->sites[s].is_free) {
            factor_site(p->sites[s].L);
        }
    }
}

static place_move solve_site(const double *L, place_move b)
{
    double x[6] = { b.lin.x, b.lin.y, b.lin.z, b.ang.x, b.ang.y, b.ang.z };
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= L[6 * i + k] * x[k];
        }
        x[i] *= L[6 * i + i];
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) {
            x[i] -= L[6 * k + i] * x[k];
        }
        x[i] *= L[6 * i + i];
    }
    return (place_move){ tray_vec3(x), tray_vec3(x + 3) };
}

// z = B r: free bodies by themselves, other parts as they move without contacts.
static double precondition(const places_problem *p, const place_move *r, place_move *z)
{
    double sum = 0.0;
    FOR_ACTIVE(p, s)
    {
        if (p->sites[s].is_free) {
            z[s] = solve_site(p->sites[s].L, r[s]);
        }
    }
    FOR_ACTIVE(p, s)
    {
        // a part at its first site
        if (!p->sites[s].is_free && p->place_of[s] == 0) {
            move_part(p, &p->part[p->part_of[s]], r, z);
        }
    }
    FOR_ACTIVE(p, s) { sum += work(r[s], z[s]); }
    return sum;
}

// Conjugate gradients on (M + P) d = open; of parts that are not free the effort e with d = A e is found as well.
static int find_direction(const place_list *list, const places_problem *p)
{
    enum { MOST = 40 };
    static const double enough = 1e-2; // of the square of what is open
    place_move *r = p->work[0], *z = p->work[1], *d = p->work[2], *e = p->work[3], *way = p->work[4],
               *effort = p->work[5], *product = p->work[6];
    double size = precondition(p, r, z), first = size;
    FOR_ACTIVE(p, s)
    {
        d[s] = e[s] = nothing;
        way[s] = z[s];
        effort[s] = r[s];
    }
    int k = 0;
    for (; k < MOST && size > enough * first && size > p->least * p->least; k++) {
        FOR_ACTIVE(p, s) { product[s] = p->sites[s].is_free ? weighed(&p->sites[s], way[s]) : effort[s]; }
        add_resistance(list, way, product);
        double curved = 0.0;
        FOR_ACTIVE(p, s) { curved += work(product[s], way[s]); }
        double by = size / curved, before = size;
        FOR_ACTIVE(p, s)
        {
            d[s] = more(d[s], by, way[s]);
            e[s] = more(e[s], by, effort[s]);
            r[s] = more(r[s], -by, product[s]);
        }
        size = precondition(p, r, z);
        FOR_ACTIVE(p, s)
        {
            way[s] = more(z[s], size / before, way[s]);
            effort[s] = more(r[s], size / before, effort[s]);
        }
    }
    return k;
}

static void go(const places_problem *p, double by)
{
    const place_move *d = p->work[2], *e = p->work[3];
    FOR_ACTIVE(p, s)
    {
        place_site *site = &p->sites[s];
        site->at = more(site->at, by, d[s]);
        site->effort = more(site->effort, by, e[s]);
    }
}

// Where everything begins: free bodies where they are, others where their own motion takes them.
static void begin(place_list *list, const places_problem *p)
{
    FOR_ACTIVE(p, s) { p->sites[s] = site_of(p, s); }
    for (int k = 0; k < list->count; k++) {
        place *x = &list->item[k];
        for (int i = 0; p->before && i < 2; i++) {
            if (x->site[i] >= 0) {
                const double *b = &p->before[6 * x->site[i]];
                vec3 more = vec3_add(tray_vec3(b), vec3_cross(tray_vec3(b + 3), x->arm[i]));
                x->at.velocity = vec3_add_scaled(x->at.velocity, i == 0 ? 1.0 : -1.0, more);
            }
        }
        for (int i = 0; i < 2; i++) {
            vec3 centre = x->site[i] >= 0 ? p->sites[x->site[i]].centre : (vec3){ 0.0, 0.0, 0.0 };
            x->arm[i] = vec3_sub(x->arm[i], centre);
        }
        x->is_plain = !(x->values.viscous > 0.0) && isinf(x->values.stick_speed);
    }
}

// Efforts on the sites, about their frames.
static void hand_over(const places_problem *p, const place_move *w)
{
    FOR_ACTIVE(p, s)
    {
        tray_put(&p->w[6 * s], w[s].lin);
        tray_put(&p->w[6 * s + 3], vec3_add(w[s].ang, vec3_cross(p->sites[s].centre, w[s].lin)));
    }
}

// What free bodies move without these forces, in the measure of what is open.
static double free_size(const places_problem *p)
{
    double sum = 0.0;
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        sum += site->is_free ? work(weighed(site, site->start), site->start) : 0.0;
    }
    return sum;
}

int places_solve(place_list *list, const places_problem *p)
{
    enum { NEWTON = 12, HALVINGS = 5 };
    place_move *open = p->work[0], *z = p->work[1], *w = p->work[7];
    begin(list, p);
    find_open(list, p, w, open);
    double first = INFINITY;
    int i = 0;
    for (; i < NEWTON; i++) {
        prepare(list, p);
        double before = precondition(p, open, z);
        first = i > 0 ? first : p->guess ? fmax(before, free_size(p)) : before;
        if (!(before > fmax(p->tolerance * p->tolerance * first, p->least * p->least))) {
            break;
        }
        p->counts[1] += find_direction(list, p);
        double by = 1.0;
        go(p, by);
        find_open(list, p, w, open);
        for (int k = 0; k < HALVINGS && !(precondition(p, open, z) <= before); k++) {
            go(p, -0.5 * by);
            by *= 0.5;
            find_open(list, p, w, open);
            p->counts[2]++;
        }
    }
    for (int k = 0; k < list->count; k++) {
        *list->item[k].acted = list->item[k].force;
    }
    p->counts[0] += i;
    hand_over(p, w);
    return i;
}
