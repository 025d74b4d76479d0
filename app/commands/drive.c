// SPDX-License-Identifier: MIT
/* drive - a model in real time, in the browser or without anybody: steps keep up with the clock, controls act at once. */
#include "live/drive.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/words.h"
#include "editing/edit.h"
#include "running/judgement.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_PORT = 8817 };

static const char page_without_viewer[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>biela</title>"
    "<body style=\"font:16px sans-serif;max-width:40em;margin:3em auto\">"
    "<h1>The simulation runs, but the viewer has not been built</h1>"
    "<p>In the folder of the sources: <code>./run</code> builds it and starts it again, or by hand "
    "<code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code>. Then load this page again.</p>"
    "<p>Programs can connect meanwhile: WebSocket at <code>/ws</code>, see "
    "docs/reference/protocol.md.</p></body></html>";

// ---- who may drive ---------------------------------------------------------------------------------------------

// Sixteen bytes nobody can guess, as letters.
static bool make_token(char token[40])
{
    unsigned char bytes[16];
    FILE *random = fopen("/dev/urandom", "rb");
    bool is_good = random && fread(bytes, 1, sizeof bytes, random) == sizeof bytes;
    if (random) {
        fclose(random);
    }
    for (int k = 0; is_good && k < 16; k++) {
        snprintf(token + 2 * k, 3, "%02x", bytes[k]);
    }
    return is_good;
}

// ---- the end ---------------------------------------------------------------------------------------------------

void drive_print_deadlines(const bi_deadlines *d, double dt)
{
    double mean = d->steps > 0 ? d->sum / (double)d->steps : 0.0;
    printf("  deadlines     %" PRId64
           " steps of %.4g s: mean %.1f us, worst %.1f us (at t = %.3f s), %" PRId64 " missed, %" PRId64
           " slips (%.3g s given up)\n",
           d->steps, dt, 1e6 * mean, 1e6 * d->worst, d->worst_t, d->misses, d->slips, d->slipped);
    printf("  kept up       %.6g s simulated in %.6g s of the clock, factor %.4f\n", d->simulated, d->clock,
           d->clock > 0.0 ? d->simulated / d->clock : 0.0);
    for (int k = 0; k < BI_ROOMS; k++) {
        if (d->room[k] > 0.0) {
            printf("  %-13s %.3g s, alone %.4g x real time\n", bi_loop_room_name((bi_loop_room)k), d->room[k],
                   d->simulated / d->room[k]);
        }
    }
    for (int k = 0; k < BI_DEADLINE_BINS; k++) {
        if (d->histogram[k] > 0) {
            printf("  %8.0f us .. %" PRId64 "\n", ldexp(1.0, k), d->histogram[k]);
        }
    }
}

// ---- the command -------------------------------------------------------------------------------------------------

static bool host_resource(void *data, const char *path, bi_server_reply *reply)
{
    live *l = data;
    free(l->resource);
    l->resource = NULL;
    if (live_report_path(path)) {
        return live_report(l, path, reply);
    }
    if (strcmp(path, "/history") == 0) {
        l->resource = live_history_bytes(l->run.history, &reply->size);
    } else if (strcmp(path, "/link") == 0) {
        l->resource = live_link(l, &reply->size);
    } else if (strcmp(path, "/recording") == 0) {
        l->resource = live_recording(l, &reply->size);
    } else if (strcmp(path, "/models") == 0) {
        l->resource = live_gallery(&reply->size);
    } else if (live_scenario_resource(l, path, &l->resource, &reply->size)) {
        reply->type = "application/json";
        reply->bytes = l->resource;
        return true;
    } else if (!live_resource(&l->run.s, path, &l->resource, &reply->size)) {
        return false;
    }
    reply->type = "application/octet-stream";
    reply->bytes = l->resource;
    return l->resource != NULL;
}

static bool is_loopback_name(const char *address)
{
    return !address || strcmp(address, "localhost") == 0 || strncmp(address, "127.", 4) == 0 ||
           strcmp(address, "::1") == 0;
}

// The token of an option into `token`; without the option one is made up where others can reach the address, else it stays empty.
static exit_code take_token(const arguments *args, const char *option, char token[40])
{
    const char *given = arguments_value(args, option);
    if (given) {
        snprintf(token, 40, "%s", given);
        if (!*given || strlen(given) >= 40 ||
            strspn(given, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") !=
                strlen(given)) {
            fprintf(stderr, "biela %s: %s: at most 39 letters, digits, '-' and '_'\n", args->command->name,
                    option);
            return CLI_BAD;
        }
    } else if (!is_loopback_name(arguments_value(args, "--address")) && !make_token(token)) {
        fprintf(stderr, "biela: error: no random numbers for a token; give one with %s\n", option);
        return CLI_MACHINE;
    }
    return CLI_OK;
}

// Drivers by one token, those who only watch by another.
static exit_code take_tokens(const arguments *args, char token[40], char guest[40])
{
    exit_code code = take_token(args, "--token", token);
    code = code == CLI_OK ? take_token(args, "--watch-token", guest) : code;
    if (code == CLI_OK && *guest && !*token) {
        fprintf(stderr, "biela %s: --watch-token: without --token everybody may drive; give both\n",
                args->command->name);
        return CLI_BAD;
    }
    if (code == CLI_OK && *guest && strcmp(guest, token) == 0) {
        fprintf(stderr, "biela %s: --watch-token: must not be the driver's --token\n", args->command->name);
        return CLI_BAD;
    }
    return code;
}

// The addresses that a browser can open: the driver's, and that of those who watch where there is one. Free it.
static char *url_of(const bi_server *server, const char *address, const char *page, const char *token)
{
    // an address that means all of them is none that a browser can open
    char name[128] = "";
    bool is_all = address && (strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0);
    if (is_all && gethostname(name, sizeof name - 1) == 0) {
        address = name;
    }
    bool is_six = address && strchr(address, ':');
    const char *query = !*token ? "" : strchr(page, '?') ? "&token=" : "?token=";
    return words_format("http://%s%s%s:%d/%s%s%s", is_six ? "[" : "", address ? address : "127.0.0.1",
                        is_six ? "]" : "", bi_server_port(server), page, query, token);
}

static void print_other(const live *l, const char *address, const char *page, const char *token,
                        const char *what)
{
    char *url = *token ? url_of(l->server, address, page, token) : NULL;
    if (url) {
        printf("%s  (%s)\n", url, what);
    }
    free(url);
}

// One more, for whoever teaches, where it is asked for; false: told.
static bool take_instructor(const arguments *args, const char *token, const char *guest, char own[40])
{
    const char *given = arguments_value(args, "--instruct-token");
    if (!given) {
        return true;
    }
    if (take_token(args, "--instruct-token", own) != CLI_OK) {
        return false;
    }
    if (!*token || strcmp(own, token) == 0 || strcmp(own, guest) == 0) {
        fprintf(stderr, "biela %s: --instruct-token: give --token, too, and another one for each\n",
                args->command->name);
        return false;
    }
    return true;
}

exit_code drive_open_server(live *l, const arguments *args, const bi_server_options *callbacks)
{
    const char *address = arguments_value(args, "--address");
    char token[40] = "", guest[40] = "", instructor[40] = "";
    double number = USUAL_PORT;
    number_range port = { 0.0, 65535.0, NUMBER_WHOLE, "a number from 0 (any free one) to 65535" };
    if (!option_number(args, "--port", port, &number)) {
        return CLI_BAD;
    }
    exit_code code = take_tokens(args, token, guest);
    if (code != CLI_OK || !take_instructor(args, token, guest, instructor)) {
        return CLI_BAD;
    }
    l->has_instructor = *instructor != '\0';
    bi_report report = { 0 };
    char *root = callbacks->root ? NULL : file_web_folder();
    bi_server_options options = *callbacks;
    options.address = address;
    options.port = (int)number;
    options.token = *token ? token : NULL;
    options.guest_token = *guest ? guest : NULL;
    options.instructor_token = *instructor ? instructor : NULL;
    options.root = callbacks->root ? callbacks->root : root;
    options.page = page_without_viewer;
    l->server = bi_server_create(&options, &report);
    // the usual port may be taken by another drive: any other will do when none was asked for
    if (!l->server && !arguments_has(args, "--port")) {
        bi_report_clear(&report);
        options.port = 0;
        l->server = bi_server_create(&options, &report);
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    free(root);
    if (!l->server) {
        return CLI_MACHINE;
    }
    const char *page = arguments_has(args, "--edit") ? "playground.html?edit" : "";
    char *url = url_of(l->server, address, page, token);
    if (args->n_word == 0) {
        // nobody has chosen yet: the page begins with the gallery
        char *first = url;
        url = words_format("%s%sgallery", first, strchr(first, '?') ? "&" : "?");
        free(first);
    }
    printf("%s\n", url);
    print_other(l, address, page, guest, "to watch");
    print_other(l, address, page, instructor, "to instruct");
    fflush(stdout);
    if (!arguments_has(args, "--no-open") && (arguments_has(args, "--open") || isatty(STDOUT_FILENO))) {
        (void)file_show(url);
    }
    free(url);
    return CLI_OK;
}

exit_code drive_serve(live *l, const arguments *args)
{
    return drive_open_server(l, args,
                             &(bi_server_options){ .data = l,
                                                   .joined = live_joined,
                                                   .message = live_message,
                                                   .left = live_left,
                                                   .resource = host_resource });
}

bool drive_number(const arguments *args, const char *name, double least, double most, double *value)
{
    char *what = words_format("a number from %g to %g", least, most);
    bool is_good = option_number(args, name, (number_range){ least, most, NUMBER_OF_ANY_KIND, what }, value);
    free(what);
    return is_good;
}

static void print_no_start(const live *l, const char *why)
{
    if (!l->lacks_recording) {
        fprintf(stderr, "biela: error: %s\n", why);
    }
}

exit_code drive_show(const rerun_source *source, const arguments *args, const bi_setting *more, int n_more)
{
    bi_loop_options options = { .is_paused = true, .is_threadless = drive_is_threadless };
    session_request request = rerun_request(source, more, n_more, 1);
    live *l = words_alloc(sizeof *l);
    exit_code code = live_open(l, &request, &options, source);
    l->record_path = arguments_value(args, "--record");
    l->is_recorded = l->record_path != NULL;
    code = code == CLI_OK && !claims_write(args->files, "--record", l->record_path) ? CLI_BAD : code;
    code = code == CLI_OK ? drive_serve(l, args) : code;
    if (code == CLI_OK && !live_start(l, &request)) {
        print_no_start(l, "no memory or no thread for the loop");
        code = CLI_MACHINE;
    }
    if (code == CLI_OK) {
        drive_loop(l);
    }
    live_close(l);
    free(l);
    rerun_request_clear(&request);
    return code;
}

// With an exercise it begins with the settings of that one.
static exit_code start_drive(live *l, const session_request *request, const char *exercise_file)
{
    bi_report report = { 0 };
    char why[512] = "no memory or no thread for the loop";
    exercise *ex = exercise_file ? exercise_open(exercise_file, &report) : NULL;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    if (exercise_file && !ex) {
        return CLI_BAD;
    }
    bool is_good =
        ex ? live_restart(l, ex, NULL, 0, exercise_run(ex), why, sizeof why) : live_start(l, request);
    if (!is_good) {
        print_no_start(l, why);
    }
    return is_good ? CLI_OK : ex && !l->lacks_recording ? CLI_BAD : CLI_MACHINE;
}

// The recording, and the page that is made of it while driving.
static bool claim_files(const live *l, const arguments *args)
{
    claims_read(args->files, arguments_value(args, "--exercise"));
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, "--mapping") == 0) {
            claims_read(args->files, args->given[k].value);
        }
    }
    return !l->is_recorded || !l->record_path ||
           (claims_write(args->files, "--record", l->record_path) &&
            claims_write_beside(args->files, "report beside --record:", l->record_path, ENDING_PAGE));
}

