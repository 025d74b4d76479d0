// SPDX-License-Identifier: MIT
#include "io/tir.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 4000, MOST_PAIRS = 32, LONGEST_WORD = 64, MOST_NOTES = 400, MOST_SECTIONS = 64 };

typedef struct {
    char section[LONGEST_WORD], key[LONGEST_WORD], value[LONGEST_WORD];
    int line, column;
    double number;
    bool is_number, is_used;
} tir_item;

typedef struct {
    char name[LONGEST_WORD];
    int line;
} tir_section;

typedef struct {
    tir_item *item; // (n_item)
    int n_item;
    tir_section section[MOST_SECTIONS];
    int n_section;
    const char *path;
    bi_report *report;
    blocks *memory;
    double length, force, time; // units of the file, SI
    yaml_node *map;
} tir;

__attribute__((format(printf, 5, 6))) static void complain(tir *t, int line, int column, const char *where,
                                                           const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bi_report_add(t->report, BI_ERROR, BI_BAD_FILE, (bi_place){ t->path, line, column }, where, "%s", what);
}

// ---- lines ---------------------------------------------------------------------------------------------------------

// Copies the trimmed letters of [from, end), quotes taken off; what is too long is cut.
static void take_word(const char *from, const char *end, char *word)
{
    while (from < end && isspace((unsigned char)*from)) {
        from++;
    }
    while (end > from && isspace((unsigned char)end[-1])) {
        end--;
    }
    if (end - from >= 2 && (*from == '\'' || *from == '"') && end[-1] == *from) {
        from++;
        end--;
    }
    size_t n = (size_t)(end - from) < LONGEST_WORD - 1 ? (size_t)(end - from) : LONGEST_WORD - 1;
    memcpy(word, from, n);
    word[n] = '\0';
}

static void to_upper(char *word)
{
    for (; *word; word++) {
        *word = (char)toupper((unsigned char)*word);
    }
}

// Where the comment of a line begins, or its end: $ and ! outside of quotes.
static const char *before_comment(const char *from, const char *end)
{
    char quote = '\0';
    for (const char *c = from; c < end; c++) {
        if (quote) {
            quote = *c == quote ? '\0' : quote;
        } else if (*c == '\'' || *c == '"') {
            quote = *c;
        } else if (*c == '$' || *c == '!') {
            return c;
        }
    }
    return end;
}

static void read_assignment(tir *t, const char *from, const char *equals, const char *end,
                            const char *section, int line)
{
    if (t->n_item >= MOST_ITEMS) {
        return;
    }
    tir_item *item = &t->item[t->n_item];
    *item = (tir_item){ .line = line, .column = 1 };
    memcpy(item->section, section, LONGEST_WORD);
    take_word(from, equals, item->key);
    take_word(equals + 1, end, item->value);
    to_upper(item->key);
    char *rest = NULL;
    item->number = strtod(item->value, &rest);
    item->is_number = rest != item->value && *rest == '\0';
    if (!item->key[0]) {
        complain(t, line, 1, "", "a value without a name before '='");
        return;
    }
    for (int k = 0; k < t->n_item; k++) {
        if (strcmp(t->item[k].key, item->key) == 0 && strcmp(t->item[k].section, section) == 0) {
            complain(t, line, 1, item->section, "%s stands here for the second time in its section",
                     item->key);
            return;
        }
    }
    t->n_item++;
}

static void read_lines(tir *t, const char *text, size_t length)
{
    char section[LONGEST_WORD] = "";
    const char *stop = text + length;
    int line = 0;
    for (const char *from = text; from < stop;) {
        line++;
        const char *newline = memchr(from, '\n', (size_t)(stop - from));
        const char *next = newline ? newline + 1 : stop,
                   *end = before_comment(from, newline ? newline : stop);
        char word[LONGEST_WORD];
        take_word(from, end, word);
        const char *equals = memchr(from, '=', (size_t)(end - from));
        if (word[0] == '[') {
            const char *open = memchr(from, '[', (size_t)(end - from)),
                       *close = memchr(from, ']', (size_t)(end - from));
            if (close && close > open) {
                take_word(open + 1, close, section);
                to_upper(section);
                if (t->n_section < MOST_SECTIONS) {
                    memcpy(t->section[t->n_section].name, section, sizeof section);
                    t->section[t->n_section++].line = line;
                }
            } else {
                complain(t, line, 1, "", "'%s' lacks its ']'", word);
            }
        } else if (word[0] && equals) {
            read_assignment(t, from, equals, end, section, line);
        } else if (word[0] && word[0] != '{' && !isdigit((unsigned char)word[0]) && word[0] != '-' &&
                   word[0] != '.') {
            // tables have a head in braces and rows of numbers
            complain(t, line, 1, section, "'%s' is neither a [SECTION] nor KEY = value", word);
        }
        from = next;
    }
    if (t->n_item >= MOST_ITEMS) {
        complain(t, line, 1, "", "more values than a tyre can have");
    }
}

