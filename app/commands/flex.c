// SPDX-License-Identifier: MIT
/* flex - what became of the meshes of flexible bodies: checks, frequencies, mode shapes. */
#include "cli/command.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/words.h"
#include "commands/flex_export.h"
#include "running/outfiles.h"
#include "running/session.h"
#include <biela/flex.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum { FLEX_BUILD, FLEX_INFO, FLEX_MODES, FLEX_EXPORT } flex_verb;

static const char *const kind_names[] = {
#define KIND_NAME(code, text) text,
    BI_FE_KIND_LIST(KIND_NAME)
};

static void print_kinds(const bi_fe_mesh *mesh)
{
    const char *between = "";
    for (int kind = 0; kind < BI_FE_KIND_COUNT; kind++) {
        int count = 0;
        for (int k = 0; k < mesh->n_element; k++) {
            count += (int)mesh->element[k].kind == kind;
        }
        if (count > 0) {
            printf("%s%d %s", between, count, kind_names[kind]);
            between = ", ";
        }
    }
}

static void print_row(const char *title, const double *hz, int count)
{
    printf("  %-12s", title);
    for (int k = 0; k < count; k++) {
        printf("%s %.6g", k > 0 && k % 10 == 0 ? "\n             " : "", hz[k]);
    }
    fputs(count > 0 ? " Hz\n" : " none\n", stdout);
}

static void print_info(const char *name, const bi_flex *flex)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    const bi_modes *modes = bi_flex_modes(flex);
    bi_flex_facts f = bi_flex_facts_of(flex);
    printf("%s: %d nodes, ", name, mesh->n_node);
    print_kinds(mesh);
    printf(", %d freedoms\n", f.n_freedom);
    int n_weight = modes->n_mode - f.n_static - f.n_normal;
    if (n_weight > 0) {
        printf("  modes        %d static + %d normal + %d of its weight = %d\n", f.n_static, f.n_normal,
               n_weight, modes->n_mode);
    } else {
        printf("  modes        %d static + %d normal = %d\n", f.n_static, f.n_normal, modes->n_mode);
    }
    printf("  mass         %.9g kg; by the sections %.9g kg\n", f.mass, f.section_mass);
    printf("  centre       [%.6g, %.6g, %.6g] m\n", f.com.x, f.com.y, f.com.z);
    printf("  inertia      [%.6g, %.6g, %.6g, %.6g, %.6g, %.6g] kg m2 (xx yy zz xy yz zx)\n", f.inertia[0],
           f.inertia[1], f.inertia[2], f.inertia[3], f.inertia[4], f.inertia[5]);
    printf("  rigid test   %.1e of the stiffness is left in a rigid motion\n", f.rigid);
    if (f.n_rigid >= 0) {
        printf("  free motions %d without stiffness when nothing is held\n", f.n_rigid);
    }
    printf("  patch test   %.1e is the error of constant strain\n", f.patch);
    printf("  shortening   %s\n", modes->bend ? "second order" : "none");
    printf("  particles    %d\n", modes->n_node - mesh->n_node);
    if (f.truncation > 0.0) {
        printf("  truncation   the modes lack %.2g %% of the stress of the full mesh, at the highest "
               "frequency\n",
               100.0 * f.truncation);
    }
    print_row("normal modes", f.normal_hz, f.n_normal);
    print_row("all modes", f.hz, modes->n_mode);
}

// Root mean square of displacement is one: what part of it is along each axis tells bending from stretching.
static void share_of(const bi_modes *m, int mode, double share[3])
{
    double sum[3] = { 0 }, all = 0.0;
    for (int i = 0; i < m->n_node; i++) {
        bi_vec3 s = m->shape[(size_t)mode * (size_t)m->n_node + (size_t)i];
        sum[0] += m->mass[i] * s.x * s.x;
        sum[1] += m->mass[i] * s.y * s.y;
        sum[2] += m->mass[i] * s.z * s.z;
    }
    all = sum[0] + sum[1] + sum[2];
    for (int k = 0; k < 3; k++) {
        share[k] = all > 0.0 ? sum[k] / all : 0.0;
    }
}

