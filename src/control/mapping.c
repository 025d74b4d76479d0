// SPDX-License-Identifier: MIT
// Mapping files: calibration, dead zone, curve, pairs of buttons.
#include <biela/control.h>
#include <biela/io.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 64, INPUTS = 32 };

typedef struct {
    const char *wish;   // names of inputs as in the file, "steer|wheel"
    const char *unless; // names of inputs; a machine that has one of them does without this rule; NULL: none
    int input;          // number of the one it moves; -1: none
    bool is_pair;       // buttons
    int axis;           // of an axis
    int positive, negative;   // buttons; -1: none
    double low, centre, high; // raw values
    bool is_pedal;            // low: released, high: pressed; gives 0 .. 1
    double dead, curve, gain;
} rule;

typedef struct {
    const char *name;
    int button;
} action;

struct bi_mapping {
    bi_document *doc;
    const char *name;
    int n_rule, n_input, n_action;
    rule rules[RULES];
    char input[INPUTS][64];
    action actions[RULES];
};

// ---- reading -----------------------------------------------------------------------------------------------------

typedef struct {
    bi_mapping *m;
    bi_report *report;
} mapping_reader;

static void complain(mapping_reader *r, const char *place, const char *what)
{
    bi_report_add(r->report, BI_ERROR, BI_BAD_FILE, bi_document_place(r->m->doc, place), place, "%s", what);
}

static double number(mapping_reader *r, const char *base, const char *key, double usual)
{
    char place[96];
    double value = usual;
    snprintf(place, sizeof place, "%s.%s", base, key);
    if (bi_document_text(r->m->doc, place) && !bi_document_number(r->m->doc, place, &value)) {
        complain(r, place, "a number is expected here");
    }
    return value;
}

static int whole(mapping_reader *r, const char *base, const char *key)
{
    double value = number(r, base, key, -1.0);
    if (value != floor(value) || value < -1.0 || value > 255.0) {
        char place[96];
        snprintf(place, sizeof place, "%s.%s", base, key);
        complain(r, place, "a number of an axis or button is expected here, counted from 0");
        return -1;
    }
    return (int)value;
}

// Number of an input by its name; a new name gets a new number. -1: there is no room.
static int input_of(bi_mapping *m, const char *name, size_t length)
{
    for (int k = 0; k < m->n_input; k++) {
        if (strncmp(m->input[k], name, length) == 0 && m->input[k][length] == '\0') {
            return k;
        }
    }
    if (m->n_input == INPUTS || length >= sizeof m->input[0]) {
        return -1;
    }
    memcpy(m->input[m->n_input], name, length);
    m->input[m->n_input][length] = '\0';
    return m->n_input++;
}

// Which inputs a rule is for; until a machine is known it moves the first that it names.
static void read_wish(mapping_reader *r, const char *base, rule *out)
{
    char place[96];
    snprintf(place, sizeof place, "%s.input", base);
    out->wish = bi_document_text(r->m->doc, place);
    out->input = out->wish ? input_of(r->m, out->wish, strcspn(out->wish, "|")) : -1;
    snprintf(place, sizeof place, "%s.unless", base);
    out->unless = bi_document_text(r->m->doc, place);
}

static void read_range(mapping_reader *r, const char *base, rule *out)
{
    char place[96];
    snprintf(place, sizeof place, "%s.range", base);
    int count = bi_document_count(r->m->doc, place);
    out->low = number(r, place, "0", -1.0);
    out->is_pedal = count == 2;
    out->centre = count == 3 ? number(r, place, "1", 0.0) : 0.0;
    out->high = number(r, place, count == 2 ? "1" : "2", 1.0);
    if (count != 0 && count != 2 && count != 3) {
        complain(r, place, "two numbers (released, pressed) or three (low, centre, high) are expected here");
    } else if (out->low == out->high ||
               (!out->is_pedal && (out->low == out->centre || out->centre == out->high))) {
        complain(r, place, "the numbers of a range must differ");
    }
}

