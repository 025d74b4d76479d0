// SPDX-License-Identifier: MIT
/* course - lessons and their results: judge a drive that is given as a table. */
#include "cli/files.h"
#include "cli/words.h"
#include "course/judge.h"
#include "live/live.h"
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

// ---- the command -------------------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    int words; // behind it
    const char *wants;
    exit_code (*run)(const arguments *);
} course_verb;

static const course_verb verbs[] = {
    { "judge", 3, "MODEL EXERCISE.yaml INPUTS.csv", verb_judge },
};

static exit_code run_course(const arguments *args)
{
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
    fprintf(stderr, "biela course: judge is expected, not '%s'\n", args->word[0]);
    return CLI_BAD;
}

static const option options[] = {
    { "--json", NULL, "judge: state, score, faults by their names and reasons as one JSON object on stdout" },
};

const command command_course = {
    .name = "course",
    .words = "judge MODEL EXERCISE.yaml INPUTS.csv",
    .summary = "lessons: judge a drive that is given as a table of inputs",
    .details = "The inputs of the table drive the model as `biela run --manoeuvre` does, and the exercise "
               "judges every\n"
               "step. An exercise that is not passed ends with exit code 4.",
    .example = "  biela course judge forklift models/forklift/course/01-start-and-stop.yaml "
               "tests/course/careless.csv",
    .min_words = 1,
    .max_words = 4,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_course,
};
