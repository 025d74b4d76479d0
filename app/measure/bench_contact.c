// SPDX-License-Identifier: MIT
/* The contact bench: many boxes in the air, on the floor, in a heap, and a forklift with a pallet, beside the numbers of
 * other programs and the goals. A row that takes too long is stopped, and larger ones of its scene are left out. */
#include "measure/bench_contact.h"
#include "cli/json.h"
#include "cli/words.h"
#include "measure/contact_measure.h"
#include <biela/io.h>
#include <biela/names.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name; // of --only
    const char *title;
    scene_source source;
    boxes_kind boxes;
    double dt;         // s
    double from, span; // s, simulated
    double sleep;      // s
} bench_scene;

typedef struct {
    const bench_scene *scene;
    int n;
    double goal, mujoco, bullet, ode; // us per step; 0: none
} bench_row;

static const bench_scene free_fall = {
    .name = "free-fall", .title = "boxes in free fall", .boxes = BOXES_FREE_FALL, .dt = 1e-3, .span = 1.0
};
static const bench_scene at_rest = {
    .name = "at-rest", .title = "at rest on the floor, awake", .boxes = BOXES_AT_REST, .dt = 1e-3, .span = 1.0
};
static const bench_scene asleep = { .name = "asleep",
                                    .title = "at rest, asleep",
                                    .boxes = BOXES_AT_REST,
                                    .dt = 1e-3,
                                    .from = 0.2,
                                    .span = 1.0,
                                    .sleep = 0.1 };
static const bench_scene pile = {
    .name = "pile", .title = "a pile that tumbles", .boxes = BOXES_PILE, .dt = 1e-3, .span = 1.0
};
// a third of a second: they slide in all of it, and 3000 of them fit into the time that a row may take
static const bench_scene apart = {
    .name = "apart", .title = "boxes that slide and never meet", .boxes = BOXES_APART, .dt = 1e-3, .span = 0.3
};
// backwards at an even speed, the pallet on the forks
static const bench_scene forklift = { .name = "forklift",
                                      .title = "forklift at work, forks in the pallet",
                                      .source = SCENE_FORKLIFT,
                                      .dt = 10e-3,
                                      .from = 8.5,
                                      .span = 2.0 };

// awake, from the hit until the wall has fallen apart; the goal is real time
static const bench_scene crates = { .name = "crates",
                                    .title = "a forklift drives into a wall of crates",
                                    .source = SCENE_CRATES,
                                    .dt = 5e-3,
                                    .span = 1.0 };

/* Others: MuJoCo 3.12.1 (-O3 -march=native, LTO), Bullet and ODE of Debian 12, each at its usual settings and 1 ms, one
 * core of a machine with two at 2.8 GHz; the same boxes. */
/* clang-format off */
static const bench_row rows[] = {
    /* scene        n    goal   MuJoCo  Bullet    ODE */
    { &free_fall,   10,    5.0,    7.2,    0.0,    0.0 },
    { &free_fall,   30,    0.0,   19.0,    0.0,    0.0 },
    { &free_fall,  100,   45.0,   65.0,    0.0,    0.0 },
    { &free_fall,  300,  140.0,  192.0,    0.0,    0.0 },
    { &free_fall, 1000,  500.0,    0.0,    0.0,    0.0 },
    { &at_rest,     10,    0.0,   42.0,    0.0,    0.0 },
    { &at_rest,     30,    0.0,  124.0,    0.0,    0.0 },
    { &at_rest,    100,  250.0,  410.0,    0.0,    0.0 },
    { &at_rest,    300,  800.0, 1299.0,    0.0,    0.0 },
    { &asleep,      10,    0.0,    0.0,    0.0,    0.0 },
    { &asleep,     100,    0.0,    0.0,    0.0,    0.0 },
    { &asleep,    1000,   20.0,    0.0,    0.0,    0.0 },
    { &pile,        10,   40.0,   93.0,   22.0,   39.0 },
    { &pile,        30,  150.0,  760.0,   93.0,  202.0 },
    { &pile,       100,  700.0, 6210.0,  377.0,  881.0 },
    { &pile,       300, 2500.0,    0.0, 1423.0, 3467.0 },
    { &apart,       10,    0.0,    0.0,    0.0,    0.0 },
    { &apart,       30,    0.0,    0.0,    0.0,    0.0 },
    { &apart,      100,    0.0,    0.0,    0.0,    0.0 },
    { &apart,      300,    0.0,    0.0,    0.0,    0.0 },
    { &apart,     1000,    0.0,    0.0,    0.0,    0.0 },
    { &apart,     3000,    0.0,    0.0,    0.0,    0.0 },
    { &forklift,     1,   45.0,   28.0,    0.0,    0.0 },
    { &crates,     300, 5000.0,    0.0,    0.0,    0.0 },
};
/* clang-format on */
enum { N_ROW = sizeof rows / sizeof *rows };
static const double growth_allowed = 1e-6;  // of the largest energy
static const double exponent_allowed = 1.1; // of the time of `apart` over n
static const double usual_budget = 20.0;    // s of CPU
static const double usual_most_bytes = 8e9; // that a row may be expected to hold

