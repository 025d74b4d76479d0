// SPDX-License-Identifier: MIT
// Nastran bulk data: free, small and large fields. Loads, supports and solution cards are not of the body: skipped.
#include "io/fe/fe_nastran.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const skipped[] = { "PARAM",   "SPC",    "SPC1",   "SPCADD", "FORCE",  "MOMENT", "PLOAD",
                                       "PLOAD2",  "PLOAD4", "LOAD",   "GRAV",   "EIGRL",  "EIGR",   "ENDDATA",
                                       "ASET",    "ASET1",  "SUPORT", "TEMP",   "TEMPD",  "DLOAD",  "TLOAD1",
                                       "TABLED1", "TSTEP",  "MDLPRM", "EIGC",   "CORD2R", NULL };

// ---- fields ----------------------------------------------------------------------------------------------------

static void put_field(card *c, const char *from, size_t length)
{
    if (c->count >= MOST_FIELDS) {
        c->is_too_long = true;
        return;
    }
    char *out = c->field[c->count++];
    while (length > 0 && isspace((unsigned char)*from)) {
        from++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)from[length - 1])) {
        length--;
    }
    length = length < FIELD ? length : FIELD - 1;
    memcpy(out, from, length);
    out[length] = '\0';
}

// The first line of a card has its name before the fields, the others only what joins them to it.
typedef enum { LINE_CONTINUED, LINE_FIRST } line_role;

// Fields 2 to 9 of a line in free form; empty ones are filled up so that continuations begin at field 10.
static void take_free(card *c, const char *line, line_role role)
{
    int start = c->count;
    const char *at = line;
    for (int k = 0; at && k < 9; k++) {
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (k > 0 || role == LINE_FIRST) {
            put_field(c, at, length);
        }
        at = comma ? comma + 1 : NULL;
    }
    int wanted = start + 8 + (role == LINE_FIRST);
    while (c->count < wanted && c->count < MOST_FIELDS) {
        put_field(c, "", 0);
    }
}

// The same in eight columns of width 8, or four of width 16.
static void take_fixed(card *c, const char *line, line_role role, size_t width)
{
    size_t length = strlen(line);
    int n = width == 16 ? 4 : 8;
    if (role == LINE_FIRST) {
        char name[9] = "";
        size_t k = 0;
        for (; k < 8 && k < length && line[k] != '*' && !isspace((unsigned char)line[k]); k++) {
            name[k] = line[k];
        }
        put_field(c, name, k);
    }
    for (int k = 0; k < n; k++) {
        size_t begin = 8 + (size_t)k * width;
        size_t rest = begin < length ? length - begin : 0;
        put_field(c, begin < length ? line + begin : "", rest < width ? rest : width);
    }
}

static void take_line(card *c, char *line, line_role role)
{
    // tabs stand for the next column of eight in some files
    if (strchr(line, ',')) {
        take_free(c, line, role);
    } else {
        size_t looked_at = role != LINE_FIRST ? 1 : strlen(line) < 8 ? strlen(line) : 8;
        take_fixed(c, line, role, memchr(line, '*', looked_at) ? 16 : 8);
    }
}

static bool is_continuation(const char *line)
{
    return line[0] == '+' || line[0] == '*' || line[0] == ',' ||
           (line[0] == ' ' && line[strspn(line, " ")] != '\0');
}

bool card_is_blank(const card *c, int k) { return k >= c->count || c->field[k][0] == '\0'; }

// A whole number of field k; false: reported.
bool card_integer(card *c, int k, const char *what, int64_t *value)
{
    if (card_is_blank(c, k) || !fe_integer(c->field[k], value)) {
        fe_complain_at(c->in, c->line, "%s needs %s, a whole number, in field %d", c->field[0], what, k + 1);
        return false;
    }
    return true;
}

// A number, `otherwise` where the field is empty; false: reported.
bool card_number(card *c, int k, const char *what, double otherwise, double *value)
{
    *value = otherwise;
    if (!card_is_blank(c, k) && !fe_number(c->field[k], value)) {
        fe_complain_at(c->in, c->line, "%s: %s, '%s' in field %d, is no number", c->field[0], what,
                       c->field[k], k + 1);
        return false;
    }
    return true;
}

// ---- cards -----------------------------------------------------------------------------------------------------

