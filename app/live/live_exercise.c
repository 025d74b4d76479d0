// SPDX-License-Identifier: MIT
// Exercises in a live simulation: what the model offers, which one is on, how it goes.
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include <biela/names.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const double message_period = 0.25; // s of the clock

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Takes `path`; keeps it if there is such a file.
static void keep_file(char ***paths, int *count, char *path)
{
    char **longer = file_exists(path) ? realloc(*paths, ((size_t)*count + 1) * sizeof *longer) : NULL;
    if (longer) {
        *paths = longer;
        longer[(*count)++] = path;
    } else {
        free(path);
    }
}

// Every exercise of a folder, by name.
static void list_folder(const char *name, char ***paths, int *count)
{
    DIR *dir = opendir(name);
    int first = *count;
    for (const struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        if (entry->d_name[0] != '.' && file_has_ending(entry->d_name, ".yaml")) {
            keep_file(paths, count, words_format("%s/%s", name, entry->d_name));
        }
    }
    if (dir) {
        closedir(dir);
    }
    if (*count > first) {
        qsort(*paths + first, (size_t)(*count - first), sizeof **paths, compare_paths);
    }
}

int live_exercise_list(const char *model_path, char ***paths)
{
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(model_path, &unused);
    int count = bi_document_count(doc, "exercises"), found = 0;
    const char *slash = strrchr(model_path, '/');
    int folder = slash ? (int)(slash - model_path) + 1 : 0;
    *paths = NULL;
    for (int k = 0; k < count; k++) {
        char *place = words_format("exercises.%d", k);
        const char *name = bi_document_text(doc, place);
        if (name) {
            keep_file(paths, &found, words_format("%.*s%s", folder, model_path, name));
        }
        free(place);
    }
    if (count == 0) {
        char *own = words_format("%.*sexercises", folder, model_path);
        list_folder(own, paths, &found);
        free(own);
    }
    if (live_scenario_folder()) {
        list_folder(live_scenario_folder(), paths, &found);
    }
    bi_document_close(doc);
    bi_report_clear(&unused);
    return found;
}

// The exercise of that name among those of the model; NULL: none, or mistakes, told in `why`.
static exercise *find_exercise(const live *l, const char *name, char *why, size_t size)
{
    char **paths;
    int count = live_exercise_list(l->run.s.path, &paths);
    exercise *found = NULL;
    snprintf(why, size, "there is no exercise called '%s'", name);
    for (int k = 0; k < count; k++) {
        char *own = file_model_name(paths[k]);
        if (strcmp(own, name) == 0) {
            bi_report report = { 0 };
            found = exercise_open(paths[k], &report);
            if (!found && report.count > 0) {
                snprintf(why, size, "%s: %s", report.issue[0].where, report.issue[0].what);
            }
            bi_report_clear(&report);
        }
        free(own);
        free(paths[k]);
    }
    free(paths);
    return found;
}

void live_exercise_choose(live *l, int client, const char *name)
{
    char why[512];
    exercise *next = *name ? find_exercise(l, name, why, sizeof why) : NULL;
    if (*name && !next) {
        live_error(l, client, why);
        return;
    }
    if (!live_restart(l, next, NULL, 0, next ? exercise_run(next) : NULL, why, sizeof why)) {
        live_error(l, client, why);
        return;
    }
    live_announce(l);
}

bool live_exercise_fits(const live *l, exercise *ex, char *why, size_t size)
{
    int count;
    session_request request = l->request;
    bi_setting *setting = live_settings(l, ex, &count);
    request.setting = setting;
    request.n_setting = count;
    request.run_name = exercise_run(ex) ? exercise_run(ex) : request.run_name;
    session s = { 0 };
    bool fits =
        session_open(&s, &request) == CLI_OK && exercise_bind(ex, s.path, s.model, s.system, &s.report);
    if (!fits) {
        live_first_error(&s.report, "the model refuses the settings of this exercise", why, size);
    }
    session_close(&s);
    free(setting);
    return fits;
}

// The exercise behind this one; NULL: it was the last. Free it.
static char *name_of_next(const live *l)
{
    char **paths, *next = NULL;
    int count = live_exercise_list(l->run.s.path, &paths);
    bool is_behind = false;
    for (int k = 0; k < count; k++) {
        char *own = file_model_name(paths[k]);
        next = is_behind && !next ? words_format("%s", own) : next;
        is_behind = is_behind || strcmp(own, exercise_name(l->exercise)) == 0;
        free(own);
        free(paths[k]);
    }
    free(paths);
    return next;
}

static void send_exercise(live *l, bool is_over)
{
    outgoing o;
    json *j = l->server ? outgoing_begin(&o, begin_exercise) : NULL;
    if (j) {
        exercise_json(l->exercise, j);
        if (is_over) {
            char *next = name_of_next(l);
            put_exercise_next(j, next);
            put_exercise_report(j, l->run.recorder ? "/report.html" : NULL);
            free(next);
        }
        live_send(l, -1, &o);
    }
}

// Faults that were made at an instant, such as a collision, which may be over before the next frame.
void live_exercise_event(live *l, const bi_loop_notice *n)
{
    bool is_new =
        n->number >= 0 && (n->t > l->event_t || (n->t == l->event_t && n->number > l->event_number));
    if (is_new) {
        l->event_t = n->t;
        l->event_number = n->number;
    }
    // what is only shown again was judged when it was driven
    if (is_new && l->exercise && !l->is_rewound) {
        exercise_event(l->exercise, n->t, n->name);
    }
}

// Into the results; what cannot be written is told once.
static void note_attempt(live *l)
{
    if (!l->book) {
        return;
    }
    char system[20];
    snprintf(system, sizeof system, "%016" PRIx64, bi_system_hash(l->run.s.system));
    book_drive drive = { .model = l->run.s.short_name,
                         .version = bi_version(),
                         .system = system,
                         .recording = l->run.recorder ? bi_recorder_path(l->run.recorder) : NULL };
    book_note(l->book, l->exercise, &drive, live_clock());
    results_problem problem = book_problem(l->book);
    if (problem != l->told_problem && problem != RESULTS_FINE) {
        fprintf(stderr, "biela: error: %s; what was driven is kept, and written as soon as it can be\n",
                results_say(problem, false));
        if (l->server) {
            live_error(l, -1, results_say(problem, false));
        }
    }
    l->told_problem = problem;
}

void live_exercise_pump(live *l, const bi_loop_frame *frame, bool is_new)
{
    if (!l->exercise) {
        return;
    }
    exercise_state before = exercise_state_of(l->exercise);
    l->is_rewound = (frame->flags & BI_FRAME_REWOUND) != 0;
    if (is_new && !l->is_rewound) {
        l->event_t = l->event_t > frame->t ? frame->t : l->event_t; // somebody took over in the past
        exercise_update(l->exercise, frame->t, frame->channel, frame->input);
    }
    note_attempt(l);
    exercise_state now = exercise_state_of(l->exercise);
    double clock = live_clock();
    if (now == before && clock < l->next_exercise) {
        return;
    }
    l->next_exercise = clock + message_period;
    bool is_over = now == EXERCISE_PASSED || now == EXERCISE_FAILED;
    send_exercise(l, is_over);
    if (now != before && is_over && !l->is_quiet) {
        fprintf(stderr, "biela: %s: %s after %.2f s, score %.0f\n", exercise_title(l->exercise),
                exercise_state_name(now), exercise_time(l->exercise), exercise_score(l->exercise));
    }
}