static void print_modes(const char *name, const bi_flex *flex)
{
    const bi_modes *m = bi_flex_modes(flex);
    bi_flex_facts f = bi_flex_facts_of(flex);
    printf("%s\n  mode          Hz   damping  energy along x     y     z\n", name);
    for (int k = 0; k < m->n_mode; k++) {
        double share[3], omega = 2.0 * 3.14159265358979323846 * f.hz[k];
        share_of(m, k, share);
        printf("  %4d  %10.5g  %8.3g            %6.3f %5.3f %5.3f\n", k + 1, f.hz[k],
               m->damping ? m->damping[k] / (2.0 * f.mass * omega) : 0.0, share[0], share[1], share[2]);
    }
}

static void json_numbers(json *j, const char *key, const double *value, int count)
{
    json_array(j, key);
    for (int k = 0; k < count; k++) {
        json_number(j, NULL, value[k]);
    }
    json_end(j);
}

// Displacements of the nodes in each mode: what a viewer draws.
static void json_shapes(json *j, const bi_flex *flex)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    const bi_modes *m = bi_flex_modes(flex);
    json_array(j, "nodes");
    for (int i = 0; i < mesh->n_node; i++) {
        json_numbers(j, NULL, (double[3]){ mesh->node[i].at.x, mesh->node[i].at.y, mesh->node[i].at.z }, 3);
    }
    json_end(j);
    json_array(j, "shapes");
    for (int k = 0; k < m->n_mode; k++) {
        json_array(j, NULL);
        for (int i = 0; i < mesh->n_node; i++) {
            bi_vec3 s = m->shape[(size_t)k * (size_t)m->n_node + (size_t)i];
            json_numbers(j, NULL, (double[3]){ s.x, s.y, s.z }, 3);
        }
        json_end(j);
    }
    json_end(j);
}

static void json_body(json *j, const char *name, const bi_flex *flex, flex_verb verb)
{
    const bi_fe_mesh *mesh = bi_flex_mesh(flex);
    bi_flex_facts f = bi_flex_facts_of(flex);
    const bi_modes *m = bi_flex_modes(flex);
    json_object(j, NULL);
    json_text(j, "name", name);
    json_integer(j, "n_node", mesh->n_node);
    json_integer(j, "n_element", mesh->n_element);
    json_integer(j, "freedoms", f.n_freedom);
    json_integer(j, "static_modes", f.n_static);
    json_integer(j, "normal_modes", f.n_normal);
    json_integer(j, "weight_modes", m->n_mode - f.n_static - f.n_normal);
    json_number(j, "mass", f.mass);
    json_number(j, "section_mass", f.section_mass);
    json_numbers(j, "com", (double[3]){ f.com.x, f.com.y, f.com.z }, 3);
    json_numbers(j, "inertia", f.inertia, 6);
    json_number(j, "rigid_error", f.rigid);
    json_number(j, "patch_error", f.patch);
    json_integer(j, "free_motions", f.n_rigid);
    json_true_or_false(j, "foreshortening", m->bend != NULL);
    json_integer(j, "particles", m->n_node - mesh->n_node);
    json_number(j, "truncation", f.truncation);
    json_numbers(j, "normal_hz", f.normal_hz, f.n_normal);
    json_numbers(j, "hz", f.hz, m->n_mode);
    if (verb == FLEX_MODES) {
        json_shapes(j, flex);
    }
    json_end(j);
}

// The bytes of the reduced body; false: reported.
static bool write_bytes(const bi_flex *flex, const char *path)
{
    size_t size = bi_flex_save(flex, NULL, 0);
    void *bytes = words_alloc(size);
    bi_flex_save(flex, bytes, size);
    bi_outfile *output = outfiles_begin(path);
    if (output) {
        fwrite(bytes, 1, size, bi_outfile_file(output));
    }
    free(bytes);
    return output && outfiles_end(output);
}

static exit_code write_file(const bi_model *model, bi_body body, const bi_flex *flex, flex_verb verb,
                            const char *path)
{
    if (verb != FLEX_MODES) {
        return write_bytes(flex, path) ? CLI_OK : CLI_MACHINE;
    }
    bi_report report = { 0 };
    bi_pvd *pvd = file_make_folders(path) ? bi_pvd_create(path, model, &report) : NULL;
    bool is_good = pvd && bi_pvd_modes(pvd, body) == BI_OK;
    is_good = pvd && bi_pvd_close(pvd, &report) == BI_OK && is_good;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good ? CLI_OK : CLI_MACHINE;
}

