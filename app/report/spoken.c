// SPDX-License-Identifier: MIT
#include "report/spoken.h"
#include "cli/words.h"
#include "report/spoken_words.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 64, MOST_CHANNELS = 8 };

bool spoken_language_of(const char *word, spoken_language *language)
{
    *language = strncmp(word, "es", 2) == 0 ? SPOKEN_SPANISH : SPOKEN_ENGLISH;
    size_t n = strlen(word);
    return (*language == SPOKEN_SPANISH || strncmp(word, "en", 2) == 0) &&
           (n == 2 || word[2] == '-' || word[2] == '_');
}

const char *spoken_either(const spoken *s, const char *english, const char *spanish)
{
    return s->language == SPOKEN_SPANISH ? spanish : english;
}

// A text of JSON in place; its end, behind the closing quote, or NULL.
static char *read_text(char *c, char **text)
{
    char *out = c + 1;
    *text = out;
    for (c++; *c && *c != '"'; c++) {
        if (*c == '\\' && c[1] == 'n') {
            c++;
            *out++ = '\n';
        } else {
            c += *c == '\\' && c[1];
            *out++ = *c;
        }
    }
    bool is_whole = *c == '"';
    *out = '\0';
    return is_whole ? c + 1 : NULL;
}

// Its keys are texts and may hold dots, so the mapping is read as it stands, not by places.
static void read_spanish(spoken *s)
{
    size_t size = 0;
    FILE *out = open_memstream(&s->all, &size);
    bool is_there = out && bi_document_json(s->doc, "spanish", out);
    if (out) {
        fclose(out);
    }
    s->pair = words_alloc(((size_t)bi_document_count(s->doc, "spanish") + 1) * sizeof *s->pair);
    char *c = is_there ? strchr(s->all, '"') : NULL;
    while (c && s->n_pair < bi_document_count(s->doc, "spanish")) {
        char *text, *said;
        c = read_text(c, &text);
        c = c ? strchr(c, '"') : NULL;
        c = c ? read_text(c, &said) : NULL;
        if (c) {
            s->pair[s->n_pair++] = (spoken_pair){ text, said };
            c = strchr(c, '"');
        }
    }
}

void spoken_open(spoken *s, const char *model, spoken_language language)
{
    bi_report unused = { 0 };
    *s = (spoken){ .language = language, .doc = bi_document_open(model, &unused) };
    if (s->doc && language == SPOKEN_SPANISH) {
        read_spanish(s);
    }
    bi_report_clear(&unused);
}

void spoken_close(spoken *s)
{
    bi_document_close(s->doc);
    free(s->all);
    free(s->pair);
    *s = (spoken){ 0 };
}

static const char *of_model(const spoken *s, const char *text)
{
    for (int k = 0; k < s->n_pair; k++) {
        if (strcmp(s->pair[k].text, text) == 0) {
            return s->pair[k].said;
        }
    }
    return NULL;
}

const char *spoken_text(const spoken *s, const char *text)
{
    const char *said = of_model(s, text);
    for (size_t k = 0;
         !said && s->language == SPOKEN_SPANISH && k < sizeof spoken_phrases / sizeof *spoken_phrases; k++) {
        said = strcmp(spoken_phrases[k][0], text) == 0 ? spoken_phrases[k][1] : NULL;
    }
    return said ? said : text;
}

static const char *word_in(const spoken *s, const char *const (*table)[3], size_t n, const char *word,
                           size_t length)
{
    for (size_t k = 0; k < n; k++) {
        if (strlen(table[k][0]) == length && strncmp(table[k][0], word, length) == 0) {
            return table[k][s->language == SPOKEN_SPANISH ? 2 : 1];
        }
    }
    return NULL;
}

static const char *name_word(const spoken *s, const char *word)
{
    return word_in(s, spoken_names, sizeof spoken_names / sizeof *spoken_names, word, strlen(word));
}

// Its words, where we know them; symbols stay.
static char *plain(const spoken *s, const char *name, size_t length)
{
    char *text = NULL, *whole = words_copy(name, length);
    size_t size = 0;
    const char *said = of_model(s, whole);
    FILE *out = open_memstream(&text, &size);
    for (const char *c = whole; out && !said && *c;) {
        size_t n = strcspn(c, "._ -");
        char *part = words_copy(c, n);
        const char *word = word_in(s, spoken_parts, sizeof spoken_parts / sizeof *spoken_parts, part, n);
        word = word ? word : of_model(s, part);
        fprintf(out, "%s%s", c > whole && n > 0 ? " " : "", word ? word : part);
        free(part);
        c += n;
        c += *c != '\0';
    }
    if (out && said) {
        fputs(said, out);
    }
    if (out) {
        fclose(out);
    }
    free(whole);
    return text;
}

