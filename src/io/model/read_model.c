// SPDX-License-Identifier: MIT
// A whole model file: the corridor through the sections.
#include "io/model/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_top_keys(reader *r)
{
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
    reader_known(r, &known, &keys_file, "");
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

// Gravity acts everywhere: an included file may only repeat it.
void read_gravity(reader *r)
{
    const yaml_node *node = yaml_get(r->root, "gravity");
    bi_vec3 g;
    if (!node || !reader_vec3(r, node, "m/s^2", "gravity", &g)) {
        return;
    }
    if (!r->scope->outer) {
        r->gravity = g;
        bi_model_gravity(r->model, g);
    } else if (g.x != r->gravity.x || g.y != r->gravity.y || g.z != r->gravity.z) {
        char what[160];
        snprintf(what, sizeof what, "is not used: [%g, %g, %g] of the including file acts everywhere",
                 r->gravity.x, r->gravity.y, r->gravity.z);
        reader_tell(r, &(bi_issue){ BI_WARNING, BI_OK, reader_place_of(r, node), "gravity", what });
    }
}

static void add_ground(reader *r)
{
    name_set_add(&r->bodies, "ground", 0);
    if (r->bodies.count > 0) {
        r->bodies.id[0] = BI_GROUND.i;
    }
}

void read_sections(reader *r, const char *run_name, bi_run *run)
{
    // each section may use the names of those before it, wherever they stand in the file
    read_parameters(r, run_name);
    journal_section(r, "run");
    if (run) {
        read_run(r, run_name, run);
    }
    if (r->is_refused) {
        return;
    }
    journal_section(r, "gravity");
    read_gravity(r);
    read_inputs(r);
    reader_section(r, "bodies", &r->bodies, read_body);
    reader_section(r, "points", &r->named, read_named_point);
    reader_section(r, "vectors", &r->named, read_named_vector);
    journal_section(r, "include");
    read_includes(r);
    journal_section(r, "hold");
    read_hold(r);
    reader_section(r, "joints", &r->joints, read_joint);
    journal_section(r, "hold");
    check_hold(r);
    reader_section(r, "shapes", &r->shapes, read_solid);
    reader_section(r, "patches", &r->patches, read_patch);
    reader_section(r, "struts", &r->struts, read_strut);
    reader_section(r, "looks", &r->looks, read_look);
    journal_section(r, "scenery");
    read_surroundings(r);
    reader_section(r, "tables", &r->tables, read_table);
    reader_section(r, "signals", &r->elements, read_signal);
    reader_section(r, "graphs", &r->elements, read_graph);
    reader_section(r, "forces", &r->elements, read_force);
    reader_section(r, "fmus", &r->elements, read_fmu);
    reader_section(r, "constraints", &r->elements, read_constraint);
    reader_section(r, "actions", &r->elements, read_action);
    reader_section(r, "imposed", &r->imposed, read_imposed);
    reader_section(r, "outputs", &r->outputs, read_output);
    reader_section(r, "events", &r->events, read_event);
    // of the file that is run: modes are those of the whole
    journal_section(r, "independent");
    if (run) {
        check_removed(r);
        read_independent(r);
        read_critical(r, run);
        read_vehicle(r);
    }
}

bool read_head(reader *r)
{
    if (!r->root || (r->root->kind == YAML_SCALAR && !r->root->text[0])) {
        bi_report_add(r->report, BI_ERROR, BI_BAD_FILE, (bi_place){ r->file, 1, 1 }, "",
                      "the file is empty; a model begins with 'biela: 1'");
        return false;
    }
    if (!reader_expect(r, r->root, YAML_MAP, "", "a mapping with 'biela: 1' and the sections of the model") ||
        !is_version(r)) {
        return false;
    }
    check_top_keys(r);
    (void)read_text_of(r, "name");
    if (!yaml_get(r->root, "name")) {
        reader_error(r, r->root, "", "the model needs 'name'");
    }
    (void)read_text_of(r, "description");
    (void)read_text_of(r, "source");
    return true;
}

static bi_model *read_root(reader *r, const char *run_name, bi_run *run)
{
    if (!read_head(r)) {
        return NULL;
    }
    const yaml_node *name_node = yaml_get(r->root, "name");
    const char *name =
        name_node && name_node->kind == YAML_SCALAR && name_node->text[0] ? name_node->text : NULL;
    r->model = bi_model_create(name ? name : "unnamed");
    if (!r->model) {
        bi_report_add(r->report, BI_ERROR, BI_NO_MEMORY, (bi_place){ r->file, 0, 0 }, "", "out of memory");
        return NULL;
    }
    add_ground(r);
    if (r->journal) {
        bi_model_listen(r->model, journal_hears, r);
    }
    read_sections(r, run_name, run);
    // what whoever asked for the model adds
    journal_section(r, "an option");
    if (run && run->manoeuvre[0]) {
        reader_tell_file(r, run->manoeuvre);
        bi_read_manoeuvre(run->manoeuvre, r->model, r->report);
    }
    flex_complete(r);
    check_model(r);
    // what the caller adds does not come from the file
    bi_model_place(r->model, (bi_place){ 0 });
    return r->model;
}

void reader_clear(reader *r)
{
    name_set_clear(&r->parameters);
    name_set_clear(&r->inputs);
    name_set_clear(&r->bodies);
    name_set_clear(&r->joints);
    name_set_clear(&r->elements);
    name_set_clear(&r->outputs);
    name_set_clear(&r->events);
    name_set_clear(&r->holds);
    name_set_clear(&r->named);
    name_set_clear(&r->tables);
    name_set_clear(&r->imposed);
    name_set_clear(&r->shapes);
    name_set_clear(&r->patches);
    name_set_clear(&r->struts);
    name_set_clear(&r->looks);
    blocks_free(&r->memory);
    free(r->pose);
    free(r->split);
    flex_forget(r);
    *r = (reader){ 0 };
}

// Those about the file itself first, then included files in the order of their first mistake.
static int file_rank(const bi_report *report, int first, const char *path, bi_issue issue)
{
    const char *file = issue.place.file ? issue.place.file : "";
    int k = first;
    while (k < report->count &&
           strcmp(report->issue[k].place.file ? report->issue[k].place.file : "", file) != 0) {
        k++;
    }
    // what has no line is about the command line
    return strcmp(file, path) == 0 || issue.place.line == 0 ? first - 1 : k;
}

typedef struct {
    int rank, line, column;
} issue_order;

static bool is_behind(issue_order a, issue_order b)
{
    return a.rank != b.rank ? a.rank > b.rank : a.line != b.line ? a.line > b.line : a.column > b.column;
}

// Mistakes are found section by section; a reader goes through them line by line.
static void sort_by_line(bi_report *report, int first, const char *path)
{
    issue_order *order = malloc((size_t)(report->count - first + 1) * sizeof *order);
    for (int k = first; order && k < report->count; k++) {
        bi_issue issue = report->issue[k];
        order[k - first] =
            (issue_order){ file_rank(report, first, path, issue), issue.place.line, issue.place.column };
    }
    for (int k = first + 1; order && k < report->count; k++) {
        bi_issue issue = report->issue[k];
        issue_order own = order[k - first];
        int j = k;
        while (j > first && is_behind(order[j - 1 - first], own)) {
            order[j - first] = order[j - 1 - first];
            report->issue[j] = report->issue[j - 1];
            j--;
        }
        order[j - first] = own;
        report->issue[j] = issue;
    }
    free(order);
}

// The model of a parsed file; `first` of its messages in the report.
static bi_model *read_tree(const yaml_file *file, const char *path, int first, reader *r, reader_scope *scope,
                           const char *run_name, bi_run *run)
{
    char *identity = realpath(path, NULL);
    *scope = (reader_scope){ .file = path,
                             .identity = identity ? identity : path,
                             .prefix = "",
                             .ground = BI_GROUND.i,
                             .place.rot.w = 1.0 };
    r->file = path;
    r->scope = scope;
    r->root = yaml_root(file);
    r->gravity = (bi_vec3){ 0.0, 0.0, -9.80665 };
    bi_model *model = read_root(r, run_name, run);
    sort_by_line(r->report, first, path);
    // only files that are included ask for it
    scope->identity = path;
    free(identity);
    return model;
}

// A reader with a shelf, its own where it has none; false: no memory, and told.
static bool begin(reader *r, const char *path, bi_report *own, bi_shelf **own_shelf)
{
    r->report = r->report ? r->report : own;
    r->shelf = r->watch && r->watch->shelf ? r->watch->shelf : (*own_shelf = bi_shelf_create());
    if (!r->shelf) {
        bi_report_add(r->report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
        return false;
    }
    shelf_begin(r->shelf);
    return true;
}

static void no_yaml(reader *r, const char *path, int errors)
{
    if (r->report->errors == errors) {
        bi_report_add(r->report, BI_ERROR, BI_NO_MEMORY, (bi_place){ path, 0, 0 }, "", "out of memory");
    }
}

bi_model *bi_read_model_text(const char *text, size_t length, const char *path, const bi_setting *settings,
                             int n_settings, const char *run_name, bi_run *run, bi_report *report)
{
    if (!text) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no text to read");
        return NULL;
    }
    reader r = { .report = report, .setting = settings, .n_setting = settings ? n_settings : 0 };
    bi_report own = { 0 };
    bi_shelf *own_shelf = NULL;
    bi_run unused;
    bi_model *model = NULL;
    path = path ? path : "";
    run = run ? run : &unused;
    *run = bi_run_usual();
    if (begin(&r, path, &own, &own_shelf)) {
        int errors = r.report->errors, first = r.report->count;
        yaml_file *file = yaml_parse(text, length, path, r.report);
        if (file) {
            reader_scope scope;
            model = read_tree(file, path, first, &r, &scope, run_name, run);
            reader_clear(&r);
        } else {
            no_yaml(&r, path, errors);
        }
        yaml_destroy(file);
    }
    bi_shelf_destroy(own_shelf);
    bi_report_clear(&own);
    return model;
}

// The tree of the model file itself: from the shelf, or parsed. NULL: told.
static const yaml_file *tree_of(reader *r, const char *path)
{
    const shelf_tree *known = shelf_find_tree(r->shelf, path);
    if (known) {
        return known->yaml;
    }
    size_t length = 0, size = strlen(path) + 1;
    int before = r->report->count, errors = r->report->errors;
    char *text = reader_whole_file(path, (bi_place){ path, 0, 0 }, "", &length, r->report);
    yaml_file *yaml = text ? yaml_parse(text, length, path, r->report) : NULL;
    char *own = yaml ? malloc(size) : NULL;
    free(text);
    if (!own) {
        yaml_destroy(yaml);
        no_yaml(r, path, errors);
        return NULL;
    }
    memcpy(own, path, size);
    return shelf_add_tree(r->shelf, own, yaml, r->report->count > before) ? yaml : NULL;
}

bi_model *reader_read_file(reader *r, reader_scope *scope, const char *path, const char *run_name,
                           bi_run *run)
{
    bi_model *model = NULL;
    *run = bi_run_usual();
    int errors = r->report->errors, first = r->report->count;
    const yaml_file *file = tree_of(r, path);
    if (file) {
        reader_tell_file(r, path);
        model = read_tree(file, path, first, r, scope, run_name, run);
    }
    shelf_end(r->shelf, r->report->errors > errors);
    return model;
}

bi_model *bi_read_model_watched(const char *path, const bi_setting *settings, int n_settings,
                                const char *run_name, const bi_read_watch *watch, bi_run *run,
                                bi_report *report)
{
    if (!path) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "", "there is no file to read");
        return NULL;
    }
    reader r = {
        .report = report, .setting = settings, .n_setting = settings ? n_settings : 0, .watch = watch
    };
    reader_scope scope;
    bi_report own = { 0 };
    bi_shelf *own_shelf = NULL;
    bi_run unused = bi_run_usual();
    bi_model *model = NULL;
    run = run ? run : &unused;
    *run = bi_run_usual();
    if (begin(&r, path, &own, &own_shelf)) {
        model = reader_read_file(&r, &scope, path, run_name, run);
    }
    reader_clear(&r);
    bi_shelf_destroy(own_shelf);
    bi_report_clear(&own);
    return model;
}

bi_model *bi_read_model(const char *path, const bi_setting *settings, int n_settings, const char *run_name,
                        bi_run *run, bi_report *report)
{
    return bi_read_model_watched(path, settings, n_settings, run_name, NULL, run, report);
}
