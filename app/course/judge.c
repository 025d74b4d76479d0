// SPDX-License-Identifier: MIT
#include "course/judge.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include "live/live.h"
#include <biela/loop.h>
#include <stdlib.h>

static const double afterwards =
    5.0; // s that are simulated behind the last row of the table: the truck comes to rest

// The inputs of a table: a column `t`, and one for each input that moves.
typedef struct {
    bi_table table;
    int time, n;
    int *column;     // (n)
    bi_input *input; // (n)
} script;

static void complain(const char *path, const char *place, const char *what, bi_report *report)
{
    bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ path, 1, 1 }, place, "%s", what);
}

static bool script_read(const char *path, script *sc, bi_report *report)
{
    *sc = (script){ .time = -1 };
    if (!bi_table_read(path, &sc->table, report)) {
        return false;
    }
    sc->time = bi_table_column(&sc->table, "t");
    const double *t = sc->time >= 0 && sc->table.rows > 0 ? sc->table.value[sc->time] : NULL;
    bool is_rising = t != NULL;
    for (int k = 1; t && k < sc->table.rows; k++) {
        is_rising = is_rising && t[k] >= t[k - 1];
    }
    if (!is_rising) {
        complain(path, "t", "a table of inputs needs a column t that never falls", report);
    }
    return is_rising;
}

static bool script_bind(const char *path, script *sc, const judged *j, bi_report *report)
{
    int errors = report->errors;
    sc->column = words_alloc((size_t)(sc->table.columns + 1) * sizeof *sc->column);
    sc->input = words_alloc((size_t)(sc->table.columns + 1) * sizeof *sc->input);
    for (int c = 0; c < sc->table.columns; c++) {
        bi_input id = c == sc->time ? (bi_input){ 0 } : bi_model_input(j->s.model, sc->table.name[c]);
        if (c != sc->time && id.i == 0) {
            complain(path, sc->table.name[c], "the model has no input of this name", report);
        } else if (id.i > 0) {
            sc->column[sc->n] = c;
            sc->input[sc->n++] = id;
        }
    }
    return report->errors == errors;
}

static void script_clear(script *sc)
{
    bi_table_clear(&sc->table);
    free(sc->column);
    free(sc->input);
}

// Straight between rows, as manoeuvres of runs are; what an input is in a step is its value at the end of it.
static double script_value(const script *sc, int column, double at, int *row)
{
    const double *t = sc->table.value[sc->time], *v = sc->table.value[column];
    while (*row + 1 < sc->table.rows && t[*row + 1] < at) {
        (*row)++;
    }
    int next = *row + 1 < sc->table.rows ? *row + 1 : *row;
    if (at <= t[*row] || t[next] <= t[*row]) {
        return v[at <= t[*row] ? *row : next];
    }
    return at >= t[next] ? v[next] : v[*row] + (v[next] - v[*row]) * (at - t[*row]) / (t[next] - t[*row]);
}

static void drive(judged *j, const script *sc)
{
    bi_sim *sim = j->s.sim;
    double *channel = words_alloc((size_t)(bi_channel_count(j->s.system) + 1) * sizeof *channel);
    double end = sc->table.value[sc->time][sc->table.rows - 1] + afterwards;
    const double *input = bi_sim_input_values(sim);
    bi_event event;
    int n_event = 0, row = 0;
    j->status = BI_OK;
    while (exercise_state_of(j->exercise) <= EXERCISE_RUNNING && bi_sim_time(sim) < end &&
           j->status == BI_OK && !interrupt_asked()) {
        double at = bi_sim_time(sim) + bi_system_dt(j->s.system);
        for (int k = 0; k < sc->n; k++) {
            bi_sim_input(sim, sc->input[k], script_value(sc, sc->column[k], at, &row));
        }
        j->status = bi_sim_step(sim);
        bi_sim_read_all(sim, channel);
        for (; bi_sim_event(sim, n_event, &event); n_event++) {
            exercise_event(j->exercise, event.t, event.name);
        }
        exercise_update(j->exercise, bi_sim_time(sim), channel, input);
    }
    free(channel);
}

static exit_code open_and_drive(const char *model, const char *table, script *sc, judged *j)
{
    int n = exercise_setting_count(j->exercise);
    bi_setting *setting = words_alloc((size_t)(n + 1) * sizeof *setting);
    for (int k = 0; k < n; k++) {
        setting[k] = exercise_setting(j->exercise, k);
    }
    session_request request = { .model = model,
                                .run_name = exercise_run(j->exercise),
                                .prepare = live_forget_manoeuvre,
                                .setting = setting,
                                .n_setting = n };
    exit_code code = session_open(&j->s, &request);
    if (code == CLI_OK && (!exercise_bind(j->exercise, j->s.path, j->s.model, j->s.system, &j->s.report) ||
                           !script_bind(table, sc, j, &j->s.report))) {
        code = CLI_BAD;
    }
    session_print_messages(&j->s);
    free(setting);
    if (code == CLI_OK) {
        interrupt_catch();
        drive(j, sc);
        code = interrupt_asked() ? interrupt_code() : j->status == BI_OK ? CLI_OK : CLI_NUMERICAL;
        interrupt_release();
    }
    return code;
}

exit_code judge_run(const char *model, const char *exercise_file, const char *table, judged *j)
{
    bi_report report = { 0 };
    script sc;
    *j = (judged){ 0 };
    j->exercise = exercise_open(exercise_file, &report);
    bool is_read = script_read(table, &sc, &report) && j->exercise;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    exit_code code = is_read ? open_and_drive(model, table, &sc, j) : CLI_BAD;
    script_clear(&sc);
    return code;
}

void judge_clear(judged *j)
{
    exercise_close(j->exercise);
    session_close(&j->s);
    *j = (judged){ 0 };
}