// Inputs are the driver's.
static void tell_manoeuvre(const live *l, exit_code code)
{
    const char *file = l->run.s.run.manoeuvre;
    if (code == CLI_OK && file[0] && !l->is_quiet) {
        fprintf(stderr,
                "biela: note: the manoeuvre %s of this run is not played: whoever drives gives the inputs. "
                "`biela run` plays it\n",
                file);
    }
}

// Whoever is named is noted; false: told.
static bool open_book(live *l, const arguments *args)
{
    const char *trainee = arguments_value(args, "--trainee"), *path = arguments_value(args, "--results");
    if (path && !trainee) {
        fputs("biela drive: --results: whose? Give --trainee, too\n", stderr);
        return false;
    }
    if (trainee && (!*trainee || strlen(trainee) > 60)) {
        fputs("biela drive: --trainee: a name of 1 to 60 letters\n", stderr);
        return false;
    }
    l->book = trainee ? book_open(path ? path : RESULTS_USUAL, trainee) : NULL;
    return !trainee || l->book;
}

// Where pages may write; false: told.
static bool take_folder(const arguments *args)
{
    const char *folder = arguments_value(args, "--exercises");
    if (folder && !file_is_folder(folder)) {
        fprintf(stderr, "biela drive: --exercises: '%s' is no folder; make it first\n", folder);
        return false;
    }
    live_scenario_into(folder);
    return true;
}