char *spoken_name(const spoken *s, const char *name)
{
    const char *said = of_model(s, name);
    said = said ? said : name_word(s, name);
    return said ? words_format("%s", said) : plain(s, name, strlen(name));
}

char *spoken_event(const spoken *s, const char *name)
{
    const char *said = spoken_text(s, name);
    char *text = words_format("%s", said);
    for (char *c = text; said == name && *c; c++) {
        *c = *c == '-' ? ' ' : *c;
    }
    return text;
}

// ---- the display ---------------------------------------------------------------------------------------------------

static const char *hud(const spoken *s, int k, const char *key)
{
    char *place = words_format("hud.%d.%s", k, key);
    const char *text = s->doc ? bi_document_text(s->doc, place) : NULL;
    free(place);
    return text;
}

// The item in which a channel is shown; -1: none.
static int hud_of(const spoken *s, const char *channel)
{
    int n = s->doc ? bi_document_count(s->doc, "hud") : 0;
    for (int k = 0; k < n && k < MOST_ITEMS; k++) {
        const char *own = hud(s, k, "channel");
        if (own && strcmp(own, channel) == 0) {
            return k;
        }
        for (int i = 0; i < MOST_CHANNELS; i++) {
            char *place = words_format("hud.%d.channels.%d", k, i);
            own = bi_document_text(s->doc, place);
            free(place);
            if (own && strcmp(own, channel) == 0) {
                return k;
            }
        }
    }
    return -1;
}

const char *spoken_kind_of(const spoken *s, const char *channel)
{
    int k = hud_of(s, channel);
    return k >= 0 ? hud(s, k, "kind") : NULL;
}

const char *spoken_channel_of_kind(const spoken *s, const char *kind)
{
    int n = s->doc ? bi_document_count(s->doc, "hud") : 0;
    for (int k = 0; k < n && k < MOST_ITEMS; k++) {
        const char *own = hud(s, k, "kind");
        if (own && strcmp(own, kind) == 0) {
            return hud(s, k, "channel");
        }
    }
    return NULL;
}

char *spoken_channel(const spoken *s, const char *name)
{
    int k = hud_of(s, name);
    const char *own = k >= 0 ? hud(s, k, "channel") : NULL, *label = k >= 0 ? hud(s, k, "label") : NULL;
    bool is_single = own && strcmp(own, name) == 0;
    if (is_single && label) {
        return words_format("%s", spoken_text(s, label));
    }
    const char *all = k >= 0 ? hud(s, k, "kind") : NULL, *last = strrchr(name, '.');
    if (!is_single && all && last && strcmp(all, "wheel-loads") == 0) {
        char *which = plain(s, last + 1, strlen(last + 1));
        char *text = words_format("%s: %s", spoken_either(s, "wheel load", "carga de la rueda"), which);
        free(which);
        return text;
    }
    const char *said = of_model(s, name), *kind = is_single ? hud(s, k, "kind") : NULL;
    said = !said && kind ? name_word(s, kind) : said;
    if (said) {
        return words_format("%s", said);
    }
    const char *dot = strrchr(name, '.');
    if (!dot) {
        return plain(s, name, strlen(name));
    }
    char *ending = words_format("ending_%s", dot + 1), *before = plain(s, name, (size_t)(dot - name));
    said = name_word(s, ending);
    char *own_words = said ? NULL : plain(s, dot + 1, strlen(dot + 1));
    char *text = words_format("%s: %s", before, said ? said : own_words);
    free(ending);
    free(before);
    free(own_words);
    return text;
}

// ---- units ---------------------------------------------------------------------------------------------------------

// From `size` on, in SI, numbers are shown so; the finest first. `least`: a range below it is rounding.
static const struct {
    const char *unit, *shown;
    double size, factor, least;
} units[] = {
    { "rad", "°", 0.0, 57.29577951308232, 1e-7 },
    { "rad/s", "°/s", 0.0, 57.29577951308232, 1e-6 },
    { "m", "mm", 0.0, 1e3, 1e-8 },
    { "m", "m", 0.1, 1.0, 1e-8 },
    { "m/s", "m/s", 0.0, 1.0, 1e-7 },
    { "N", "N", 0.0, 1.0, 1e-6 },
    { "N", "kN", 1e3, 1e-3, 1e-6 },
    { "N m", "N·m", 0.0, 1.0, 1e-6 },
    { "N m", "kN·m", 1e3, 1e-3, 1e-6 },
    { "Pa", "Pa", 0.0, 1.0, 1e-3 },
    { "Pa", "kPa", 1e3, 1e-3, 1e-3 },
    { "Pa", "MPa", 1e6, 1e-6, 1e-3 },
    { "J", "J", 0.0, 1.0, 1e-6 },
    { "J", "kJ", 1e3, 1e-3, 1e-6 },
    { "W", "W", 0.0, 1.0, 1e-6 },
    { "W", "kW", 1e3, 1e-3, 1e-6 },
    { "m/s2", "m/s²", 0.0, 1.0, 1e-6 },
    { "rad/s2", "rad/s²", 0.0, 1.0, 1e-6 },
    { "kg m2", "kg·m²", 0.0, 1.0, 1e-9 },
    { "1", "", 0.0, 1.0, 1e-9 },
};

