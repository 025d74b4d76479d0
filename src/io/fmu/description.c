// SPDX-License-Identifier: MIT
#include "io/fmu/description.h"
#include <ctype.h>
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
        fmu_type type;
    } types[] = {
        { "Real", 2, FMU_REAL },       { "Integer", 2, FMU_INT32 }, { "Enumeration", 2, FMU_INT32 },
        { "Boolean", 2, FMU_BOOLEAN }, { "Float64", 3, FMU_REAL },  { "Float32", 3, FMU_FLOAT32 },
        { "Int32", 3, FMU_INT32 },     { "Int64", 3, FMU_INT64 },   { "Enumeration", 3, FMU_INT64 },
        { "Boolean", 3, FMU_BOOLEAN },
    };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (types[k].version == version && strcmp(types[k].name, name) == 0) {
            return types[k].type;
        }
    }
    return FMU_OTHER;
}

static fmu_causality causality_of(const xml_element *e)
{
    const char *text = xml_get(e, "causality");
    return !text                            ? FMU_LOCAL
           : strcmp(text, "input") == 0     ? FMU_INPUT
           : strcmp(text, "output") == 0    ? FMU_OUTPUT
           : strcmp(text, "parameter") == 0 ? FMU_PARAMETER
                                            : FMU_LOCAL;
}

static bool read_variable(const xml_element *e, int version, fmu_variable *v)
{
    const char *name = xml_get(e, "name"), *reference = xml_get(e, "valueReference");
    const xml_element *type = version == 2 ? e->first : e;
    if (!name || !reference || !type || !isdigit((unsigned char)reference[0])) {
        return false;
    }
    *v = (fmu_variable){ .name = name,
                         .unit = xml_get(type, "unit"),
                         .reference = (uint32_t)strtoul(reference, NULL, 10),
                         .type = type_of(version, type->name),
                         .causality = causality_of(e),
                         .is_array = version == 3 && xml_child(e->first, "Dimension") != NULL };
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
            return refuse(path, e->line, "a variable without name, reference or type", report);
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

const fmu_variable *fmu_find(const fmu_description *d, const char *name)
{
    for (int k = 0; k < d->count; k++) {
        if (strcmp(d->variable[k].name, name) == 0) {
            return &d->variable[k];
        }
    }
    return NULL;
}