static void read_axis(mapping_reader *r, const char *base)
{
    bi_mapping *m = r->m;
    rule *out = &m->rules[m->n_rule];
    *out = (rule){ .axis = whole(r, base, "axis"), .positive = -1, .negative = -1 };
    read_wish(r, base, out);
    read_range(r, base, out);
    out->dead = number(r, base, "dead", 0.0);
    out->curve = number(r, base, "curve", 1.0);
    out->gain = number(r, base, "gain", 1.0);
    if (out->input < 0 || out->axis < 0) {
        complain(r, base, "an axis needs 'input' and 'axis'");
    } else if (!(out->dead >= 0.0 && out->dead < 1.0) || !(out->curve > 0.0)) {
        complain(r, base, "'dead' is a part of the travel, 0 to less than 1; 'curve' is greater than 0");
    }
    m->n_rule++;
}

static void read_button(mapping_reader *r, const char *base)
{
    bi_mapping *m = r->m;
    char place[96];
    snprintf(place, sizeof place, "%s.action", base);
    const char *name = bi_document_text(m->doc, place);
    if (name) {
        m->actions[m->n_action++] = (action){ name, whole(r, base, "button") };
        return;
    }
    rule *out = &m->rules[m->n_rule++];
    *out = (rule){ .is_pair = true,
                   .positive = whole(r, base, "positive"),
                   .negative = whole(r, base, "negative"),
                   .gain = 1.0 };
    read_wish(r, base, out);
    if (out->input < 0 || (out->positive < 0 && out->negative < 0)) {
        complain(r, base, "buttons need 'input' and 'positive' or 'negative', or 'action' and 'button'");
    }
}

static void read_list(mapping_reader *r, const char *section, void (*read)(mapping_reader *, const char *))
{
    int count = bi_document_count(r->m->doc, section);
    if (count > RULES / 2) {
        complain(r, section, "at most 32 entries");
        count = RULES / 2;
    }
    for (int k = 0; k < count; k++) {
        char base[64];
        snprintf(base, sizeof base, "%s.%d", section, k);
        read(r, base);
    }
}

static bi_mapping *take(bi_document *doc, bi_report *report)
{
    bi_report own = { 0 };
    report = report ? report : &own;
    bi_mapping *m = doc ? calloc(1, sizeof *m) : NULL;
    if (!m) {
        bi_document_close(doc);
        return NULL;
    }
    int errors = report->errors;
    mapping_reader r = { m, report };
    m->doc = doc;
    m->name = bi_document_text(doc, "name");
    if (!m->name) {
        complain(&r, "", "a mapping needs 'name'");
    }
    read_list(&r, "axes", read_axis);
    read_list(&r, "buttons", read_button);
    if (m->n_rule == 0 && m->n_action == 0 && report->errors == errors) {
        complain(&r, "", "this mapping moves nothing: it needs 'axes' or 'buttons'");
    }
    if (report->errors > errors) {
        bi_mapping_close(m);
        m = NULL;
    }
    bi_report_clear(&own);
    return m;
}

bi_mapping *bi_mapping_open(const char *path, bi_report *report)
{
    return take(bi_document_open(path, report), report);
}

bi_mapping *bi_mapping_parse(const char *text, size_t length, const char *path, bi_report *report)
{
    return take(bi_document_parse(text, length, path, report), report);
}

void bi_mapping_close(bi_mapping *m)
{
    if (m) {
        bi_document_close(m->doc);
        free(m);
    }
}

// ---- use -------------------------------------------------------------------------------------------------------

const char *bi_mapping_name(const bi_mapping *m) { return m ? m->name : NULL; }

static bool contains(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; *text; text++) {
        size_t k = 0;
        while (k < n && tolower((unsigned char)text[k]) == tolower((unsigned char)part[k])) {
            k++;
        }
        if (k == n) {
            return true;
        }
    }
    return false;
}

int bi_mapping_fit(const bi_mapping *m, const char *device)
{
    if (!m || !device) {
        return -1;
    }
    int count = bi_document_count(m->doc, "match"), best = count == 0 ? 0 : -1;
    for (int k = 0; k < count; k++) {
        char place[32];
        snprintf(place, sizeof place, "match.%d", k);
        const char *part = bi_document_text(m->doc, place);
        if (part && *part && contains(device, part) && (int)strlen(part) > best) {
            best = (int)strlen(part);
        }
    }
    return best;
}

int bi_mapping_input_count(const bi_mapping *m) { return m ? m->n_input : 0; }

const char *bi_mapping_input(const bi_mapping *m, int k)
{
    return m && k >= 0 && k < m->n_input ? m->input[k] : NULL;
}

