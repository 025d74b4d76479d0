// SPDX-License-Identifier: MIT
// Abaqus and CalculiX .inp: nodes, elements, sets, materials and sections. Steps, loads and supports are not of the
// body: skipped.
#include "io/fe/fe_source.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_FIELDS = 32, MOST_OPTIONS = 12 };

typedef struct {
    const char *name;
    bi_fe_kind kind;
    int n_node; // as the file gives them
} inp_type;

static const inp_type types[] = {
    { "C3D4", BI_FE_TET10, 4 },
    { "C3D10", BI_FE_TET10, 10 },
    { "C3D10T", BI_FE_TET10, 10 },
    { "C3D10M", BI_FE_TET10, 10 },
    { "C3D8", BI_FE_HEX8, 8 },
    { "C3D8I", BI_FE_HEX8, 8 },
    { "C3D8R", BI_FE_HEX8, 8 },
    { "C3D6", BI_FE_WEDGE15, 6 },
    { "C3D15", BI_FE_WEDGE15, 15 },
    { "C3D20", BI_FE_HEX20, 20 },
    { "C3D20R", BI_FE_HEX20, 20 },
    { "CPS3", BI_FE_TRIANGLE, 3 },
    { "CPS4", BI_FE_QUAD, 4 },
    { "CPS4I", BI_FE_QUAD, 4 },
    { "B31", BI_FE_TIMOSHENKO, 2 },
    { "B31R", BI_FE_TIMOSHENKO, 2 },
    { "B33", BI_FE_BEAM, 2 },
    { "B32", BI_FE_TIMOSHENKO, 3 },
    { "B32R", BI_FE_TIMOSHENKO, 3 },
    { "S4", BI_FE_SHELL4, 4 },
    { "S4R", BI_FE_SHELL4, 4 },
    { "S3", BI_FE_SHELL3, 3 },
    { "S3R", BI_FE_SHELL3, 3 },
    { "STRI3", BI_FE_SHELL3, 3 },
    // only as names of faces and edges (fe_faces.c): their counts of nodes are not those of the kinds
    { "CPS6", BI_FE_TRIANGLE, 6 },
    { "CPS8", BI_FE_QUAD, 8 },
    { "CPS8R", BI_FE_QUAD, 8 },
    { "CPE6", BI_FE_TRIANGLE, 6 },
    { "CPE8", BI_FE_QUAD, 8 },
    { "S6", BI_FE_SHELL3, 6 },
    { "STRI65", BI_FE_SHELL3, 6 },
    { "S8", BI_FE_SHELL4, 8 },
    { "S8R", BI_FE_SHELL4, 8 },
    { "T3D2", BI_FE_QUAD, 2 },
    { "T3D3", BI_FE_QUAD, 3 },
};

// What does not concern the body: its own lines are skipped. The second list ends the reading.
// clang-format off
static const char *const skipped[] = {
    "HEADING", "BOUNDARY", "SURFACE", "PHYSICAL CONSTANTS", "AMPLITUDE", "NODE PRINT", "NODE FILE",
    "EL PRINT", "EL FILE", "OUTPUT", "NODE OUTPUT", "ELEMENT OUTPUT", "CLOAD", "DLOAD", "DAMPING",
    "EXPANSION", "CONDUCTIVITY", "SPECIFIC HEAT", "PREPRINT", "RESTART", "CONTACT FILE", "TIME POINTS",
    "INITIAL CONDITIONS", "TRANSFORM", "CONTROLS", "NO ANALYSIS", "VALUES AT INFINITY", NULL
};
// clang-format on

typedef struct {
    char *name, *value; // value NULL: none
} inp_option;

typedef struct {
    fe_source *in;
    char keyword[FE_WORD];
    char header[FE_LINE];
    inp_option option[MOST_OPTIONS];
    int n_option;
    // the block at hand
    const inp_type *type;
    char set_name[FE_WORD]; // of nodes or elements to add to
    bool is_generated;
    int material;    // open material, -1: none
    int header_line; // of the keyword
    int pending;     // section in the making: lines read
    bool has_shell_section;
    int section_kind; // 'R' rectangle, 'C' circle, 'P' pipe
    char section_set[FE_WORD], section_material[FE_WORD];
} inp;

// Sections given to sets, kept until all elements are known.
typedef struct {
    const char *set, *material;
    int line, section;
    bi_vec3 direction;
} assignment;

typedef struct {
    assignment item[2000];
    int count;
} assignments;

