// SPDX-License-Identifier: MIT
/* course - lessons and their results: judge a drive that is given as a table, progress, tables, certificates. */
#include "cli/files.h"
#include "cli/json.h"
#include "cli/words.h"
#include "course/certificate.h"
#include "course/judge.h"
#include "running/outfiles.h"
#include <stdlib.h>
#include <string.h>

// ---- judge -------------------------------------------------------------------------------------------------------

static void print_reasons(const exercise *e)
{
    static const char *const what[] = {
        "fault", "limit", "slower than it should be", "ended by", "the time was over", "not reached"
    };
    exercise_reason r;
    for (int k = 0; exercise_reason_at(e, k, &r); k++) {
        printf("  %s%s%s", what[r.kind], *r.text ? ": " : "", r.text);
        if (r.times > 1) {
            printf(", %d times", r.times);
        }
        if (r.points > 0.0) {
            printf(", -%.4g points", r.points);
        }
        printf("%s%s\n", r.hint ? "; to do better: " : "", r.hint ? r.hint : "");
    }
}

static void json_faults(json *j, const exercise *e)
{
    json_object(j, "faults");
    for (int k = 0; k < exercise_limit_count(e); k++) {
        const exercise_limit *l = exercise_limit_at(e, k);
        if (l->name && l->times > 0) {
            json_integer(j, l->name, l->times);
        }
    }
    json_end(j);
}

