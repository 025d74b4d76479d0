// SPDX-License-Identifier: MIT
/* export - a model as a Functional Mock-up Unit, for simulators of other makers. */
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include "export/describe.h"
#include "export/imaging.h"
#include "export/sources.h"
#include "export/zip_write.h"
#include "fmu/variables.h"
#include "running/claims.h"
#include "running/outfiles.h"
#include <biela/ode.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const session *s;
    const session_request *request;
    const arguments *args;
    int version;
    bool is_exchange;
    char *identifier; // of the library
    char *manifest;   // resources/fmu.txt
    char token[64];
    char **file; // (n_file) real paths of what the model reads, each once, in the order of their names
    int n_file;
    size_t common;      // letters of the folder that all of them share
    source_pages pages; // with sources: of the library; else none
    void *image;        // and the compiled model
    size_t image_size;
} export_job;

// ---- what goes in -----------------------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Everything that was read, but pages that are only looked at.
static void list_files(export_job *job)
{
    const claims *files = job->args->files;
    job->file = words_alloc((size_t)(files->count + 1) * sizeof *job->file);
    for (int k = 0; k < files->count; k++) {
        char *real = files->item[k].what ? NULL : realpath(files->item[k].path, NULL);
        if (real && !file_is_folder(real)) {
            job->file[job->n_file++] = real;
        } else {
            free(real);
        }
    }
    qsort(job->file, (size_t)job->n_file, sizeof *job->file, by_name);
    int n = 0;
    for (int k = 0; k < job->n_file; k++) {
        if (n > 0 && strcmp(job->file[n - 1], job->file[k]) == 0) {
            free(job->file[k]);
        } else {
            job->file[n++] = job->file[k];
        }
    }
    job->n_file = n;
    // in order, the first and the last share the least
    size_t common = 0;
    for (size_t k = 0; n > 0 && job->file[0][k] && job->file[0][k] == job->file[n - 1][k]; k++) {
        common = job->file[0][k] == '/' ? k + 1 : common;
    }
    job->common = common;
}

static char *identifier_of(const char *name)
{
    char *text = words_format("%s%s", isalpha((unsigned char)name[0]) ? "" : "m_", name);
    for (char *c = text; *c; c++) {
        *c = (char)(isalnum((unsigned char)*c) ? *c : '_');
    }
    return text;
}

// Options of the command line that change the system, as they were given; times are in the step already.
static void write_options(const session_request *request, FILE *file)
{
    static const char *const left_out[] = { "time", "every", "manoeuvre" };
    const struct {
        const char *key, *text;
    } given[] = {
#define RUN_TEXT_PAIR(key) { #key, request->key },
        RUN_TEXT_LIST(RUN_TEXT_PAIR)
#undef RUN_TEXT_PAIR
    };
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        bool is_left_out = false;
        for (size_t i = 0; i < 3; i++) {
            is_left_out = is_left_out || strcmp(given[k].key, left_out[i]) == 0;
        }
        if (given[k].text && !is_left_out) {
            fprintf(file, "option %s=%s\n", given[k].key, given[k].text);
        }
    }
}

static uint64_t text_hash(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash;
}

static void make_manifest(export_job *job)
{
    const session *s = job->s;
    size_t length = 0;
    FILE *file = open_memstream(&job->manifest, &length);
    char *model = realpath(s->path, NULL);
    double dt = s->run.is_auto ? (s->run.dt < s->grid.dt ? s->run.dt : s->grid.dt) : s->grid.dt;
    if (job->image) {
        fprintf(file, "biela-fmu 1\nimage model.image\nstart %a\n%s%s", s->run.start_time,
                s->run.is_auto ? "steps auto\n" : "",
                s->run.starts_in_equilibrium ? "begins equilibrium\n"
                : s->run.starts_settled      ? "begins settled\n"
                                             : "");
    } else {
        fprintf(file, "biela-fmu 1\nmodel model/%s\n", model + job->common);
    }
    if (job->request->run_name) {
        fprintf(file, "run %s\n", job->request->run_name);
    }
    for (int k = 0; k < job->request->n_setting; k++) {
        fprintf(file, "set %s=%s\n", job->request->setting[k].name, job->request->setting[k].value);
    }
    write_options(job->request, file);
    if (job->is_exchange) {
        fprintf(file, "interface model-exchange\n");
    }
    fprintf(file, "dt %a\nnames %016" PRIx64 "\n", dt, variables_names(s->model, s->system));
    fflush(file);
    uint64_t token = text_hash(job->manifest);
    snprintf(job->token, sizeof job->token, "biela-%016" PRIx64 "-%016" PRIx64, bi_system_hash(s->system),
             token);
    fprintf(file, "token %s\n", job->token);
    fclose(file);
    free(model);
}