static const char *option_of(const inp *p, const char *name)
{
    for (int k = 0; k < p->n_option; k++) {
        if (strcasecmp(p->option[k].name, name) == 0) {
            return p->option[k].value ? p->option[k].value : "";
        }
    }
    return NULL;
}

// Names are without case: in capitals.
static void copy_name(char *out, const char *text)
{
    size_t n = 0;
    for (; *text && n < FE_WORD - 1; text++) {
        if (*text != '"') {
            out[n++] = (char)toupper((unsigned char)*text);
        }
    }
    out[n] = '\0';
}

// Splits at commas in place; blanks round the fields are taken off.
static int split(char *line, char **field, int most)
{
    int n = 0;
    for (char *c = line; c && n < most;) {
        char *comma = strchr(c, ',');
        if (comma) {
            *comma = '\0';
        }
        field[n++] = fe_trim(c);
        c = comma ? comma + 1 : NULL;
    }
    return n;
}

static void read_header(inp *p, char *line)
{
    char *field[MOST_OPTIONS + 1];
    snprintf(p->header, sizeof p->header, "%s", line + 1);
    int n = split(p->header, field, MOST_OPTIONS + 1);
    copy_name(p->keyword, field[0]);
    p->n_option = 0;
    for (int k = 1; k < n; k++) {
        char *equals = strchr(field[k], '=');
        inp_option *option = &p->option[p->n_option++];
        option->value = NULL;
        if (equals) {
            *equals = '\0';
            option->value = fe_trim(equals + 1);
        }
        option->name = fe_trim(field[k]);
    }
    p->header_line = p->in->line;
}

static const inp_type *type_of(const char *name)
{
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (strcasecmp(types[k].name, name) == 0) {
            return &types[k];
        }
    }
    return NULL;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++) {
        if (strcmp(word, *list) == 0) {
            return true;
        }
    }
    return false;
}

// ---- data lines ------------------------------------------------------------------------------------------------

static void read_node(inp *p, char *line)
{
    char *field[MOST_FIELDS];
    int n = split(line, field, MOST_FIELDS);
    int64_t number;
    double x[3] = { 0.0 };
    bool is_good = n >= 2 && fe_integer(field[0], &number);
    for (int c = 0; is_good && c < 3 && c + 1 < n; c++) {
        is_good = field[c + 1][0] == '\0' || fe_number(field[c + 1], &x[c]);
    }
    if (!is_good) {
        fe_complain(p->in, "a node is: number, x, y, z");
        return;
    }
    fe_add_node(p->in, number, x[0], x[1], x[2]);
    if (p->set_name[0]) {
        fe_set_add(p->in, fe_node_set(p->in, p->set_name), number);
    }
}

// A beam of three nodes becomes two of two.
static void add_element(inp *p, int64_t number, const int64_t *node)
{
    fe_source *in = p->in;
    const inp_type *type = p->type;
    fe_add_element(in, number, type->kind,
                   type->n_node == 3 && type->kind == BI_FE_TIMOSHENKO ? 2 : type->n_node, node);
    if (type->n_node == 3 && type->kind == BI_FE_TIMOSHENKO) {
        fe_add_element(in, number, type->kind, 2, node + 1);
    }
    if (p->set_name[0]) {
        fe_set_add(in, fe_element_set(in, p->set_name), number);
    }
}

static void read_element(inp *p, char *line)
{
    fe_source *in = p->in;
    char more[FE_LINE];
    char *field[MOST_FIELDS];
    int64_t number = 0;
    int64_t node[MOST_FIELDS];
    int first_line = in->line;
    int count = -1; // the number of the element comes first
    bool is_good = true;
    for (char *text = line; text && is_good;) {
        char *end = fe_trim(text);
        bool goes_on = end[0] && end[strlen(end) - 1] == ',';
        int n = split(end, field, MOST_FIELDS);
        for (int k = 0; k < n && is_good; k++) {
            if (field[k][0] == '\0' && k == n - 1) {
                continue;
            }
            int64_t value;
            is_good = fe_integer(field[k], &value) && count < MOST_FIELDS;
            if (is_good && count < 0) {
                number = value;
            } else if (is_good) {
                node[count] = value;
            }
            count++;
        }
        text = goes_on && is_good && count < p->type->n_node ? fe_next_line(in, more) : NULL;
    }
    if (!is_good) {
        fe_complain_at(in, first_line, "an element is: number, nodes; all whole numbers");
    } else if (count != p->type->n_node) {
        fe_complain_at(in, first_line, "element %lld has %d nodes, and %s has %d%s", (long long)number, count,
                       p->type->name, p->type->n_node,
                       count < p->type->n_node
                           ? "; are its mid-side nodes missing, or a comma at the end of the line?"
                           : "");
    } else {
        add_element(p, number, node);
    }
}