spoken_unit spoken_plain_unit(const char *unit, double size)
{
    spoken_unit found = { 1.0, unit ? unit : "", 1e-9 };
    for (size_t k = 0; unit && k < sizeof units / sizeof *units; k++) {
        if (strcmp(units[k].unit, unit) == 0 && !(fabs(size) < units[k].size)) {
            found = (spoken_unit){ units[k].factor, units[k].shown, units[k].least };
        }
    }
    return found;
}

// Outputs written as expressions have no unit; what they are shown as tells what they are.
static const char *assumed_unit(const char *kind, const char *unit)
{
    static const char *const known[][2] = {
        { "speed", "m/s" }, { "angle", "rad" }, { "height", "m" }, { "wheel-loads", "N" }, { "margin", "%" }
    };
    bool has_none = !unit || !*unit || strcmp(unit, "1") == 0;
    for (size_t k = 0; kind && has_none && k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k][0], kind) == 0) {
            return known[k][1];
        }
    }
    return unit;
}

spoken_unit spoken_unit_of(const spoken *s, const char *channel, const char *unit, double size)
{
    int k = hud_of(s, channel);
    const char *kind = k >= 0 ? hud(s, k, "kind") : NULL;
    const char *assumed = assumed_unit(kind, unit);
    if (assumed && strcmp(assumed, "%") == 0) {
        return (spoken_unit){ 100.0, "%", 1e-9 };
    }
    if (kind && assumed && strcmp(kind, "speed") == 0 && strcmp(assumed, "m/s") == 0) {
        return (spoken_unit){ 3.6, "km/h", 1e-7 };
    }
    return spoken_plain_unit(assumed, size);
}

char *spoken_sign(const char *unit)
{
    static const char *const signs[][2] = { { "^2", "²" }, { "^3", "³" }, { "^4", "⁴" }, { "*", "·" } };
    char *text = words_alloc(2 * strlen(unit) + 3), *out = text;
    for (const char *c = strcmp(unit, "deg") == 0 ? "°" : unit; *c;) {
        const char *sign = NULL;
        size_t used = 1;
        for (int k = 0; k < 4 && !sign; k++) {
            if (strncmp(c, signs[k][0], strlen(signs[k][0])) == 0) {
                sign = signs[k][1];
                used = strlen(signs[k][0]);
            }
        }
        out += sprintf(out, "%.*s", sign ? 8 : 1, sign ? sign : c);
        c += used;
    }
    return text;
}

void spoken_commas(const spoken *s, char *text)
{
    for (char *c = text; s->language == SPOKEN_SPANISH && *c; c++) {
        bool is_point =
            *c == '.' && c > text && isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1]);
        *c = is_point ? ',' : *c;
    }
}

char *spoken_number(const spoken *s, double value, int digits)
{
    if (!isfinite(value)) {
        return words_format("%s", spoken_either(s, "no number", "sin número"));
    }
    double size = fabs(value);
    int before = size >= 1.0 ? (int)floor(log10(size)) + 1 : 0;
    int behind = digits - before < 0 ? 0 : digits - before;
    behind = behind > 3 ? 3 : behind;
    bool is_tiny = size > 0.0 && size < 1e-3;
    char *text = is_tiny ? words_format("%.*g", digits, value) : words_format("%.*f", behind, value);
    // no zeros at the end, no minus before nothing
    if (!is_tiny && strchr(text, '.')) {
        size_t n = strlen(text);
        while (n > 0 && text[n - 1] == '0') {
            text[--n] = '\0';
        }
        text[n - 1] = text[n - 1] == '.' ? '\0' : text[n - 1];
    }
    if (strcmp(text, "-0") == 0) {
        strcpy(text, "0");
    }
    spoken_commas(s, text);
    return text;
}

char *spoken_value(const spoken *s, double value, const char *unit)
{
    spoken_unit shown = spoken_plain_unit(unit, value);
    char *number = spoken_number(s, fabs(value) < shown.least ? 0.0 : value * shown.factor, 3);
    char *text =
        words_format("%s%s%s", number, *shown.sign && strcmp(shown.sign, "°") != 0 ? " " : "", shown.sign);
    free(number);
    return text;
}