// ---- values --------------------------------------------------------------------------------------------------------

// The item of that name, in any section; NULL: none.
static tir_item *find(tir *t, const char *key)
{
    for (int k = 0; k < t->n_item; k++) {
        if (strcmp(t->item[k].key, key) == 0) {
            t->item[k].is_used = true;
            return &t->item[k];
        }
    }
    return NULL;
}

// A number; false: it is not there, or told to be none.
static bool number(tir *t, const char *key, double *value)
{
    tir_item *item = find(t, key);
    if (!item) {
        return false;
    }
    if (!item->is_number || !isfinite(item->number)) {
        complain(t, item->line, item->column, item->section, "%s is not a finite number", key);
        return false;
    }
    *value = item->number;
    return true;
}

static double number_or(tir *t, const char *key, double otherwise)
{
    number(t, key, &otherwise);
    return otherwise;
}

typedef struct {
    const char *word;
    double si;
} unit_word;

static double unit(tir *t, const char *key, const unit_word *words, int n_word)
{
    tir_item *item = find(t, key);
    if (!item) {
        return 1.0;
    }
    char word[LONGEST_WORD];
    memcpy(word, item->value, sizeof word);
    to_upper(word);
    for (int k = 0; k < n_word; k++) {
        if (strcmp(word, words[k].word) == 0) {
            return words[k].si;
        }
    }
    complain(t, item->line, item->column, "UNITS", "unknown unit '%s'", item->value);
    return 1.0;
}

static void read_units(tir *t)
{
    static const unit_word length[] = { { "METER", 1.0 },   { "METERS", 1.0 }, { "M", 1.0 },
                                        { "MM", 1e-3 },     { "CM", 1e-2 },    { "KM", 1e3 },
                                        { "INCH", 0.0254 }, { "IN", 0.0254 },  { "FOOT", 0.3048 } };
    static const unit_word force[] = { { "NEWTON", 1.0 },
                                       { "NEWTONS", 1.0 },
                                       { "N", 1.0 },
                                       { "KILONEWTON", 1e3 },
                                       { "KN", 1e3 },
                                       { "KG_FORCE", 9.80665 },
                                       { "POUND_FORCE", 4.4482216152605 } };
    static const unit_word time[] = {
        { "SECOND", 1.0 }, { "SECONDS", 1.0 }, { "SEC", 1.0 }, { "S", 1.0 }, { "MILLISECOND", 1e-3 }
    };
    t->length = unit(t, "LENGTH", length, sizeof length / sizeof *length);
    t->force = unit(t, "FORCE", force, sizeof force / sizeof *force);
    t->time = unit(t, "TIME", time, sizeof time / sizeof *time);
    // angles and masses do not enter the values that are used
    find(t, "ANGLE");
    find(t, "MASS");
}

// ---- the mapping ---------------------------------------------------------------------------------------------------

static yaml_node *scalar(tir *t, const char *text, int line)
{
    yaml_node *n = blocks_new(t->memory, sizeof *n);
    if (n) {
        *n = (yaml_node){ .kind = YAML_SCALAR, .line = line, .column = 1, .is_plain = true, .size = 1 };
        n->text = blocks_text(t->memory, text, strlen(text));
    }
    return n && n->text ? n : NULL;
}

static yaml_node *scalar_number(tir *t, double value, int line)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return scalar(t, text, line);
}

static void put(tir *t, const char *key, yaml_node *value)
{
    yaml_node *name = value ? scalar(t, key, value->line) : NULL;
    if (name && t->map->count < MOST_PAIRS) {
        t->map->key[t->map->count] = name;
        t->map->item[t->map->count++] = value;
    }
}

static void put_numbers(tir *t, const char *key, const double *value, int count, int line)
{
    yaml_node *n = blocks_new(t->memory, sizeof *n);
    yaml_node **item = blocks_new(t->memory, (size_t)count * sizeof *item);
    if (!n || !item) {
        return;
    }
    *n = (yaml_node){
        .kind = YAML_LIST, .line = line, .column = 1, .count = count, .item = item, .size = count + 1
    };
    for (int k = 0; k < count; k++) {
        item[k] = scalar_number(t, value[k], line);
        if (!item[k]) {
            return;
        }
    }
    put(t, key, n);
}

// The value of a key in SI under our name, if it is there.
static bool carry(tir *t, const char *key, double si, const char *ours)
{
    double value;
    if (!number(t, key, &value)) {
        return false;
    }
    put(t, ours, scalar_number(t, value * si, find(t, key)->line));
    return true;
}

