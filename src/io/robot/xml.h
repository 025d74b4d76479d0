// SPDX-License-Identifier: MIT
// XML files as trees of elements, attributes, texts and lines, read by expat. Documents that define types or entities of
// their own are refused.
#pragma once
#include "io/yaml/blocks.h"
#include <biela/biela.h>

typedef struct xml_element xml_element;
struct xml_element {
    const char *name;
    const char *path; // of the file, as in messages
    int line;
    int n_attribute;
    const char **key, **value; // (n_attribute)
    xml_element *first, *next; // child, sibling
    char *text;                // what stands between its tags, children left out; NULL: nothing
    size_t length, room;       // of the text
};

// The root; lives as long as the memory. NULL: the report says why, with `path` and the line.
xml_element *xml_parse(const char *text, size_t length, const char *path, blocks *memory, bi_report *report);
// Value of an attribute; NULL: none.
const char *xml_get(const xml_element *element, const char *key);
// The first child of that name from `from` on (NULL: none).
const xml_element *xml_child(const xml_element *from, const char *name);
