// SPDX-License-Identifier: MIT
// Forces at many places at once: each in turn is brought to agree with its law, and moves its two bodies (contact.20,
// contact.21).
#include "laws/contact/crowd/spend.h"
#include <string.h>

// ---- how sites move ------------------------------------------------------------------------------------------------

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
static void find_site(const places_problem *p, int s, place_site *out)
{
    static const double same = 1e-8;
    int width;
    const double *A = mobility_in(p, s, s, &width);
    *out = (place_site){ .start = { wide3_read(&p->u[6 * s]), wide3_read(&p->u[6 * s + 3]) } };
    out->at = out->start;
    if (p->part[p->part_of[s]].all > 1) {
        return;
    }
    mat3 turn = quarter(A, width, 1, 1), inertia = inverse(turn),
         arm = mat3_multiply(quarter(A, width, 0, 1), inertia);
    mat3 shift = mat3_add(quarter(A, width, 0, 0),
                          mat3_scale(-1.0, mat3_multiply(arm, mat3_multiply(turn, mat3_transposed(arm)))));
    double by_force = shift.col[0].x, size = size_of(arm);
    mat3 rest = mat3_add(shift, mat3_scale(-by_force, mat3_identity()));
    bool is_skew = size_of(mat3_add(arm, mat3_transposed(arm))) <= same * fmax(size, 1e-3);
    if (is_skew && by_force > 0.0 && size_of(rest) <= same * by_force) {
        out->is_free = true;
        out->centre = (vec3){ arm.col[1].z, arm.col[2].x, arm.col[0].y };
        out->mass = 1.0 / by_force;
        out->inertia = wide_mat3_of(inertia);
        out->turn_by = wide_mat3_of(turn);
        out->start.lin += wide3_cross(out->start.ang, wide3_of(out->centre));
        out->at = move_none();
    }
}

static vec3 across(vec3 n, vec3 v) { return vec3_add_scaled(v, -vec3_dot(n, v), n); }

// ---- the law at a place -----------------------------------------------------------------------------------------------

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
    x->force = wide3_of(f.force);
    x->stiffness = mat3_scale(-0.5, mat3_add(slope, mat3_transposed(slope)));
}

// Of a spring across the normal that gives way at its limit: the limit is taken as it is, so that the stiffness is
// symmetric and never negative (contact.21).
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
           part = size > most ? most / size : 1.0;
    x->force = wide3_of(vec3_add_scaled(vec3_scale(-part, pull), push, n));
    double along = by_depth + rate * by_rate, beside = part * (held + rate * v->stick_damping);
    x->stiffness =
        mat3_add(mat3_scale(beside, mat3_identity()), mat3_scale(along - beside, mat3_outer(n, n)));
    if (part < 1.0) {
        vec3 slid = vec3_scale(1.0 / size, pull);
        x->stiffness = mat3_add(x->stiffness, mat3_scale(-beside, mat3_outer(slid, slid)));
    }
}

// Where friction depends on the direction: as a place where it does not, seen askew (touch.6).
static void meet_skewed(place *x, vec3 e, double rate)
{
    touch_motion at = x->at;
    mat3 A = touch_skew(&x->values, &at);
    x->at = touch_seen(&x->values, &at);
    meet_plain(x, touch_skewed(&x->values, &at, e), rate);
    x->at = at;
    x->force = wide3_of(mat3_apply(A, wide3_narrow(x->force)));
    x->stiffness = mat3_multiply(A, mat3_multiply(x->stiffness, A));
}

// The moment against rolling, with the push there is now (touch.8).
static void meet_turn(place *x, vec3 turn, double rate)
{
    roll_motion t = x->turned;
    t.stretch = t.is_held ? vec3_add(t.stretch, turn) : t.stretch;
    t.spin = vec3_add_scaled(t.spin, rate, turn);
    x->moment = roll_resist(&x->roll, &t, vec3_dot(t.normal, wide3_narrow(x->force)), rate, &x->turning);
}

static void meet(place *x, vec3 e, double rate)
{
    touch_motion t = x->at;
    t.depth -= vec3_dot(t.normal, e);
    t.velocity = vec3_add_scaled(t.velocity, rate, e);
    x->is_open = !(t.depth > 0.0);
    x->elastic = x->is_open ? 0.0 : touch_elastic(&x->values, &t);
    if (x->is_open) {
        x->force = wide3_zero();
    } else if (!x->is_plain) {
        meet_any(x, e, rate);
    } else if (x->values.skew != 0.0) {
        meet_skewed(x, e, rate);
    } else {
        meet_plain(x, e, rate);
    }
}

