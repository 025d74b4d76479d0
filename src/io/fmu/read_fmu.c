// SPDX-License-Identifier: MIT
// The section `fmus`: FMUs of other programs. Each is a law without force that reads expressions and tells its outputs;
// its state is its memory, so that snapshots, hashes and several runs at once are right by themselves.
#include "io/fmu/host.h"
#include "io/fmu/zip_read.h"
#include "io/model/reader.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 512 << 20 }; // of an archive
enum { TIME, COUNT, OUTPUTS };   // in the memory; behind the outputs its state, four bytes a number

typedef struct {
    blocks memory;
    host *host;
    host_def def;
    char folder[512];
    char *name, **told;
    double every;                // s; 0: each step
    int n_memory;                // numbers
    double *last;                // (n_memory) the memory whose state the process has
    void *state;                 // (bytes of a state)
    double initial[HOST_VALUES]; // outputs as it starts, before the first exchange
    bool can_go_back;
} guest;

// ---- the law ----------------------------------------------------------------------------------------------------------

static void guest_eval(void *data, const bi_law_motion *m, bi_law_load *out)
{
    const guest *g = data;
    const double *at = m->memory[COUNT] == 0.0 ? g->initial : &m->memory[OUTPUTS];
    for (int k = 0; out->told && k < g->def.n_output_value; k++) {
        out->told[k] = at[k];
    }
    out->scalar = g->def.n_output_value > 0 ? at[0] : 0.0;
}

static void lose(const guest *g, double *memory)
{
    for (int k = 0; k < OUTPUTS + g->def.n_output_value; k++) {
        memory[k] = NAN;
    }
}

static void pack(const guest *g, double *memory)
{
    const unsigned char *bytes = g->state;
    size_t size = host_state_size(g->host);
    for (size_t k = 0; k < size; k += 4) {
        uint32_t word = 0;
        memcpy(&word, bytes + k, size - k < 4 ? size - k : 4);
        memory[OUTPUTS + g->def.n_output_value + (int)(k / 4)] = word;
    }
}

static void unpack(guest *g, const double *memory)
{
    unsigned char *bytes = g->state;
    size_t size = host_state_size(g->host);
    for (size_t k = 0; k < size; k += 4) {
        uint32_t word = (uint32_t)memory[OUTPUTS + g->def.n_output_value + (int)(k / 4)];
        memcpy(bytes + k, &word, size - k < 4 ? size - k : 4);
    }
}

// After each accepted step: the FMU follows, and then sees what its inputs have become.
static void guest_commit(void *data, const bi_law_motion *m, double *memory)
{
    static const double same = 1e-9; // of the time between exchanges
    guest *g = data;
    double h = m->t - memory[TIME], *output = &memory[OUTPUTS];
    bool is_new = memory[COUNT] == 0.0,
         is_there = memcmp(memory, g->last, (size_t)g->n_memory * sizeof *memory) == 0;
    if (isnan(memory[TIME]) || (!is_new && h < 0.0) ||
        (!is_new && g->every > 0.0 && h < g->every * (1.0 - same))) {
        return;
    }
    bool has_state = host_state_size(g->host) > 0, is_good;
    if (is_new) {
        is_good = host_start(g->host, m->t, m->signal, output, has_state ? g->state : NULL);
    } else if (!is_there && !has_state) {
        is_good = false;
        g->can_go_back = false;
    } else {
        if (!is_there) {
            unpack(g, memory);
        }
        is_good = host_step(g->host, is_there ? NULL : g->state, memory[TIME], h, m->signal, output,
                            has_state ? g->state : NULL);
    }
    if (!is_good) {
        lose(g, memory);
        return;
    }
    memory[TIME] = m->t;
    memory[COUNT] += 1.0;
    pack(g, memory);
    memcpy(g->last, memory, (size_t)g->n_memory * sizeof *memory);
}

static const char *guest_failure(void *data)
{
    const guest *g = data;
    return g->can_go_back ? host_failure(g->host)
                          : "its state cannot be saved (canSerializeFMUState): a run cannot go back, nor two "
                            "run at once";
}