static void read_grid(card *c)
{
    int64_t number;
    int64_t system = 0;
    double x[3];
    bool is_good = card_integer(c, 1, "the number of the node", &number);
    for (int k = 0; k < 3; k++) {
        is_good = card_number(c, 3 + k, "a coordinate", 0.0, &x[k]) && is_good;
    }
    if (!card_is_blank(c, 2) && (!fe_integer(c->field[2], &system) || system != 0)) {
        fe_complain_at(c->in, c->line,
                       "GRID %s: coordinate systems are not supported; write its place in the basic system",
                       c->field[1]);
        is_good = false;
    }
    if (is_good) {
        int line = c->in->line;
        c->in->line = c->line;
        fe_add_node(c->in, number, x[0], x[1], x[2]);
        c->in->line = line;
    }
}

static fe_raw *add_element(card *c, int64_t number, bi_fe_kind kind, int n, const int64_t *node,
                           int64_t property_number)
{
    fe_raw *raw = fe_add_element(c->in, number, kind, n, node);
    if (raw) {
        raw->property = property_number;
        raw->def.place.line = c->line;
    }
    return raw;
}

// CTETRA, CHEXA and CPENTA: corners, then middles; all or none of them.
static void read_solid(card *c, int corners, int all, bi_fe_kind plain, bi_fe_kind full)
{
    int64_t number;
    int64_t property_number;
    int64_t node[BI_FE_MOST_NODES];
    int given = 0;
    if (!card_integer(c, 1, "its number", &number) || !card_integer(c, 2, "its property", &property_number)) {
        return;
    }
    for (int k = 0; k < all; k++) {
        if (!card_is_blank(c, 3 + k)) {
            if (!card_integer(c, 3 + k, "a node", &node[k])) {
                return;
            }
            given += node[k] != 0;
        } else {
            node[k] = 0;
        }
    }
    int expected = given > corners ? all : corners;
    for (int k = 0; k < expected; k++) {
        if (node[k] == 0) {
            fe_complain_at(c->in, c->line, "%s %lld: node %d of %d is missing%s", c->field[0],
                           (long long)number, k + 1, expected,
                           k >= corners ? "; give all mid-side nodes, or none" : "");
            return;
        }
    }
    if (expected == 20 || expected == 15) {
        // theirs: bottom, upright, top; ours: bottom, top, upright
        int n = expected / 5, from = expected - 2 * n;
        int64_t upright[4];
        memcpy(upright, node + from, (size_t)n * sizeof *node);
        memcpy(node + from, node + from + n, (size_t)n * sizeof *node);
        memcpy(node + from + n, upright, (size_t)n * sizeof *node);
    }
    add_element(c, number, expected == all ? full : plain, expected, node, property_number);
}

static void read_bar(card *c)
{
    int64_t number;
    int64_t property_number;
    int64_t node[2];
    double x[3];
    if (!card_integer(c, 1, "its number", &number) || !card_integer(c, 2, "its property", &property_number) ||
        !card_integer(c, 3, "its first node", &node[0]) || !card_integer(c, 4, "its second node", &node[1])) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (!card_number(c, 5 + k, "its direction", 0.0, &x[k])) {
            return;
        }
    }
    if (!card_is_blank(c, 5) && card_is_blank(c, 6) && card_is_blank(c, 7)) {
        fe_complain_at(
            c->in, c->line,
            "CBAR %lld: a direction by a third node is not supported; give a vector in fields 6 to 8",
            (long long)number);
        return;
    }
    double s = c->in->units.length;
    fe_raw *raw = add_element(c, number, BI_FE_BEAM, 2, node, property_number);
    if (raw) {
        raw->def.y_axis = (bi_vec3){ x[0], x[1], x[2] };
        for (int e = 0; e < 2; e++) {
            double w[3];
            for (int k = 0; k < 3; k++) {
                if (!card_number(c, 11 + 3 * e + k, "an offset", 0.0, &w[k])) {
                    return;
                }
            }
            raw->def.offset[e] = (bi_vec3){ s * w[0], s * w[1], s * w[2] };
        }
    }
}

