// SPDX-License-Identifier: MIT
// Fatigue of all flexible bodies of a model during a run.
#include "io/life/life.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a body will take before anything is made: a mistake in the file is told with a number, not by the machine.
static const double most_memory = 4e9;

static double memory_of(const bi_flex *flex, const life_data *d)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    double n_mode = bi_flex_modes(flex)->n_mode, n_beam = 0.0, n_node = mesh->n_node, sides = 1.0;
    bool has_other = false;
    for (int k = 0; k < mesh->n_element; k++) {
        bi_fe_kind kind = mesh->element[k].kind;
        n_beam += bi_fe_is_beam(kind);
        sides = kind == BI_FE_SHELL4 || kind == BI_FE_SHELL3 ? 2.0 : sides;
        has_other = has_other || !(bi_fe_is_beam(kind) || kind == BI_FE_MASS || kind == BI_FE_LINK);
    }
    n_node = has_other ? n_node * sides : 0.0;
    double histories =
        2.0 * n_beam * d->n_fibre * life_planes_of_fibre(d) + n_node * life_planes_of_tensor(d);
    double each = sizeof(cycle_counter) + (d->method == LIFE_SHEAR ? 2.0 : 1.0) * CYCLES_FIRST_ROOM * 8.0;
    // rows of the recovery, those that are sorted out, and those that stay
    return histories * each + 3.0 * 8.0 * n_mode * (8.0 * n_beam + 6.0 * n_node);
}

static bool check_memory(bi_life *l, bi_model *model, bi_report *report)
{
    double sum = 0.0;
    for (int b = 1; b <= bi_model_body_count(model); b++) {
        const bi_flex *flex = bi_model_flex(model, (bi_body){ b });
        sum += flex ? memory_of(flex, &l->data) : 0.0;
    }
    if (sum > most_memory) {
        bi_report_add(
            report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "",
            "counting all places would take %.1f GB; method: principal takes least, planes and fibres "
            "may be fewer",
            1e-9 * sum);
    }
    return sum <= most_memory;
}

static bool make_bodies(bi_life *l, bi_model *model, bi_report *report)
{
    int n_body = bi_model_body_count(model), count = 0;
    l->body = calloc((size_t)n_body + 1, sizeof *l->body);
    for (int b = 1; l->body && b <= n_body; b++) {
        if (bi_model_flex(model, (bi_body){ b })) {
            l->n_body = ++count;
            if (!life_body_make(&l->body[count - 1], model, (bi_body){ b }, &l->data, report)) {
                return false;
            }
        }
    }
    if (count == 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, "",
                      "there is no flexible body: only bodies with 'flex' in modes have stresses to count");
    }
    return count > 0;
}

// Materials without data: their elements are not counted, which must not look like endless life.
static bool check_data(const bi_life *l, bi_report *report)
{
    int places = 0, missing = 0;
    for (int k = 0; k < l->n_body; k++) {
        places += l->body[k].n_place;
        missing += l->body[k].n_missing;
    }
    const char *name = bi_life_facts_of(l).missing_material;
    if (missing == places) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ l->path, 1, 1 }, "materials",
                      "no material of the flexible bodies has a line here; the first one without is '%s'",
                      name ? name : "(without a name)");
    } else if (missing > 0) {
        bi_report_add(report, BI_WARNING, BI_BAD_MODEL, (bi_place){ l->path, 1, 1 }, "materials",
                      "%d of %d places have no life: there is no line for '%s'", missing, places,
                      name ? name : "(without a name)");
    }
    return missing < places;
}

bi_life *bi_life_create(bi_model *model, const char *path, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_life *l = model && path ? calloc(1, sizeof *l) : NULL;
    if (!model || !path) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "fatigue needs a model and a file of data");
    } else if (!l) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, "", "out of memory");
    } else {
        l->path = path;
        bool is_good = life_data_read(&l->data, model, path, report) && check_memory(l, model, report) &&
                       make_bodies(l, model, report) && check_data(l, report);
        l->path = NULL;
        if (!is_good) {
            bi_life_destroy(l);
            l = NULL;
        }
    }
    bi_report_clear(&own);
    return l;
}

void bi_life_destroy(bi_life *l)
{
    if (l) {
        for (int k = 0; k < l->n_body; k++) {
            life_body_free(&l->body[k]);
        }
        free(l->body);
        free(l->sum);
        life_data_clear(&l->data);
        free(l);
    }
}

bool bi_life_add(bi_life *l, bi_sim *sim)
{
    bool is_good = l && sim;
    for (int k = 0; is_good && k < l->n_body; k++) {
        life_body *b = &l->body[k];
        is_good = bi_sim_modes(sim, b->body, b->eta) == b->n_mode;
        for (int m = 0; is_good && m < b->n_mode; m++) {
            is_good = isfinite(b->eta[m]);
        }
        is_good = is_good && life_body_add(b, &l->data);
    }
    if (is_good) {
        l->from = l->samples == 0 ? bi_sim_time(sim) : l->from;
        l->to = bi_sim_time(sim);
        l->samples++;
    }
    return is_good;
}

