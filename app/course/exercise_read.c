// SPDX-License-Identifier: MIT
// Reading the file of an exercise, and of the model what it counts as a fault.
#include "cli/files.h"
#include "cli/words.h"
#include "course/exercise_inside.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void exercise_mistake(bi_report *report, const bi_document *doc, const char *place, const char *what)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(doc, place), place, "%s", what);
}

// A number, which is not below `least`.
static double number_at(const bi_document *doc, const char *place, double usual, double least,
                        bi_report *report)
{
    double value = usual;
    bool is_there = bi_document_text(doc, place) || bi_document_count(doc, place) > 0;
    if (is_there && !bi_document_number(doc, place, &value)) {
        exercise_mistake(report, doc, place, "a number is expected here");
    } else if (value < least) {
        exercise_mistake(report, doc, place, "must not be negative");
    }
    return value;
}

// "when: x > 1" or a list of such, at most 8; `such` is an example.
static int read_texts(const bi_document *doc, const char *place, const char *such, const char **when,
                      bi_report *report)
{
    const char *one = bi_document_text(doc, place);
    if (one) {
        when[0] = one;
        return 1;
    }
    int count = bi_document_count(doc, place);
    if (count > EXERCISE_CONDITIONS) {
        exercise_mistake(report, doc, place, "at most 8 of them");
        count = EXERCISE_CONDITIONS;
    }
    for (int k = 0; k < count; k++) {
        char *item = words_format("%s.%d", place, k);
        when[k] = bi_document_text(doc, item);
        if (!when[k]) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(doc, item), item,
                          "%s is expected here", such);
            when[k] = "0";
        }
        free(item);
    }
    return count;
}

static void check_keys(const bi_document *doc, const char *place, const char *const *known, bi_report *report)
{
    for (int k = 0; k < bi_document_count(doc, place); k++) {
        const char *key = bi_document_key(doc, place, k);
        bool is_known = !key;
        nearest best = key ? nearest_start(key, strlen(key)) : nearest_start("", 0);
        for (int i = 0; key && known[i]; i++) {
            is_known = is_known || strcmp(key, known[i]) == 0;
            nearest_try(&best, known[i]);
        }
        if (!is_known) {
            char *where = words_format("%s%s%s", place, *place ? "." : "", key);
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(doc, where), where,
                          "unknown key '%s'%s%s%s", key, best.name ? "; did you mean '" : "",
                          best.name ? best.name : "", best.name ? "'?" : "");
            free(where);
        }
    }
}

// Text of a member; NULL: none.
static const char *member(const bi_document *doc, const char *place, const char *key)
{
    char *part = words_format("%s.%s", place, key);
    const char *text = bi_document_text(doc, part);
    free(part);
    return text;
}

static double number_of(const bi_document *doc, const char *place, const char *key, double usual,
                        double least, bi_report *report)
{
    char *part = words_format("%s.%s", place, key);
    double value = number_at(doc, part, usual, least, report);
    free(part);
    return value;
}

static int conditions_of(const bi_document *doc, const char *place, const char **when, bi_report *report)
{
    char *part = words_format("%s.when", place);
    int count = read_texts(doc, part, "a condition such as 'x > 1'", when, report);
    free(part);
    return count;
}

// A text where a list belongs would be no item at all.
static void check_list(const bi_document *doc, const char *place, bi_report *report)
{
    const char *text = bi_document_text(doc, place);
    if (text && *text) {
        exercise_mistake(report, doc, place, "a list is expected here, such as [...]");
    }
}

static void check_numbers(const bi_document *doc, const char *mark, const char *key, int least, int most,
                          bi_report *report)
{
    char *place = words_format("%s.%s", mark, key);
    int count = bi_document_count(doc, place);
    bool is_good = count >= least && count <= most && !(count == 0 && bi_document_text(doc, place));
    for (int k = 0; k < count; k++) {
        char *part = words_format("%s.%d", place, k);
        double value;
        is_good = bi_document_number(doc, part, &value) && is_good;
        free(part);
    }
    if (!is_good) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(doc, place), place,
                      "a mark needs %d to %d numbers as '%s'", least > 0 ? least : 1, most, key);
    }
    free(place);
}

// What the page draws on the ground.
static void check_mark(const bi_document *doc, const char *place, bi_report *report)
{
    static const char *const kinds[] = { "gate", "line", "zone", "arrow", "cone", NULL };
    const char *kind = member(doc, place, "kind");
    bool is_known = false;
    for (int k = 0; kind && kinds[k]; k++) {
        is_known = is_known || strcmp(kind, kinds[k]) == 0;
    }
    if (!is_known) {
        exercise_mistake(report, doc, place, "kind: a mark is a gate, line, zone, arrow or cone");
    }
    check_numbers(doc, place, "at", 2, 3, report);
    check_numbers(doc, place, "size", 0, 3, report);
    (void)number_of(doc, place, "angle", 0.0, -INFINITY, report);
}

static void check_marks(const bi_document *doc, bi_report *report)
{
    check_list(doc, "marks", report);
    for (int k = 0; k < bi_document_count(doc, "marks"); k++) {
        char *place = words_format("marks.%d", k);
        check_mark(doc, place, report);
        free(place);
    }
}