static void carry_wheel(tir *t)
{
    carry(t, "UNLOADED_RADIUS", t->length, "radius");
    carry(t, "VERTICAL_STIFFNESS", t->force / t->length, "stiffness");
    carry(t, "VERTICAL_DAMPING", t->force * t->time / t->length, "damping");
    if (!carry(t, "ROLLING_RESISTANCE", 1.0, "rolling_resistance")) {
        carry(t, "QSY1", 1.0, "rolling_resistance");
    }
}

// ---- 1989 ----------------------------------------------------------------------------------------------------------

// Coefficients letter0, letter1 ... into `value`; how many there are in a row from 0.
static int coefficients(tir *t, char letter, int most, double *value, int *line)
{
    int count = 0;
    for (int k = 0; k < most; k++) {
        char key[8];
        snprintf(key, sizeof key, "%c%d", letter, k);
        value[k] = 0.0;
        if (number(t, key, &value[k]) && count == k) {
            count++;
            *line = k == 0 ? find(t, key)->line : *line;
        }
    }
    return count;
}

static void make_1989(tir *t)
{
    double a[14], b[11], c[18];
    int line[3] = { 1, 1, 1 };
    put(t, "type", scalar(t, "tyre-pacejka", 1));
    int n_a = coefficients(t, 'A', 14, a, &line[0]), n_b = coefficients(t, 'B', 11, b, &line[1]);
    int n_c = coefficients(t, 'C', 18, c, &line[2]);
    if (n_a < 8) {
        complain(t, line[0], 1, "LATERAL_COEFFICIENTS", "needs a0 to a7, or to a13");
    }
    put_numbers(t, "lateral", a, n_a < 14 ? 8 : 14, line[0]);
    if (n_b < 11) {
        complain(t, line[1], 1, "LONGITUDINAL_COEFFICIENTS", "needs b0 to b10");
    }
    put_numbers(t, "longitudinal", b, 11, line[1]);
    if (n_c == 18) {
        put_numbers(t, "aligning", c, 18, line[2]);
    } else if (n_c > 0) {
        complain(t, line[2], 1, "ALIGNING_COEFFICIENTS", "needs c0 to c17, or none");
    }
}

// ---- Magic Formula 5 and 6: TMeasy with the same slope, peak and sliding value at two loads --------------------------

typedef struct {
    double B, C, D, E;
} pure;

static double pure_at(const pure *p, double x)
{
    double bx = p->B * x;
    return p->D * sin(p->C * atan(bx - p->E * (bx - atan(bx))));
}

static pure pure_x(tir *t, double load, double nominal)
{
    double d = (load - nominal) / nominal;
    double stiffness = load * (number_or(t, "PKX1", 0.0) + number_or(t, "PKX2", 0.0) * d) *
                       exp(number_or(t, "PKX3", 0.0) * d) * number_or(t, "LKX", 1.0);
    pure p = {
        .C = number_or(t, "PCX1", 1.6),
        .D = load * (number_or(t, "PDX1", 0.0) + number_or(t, "PDX2", 0.0) * d) * number_or(t, "LMUX", 1.0),
        .E = number_or(t, "PEX1", 0.0) + number_or(t, "PEX2", 0.0) * d + number_or(t, "PEX3", 0.0) * d * d
    };
    p.B = stiffness / (p.C * p.D);
    return p;
}

static pure pure_y(tir *t, double load, double nominal)
{
    double d = (load - nominal) / nominal;
    double stiffness = number_or(t, "PKY1", 0.0) * nominal *
                       sin(2.0 * atan(load / (number_or(t, "PKY2", 1.0) * nominal))) *
                       number_or(t, "LKY", 1.0);
    pure p = { .C = number_or(t, "PCY1", 1.3),
               .D = load * fabs(number_or(t, "PDY1", 0.0) + number_or(t, "PDY2", 0.0) * d) *
                    number_or(t, "LMUY", 1.0),
               .E = number_or(t, "PEY1", 0.0) + number_or(t, "PEY2", 0.0) * d };
    p.B = fabs(stiffness) / (p.C * p.D);
    return p;
}

// slope, peak, its slip, force at slip 1, 1
static void landmarks(const pure *p, double out[5])
{
    double best = 0.0, at = 0.9;
    for (int k = 1; k <= 900; k++) {
        double f = pure_at(p, 1e-3 * k);
        if (f > best) {
            best = f;
            at = 1e-3 * k;
        }
    }
    const double found[5] = { p->B * p->C * p->D, best, at, fmin(pure_at(p, 1.0), best), 1.0 };
    memcpy(out, found, sizeof found);
}

