// SPDX-License-Identifier: MIT
#include "io/model/run_options.h"
#include "io/model/names.h"
#include <biela/names.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void choose_scheme(bi_run *run, int word)
{
    key_words all;
    key_words_of("@schemes", &all);
    run->scheme = (bi_scheme)bi_scheme_find(all.word[word]);
    // some choose their steps unless dt, which is read later, is given; what only a scheme asked for goes with it
    bool chooses = bi_scheme_chooses_steps(run->scheme);
    if (!run->is_auto || run->is_auto_by_scheme) {
        run->is_auto = run->is_auto_by_scheme = chooses;
    }
}

void run_take_auto(bi_run *run)
{
    run->is_auto = true;
    run->is_auto_by_scheme = false;
}

static void choose_solver(bi_run *run, int word) { run->solver = (bi_solver)word; }

static void choose_formulation(bi_run *run, int word) { run->coordinates = (bi_coordinates)word; }

static void choose_start(bi_run *run, int word)
{
    run->starts_in_equilibrium = word == 1;
    run->starts_settled = word == 2;
}

static const double usual_alpha = 50.0; // 1/s

static void choose_stabilisation(bi_run *run, int word)
{
    run->baumgarte = word == 0 ? 0.0 : usual_alpha;
    run->baumgarte_beta = 0.0;
}

// ---- what does nothing ----------------------------------------------------------------------------------------------

static const char *idle_unless_auto(const bi_run *run)
{
    return run->is_auto ? NULL : "is for steps chosen by error: add 'dt: auto'";
}

static const char *idle_unless_damped(const bi_run *run)
{
    return bi_scheme_is_damped(run->scheme) ? NULL
                                            : "is for schemes that damp, ali3p-alpha and ali3p-flex; others "
                                              "take no notice of it";
}

static const char *idle_unless_explicit(const bi_run *run)
{
    return bi_scheme_is_explicit(run->scheme) ? NULL
                                              : "is for explicit schemes such as rk4; others take no notice "
                                                "of it";
}

static const char *idle_unless_implicit(const bi_run *run)
{
    return bi_scheme_is_explicit(run->scheme)
               ? "is for implicit schemes such as ali3p; explicit ones have no "
                 "iterations save across singular positions"
               : NULL;
}

// ---- the one list ---------------------------------------------------------------------------------------------------

// In the order in which they are taken: scheme before dt before tolerance, stabilisation before alpha.
#define AT(field) .at = offsetof(bi_run, field)
static const run_key table[] = {
    { .def = KEY("time", "number", "length of the run", .unit = "s", .usual = "10", AT(time)),
      .value = "T",
      .rule = NOT_NEGATIVE },
    { .def = KEY("scheme", "@schemes", "how steps are made; explicit ones are not for stiff models",
                 .usual = "ali3p"),
      .value = "S",
      .choose = choose_scheme },
    { .def = KEY("dt", "number", "step; auto: as long as tolerance allows, also of dopri5 without dt",
                 .unit = "s", .usual = "1e-3", AT(dt)),
      .value = "H",
      .rule = POSITIVE },
    { .def = KEY("dt_min", "number", "shortest step of dt auto; default 1e-9", .unit = "s", AT(dt_min)),
      .rule = POSITIVE,
      .idle = idle_unless_auto },
    { .def = KEY("dt_max", "number", "longest step of dt auto; default 0.1", .unit = "s", AT(dt_max)),
      .rule = POSITIVE,
      .idle = idle_unless_auto },
    { .def = KEY("tolerance", "number", "error over the run that steps of dt auto keep", .usual = "1e-5",
                 AT(tolerance)),
      .value = "E",
      .rule = BETWEEN,
      .least = 1e-12,
      .most = 0.1,
      .idle = idle_unless_auto },
    { .def = KEY("every", "number", "time between rows of the result; 0: each step", .unit = "s",
                 .usual = "0", AT(every)),
      .value = "D",
      .rule = NOT_NEGATIVE },
    { .def =
          KEY("rho", "number",
              "ali3p-alpha, ali3p-flex: what is left of the fastest motions after a step, 0 to 1 (as ali3p)",
              .usual = "0.9", AT(rho)),
      .value = "R",
      .rule = BETWEEN,
      .most = 1.0,
      .idle = idle_unless_damped },
    { .def = KEY("formulation", "@formulations", "coordinates", .usual = "natural"),
      .value = "F",
      .choose = choose_formulation },
    { .def = KEY("solver", "@solvers",
                 "linear equations of a step; klu where built in; results agree to rounding", .usual = "own"),
      .value = "L",
      .choose = choose_solver },
    { .def = KEY("start", "@starts",
                 "equilibrium: at rest where forces balance, see biela equilibrium; settled: there, moving "
                 "as described",
                 .usual = "described"),
      .value = "W",
      .choose = choose_start },
    { .def = KEY("sleep", "number",
                 "time at rest after which free bodies fall asleep until something comes near (contact.17); "
                 "0: never",
                 .unit = "s", .usual = "0", AT(sleep)),
      .value = "T",
      .rule = NOT_NEGATIVE },
    { .def = KEY("threads", "number",
                 "threads that share the work of contacts among many bodies; the results are the same bits",
                 .usual = "1", AT(threads)),
      .value = "N",
      .rule = WHOLE,
      .least = 1.0,
      .most = 64.0 },
    { .def = KEY("start_time", "number",
                 "where the clock stands at the start; the run ends at start_time + time", .unit = "s",
                 .usual = "0", AT(start_time)),
      .value = "T" },
    { .def = KEY(
          "newton", "number",
          "Newton's method has converged when its last correction is this part of the first one of a step",
          .usual = "1e-3", AT(newton)),
      .value = "E",
      .rule = BETWEEN,
      .least = 1e-14,
      .most = 0.1,
      .idle = idle_unless_implicit },
    { .def =
          KEY("iterations", "number", "of Newton's method in a step, at most", .usual = "5", AT(iterations)),
      .value = "N",
      .rule = WHOLE,
      .least = 1.0,
      .most = 1000.0,
      .idle = idle_unless_implicit },
    { .def = KEY("penalty", "number",
                 "of constraints, against the masses; larger closes them faster, at the cost of digits",
                 .usual = "1e9", AT(penalty)),
      .value = "P",
      .rule = BETWEEN,
      .least = 100.0, // with 1, nothing converges
      .most = 1e15 },
    { .def = KEY("manoeuvre", "string",
                 "inputs over time, a CSV file: t (s, increasing) and a column per input; straight lines "
                 "between rows, "
                 "end values outside"),
      .value = "FILE.csv" },
    { .def = KEY("stabilisation", "@stabilisations", "of explicit schemes", .usual = "projection"),
      .choose = choose_stabilisation,
      .idle = idle_unless_explicit },
    { .def = KEY("alpha", "number", "of baumgarte; default 50", .unit = "1/s", AT(baumgarte)),
      .rule = POSITIVE,
      .idle = idle_unless_explicit },
    { .def = KEY("beta", "number", "of baumgarte: of positions, whose term is its square; default alpha",
                 .unit = "1/s", AT(baumgarte_beta)),
      .rule = POSITIVE,
      .idle = idle_unless_explicit },
    { .def = KEY("set", "{number}", "in runs only: parameters that this case changes") },
    { .def = KEY("remove", "[string]",
                 "in runs only: what this case leaves out, such as joints.rope or forces.motor") },
};
enum { N_KEY = sizeof table / sizeof *table };
const key_map keys_run = { "run", KEY_ROWS(table) };