static exit_code show_bodies(const bi_model *model, const arguments *args, flex_verb verb,
                             const bi_report *report, double seconds)
{
    const char *only = args->n_word > 2 ? args->word[2] : NULL, *out = arguments_value(args, "--out");
    bool is_json = arguments_has(args, "--json");
    json j = json_start(stdout);
    exit_code code = CLI_OK;
    int count = 0;
    if (is_json) {
        json_object(&j, NULL);
        json_number(&j, "cpu_time", seconds);
        json_array(&j, "bodies");
    }
    for (int b = 1; b <= bi_model_body_count(model); b++) {
        bi_body body = { b };
        const char *name = bi_model_body_name(model, body);
        const bi_flex *flex = bi_model_flex(model, body);
        if (!flex || (only && strcmp(only, name) != 0)) {
            continue;
        }
        count++;
        if (is_json) {
            json_body(&j, name, flex, verb);
        } else if (verb == FLEX_MODES) {
            print_modes(name, flex);
        } else {
            print_info(name, flex);
        }
        if ((out || verb == FLEX_EXPORT) && count == 1) {
            code = verb == FLEX_EXPORT ? flex_export(flex, args) : write_file(model, body, flex, verb, out);
            if (code == CLI_OK && !is_json) {
                printf("  written      %s\n", out);
            }
        }
    }
    if (is_json) {
        json_end(&j);
        json_true_or_false(&j, "ok", count > 0 && code == CLI_OK);
        session_json_messages(&j, report);
        json_end(&j);
    }
    if (count == 0) {
        fprintf(stderr, "biela flex: there is no flexible body%s%s: a body is flexible by its key `flex`\n",
                only ? " called " : "", only ? only : "");
    }
    return count == 0 ? CLI_BAD : code;
}

static exit_code run_flex(const arguments *args)
{
    static const char *const verbs[] = { "build", "info", "modes", "export" };
    session_request request = { 0 };
    bi_report report = { 0 };
    int verb = -1;
    for (int k = 0; k < 4; k++) {
        verb = strcmp(args->word[0], verbs[k]) == 0 ? k : verb;
    }
    if (verb < 0) {
        fprintf(stderr, "biela flex: build, info, modes or export is expected, not '%s'\n", args->word[0]);
        return CLI_BAD;
    }
    exit_code code = CLI_BAD;
    if (session_request_make(args, &request)) {
        char *share = file_models_folder();
        char *path = bi_find_model(args->word[1], share, &report);
        bi_run run;
        clock_t start = clock();
        bi_model *model = path ? session_read_model(path, &request, &run, &report) : NULL;
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        bi_report_print(&report, stderr);
        if (model && report.errors == 0 &&
            claims_write(args->files, "--out", arguments_value(args, "--out"))) {
            code = show_bodies(model, args, (flex_verb)verb, &report, seconds);
        } else if (arguments_has(args, "--json")) {
            json j = json_start(stdout);
            json_object(&j, NULL);
            json_true_or_false(&j, "ok", false);
            session_json_messages(&j, &report);
            json_end(&j);
        }
        bi_model_destroy(model);
        free(path);
        free(share);
    }
    bi_report_clear(&report);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--out", "FILE",
      "of the first body: build, info: the reduced body; modes: FILE" ENDING_FRAMES
      " with a grid per mode; export: "
      "FILE.inp, or FILE.dmig: a superelement of Nastran" },
    { "--tie", "NODES", "export to FILE.dmig: nodes that follow the modes, where other parts are joined" },
    { "--clamp", "NODES", "export: nodes that stand still with their turns" },
    { "--pin", "NODES", "export: nodes that stand still; NODE:xz only in these directions" },
    { "--count", "N", "export: frequencies asked of CalculiX; 0: statics (default 10)" },
    { "--force", "NODE=X,Y,Z", "export: statics: a force on a node, N" OPTION_REPEATABLE },
    { "--gravity", "X,Y,Z", "export: statics: m/s2 (default 0,0,-9.81)" },
    { "--json", NULL, "all of it as one JSON object on stdout; modes: with the shapes" },
};

const command command_flex = {
    .name = "flex",
    .words = "build|info|modes|export MODEL [BODY]",
    .summary = "flexible bodies of a model: checks of the mesh, frequencies, mode shapes",
    .details = "Meshes of more than 60 nodes are reduced once and kept in $BIELA_CACHE, else in\n"
               "$XDG_CACHE_HOME/biela or ~/.cache/biela, under a hash of all that decides the result.",
    .example = "  biela flex info flex-bar\n"
               "  biela flex modes flex-bar bar --out out/bar.pvd",
    .min_words = 2,
    .max_words = 3,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_flex,
};