// CONM2: mass at a node with inertia about it.
static void read_mass(card *c)
{
    int64_t number;
    int64_t node;
    double value[10];
    if (!card_integer(c, 1, "its number", &number) || !card_integer(c, 2, "its node", &node)) {
        return;
    }
    for (int k = 0; k < 10; k++) {
        if (!card_number(c, k < 4 ? 4 + k : 5 + k, "a value", 0.0, &value[k])) {
            return;
        }
    }
    if (value[1] != 0.0 || value[2] != 0.0 || value[3] != 0.0) {
        fe_complain_at(c->in, c->line,
                       "CONM2 %lld: an offset is not supported; put a node at the mass and RBE2 to it",
                       (long long)number);
        return;
    }
    double s2 = c->in->units.length * c->in->units.length * c->in->units.mass;
    fe_raw *raw = add_element(c, number, BI_FE_MASS, 1, &node, -1);
    if (raw) {
        // I11 I21 I22 I31 I32 I33, products with the sign of sums: -Iij
        raw->def.mass = c->in->units.mass * value[0];
        const double I[6] = { value[4], value[6], value[9], -value[5], -value[8], -value[7] };
        for (int k = 0; k < 6; k++) {
            raw->def.inertia[k] = s2 * I[k];
        }
    }
}

// RBE2: nodes that follow one, all six freedoms.
static void read_rigid(card *c)
{
    int64_t number;
    int64_t pair[2];
    if (!card_integer(c, 1, "its number", &number) || !card_integer(c, 2, "its leading node", &pair[0])) {
        return;
    }
    if (card_is_blank(c, 3) || (strcmp(c->field[3], "123456") != 0 && strcmp(c->field[3], "123") != 0)) {
        fe_complain_at(c->in, c->line, "RBE2 %lld: only 123456 is supported in field 4", (long long)number);
        return;
    }
    for (int k = 4; k < c->count; k++) {
        if (!card_is_blank(c, k) && !strchr(c->field[k], '.')) {
            if (!card_integer(c, k, "a node that follows", &pair[1])) {
                return;
            }
            add_element(c, number, BI_FE_LINK, 2, pair, -1);
        }
    }
}

// Shells beside solids are faces that a mesher wrote down: their nodes form a set with the number of the property.
static void read_face(card *c)
{
    bool is_quad = strcmp(c->field[0], "CQUAD4") == 0;
    bool is_triangle = strcmp(c->field[0], "CTRIA3") == 0;
    fe_raw_set *set = card_is_blank(c, 2) ? NULL : fe_node_set(c->in, c->field[2]);
    int n_node = is_quad ? 4 : is_triangle ? 3 : 8;
    int64_t node[8] = { 0 };
    c->face_line = c->n_face++ == 0 ? c->line : c->face_line;
    for (int k = 0; k < n_node; k++) {
        if (!card_is_blank(c, 3 + k) && fe_integer(c->field[3 + k], &node[k]) && node[k] > 0) {
            fe_set_add(c->in, set, node[k]);
        } else if (is_quad || is_triangle) {
            fe_complain_at(c->in, c->line, "%s: node %d of %d is missing", c->field[0], k + 1, n_node);
            return;
        }
    }
    int64_t number;
    int64_t property_number = -1;
    if (!is_quad && !is_triangle) {
        c->n_other_face++;
        memcpy(c->face_name, c->field[0], sizeof c->face_name);
        c->other_line = c->line;
    } else if (card_integer(c, 1, "its number", &number)) {
        // or they are shells: judged at the end
        (void)(card_is_blank(c, 2) || fe_integer(c->field[2], &property_number));
        add_element(c, number, is_quad ? BI_FE_SHELL4 : BI_FE_SHELL3, n_node, node, property_number);
    }
}

static void judge_faces(const card *c)
{
    bool has_solids = false;
    for (int k = 0; k < c->in->n_raw; k++) {
        bi_fe_kind kind = c->in->raw[k].def.kind;
        has_solids = has_solids || kind == BI_FE_TET10 || kind == BI_FE_HEX8 || kind == BI_FE_HEX20 ||
                     kind == BI_FE_WEDGE15;
    }
    if (c->n_face > 0 && has_solids && !c->has_pshell) {
        int kept = 0;
        for (int k = 0; k < c->in->n_raw; k++) {
            bi_fe_kind kind = c->in->raw[k].def.kind;
            if (kind != BI_FE_SHELL4 && kind != BI_FE_SHELL3) {
                c->in->raw[kept++] = c->in->raw[k];
            }
        }
        c->in->n_raw = kept;
        fe_warn(
            c->in, c->face_line,
            "%d shells beside solid elements are taken as names of faces: sets of nodes by their property",
            c->n_face);
    } else if (c->n_other_face > 0) {
        fe_complain_at(c->in, c->other_line, "card %s is not supported; shells are CQUAD4 and CTRIA3",
                       c->face_name);
    }
}

