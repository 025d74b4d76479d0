// SPDX-License-Identifier: MIT
#include "io/robot/xml.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 1000000, MOST_ATTRIBUTES = 64, DEEPEST = 64 };

typedef struct {
    const char *at, *end;
    int line, n_element;
    const char *path;
    blocks *memory;
    bi_report *report;
} parser;

static bool complain(const parser *p, const char *what)
{
    bi_report_add(p->report, BI_ERROR, BI_BAD_FILE, (bi_place){ p->path, p->line, 1 }, "",
                  "this is not XML: %s", what);
    return false;
}

// ---- letters ---------------------------------------------------------------------------------------------------

static void step(parser *p, size_t n)
{
    for (; n > 0 && p->at < p->end; n--) {
        p->line += *p->at++ == '\n';
    }
}

static bool begins(const parser *p, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(p->end - p->at) >= n && memcmp(p->at, text, n) == 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_blanks(parser *p)
{
    while (p->at < p->end && is_blank(*p->at)) {
        step(p, 1);
    }
}

// Moves behind the text; false: it does not come any more.
static bool skip_behind(parser *p, const char *text)
{
    while (p->at < p->end && !begins(p, text)) {
        step(p, 1);
    }
    bool is_there = p->at < p->end;
    step(p, strlen(text));
    return is_there;
}

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_:-.", c) != NULL || (unsigned char)c >= 0x80;
}

static const char *read_name(parser *p)
{
    const char *from = p->at;
    while (p->at < p->end && *p->at && is_name_letter(*p->at)) {
        step(p, 1);
    }
    return p->at > from ? blocks_text(p->memory, from, (size_t)(p->at - from)) : NULL;
}

// One letter after '&' as UTF-8. Moves *from behind the semicolon. False: unknown.
static bool read_entity(const char **from, const char *end, char **to)
{
    static const struct {
        const char *name;
        char letter;
    } known[] = { { "lt;", '<' }, { "gt;", '>' }, { "amp;", '&' }, { "quot;", '"' }, { "apos;", '\'' } };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t n = strlen(known[k].name);
        if ((size_t)(end - *from) >= n && memcmp(*from, known[k].name, n) == 0) {
            *(*to)++ = known[k].letter;
            *from += n;
            return true;
        }
    }
    // numbers: plain letters only, which is what names and paths need
    if (end - *from > 2 && **from == '#') {
        char digits[12] = "", *stop;
        size_t n =
            (size_t)(end - *from - 1) < sizeof digits - 1 ? (size_t)(end - *from - 1) : sizeof digits - 1;
        memcpy(digits, *from + 1, n);
        bool is_hex = digits[0] == 'x';
        long code = strtol(digits + is_hex, &stop, is_hex ? 16 : 10);
        if (stop > digits + is_hex && *stop == ';' && code >= 32 && code < 127) {
            *(*to)++ = (char)code;
            *from += 1 + (stop - digits) + 1;
            return true;
        }
    }
    return false;
}

// A value in quotes.
static const char *read_value(parser *p)
{
    char quote = p->at < p->end ? *p->at : '\0';
    if (quote != '"' && quote != '\'') {
        complain(p, "the value of an attribute must be in quotes");
        return NULL;
    }
    step(p, 1);
    const char *from = p->at, *end = memchr(from, quote, (size_t)(p->end - from));
    if (!end) {
        complain(p, "a quote is not closed");
        return NULL;
    }
    char *value = blocks_new(p->memory, (size_t)(end - from) + 1), *to = value;
    if (!value) {
        complain(p, "out of memory");
        return NULL;
    }
    for (const char *c = from; c < end;) {
        if (*c == '<' || *c == '\0') {
            complain(p, "a value must not contain '<' or the character zero");
            return NULL;
        }
        if (*c != '&') {
            *to++ = *c++;
            continue;
        }
        c++;
        if (!read_entity(&c, end, &to)) {
            complain(p, "an entity is not known; there are &lt; &gt; &amp; &quot; &apos;");
            return NULL;
        }
    }
    step(p, (size_t)(end - from) + 1);
    return value;
}

// ---- elements --------------------------------------------------------------------------------------------------