typedef struct {
    const char *only; // NULL: all
    int most;         // boxes
    double budget;    // s of CPU
    bi_run run;       // scheme and formulation
    json *j;          // NULL: words
    // of the scene in hand
    const bench_scene *scene;
    int last_n;                // its last row
    double last_bytes;         // what that held
    int stopped_n;             // this row was stopped, larger ones are left out; 0: none
    int n_point;               // of the exponent of `apart`
    double x[N_ROW], y[N_ROW]; // logarithms of n and of the time
} contact_bench;

static void print_cell(double value)
{
    if (value > 0.0) {
        printf(" %8.4g", value);
    } else {
        printf(" %8s", "-");
    }
}

static void print_heading(const contact_bench *b)
{
    printf("Contact, %s coordinates, %s; us of CPU per step, best of several runs from the same start\n\n",
           bi_coordinates_name(b->run.coordinates), bi_scheme_name(b->run.scheme));
    printf("    %-9s %4s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "scene", "N", "us", "goal",
           "MuJoCo", "Bullet", "ODE", "instr.", "iter.", "growth", "nowhere", "depth mm", "allowed",
           "kB/body");
}

static bool keeps_promises(const contact_result *r)
{
    return !(r->growth > growth_allowed) && !(r->depth > r->depth_allowed) && r->verdict == BI_GOOD;
}

static void print_remarks(const bench_row *row, const contact_result *r)
{
    if (r->stopped > 0.0) {
        printf("  stopped after %.0f s at t = %.3g s, %.4g us so far", r->stopped, r->reached, r->us);
    } else if (row->goal > 0.0 && r->us > row->goal) {
        printf("  %.1f x the goal", r->us / row->goal);
    } else {
        printf("%s", row->goal > 0.0 ? "  goal met" : "");
    }
    printf("%s", r->growth > growth_allowed ? "; energy grows" : "");
    printf("%s", r->depth > r->depth_allowed ? "; too deep" : "");
    if (row->scene->sleep > 0.0 && r->asleep < r->bodies) {
        printf("; %d of %d asleep", r->asleep, r->bodies);
    }
    printf("%s%s\n", r->verdict == BI_GOOD ? "" : "; verdict ",
           r->verdict == BI_GOOD ? "" : bi_outcome_name(r->verdict));
}

static void print_row(const bench_row *row, const contact_result *r)
{
    printf("    %-9s %4d", row->scene->name, row->n);
    if (r->code != CLI_OK) {
        puts("  failed");
        return;
    }
    const double cell[] = { r->stopped > 0.0 ? NAN : r->us,
                            row->goal,
                            row->mujoco,
                            row->bullet,
                            row->ode,
                            r->instructions,
                            r->iterations,
                            r->growth,
                            r->nowhere,
                            1e3 * r->depth,
                            1e3 * r->depth_allowed,
                            r->bytes / 1024.0 / r->bodies };
    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++) {
        print_cell(cell[k]);
    }
    print_remarks(row, r);
}

static void json_row_begin(json *j, const bench_row *row)
{
    json_object(j, NULL);
    json_text(j, "scene", row->scene->name);
    json_text(j, "title", row->scene->title);
    json_integer(j, "n", row->n);
    json_number(j, "dt", row->scene->dt);
    json_number(j, "goal_us", row->goal > 0.0 ? row->goal : NAN);
    json_number(j, "mujoco_us", row->mujoco > 0.0 ? row->mujoco : NAN);
    json_number(j, "bullet_us", row->bullet > 0.0 ? row->bullet : NAN);
    json_number(j, "ode_us", row->ode > 0.0 ? row->ode : NAN);
}

