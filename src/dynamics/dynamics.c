// SPDX-License-Identifier: MIT
#include "dynamics/law_list.h"
#include "dynamics/rooms.h"
#include "laws/bond/bond.h"
#include "laws/contact/contact.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- compile ----------------------------------------------------------------------------------------------

bool dynamics_begin(dynamics *d, const bi_model *m, const dynamics_options *options, bi_report *report)
{
    *d = (dynamics){
        .plan = { .model = m, .report = report, .sleep = options->sleep, .settles = options->settles },
        .set = coordinates_of(options->coordinates),
        .n_element = m->n_element,
        .n_input = m->n_input
    };
    int errors = report->errors;
    bool ok = laws_compile(&d->plan, &d->laws);
    d->plan.report = NULL;
    if (!ok) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        return false;
    }
    if (report->errors > errors) {
        return false;
    }
    d->has_power = m->n_element > 0;
    for (int k = 0; k < m->n_element; k++) {
        d->is_rheonomic |= strcmp(m->element[k].kind->section, "constraints") == 0;
        d->has_contact |= strcmp(m->element[k].kind->type, "contact") == 0;
    }
    for (int b = 0; b < m->n_body; b++) {
        d->has_power |= m->body[b].def.flex != NULL;
    }
    // coordinates that the assembly imposes or holds
    for (int j = 0; j < m->n_joint; j++) {
        const bi_joint_def *def = &m->joint[j].def;
        for (int c = 0; model_joint_is_set(def) && c < model_coordinate_count(def->kind); c++) {
            model_joint_start start = model_start_of(def, c);
            if (start.set_value || start.set_rate || start.hold) {
                plan_joint(&d->plan, j, c);
            }
        }
    }
    for (int j = 0; j < m->n_joint; j++) {
        if (m->joint[j].def.armature > 0.0) {
            plan_joint(&d->plan, j, 0);
        }
    }
    d->has_power |= m->n_imposed > 0;
    d->is_rheonomic |= m->n_imposed > 0;
    for (int k = 0; k < m->n_imposed; k++) {
        model_name name = model_resolve(m, m->imposed[k].def.coordinate);
        plan_joint(&d->plan, name.index, name.coordinate);
        plan_signal(&d->plan, m->imposed[k].def.value);
    }
    plan_postponed(&d->plan);
    d->plan.n_order_of_laws = d->plan.n_order;
    return true;
}

// Rows that read no signal but those of guides, which know only time and inputs.
static bool has_guides_only(const plan *p)
{
    const bi_model *m = p->model;
    bool is_so = p->n_condition == 0 && m->n_imposed == 0;
    for (int k = 0; k < m->n_element && is_so; k++) {
        const bi_kind *kind = m->element[k].kind;
        is_so = strcmp(kind->section, "constraints") != 0 || strcmp(kind->type, "guide") == 0;
    }
    return is_so;
}

static bool has_steady_rows(const dynamics *d)
{
    // rows of the coordinates themselves turn with the bodies
    bool is_steady = d->structure.n_row == d->plan.n_row;
    for (int g = 0; g < d->plan.n_row_group; g++) {
        const row_group *group = &d->plan.row[g];
        for (int m = 0; m < group->n_marker; m++) {
            is_steady &= d->plan.marker[d->plan.list[group->marker + m]].kind == MARKER_JOINT;
        }
    }
    return is_steady;
}

// What pushes a body that may sleep is compared with what pushed it before, about places that must be those of now.
static void read_sleepers(plan *p)
{
    for (int k = 0; k < p->n_sleeper; k++) {
        for (int m = 0; m < p->n_marker; m++) {
            p->marker[m].is_read |= p->marker[m].body == p->sleeper[k].body;
        }
    }
}

