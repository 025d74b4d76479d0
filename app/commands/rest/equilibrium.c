// SPDX-License-Identifier: MIT
/* equilibrium - where a mechanism comes to rest: poses of its bodies, values and reactions of its joints. */
#include "cli/words.h"
#include "commands/rest/equilibrium_path.h"
#include "running/outfiles.h"
#include "running/session.h"
#include <biela/verdict.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const pose_part[] = { "x", "y", "z", "qw", "qx", "qy", "qz" };
static const char *const wrench_part[] = { "fx", "fy", "fz", "mx", "my", "mz" };

// Every body and joint becomes an output, so that the table is complete whatever the model shows by itself.
static void add_outputs(bi_model *m)
{
    for (int b = 2; b <= bi_model_body_count(m); b++) {
        char *name = words_format("body.%s", bi_model_body_name(m, (bi_body){ b }));
        bi_add_output(m, &(bi_output_def){ .name = name, .kind = BI_OUT_BODY, .body = { b } });
        free(name);
    }
    for (int j = 1; j <= bi_model_joint_count(m); j++) {
        const char *joint = bi_model_joint_name(m, (bi_joint){ j });
        char *value = words_format("joint.%s", joint), *reaction = words_format("reaction.%s", joint);
        if (bi_model_joint_coordinates(m, (bi_joint){ j }) > 0) {
            bi_add_output(m, &(bi_output_def){ .name = value, .kind = BI_OUT_JOINT, .joint = { j } });
        }
        bi_add_output(m, &(bi_output_def){ .name = reaction, .kind = BI_OUT_REACTION, .joint = { j } });
        free(value);
        free(reaction);
    }
}

// Value of "kind.name.part"; false: there is no such channel.
static bool read_part(const session *s, const char *kind, const char *name, const char *part, double *value)
{
    char *text = words_format("%s.%s.%s", kind, name, part);
    bi_channel channel = bi_find_channel(s->system, text);
    *value = channel.i ? bi_sim_read(s->sim, channel) : 0.0;
    free(text);
    return channel.i != 0;
}

typedef struct {
    const char *kind, *title;
    const char *const *part; // NULL: the coordinates of each joint
    int n_part;
} section;

static const section sections[] = {
    { "body", "bodies: position m, quaternion", pose_part, 7 },
    { "joint", "joints: angles rad, positions m", NULL, 0 },
    { "reaction", "reactions on the second body, ground axes: N, N m", wrench_part, 6 },
};

static const char *thing_name(const session *s, const section *what, int k)
{
    bool is_body = what == &sections[0];
    return is_body ? bi_model_body_name(s->model, (bi_body){ k + 2 })
                   : bi_model_joint_name(s->model, (bi_joint){ k + 1 });
}

// Of the k-th thing; NULL: it has no more.
static const char *part_name(const session *s, const section *what, int k, int i)
{
    return !what->part        ? bi_model_joint_coordinate(s->model, (bi_joint){ k + 1 }, i)
           : i < what->n_part ? what->part[i]
                              : NULL;
}

static void print_table(const session *s)
{
    printf("%s: equilibrium, %.1e of the largest force left, %d iterations", bi_model_name(s->model),
           s->balance.residual, s->balance.iterations);
    printf(s->balance.relaxation_steps ? ", %d steps of relaxation\n" : "\n", s->balance.relaxation_steps);
    for (size_t c = 0; c < sizeof sections / sizeof *sections; c++) {
        const section *what = &sections[c];
        bool has_title = false;
        for (int k = 0; thing_name(s, what, k); k++) {
            bool has_name = false;
            const char *part;
            for (int i = 0; (part = part_name(s, what, k, i)) != NULL; i++) {
                double value;
                if (!read_part(s, what->kind, thing_name(s, what, k), part, &value)) {
                    continue;
                }
                if (!has_title) {
                    printf("%s\n", what->title);
                    has_title = true;
                }
                if (!has_name) {
                    printf("  %-16s", thing_name(s, what, k));
                    has_name = true;
                }
                printf(" %s %.9g", part, value);
            }
            if (has_name) {
                putchar('\n');
            }
        }
    }
}

static void print_json(const session *s, const char *out)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", true);
    json_integer(&j, "exit_code", CLI_OK);
    json_text(&j, "model", s->short_name);
    json_number(&j, "residual", s->balance.residual);
    json_integer(&j, "iterations", s->balance.iterations);
    json_integer(&j, "relaxation_steps", s->balance.relaxation_steps);
    json_integer(&j, "without_stiffness", s->balance.soft);
    json_integer(&j, "unstable", s->balance.unstable);
    for (size_t c = 0; c < sizeof sections / sizeof *sections; c++) {
        const section *what = &sections[c];
        json_object(&j, what->kind);
        for (int k = 0; thing_name(s, what, k); k++) {
            json_object(&j, thing_name(s, what, k));
            const char *part;
            for (int i = 0; (part = part_name(s, what, k, i)) != NULL; i++) {
                double value;
                if (read_part(s, what->kind, thing_name(s, what, k), part, &value)) {
                    json_number(&j, part, value);
                }
            }
            json_end(&j);
        }
        json_end(&j);
    }
    json_text(&j, "out", out);
    session_json_messages(&j, &s->report);
    json_end(&j);
}

