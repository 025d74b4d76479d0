// SPDX-License-Identifier: MIT
/* handling - standard manoeuvres of a vehicle: numbers, curves, and pass or fail where the standard says so. */
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include "handling/manoeuvre.h"
#include "handling/pages.h"
#include "running/outfiles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *outcome_word(outcome o)
{
    static const char *const word[] = { "", "pass", "fail", "impossible" };
    return word[o];
}

static bool is_for(const manoeuvre *m, const vehicle *v)
{
    return (m->wheels & (v->n_wheel == 2 ? TWO_WHEELS : FOUR_WHEELS)) != 0;
}

// ---- which -----------------------------------------------------------------------------------------------------------

// Bits of those asked for; 0: a name is wrong, and that was told.
static unsigned chosen(const char *only, const vehicle *v)
{
    unsigned bits = 0;
    for (int k = 0; k < manoeuvre_count() && !only; k++) {
        bits |= is_for(manoeuvre_at(k), v) ? 1u << k : 0u;
    }
    words_list names = words_split(only ? only : "", ',');
    for (int i = 0; i < names.count && only; i++) {
        int found = -1;
        nearest best = nearest_start(names.name[i], strlen(names.name[i]));
        for (int k = 0; k < manoeuvre_count(); k++) {
            nearest_try(&best, manoeuvre_at(k)->name);
            found = strcmp(names.name[i], manoeuvre_at(k)->name) == 0 ? k : found;
        }
        if (found < 0) {
            fprintf(stderr, "biela handling: --only: there is no manoeuvre '%s'%s%s%s\n", names.name[i],
                    best.name ? "; did you mean '" : "", best.name ? best.name : "", best.name ? "'?" : "");
            bits = 0;
            break;
        }
        if (!is_for(manoeuvre_at(found), v)) {
            fprintf(stderr, "biela handling: --only: %s is not for vehicles with %d wheels\n", names.name[i],
                    v->n_wheel);
            bits = 0;
            break;
        }
        bits |= 1u << found;
    }
    words_list_clear(&names);
    return bits;
}

// ---- for people ----------------------------------------------------------------------------------------------------------

static void print_one(const protocol *p)
{
    printf("%s: %s%s%s%s%s%s\n", p->of->name, p->of->title, *p->of->standard ? " (" : "", p->of->standard,
           *p->of->standard ? ")" : "", p->outcome != NOT_JUDGED ? ", " : "", outcome_word(p->outcome));
    if (p->why) {
        printf("  %s\n", p->why);
    }
    for (int k = 0; k < p->n_found; k++) {
        const finding *f = &p->found[k];
        if (isfinite(f->value)) {
            printf("  %-44s %12.5g %-7s %s\n", f->name, f->value, f->unit, f->help);
        } else {
            printf("  %-44s %12s %-7s %s\n", f->name, "none", f->unit, f->help);
        }
    }
    fflush(stdout);
}

static void print_list(void)
{
    for (int k = 0; k < manoeuvre_count(); k++) {
        const manoeuvre *m = manoeuvre_at(k);
        printf("  %-14s %-42s %-22s %s\n", m->name, m->title, m->standard,
               m->wheels == TWO_WHEELS    ? "two wheels"
               : m->wheels == FOUR_WHEELS ? "four wheels"
                                          : "");
    }
}

// ---- all of it ----------------------------------------------------------------------------------------------------------------

typedef struct {
    vehicle v;
    protocol *done; /* (n) */
    int n;
    char *name; /* of the model, with its run */
} handled;

static bool claim_files(const arguments *args, const char *folder)
{
    static const char *const name[] = { "handling.html", "handling.csv", "handling.json" };
    bool ok = true;
    for (int k = 0; k < 3 && folder && ok; k++) {
        char *path = words_format("%s/%s", folder, name[k]);
        ok = claims_write(args->files, "--out", path);
        free(path);
    }
    return ok;
}