static exit_code finish_drive(live *l, const arguments *args)
{
    drive_loop(l);
    bi_loop_stop(l->run.loop); // its last frame has the verdict of the whole
    live_send_notices(l);      // what nobody has heard yet
    const bi_loop_frame *frame = bi_loop_latest(l->run.loop, NULL);
    live_exercise_pump(l, frame, true);
    char *recording = words_format("%s", l->run.recorder ? bi_recorder_path(l->run.recorder) : "");
    bool is_whole = live_record_end(&l->run);
    bi_verdict verdict = bi_sim_verdict(l->run.s.sim);
    judgement_warn(&verdict);
    if (!l->is_quiet) {
        printf("%s: %.6g s driven\n", bi_model_name(l->run.s.model), frame->timeline.end);
        drive_print_deadlines(&frame->deadlines, bi_system_dt(l->run.s.system));
        if (*recording) {
            printf("  %s      %s\n", is_whole ? "recorded" : "not whole", recording);
        }
        printf("  verdict       %s\n", verdict.line);
    }
    exit_code code = l->is_recorded && !is_whole ? CLI_MACHINE : CLI_OK;
    code = code == CLI_OK && arguments_has(args, "--headless") ? judgement_code(verdict.outcome, args) : code;
    free(recording);
    bool is_noted = book_close(l->book);
    l->book = NULL;
    return code == CLI_OK && !is_noted ? CLI_MACHINE : code;
}