static void json_judged(const exercise *e)
{
    json j = json_start(stdout);
    exercise_reason r;
    json_object(&j, NULL);
    json_text(&j, "exercise", exercise_name(e));
    json_text(&j, "state", exercise_state_name(exercise_state_of(e)));
    json_number(&j, "time", exercise_time(e));
    json_number(&j, "score", exercise_score(e));
    json_faults(&j, e);
    json_array(&j, "reasons");
    for (int k = 0; exercise_reason_at(e, k, &r); k++) {
        json_object(&j, NULL);
        json_text(&j, "text", r.text);
        json_integer(&j, "times", r.times);
        json_number(&j, "points", r.points);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

static exit_code verb_judge(const arguments *args)
{
    judged j;
    exit_code code = judge_run(args->word[1], args->word[2], args->word[3], &j);
    if (code == CLI_OK || code == CLI_NUMERICAL) {
        const exercise *e = j.exercise;
        if (arguments_has(args, "--json")) {
            json_judged(e);
        } else {
            printf("%s: %s after %.2f s, score %.0f of 100\n", exercise_title(e),
                   exercise_state_name(exercise_state_of(e)), exercise_time(e), exercise_score(e));
            print_reasons(e);
        }
        if (code == CLI_NUMERICAL) {
            fprintf(stderr, "biela course: error: a step failed: %s\n", bi_sim_failure(j.s.sim));
        }
        code = code == CLI_OK && exercise_state_of(e) != EXERCISE_PASSED ? CLI_DOUBT : code;
    }
    judge_clear(&j);
    return code;
}

// ---- results -----------------------------------------------------------------------------------------------------

static bool is_spanish(const arguments *args)
{
    spoken_language language = SPOKEN_ENGLISH;
    const char *word = arguments_value(args, "--language");
    return word && spoken_language_of(word, &language) && language == SPOKEN_SPANISH;
}

static const char *path_of(const arguments *args)
{
    const char *path = arguments_value(args, "--results");
    return path ? path : RESULTS_USUAL;
}

static exit_code tell(const arguments *args, results_problem problem)
{
    fprintf(stderr, "%s: error: %s\n", path_of(args), results_say(problem, is_spanish(args)));
    return problem == RESULTS_NOT_OURS || problem == RESULTS_OTHER_VERSION || problem == RESULTS_MISSING
               ? CLI_BAD
               : CLI_MACHINE;
}

static exit_code get_all(const arguments *args, const char *trainee, attempts *all)
{
    results_problem problem;
    results *r = results_open(path_of(args), RESULTS_READ, &problem);
    problem = r ? results_get(r, trainee, all) : problem;
    results_close(r);
    return problem == RESULTS_FINE ? CLI_OK : tell(args, problem);
}

// The first attempt of its trainee at its lesson.
static bool is_first(const attempts *all, int k)
{
    bool is = true;
    for (int i = 0; i < k; i++) {
        is = is && (strcmp(all->item[i].trainee, all->item[k].trainee) != 0 ||
                    strcmp(all->item[i].exercise, all->item[k].exercise) != 0);
    }
    return is;
}

typedef struct {
    int tries, passed, faults;
    double best; // negative: none
} progress;

static progress progress_of(const attempts *all, const attempt *of)
{
    progress p = { .best = -1.0 };
    for (int k = 0; k < all->count; k++) {
        const attempt *a = &all->item[k];
        if (strcmp(a->trainee, of->trainee) != 0 || strcmp(a->exercise, of->exercise) != 0) {
            continue;
        }
        bool has_passed = strcmp(a->state, "passed") == 0;
        p.tries++;
        p.passed += has_passed;
        p.best = has_passed && a->score > p.best ? a->score : p.best;
        for (int i = 0; i < a->n_fault; i++) {
            p.faults += a->fault[i].times;
        }
    }
    return p;
}

static void print_progress(const attempts *all, bool in_spanish)
{
    for (int k = 0; k < all->count; k++) {
        if (!is_first(all, k)) {
            continue;
        }
        progress p = progress_of(all, &all->item[k]);
        char *title = certificate_title(&all->item[k], in_spanish ? SPOKEN_SPANISH : SPOKEN_ENGLISH);
        char *best = p.best >= 0.0 ? words_format("%.0f", p.best) : words_format("-");
        printf("%-20s  %-32s  %s %d, %s %d, %s %s, %s %d\n", all->item[k].trainee, title,
               in_spanish ? "intentos" : "attempts", p.tries, in_spanish ? "superados" : "passed", p.passed,
               in_spanish ? "mejor" : "best", best, in_spanish ? "faltas" : "faults", p.faults);
        free(title);
        free(best);
    }
}

static void json_attempts(const attempts *all)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_array(&j, "attempts");
    for (int k = 0; k < all->count; k++) {
        const attempt *a = &all->item[k];
        json_object(&j, NULL);
        json_text(&j, "id", a->id);
        json_text(&j, "trainee", a->trainee);
        json_text(&j, "exercise", a->exercise);
        json_text(&j, "state", a->state);
        json_text(&j, "started", a->started);
        json_text(&j, "ended", a->ended);
        json_number(&j, "time", a->time);
        json_number(&j, "score", a->score);
        json_object(&j, "faults");
        for (int i = 0; i < a->n_fault; i++) {
            json_integer(&j, a->fault[i].name, a->fault[i].times);
        }
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

static exit_code verb_list(const arguments *args)
{
    attempts all = { 0 };
    exit_code code = get_all(args, "", &all);
    if (code == CLI_OK && arguments_has(args, "--json")) {
        json_attempts(&all);
    } else if (code == CLI_OK) {
        print_progress(&all, is_spanish(args));
    }
    attempts_clear(&all);
    return code;
}

static exit_code verb_export(const arguments *args)
{
    attempts all = { 0 };
    exit_code code = claims_write(args->files, "FILE.csv", args->word[1]) ? get_all(args, "", &all) : CLI_BAD;
    bi_outfile *output = code == CLI_OK ? outfiles_begin(args->word[1]) : NULL;
    if (code == CLI_OK) {
        bool is_written = output && attempts_write_csv(&all, bi_outfile_file(output)) && outfiles_end(output);
        code = is_written ? CLI_OK : CLI_MACHINE;
    }
    if (code == CLI_OK) {
        printf(is_spanish(args) ? "%d intentos en %s\n" : "%d attempts in %s\n", all.count, args->word[1]);
    }
    attempts_clear(&all);
    return code;
}

static exit_code verb_import(const arguments *args)
{
    attempts all = { 0 };
    const char *path = args->word[1], *what = NULL;
    int line = 0, n_new = 0;
    results_problem problem;
    FILE *in = bi_open_plain(path, &what);
    bool is_good = in && attempts_read_csv(in, &all, &line, &what);
    if (in) {
        fclose(in);
    }
    if (!is_good) {
        fprintf(stderr, "%s:%d: error: %s\n", path, line, what ? what : "cannot be read");
        return CLI_BAD;
    }
    results *r = results_open(path_of(args), RESULTS_WRITE, &problem);
    problem = r ? results_put_all(r, &all, &n_new) : problem;
    results_close(r);
    if (problem == RESULTS_FINE) {
        printf(is_spanish(args) ? "%d intentos leídos, %d nuevos, en %s\n"
                                : "%d attempts read, %d of them new, in %s\n",
               all.count, n_new, path_of(args));
    }
    attempts_clear(&all);
    return problem == RESULTS_FINE ? CLI_OK : tell(args, problem);
}

static exit_code verb_certificate(const arguments *args)
{
    attempts all = { 0 };
    char *text = NULL;
    size_t size = 0;
    exit_code code =
        claims_write(args->files, "FILE.html", args->word[2]) ? get_all(args, args->word[1], &all) : CLI_BAD;
    FILE *out = code == CLI_OK ? open_memstream(&text, &size) : NULL;
    int count =
        out ? certificate_write(out, args->word[1], &all, is_spanish(args) ? SPOKEN_SPANISH : SPOKEN_ENGLISH)
            : 0;
    if (out) {
        fclose(out);
    }
    if (code == CLI_OK && count == 0) {
        fprintf(stderr,
                is_spanish(args) ? "biela course: error: %s no ha superado ninguna lección\n"
                                 : "biela course: error: %s has passed no lesson\n",
                args->word[1]);
        code = CLI_BAD;
    }
    bi_outfile *output = code == CLI_OK ? outfiles_begin(args->word[2]) : NULL;
    if (code == CLI_OK) {
        bool is_written =
            output && fwrite(text, 1, size, bi_outfile_file(output)) == size && outfiles_end(output);
        code = is_written ? CLI_OK : CLI_MACHINE;
    }
    if (code == CLI_OK) {
        printf("%s\n", args->word[2]);
    }
    attempts_clear(&all);
    free(text);
    return code;
}

// ---- the command -------------------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    int words; // behind it
    const char *wants;
    exit_code (*run)(const arguments *);
} course_verb;

static const course_verb verbs[] = {
    { "judge", 3, "MODEL EXERCISE.yaml INPUTS.csv", verb_judge },
    { "list", 0, "nothing behind it", verb_list },
    { "export", 1, "FILE.csv", verb_export },
    { "import", 1, "FILE.csv", verb_import },
    { "certificate", 2, "TRAINEE FILE.html", verb_certificate },
};

static exit_code run_course(const arguments *args)
{
    const char *word = arguments_value(args, "--language");
    spoken_language unused;
    if (word && !spoken_language_of(word, &unused)) {
        fprintf(stderr, "biela course: error: --language: '%s' is neither en nor es\n", word);
        return CLI_BAD;
    }
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++) {
        if (strcmp(args->word[0], verbs[k].name) != 0) {
            continue;
        }
        if (args->n_word - 1 != verbs[k].words) {
            fprintf(stderr, "biela course %s: wants %s\n", verbs[k].name, verbs[k].wants);
            return CLI_BAD;
        }
        return verbs[k].run(args);
    }
    fprintf(stderr, "biela course: judge, list, export, import or certificate is expected, not '%s'\n",
            args->word[0]);
    return CLI_BAD;
}

static const option options[] = {
    { "--results", "FILE", "the results; default " RESULTS_USUAL },
    { "--language", "en|es", "of what is printed and of the certificate; default en" },
    { "--json", NULL, "judge, list: as one JSON object on stdout" },
};

const command command_course = {
    .name = "course",
    .words = "judge|list|export|import|certificate ...",
    .summary = "lessons: judge a drive, progress of trainees, certificates",
    .details =
        "judge MODEL EXERCISE.yaml INPUTS.csv: the inputs of the table drive the model as `biela run "
        "--manoeuvre` "
        "does,\n"
        "and the exercise judges every step; one that is not passed ends with exit code 4.\n"
        "list: what the trainees of `biela drive MODEL --trainee NAME` have driven. export FILE.csv, import "
        "FILE.csv:\n"
        "all attempts as a table; what is there already is not doubled. certificate TRAINEE FILE.html: one "
        "page to "
        "print.",
    .example = "  biela drive forklift --trainee Ana\n"
               "  biela course list\n"
               "  biela course certificate Ana out/ana.html --language es",
    .min_words = 1,
    .max_words = 4,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_course,
};