static exit_code write_all(const handled *h, const char *folder, bool is_quiet)
{
    static const struct {
        const char *name;
        void (*write)(FILE *, const char *title, const protocol *, int n);
    } file[] = { { "handling.html", pages_html },
                 { "handling.csv", pages_csv },
                 { "handling.json", pages_json } };
    exit_code code = CLI_OK;
    for (int k = 0; k < 3 && code == CLI_OK; k++) {
        char *path = words_format("%s/%s", folder, file[k].name);
        bi_outfile *out = outfiles_begin(path);
        if (out) {
            file[k].write(bi_outfile_file(out), h->name, h->done, h->n);
        }
        code = out && outfiles_end(out) ? CLI_OK : CLI_MACHINE;
        if (code == CLI_OK && !is_quiet) {
            printf("  written   %s\n", path);
        }
        free(path);
    }
    return code;
}

static exit_code run_all(handled *h, const arguments *args, unsigned bits)
{
    bool is_json = arguments_has(args, "--json");
    exit_code code = CLI_OK;
    h->done = words_alloc((size_t)manoeuvre_count() * sizeof *h->done);
    for (int k = 0; k < manoeuvre_count() && code == CLI_OK; k++) {
        if ((bits >> k & 1u) == 0) {
            continue;
        }
        protocol *p = &h->done[h->n++];
        p->of = manoeuvre_at(k);
        p->of->run(&h->v, p);
        if (!is_json) {
            print_one(p);
        }
        if (interrupt_asked()) {
            code = interrupt_code();
        }
    }
    return code;
}

// Nothing of what was asked for could be driven.
static bool is_all_impossible(const handled *h)
{
    bool is = h->n > 0;
    for (int k = 0; k < h->n; k++) {
        is = is && h->done[k].outcome == IMPOSSIBLE;
    }
    return is;
}

static exit_code run_handling(const arguments *args)
{
    session_request request = { 0 };
    handled h = { 0 };
    const char *folder = arguments_value(args, "--out");
    exit_code code = CLI_BAD;
    if (arguments_has(args, "--list")) {
        print_list();
        return CLI_OK;
    }
    if (args->n_word == 0) {
        fputs("biela handling: which MODEL?\n", stderr);
        return CLI_BAD;
    }
    if (session_request_make(args, &request)) {
        request.shelf = bi_shelf_create();
        code = vehicle_open(&h.v, &request);
    }
    unsigned bits = code == CLI_OK ? chosen(arguments_value(args, "--only"), &h.v) : 0;
    code = code == CLI_OK && (bits == 0 || !claim_files(args, folder)) ? CLI_BAD : code;
    if (code == CLI_OK) {
        char *model = file_model_name(h.v.path);
        h.name = words_format("%s%s%s", model, request.run_name ? " " : "",
                              request.run_name ? request.run_name : "");
        free(model);
        interrupt_catch();
        code = run_all(&h, args, bits);
        interrupt_release();
        code = code == CLI_OK && folder ? write_all(&h, folder, arguments_has(args, "--json")) : code;
        if (arguments_has(args, "--json")) {
            pages_json(stdout, h.name, h.done, h.n);
        }
        code = code == CLI_OK && is_all_impossible(&h) ? CLI_NUMERICAL : code;
    }
    for (int k = 0; k < h.n; k++) {
        protocol_clear(&h.done[k]);
    }
    free(h.done);
    free(h.name);
    vehicle_close(&h.v);
    bi_shelf_destroy(request.shelf);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--only", "NAMES",
      "these manoeuvres, separated by commas; default: all that the vehicle's wheels are for" },
    { "--out", "FOLDER", "handling.html with curves, handling.csv and handling.json there" },
    { "--list", NULL, "the manoeuvres" },
    { "--json", NULL, "the numbers as one JSON object on stdout" },
};

const command command_handling = {
    .name = "handling",
    .words = "MODEL",
    .summary = "standard manoeuvres of a vehicle, with their numbers, curves and limits",
    .details = "Steady turns, step, sine, pulse and random steering, sine with dwell, braking in a turn and "
               "with one "
               "side slippery,\n"
               "J-turn, fishhook, lane changes, slalom. The section `vehicle` of the model file names body, "
               "wheels and "
               "inputs. What a\n"
               "vehicle cannot do says at what it failed.",
    .example = "  biela handling car --only steady-speed,step\n  biela handling clio --out out/clio",
    .min_words = 0,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_handling,
};