static bool read_attributes(parser *p, xml_element *e)
{
    const char *key[MOST_ATTRIBUTES], *value[MOST_ATTRIBUTES];
    for (;;) {
        skip_blanks(p);
        if (p->at >= p->end) {
            return complain(p, "the file ends inside an element");
        }
        if (*p->at == '>' || begins(p, "/>")) {
            break;
        }
        if (e->n_attribute == MOST_ATTRIBUTES) {
            return complain(p, "an element has more than 64 attributes");
        }
        const char *name = read_name(p);
        skip_blanks(p);
        if (!name || p->at >= p->end || *p->at != '=') {
            return complain(p, "an attribute such as name=\"value\" is expected");
        }
        step(p, 1);
        skip_blanks(p);
        key[e->n_attribute] = name;
        value[e->n_attribute] = read_value(p);
        if (!value[e->n_attribute]) {
            return false;
        }
        e->n_attribute++;
    }
    size_t size = ((size_t)e->n_attribute + 1) * sizeof *key;
    e->key = blocks_new(p->memory, size);
    e->value = blocks_new(p->memory, size);
    if (!e->key || !e->value) {
        return complain(p, "out of memory");
    }
    memcpy((void *)e->key, (const void *)key, (size_t)e->n_attribute * sizeof *key);
    memcpy((void *)e->value, (const void *)value, (size_t)e->n_attribute * sizeof *value);
    return true;
}

// Moves over comments, instructions and text to the next tag. False: a mistake was told.
static bool skip_to_tag(parser *p)
{
    while (p->at < p->end) {
        bool is_good = true;
        if (begins(p, "<!--")) {
            is_good = skip_behind(p, "-->");
        } else if (begins(p, "<?")) {
            is_good = skip_behind(p, "?>");
        } else if (begins(p, "<![CDATA[")) {
            is_good = skip_behind(p, "]]>");
        } else if (begins(p, "<!")) {
            return complain(p, "documents that define their own types are not read");
        } else if (*p->at == '<') {
            return true;
        } else {
            step(p, 1);
        }
        if (!is_good) {
            return complain(p, "the file ends inside a comment");
        }
    }
    return true;
}

// The element whose '<' is next, with everything in it. The depth is limited.
static xml_element *read_element(parser *p, int depth)
{
    step(p, 1);
    xml_element *e = blocks_new(p->memory, sizeof *e);
    if (!e || depth > DEEPEST || ++p->n_element > MOST_ELEMENTS) {
        complain(p, !e ? "out of memory"
                       : "elements are nested more than 64 deep, or there are more than a million");
        return NULL;
    }
    e->line = p->line;
    e->name = read_name(p);
    if (!e->name) {
        complain(p, "a name must follow '<'");
        return NULL;
    }
    if (!read_attributes(p, e)) {
        return NULL;
    }
    if (*p->at == '/') {
        step(p, 2);
        return e;
    }
    step(p, 1);
    xml_element **last = &e->first;
    while (skip_to_tag(p)) {
        if (p->at >= p->end) {
            p->line = e->line;
            complain(p, "the element that begins here is not closed");
            return NULL;
        }
        if (begins(p, "</")) {
            step(p, 2);
            const char *name = read_name(p);
            skip_blanks(p);
            if (!name || strcmp(name, e->name) != 0 || p->at >= p->end || *p->at != '>') {
                complain(p, "the closing tag does not fit the element that is open");
                return NULL;
            }
            step(p, 1);
            return e;
        }
        *last = read_element(p, depth + 1);
        if (!*last) {
            return NULL;
        }
        last = &(*last)->next;
    }
    return NULL;
}

xml_element *xml_parse(const char *text, size_t length, const char *path, blocks *memory, bi_report *report)
{
    parser p = { text, text + length, 1, 0, path, memory, report };
    if (begins(&p, "\xef\xbb\xbf")) {
        step(&p, 3);
    }
    if (!skip_to_tag(&p)) {
        return NULL;
    }
    if (p.at >= p.end) {
        p.line = 1;
        complain(&p, "it has no element");
        return NULL;
    }
    return read_element(&p, 1);
}

const char *xml_get(const xml_element *element, const char *key)
{
    for (int k = 0; element && k < element->n_attribute; k++) {
        if (strcmp(element->key[k], key) == 0) {
            return element->value[k];
        }
    }
    return NULL;
}

const xml_element *xml_child(const xml_element *from, const char *name)
{
    while (from && strcmp(from->name, name) != 0) {
        from = from->next;
    }
    return from;
}
