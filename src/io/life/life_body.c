// SPDX-License-Identifier: MIT
#include "io/life/life_body.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- places -------------------------------------------------------------------------------------------------------

// Nodes of an element that have a stress; 0: those of beams, masses and links.
static int nodes_of(bi_fe_kind kind)
{
    static const int count[BI_FE_KIND_COUNT] = {
        [BI_FE_QUAD] = 4,   [BI_FE_QUAD_PLAIN] = 4, [BI_FE_TRIANGLE] = 3,
        [BI_FE_TET10] = 10, [BI_FE_HEX8] = 8,       [BI_FE_HEX20] = 20,
        [BI_FE_SHELL4] = 4, [BI_FE_SHELL3] = 3,     [BI_FE_WEDGE15] = 15
    };
    return count[kind];
}

// Elements of a seam mean their nodes, too, where nodes are the places.
static bool is_of_spot(const life_spot *s, const bi_fe_mesh *mesh, const life_place *p)
{
    if (s->is_node[p->node] || (p->is_beam && s->is_element[p->element])) {
        return true;
    }
    for (int k = 0; !p->is_beam && k < mesh->n_element; k++) {
        const bi_fe_element *e = &mesh->element[k];
        for (int i = 0; s->is_element[k] && i < nodes_of(e->kind); i++) {
            if (e->node[i] == p->node) {
                return true;
            }
        }
    }
    return false;
}

// The material of each node that plane, shell or solid elements have; -1: none.
static int32_t *materials_of_nodes(const bi_fe_mesh *mesh)
{
    int32_t *of = malloc(((size_t)mesh->n_node + 1) * sizeof *of);
    for (int k = 0; of && k < mesh->n_node; k++) {
        of[k] = -1;
    }
    for (int k = mesh->n_element - 1; of && k >= 0; k--) {
        const bi_fe_element *e = &mesh->element[k];
        for (int i = 0; i < nodes_of(e->kind); i++) {
            of[e->node[i]] = e->material;
        }
    }
    return of;
}

static void find_curve(const life_body *b, const life_data *d, int material, life_place *p)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(b->flex);
    int curve = material >= 0 ? life_data_curve(d, mesh->material[material].name) : -1;
    p->spot = -1;
    for (int k = 0; k < d->n_spot; k++) {
        const life_spot *s = &d->spot[k];
        if (s->body.i == b->body.i && is_of_spot(s, mesh, p)) {
            p->spot = (int16_t)k;
            curve = s->curve >= 0 ? s->curve : curve;
        }
    }
    p->curve = curve >= 0 ? &d->curve[curve] : NULL;
}

// Beams first, two ends each, then nodes, with shells once for each side; as bi_recovery has them.
static bool make_places(life_body *b, const life_data *d, const bi_recovery *r)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(b->flex);
    int32_t *material = materials_of_nodes(mesh);
    int n_beam = r->form == BI_FORM_SECTION ? r->n_point : r->form == BI_FORM_MIXED ? r->n_section : 0;
    int element = -1, side = 0;
    b->place = calloc((size_t)r->n_point + 1, sizeof *b->place);
    b->n_place = b->place && material ? r->n_point : 0;
    for (int k = 0; k < b->n_place; k++) {
        life_place *p = &b->place[k];
        *p = (life_place){ .element = -1, .node = r->node[k], .is_beam = k < n_beam, .row = 6 * k };
        if (p->is_beam) {
            p->end = (int16_t)(k % 2);
            do {
                element += k % 2 == 0;
            } while (!bi_fe_is_beam(mesh->element[element].kind));
            p->element = element;
            p->is_round = r->is_round[k];
        } else {
            side += k > n_beam && r->node[k] <= r->node[k - 1];
            p->side = (int16_t)side;
        }
        find_curve(b, d, p->is_beam ? mesh->element[element].material : material[p->node], p);
        b->n_missing += !p->curve;
    }
    free(material);
    return b->n_place == r->n_point;
}

// ---- histories ----------------------------------------------------------------------------------------------------

static int fibres_of(const life_place *p, const life_data *d) { return p->is_round ? d->n_fibre : 4; }