static exit_code run_drive(const arguments *args)
{
    if (arguments_has(args, "--edit")) {
        return edit_serve(args);
    }
    session_request request;
    bi_loop_options options = { .is_paused = arguments_has(args, "--paused"),
                                .is_unpaced = arguments_has(args, "--unpaced"),
                                .is_threadless = drive_is_threadless };
    exit_code code = CLI_BAD;
    live *l = words_alloc(sizeof *l);
    bool is_good = session_request_make(args, &request) &&
                   drive_number(args, "--speed", 1.0 / 32.0, 8.0, &options.speed) &&
                   drive_number(args, "--time", 0.0, 1e9, &options.time);
    char *first = is_good && !request.model ? live_first_model() : NULL;
    request.model = first ? first : request.model;
    char *usual = is_good && !request.run_name ? live_usual_run(request.model) : NULL;
    request.run_name = usual ? usual : request.run_name;
    request.time = NULL; // of the loop, not of the model's run
    request.prepare = live_prepare(!arguments_has(args, "--headless"));
    is_good = is_good && take_folder(args);
    if (is_good && arguments_has(args, "--instruct-token")) {
        live_teach(&request);
    }
    if (is_good) {
        code = live_open(l, &request, &options, NULL);
        l->is_quiet = arguments_has(args, "--quiet");
        l->tells_status = arguments_has(args, "--status");
        tell_manoeuvre(l, code);
        l->is_recorded = !arguments_has(args, "--no-record");
        l->record_path = arguments_value(args, "--record");
        code = code == CLI_OK && (!claim_files(l, args) || !open_book(l, args)) ? CLI_BAD : code;
        if (code == CLI_OK && !arguments_has(args, "--headless")) {
            code = drive_serve(l, args);
            // a pendulum that has fallen before the page is there is no fun
            l->is_waiting = !options.is_paused && !arguments_has(args, "--sdl");
        }
        if (code == CLI_OK) {
            code = start_drive(l, &request, arguments_value(args, "--exercise"));
        }
        code = code == CLI_OK ? live_devices_open(l, args) : code;
        if (code == CLI_OK) {
            code = finish_drive(l, args);
        }
        live_close(l);
    }
    session_request_clear(&request);
    free(usual);
    free(first);
    free(l);
    return code;
}