static void read_set(inp *p, char *line, bool is_nodes)
{
    fe_source *in = p->in;
    char *field[MOST_FIELDS];
    int n = split(line, field, MOST_FIELDS);
    fe_raw_set *set = is_nodes ? fe_node_set(in, p->set_name) : fe_element_set(in, p->set_name);
    int64_t range[3] = { 0, 0, 1 };
    if (p->is_generated) {
        for (int k = 0; k < n && k < 3; k++) {
            if (field[k][0] && !fe_integer(field[k], &range[k])) {
                fe_complain(in, "GENERATE needs: first, last, step");
                return;
            }
        }
        if (range[2] <= 0 || range[1] < range[0] || (range[1] - range[0]) / range[2] > FE_MOST_ITEMS) {
            fe_complain(in, "GENERATE needs: first, last, step, with last >= first and a positive step");
            return;
        }
        for (int64_t k = range[0]; k <= range[1] && !in->is_full; k += range[2]) {
            fe_set_add(in, set, k);
        }
        return;
    }
    for (int k = 0; k < n; k++) {
        int64_t number;
        char name[FE_WORD];
        if (field[k][0] == '\0') {
            continue;
        }
        if (fe_integer(field[k], &number)) {
            fe_set_add(in, set, number);
            continue;
        }
        copy_name(name, field[k]);
        const fe_raw_set *other = is_nodes ? fe_find_node_set(in, name) : fe_find_element_set(in, name);
        if (!other || other == set) {
            fe_complain(in, "there is no set '%s' before this line", name);
            continue;
        }
        for (int i = 0, count = other->count; i < count; i++) {
            // the list of sets may have moved
            other = is_nodes ? fe_find_node_set(in, name) : fe_find_element_set(in, name);
            fe_set_add(in, set, other->item[i]);
        }
    }
}

// ---- materials and sections ------------------------------------------------------------------------------------

static void read_elastic(inp *p, char *line)
{
    char *field[MOST_FIELDS];
    int n = split(line, field, MOST_FIELDS);
    bi_material *m = &p->in->mesh.material[p->material];
    double stress = p->in->units.mass / p->in->units.length;
    if (n < 2 || !fe_number(field[0], &m->young) || !fe_number(field[1], &m->poisson)) {
        fe_complain(p->in, "*ELASTIC needs Young's modulus and Poisson's ratio");
        return;
    }
    m->young *= stress;
    p->pending = 1; // further lines are for other temperatures
}

static void read_density(inp *p, char *line)
{
    char *field[MOST_FIELDS];
    bi_material *m = &p->in->mesh.material[p->material];
    double s = p->in->units.length;
    if (split(line, field, MOST_FIELDS) < 1 || !fe_number(field[0], &m->density)) {
        fe_complain(p->in, "*DENSITY needs a number");
        return;
    }
    m->density *= p->in->units.mass / (s * s * s);
    p->pending = 1;
}

static void add_assignment(inp *p, assignments *all, int section)
{
    if (all->count < (int)(sizeof all->item / sizeof all->item[0])) {
        all->item[all->count++] = (assignment){ .set = fe_keep(p->in, p->section_set),
                                                .material = fe_keep(p->in, p->section_material),
                                                .line = p->header_line,
                                                .section = section };
    }
}