static void json_row(json *j, const bench_row *row, const contact_result *r)
{
    bool is_whole = r->code == CLI_OK && !(r->stopped > 0.0);
    json_row_begin(j, row);
    json_text(j, "outcome", r->code != CLI_OK ? "failed" : is_whole ? "measured" : "stopped");
    json_number(j, "us_per_step", is_whole ? r->us : NAN);
    json_number(j, "us_so_far", is_whole ? NAN : r->us);
    json_number(j, "stopped_after", r->stopped > 0.0 ? r->stopped : NAN);
    json_number(j, "reached", r->stopped > 0.0 ? r->reached : NAN);
    json_integer(j, "runs", r->runs);
    json_number(j, "instructions", r->instructions);
    json_number(j, "iterations", r->iterations);
    json_number(j, "setup", r->setup);
    json_number(j, "energy_growth", r->growth);
    json_number(j, "energy_from_nowhere", r->nowhere);
    json_number(j, "depth", r->depth);
    json_number(j, "depth_static", r->depth_static);
    json_number(j, "depth_allowed", r->depth_allowed);
    json_number(j, "speed_at_end", r->speed);
    json_integer(j, "bodies", r->bodies);
    json_integer(j, "asleep", r->asleep);
    json_number(j, "touching_pairs", r->touching);
    json_number(j, "kb_per_body", r->bytes / 1024.0 / (r->bodies > 0 ? r->bodies : 1));
    json_text(j, "verdict", bi_outcome_name(r->verdict));
    json_true_or_false(j, "keeps_promises", is_whole && keeps_promises(r));
    json_end(j);
}

static void leave_out(const contact_bench *b, const bench_row *row, const char *why)
{
    if (b->j) {
        json_row_begin(b->j, row);
        json_text(b->j, "outcome", "left out");
        json_text(b->j, "why", why);
        json_end(b->j);
    } else {
        printf("    %-9s %4d  left out: %s\n", row->scene->name, row->n, why);
    }
}

// Larger rows of a scene that was stopped, and rows that could fill the machine's memory, are left out; NULL: measure it.
static const char *reason_against(contact_bench *b, const bench_row *row)
{
    bool is_same = b->scene && b->scene->source == row->scene->source && b->scene->boxes == row->scene->boxes;
    if (!is_same) {
        b->last_n = 0;
        b->stopped_n = 0;
    }
    b->scene = row->scene;
    if (row->scene->source != SCENE_FORKLIFT && row->n > b->most) {
        return "more than --most";
    }
    if (b->stopped_n > 0 && row->n >= b->stopped_n) {
        return "one as large or smaller was stopped";
    }
    // all pairs: memory with the square of n
    double times = b->last_n > 0 ? (double)row->n / b->last_n : 0.0;
    return b->last_bytes * times * times > usual_most_bytes ? "it could need more than 8 GB" : NULL;
}

static exit_code measure_row(contact_bench *b, const bench_row *row)
{
    contact_job job = { .scene = { .source = row->scene->source, .boxes = row->scene->boxes, .n = row->n },
                        .from = row->scene->from,
                        .span = row->scene->span,
                        .budget = b->budget };
    job.scene.options = bi_run_options(&b->run);
    job.scene.options.dt = row->scene->dt;
    job.scene.options.sleep = row->scene->sleep;
    contact_result result = contact_measure(&job);
    bool is_whole = result.code == CLI_OK && !(result.stopped > 0.0);
    b->stopped_n = is_whole ? b->stopped_n : row->n;
    b->last_n = row->n;
    b->last_bytes = isfinite(result.bytes) ? result.bytes : 0.0;
    if (row->scene == &apart && is_whole) {
        b->x[b->n_point] = log(row->n);
        b->y[b->n_point++] = log(result.us);
    }
    if (b->j) {
        json_row(b->j, row, &result);
    } else {
        print_row(row, &result);
    }
    fflush(stdout);
    return result.code;
}

// Slope of the line through the points; NAN: fewer than two.
static double fitted_exponent(const contact_bench *b)
{
    double n = b->n_point, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < b->n_point; k++) {
        x += b->x[k];
        y += b->y[k];
        xx += b->x[k] * b->x[k];
        xy += b->x[k] * b->y[k];
    }
    return b->n_point > 1 ? (n * xy - x * y) / (n * xx - x * x) : NAN;
}