bool dynamics_finish(dynamics *d, bi_report *report)
{
    plan_postponed(&d->plan);
    d->set->request(&d->plan);
    int errors = report->errors;
    bool ok = laws_compile_requests(&d->plan, &d->laws);
    d->plan.report = report;
    ok = ok && signal_create(&d->plan, &d->signal);
    d->plan.report = NULL;
    if (!ok) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        return false;
    }
    if (report->errors > errors) {
        return false;
    }
    read_sleepers(&d->plan);
    d->coordinates = d->set->create(&d->plan, &d->structure, report);
    if (!d->coordinates) {
        return false;
    }
    d->has_steady_rows = has_steady_rows(d);
    d->has_guides_only = has_guides_only(&d->plan);
    if (!sleep_create(&d->plan, &d->structure, &d->sleep) ||
        !parts_create(&d->plan, &d->structure, &d->parts)) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
        return false;
    }
    for (int k = 0; k < d->laws.n_table; k++) {
        d->contacts = d->laws.table[k].kind == &contact_kind ? k : d->contacts;
        d->graphs = d->laws.table[k].kind == &graph_kind ? k : d->graphs;
    }
    return true;
}

bool dynamics_is_contact(const dynamics *d, int element)
{
    return d->plan.model->element[element].kind == contact_kind.schema;
}

void dynamics_clear(dynamics *d)
{
    if (d->coordinates) {
        d->set->destroy(d->coordinates);
    }
    sleep_clear(&d->sleep);
    parts_clear(&d->parts);
    structure_clear(&d->structure);
    laws_clear(&d->laws);
    signal_clear(&d->signal);
    plan_clear(&d->plan);
    *d = (dynamics){ 0 };
}

trays trays_cut(const dynamics *d, arena *a)
{
    const plan *p = &d->plan;
    const structure *s = &d->structure;
    trays t = { 0 };
    t.motion.value = ARENA_NEW(a, double, p->n_dof);
    t.motion.rate = ARENA_NEW(a, double, p->n_dof);
    t.motion.bias = ARENA_NEW(a, double, p->n_dof);
    t.motion.axes = ARENA_NEW(a, mat3, p->n_frame);
    t.motion.own = ARENA_NEW(a, double, s->n_own);
    t.motion.room = ARENA_NEW(a, double, s->n_room);
    t.load.effort = ARENA_NEW(a, double, p->n_dof);
    t.load.K = ARENA_NEW(a, double, p->n_block_value);
    t.load.C = ARENA_NEW(a, double, p->n_block_value);
    t.load.scalar = ARENA_NEW(a, double, d->n_element + p->n_scalar);
    t.rows.phi = ARENA_NEW(a, double, s->n_row);
    t.rows.phi_t = ARENA_NEW(a, double, s->n_row);
    t.rows.gamma = ARENA_NEW(a, double, s->n_row);
    t.rows.gradient = ARENA_NEW(a, double, p->n_gradient);
    t.equations.M = ARENA_NEW(a, double, s->tangent.nnz);
    t.equations.Q = ARENA_NEW(a, double, s->n);
    t.equations.G = ARENA_NEW(a, double, s->n_G);
    t.signals.signal = ARENA_NEW(a, jet, p->n_signal);
    t.signals.input = ARENA_NEW(a, double, d->n_input);
    t.signals.input_rate = ARENA_NEW(a, double, d->n_input);
    t.signals.partial = ARENA_NEW(a, double, p->n_partial);
    t.signals.room = ARENA_NEW(a, jet, p->n_register);
    // what lives is in rooms of its own, the scratch before it
    t.scratch = p->n_pools > 0 ? NULL : arena_take(a, 1, p->n_scratch);
    t.room = ARENA_NEW(a, pool_room, p->n_pools);
    t.room_before = ARENA_NEW(a, pool_room, p->n_pools);
    return t;
}

void spares_cut(const dynamics *d, int threads, arena *a, spare *list)
{
    for (int k = 0; k < threads; k++) {
        spare one = { ARENA_NEW(a, char, d->plan.n_spare), 0, d->plan.n_spare };
        if (list) {
            list[k] = one;
        }
    }
}

void trays_forget(const dynamics *d, trays *t)
{
    if (d->plan.n_sleeper > 0) {
        memset(t->scratch, 0, d->plan.n_scratch);
        memset(t->motion.own, 0, (size_t)d->structure.n_own * sizeof *t->motion.own);
    }
}

