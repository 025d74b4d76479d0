// SPDX-License-Identifier: MIT
#include "io/fmu/description.h"
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(const char *path, int line, const char *what, bi_report *report)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, line, 1 }, "modelDescription.xml", "%s",
                  what);
    return false;
}

static bool is_true(const xml_element *e, const char *key)
{
    const char *text = xml_get(e, key);
    return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

// The name becomes that of a file: letters, digits and underscores only.
static bool is_identifier(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_') {
            return false;
        }
    }
    return text[0] != '\0' && strlen(text) < 200;
}

static fmu_type type_of(int version, const char *name)
{
    static const struct {
        const char *name;
        int version;
    } types[] = {
#define FMU_TYPE_NAME(value, version, name, function, type, least, most) { name, version },
        FMU_TYPE_LIST(FMU_TYPE_NAME)
#undef FMU_TYPE_NAME
    };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (types[k].version == version && strcmp(types[k].name, name) == 0) {
            return (fmu_type)k;
        }
    }
    return FMU_OTHER;
}

static fmu_causality causality_of(const xml_element *e)
{
    const char *text = xml_get(e, "causality");
    return !text                                      ? FMU_LOCAL
           : strcmp(text, "input") == 0               ? FMU_INPUT
           : strcmp(text, "output") == 0              ? FMU_OUTPUT
           : strcmp(text, "parameter") == 0           ? FMU_PARAMETER
           : strcmp(text, "structuralParameter") == 0 ? FMU_STRUCTURAL
                                                      : FMU_LOCAL;
}

// Digits that fit; another variable would be meant by those that do not.
static bool read_reference(const char *text, uint32_t *reference)
{
    char *end = NULL;
    unsigned long long value = text && isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    *reference = (uint32_t)value;
    return end && *end == '\0' && value <= UINT32_MAX;
}

static bool read_variable(const xml_element *e, int version, fmu_variable *v)
{
    const char *name = xml_get(e, "name"), *reference = xml_get(e, "valueReference"),
               *start = xml_get(e, "start");
    const xml_element *type = version == 2 ? e->first : e;
    uint32_t number;
    if (!name || !type || !read_reference(reference, &number)) {
        return false;
    }
    *v = (fmu_variable){ .name = name,
                         .unit = xml_get(type, "unit"),
                         .reference = number,
                         .type = type_of(version, type->name),
                         .causality = causality_of(e),
                         .dimensions = version == 3 ? xml_child(e->first, "Dimension") : NULL,
                         .start = start ? strtod(start, NULL) : 0.0 };
    return true;
}

static bool read_variables(const xml_element *list, const char *path, blocks *memory, fmu_description *out,
                           bi_report *report)
{
    size_t n = 0;
    for (const xml_element *e = list->first; e; e = e->next) {
        n++;
    }
    out->variable = blocks_new(memory, (n + 1) * sizeof *out->variable);
    if (!out->variable) {
        return refuse(path, list->line, "no memory", report);
    }
    for (const xml_element *e = list->first; e; e = e->next) {
        if (!read_variable(e, out->version, &out->variable[out->count])) {
            return refuse(path, e->line,
                          "a variable without name or type, or whose reference is no number of 32 bits",
                          report);
        }
        out->count++;
    }
    return true;
}

bool fmu_describe(const char *text, size_t length, const char *path, blocks *memory, fmu_description *out,
                  bi_report *report)
{
    *out = (fmu_description){ 0 };
    const xml_element *root = xml_parse(text, length, path, memory, report);
    if (!root) {
        return false;
    }
    const char *version = xml_get(root, "fmiVersion");
    out->version = version && strncmp(version, "2.", 2) == 0   ? 2
                   : version && strncmp(version, "3.", 2) == 0 ? 3
                                                               : 0;
    if (out->version == 0 || strcmp(root->name, "fmiModelDescription") != 0) {
        return refuse(path, root->line, "is of no FMU of FMI 2.0 or 3.0", report);
    }
    const xml_element *kind = xml_child(root->first, "CoSimulation"),
                      *list = xml_child(root->first, "ModelVariables");
    if (!kind) {
        return refuse(path, root->line, "the FMU is not for co-simulation", report);
    }
    out->token = xml_get(root, out->version == 2 ? "guid" : "instantiationToken");
    out->identifier = xml_get(kind, "modelIdentifier");
    if (!out->token || !out->identifier || !is_identifier(out->identifier)) {
        return refuse(path, kind->line, "has no token, or no modelIdentifier that is a name", report);
    }
    out->can_save = is_true(kind, out->version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState") &&
                    is_true(kind, out->version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    out->has_variable_steps = is_true(kind, "canHandleVariableCommunicationStepSize");
    return !list ? refuse(path, root->line, "has no ModelVariables", report)
                 : read_variables(list, path, memory, out, report);
}

fmu_variable *fmu_find(const fmu_description *d, const char *name)
{
    for (int k = 0; k < d->count; k++) {
        if (strcmp(d->variable[k].name, name) == 0) {
            return &d->variable[k];
        }
    }
    return NULL;
}

// A dimension has a number, or names the structural parameter that has it.
static double length_of(const fmu_description *d, const xml_element *dimension)
{
    const char *start = xml_get(dimension, "start"), *reference = xml_get(dimension, "valueReference");
    uint32_t number;
    bool is_named = read_reference(reference, &number);
    for (int k = 0; is_named && k < d->count; k++) {
        if (d->variable[k].causality == FMU_STRUCTURAL && d->variable[k].reference == number) {
            return d->variable[k].start;
        }
    }
    return start ? strtod(start, NULL) : 0.0;
}

int fmu_size(const fmu_description *d, const fmu_variable *v)
{
    static const double most = 1e6;
    double size = 1.0;
    for (const xml_element *e = v->dimensions; e; e = xml_child(e->next, "Dimension")) {
        double length = length_of(d, e);
        if (!(length >= 1.0 && length <= most && size * length <= most)) {
            return 0;
        }
        size *= floor(length);
    }
    return (int)size;
}