// ---- a machine ----------------------------------------------------------------------------------------------------

// The input of that name, also with a prefix as of an included part: "truck_steer" is a steer. -1: none.
static int find_named(const char *name, size_t length, const char *const *inputs, int n)
{
    for (int k = 0; k < n; k++) {
        size_t own = strlen(inputs[k]);
        if (own >= length && strncmp(inputs[k] + own - length, name, length) == 0 &&
            (own == length || inputs[k][own - length - 1] == '_')) {
            return k;
        }
    }
    return -1;
}

// The first of the names of "steer|wheel" that the machine has; -1: none. Behind them may stand *: then *is_any.
static int find_wish(const char *wish, const char *const *inputs, int n, bool *is_any)
{
    *is_any = false;
    for (const char *at = wish; at && *at;) {
        size_t length = strcspn(at, "|");
        int found = find_named(at, length, inputs, n);
        *is_any = *is_any || (length == 1 && *at == '*');
        if (found >= 0) {
            return found;
        }
        at += length + (at[length] == '|');
    }
    return -1;
}

// The first input that no rule moves.
static int find_free(const bi_mapping *m, const char *const *inputs, int n)
{
    for (int k = 0; k < n; k++) {
        bool is_moved = false;
        for (int i = 0; i < m->n_input && !is_moved; i++) {
            is_moved = strcmp(m->input[i], inputs[k]) == 0;
        }
        if (!is_moved) {
            return k;
        }
    }
    return -1;
}

void bi_mapping_choose(bi_mapping *m, const char *const *inputs, int n)
{
    if (!m || !inputs) {
        return;
    }
    m->n_input = 0;
    // names first, so that * is left with what they do not move
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->n_rule; i++) {
            rule *r = &m->rules[i];
            bool is_any, unused;
            int found = find_wish(r->wish, inputs, n, &is_any);
            bool is_out = r->unless && find_wish(r->unless, inputs, n, &unused) >= 0;
            if (pass == 0) {
                r->input = found >= 0 && !is_out ? input_of(m, inputs[found], strlen(inputs[found])) : -1;
            } else if (found < 0 && is_any && !is_out) {
                found = find_free(m, inputs, n);
                r->input = found >= 0 ? input_of(m, inputs[found], strlen(inputs[found])) : -1;
            }
        }
    }
}

// Travel of -1 .. 1 (pedals 0 .. 1): calibrated, without the dead part, bent.
static double axis_value(const rule *r, double raw)
{
    double x = r->is_pedal                                        ? (raw - r->low) / (r->high - r->low)
               : (raw - r->centre) * (r->high - r->centre) >= 0.0 ? (raw - r->centre) / (r->high - r->centre)
                                                                  : -(raw - r->centre) / (r->low - r->centre);
    x = fmin(fmax(x, r->is_pedal ? 0.0 : -1.0), 1.0);
    double size = fabs(x) <= r->dead ? 0.0 : (fabs(x) - r->dead) / (1.0 - r->dead);
    return r->gain * copysign(pow(size, r->curve), x);
}

static bool is_down(const bi_device_state *s, int button)
{
    return button >= 0 && s->button && button < s->n_button && s->button[button];
}

double bi_mapping_value(const bi_mapping *m, int k, const bi_device_state *s)
{
    double sum = 0.0;
    for (int i = 0; m && s && i < m->n_rule; i++) {
        const rule *r = &m->rules[i];
        if (r->input != k) {
            continue;
        }
        if (r->is_pair) {
            sum += r->gain * ((double)is_down(s, r->positive) - (double)is_down(s, r->negative));
        } else if (s->axis && r->axis < s->n_axis && isfinite(s->axis[r->axis])) {
            sum += axis_value(r, s->axis[r->axis]);
        }
    }
    return fmin(fmax(sum, -1.0), 1.0);
}

const char *bi_mapping_action(const bi_mapping *m, int k, int *button)
{
    if (!m || k < 0 || k >= m->n_action) {
        return NULL;
    }
    if (button) {
        *button = m->actions[k].button;
    }
    return m->actions[k].name;
}

double bi_control_scale(double value, double min, double initial, double max)
{
    value = isfinite(value) ? fmin(fmax(value, -1.0), 1.0) : 0.0;
    return value >= 0.0 ? initial + value * (max - initial) : initial + value * (initial - min);
}