static const option drive_options[] = {
    SESSION_OPTIONS,
    { "--dt", "H", "step, s; default: the model's" },
    RUN_OPTION("formulation"),
    RUN_OPTION("threads"),
    DRIVE_OPTIONS,
    { "--edit", NULL, "write the model in the page beside its scene, and save the file from there" },
    { "--headless", NULL, "no server: only the loop, with the initial inputs" },
    { "--time", "T", "end after T seconds; default: when interrupted" },
    { "--speed", "F", "model time per clock time, 1/32 to 8; default 1" },
    { "--paused", NULL, "wait for `play`" },
    { "--unpaced", NULL, "do not wait for the clock" },
    { "--sdl", NULL, "wheels, pedals and joysticks of this machine, through SDL2" },
    { "--mapping", "FILE", "which axis moves which input (web/mappings/README.md)" OPTION_REPEATABLE },
    { "--exercise", "FILE", "an exercise to begin with; the model's own can be chosen in the page" },
    { "--exercises", "FOLDER",
      "exercises that the page writes go there, and those that are there are offered" },
    { "--trainee", "NAME", "who drives: attempts at exercises are noted with this name (biela course)" },
    { "--results", "FILE", "with --trainee: where; default " RESULTS_USUAL },
    { "--record", "FILE",
      "recording; default out/MODEL-DATE" ENDING_RECORDING ", a new one after each restart" },
    { "--no-record", NULL, "do not record" },
    { "--strict", NULL, "with --headless: a doubtful verdict ends with exit code 4 as a bad one does" },
    { "--status", NULL, "a line of JSON on stdout each second, for a program that watches several drives" },
    { "--quiet", NULL, "no report at the end" },
};

const command command_drive = {
    .name = "drive",
    .words = "[MODEL]",
    .summary = "drive a model in real time in the browser",
    .details =
        "Prints the address of the page and opens it where there is a browser. The model runs in step "
        "with the clock;\n"
        "keys, gamepad or on-screen controls move its inputs. Ctrl-C ends the drive and prints how "
        "the deadlines\n"
        "were kept. Without MODEL the page begins with the gallery of all models. With --edit the page\n"
        "is an editor beside the scene, which it runs by itself; it saves this one file, when told to.",
    .example = "  biela drive\n  biela drive pendulum-cart\n  biela drive swing.yaml --edit\n  biela drive "
               "pendulum-cart --headless --time 5",
    .min_words = 0,
    .max_words = 1,
    .options = drive_options,
    .n_option = sizeof drive_options / sizeof *drive_options,
    .run = run_drive,
};