coords coords_cut(const dynamics *d, arena *a)
{
    const structure *s = &d->structure;
    coords c = { 0 };
    c.q = ARENA_NEW(a, double, s->n_q);
    c.v = ARENA_NEW(a, double, s->n_q);
    c.a = ARENA_NEW(a, double, s->n_q);
    c.drive = ARENA_NEW(a, double, s->n_q);
    c.lambda = ARENA_NEW(a, double, s->n_row);
    c.z = ARENA_NEW(a, double, d->plan.n_z);
    c.dz = ARENA_NEW(a, double, d->plan.n_z);
    c.memory = ARENA_NEW(a, double, d->plan.n_memory);
    c.chart = ARENA_NEW(a, double, s->n_chart);
    return c;
}

void coords_copy(const dynamics *d, const coords *from, coords *to)
{
    const structure *s = &d->structure;
    to->t = from->t;
    memcpy(to->q, from->q, (size_t)s->n_q * sizeof *to->q);
    memcpy(to->v, from->v, (size_t)s->n_q * sizeof *to->v);
    memcpy(to->a, from->a, (size_t)s->n_q * sizeof *to->a);
    memcpy(to->drive, from->drive, (size_t)s->n_q * sizeof *to->drive);
    memcpy(to->lambda, from->lambda, (size_t)s->n_row * sizeof *to->lambda);
    memcpy(to->z, from->z, (size_t)d->plan.n_z * sizeof *to->z);
    memcpy(to->dz, from->dz, (size_t)d->plan.n_z * sizeof *to->dz);
    memcpy(to->memory, from->memory, (size_t)d->plan.n_memory * sizeof *to->memory);
    pool_copy(&d->plan, from, to);
    memcpy(to->chart, from->chart, (size_t)s->n_chart * sizeof *to->chart);
}

// ---- evaluate: stairs up, upper floor, stairs down -------------------------------------------------------------

// Markers that accelerate by themselves (points of flexible bodies) add to gamma.
static void add_bias(const dynamics *d, trays *t)
{
    for (int g = 0; g < d->plan.n_row_group; g++) {
        const row_group *group = &d->plan.row[g];
        const double *gradient = &t->rows.gradient[group->gradient];
        double *gamma = &t->rows.gamma[group->first];
        for (int m = 0; m < group->n_marker; m++) {
            const marker *k = &d->plan.marker[d->plan.list[group->marker + m]];
            const double *bias = &t->motion.bias[k->dof];
            int width = marker_width(k->kind);
            for (int r = 0; r < group->count; r++) {
                const double *of_row = gradient + r * group->width;
                double sum = gamma[r];
                for (int i = 0; i < width; i++) {
                    sum += of_row[i] * bias[i];
                }
                gamma[r] = sum;
            }
            gradient += width;
        }
    }
}

bool dynamics_row_holds(const dynamics *d, const double *memory, int row)
{
    int group = d->structure.row_owner[row].group, condition = group >= 0 ? d->plan.row[group].condition : -1;
    return condition < 0 || memory[d->plan.condition[condition].memory] != 0.0;
}

// A constraint that does not hold is a row of zeros: no gradient, no violation, whatever the multiplier.
static void leave_out_rows(const dynamics *d, const double *memory, trays *t)
{
    const structure *st = &d->structure;
    for (int g = 0; g < d->plan.n_row_group; g++) {
        const row_group *group = &d->plan.row[g];
        if (group->condition < 0 || memory[d->plan.condition[group->condition].memory] != 0.0) {
            continue;
        }
        memset(&t->rows.gradient[group->gradient], 0,
               (size_t)(group->count * group->width) * sizeof *t->rows.gradient);
        for (int r = group->first; r < group->first + group->count; r++) {
            t->rows.phi[r] = t->rows.phi_t[r] = t->rows.gamma[r] = 0.0;
            for (int k = st->G_start[r]; k < st->G_start[r + 1]; k++) {
                t->equations.G[k] = 0.0;
            }
        }
    }
}