// What rests has numbers everywhere; the first channel that has none is named.
static bool is_finite(const session *s)
{
    for (int k = 1; k <= bi_channel_count(s->system); k++) {
        bi_channel channel = { k };
        if (!isfinite(bi_sim_read(s->sim, channel))) {
            fprintf(stderr,
                    "error: equilibrium: %s is not finite. The equations of a graph may have no solution at "
                    "rest; "
                    "'biela bonds' shows them\n",
                    bi_channel_name(s->system, channel));
            return false;
        }
    }
    return true;
}

// One row with every channel, as a run would write it at t = 0.
static exit_code write_row(const session *s, const char *out)
{
    bi_csv *csv = outfiles_begin_table(out, s->system);
    if (csv) {
        (void)bi_csv_row(csv, s->sim); // what the file refuses shows at its end
    }
    return csv && outfiles_end_table(csv, out) ? CLI_OK : CLI_MACHINE;
}

static void print_refusal(const session *s, exit_code code)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", false);
    json_integer(&j, "exit_code", code);
    session_json_messages(&j, &s->report);
    json_end(&j);
}

// A flexible body that has left the range in which it is linear: its deflection and its stress are wrong.
static void warn_of_range(session *s)
{
    static const char *const ranges[] = { "deflection", "node-turn" };
    bi_verdict v = bi_sim_verdict(s->sim);
    for (int k = 0; k < v.count; k++) {
        const bi_judgement *one = &v.item[k];
        for (int r = 0; r < 2 && one->outcome != BI_GOOD; r++) {
            if (strcmp(one->name, ranges[r]) == 0) {
                bi_report_add(&s->report, BI_WARNING, BI_OK, (bi_place){ 0 }, "equilibrium",
                              "%s is %.3g, %s (%s above %g, bad above %g); to try: %s", one->what, one->value,
                              one->where, bi_outcome_name(BI_DOUBTFUL), one->doubtful, one->bad, one->advice);
            }
        }
    }
}

// What is written and printed once it stands.
static exit_code tell(session *s, const arguments *args, const path_request *path)
{
    const char *out = arguments_value(args, "--out");
    exit_code code = claims_write(args->files, "--out", out) ? CLI_OK : CLI_BAD;
    if (code == CLI_OK && path->is_asked) {
        code = path_follow(s, path, args);
        warn_of_range(s);
        return code;
    }
    warn_of_range(s);
    code = code == CLI_OK && out ? write_row(s, out) : code;
    if (code == CLI_OK && arguments_has(args, "--json")) {
        print_json(s, out);
    } else if (code == CLI_OK) {
        print_table(s);
    }
    return code;
}

static exit_code run_equilibrium(const arguments *args)
{
    session s = { 0 };
    session_request request;
    path_request path;
    exit_code code = CLI_BAD;
    bool is_good = session_request_make(args, &request);
    if (path_request_make(args, &path) && is_good) {
        request.start = "equilibrium";
        request.prepare = add_outputs;
        request.drive = path.is_asked ? path_request_prepare : NULL;
        request.drive_context = &path;
        code = session_open(&s, &request);
        // the model is right, only no equilibrium was found
        code = code == CLI_BAD && s.sim && s.balance.residual > 0.0 ? CLI_NUMERICAL : code;
        code = code == CLI_OK && !is_finite(&s) ? CLI_NUMERICAL : code;
        bool has_stood = code == CLI_OK;
        code = has_stood ? tell(&s, args, &path) : code;
        session_print_messages(&s);
        bool is_told = has_stood && (path.is_asked || code == CLI_OK);
        if (!is_told && arguments_has(args, "--json")) {
            print_refusal(&s, code);
        }
    }
    session_close(&s);
    session_request_clear(&request);
    path_request_clear(&path);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    RUN_OPTION("formulation"),
    PATH_OPTIONS,
    { "--out", "FILE.csv", "one row with every channel; with --path one for each point" },
    { "--json", NULL, "the table as one JSON object on stdout" },
};

const command command_equilibrium = {
    .name = "equilibrium",
    .words = "MODEL",
    .summary = "find where a model comes to rest",
    .details =
        "Guides are held where they are at t = 0. Directions without stiffness stay where they are "
        "described and\n"
        "are named; so are those along which the equilibrium is unstable. `biela run MODEL --start "
        "equilibrium`\n"
        "runs from there. With --path the load is an input, and equilibria are followed while it changes, "
        "also\n"
        "where it must fall: limits (the load of a snap-through) and branches (buckling) are found and told.",
    .example = "  biela equilibrium governor\n  biela equilibrium pendulum --set theta0=0 --json",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_equilibrium,
};