// Forces at the places of a pair, and their effort on its sites.
WIDE void meet_pair(place_list *list, const place_pair *q, const places_problem *p, place_move *w)
{
    place_move d = move_between(q, q->site[0] >= 0 ? &p->sites[q->site[0]].at : NULL,
                                q->site[1] >= 0 ? &p->sites[q->site[1]].at : NULL);
    place_move sum = move_none();
    for (int k = q->four; k < q->four + q->n_four; k++) {
        place_four *f = &list->four[k];
        four_meet(f, d.lin, d.ang, p->rate);
        sum.lin += four3_sum(f->force);
        sum.ang += four3_sum(four3_cross(f->off, f->force));
    }
    for (int k = q->first; k < q->first + q->count; k++) {
        place *x = &list->item[k];
        meet(x, wide3_narrow(d.lin + wide3_cross(d.ang, x->off)), p->rate);
        sum.lin += x->force;
        sum.ang += wide3_cross(x->off, x->force);
        if (x->roll.stiffness > 0.0 && !x->is_open) {
            meet_turn(x, wide3_narrow(d.ang), p->rate);
            sum.ang += wide3_of(x->moment);
        }
    }
    move_push(q, sum, w);
}

// Forces at all places, their efforts on the sites, and what is open of M (u - u_free) = w.
LANES static void find_open(place_list *list, const places_problem *p, place_move *w, place_move *open)
{
    FOR_ACTIVE(p, s) { w[s] = move_none(); }
    for (int k = 0; k < list->n_pair; k++) {
        meet_pair(list, &list->pair[list->order[k]], p, w);
    }
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        // of other parts the effort that moved them is known instead
        place_move moved_by = site->effort;
        if (site->is_free) {
            place_move gone = { site->at.lin - site->start.lin, site->at.ang - site->start.ang };
            moved_by = move_weighed(site, gone);
        }
        open[s] = (place_move){ w[s].lin - moved_by.lin, w[s].ang - moved_by.ang };
    }
}

static void go(const places_problem *p, double by)
{
    const place_move *d = p->work[2], *e = p->work[3];
    FOR_ACTIVE(p, s)
    {
        place_site *site = &p->sites[s];
        site->at = move_more(site->at, by, d[s]);
        if (!site->is_free) {
            site->effort = move_more(site->effort, by, e[s]);
        }
    }
}

// What acted at each place is left for the commit.
static void leave_forces(const place_list *list)
{
    for (int k = 0; k < list->n_pair; k++) {
        const place_pair *q = &list->pair[list->order[k]];
        for (int i = 0; i < q->n_kept; i++) {
            pair_place *to = &q->kept[i];
            if (q->n_four > 0) {
                const place_four *f = &list->four[q->four + i / 4];
                to->acted = four3_get(&f->force, i % 4);
                to->elastic = f->elastic[i % 4];
            } else {
                to->acted = wide3_narrow(list->item[q->first + i].force);
                to->elastic = list->item[q->first + i].elastic;
            }
        }
    }
}

WIDE place_move read_move(const double *from)
{
    return (place_move){ wide3_read(from), wide3_read(from + 3) };
}

// Velocities that count instead of those of now.
LANES static void change_rates(place_list *list, const place_pair *q, const double *before)
{
    place_move a = q->site[0] >= 0 ? read_move(&before[6 * q->site[0]]) : move_none(),
               b = q->site[1] >= 0 ? read_move(&before[6 * q->site[1]]) : move_none(),
               d = move_between(q, &a, &b);
    for (int k = q->four; k < q->four + q->n_four; k++) {
        place_four *f = &list->four[k];
        four3 more = four3_add(four3_of(d.lin), four3_cross(four3_of(d.ang), f->off));
        f->velocity = four3_add(f->velocity, more);
    }
    for (int k = q->first; k < q->first + q->count; k++) {
        place *x = &list->item[k];
        x->at.velocity = vec3_add(x->at.velocity, wide3_narrow(d.lin + wide3_cross(d.ang, x->off)));
        x->turned.spin = vec3_add(x->turned.spin, wide3_narrow(d.ang));
    }
}

// Parts that are no free bodies where the efforts of the last time take them.
static void begin_parts(const places_problem *p)
{
    place_move *by = p->work[2], *moved = p->work[3];
    FOR_ACTIVE(p, s) { by[s] = read_move(&p->w[6 * s]); }
    FOR_ACTIVE(p, s)
    {
        if (!p->sites[s].is_free && p->place_of[s] == 0) {
            direction_move_part(p, &p->part[p->part_of[s]], by, moved);
        }
    }
    FOR_ACTIVE(p, s)
    {
        place_site *site = &p->sites[s];
        if (!site->is_free) {
            site->effort = by[s];
            site->at = move_more(site->start, 1.0, moved[s]);
        }
    }
}