const run_key *run_key_at(int k) { return k >= 0 && k < N_KEY ? &table[k] : NULL; }

const run_key *run_key_find(const char *key)
{
    for (int k = 0; key && k < N_KEY; k++) {
        if (strcmp(table[k].def.key, key) == 0) {
            return &table[k];
        }
    }
    return NULL;
}

const char *run_key_idle(const run_key *key, const bi_run *run) { return key->idle ? key->idle(run) : NULL; }

// ---- values ---------------------------------------------------------------------------------------------------------

bool run_is_auto_word(const run_key *key, const char *text)
{
    return strcmp(key->def.key, "dt") == 0 && strcmp(text, "auto") == 0;
}

static bool obeys(const run_key *key, double number)
{
    switch (key->rule) {
    case ANY_NUMBER: return isfinite(number);
    case POSITIVE: return number > 0.0 && isfinite(number);
    case NOT_NEGATIVE: return number >= 0.0 && isfinite(number);
    case BETWEEN: return number >= key->least && number <= key->most;
    case WHOLE: return number >= key->least && number <= key->most && number == floor(number);
    }
    return false;
}

bool run_take_number(const run_key *key, double number, bi_run *run, char *mistake, size_t size)
{
    static const char *const must[] = {
        [ANY_NUMBER] = "be finite", [POSITIVE] = "be positive", [NOT_NEGATIVE] = "not be negative"
    };
    if (!obeys(key, number)) {
        if (key->rule == BETWEEN || key->rule == WHOLE) {
            snprintf(mistake, size, "must be %sbetween %g and %g, and it is %g",
                     key->rule == WHOLE ? "a whole number " : "", key->least, key->most, number);
        } else {
            snprintf(mistake, size, "must %s, and it is %g",
                     isinf(number) && number > 0.0 ? "be finite" : must[key->rule], number);
        }
        return false;
    }
    bool is_of_baumgarte = strcmp(key->def.key, "alpha") == 0 || strcmp(key->def.key, "beta") == 0;
    if (is_of_baumgarte && !(run->baumgarte > 0.0)) {
        snprintf(mistake, size, "is for 'stabilisation: baumgarte', which is not asked for");
        return false;
    }
    double *to = (double *)(void *)((char *)run + key->def.at);
    *to = number;
    if (strcmp(key->def.key, "dt") == 0) {
        run->is_auto = run->is_auto_by_scheme = false;
        run->has_dt = true;
    }
    return true;
}