static void guest_destroy(void *data)
{
    guest *g = data;
    host_destroy(g->host);
    if (g->folder[0] != '\0') {
        host_remove_folder(g->folder);
    }
    for (int k = 0; g->told && k < g->def.n_output_value; k++) {
        free(g->told[k]);
    }
    free(g->told);
    free(g->name);
    free(g->last);
    free(g->state);
    blocks_free(&g->memory);
    free(g);
}

// ---- unpacking --------------------------------------------------------------------------------------------------------

static bool write_item(const guest *g, const zip_archive *zip, int k, const char *path, bi_report *report)
{
    char to[1024];
    const char *name = zip->item[k].name;
    if (snprintf(to, sizeof to, "%s/%s", g->folder, name) >= (int)sizeof to) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "fmu",
                      "%.60s...: a name of %zu letters is too long to be unpacked", name, strlen(name));
        return false;
    }
    for (char *c = to + strlen(g->folder) + 1; *c; c++) {
        if (*c == '/') {
            *c = '\0';
            mkdir(to, 0700);
            *c = '/';
        }
    }
    if (name[strlen(name) - 1] == '/') {
        return true;
    }
    char *bytes = zip_take(zip, k, path, report);
    FILE *file = bytes ? fopen(to, "wb") : NULL;
    bool is_good = file && fwrite(bytes, 1, zip->item[k].size, file) == zip->item[k].size;
    is_good = file && fclose(file) == 0 && is_good;
    if (bytes && !is_good) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "fmu", "%s cannot be unpacked",
                      name);
    }
    free(bytes);
    return is_good;
}

// What the process needs: its library and its resources.
static bool unpack_files(guest *g, const zip_archive *zip, const char *path, bi_report *report)
{
    const char *place = getenv("TMPDIR");
    snprintf(g->folder, sizeof g->folder, "%s/biela-fmu-XXXXXX", place && place[0] == '/' ? place : "/tmp");
    if (!mkdtemp(g->folder)) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "fmu",
                      "no folder to unpack it to");
        g->folder[0] = '\0';
        return false;
    }
    bool is_good = true;
    for (int k = 0; is_good && k < zip->count; k++) {
        const char *name = zip->item[k].name;
        if (strncmp(name, "binaries/", 9) == 0 || strncmp(name, "resources/", 10) == 0) {
            is_good = write_item(g, zip, k, path, report);
        }
    }
    return is_good;
}

static bool open_file(guest *g, const char *bytes, size_t size, const char *path, bi_report *report)
{
    zip_archive zip;
    bool is_good = zip_open(&zip, bytes, size, path, report);
    int k = is_good ? zip_find(&zip, "modelDescription.xml") : -1;
    if (is_good && k < 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, "fmu",
                      "has no modelDescription.xml");
    }
    char *text = k >= 0 ? zip_take(&zip, k, path, report) : NULL;
    is_good = text && fmu_describe(text, zip.item[k].size, path, &g->memory, &g->def.about, report);
    free(text);
    is_good = is_good && unpack_files(g, &zip, path, report);
    zip_close(&zip);
    return is_good;
}

// ---- keys -------------------------------------------------------------------------------------------------------------

static fmu_variable *variable_of(reader *r, const guest *g, const char *name, const yaml_node *at,
                                 const char *where)
{
    fmu_variable *v = name ? fmu_find(&g->def.about, name) : NULL;
    if (name && (!v || v->type == FMU_OTHER)) {
        reader_error(r, at, where, v ? "'%s' of the FMU is no number" : "the FMU has no variable '%s'", name);
    }
    return v && v->type != FMU_OTHER ? v : NULL;
}

static host_value value_of(const guest *g, const fmu_variable *v)
{
    return (host_value){ v->reference, v->type, fmu_size(&g->def.about, v), v->causality == FMU_STRUCTURAL };
}

