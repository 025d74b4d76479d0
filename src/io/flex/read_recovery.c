// SPDX-License-Identifier: MIT
// Outputs `stress` and `section` of flexible bodies.
#include "io/flex/flex_exact.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// start, mid, end, or a number from 0 to 1. -1: reported.
static double read_along(reader *r, const yaml_node *at, const char *where)
{
    static const char *const words[] = { "start", "mid", "end" };
    double s = 0.5;
    if (!at) {
        return s;
    }
    for (int k = 0; at->kind == YAML_SCALAR && k < 3; k++) {
        if (strcmp(at->text, words[k]) == 0) {
            return 0.5 * k;
        }
    }
    if (!reader_number(r, at, NULL, where, &s)) {
        return -1.0;
    }
    if (!(s >= 0.0 && s <= 1.0)) {
        reader_error(r, at, where,
                     "must be start, mid, end, or a number from 0 to 1 along the element or line");
        return -1.0;
    }
    return s;
}

static bool is_beam(const bi_fe_mesh *mesh, int k) { return bi_fe_is_beam(mesh->element[k].kind); }

// Elements NAME.1, NAME.2, ... of a line: the first here, and how many. -1: there is none.
static int find_line(const bi_fe_mesh *mesh, const char *name, int *count)
{
    size_t length = strlen(name);
    int first = -1;
    *count = 0;
    for (int i = 0; i < mesh->n_element; i++) {
        const char *own = mesh->element[i].name;
        bool is_of_line = own && strncmp(own, name, length) == 0 && own[length] == '.' && own[length + 1] &&
                          strspn(own + length + 1, "0123456789") == strlen(own + length + 1) &&
                          is_beam(mesh, i);
        if (is_of_line && (first < 0 || i == first + *count)) {
            first = first < 0 ? i : first;
            ++*count;
        }
    }
    return first;
}

// A body in pieces: elements of the line on the pieces before this one, and on all of them.
typedef struct {
    int before, all;
} line_part;

// Where along a line: an element, and the next one when the place is between two.
static void place_on_line(double s, const line_part *part, int first, int count, bi_flex_probe *probe)
{
    double x = part->all > 0 ? s * part->all - part->before : s * count;
    x = fmin(fmax(x, 0.0), count);
    int k = (int)floor(x);
    bool is_between = fabs(x - round(x)) < 1e-9 && x > 0.5 && x < count - 0.5;
    k = is_between ? (int)round(x) - 1 : k >= count ? count - 1 : k;
    probe->element = first + k;
    probe->next = is_between ? first + k + 1 : -1;
    probe->site.x = is_between ? 1.0 : 2.0 * (x - k) - 1.0;
}

// In a plane or solid element: number of a Gauss point from 1, or its own coordinates.
static bool read_gauss(reader *r, const yaml_node *at, const char *where, const bi_flex *flex,
                       bi_flex_probe *probe)
{
    double k = 0.0;
    int most = 0;
    bi_vec3 unused;
    if (at->kind == YAML_LIST) {
        return reader_vec3(r, at, NULL, where, &probe->site);
    }
    if (!reader_number(r, at, NULL, where, &k)) {
        return false;
    }
    while (bi_flex_site(flex, probe->element, most, &unused)) {
        most++;
    }
    if (!(k >= 1.0 && k <= most && k == floor(k))) {
        reader_error(r, at, where, "must be a Gauss point from 1 to %d, or [xi, eta, zeta]", most);
        return false;
    }
    return bi_flex_site(flex, probe->element, (int)k - 1, &probe->site);
}

static bool read_site(reader *r, const yaml_node *map, const char *where, const bi_fe_mesh *mesh,
                      const bi_flex *flex, const line_part *part, bi_flex_probe *probe)
{
    const yaml_node *element = yaml_get(map, "element"), *at = yaml_get(map, "at");
    where_path here = where_at(where, "element"), here_at = where_at(where, "at");
    const char *text = reader_expect(r, element, YAML_SCALAR, here.text, "the name or number of an element")
                           ? reader_text(r, element, here.text)
                           : NULL;
    if (!text) {
        return false;
    }
    int count = 0, first = find_line(mesh, text, &count);
    probe->element = flex_find_element(mesh, text);
    if (probe->element < 0 && first < 0) {
        reader_error(r, element, here.text, "there is no element or line '%.60s' in this mesh of %d elements",
                     text, mesh->n_element);
        return false;
    }
    bool is_line = probe->element < 0;
    if (!is_line && flex && !is_beam(mesh, probe->element)) {
        return !at || read_gauss(r, at, here_at.text, flex, probe);
    }
    double s = read_along(r, at, here_at.text);
    if (s >= 0.0 && is_line) {
        place_on_line(s, part, first, count, probe);
    } else {
        probe->site.x = 2.0 * s - 1.0;
    }
    return s >= 0.0;
}