static void read_goals(exercise *e, bi_report *report)
{
    static const char *const keys[] = { "text", "when", "hold", "hint", "mark", NULL };
    e->n_goal = bi_document_count(e->doc, "goals");
    e->goal = words_alloc((size_t)(e->n_goal + 1) * sizeof *e->goal);
    if (e->n_goal == 0) {
        exercise_mistake(report, e->doc, "goals",
                         "an exercise needs a list of goals: {text: ..., when: ...}");
    }
    for (int k = 0; k < e->n_goal; k++) {
        char *place = words_format("goals.%d", k);
        check_keys(e->doc, place, keys, report);
        exercise_goal *g = &e->goal[k];
        g->text = member(e->doc, place, "text");
        g->hint = member(e->doc, place, "hint");
        g->n_when = conditions_of(e->doc, place, g->when, report);
        g->hold = number_of(e->doc, place, "hold", 0.0, 0.0, report);
        if (!g->text || g->n_when == 0) {
            exercise_mistake(report, e->doc, place, "a goal needs 'text' and 'when'");
            g->text = g->text ? g->text : "";
        }
        char *mark = words_format("%s.mark", place);
        if (bi_document_text(e->doc, mark) || bi_document_count(e->doc, mark) > 0) {
            check_mark(e->doc, mark, report);
        }
        free(mark);
        free(place);
    }
}

static void read_limit(exercise_limit *l, const bi_document *doc, const char *place, bi_report *report)
{
    static const char *const keys[] = {
        "text", "value", "max", "when", "event", "cost", "final", "hint", NULL
    };
    const char *final = member(doc, place, "final");
    char *event = words_format("%s.event", place);
    l->n_event = read_texts(doc, event, "the name of an event of the model", l->event, report);
    free(event);
    check_keys(doc, place, keys, report);
    l->text = member(doc, place, "text");
    l->value = member(doc, place, "value");
    l->hint = member(doc, place, "hint");
    l->max = number_of(doc, place, "max", NAN, -INFINITY, report);
    l->n_when = conditions_of(doc, place, l->when, report);
    l->cost = number_of(doc, place, "cost", 10.0, 0.0, report);
    l->is_final = final && strcmp(final, "true") == 0;
    if (final && !l->is_final && strcmp(final, "false") != 0) {
        exercise_mistake(report, doc, place, "final: is true or false");
    }
    bool is_whole =
        l->n_event > 0 ? !l->value && isnan(l->max) && l->n_when == 0 : l->value && !isnan(l->max);
    if (!l->text || !is_whole) {
        exercise_mistake(report, doc, place,
                         l->name ? "a fault needs 'text', and 'value' with 'max', or 'event' alone"
                                 : "a limit needs 'text', and 'value' with 'max', or 'event' alone");
    }
    l->text = l->text ? l->text : "";
    l->value = l->value ? l->value : "0";
    l->max = l->n_event > 0 ? 0.0 : l->max;
}

static void read_limits(exercise *e, bi_report *report)
{
    e->n_own = e->n_limit = bi_document_count(e->doc, "limits");
    size_t most = (size_t)(e->n_own + bi_document_count(e->doc, "faults") + 1);
    e->limit = words_alloc(most * sizeof *e->limit);
    e->place = words_alloc(most * sizeof *e->place);
    for (int k = 0; k < e->n_own; k++) {
        e->place[k] = words_format("limits.%d", k);
        read_limit(&e->limit[k], e->doc, e->place[k], report);
    }
}

static void read_clock(exercise *e, bi_report *report)
{
    const char *clock = bi_document_text(e->doc, "clock");
    e->begins_with_input = clock && strcmp(clock, "input") == 0;
    if (clock && !e->begins_with_input && strcmp(clock, "start") != 0) {
        exercise_mistake(report, e->doc, "clock",
                         "is 'start', or 'input': the clock begins with the first input");
    }
    e->limit_time = number_at(e->doc, "time", INFINITY, 0.0, report);
    if (e->limit_time == 0.0) {
        exercise_mistake(report, e->doc, "time", "must be above zero");
    }
    e->par = number_at(e->doc, "par", INFINITY, 0.0, report);
    e->per_second = number_at(e->doc, "per_second", 1.0, 0.0, report);
}

// FNV-1a of what the file says; comments and spaces are none of it.
static uint64_t hash_of(const bi_document *doc)
{
    char *text = NULL;
    size_t size = 0;
    uint64_t hash = 0xcbf29ce484222325u;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        bi_document_json(doc, "", out);
        fclose(out);
    }
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ (unsigned char)text[k]) * 0x100000001b3u;
    }
    free(text);
    return hash;
}