static bool make_counters(life_body *b, const life_data *d)
{
    bool has_peak = d->method == LIFE_SHEAR;
    size_t most = 1, each = (has_peak ? 2 : 1) * CYCLES_FIRST_ROOM;
    for (int k = 0; k < b->n_place; k++) {
        life_place *p = &b->place[k];
        int count = p->is_beam ? fibres_of(p, d) * life_planes_of_fibre(d) : life_planes_of_tensor(d);
        p->first = (int32_t)b->n_counter;
        p->count = p->curve ? count : 0;
        b->n_counter += p->count;
        most = (size_t)count > most ? (size_t)count : most;
    }
    b->counter = calloc((size_t)b->n_counter + 1, sizeof *b->counter);
    b->room = malloc(((size_t)b->n_counter * each + 1) * sizeof *b->room);
    b->sample = calloc(2 * most * LIFE_BLOCK, sizeof *b->sample);
    b->angle = calloc(2 * (size_t)d->n_fibre, sizeof *b->angle);
    b->plane = life_planes_make(d);
    if (!b->counter || !b->room || !b->sample || !b->angle || !b->plane) {
        return false;
    }
    for (int k = 0; k < d->n_fibre; k++) {
        b->angle[2 * k] = cos(2.0 * acos(-1.0) * k / d->n_fibre);
        b->angle[2 * k + 1] = sin(2.0 * acos(-1.0) * k / d->n_fibre);
    }
    for (int64_t k = 0; k < b->n_counter; k++) {
        double *turn = b->room + (size_t)k * each;
        cycles_begin(&b->counter[k], turn, has_peak ? turn + CYCLES_FIRST_ROOM : NULL);
    }
    return true;
}

// ---- rows ---------------------------------------------------------------------------------------------------------

// The same row of this place or of the one before, such as the normal force of a beam at its other end; -1: none.
static int same_row(const life_body *b, const double *rows, int n_row, const double *row)
{
    for (int k = n_row - 1; k >= 0 && k >= n_row - 6; k--) {
        if (memcmp(rows + (size_t)k * (size_t)b->n_mode, row, (size_t)b->n_mode * sizeof *row) == 0) {
            return k;
        }
    }
    return -1;
}

// Rows that differ, times the notch.
static bool make_rows(life_body *b, const life_data *d, const bi_recovery *r)
{
    size_t n = (size_t)b->n_mode;
    b->mix = calloc((size_t)r->n_point * (size_t)r->n_row * n + 1, sizeof *b->mix);
    b->row = calloc((size_t)r->n_point * 6 + 1, sizeof *b->row);
    for (int k = 0; b->mix && b->row && k < b->n_place; k++) {
        const life_place *p = &b->place[k];
        double notch = p->spot >= 0 ? d->spot[p->spot].notch : 1.0;
        for (int i = 0; i < (p->is_beam ? 4 : 6) && p->curve; i++) {
            const double *from = r->row + ((size_t)k * (size_t)r->n_row + (size_t)i) * n;
            double *to = b->mix + (size_t)b->n_row * n;
            for (size_t m = 0; m < n; m++) {
                to[m] = notch * from[m];
            }
            int known = same_row(b, b->mix, b->n_row, to);
            b->row[p->row + i] = known >= 0 ? known : b->n_row++;
        }
    }
    return b->mix && b->row;
}

bool life_body_make(life_body *b, bi_model *model, bi_body body, const life_data *d, bi_report *report)
{
    const bi_flex *flex = bi_model_flex(model, body);
    bi_flex_probe everywhere = {
        .quantity = BI_PROBE_MISES, .is_everywhere = true, .element = -1, .next = -1
    };
    char why[200] = "out of memory";
    *b = (life_body){ .body = body, .flex = flex, .name = bi_model_body_name(model, body) };
    b->n_mode = bi_flex_modes(flex)->n_mode;
    bi_recovery *r = bi_flex_recover(flex, &everywhere, why, sizeof why);
    b->eta = calloc((size_t)b->n_mode + 1, sizeof *b->eta);
    b->waiting = calloc((size_t)b->n_mode * LIFE_BLOCK + 1, sizeof *b->waiting);
    bool is_good =
        r && b->eta && b->waiting && make_places(b, d, r) && make_rows(b, d, r) && make_counters(b, d);
    if (is_good && r->axial) {
        bi_report_add(
            report, BI_WARNING, BI_BAD_MODEL, (bi_place){ 0 }, b->name,
            "a straight bar: its life takes the normal force from the modes, while channels add what "
            "inertia between its held nodes gives; where that counts, see --verify with more modes");
    }
    if (!is_good) {
        bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ 0 }, b->name, "%s",
                      why[0] ? why : "out of memory");
    }
    bi_recovery_destroy(r);
    return is_good;
}