static const bi_fe_mesh *mesh_of_piece(const reader *r, bi_body body, int k)
{
    return bi_flex_mesh(bi_model_flex(r->model, (bi_body){ body.i + k }));
}

// The piece that has the element; -1: none.
static int piece_of_element(const reader *r, bi_body body, const char *name)
{
    for (int k = 0; k < reader_pieces(r, body); k++) {
        if (flex_find_element(mesh_of_piece(r, body, k), name) >= 0) {
            return k;
        }
    }
    return -1;
}

// The piece at `s` along a line; 0 when there is no such line, which is reported later.
static int piece_of_line(const reader *r, bi_body body, const char *name, double s, line_part *part)
{
    int n = reader_pieces(r, body), count;
    for (int k = 0; k < n; k++) {
        (void)find_line(mesh_of_piece(r, body, k), name, &count);
        part->all += count;
    }
    for (int k = 0; k < n; k++) {
        (void)find_line(mesh_of_piece(r, body, k), name, &count);
        if (count > 0 && s * part->all <= part->before + count + 1e-9) {
            return k;
        }
        part->before += count;
    }
    return 0;
}

// The piece of a body that the element or node is on; of a line, the piece at `at`. False: reported.
static bool choose_piece(reader *r, const yaml_node *map, const char *where, bi_body *body, line_part *part)
{
    const yaml_node *element = yaml_get(map, "element"), *node = yaml_get(map, "node");
    const yaml_node *named = element ? element : node;
    int n = reader_pieces(r, *body);
    if (n == 1 || (named && named->kind != YAML_SCALAR)) {
        return true;
    }
    if (!named) {
        reader_error(r, r->entry, where,
                     "the body is in %d pieces: ask for the stress of each, NAME, NAME.2 and so on", n);
        return false;
    }
    const char *text = reader_text(r, named, where);
    double s = element ? read_along(r, yaml_get(map, "at"), where_at(where, "at").text) : 0.0;
    if (!text || s < 0.0) {
        return false;
    }
    if (!element) {
        *body = reader_piece_of_node(r, *body, text);
        return true;
    }
    int k = piece_of_element(r, *body, text);
    body->i += k >= 0 ? k : piece_of_line(r, *body, text, s, part);
    return true;
}

// flex: NULL of exact beams.
static bool read_place_in(reader *r, const yaml_node *map, const char *where, const bi_fe_mesh *mesh,
                          const bi_flex *flex, const line_part *part, bi_flex_probe *probe)
{
    const yaml_node *element = yaml_get(map, "element"), *node = yaml_get(map, "node");
    if (element && node) {
        reader_error(r, node, where_at(where, "node").text, "'element' and 'node' exclude each other");
        return false;
    }
    if (element) {
        return read_site(r, map, where, mesh, flex, part, probe);
    }
    if (node) {
        flex_mesh view = { .def.mesh = *mesh };
        probe->node = read_flex_node(r, &view, node, where_at(where, "node").text);
        blocks_free(&view.names);
        return probe->node >= 0;
    }
    probe->is_everywhere = true;
    return true;
}

static bool has_shells(const bi_fe_mesh *mesh)
{
    bool has = false;
    for (int k = 0; k < mesh->n_element; k++) {
        has = has || mesh->element[k].kind == BI_FE_SHELL4 || mesh->element[k].kind == BI_FE_SHELL3;
    }
    return has;
}