static void read_card(card *c, properties *all)
{
    const char *name = c->field[0];
    if (c->is_too_long) {
        fe_complain_at(c->in, c->line, "%s has more than %d fields", name, MOST_FIELDS);
    } else if (strcmp(name, "GRID") == 0) {
        read_grid(c);
    } else if (strcmp(name, "CTETRA") == 0) {
        read_solid(c, 4, 10, BI_FE_TET10, BI_FE_TET10);
    } else if (strcmp(name, "CHEXA") == 0) {
        read_solid(c, 8, 20, BI_FE_HEX8, BI_FE_HEX20);
    } else if (strcmp(name, "CPENTA") == 0) {
        read_solid(c, 6, 15, BI_FE_WEDGE15, BI_FE_WEDGE15);
    } else if (strncmp(name, "CTRIA", 5) == 0 || strncmp(name, "CQUAD", 5) == 0) {
        read_face(c);
    } else if (strcmp(name, "CBAR") == 0) {
        read_bar(c);
    } else if (strcmp(name, "PSOLID") == 0) {
        nastran_psolid(c, all);
    } else if (strcmp(name, "PSHELL") == 0) {
        nastran_pshell(c, all);
    } else if (strcmp(name, "PBAR") == 0) {
        nastran_pbar(c, all);
    } else if (strcmp(name, "PBARL") == 0) {
        nastran_pbarl(c, all);
    } else if (strcmp(name, "MAT1") == 0) {
        nastran_material(c);
    } else if (strcmp(name, "CONM2") == 0) {
        read_mass(c);
    } else if (strcmp(name, "RBE2") == 0) {
        read_rigid(c);
    } else {
        for (const char *const *known = skipped; *known; known++) {
            if (strcmp(name, *known) == 0) {
                return;
            }
        }
        fe_complain_at(c->in, c->line,
                       "card %s is not supported; known are GRID CTETRA CHEXA CPENTA CQUAD4 CTRIA3 CBAR "
                       "PSOLID PSHELL PBAR "
                       "PBARL MAT1 CONM2 RBE2",
                       name);
    }
}

// ---- at the end ------------------------------------------------------------------------------------------------

// Everything before BEGIN BULK is about the solution; a file without it is bulk from its start.
static void skip_head(fe_source *in)
{
    fe_source start = *in;
    char line[FE_LINE];
    char *text;
    while ((text = fe_next_line(in, line)) != NULL) {
        text = fe_trim(text);
        if (strncasecmp(text, "BEGIN", 5) == 0 && strcasecmp(fe_trim(text + 5), "BULK") == 0) {
            return;
        }
    }
    in->text = start.text;
    in->line = start.line;
}

void fe_read_nastran(fe_source *in)
{
    char line[FE_LINE];
    char *text;
    properties all = { 0 };
    card *c = blocks_new(&in->memory, sizeof *c);
    if (!c) {
        in->is_full = true;
        return;
    }
    c->in = in;
    skip_head(in);
    bool is_ended = false;
    while (!in->is_full && !is_ended) {
        text = fe_next_line(in, line);
        char *comment = text ? strchr(text, '$') : NULL;
        if (comment) {
            *comment = '\0';
        }
        if (text && text[strspn(text, " \t")] == '\0') {
            continue;
        }
        if (text && is_continuation(text)) {
            if (c->count > 0) {
                take_line(c, text, LINE_CONTINUED);
            } else {
                fe_complain(in, "a continuation without a card before it");
            }
            continue;
        }
        if (c->count > 0) {
            read_card(c, &all);
            is_ended = strcmp(c->field[0], "ENDDATA") == 0;
        }
        c->count = 0;
        c->is_too_long = false;
        is_ended = is_ended || !text;
        if (!is_ended) {
            for (char *letter = text; *letter; letter++) {
                *letter = (char)toupper((unsigned char)*letter);
            }
            c->line = in->line;
            take_line(c, text, LINE_FIRST);
        }
    }
    judge_faces(c);
    // meshers write elements only: section and material come from the model then
    if (all.count > 0) {
        nastran_assign(in, &all);
    }
    free(all.item);
}
