// SPDX-License-Identifier: MIT
#include "export/describe.h"
#include "cli/words.h"
#include "export/xml_unit.h"
#include "fmu/variables.h"
#include <biela/look.h>
#include <biela/ode.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { START_NONE, START_GIVEN, START_EXACT } variable_start;

// One variable as both versions of the standard know it.
typedef struct {
    const char *name, *help, *unit;
    const char *causality, *variability;
    const char *type; /* "Float64", "Int32", "UInt64" */
    variable_start start;
    double value;
    uint32_t reference;
    int derivative_of; /* of the list: the state whose rate it is; -1: it is none */
    bool is_unknown;   /* worked out in the initialization */
    char *own_name;    /* where `name` is ours */
} variable;

typedef struct {
    const description *d;
    FILE *file;
    variable *item; /* (count) */
    int count, capacity;
} writer;

// ---- the list ---------------------------------------------------------------------------------------------------------

// of: the state in the list whose rate it is; -1: none.
static void add_rate(writer *w, variable v, int of)
{
    if (w->count == w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 64;
        w->item = realloc(w->item, (size_t)w->capacity * sizeof *w->item);
    }
    v.derivative_of = of;
    w->item[w->count++] = v;
}

static void add(writer *w, variable v) { add_rate(w, v, -1); }

