// SPDX-License-Identifier: MIT
// How many of which parts a mechanism has, and what parts share: places, names, expressions.
#include "mechanism.h"
#include <stdlib.h>
#include <string.h>

// ---- frames --------------------------------------------------------------------------------------------------------------

void to_ground(const made_body *b, const double local[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = b->at[i];
        for (int j = 0; j < 3; j++) {
            out[i] += b->turn[3 * i + j] * local[j];
        }
    }
}

void vector_to_body(const made_body *b, const double along[3], double out[3])
{
    for (int j = 0; j < 3; j++) {
        out[j] = 0.0;
        for (int i = 0; i < 3; i++) {
            out[j] += b->turn[3 * i + j] * along[i];
        }
    }
}

void to_body(const made_body *b, const double ground[3], double out[3])
{
    double from[3] = { ground[0] - b->at[0], ground[1] - b->at[1], ground[2] - b->at[2] };
    vector_to_body(b, from, out);
}

// ---- choices -------------------------------------------------------------------------------------------------------------

int pick_body(mechanism *m) { return m->n_body < 2 ? 0 : 1 + chance_below(&m->chance, m->n_body - 1); }

int pick_other(mechanism *m, int body)
{
    int other = m->n_body < 2 ? 0 : chance_below(&m->chance, m->n_body - 1);
    return other < body || body == 0 ? other : other + 1;
}

made_joint *pick_of(mechanism *m, bool (*fits)(const made_joint *))
{
    int list[JOINTS_MOST], n = 0;
    for (int k = 0; k < m->n_joint; k++) {
        if (fits(&m->joint[k])) {
            list[n++] = k;
        }
    }
    return n > 0 ? &m->joint[list[chance_below(&m->chance, n)]] : NULL;
}

static bool has_coordinate(const made_joint *j) { return j->coordinate[0] != 0; }

made_joint *pick_joint(mechanism *m) { return pick_of(m, has_coordinate); }

made_point point_at(const mechanism *m, int body, const double ground[3])
{
    made_point out = { 0 };
    memcpy(out.ground, ground, sizeof out.ground);
    to_body(&m->body[body], ground, out.local);
    snprintf(out.text, sizeof out.text, "{body: %s, at: [%.15g, %.15g, %.15g]}", m->body[body].name,
             out.local[0], out.local[1], out.local[2]);
    return out;
}

made_point pick_point(mechanism *m, int body)
{
    const made_body *b = &m->body[body];
    made_point out = { 0 };
    if (b->is_flexible) {
        // forces and constraints hold a flexible body at its boundary
        to_ground(b, (double[3]){ 0.5, 0, 0 }, out.ground);
        snprintf(out.text, sizeof out.text, "{body: %s, node: tip}", b->name);
        return out;
    }
    for (int k = 0; k < 3; k++) {
        out.local[k] = m->is_plane && k == 2 ? 0.0 : chance_length(&m->chance, -0.5, 0.5);
    }
    to_ground(b, out.local, out.ground);
    snprintf(out.text, sizeof out.text, "{body: %s, at: [%g, %g, %g]}", b->name, out.local[0], out.local[1],
             out.local[2]);
    return out;
}

void pick_direction(mechanism *m, double out[3])
{
    do {
        for (int k = 0; k < 3; k++) {
            out[k] = chance_below(&m->chance, 5) - 2;
        }
        if (m->is_plane) {
            out[2] = 0.0;
        } else if (chance_is(&m->chance, 0.5)) {
            int axis = chance_below(&m->chance, 3);
            for (int k = 0; k < 3; k++) {
                out[k] = k == axis ? 1.0 : 0.0;
            }
        }
    } while (out[0] == 0.0 && out[1] == 0.0 && out[2] == 0.0);
}

// ---- expressions -----------------------------------------------------------------------------------------------------------

static void write_term(mechanism *m, double size, char *out, size_t n)
{
    chance *c = &m->chance;
    switch (chance_below(c, 4)) {
    case 0: snprintf(out, n, "%g*sin(%g*t)", size, chance_length(c, 1, 15)); break;
    case 1: snprintf(out, n, "%g*(1 - exp(-t/%g))", size, chance_length(c, 0.02, 0.2)); break;
    case 2: snprintf(out, n, "%g*(cos(%g*t) - 1)", size, chance_length(c, 1, 15)); break;
    default: snprintf(out, n, "%g*t", 2.0 * size); break;
    }
}

static bool write_value(mechanism *m, part *p, bool (*fits)(const made_value *), double size, char *out,
                        size_t n)
{
    const made_value *v = m->n_value > 0 ? &m->value[chance_below(&m->chance, m->n_value)] : NULL;
    if (!v || !fits(v)) {
        return false;
    }
    part_needs(p, v->part);
    snprintf(out, n, "%g*%s", size, v->name);
    return true;
}