static void read_beam_section(inp *p, assignments *all, char *line)
{
    char *field[MOST_FIELDS];
    int n = split(line, field, MOST_FIELDS);
    double s = p->in->units.length;
    double x[3] = { 0.0 };
    for (int k = 0; k < 3 && k < n; k++) {
        if (field[k][0] && !fe_number(field[k], &x[k])) {
            fe_complain(p->in, "*BEAM SECTION: '%s' is no number", field[k]);
            return;
        }
    }
    if (p->pending == 1) {
        // second line: the direction of the first side
        if (all->count > 0) {
            all->item[all->count - 1].direction = (bi_vec3){ x[0], x[1], x[2] };
        }
        p->pending = 2;
        return;
    }
    bi_section section = { 0 };
    if (p->section_kind == 'R') {
        section = bi_section_rectangle(s * x[0], s * x[1]);
    } else if (p->section_kind == 'C') {
        section = bi_section_tube(2.0 * s * x[0], 0.0);
    } else {
        section = bi_section_tube(2.0 * s * x[0], s * x[1]);
    }
    bool is_good = x[0] > 0.0 && (p->section_kind == 'C' || x[1] > 0.0);
    if (!is_good) {
        fe_complain(p->in, "*BEAM SECTION: its measures must be positive");
    }
    // shear factors: 5/6 of rectangles, 0.9 of circles, 0.53 of thin tubes with nu = 0.3 (Cowper)
    double factor = p->section_kind == 'R' ? 5.0 / 6.0 : p->section_kind == 'C' ? 0.886 : 0.531;
    section.shear_y = section.shear_z = factor;
    section.name = p->section_set;
    section.place = (bi_place){ p->in->path, p->header_line, 1 };
    int place = fe_add_section(p->in, &section);
    if (place >= 0) {
        add_assignment(p, all, place);
    }
    p->pending = 1;
}

// The thickness of plane elements.
static void read_thickness(inp *p, assignments *all, char *line)
{
    double thickness;
    p->pending = 1;
    if (all->count == 0 || !fe_number(line, &thickness)) {
        return;
    }
    bi_section section = { .name = p->section_set,
                           .thickness = p->in->units.length * thickness,
                           .place = { p->in->path, p->header_line, 1 } };
    all->item[all->count - 1].section = fe_add_section(p->in, &section);
}

// ---- keywords --------------------------------------------------------------------------------------------------

static void name_from(inp *p, const char *option, char *out)
{
    const char *value = option_of(p, option);
    copy_name(out, value ? value : "");
}

static void start_element(inp *p)
{
    const char *name = option_of(p, "TYPE");
    p->type = name ? type_of(name) : NULL;
    name_from(p, "ELSET", p->set_name);
    if (!name) {
        fe_complain(p->in, "*ELEMENT needs TYPE=");
    } else if (!p->type) {
        fe_complain(p->in,
                    "*ELEMENT, TYPE=%.20s is not supported; known are C3D4 C3D10 C3D6 C3D15 C3D8 C3D20 CPS3 "
                    "CPS4 S3 S4 B31 B32 "
                    "B33",
                    name);
    }
}

static void start_material(inp *p)
{
    char name[FE_WORD];
    name_from(p, "NAME", name);
    if (!name[0]) {
        fe_complain(p->in, "*MATERIAL needs NAME=");
    }
    bi_material m = { .name = name, .place = { p->in->path, p->in->line, 1 } };
    p->material = fe_add_material(p->in, &m);
}

static void start_section(inp *p, assignments *all)
{
    name_from(p, "ELSET", p->section_set);
    name_from(p, "MATERIAL", p->section_material);
    const char *kind = option_of(p, "SECTION");
    if (!p->section_set[0] || !p->section_material[0]) {
        fe_complain(p->in, "*%s needs ELSET= and MATERIAL=", p->keyword);
    } else if (strcmp(p->keyword, "SOLID SECTION") == 0 || strcmp(p->keyword, "SHELL SECTION") == 0) {
        p->has_shell_section = p->has_shell_section || p->keyword[1] == 'H';
        add_assignment(p, all, -1);
    } else if (!kind || !strchr("RCPrcp", kind[0])) {
        fe_complain(p->in, "*BEAM SECTION, SECTION=%.20s is not supported; known are RECT, CIRC and PIPE",
                    kind ? kind : "");
        p->section_kind = 0;
    } else {
        p->section_kind = toupper((unsigned char)kind[0]);
    }
}