// ---- the archive ------------------------------------------------------------------------------------------------------

static bool add_library(zip_writer *zip, const export_job *job)
{
    const char *file = job->pages.count > 0 ? "biela_fmu_compiled.so" : "biela_fmu.so";
    char *folder = sources_folder(file);
    if (!folder) {
        return false;
    }
    char *path = words_format("%s%s", folder, file);
    char *name =
        words_format("binaries/%s/%s.so", job->version == 2 ? "linux64" : "x86_64-linux", job->identifier);
    bool is_good = sources_add_file(zip, name, path);
    free(name);
    free(path);
    free(folder);
    return is_good;
}

static void add_description(zip_writer *zip, const export_job *job)
{
    bi_report report = { 0 };
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    bi_document *document = bi_document_open(job->s->path, &report);
    description d = { .s = job->s,
                      .document = document,
                      .run_name = job->request->run_name,
                      .identifier = job->identifier,
                      .token = job->token,
                      .version = job->version,
                      .is_exchange = job->is_exchange,
                      .pages = job->pages.count > 0 ? &job->pages : NULL };
    describe(&d, file);
    fclose(file);
    zip_write_add(zip, "modelDescription.xml", text, length);
    bi_document_close(document);
    bi_report_clear(&report);
    free(text);
}

static exit_code write_archive(export_job *job, const char *path)
{
    bi_outfile *output = outfiles_begin(path);
    if (!output) {
        return CLI_MACHINE;
    }
    zip_writer zip = zip_write_start(bi_outfile_file(output));
    add_description(&zip, job);
    bool is_good = add_library(&zip, job);
    zip_write_add(&zip, "resources/fmu.txt", job->manifest, strlen(job->manifest));
    if (job->image) {
        zip_write_add(&zip, "resources/model.image", job->image, job->image_size);
        is_good = is_good && sources_add(&zip, &job->pages, job->identifier, job->version);
    }
    for (int k = 0; is_good && !job->image && k < job->n_file; k++) {
        char *name = words_format("resources/model/%s", job->file[k] + job->common);
        is_good = sources_add_file(&zip, name, job->file[k]);
        free(name);
    }
    bool fits = zip_write_end(&zip);
    if (!fits) {
        fprintf(stderr, "biela export: error: %s: an FMU of more than 4 GB cannot be written\n", path);
    }
    if (!is_good || !fits) {
        bi_outfile_discard(output);
        return CLI_MACHINE;
    }
    return outfiles_end(output) ? CLI_OK : CLI_MACHINE;
}

// ---- the command ------------------------------------------------------------------------------------------------------

static void export_json(const export_job *job, const char *out, exit_code code)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_integer(&j, "exit_code", code);
    json_text(&j, "out", code == CLI_OK ? out : NULL);
    json_integer(&j, "fmi", job->version);
    json_text(&j, "interface", job->is_exchange ? "model-exchange" : "co-simulation");
    json_integer(&j, "inputs", bi_input_count(job->s->system));
    json_integer(&j, "channels", bi_channel_count(job->s->system));
    json_end(&j);
}

// With sources the model goes along as it is compiled here: who compiles the library needs no reader of models.
static exit_code take_sources(export_job *job)
{
    bi_report report = { 0 };
    imaging work = { .request = job->request, .code = CLI_BAD };
    if (!sources_find(&job->pages)) {
        return CLI_MACHINE;
    }
    job->image = imaging_make(&work, &job->image_size, &report);
    for (int k = 0; !job->image && k < report.count; k++) {
        if (report.issue[k].severity == BI_ERROR) {
            fprintf(stderr, "biela export: error: with sources the model goes along compiled: %s: %s\n",
                    report.issue[k].where ? report.issue[k].where : job->s->short_name, report.issue[k].what);
        }
    }
    bi_report_clear(&report);
    free(work.name);
    return job->image ? CLI_OK : imaging_code(&work);
}