static void make_magic(tir *t)
{
    double nominal, x[10], y[10];
    put(t, "type", scalar(t, "tyre-tmeasy", 1));
    if (!number(t, "FNOMIN", &nominal) || !(nominal > 0.0)) {
        complain(t, 1, 1, "VERTICAL", "FNOMIN, the nominal load, is missing or not positive");
        return;
    }
    carry(t, "FNOMIN", t->force, "nominal_load");
    for (int k = 0; k < 2; k++) {
        pure px = pure_x(t, (1 + k) * nominal, nominal), py = pure_y(t, (1 + k) * nominal, nominal);
        landmarks(&px, &x[5 * k]);
        landmarks(&py, &y[5 * k]);
        // forces and slopes in the units of the file
        for (int i = 0; i < 5; i++) {
            double si = i == 2 || i == 4 ? 1.0 : t->force;
            x[5 * k + i] *= si;
            y[5 * k + i] *= si;
        }
    }
    for (int k = 0; k < 10; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k])) {
            complain(t, find(t, "PCX1") ? find(t, "PCX1")->line : 1, 1, "LONGITUDINAL_COEFFICIENTS",
                     "the coefficients give no finite curve: PCX1, PDX1, PKX1, PCY1, PDY1, PKY1 and PKY2 "
                     "must not vanish");
            return;
        }
    }
    put_numbers(t, "longitudinal", x, 10, find(t, "PCX1") ? find(t, "PCX1")->line : 1);
    put_numbers(t, "lateral", y, 10, find(t, "PCY1") ? find(t, "PCY1")->line : 1);

    // without stiffnesses of the carcass: a relaxation length of one radius; damped in 5 ms
    static const double damping_time = 5e-3;
    double radius = number_or(t, "UNLOADED_RADIUS", 0.3 / t->length) * t->length;
    double si = t->force / t->length;
    double c[2] = { number_or(t, "LONGITUDINAL_STIFFNESS", x[0] / radius / si) * si,
                    number_or(t, "LATERAL_STIFFNESS", y[0] / radius / si) * si };
    put(t, "stiffness_x", scalar_number(t, c[0], 1));
    put(t, "damping_x", scalar_number(t, damping_time * c[0], 1));
    put(t, "stiffness_y", scalar_number(t, c[1], 1));
    put(t, "damping_y", scalar_number(t, damping_time * c[1], 1));
}

// ---- the file ------------------------------------------------------------------------------------------------------

static bool is_head(const char *section)
{
    static const char *const known[] = { "MDI_HEADER", "UNITS", "MODEL", "" };
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        is_known |= strcmp(section, known[i]) == 0;
    }
    return is_known;
}

static bool has_use(const tir *t, const char *section)
{
    for (int k = 0; k < t->n_item; k++) {
        if (t->item[k].is_used && strcmp(t->item[k].section, section) == 0) {
            return true;
        }
    }
    return false;
}

// Sections of which nothing is used as a whole, single keys of the others.
static void note_unused(tir *t)
{
    int told = 0;
    for (int k = 0; k < t->n_section; k++) {
        const tir_section *s = &t->section[k];
        if (!is_head(s->name) && !has_use(t, s->name)) {
            bi_report_add(t->report, BI_NOTE, BI_OK, (bi_place){ t->path, s->line, 1 }, s->name,
                          "nothing of this section is used");
        }
    }
    for (int k = 0; k < t->n_item; k++) {
        const tir_item *item = &t->item[k];
        if (!item->is_used && !is_head(item->section) && has_use(t, item->section) && told++ < MOST_NOTES) {
            bi_report_add(t->report, BI_NOTE, BI_OK, (bi_place){ t->path, item->line, item->column },
                          item->section, "%s is not used", item->key);
        }
    }
}

yaml_node *tir_read(const char *text, size_t length, const char *path, blocks *memory, bi_report *report)
{
    int errors = report->errors;
    tir t = { .path = path, .report = report, .memory = memory };
    t.item = calloc(MOST_ITEMS, sizeof *t.item);
    t.map = blocks_new(memory, sizeof *t.map);
    if (!t.item || !t.map) {
        free(t.item);
        return NULL;
    }
    *t.map = (yaml_node){ .kind = YAML_MAP,
                          .line = 1,
                          .column = 1,
                          .key = blocks_new(memory, MOST_PAIRS * sizeof(yaml_node *)),
                          .item = blocks_new(memory, MOST_PAIRS * sizeof(yaml_node *)) };
    bool is_ready = t.map->key && t.map->item;
    if (is_ready) {
        read_lines(&t, text, length);
        read_units(&t);
        if (find(&t, "PCX1") || find(&t, "PCY1")) {
            make_magic(&t);
        } else if (find(&t, "A0")) {
            make_1989(&t);
        } else {
            complain(&t, 1, 1, "",
                     "no coefficients that are understood: a0 .. b0 .. (1989), or PCX1 .. PCY1 .. (Magic "
                     "Formula 5 and 6)");
        }
        carry_wheel(&t);
        note_unused(&t);
    }
    free(t.item);
    return is_ready && report->errors == errors ? t.map : NULL;
}