static bool has_name(const writer *w, const char *name)
{
    for (int k = 0; k < w->count; k++) {
        if (strcmp(w->item[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *text_at(const writer *w, const char *format, const char *a, const char *b)
{
    char *place = words_format(format, a, b);
    const char *text = w->d->document ? bi_document_text(w->d->document, place) : NULL;
    free(place);
    return text;
}

static bool is_parameter(const bi_model *model, const char *word, size_t length)
{
    for (int k = 0; k < bi_model_parameter_count(model); k++) {
        const char *name, *unit;
        double value;
        bi_model_parameter_at(model, k, &name, &value, &unit);
        if (strlen(name) == length && strncmp(name, word, length) == 0) {
            return true;
        }
    }
    return false;
}

// A parameter of the file itself whose value names no other one: it can be set, and whatever follows from it follows.
static bool is_free(const writer *w, const char *name)
{
    const char *text = w->d->run_name ? text_at(w, "runs.%s.set.%s", w->d->run_name, name) : NULL;
    text = text ? text : text_at(w, "parameters.%s.value%s", name, "");
    text = text ? text : text_at(w, "parameters.%s%s", name, "");
    if (!text) {
        return false;
    }
    for (const char *c = text; *c;) {
        size_t n = 0;
        while (isalnum((unsigned char)c[n]) || c[n] == '_') {
            n++;
        }
        if (n > 0 && is_parameter(w->d->s->model, c, n)) {
            return false;
        }
        c += n > 0 ? n : 1;
    }
    return true;
}

static void add_inputs(writer *w)
{
    const session *s = w->d->s;
    for (int k = 0; k < bi_input_count(s->system); k++) {
        bi_input_info info = { 0 };
        const char *name = bi_input_name(s->system, k);
        bi_model_input_info(s->model, bi_find_input(s->system, name), &info);
        add(w, (variable){ .name = name,
                           .help = info.help,
                           .unit = info.unit,
                           .causality = "input",
                           .variability = "continuous",
                           .type = "Float64",
                           .start = START_GIVEN,
                           .value = info.initial,
                           .reference = variable_reference(VARIABLE_INPUT, k) });
    }
}

static void add_parameters(writer *w)
{
    const session *s = w->d->s;
    const char *name, *unit;
    double value;
    for (int k = 0; variables_parameter(s->model, k, &name, &unit, &value); k++) {
        bool is_settable = !w->d->pages && is_free(w, name);
        if (has_name(w, name)) {
            continue; // an input of that name hides it
        }
        add(w, (variable){ .name = name,
                           .help = text_at(w, "parameters.%s.help%s", name, ""),
                           .unit = unit,
                           .causality = is_settable ? "parameter" : "calculatedParameter",
                           .variability = "fixed",
                           .type = "Float64",
                           .start = is_settable ? START_EXACT : START_NONE,
                           .value = value,
                           .is_unknown = !is_settable,
                           .reference = variable_reference(VARIABLE_PARAMETER, k) });
    }
}

static void add_channels(writer *w)
{
    const bi_system *system = w->d->s->system;
    for (int k = 0; k < bi_channel_count(system); k++) {
        bi_channel channel = bi_channel_at(system, k);
        const char *name = bi_channel_name(system, channel);
        if (w->d->is_exchange && strcmp(name, "energy.balance") == 0) {
            continue; // it counts work, step by step, and who integrates is somebody else
        }
        char *own_name = has_name(w, name) ? words_format("outputs.%s", name) : NULL;
        add(w, (variable){ .name = own_name ? own_name : name,
                           .own_name = own_name,
                           .unit = bi_channel_unit(system, channel),
                           .causality = "output",
                           .variability = "continuous",
                           .type = "Float64",
                           .is_unknown = true,
                           .reference = variable_reference(VARIABLE_CHANNEL, k) });
    }
}

static void add_hash(writer *w)
{
    variable v = { .causality = "output", .variability = "discrete", .is_unknown = true, .unit = "1" };
    if (w->d->version == 3) {
        v.name = "state.hash";
        v.help = "equal hashes mean equal bits of the whole state";
        v.type = "UInt64";
        v.reference = variable_reference(VARIABLE_HASH, 0);
        add(w, v);
        return;
    }
    v.type = "Int32";
    for (int half = 0; half < 2; half++) {
        v.name = half == 0 ? "state.hash.high" : "state.hash.low";
        v.help = half == 0 ? "upper 32 bits of the hash of the whole state" : "its lower 32 bits";
        v.reference = variable_reference(VARIABLE_HASH_HALF, half);
        add(w, v);
    }
}

// States of model exchange, then the rate of each.
static void add_states(writer *w)
{
    const bi_system *system = w->d->s->system;
    int n = bi_state_count(system), first = w->count;
    char name[256];
    for (int k = 0; k < 2 * n; k++) {
        bool is_rate = k >= n;
        char *own_name = words_format(is_rate ? "der(state.%s)" : "state.%s",
                                      bi_state_name(system, k % n, name, sizeof name));
        variable v = { .name = own_name,
                       .own_name = own_name,
                       .causality = "local",
                       .variability = "continuous",
                       .type = "Float64",
                       .is_unknown = true,
                       .reference =
                           variable_reference(is_rate ? VARIABLE_DERIVATIVE : VARIABLE_STATE, k % n) };
        add_rate(w, v, is_rate ? first + k - n : -1);
    }
}

static void make_list(writer *w)
{
    add(w, (variable){ .name = "time",
                       .help = "simulation time",
                       .unit = "s",
                       .causality = "independent",
                       .variability = "continuous",
                       .type = "Float64",
                       .reference = variable_reference(VARIABLE_TIME, 0) });
    add_inputs(w);
    add_parameters(w);
    add_channels(w);
    if (w->d->is_exchange) {
        add_states(w);
    } else {
        add_hash(w);
    }
}

// ---- both versions ----------------------------------------------------------------------------------------------------

static bool has_unit(const variable *v) { return v->unit && v->unit[0] && strcmp(v->unit, "1") != 0; }

static void write_units(const writer *w)
{
    bool is_open = false;
    for (int k = 0; k < w->count; k++) {
        bool is_new = has_unit(&w->item[k]);
        for (int i = 0; is_new && i < k; i++) {
            is_new = !has_unit(&w->item[i]) || strcmp(w->item[i].unit, w->item[k].unit) != 0;
        }
        if (is_new) {
            fputs(is_open ? "" : "  <UnitDefinitions>\n", w->file);
            is_open = true;
            xml_unit(w->file, w->item[k].unit, variables_scale(w->d->s->model, w->item[k].unit));
        }
    }
    fputs(is_open ? "  </UnitDefinitions>\n" : "", w->file);
}

static void write_experiment(const writer *w)
{
    const session *s = w->d->s;
    fprintf(w->file, "  <DefaultExperiment startTime=\"%.17g\" stopTime=\"%.17g\" stepSize=\"%.17g\"/>\n",
            s->run.start_time, s->run.start_time + s->run.time,
            (double)(s->grid.steps_per_row < 1000000 ? s->grid.steps_per_row : 1) * s->grid.dt);
}

static void write_common(const writer *w, const variable *v)
{
    fputs("name=\"", w->file);
    xml_text(w->file, v->name);
    fprintf(w->file, "\" valueReference=\"%u\"", (unsigned)v->reference);
    if (v->help && v->help[0]) {
        fputs(" description=\"", w->file);
        xml_text(w->file, v->help);
        fputs("\"", w->file);
    }
    fprintf(w->file, " causality=\"%s\" variability=\"%s\"", v->causality, v->variability);
    fputs(v->start == START_EXACT ? " initial=\"exact\"" : "", w->file);
}

static void write_value(const writer *w, const variable *v)
{
    if (has_unit(v)) {
        fputs(" unit=\"", w->file);
        xml_text(w->file, v->unit);
        fputs("\"", w->file);
    }
    if (v->start != START_NONE) {
        fprintf(w->file, " start=\"%.17g\"", v->value);
    }
}

typedef enum { LIST_OUTPUTS, LIST_RATES, LIST_UNKNOWNS } list_kind;
static bool is_listed(const variable *v, list_kind list)
{
    return list == LIST_OUTPUTS ? strcmp(v->causality, "output") == 0
           : list == LIST_RATES ? v->derivative_of >= 0
                                : v->is_unknown;
}

// ---- 2.0 --------------------------------------------------------------------------------------------------------------

static void write_list2(const writer *w, const char *name, list_kind list)
{
    fprintf(w->file, "    <%s>\n", name);
    for (int k = 0; k < w->count; k++) {
        if (is_listed(&w->item[k], list)) {
            fprintf(w->file, "      <Unknown index=\"%d\"/>\n", k + 1);
        }
    }
    fprintf(w->file, "    </%s>\n", name);
}

// How the library is made; 3.0 has a file of its own for that.
static void write_pages2(const writer *w)
{
    fputs("    <SourceFiles>\n", w->file);
    for (int k = 0; k < w->d->pages->count; k++) {
        if (sources_is_compiled(w->d->pages->name[k])) {
            fprintf(w->file, "      <File name=\"%s\"/>\n", w->d->pages->name[k]);
        }
    }
    fprintf(w->file, "    </SourceFiles>\n  </%s>\n", w->d->is_exchange ? "ModelExchange" : "CoSimulation");
}

static void write2(const writer *w)
{
    FILE *file = w->file;
    fputs("<fmiModelDescription fmiVersion=\"2.0\" modelName=\"", file);
    xml_text(file, bi_model_name(w->d->s->model));
    fprintf(file, "\" guid=\"%s\" generationTool=\"Biela %s\" variableNamingConvention=\"flat\"", w->d->token,
            bi_version());
    fputs(" numberOfEventIndicators=\"0\">\n", file);
    fprintf(file, "  <%s modelIdentifier=\"%s\" ", w->d->is_exchange ? "ModelExchange" : "CoSimulation",
            w->d->identifier);
    fprintf(file,
            "%s=\"true\" canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
            "canSerializeFMUstate=\"true\"%s>\n",
            w->d->is_exchange ? "providesDirectionalDerivative" : "canHandleVariableCommunicationStepSize",
            w->d->pages ? "" : "/");
    if (w->d->pages) {
        write_pages2(w);
    }
    write_units(w);
    fputs("  <LogCategories>\n    <Category name=\"logAll\"/>\n    <Category name=\"logStatusWarning\"/>\n"
          "    <Category name=\"logStatusError\"/>\n  </LogCategories>\n",
          file);
    write_experiment(w);
    fputs("  <ModelVariables>\n", file);
    for (int k = 0; k < w->count; k++) {
        const variable *v = &w->item[k];
        fputs("    <ScalarVariable ", file);
        write_common(w, v);
        fprintf(file, "><%s", strcmp(v->type, "Float64") == 0 ? "Real" : "Integer");
        write_value(w, v);
        if (v->derivative_of >= 0) {
            fprintf(file, " derivative=\"%d\"", v->derivative_of + 1);
        }
        fputs("/></ScalarVariable>\n", file);
    }
    fputs("  </ModelVariables>\n  <ModelStructure>\n", file);
    write_list2(w, "Outputs", LIST_OUTPUTS);
    if (w->d->is_exchange) {
        write_list2(w, "Derivatives", LIST_RATES);
    }
    write_list2(w, "InitialUnknowns", LIST_UNKNOWNS);
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", file);
}

// ---- 3.0 --------------------------------------------------------------------------------------------------------------

static void write_list3(const writer *w, const char *name, list_kind list)
{
    for (int k = 0; k < w->count; k++) {
        if (is_listed(&w->item[k], list)) {
            fprintf(w->file, "    <%s valueReference=\"%u\"/>\n", name, (unsigned)w->item[k].reference);
        }
    }
}

static void write3(const writer *w)
{
    FILE *file = w->file;
    fputs("<fmiModelDescription fmiVersion=\"3.0\" modelName=\"", file);
    xml_text(file, bi_model_name(w->d->s->model));
    fprintf(file,
            "\" instantiationToken=\"%s\" generationTool=\"Biela %s\" variableNamingConvention=\"flat\">\n",
            w->d->token, bi_version());
    fprintf(file,
            "  <%s modelIdentifier=\"%s\" %s=\"true\" canGetAndSetFMUState=\"true\" "
            "canSerializeFMUState=\"true\"",
            w->d->is_exchange ? "ModelExchange" : "CoSimulation", w->d->identifier,
            w->d->is_exchange ? "providesDirectionalDerivatives" : "canHandleVariableCommunicationStepSize");
    if (!w->d->is_exchange && !w->d->s->run.is_auto) {
        fprintf(file, " fixedInternalStepSize=\"%.17g\"", w->d->s->grid.dt);
    }
    fputs("/>\n", file);
    write_units(w);
    fputs("  <LogCategories>\n    <Category name=\"logAll\"/>\n    <Category name=\"logStatusWarning\"/>\n"
          "    <Category name=\"logStatusError\"/>\n  </LogCategories>\n",
          file);
    write_experiment(w);
    fputs("  <ModelVariables>\n", file);
    for (int k = 0; k < w->count; k++) {
        const variable *v = &w->item[k];
        fprintf(file, "    <%s ", v->type);
        write_common(w, v);
        write_value(w, v);
        if (v->derivative_of >= 0) {
            fprintf(file, " derivative=\"%u\"", (unsigned)w->item[v->derivative_of].reference);
        }
        fputs("/>\n", file);
    }
    fputs("  </ModelVariables>\n  <ModelStructure>\n", file);
    write_list3(w, "Output", LIST_OUTPUTS);
    write_list3(w, "ContinuousStateDerivative", LIST_RATES);
    write_list3(w, "InitialUnknown", LIST_UNKNOWNS);
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", file);
}

void describe(const description *d, FILE *file)
{
    writer w = { .d = d, .file = file };
    make_list(&w);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
    if (d->version == 3) {
        write3(&w);
    } else {
        write2(&w);
    }
    for (int k = 0; k < w.count; k++) {
        free(w.item[k].own_name);
    }
    free(w.item);
}