static exit_code write_job(const session *s, const session_request *request, const arguments *args)
{
    const char *out = arguments_value(args, "--fmu"), *version = arguments_value(args, "--fmi");
    const char *interface = arguments_value(args, "--interface"), *why;
    export_job job = { .s = s, .request = request, .args = args, .version = version ? atoi(version) : 2 };
    job.is_exchange = interface && strcmp(interface, "model-exchange") == 0;
    if (job.is_exchange && !bi_system_is_ode(s->system, &why)) {
        fprintf(stderr, "biela export: error: %s cannot be an FMU for model exchange: %s\n", s->short_name,
                why);
        return CLI_BAD;
    }
    if (!claims_write(args->files, "--fmu", out)) {
        return CLI_BAD;
    }
    list_files(&job);
    job.identifier = identifier_of(s->short_name);
    exit_code code = arguments_has(args, "--sources") ? take_sources(&job) : CLI_OK;
    if (code == CLI_OK) {
        make_manifest(&job);
        code = write_archive(&job, out);
    }
    if (code == CLI_OK && !arguments_has(args, "--quiet") && !arguments_has(args, "--json")) {
        if (job.is_exchange) {
            printf("%s: FMI %d.0, model exchange, %d states\n", out, job.version, bi_state_count(s->system));
        } else {
            printf("%s: FMI %d.0, co-simulation, steps of %.9g s\n", out, job.version, s->grid.dt);
        }
        printf("  %d inputs, %d channels, ", bi_input_count(s->system), bi_channel_count(s->system));
        if (job.image) {
            printf("the compiled model, %d pages of sources\n", job.pages.count);
        } else {
            printf("%d files of the model\n", job.n_file);
        }
    }
    if (arguments_has(args, "--json")) {
        export_json(&job, out, code);
    }
    for (int k = 0; k < job.n_file; k++) {
        free(job.file[k]);
    }
    free(job.file);
    free(job.identifier);
    free(job.manifest);
    free(job.image);
    sources_clear(&job.pages);
    return code;
}

static exit_code run_export(const arguments *args)
{
    const char *version = arguments_value(args, "--fmi");
    if (!arguments_value(args, "--fmu")) {
        fprintf(stderr, "biela export: say where to: --fmu FILE.fmu\n");
        return CLI_BAD;
    }
    if (version && strcmp(version, "2") != 0 && strcmp(version, "3") != 0) {
        fprintf(stderr, "biela export: --fmi %s: there are 2 and 3\n", version);
        return CLI_BAD;
    }
    const char *interface = arguments_value(args, "--interface");
    if (interface && strcmp(interface, "co-simulation") != 0 && strcmp(interface, "model-exchange") != 0) {
        fprintf(stderr, "biela export: --interface %s: there are co-simulation and model-exchange\n",
                interface);
        return CLI_BAD;
    }
    session_request request;
    session s = { 0 };
    exit_code code = CLI_BAD;
    if (session_request_make(args, &request)) {
        code = session_open(&s, &request);
        session_print_messages(&s);
        code = code == CLI_OK ? write_job(&s, &request, args) : code;
        session_close(&s);
    }
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--fmu", "FILE.fmu", "the FMU to write" },
    { "--fmi", "2|3", "version of the standard; default 2" },
    { "--interface", "co-simulation|model-exchange",
      "who integrates: the FMU, with the bits of a run (default), or the simulator, where the model is a "
      "tree "
      "of joints" },
    { "--sources", NULL,
      "with the sources of the library, for other machines and simulators that compile; parameters are then "
      "fixed" },
    RUN_OPTION("time"),
    RUN_OPTION("dt"),
    RUN_OPTION("every"),
    RUN_OPTION("sleep"),
    RUN_STEP_OPTIONS,
    RUN_OPTION("start_time"),
    RUN_OPTION("start"),
    RUN_OPTION("formulation"),
    { "--quiet", NULL, "no summary" },
    { "--json", NULL, "the result as one JSON object on stdout" },
};

const command command_export = {
    .name = "export",
    .words = "MODEL",
    .summary = "make an FMU of a model, for simulators of other makers",
    .details =
        "The FMU holds the files of the model and the engine for this kind of machine, and needs "
        "nothing else.\n"
        "Inputs, parameters and channels are its variables, with units; its whole state can be read, "
        "set and\n"
        "written. Communication steps that are multiples of the step give the bits of `biela run`: "
        "state.hash\n"
        "(FMI 3.0; state.hash.high and state.hash.low in 2.0) tells them.\n"
        "With --sources the compiled model goes along instead of its files, and so do the pages that a C "
        "compiler\n"
        "makes the library of: cc -O2 -std=c17 -ffp-contract=off -fPIC -shared sources/*.c -lm",
    .example = "  biela export pendulum --fmu out/pendulum.fmu\n"
               "  biela export forklift --run yard --fmi 3 --fmu out/forklift.fmu",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_export,
};