// ---- what came of it ----------------------------------------------------------------------------------------------

bool life_sum_place(const bi_life *l, const life_body *b, const life_place *p, life_sum *out)
{
    *out = (life_sum){ .body = b, .place = p, .damage = -1.0 };
    for (int k = 0; k < p->count; k++) {
        cycle_sum sum;
        const cycle_counter *c = &b->counter[p->first + k];
        if (!cycles_sum(c, l->data.manner, p->curve, &sum)) {
            return false;
        }
        // of equal damage, such as none, the largest stress
        double size = sum.most - sum.least;
        if (sum.damage > out->damage || (sum.damage == out->damage && size > out->most - out->least)) {
            out->damage = sum.damage;
            out->cycles = sum.count;
            out->least = sum.least;
            out->most = sum.most;
            out->history = k;
        }
    }
    return true;
}

static int compare_sums(const void *a, const void *b)
{
    const life_sum *x = a, *y = b;
    if (x->damage != y->damage) {
        return x->damage > y->damage ? -1 : 1;
    }
    double sx = x->most - x->least, sy = y->most - y->least;
    return sx != sy ? (sx > sy ? -1 : 1) : x->number - y->number;
}

// All places, the worst first; made again when there are more samples. False: no memory.
bool life_sort(bi_life *l)
{
    if (l->sum && l->n_sorted == l->samples) {
        return true;
    }
    int count = 0;
    for (int k = 0; k < l->n_body; k++) {
        count += l->body[k].n_place - l->body[k].n_missing;
        if (!life_body_count(&l->body[k], &l->data)) {
            return false;
        }
    }
    free(l->sum);
    l->sum = calloc((size_t)count + 1, sizeof *l->sum);
    l->n_sum = 0;
    for (int k = 0; l->sum && k < l->n_body; k++) {
        for (int i = 0; i < l->body[k].n_place; i++) {
            const life_place *p = &l->body[k].place[i];
            if (p->curve && !life_sum_place(l, &l->body[k], p, &l->sum[l->n_sum])) {
                return false;
            }
            l->sum[l->n_sum].number = l->n_sum;
            l->n_sum += p->curve != NULL;
        }
    }
    if (l->sum) {
        qsort(l->sum, (size_t)l->n_sum, sizeof *l->sum, compare_sums);
        l->n_sorted = l->samples;
    }
    return l->sum != NULL;
}

bi_life_place life_tell(const bi_life *l, const life_sum *s)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(s->body->flex);
    const life_place *p = s->place;
    int at = p->is_beam ? p->element : p->node;
    int64_t number = p->is_beam ? mesh->element[at].number : mesh->node[at].number;
    int planes = life_planes_of_fibre(&l->data);
    bi_life_place out = { .body = s->body->name,
                          .number = number ? number : at + 1,
                          .name = p->is_beam ? mesh->element[at].name : mesh->node[at].name,
                          .is_beam = p->is_beam,
                          .end = p->is_beam ? p->end : p->side,
                          .spot = p->spot >= 0 ? l->data.spot[p->spot].name : NULL,
                          .least = s->least,
                          .most = s->most,
                          .cycles = s->cycles,
                          .damage = s->damage };
    if (p->is_beam && p->is_round) {
        out.direction = 2.0 * acos(-1.0) * (s->history / planes) / l->data.n_fibre;
    }
    return out;
}

bool bi_life_worst(bi_life *l, int k, bi_life_place *out)
{
    if (!l || !out || k < 0 || l->samples == 0 || !life_sort(l) || k >= l->n_sum) {
        return false;
    }
    *out = life_tell(l, &l->sum[k]);
    return true;
}

static const char *first_missing(const bi_life *l)
{
    for (int k = 0; k < l->n_body; k++) {
        const bi_fe_mesh *mesh = bi_flex_mesh(l->body[k].flex);
        for (int i = 0; l->body[k].n_missing > 0 && i < mesh->n_material; i++) {
            if (life_data_curve(&l->data, mesh->material[i].name) < 0) {
                return mesh->material[i].name;
            }
        }
    }
    return NULL;
}

bi_life_facts bi_life_facts_of(const bi_life *l)
{
    bi_life_facts f = { 0 };
    if (!l) {
        return f;
    }
    f = (bi_life_facts){ .from = l->from, .to = l->to, .samples = l->samples };
    f.is_once = l->data.manner == CYCLES_ONCE;
    f.missing_material = first_missing(l);
    for (int k = 0; k < l->n_body; k++) {
        const life_body *b = &l->body[k];
        f.places += b->n_place - b->n_missing;
        f.missing += b->n_missing;
        f.histories += b->n_counter;
        for (int64_t i = 0; i < b->n_counter; i++) {
            const cycle_counter *c = &b->counter[i];
            f.cut += c->is_cut;
        }
    }
    if (l->sum && l->n_sum > 0 && l->samples > 0) {
        f.turns = fmin(1.0, 2.0 * l->sum[0].cycles / (double)l->samples);
    }
    return f;
}

const char *bi_life_body(const bi_life *l, int k)
{
    return l && k >= 0 && k < l->n_body ? l->body[k].name : NULL;
}