// A list of as many as the variable has, or one; NULL: the report says why.
static const yaml_node *const *items_of(reader *r, const yaml_node *const *at, int count, const char *where)
{
    int given = (*at)->kind == YAML_LIST ? (*at)->count : 1;
    if (given != count) {
        reader_error(r, *at, where, count == 1 ? "is one number" : "is an array of %d numbers, in one list",
                     count);
        return NULL;
    }
    return (*at)->kind == YAML_LIST ? (const yaml_node *const *)(*at)->item : at;
}

static void read_input(reader *r, guest *g, const fmu_variable *v, const yaml_node *at, const char *where,
                       bi_user_law_def *law)
{
    host_value value = value_of(g, v);
    if (v->causality != FMU_INPUT || value.count < 1 || law->n_signal + value.count > BI_USER_SIGNALS) {
        reader_error(r, at, where, "is no input of the FMU, or there are more than %d", BI_USER_SIGNALS);
        return;
    }
    const yaml_node *const *item = items_of(r, &at, value.count, where);
    for (int k = 0; item && k < value.count; k++) {
        reader_expr(r, item[k], NULL, where, &law->signal[law->n_signal++]);
    }
    g->def.input[g->def.n_input++] = value;
    g->def.n_input_value = law->n_signal;
}

static void read_parameter(reader *r, guest *g, fmu_variable *v, const yaml_node *at, const char *where)
{
    host_value value = value_of(g, v);
    int *n = &g->def.n_parameter_value;
    if (v->causality == FMU_OUTPUT || value.count < 1 || *n + value.count > HOST_PARAMETERS) {
        reader_error(r, at, where, "cannot be set, or there are more than %d", HOST_PARAMETERS);
        return;
    }
    const yaml_node *const *item = items_of(r, &at, value.count, where);
    for (int k = 0; item && k < value.count; k++) {
        reader_number(r, item[k], NULL, where, &g->def.parameter_value[(*n)++]);
    }
    if (item && value.is_structural) {
        v->start = g->def.parameter_value[*n - 1];
    }
    g->def.parameter[g->def.n_parameter++] = value;
}

static void read_inputs_of(reader *r, guest *g, const yaml_node *map, const char *where, bi_user_law_def *law)
{
    for (int k = 0; map && k < map->count; k++) {
        where_path here = where_at(where, map->key[k]->text);
        const fmu_variable *v = variable_of(r, g, map->key[k]->text, map->item[k], here.text);
        if (v) {
            read_input(r, g, v, map->item[k], here.text, law);
        }
    }
}

// How long arrays are first: the others follow from it.
static void read_parameters_of(reader *r, guest *g, const yaml_node *map, const char *where)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; map && k < map->count; k++) {
            const char *name = map->key[k]->text;
            where_path here = where_at(where, name);
            fmu_variable *v =
                pass == 0 ? fmu_find(&g->def.about, name) : variable_of(r, g, name, map->item[k], here.text);
            if (v && (v->causality == FMU_STRUCTURAL) == (pass == 0)) {
                read_parameter(r, g, v, map->item[k], here.text);
            }
        }
    }
}

// An array tells its numbers one after the other: y[1], y[2], ...
static bool add_output(guest *g, const fmu_variable *v)
{
    host_value value = value_of(g, v);
    if (value.count < 1 || g->def.n_output_value + value.count > BI_USER_SIGNALS || v->type == FMU_OTHER) {
        return false;
    }
    for (int k = 0; k < value.count; k++) {
        size_t size = strlen(v->name) + 16;
        char *name = malloc(size);
        if (name) {
            snprintf(name, size, v->dimensions ? "%s[%d]" : "%s", v->name, k + 1);
        }
        g->told[g->def.n_output_value++] = name;
    }
    g->def.output[g->def.n_output++] = value;
    return true;
}