int dynamics_switch(const dynamics *d, coords *at, trays *t, double *memory)
{
    int changed = 0;
    if (d->plan.n_condition > 0) {
        // looking at conditions is no step: states stay as they are
        t->z_old = at->z;
        t->dz_old = at->dz;
        t->signals.h = 0.0;
        dynamics_evaluate(d, at, t, LAW_EXPLICIT);
    }
    for (int k = 0; k < d->plan.n_condition; k++) {
        const row_condition *c = &d->plan.condition[k];
        double holds = t->signals.signal[c->signal].v > 0.0 ? 1.0 : 0.0;
        changed += memory[c->memory] != holds;
        memory[c->memory] = holds;
    }
    return changed;
}

// Blocks that more than one law adds to. Those of forces that are settled in the step stay zero.
static void clear_sites(const plan *p, unsigned want, load *to)
{
    bool had = to->has_sites;
    to->has_sites = !(want & LAW_APART);
    for (int k = 0; k < p->n_site && (had || to->has_sites); k++) {
        memset(&to->K[p->site[k].value], 0, 36 * sizeof *to->K);
        memset(&to->C[p->site[k].value], 0, 36 * sizeof *to->C);
    }
}

// A graph that signals read, in its place between them.
typedef struct {
    const dynamics *d;
    const law_in *in;
    law_out *out;
} reader;

static void solve_graph(const void *of, int item)
{
    const reader *r = of;
    // an instant that was solved is not solved again for rows alone
    if (r->in->want & (EVAL_FORCES | LAW_EXPLICIT)) {
        graph_ahead(r->d->laws.table[r->d->graphs].item, item, r->in, r->out);
    }
}

static void slopes_of_graph(const void *of, int item, int scalar, double *slope)
{
    const reader *r = of;
    if (r->in->want & (EVAL_FORCES | LAW_EXPLICIT)) {
        graph_slopes(r->d->laws.table[r->d->graphs].item, item, r->in, scalar, slope);
    }
}

void dynamics_evaluate(const dynamics *d, coords *at, trays *t, unsigned want)
{
    t->signals.t = at->t;
    t->signals.number += 1.0;
    if (!(want & LAW_AGAIN)) {
        signal_inputs(d->plan.model, &t->signals);
    }
    d->set->lift(d->coordinates, at, want, &t->motion);
    law_in in = { &t->signals, &t->motion, t->z_old, t->dz_old, at->memory, at->pool,
                  want,        t->scratch, NULL,     t->crew,   at->room,   t->spare };
    law_out out = { &t->load, at->z, at->dz };
    const reader reads = { d, &in, &out };
    const signal_graphs graphs = { solve_graph, slopes_of_graph, &reads, t->load.scalar };
    signal_states states = { t->z_old, t->dz_old, at->memory, at->z, at->dz, want, want & LIFT_ALL, &graphs };
    if (!((want & LIFT_JOINTS) && (want & LAW_AGAIN) && d->has_guides_only)) {
        signal_eval(&d->signal, &t->motion, &states, &t->signals);
    }
    if (want & EVAL_FORCES) {
        t->is_apart = want & LAW_APART;
        t->is_evaluated = !(want & (LAW_STAGE | LAW_START | LAW_APART));
        memset(t->load.effort, 0, (size_t)d->plan.n_dof * sizeof *t->load.effort);
        if (want & LAW_TANGENT) {
            clear_sites(&d->plan, want, &t->load);
        }
    }
    for (int k = 0; k < d->laws.n_table; k++) {
        const law_table *table = &d->laws.table[k];
        if (table->count > 0 && table->kind->rows && (want & (LAW_POSITION | LAW_SECOND))) {
            table->kind->rows(table->item, table->count, &in, &t->rows);
        }
        if (table->count > 0 && table->kind->eval && (want & EVAL_FORCES)) {
            table->kind->eval(table->item, table->count, &in, &out);
        }
    }

    if (want & (LAW_POSITION | LAW_SECOND)) {
        d->set->drop_rows(d->coordinates, at, &t->motion, want, &t->rows, &t->equations);
    }
    if ((want & LAW_SECOND) && d->structure.has_bias) {
        add_bias(d, t);
    }
    if ((want & (LAW_POSITION | LAW_SECOND)) && d->plan.n_condition > 0) {
        leave_out_rows(d, at->memory, t);
    }
    if (want & EVAL_FORCES) {
        d->set->drop_load(d->coordinates, at, &t->motion, &t->load, want, &t->equations);
    }
    if (d->sleep.count > 0) {
        sleep_hold(&d->sleep, at->memory, &t->rows, &t->equations);
    }
}