static exercise *take_document(bi_document *doc, const char *path, bi_report *report)
{
    static const char *const keys[] = { "exercise", "title",  "text",  "model", "run",        "set",
                                        "names",    "clock",  "time",  "par",   "per_second", "goals",
                                        "limits",   "faults", "marks", NULL };
    if (!doc) {
        return NULL;
    }
    int errors = report->errors;
    exercise *e = words_alloc(sizeof *e);
    const char *version = bi_document_text(doc, "exercise");
    e->doc = doc;
    e->path = words_format("%s", path);
    e->name = file_model_name(path);
    if (!version || strcmp(version, "1") != 0) {
        exercise_mistake(report, doc, "", "this is not an exercise: it needs 'exercise: 1'");
    } else {
        check_keys(doc, "", keys, report);
        read_goals(e, report);
        read_limits(e, report);
        read_clock(e, report);
        check_list(doc, "limits", report);
        check_list(doc, "faults", report);
        check_marks(doc, report);
        e->hash = hash_of(doc);
    }
    if (report->errors > errors) {
        exercise_close(e);
        return NULL;
    }
    exercise_reset(e);
    return e;
}

exercise *exercise_open(const char *path, bi_report *report)
{
    return take_document(bi_document_open(path, report), path, report);
}

exercise *exercise_parse(const char *text, size_t length, const char *path, bi_report *report)
{
    return take_document(bi_document_parse(text, length, path, report), path, report);
}

// ---- faults ------------------------------------------------------------------------------------------------------

// "faults: [collision]" or "faults: {collision: 30}": name and place of the k-th.
static const char *fault_name(const exercise *e, int k, char **place)
{
    const char *key = bi_document_key(e->doc, "faults", k);
    *place = key ? words_format("faults.%s", key) : words_format("faults.%d", k);
    return key ? key : bi_document_text(e->doc, *place);
}

static void tell_unknown(const exercise *e, const char *place, const char *name, bi_report *report)
{
    nearest best = nearest_start(name, strlen(name));
    for (int k = 0; k < bi_document_count(e->machine, "faults"); k++) {
        const char *key = bi_document_key(e->machine, "faults", k);
        if (key) {
            nearest_try(&best, key);
        }
    }
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(e->doc, place), place,
                  "the section 'faults' of the model has no '%s'%s%s%s", name,
                  best.name ? "; did you mean '" : "", best.name ? best.name : "", best.name ? "'?" : "");
}

static bool needs_machine(const exercise *e)
{
    bool does = bi_document_count(e->doc, "faults") > 0;
    for (int k = 0; k < e->n_own; k++) {
        does = does || e->limit[k].n_event > 0;
    }
    return does;
}

static void check_events(const exercise *e, const exercise_limit *l, const bi_document *doc,
                         const char *place, bi_report *report)
{
    for (int k = 0; k < l->n_event; k++) {
        char *event = words_format("events.%s", l->event[k]);
        if (bi_document_count(e->machine, event) == 0) {
            bi_report_add(report, BI_ERROR, BI_BAD_FILE, bi_document_place(doc, place), place,
                          "the section 'events' of the model has no '%s'", l->event[k]);
        }
        free(event);
    }
}

bool exercise_take_faults(exercise *e, const char *model_path, bi_report *report)
{
    int errors = report->errors, count = bi_document_count(e->doc, "faults");
    bool needs = needs_machine(e);
    bi_document_close(e->machine);
    e->machine = needs ? bi_document_open(model_path, report) : NULL;
    for (int k = e->n_own; k < e->n_limit; k++) {
        free(e->place[k]);
    }
    e->n_limit = e->n_own;
    for (int k = 0; e->machine && k < count; k++) {
        char *asked, *place;
        const char *name = fault_name(e, k, &asked);
        place = words_format("faults.%s", name ? name : "");
        if (!name || bi_document_count(e->machine, place) == 0) {
            tell_unknown(e, asked, name ? name : "", report);
            free(place);
        } else {
            exercise_limit *l = &e->limit[e->n_limit];
            *l = (exercise_limit){ .name = name, .first = -1.0 };
            read_limit(l, e->machine, place, report);
            // {collision: 30}: its weight here
            l->cost = bi_document_key(e->doc, "faults", k) ? number_at(e->doc, asked, l->cost, 0.0, report)
                                                           : l->cost;
            e->place[e->n_limit++] = place;
        }
        free(asked);
    }
    for (int k = 0; e->machine && k < e->n_limit; k++) {
        check_events(e, &e->limit[k], k < e->n_own ? e->doc : e->machine, e->place[k], report);
    }
    return report->errors == errors && (!needs || e->machine);
}

// ---- names -----------------------------------------------------------------------------------------------------

// The text contains the name as a whole word.
static bool reads(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        bool is_begin = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.');
        if (is_begin && !(isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.')) {
            return true;
        }
    }
    return false;
}

bool exercise_reads(const exercise *e, const char *name)
{
    bool is = false;
    for (int k = 0; k < e->n_goal; k++) {
        for (int i = 0; i < e->goal[k].n_when; i++) {
            is = is || reads(e->goal[k].when[i], name);
        }
    }
    for (int k = 0; k < e->n_limit; k++) {
        is = is || reads(e->limit[k].value, name);
        for (int i = 0; i < e->limit[k].n_when; i++) {
            is = is || reads(e->limit[k].when[i], name);
        }
    }
    return is;
}