bi_run bi_run_usual(void)
{
    bi_run run = { .critical_oscillating = "flutter", .critical_real = "divergence" };
    char unused[200];
    for (int k = 0; k < N_KEY; k++) {
        // words that are usual are the first of their lists, which are 0
        if (table[k].def.usual && !table[k].choose) {
            (void)run_take_number(&table[k], strtod(table[k].def.usual, NULL), &run, unused, sizeof unused);
        }
    }
    run.has_dt = false;
    return run;
}

// " (did you mean 'rk4'?)": the word that begins with the text, or is like it.
static const char *hint_of(const char *text, const key_words *words, char hint[NAMES_HINT_SIZE])
{
    for (int k = 0; strlen(text) >= 2 && k < words->count; k++) {
        if (strncmp(text, words->word[k], strlen(text)) == 0) {
            return names_hint(words->word[k], &words->word[k], 1, hint);
        }
    }
    return names_hint(text, words->word, words->count, hint);
}

static bool set_word(const run_key *key, const char *text, const char *where, bi_run *run, bi_report *report)
{
    key_words words;
    char hint[NAMES_HINT_SIZE], list[300];
    key_words_of(key->def.type, &words);
    for (int k = 0; k < words.count; k++) {
        if (strcmp(text, words.word[k]) == 0) {
            key->choose(run, k);
            return true;
        }
    }
    bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, where,
                  "'%.80s' is not known%s; there are: %s", text, hint_of(text, &words, hint),
                  key_words_list(&words, ", ", list, sizeof list));
    return false;
}

static bool set_file(const char *text, const char *where, bi_run *run, bi_report *report)
{
    if (strlen(text) >= sizeof run->manoeuvre) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, where,
                      "the name of the file is too long");
        return false;
    }
    snprintf(run->manoeuvre, sizeof run->manoeuvre, "%s", text);
    return true;
}

static bool set_number(const run_key *key, bi_model *model, const char *text, const char *where, bi_run *run,
                       bi_report *report)
{
    char mistake[200];
    double number = 0.0;
    if (run_is_auto_word(key, text)) {
        run_take_auto(run);
        return true;
    }
    if (!bi_model_number(model, text, key->def.unit ? key->def.unit : "1", where, &number, report)) {
        return false;
    }
    if (!run_take_number(key, number, run, mistake, sizeof mistake)) {
        bi_report_add(report, BI_ERROR, BI_BAD_MODEL, (bi_place){ 0 }, where, "%s", mistake);
        return false;
    }
    // who tells how large the error may be leaves the steps to it
    if (strcmp(key->def.key, "tolerance") == 0) {
        run_take_auto(run);
    }
    return true;
}

// ---- for programs ---------------------------------------------------------------------------------------------------

bool bi_run_set(bi_run *run, bi_model *model, const char *name, const char *text, const char *where,
                bi_report *report)
{
    const run_key *key = run_key_find(name);
    where = where ? where : name;
    if (!run || !model || !text || !key || strcmp(key->def.key, "set") == 0 ||
        strcmp(key->def.key, "remove") == 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, where ? where : "run",
                      "there is no such option of a run");
        return false;
    }
    return key->choose                            ? set_word(key, text, where, run, report)
           : strcmp(key->def.type, "string") == 0 ? set_file(text, where, run, report)
                                                  : set_number(key, model, text, where, run, report);
}

const char *bi_run_idle(const bi_run *run, const char *name)
{
    const run_key *key = run_key_find(name);
    return run && key ? run_key_idle(key, run) : NULL;
}

int bi_run_option_count(void) { return N_KEY; }

bi_run_option bi_run_option_at(int k)
{
    const run_key *key = run_key_at(k);
    return key ? (bi_run_option){ key->def.key, key->value, key->def.unit, key->def.usual, key->def.help }
               : (bi_run_option){ 0 };
}

int bi_run_option_find(const char *name)
{
    const run_key *key = run_key_find(name);
    return key ? (int)(key - table) : -1;
}

const char *bi_run_option_word(const char *name, int k, const char **meaning)
{
    const run_key *key = run_key_find(name);
    key_words words = { 0 };
    const char *unused;
    meaning = meaning ? meaning : &unused;
    *meaning = NULL;
    if (key && key->choose) {
        key_words_of(key->def.type, &words);
    }
    if (k < 0 || k >= words.count) {
        return NULL;
    }
    *meaning = key_meaning(key->def.type, k);
    return words.word[k]; // of a list of the engine, which stays
}

bi_options bi_run_options(const bi_run *run)
{
    bi_run usual = bi_run_usual();
    run = run ? run : &usual;
    return (bi_options){ .coordinates = run->coordinates,
                         .scheme = run->scheme,
                         .dt = run->dt,
                         .damping = 1.0 - run->rho,
                         .solver = run->solver,
                         .accuracy = run->is_auto ? run->tolerance : 0.0,
                         .dt_min = run->dt_min,
                         .dt_max = run->dt_max,
                         .baumgarte = run->baumgarte,
                         .baumgarte_beta = run->baumgarte_beta,
                         .sleep = run->sleep,
                         .tolerance = run->newton,
                         .iterations = (int)run->iterations,
                         .penalty = run->penalty,
                         .start_time = run->start_time,
                         .threads = (int)run->threads,
                         .horizon = run->is_auto ? run->time : 0.0 };
}