int dynamics_find_places(const dynamics *d, const coords *at, trays *t, unsigned want)
{
    law_in in = { &t->signals,      &t->motion, t->z_old, t->dz_old, at->memory, at->pool,
                  want | LAW_APART, t->scratch, NULL,     t->crew,   at->room,   t->spare };
    t->places.count = t->places.n_pair = t->places.n_item = t->places.n_four = 0;
    t->places.lacks = 0;
    if (d->has_contact) {
        const law_table *table = &d->laws.table[d->contacts];
        places_collect(table->item, table->count, &in, &t->places);
    }
    return t->places.lacks != 0 ? -1 : t->places.count;
}

int dynamics_near_places(const dynamics *d, const coords *at, const trays *t, bool *site)
{
    law_in in = { &t->signals, &t->motion, t->z_old, t->dz_old, at->memory, at->pool,
                  0,           t->scratch, NULL,     t->crew,   at->room,   t->spare };
    const law_table *table = &d->laws.table[d->contacts];
    return d->has_contact ? places_near(table->item, table->count, &in, site) : 0;
}

bool dynamics_has_places(const dynamics *d, const coords *at, const trays *t, places_question are)
{
    law_in in = { &t->signals, &t->motion, t->z_old, t->dz_old, at->memory, at->pool,
                  0,           t->scratch, NULL,     t->crew,   at->room,   t->spare };
    const law_table *table = &d->laws.table[d->contacts];
    return d->has_contact && are(table->item, table->count, &in);
}

void dynamics_settle_places(trays *t, const part_table *parts, places_problem *problem)
{
    problem->part = parts->part;
    problem->groups->order = t->places.order_room;
    problem->site = parts->site;
    problem->part_of = parts->part_of;
    problem->place_of = parts->place_of;
    places_solve(&t->places, problem, t->crew);
}

double dynamics_kinetic(const dynamics *d, const coords *at, trays *t, double *scratch)
{
    int n = d->structure.n;
    double known;
    if (d->set->kinetic && d->set->kinetic(d->coordinates, &t->motion, &known)) {
        return known;
    }
    memset(scratch, 0, (size_t)n * sizeof *scratch);
    d->set->multiply_mass(d->coordinates, &t->equations, at->v, scratch);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += at->v[i] * scratch[i];
    }
    return 0.5 * sum;
}

bool dynamics_needs_mass(const dynamics *d, const trays *t)
{
    double known;
    return !(d->set->kinetic && d->set->kinetic(d->coordinates, &t->motion, &known));
}

static energy_state energy_of(const dynamics *d, const coords *at, const trays *t, unsigned want)
{
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  want,        t->scratch, NULL,  t->crew, at->room,   t->spare };
    law_energy e = { 0 };
    for (int k = 0; k < d->laws.n_table; k++) {
        const law_table *table = &d->laws.table[k];
        if (table->count > 0 && table->kind->energy) {
            table->kind->energy(table->item, table->count, &in, at->z, &e);
        }
    }
    return (energy_state){ .potential = e.potential,
                           .power = e.power,
                           .work = e.work,
                           .counted = e.counted,
                           .is_driven = e.is_driven };
}

energy_state dynamics_energy(const dynamics *d, const coords *at, const trays *t)
{
    return energy_of(d, at, t, 0);
}

energy_state dynamics_energy_evaluated(const dynamics *d, const coords *at, const trays *t, unsigned want)
{
    return energy_of(d, at, t, want | (t->is_evaluated ? LAW_EVALUATED : 0));
}

law_energy dynamics_element_energy(const dynamics *d, const coords *at, const trays *t, int element)
{
    const bi_model *m = d->plan.model;
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  0,           t->scratch, NULL,  t->crew, at->room,   t->spare };
    law_energy e = { 0 };
    // items of a table are in the order of the model's elements of that kind
    int item = 0;
    for (int k = 0; k < element; k++) {
        item += m->element[k].kind == m->element[element].kind;
    }
    for (int k = 0; k < d->laws.n_table; k++) {
        const law_table *table = &d->laws.table[k];
        if (table->kind->schema == m->element[element].kind && item < table->count && table->kind->energy) {
            table->kind->energy((const char *)table->item + (size_t)item * table->kind->item, 1, &in, at->z,
                                &e);
        }
    }
    return e;
}