// of_beam: 0 no, 1 yes, -1 of a shell, whose fibres are its sides.
static bool read_words(reader *r, const yaml_node *map, const char *where, bool is_section, int of_beam,
                       bi_flex_probe *probe)
{
    const yaml_node *fibre = yaml_get(map, "fibre"), *quantity = yaml_get(map, "quantity"),
                    *axes = yaml_get(map, "axes");
    int f = fibre ? reader_word_of(r, map, &keys_output, "fibre", where) : 0;
    int a = axes ? reader_word_of(r, map, &keys_output, "axes", where) : 0;
    int q = quantity                              ? reader_word_of(r, map, &keys_output, "quantity", where)
            : fibre && of_beam >= 0               ? 1
            : of_beam > 0 || probe->is_everywhere ? 0
                                                  : 2;
    if (is_section && (fibre || quantity)) {
        reader_error(r, fibre ? fibre : quantity, where, "'fibre' and 'quantity' are for 'stress'");
        return false;
    }
    if (probe->is_everywhere && (is_section || q != 0)) {
        reader_error(r, map, where,
                     "needs 'element' or 'node'; of the whole body only the largest mises is told");
        return false;
    }
    probe->fibre = (bi_fibre)f;
    probe->axes = (bi_probe_axes)a;
    static const bi_probe_quantity quantities[] = { BI_PROBE_MISES, BI_PROBE_NORMAL, BI_PROBE_TENSOR,
                                                    BI_PROBE_PRINCIPAL, BI_PROBE_STRAIN };
    probe->quantity = is_section ? BI_PROBE_SECTION : q >= 0 ? quantities[q] : BI_PROBE_MISES;
    const yaml_node *along = yaml_get(map, "along");
    if (along && (probe->quantity != BI_PROBE_STRAIN || of_beam > 0)) {
        reader_error(r, along, where, "'along' is for 'quantity: strain', of other elements than beams");
        return false;
    }
    if (along && !reader_direction(r, along, where_at(where, "along").text, &probe->along)) {
        return false;
    }
    return f >= 0 && a >= 0 && q >= 0;
}

// Stresses of a body of exact beams, from their section forces.
static bool read_of_bars(reader *r, const yaml_node *map, const char *where, bi_output_def *def)
{
    const bi_fe_mesh *mesh = flex_exact_mesh(r, def->body);
    const yaml_node *node = yaml_get(map, "node");
    bi_flex_probe probe = { .element = -1, .next = -1, .node = -1 };
    line_part part = { 0 };
    char why[200];
    if (node) {
        reader_error(r, node, where_at(where, "node").text,
                     "stresses of exact beams are asked for with 'element' and 'at'");
        return false;
    }
    if (!read_place_in(r, map, where, mesh, NULL, &part, &probe) ||
        !read_words(r, map, where, yaml_get(map, "section") != NULL, probe.element >= 0, &probe)) {
        return false;
    }
    def->recovery = bi_bar_recover(mesh, &probe, why, sizeof why);
    if (!def->recovery) {
        reader_error(r, r->entry, where, "%s", why);
        return false;
    }
    def->beam = flex_exact_beam(r, def->body, probe.is_everywhere ? 0 : probe.element);
    def->n_beam = probe.is_everywhere ? flex_exact_beams(r, def->body) : probe.next >= 0 ? 2 : 1;
    // what is told in axes of the ground turns with the section where it is
    bi_vec3 unused;
    if (!probe.is_everywhere) {
        int end = mesh->element[probe.element].node[probe.site.x > 0.0];
        (void)flex_exact_node(r, def->body, end, &def->body, &unused);
    }
    return true;
}

bool read_recovery(reader *r, const yaml_node *map, const char *where, bi_output_def *def)
{
    const key_def *key;
    for (int k = 0; def->kind != BI_OUT_RECOVERY && (key = key_at(&keys_output, k)); k++) {
        const yaml_node *stray = key_is_of(key, OUTPUT_OTHER) ? NULL : yaml_get(map, key->key);
        if (stray) {
            reader_error(r, stray, where, "'%s' is for 'stress' and 'section'", key->key);
            return false;
        }
    }
    if (def->kind != BI_OUT_RECOVERY) {
        return true;
    }
    line_part part = { 0 };
    if (flex_exact_mesh(r, def->body)) {
        return read_of_bars(r, map, where, def);
    }
    if (!choose_piece(r, map, where, &def->body, &part)) {
        return false;
    }
    const bi_flex *flex = bi_model_flex(r->model, def->body);
    bool is_section = yaml_get(map, "section") != NULL;
    if (!flex) {
        // a mesh with a mistake was reported
        if (!r->has_bad_flex) {
            reader_error(r, yaml_get(map, is_section ? "section" : "stress"), where,
                         "only a body with 'flex' has stresses");
        }
        return false;
    }
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    bi_flex_probe probe = { .element = -1, .next = -1, .node = -1 };
    if (!read_place_in(r, map, where, mesh, flex, &part, &probe)) {
        return false;
    }
    bool is_of_beam = probe.element >= 0 && is_beam(mesh, probe.element);
    char why[200];
    int of_beam = is_of_beam ? 1 : !probe.is_everywhere && has_shells(mesh) ? -1 : 0;
    if (!read_words(r, map, where, is_section, of_beam, &probe)) {
        return false;
    }
    def->recovery = bi_flex_recover(flex, &probe, why, sizeof why);
    if (!def->recovery) {
        reader_error(r, r->entry, where, "%s", why);
    }
    return def->recovery != NULL;
}