void life_body_free(life_body *b)
{
    for (int64_t k = 0; b->counter && k < b->n_counter; k++) {
        cycles_free(&b->counter[k]);
    }
    free(b->counter);
    free(b->room);
    free(b->sample);
    free(b->angle);
    free(b->plane);
    free(b->place);
    free(b->row);
    free(b->mix);
    free(b->waiting);
    free(b->eta);
}

// ---- samples ------------------------------------------------------------------------------------------------------

// Where the processor has AVX2, the same operations in the same order, four at a time.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&             \
    !defined(BI_DEBUG)
#define LIFE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LIFE_WIDE
#endif
#if defined(__clang__)
#define LIFE_UNROLL
#else
#define LIFE_UNROLL _Pragma("GCC unroll 16")
#endif

// Each row is summed over the modes in their order, as a channel is: the bits are equal. The sums stay in registers.
LIFE_WIDE static void mix_row(int n_mode, const double *restrict share, const double *restrict eta,
                              double *restrict to)
{
    double sum[LIFE_BLOCK] = { 0.0 };
    for (int m = 0; m < n_mode; m++, eta += LIFE_BLOCK) {
        LIFE_UNROLL
        for (int i = 0; i < LIFE_BLOCK; i++) {
            sum[i] += share[m] * eta[i];
        }
    }
    memcpy(to, sum, sizeof sum);
}

// What is known of the last rows: the other end of a beam shares some of them.
typedef struct {
    int32_t row[6];
    double value[6][LIFE_BLOCK];
} mixed;

static void mix_place(const life_body *b, const life_place *p, mixed *s)
{
    mixed before = *s;
    for (int i = 0; i < (p->is_beam ? 4 : 6); i++) {
        int row = b->row[p->row + i], known = -1;
        for (int k = 0; k < 6; k++) {
            known = before.row[k] == row ? k : known;
        }
        s->row[i] = row;
        if (known >= 0) {
            memcpy(s->value[i], before.value[known], sizeof s->value[i]);
        } else {
            mix_row(b->n_mode, b->mix + (size_t)row * (size_t)b->n_mode, b->waiting, s->value[i]);
        }
    }
}

// Corners of sections that are not round; (life.9).
static const double corner[8] = { 1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, -1.0 };

static void look_at_beam(const life_body *b, const life_data *d, const life_place *p, const mixed *s)
{
    double *normal = b->sample + (size_t)p->count * LIFE_BLOCK, stress[LIFE_BLOCK];
    const double *at = p->is_round ? b->angle : corner;
    int n_plane = life_planes_of_fibre(d), n = fibres_of(p, d);
    for (int k = 0; k < n; k++) {
        double y = at[2 * k], z = at[2 * k + 1];
        for (int i = 0; i < LIFE_BLOCK; i++) {
            stress[i] = s->value[0][i] - y * s->value[1][i] + z * s->value[2][i];
        }
        size_t first = (size_t)(k * n_plane) * LIFE_BLOCK;
        life_fibre(d, b->plane, stress, s->value[3], b->sample + first, normal + first);
    }
}

static void look_at_node(const life_body *b, const life_data *d, const life_place *p, const mixed *s)
{
    for (int i = 0; i < b->n_waiting; i++) {
        double tensor[6];
        for (int k = 0; k < 6; k++) {
            tensor[k] = s->value[k][i];
        }
        life_tensor(d, b->plane, tensor, b->sample + i, b->sample + (size_t)p->count * LIFE_BLOCK + i);
    }
}

bool life_body_count(life_body *b, const life_data *d)
{
    mixed s = { .row = { -1, -1, -1, -1, -1, -1 } };
    bool is_good = true;
    for (int k = 0; k < b->n_place && is_good && b->n_waiting > 0; k++) {
        const life_place *p = &b->place[k];
        if (!p->curve) {
            continue;
        }
        mix_place(b, p, &s);
        if (p->is_beam) {
            look_at_beam(b, d, p, &s);
        } else {
            look_at_node(b, d, p, &s);
        }
        const double *x = b->sample, *normal = b->sample + (size_t)p->count * LIFE_BLOCK;
        for (int i = 0; i < p->count && is_good; i++, x += LIFE_BLOCK, normal += LIFE_BLOCK) {
            is_good = cycles_add(&b->counter[p->first + i], b->n_waiting, x, normal, p->curve);
        }
    }
    b->n_waiting = 0;
    return is_good;
}

bool life_body_add(life_body *b, const life_data *d)
{
    for (int m = 0; m < b->n_mode; m++) {
        b->waiting[m * LIFE_BLOCK + b->n_waiting] = b->eta[m];
    }
    return ++b->n_waiting < LIFE_BLOCK || life_body_count(b, d);
}
