// SPDX-License-Identifier: MIT
// A whole model file: the corridor through the sections.
#include "io/reader.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_top_keys(reader *r)
{
    static const char *const keys[] = { "biela",       "name",        "description", "source", "parameters",
                                        "gravity",     "inputs",      "bodies",      "joints", "hold",
                                        "forces",      "constraints", "outputs",     "run",    "runs",
                                        "independent", "critical",    NULL };
    // keys that begin with x- are the user's own: a place for anchors
    yaml_node known = *r->root;
    yaml_node **key = malloc((size_t)(known.count > 0 ? known.count : 1) * sizeof(yaml_node *));
    if (!key) {
        return;
    }
    known.count = 0;
    for (int k = 0; k < r->root->count; k++) {
        if (strncmp(r->root->key[k]->text, "x-", 2) != 0) {
            key[known.count++] = r->root->key[k];
        }
    }
    known.key = key;
    reader_keys(r, &known, keys, "");
    free(key);
}

// False: the file is for another program.
static bool is_version(reader *r)
{
    const yaml_node *version = yaml_get(r->root, "biela");
    if (!version) {
        reader_error(r, r->root, "",
                     "this is not a model file: it needs 'biela: 1', the version of the format");
        return false;
    }
    if (version->kind != YAML_SCALAR || strcmp(version->text, "1") != 0) {
        reader_error(r, version, "biela",
                     "the version of the format must be 1, the only one this program reads");
        return false;
    }
    return true;
}

static const char *read_text_of(reader *r, const char *key)
{
    const yaml_node *node = yaml_get(r->root, key);
    return node && reader_expect(r, node, YAML_SCALAR, key, "a text") ? node->text : NULL;
}

static void read_sections(reader *r, const char *run_name, bi_run *run)
{
    // each section may use the names of those before it, wherever they stand in the file
    read_parameters(r, run_name);
    read_run(r, run_name, run);
    const yaml_node *gravity = yaml_get(r->root, "gravity");
    bi_vec3 g;
    if (gravity && reader_vec3(r, gravity, "m/s^2", "gravity", &g)) {
        bi_model_gravity(r->model, g);
    }
    read_inputs(r);
    name_set_add(&r->bodies, "ground", 0);
    if (r->bodies.count > 0) {
        r->bodies.id[0] = BI_GROUND.i;
    }
    reader_section(r, "bodies", &r->bodies, read_body);
    read_hold(r);
    reader_section(r, "joints", &r->joints, read_joint);
    check_hold(r);
    reader_section(r, "forces", &r->elements, read_force);
    reader_section(r, "constraints", &r->elements, read_constraint);
    reader_section(r, "outputs", &r->outputs, read_output);
    read_independent(r);
    read_critical(r, run);
}

static bi_model *read_root(reader *r, const char *run_name, bi_run *run)
{
    if (!r->root || (r->root->kind == YAML_SCALAR && !r->root->text[0])) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_FILE, (bi_place){ r->file, 1, 1 }, "",
                      "the file is empty; a model begins with 'biela: 1'");
        return NULL;
    }
    if (!reader_expect(r, r->root, YAML_MAP, "", "a mapping with 'biela: 1' and the sections of the model") ||
        !is_version(r)) {
        return NULL;
    }
    check_top_keys(r);
    const char *name = read_text_of(r, "name");
    if (!yaml_get(r->root, "name")) {
        reader_error(r, r->root, "", "the model needs 'name'");
    }
    (void)read_text_of(r, "description");
    (void)read_text_of(r, "source");
    r->model = bi_model_create(name ? name : "unnamed");
    if (!r->model) {
        bi_report_add(r->report, BI_ERROR, BI_NO_MEMORY, (bi_place){ r->file, 0, 0 }, "", "out of memory");
        return NULL;
    }
    read_sections(r, run_name, run);
    check_model(r);
    // what the caller adds does not come from the file
    bi_model_place(r->model, (bi_place){ 0 });
    return r->model;
}

static void reader_clear(reader *r)
{
    name_set_clear(&r->parameters);
    name_set_clear(&r->inputs);
    name_set_clear(&r->bodies);
    name_set_clear(&r->joints);
    name_set_clear(&r->elements);
    name_set_clear(&r->outputs);
    name_set_clear(&r->holds);
    blocks_free(&r->memory);
    free(r->pose);
}

// Mistakes are found section by section; a reader goes through them line by line.
static void sort_by_line(bi_report *report, int first)
{
    for (int k = first + 1; k < report->count; k++) {
        bi_issue issue = report->issue[k];
        int j = k;
        while (j > first && (report->issue[j - 1].place.line > issue.place.line ||
                             (report->issue[j - 1].place.line == issue.place.line &&
                              report->issue[j - 1].place.column > issue.place.column))) {
            report->issue[j] = report->issue[j - 1];
            j--;
        }
        report->issue[j] = issue;
    }
}

bi_model *bi_read_model_text(const char *text, size_t length, const char *path, const bi_setting *settings,
                             int n_settings, const char *run_name, bi_run *run, bi_report *report)
{
    bi_run unused;
    run = run ? run : &unused;
    *run = (bi_run){ .time = 10.0,
                     .dt = 1e-3,
                     .rho = 0.9,
                     .tolerance = 1e-5,
                     .critical_oscillating = "flutter",
                     .critical_real = "divergence" };
    int errors = report->errors, first = report->count;
    yaml_file *file = yaml_parse(text, length, path, report);
    if (!file) {
        if (report->errors == errors) {
            bi_report_add(report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        }
        return NULL;
    }
    reader r = { .report = report, .file = path, .setting = settings, .n_setting = n_settings };
    r.root = yaml_root(file);
    bi_model *model = read_root(&r, run_name, run);
    sort_by_line(report, first);
    reader_clear(&r);
    yaml_destroy(file);
    return model;
}

// The whole file, to be freed. NULL: the report says why.
static char *read_file(const char *path, size_t *length, bi_report *report)
{
    bi_place place = { path, 0, 0 };
    FILE *file = fopen(path, "rb");
    // one byte beyond the limit tells that it is exceeded
    char *text = file ? malloc(YAML_MAX_BYTES + 1) : NULL;
    errno = file ? 0 : errno;
    *length = text ? fread(text, 1, YAML_MAX_BYTES + 1, file) : 0;
    bool is_bad = !text || ferror(file);
    if (is_bad) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "", "cannot be read: %s",
                      errno ? strerror(errno) : "out of memory");
    } else if (*length > YAML_MAX_BYTES) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, place, "", "has more than 8 MB; that is the limit");
        is_bad = true;
    }
    if (file) {
        fclose(file);
    }
    if (is_bad) {
        free(text);
        return NULL;
    }
    return text;
}

bi_model *bi_read_model(const char *path, const bi_setting *settings, int n_settings, const char *run_name,
                        bi_run *run, bi_report *report)
{
    size_t length = 0;
    char *text = read_file(path, &length, report);
    if (!text) {
        return NULL;
    }
    bi_model *model = bi_read_model_text(text, length, path, settings, n_settings, run_name, run, report);
    free(text);
    return model;
}