// False: the rest of the file is not of the body.
static bool start_block(inp *p, assignments *all)
{
    p->set_name[0] = '\0';
    p->pending = 0;
    const char *k = p->keyword;
    if (strcmp(k, "NODE") == 0) {
        name_from(p, "NSET", p->set_name);
    } else if (strcmp(k, "ELEMENT") == 0) {
        start_element(p);
    } else if (strcmp(k, "NSET") == 0 || strcmp(k, "ELSET") == 0) {
        name_from(p, k, p->set_name);
        p->is_generated = option_of(p, "GENERATE") != NULL;
        if (!p->set_name[0]) {
            fe_complain(p->in, "*%s needs %s=", k, k);
        }
    } else if (strcmp(k, "MATERIAL") == 0) {
        start_material(p);
    } else if (strcmp(k, "ELASTIC") == 0 || strcmp(k, "DENSITY") == 0) {
        const char *type = option_of(p, "TYPE");
        if (p->material < 0) {
            fe_complain(p->in, "*%s stands outside of a *MATERIAL", k);
        } else if (type && strncasecmp(type, "ISO", 3) != 0) {
            fe_complain(p->in, "*ELASTIC, TYPE=%.20s is not supported: only isotropic materials", type);
        }
    } else if (strcmp(k, "SOLID SECTION") == 0 || strcmp(k, "SHELL SECTION") == 0 ||
               strcmp(k, "BEAM SECTION") == 0) {
        start_section(p, all);
    } else if (strcmp(k, "STEP") == 0) {
        return false;
    } else if (!is_one_of(k, skipped)) {
        fe_complain(p->in, "*%s is not supported; take it out, or say it in the model", k);
    }
    return true;
}

static void read_data(inp *p, assignments *all, char *line)
{
    const char *k = p->keyword;
    if (strcmp(k, "NODE") == 0) {
        read_node(p, line);
    } else if (strcmp(k, "ELEMENT") == 0 && p->type) {
        read_element(p, line);
    } else if ((strcmp(k, "NSET") == 0 || strcmp(k, "ELSET") == 0) && p->set_name[0]) {
        read_set(p, line, k[0] == 'N');
    } else if (strcmp(k, "ELASTIC") == 0 && p->material >= 0 && p->pending == 0) {
        read_elastic(p, line);
    } else if (strcmp(k, "DENSITY") == 0 && p->material >= 0 && p->pending == 0) {
        read_density(p, line);
    } else if (strcmp(k, "BEAM SECTION") == 0 && p->section_kind && p->pending < 2) {
        read_beam_section(p, all, line);
    } else if ((strcmp(k, "SOLID SECTION") == 0 || strcmp(k, "SHELL SECTION") == 0) && p->pending == 0) {
        read_thickness(p, all, line);
    } else if (k[0] == '\0') {
        fe_complain(p->in, "data before the first keyword; is this an .inp file?");
        p->keyword[0] = '?'; // once is enough
    }
}

// ---- at the end: sections and materials of the elements ------------------------------------------------------------

static int find_material(const fe_source *in, const char *name)
{
    for (int k = 0; k < in->mesh.n_material; k++) {
        if (strcmp(in->mesh.material[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static void give(fe_raw *raw, const assignment *a, int material)
{
    raw->def.material = material;
    raw->def.section = a->section;
    raw->def.y_axis = a->direction;
}

static void assign(fe_source *in, const assignment *a, int material, const fe_raw_set *set,
                   const fe_numbered *list)
{
    for (int i = 0; i < set->count; i++) {
        int32_t place = fe_find(list, in->n_raw, set->item[i]);
        if (place < 0) {
            continue;
        }
        give(&in->raw[place], a, material);
        // a beam cut in two: the second half follows
        if (place + 1 < in->n_raw && in->raw[place + 1].def.number == set->item[i]) {
            give(&in->raw[place + 1], a, material);
        }
    }
}

static void assign_all(fe_source *in, const assignments *all)
{
    fe_numbered *list = fe_index_elements(in);
    in->is_full = in->is_full || !list;
    for (int k = 0; list && k < all->count; k++) {
        const assignment *a = &all->item[k];
        const fe_raw_set *set = fe_find_element_set(in, a->set);
        int material = find_material(in, a->material);
        if (!set) {
            fe_complain_at(in, a->line, "there is no set of elements '%s'", a->set);
        } else if (material < 0) {
            fe_complain_at(in, a->line, "there is no material '%s'", a->material);
        } else {
            assign(in, a, material, set, list);
        }
    }
    free(list);
}

void fe_read_inp(fe_source *in)
{
    char line[FE_LINE];
    char *text;
    inp p = { .in = in, .material = -1 };
    assignments *all = blocks_new(&in->memory, sizeof *all);
    bool goes_on = all != NULL;
    while (goes_on && !in->is_full && (text = fe_next_line(in, line)) != NULL) {
        text = fe_trim(text);
        if (text[0] == '\0' || (text[0] == '*' && text[1] == '*')) {
            continue;
        }
        if (text[0] == '*') {
            read_header(&p, text);
            goes_on = start_block(&p, all);
        } else {
            read_data(&p, all, text);
        }
    }
    fe_take_faces_off(in, p.has_shell_section);
    if (all) {
        assign_all(in, all);
    }
}