// Where everything begins: free bodies where they are, others where their own motion takes them.
static void begin(place_list *list, const places_problem *p)
{
    FOR_ACTIVE(p, s) { find_site(p, s, &p->sites[s]); }
    if (p->is_known) {
        begin_parts(p);
    }
    for (int k = 0; k < list->n_pair; k++) {
        place_pair *q = &list->pair[list->order[k]];
        if (p->before) {
            change_rates(list, q, p->before);
        }
        for (int i = 0; i < 2; i++) {
            if (q->site[i] >= 0) {
                q->arm[i] -= wide3_of(p->sites[q->site[i]].centre);
            }
        }
    }
}

// Efforts on the sites, about their frames.
static void hand_over(const places_problem *p, const place_move *w)
{
    FOR_ACTIVE(p, s)
    {
        wide3_put(&p->w[6 * s], w[s].lin);
        wide3_put(&p->w[6 * s + 3], w[s].ang + wide3_cross(wide3_of(p->sites[s].centre), w[s].lin));
    }
}

// What free bodies move without these forces, in the measure of what is open.
static double free_size(const places_problem *p)
{
    double sum = 0.0;
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        sum += site->is_free ? move_work(move_weighed(site, site->start), site->start) : 0.0;
    }
    return sum;
}

// What is open, as motion it would make without contacts, in the measure of free_size; after direction_size.
LANES static double left_size(const places_problem *p)
{
    const place_move *open = p->work[0], *by = p->work[1];
    double sum = 0.0;
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        place_move move = by[s];
        if (site->is_free) {
            move = (place_move){ open[s].lin / site->mass, wide_mat3_apply(&site->turn_by, open[s].ang) };
        }
        sum += move_work(open[s], move);
    }
    return sum;
}

// What the forces w would move, in the same measure.
static double forced_size(const places_problem *p, const place_move *w)
{
    double sum = 0.0;
    FOR_ACTIVE(p, s)
    {
        const place_site *site = &p->sites[s];
        if (site->is_free) {
            place_move by = { w[s].lin / site->mass, wide_mat3_apply(&site->turn_by, w[s].ang) };
            sum += move_work(w[s], by);
        }
    }
    return sum;
}

// What is open along the way gone: where forces fall as bodies part, it falls along the way.
static double open_along(const places_problem *p)
{
    const place_move *open = p->work[0], *d = p->work[2];
    double sum = 0.0;
    FOR_ACTIVE(p, s) { sum += move_work(open[s], d[s]); }
    return sum;
}

// Along the direction to where nothing is open any more, or to its end.
static void go_to_rest(place_list *list, const places_problem *p)
{
    enum { PARTS = 40 };
    static const double enough = 1e-3;
    place_move *open = p->work[0], *w = p->work[7];
    double low = 0.0, high = 1.0, at = 1.0;
    go(p, at);
    find_open(list, p, w, open);
    if (open_along(p) >= 0.0) {
        return;
    }
    for (int k = 0; k < PARTS && high - low > enough * high; k++) {
        double to = 0.5 * (low + high);
        go(p, to - at);
        at = to;
        find_open(list, p, w, open);
        *(open_along(p) < 0.0 ? &high : &low) = at;
    }
}

// Where whole steps of Newton's method do not lead: steps that end where the way does. Forces far beyond what a step of
// time resolves rise within a trifle of it (contact.27). Gives what is left.
static double solve_surely(place_list *list, const places_problem *p, double goal)
{
    enum { NEWTON = 60 };
    place_move *open = p->work[0], *w = p->work[7];
    double left = INFINITY;
    find_open(list, p, w, open);
    for (int i = 0; i < NEWTON && left > goal; i++) {
        stiffness_find(list, p);
        p->counts[PLACES_GRADIENTS] += direction_find(list, p, direction_size(p));
        go_to_rest(list, p);
        direction_size(p);
        left = left_size(p);
        p->counts[PLACES_NEWTON]++;
    }
    return left;
}

// All forces of the group become a part of what they are: those on each body, and between any two, alike.
static void ease(place_list *list, const places_problem *p, double by)
{
    place_move *w = p->work[7], none = move_none();
    FOR_ACTIVE(p, s) { w[s] = move_more(none, by, w[s]); }
    for (int k = 0; k < list->n_pair; k++) {
        const place_pair *q = &list->pair[list->order[k]];
        for (int i = q->four; i < q->four + q->n_four; i++) {
            list->four[i].force = four3_scale(four_of(by), list->four[i].force);
            list->four[i].elastic *= by;
        }
        for (int i = q->first; i < q->first + q->count; i++) {
            list->item[i].force *= by;
            list->item[i].elastic *= by;
        }
    }
}

// What is no gain: a trifle of what goes to and fro, or what rounding makes of what is held, a thousandth of a millionth
// of it in ten thousand steps.
static double no_gain(const spend_sum *s)
{
    static const double trifle = 1e-6, rounding = 1e-13;
    return trifle * s->all + rounding * s->held;
}