static bool is_input(const made_value *v) { return v->name[0] == 'u'; }
static bool is_any(const made_value *v) { return v->name[0] != 0; }

void write_of_time(mechanism *m, part *p, double size, char *out, size_t n)
{
    if (!chance_is(&m->chance, 0.25) || !write_value(m, p, is_input, size, out, n)) {
        write_term(m, size, out, n);
    }
}

void write_expression(mechanism *m, part *p, double size, char *out, size_t n)
{
    char text[96];
    const made_joint *j;
    switch (chance_below(&m->chance, 5)) {
    case 0:
        if ((j = pick_joint(m))) {
            part_needs(p, j->part);
            snprintf(text, sizeof text, "-%g*%s", 0.3 * size, j->coordinate);
            break;
        }
        // fall through
    case 1:
    case 2:
        if (write_value(m, p, is_any, size, text, sizeof text)) {
            break;
        }
        // fall through
    default: write_term(m, size, text, sizeof text); break;
    }
    snprintf(out, n, "\"%s\"", text);
}

// ---- the whole -------------------------------------------------------------------------------------------------------------

typedef struct {
    void (*add)(mechanism *);
    double often; // how many of them, in the mean
} room;

static const room trees[] = { { add_tree_body, 2.2 }, { add_classic, 0.35 }, { add_flexible, 0.12 } };
static const room others[] = { { add_input, 0.3 },     { add_loop, 0.7 },    { add_cam, 0.06 },
                               { add_signal, 0.5 },    { add_law, 0.8 },     { add_graph, 0.12 },
                               { add_joint_law, 0.7 }, { add_contact, 0.2 }, { add_collision, 0.05 },
                               { add_wheel, 0.08 },    { add_tyre, 0.1 },    { add_signal, 0.1 },
                               { add_constraint, 0.5 } };

// As often as wanted in the mean: never, once or up to three times as often.
static void visit(mechanism *m, const room *r)
{
    double left = 2.0 * r->often * chance_unit(&m->chance);
    for (; left >= 1.0; left -= 1.0) {
        r->add(m);
    }
    if (chance_is(&m->chance, left)) {
        r->add(m);
    }
}

static void choose_gravity(mechanism *m)
{
    double g = chance_is(&m->chance, 0.1) ? 0.0 : 9.81;
    m->gravity[0] = m->gravity[1] = m->gravity[2] = 0.0;
    m->gravity[m->is_plane ? 1 : 2] = -g;
}

static bool is_bound(const part *p)
{
    bool is_loop = p->n_entry > 0 && p->entry[0].in == IN_JOINTS;
    return is_loop || (p->n_entry > 0 && p->entry[0].in == IN_CONSTRAINTS);
}

// Where loops and constraints bind a tree, most of the rates that were chosen for it contradict each other: at most one stays.
static void settle_rates(mechanism *m)
{
    bool has_bound = false;
    for (int k = 0; k < m->n_part; k++) {
        has_bound |= is_bound(&m->part[k]);
    }
    int left = chance_is(&m->chance, 0.7) ? 1 : 0;
    for (int k = 0; k < m->n_part && has_bound; k++) {
        for (int i = 0; i < m->part[k].n_entry; i++) {
            entry *e = &m->part[k].entry[i];
            for (int f = 0; f < e->n_field; f++) {
                bool is_rate = strncmp(e->field[f].text, "rate:", 5) == 0 ||
                               (strncmp(e->field[f].text, "spin:", 5) == 0 && e->field[f].is_optional);
                e->field[f].is_dropped |= is_rate && left-- <= 0;
            }
        }
    }
}

static void choose_run(mechanism *m)
{
    static const double dt[] = { 1e-3, 1e-3, 1e-3, 5e-4, 2e-3 };
    m->dt = dt[chance_below(&m->chance, 5)];
    for (int k = 0; k < m->n_body; k++) {
        // first bending of the bars is at 20 to 60 Hz: what is not resolved rules the reactions
        m->dt = m->body[k].is_flexible ? fmin(m->dt, 5e-4) : m->dt;
    }
    m->time = m->dt * (double)(2 * (40 + chance_below(&m->chance, 80)));
    m->starts_in_equilibrium = !m->is_moving && chance_is(&m->chance, 0.05);
}

void mechanism_generate(mechanism *m, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->seed = seed;
    m->chance.state = seed * 0x2545f4914f6cdd1du + 7u;
    m->body[m->n_body++] = (made_body){ .part = -1, .name = "ground", .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    m->is_plane = chance_is(&m->chance, 0.45);
    m->is_moving = chance_is(&m->chance, 0.6);
    m->aside = 4.0;
    choose_gravity(m);
    for (size_t k = 0; k < sizeof trees / sizeof *trees; k++) {
        visit(m, &trees[k]);
    }
    if (m->n_body < 2) {
        add_tree_body(m);
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        visit(m, &others[k]);
    }
    settle_rates(m);
    choose_run(m);
}
