// SPDX-License-Identifier: MIT
#include "io/robot/xml.h"
#include <expat.h>
#include <limits.h>
#include <string.h>

enum { MOST_ELEMENTS = 1000000, MOST_ATTRIBUTES = 64, DEEPEST = 64 };

typedef struct {
    XML_Parser xml;
    int n_element, depth;
    xml_element *root, *open[DEEPEST], *last[DEEPEST]; // elements that are open, and the last child of each
    bool has_failed;
    const char *path;
    blocks *memory;
    bi_report *report;
} parser;

static int line_of(const parser *p) { return (int)XML_GetCurrentLineNumber(p->xml); }

static void complain(parser *p, int line, const char *what)
{
    // one message: what follows a mistake is none
    if (!p->has_failed) {
        bi_report_add(p->report, BI_ERROR, BI_BAD_FILE, (bi_place){ p->path, line, 1 }, "",
                      "this is not XML: %s", what);
    }
    p->has_failed = true;
    XML_StopParser(p->xml, XML_FALSE);
}

// ---- what expat finds ------------------------------------------------------------------------------------------

static bool copy_attributes(parser *p, xml_element *e, const char **pair)
{
    while (pair[2 * e->n_attribute]) {
        e->n_attribute++;
    }
    size_t size = ((size_t)e->n_attribute + 1) * sizeof *e->key;
    e->key = blocks_new(p->memory, size);
    e->value = blocks_new(p->memory, size);
    bool ok = e->key && e->value;
    for (int k = 0; ok && k < e->n_attribute; k++) {
        e->key[k] = blocks_text(p->memory, pair[2 * k], strlen(pair[2 * k]));
        e->value[k] = blocks_text(p->memory, pair[2 * k + 1], strlen(pair[2 * k + 1]));
        ok = e->key[k] && e->value[k];
    }
    return ok;
}

static void begin_element(void *user, const char *name, const char **pair)
{
    parser *p = user;
    if (p->has_failed) {
        return;
    }
    if (p->depth == DEEPEST || ++p->n_element > MOST_ELEMENTS) {
        complain(p, line_of(p), "elements are nested more than 64 deep, or there are more than a million");
        return;
    }
    xml_element *e = blocks_new(p->memory, sizeof *e);
    if (!e || !(e->name = blocks_text(p->memory, name, strlen(name))) || !copy_attributes(p, e, pair)) {
        complain(p, line_of(p), "out of memory");
        return;
    }
    if (e->n_attribute > MOST_ATTRIBUTES) {
        complain(p, line_of(p), "an element has more than 64 attributes");
        return;
    }
    e->line = line_of(p);
    e->path = p->path;
    if (p->depth == 0) {
        p->root = e;
    } else {
        xml_element **last = &p->last[p->depth - 1];
        *(*last ? &(*last)->next : &p->open[p->depth - 1]->first) = e;
        *last = e;
    }
    p->open[p->depth] = e;
    p->last[p->depth++] = NULL;
}

static void end_element(void *user, const char *name)
{
    parser *p = user;
    (void)name;
    p->depth -= !p->has_failed;
}

static void add_text(void *user, const char *text, int length)
{
    parser *p = user;
    if (p->has_failed || p->depth == 0) {
        return;
    }
    xml_element *e = p->open[p->depth - 1];
    size_t after = e->length + (size_t)length;
    if (after + 1 > e->room) {
        size_t room = 2 * after + 32;
        char *grown = blocks_new(p->memory, room);
        if (!grown) {
            complain(p, line_of(p), "out of memory");
            return;
        }
        if (e->length > 0) {
            memcpy(grown, e->text, e->length);
        }
        e->text = grown;
        e->room = room;
    }
    memcpy(e->text + e->length, text, (size_t)length);
    e->length = after;
    e->text[after] = '\0';
}

// Such a document could define entities, which grow without bound, and read other files.
static void refuse_types(void *user, const char *name, const char *system, const char *public, int has_own)
{
    (void)name, (void)system, (void)public, (void)has_own;
    complain(user, line_of(user),
             "documents with <!DOCTYPE ...> are not read, as they may define types and entities of their "
             "own; take "
             "that line out");
}

// ---- parsing ------------------------------------------------------------------------------------------------------

// What expat says, and for the mistakes that people make what to do.
static void complain_of_syntax(parser *p)
{
    enum XML_Error error = XML_GetErrorCode(p->xml);
    const char *what = XML_ErrorString(error);
    int line = line_of(p);
    if (error == XML_ERROR_TAG_MISMATCH) {
        what = "the closing tag does not fit the element that is open";
    } else if (error == XML_ERROR_NO_ELEMENTS && p->depth == 0) {
        what = "it has no element, or the first one is not complete";
    } else if (error == XML_ERROR_NO_ELEMENTS) {
        line = p->open[p->depth - 1]->line;
        what = "the element that begins here is not closed";
    } else if (error == XML_ERROR_UNDEFINED_ENTITY) {
        what = "an entity is not known; there are &lt; &gt; &amp; &quot; &apos;";
    }
    complain(p, line, what);
}

xml_element *xml_parse(const char *text, size_t length, const char *path, blocks *memory, bi_report *report)
{
    parser p = { .xml = XML_ParserCreate(NULL), .path = path, .memory = memory, .report = report };
    if (!p.xml || length > INT_MAX) {
        bi_report_add(report, BI_ERROR, p.xml ? BI_BAD_FILE : BI_NO_MEMORY, (bi_place){ path, 1, 1 }, "",
                      p.xml ? "it is longer than 2 GB" : "out of memory");
        XML_ParserFree(p.xml);
        return NULL;
    }
    XML_SetUserData(p.xml, &p);
    XML_SetElementHandler(p.xml, begin_element, end_element);
    XML_SetCharacterDataHandler(p.xml, add_text);
    XML_SetStartDoctypeDeclHandler(p.xml, refuse_types);
    if (XML_Parse(p.xml, text, (int)length, XML_TRUE) != XML_STATUS_OK) {
        complain_of_syntax(&p);
    }
    XML_ParserFree(p.xml);
    return p.has_failed ? NULL : p.root;
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