// Forces only take energy (contact.28): patches withhold what they have not stored, and what is too much all the same is
// eased, with all forces of the group, until it is not.
static void limit_group(place_list *list, const places_problem *p, double goal)
{
    enum { ROUNDS = 3, PARTS = 10 };
    place_move *w = p->work[7], *at = p->work[1];
    spend_move(p, w, 1.0, at);
    spend_sum now = spend_of(list, p, at, 1.0, SPEND_LOOK);
    for (int i = 0; i < ROUNDS && now.gain > no_gain(&now); i++) {
        spend_of(list, p, at, 1.0, SPEND_WITHHOLD);
        solve_surely(list, p, goal);
        spend_move(p, w, 1.0, at);
        now = spend_of(list, p, at, 1.0, SPEND_LOOK);
    }
    double least = no_gain(&now), gain = now.gain, best = 1.0;
    for (int k = PARTS - 1; k >= 0 && gain > least; k--) {
        double by = (double)k / PARTS;
        spend_move(p, w, by, at);
        now = spend_of(list, p, at, by, SPEND_LOOK);
        best = now.gain < gain ? by : best;
        gain = fmin(gain, now.gain);
    }
    if (best < 1.0) {
        ease(list, p, best);
    }
}

// One group.
static void solve(place_list *list, const places_problem *p)
{
    enum { NEWTON = 12, HALVINGS = 5 };
    // times the mass: what springs stiffer than the first store by an error counts more than what bodies move by it; softer
    // than the second, dampers take more than patches may give too much (contact.28)
    static const double resolved = 30.0, stiffish = 1.5;
    place_move *open = p->work[0], *w = p->work[7];
    find_open(list, p, w, open);
    stiffness_find(list, p);
    double size = direction_size(p), left = left_size(p);
    double goal = p->is_known ? left : p->before ? fmax(size, free_size(p)) : size;
    double least = p->least * p->least, stiff = left / size;
    if (p->before && stiff > resolved) {
        goal = fmin(goal, fmax(size, free_size(p))) * resolved / stiff;
        p->counts[PLACES_STIFF]++;
    }
    // what stiff springs make of the rounding of places, 3e-12 of the forces, is never less however often it is looked for
    static const double rounded = 1e-23;
    least = p->before ? fmax(least, rounded * forced_size(p, w)) : least;
    goal = fmax(p->tolerance * p->tolerance * goal, least);
    int i = 0;
    // one at least, so that what is left shrinks from step to step
    while ((left > goal || (i == 0 && size > least)) && i++ < NEWTON) {
        p->counts[PLACES_GRADIENTS] += direction_find(list, p, size);
        double by = 1.0, now;
        go(p, by);
        find_open(list, p, w, open);
        for (int k = 0; !((now = direction_size(p)) <= size) && k < HALVINGS; k++) {
            go(p, -0.5 * by);
            by *= 0.5;
            find_open(list, p, w, open);
            p->counts[PLACES_HALVINGS]++;
        }
        size = now;
        left = left_size(p);
        if (left > goal) {
            stiffness_find(list, p);
            size = direction_size(p);
        }
    }
    p->counts[PLACES_NEWTON] += i;
    if (p->before && left > goal) {
        solve_surely(list, p, goal);
    }
    if (p->before && (stiff > stiffish || left > goal)) {
        limit_group(list, p, goal);
    }
}

typedef struct {
    const place_list *list;
    const places_problem *p;
} all_groups;

// Groups share nothing that changes: who solves which does not matter.
static void solve_groups(void *of, int first, int end, int worker)
{
    (void)worker;
    const all_groups *all = of;
    for (int k = first; k < end; k++) {
        place_group *g = &all->p->groups->item[k];
        place_list list = *all->list;
        places_problem p = *all->p;
        list.order = &p.groups->order[g->pair];
        list.n_pair = g->n_pair;
        p.active = &p.groups->members[g->site];
        p.n_active = g->n_site;
        p.counts = g->counts;
        begin(&list, &p);
        solve(&list, &p);
        leave_forces(&list);
        hand_over(&p, p.work[7]);
    }
}

void places_solve(place_list *list, const places_problem *p, crew *crew)
{
    enum { SHARES = 64 }; // so that who has the large ones leaves the others to the rest
    place_groups *groups = p->groups;
    groups_find(list, p, groups);
    crew_do(crew, groups->count, 1 + groups->count / SHARES, solve_groups, &(all_groups){ list, p });
    for (int k = 0; k < groups->count; k++) {
        for (int i = 0; i < PLACES_COUNTS; i++) {
            p->counts[i] += groups->item[k].counts[i];
        }
    }
}