void dynamics_commit(const dynamics *d, const coords *at, const trays *t, double *memory, law_doubts *doubts)
{
    law_in in = { &t->signals, &t->motion, at->z,  at->dz,  memory,   at->pool,
                  t->of_step,  t->scratch, doubts, t->crew, at->room, t->spare };
    if (d->has_contact && t->is_apart) {
        const law_table *contacts = &d->laws.table[d->contacts];
        contact_tell(contacts->item, contacts->count, &in, t->load.scalar);
    }
    signal_commit(&d->signal, &t->signals, t->load.scalar, at->lambda, memory, doubts);
    for (int k = 0; k < d->laws.n_table; k++) {
        const law_table *table = &d->laws.table[k];
        if (table->count > 0 && table->kind->commit) {
            table->kind->commit(table->item, table->count, &in, memory);
        }
    }
}

void dynamics_commit_rest(const dynamics *d, const coords *at, const trays *t, double *memory,
                          law_doubts *doubts)
{
    law_in in = { &t->signals, &t->motion, at->z,  at->dz,  memory,   at->pool,
                  t->of_step,  t->scratch, doubts, t->crew, at->room, t->spare };
    const law_table *table = &d->laws.table[d->contacts];
    contact_commit_rest(table->item, table->count, &in, memory);
}

void dynamics_pass(const dynamics *d, coords *at)
{
    for (int k = 0; k < d->plan.n_pools; k++) {
        at->pool[at->room[k].at + POOL_TIME] = at->t;
    }
}

int dynamics_full(const dynamics *d, const coords *at)
{
    for (int k = 0; k < d->plan.n_pools; k++) {
        if (at->pool[at->room[k].at + POOL_FULL] > 0.0) {
            return d->plan.pool[k].element;
        }
    }
    return -1;
}

int dynamics_sleep(const dynamics *d, coords *at, const trays *t, double h, double *lost)
{
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  0,           t->scratch, NULL,  t->crew, at->room,   t->spare };
    return sleep_after(&d->sleep, &d->laws, &in, &t->load, h, at, lost);
}

int dynamics_sleep_start(const dynamics *d, coords *at, trays *t, coords *work)
{
    // second rates in the place of rates: the markers' rates are then accelerations, but for what speeds add
    coords_copy(d, at, work);
    memcpy(work->v, at->a, (size_t)d->structure.n * sizeof *work->v);
    d->set->lift(d->coordinates, work, 0, &t->motion);
    double *second = t->load.effort;
    memcpy(second, t->motion.rate, (size_t)d->plan.n_dof * sizeof *second);
    d->set->lift(d->coordinates, at, 0, &t->motion);
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  0,           t->scratch, NULL,  t->crew, at->room,   t->spare };
    return sleep_before(&d->sleep, &d->laws, &in, second, at);
}

void dynamics_wake(const dynamics *d, double *memory)
{
    for (int k = 0; k < d->plan.n_sleeper; k++) {
        memset(&memory[d->plan.sleeper[k].memory], 0, SLEEP_SIZE * sizeof *memory);
    }
}

void dynamics_check_user(const dynamics *d, const coords *at, const trays *t, bi_report *report)
{
    law_in in = { &t->signals, &t->motion, at->z, at->dz,  at->memory, at->pool,
                  LAW_TANGENT, t->scratch, NULL,  t->crew, at->room,   t->spare };
    laws_check_user(&d->laws, &d->plan, &in, report);
}

void dynamics_row_name(const dynamics *d, int row, char *buffer, size_t size)
{
    const owner_name *o = &d->structure.row_owner[row];
    if (o->group >= 0) {
        snprintf(buffer, size, "%s", d->plan.row[o->group].name);
    } else {
        snprintf(buffer, size, "%s (%s)", d->plan.model->body[o->body].def.name, o->what);
    }
}