static void read_outputs_of(reader *r, guest *g, const yaml_node *list, const char *where)
{
    g->told = calloc(BI_USER_SIGNALS, sizeof *g->told);
    for (int k = 0; !list && g->told && k < g->def.about.count; k++) {
        if (g->def.about.variable[k].causality == FMU_OUTPUT) {
            add_output(g, &g->def.about.variable[k]);
        }
    }
    for (int k = 0; list && g->told && k < list->count; k++) {
        const fmu_variable *v = variable_of(r, g, reader_text(r, list->item[k], where), list->item[k], where);
        if (v && !add_output(g, v)) {
            reader_error(r, list->item[k], where, "'%s' is too long: an FMU tells %d numbers at most",
                         v->name, BI_USER_SIGNALS);
        }
    }
    if (g->def.n_output == 0) {
        reader_error(r, list ? list : r->entry, where,
                     "the FMU tells nothing: it has no output that is a number");
    }
}

static void add_law(reader *r, guest *g, bi_user_law_def *law, const char *name)
{
    char why[HOST_TEXT];
    g->host = host_create(&g->def, g->initial, why);
    if (!g->host) {
        reader_error(r, r->entry, name, "%s", why);
        return;
    }
    g->n_memory = OUTPUTS + g->def.n_output_value + (int)((host_state_size(g->host) + 3) / 4);
    g->last = calloc((size_t)g->n_memory, sizeof *g->last);
    g->state = calloc(host_state_size(g->host) + 4, 1);
    if (!g->last || !g->state) {
        reader_error(r, r->entry, name, "no memory");
        return;
    }
    law->name = name;
    law->n_memory = g->n_memory;
    law->eval = guest_eval;
    law->commit = guest_commit;
    law->failure = guest_failure;
    law->data = g;
    law->tangent = BI_TANGENT_NONE;
    law->n_told = g->def.n_output_value;
    for (int k = 0; k < law->n_told; k++) {
        law->told[k] = g->told[k];
    }
    reader_place(r, r->entry);
}

static void read_times(reader *r, guest *g, const yaml_node *value, const char *where)
{
    g->def.limit = 10.0;
    reader_number_of(r, value, "every", "s", where, &g->every);
    reader_number_of(r, value, "limit", "s", where, &g->def.limit);
    if (!(g->every >= 0.0) || !(g->def.limit > 0.0)) {
        reader_error(r, r->entry, where, "'every' and 'limit' are times above zero");
    }
}

int32_t read_fmu(reader *r, const char *name, const yaml_node *value, const char *where)
{
    if (!reader_expect(r, value, YAML_MAP, where,
                       "a mapping such as {file: ball.fmu, inputs: {u: sin(t)}}")) {
        return 1;
    }
    reader_known(r, value, &keys_fmu, where);
    const yaml_node *file = yaml_get(value, "file");
    const char *file_name = file ? reader_text(r, file, where_at(where, "file").text) : NULL;
    char *path = file_name ? reader_path_beside(r, file_name) : NULL;
    guest *g = path ? calloc(1, sizeof *g) : NULL;
    if (!g) {
        reader_error(r, r->entry, where, "needs 'file', the FMU");
        free(path);
        return 1;
    }
    g->can_go_back = true;
    g->name = strdup(name);
    g->def.name = g->name;
    g->def.folder = g->folder;
    bi_user_law_def law = { 0 };
    bi_report report = { 0 };
    size_t size = 0;
    int before = r->report->errors;
    char *bytes = reader_file_up_to(path, reader_place_of(r, file), where, MOST_BYTES, &size, &report);
    bool is_open = bytes && open_file(g, bytes, size, path, &report);
    free(bytes);
    reader_forward(r, &report, file, true);
    if (is_open) {
        read_times(r, g, value, where);
        read_parameters_of(r, g, yaml_get(value, "set"), where_at(where, "set").text);
        read_inputs_of(r, g, yaml_get(value, "inputs"), where_at(where, "inputs").text, &law);
        read_outputs_of(r, g, yaml_get(value, "outputs"), where_at(where, "outputs").text);
    }
    if (is_open && r->report->errors == before) {
        add_law(r, g, &law, name);
    }
    free(path);
    if (!bi_model_keep(r->model, g, guest_destroy) || !law.eval) {
        return 1;
    }
    return bi_add_user_law(r->model, &law).i;
}