static void print_end(const contact_bench *b)
{
    double exponent = fitted_exponent(b);
    if (isfinite(exponent)) {
        printf("\n    apart: us ~ N^%.2f over %d sizes (goal: at most %.1f)%s\n", exponent, b->n_point,
               exponent_allowed, exponent > exponent_allowed ? "" : ", goal met");
    }
    puts("\n    Goals are of a scheme made for piles; ALI3-P may take four times as long. growth: largest "
         "rise of "
         "the energy over\n    the largest energy, at most 1e-6; nowhere: the same of the energy less the "
         "work "
         "done; allowed: twice the depth\n    at rest, and what the speed explains. Others, measured on 2 "
         "cores "
         "at 2.8 GHz: MuJoCo 3.12.1; Bullet and ODE, which\n    are not as accurate.");
}

// A number behind an option; false, with a message: it is none, or not above zero.
static bool read_number(const arguments *args, const char *option, double *value)
{
    const char *text = arguments_value(args, option);
    char *end = NULL;
    *value = text ? strtod(text, &end) : *value;
    if (!text || (end != text && *end == '\0' && *value > 0.0 && *value < 1e9)) {
        return true;
    }
    fprintf(stderr, "biela bench: %s wants a number above 0, not '%s'\n", option, text);
    return false;
}

static bool read_scene_name(const arguments *args, contact_bench *b)
{
    b->only = arguments_value(args, "--only");
    nearest best = nearest_start(b->only ? b->only : "", b->only ? strlen(b->only) : 0);
    for (int k = 0; b->only && k < N_ROW; k++) {
        if (strcmp(b->only, rows[k].scene->name) == 0) {
            return true;
        }
        nearest_try(&best, rows[k].scene->name);
    }
    if (b->only) {
        fprintf(stderr, "biela bench: no scene '%s'%s%s%s; there are", b->only, best.name ? ", is it '" : "",
                best.name ? best.name : "", best.name ? "'" : "");
        for (int k = 0; k < N_ROW; k++) {
            if (k == 0 || rows[k].scene != rows[k - 1].scene) {
                fprintf(stderr, "%s %s", k > 0 ? "," : "", rows[k].scene->name);
            }
        }
        fputs("\n", stderr);
    }
    return !b->only;
}

// Scheme and formulation as runs read them.
static bool read_run(const arguments *args, contact_bench *b)
{
    static const char *const key[] = { "scheme", "formulation" };
    bi_report report = { 0 };
    bi_model *model = bi_model_create("bench");
    b->run = bi_run_usual();
    b->run.coordinates = BI_JOINT;
    bool is_right = true;
    for (int k = 0; k < 2; k++) {
        char *option = words_format("--%s", key[k]);
        const char *text = arguments_value(args, option);
        is_right = (!text || bi_run_set(&b->run, model, key[k], text, option, &report)) && is_right;
        free(option);
    }
    b->run.is_auto = false; // steps are as long as the row says
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    bi_model_destroy(model);
    return is_right;
}

const char *bench_contact_option(const arguments *args)
{
    static const char *const needs[] = { "--scheme", "--formulation", "--only", "--most", "--budget" };
    for (size_t k = 0; k < sizeof needs / sizeof *needs; k++) {
        if (arguments_has(args, needs[k])) {
            return needs[k];
        }
    }
    return NULL;
}

static exit_code measure_all(contact_bench *b)
{
    exit_code code = CLI_OK;
    for (int k = 0; k < N_ROW; k++) {
        if (b->only && strcmp(b->only, rows[k].scene->name) != 0) {
            continue;
        }
        const char *why = reason_against(b, &rows[k]);
        if (why) {
            leave_out(b, &rows[k], why);
            continue;
        }
        exit_code last = measure_row(b, &rows[k]);
        code = last == CLI_OK ? code : last;
    }
    return code;
}

exit_code bench_contact(const arguments *args)
{
    contact_bench b = { .budget = usual_budget };
    double most = 1e6;
    if (!read_scene_name(args, &b) || !read_run(args, &b) || !read_number(args, "--most", &most) ||
        !read_number(args, "--budget", &b.budget)) {
        return CLI_BAD;
    }
    b.most = (int)most;
    if (!arguments_has(args, "--json")) {
        print_heading(&b);
        exit_code code = measure_all(&b);
        print_end(&b);
        return code;
    }
    json j = json_start(stdout);
    b.j = &j;
    json_object(&j, NULL);
    json_text(&j, "version", bi_version());
    json_text(&j, "build", bi_build_name());
    json_text(&j, "scheme", bi_scheme_name(b.run.scheme));
    json_text(&j, "formulation", bi_coordinates_name(b.run.coordinates));
    json_array(&j, "rows");
    exit_code code = measure_all(&b);
    json_end(&j);
    json_number(&j, "apart_exponent", fitted_exponent(&b));
    json_end(&j);
    return code;
}
