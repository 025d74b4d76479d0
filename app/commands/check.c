// SPDX-License-Identifier: MIT
/* check - reads, compiles and assembles a model without running it. */
#include "cli/options.h"
#include "running/session.h"

static void check_json(const session *s, const bi_info *info, exit_code code)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", code == CLI_OK);
    json_text(&j, "file", s->path);
    json_integer(&j, "errors", s->report.errors);
    if (code == CLI_OK) {
        bi_statistics n = bi_sim_statistics(s->sim);
        json_text(&j, "name", bi_model_name(s->model));
        json_integer(&j, "bodies", info->bodies);
        json_integer(&j, "joints", info->joints);
        json_count(&j, "degrees_of_freedom", info->degrees_of_freedom);
        json_count(&j, "redundant", info->redundant);
        json_number(&j, "violation", n.violation);
        json_number(&j, "moved", n.moved);
        json_number(&j, "turned", n.turned);
    }
    session_json_messages(&j, &s->report);
    json_end(&j);
}

static const char *plural(int count) { return count == 1 ? "" : "s"; }

static void check_print(const session *s, const bi_info *info)
{
    printf("ok: %s: %d bod%s, %d joint%s, ", bi_model_name(s->model), info->bodies,
           info->bodies == 1 ? "y" : "ies", info->joints, plural(info->joints));
    if (info->degrees_of_freedom < 0) {
        fputs("too large to count its degrees of freedom", stdout);
    } else {
        printf("%d degree%s of freedom", info->degrees_of_freedom, plural(info->degrees_of_freedom));
    }
    if (info->redundant > 0) {
        printf(", %d redundant constraint%s (harmless; `biela info` names them)", info->redundant,
               plural(info->redundant));
    }
    putchar('\n');

    // an assembly that moves the bodies visibly usually means another position than the one described
    bi_statistics n = bi_sim_statistics(s->sim);
    if (n.moved > 1e-6 || n.turned > 1e-6) {
        printf("    the assembly moved a body by %.3g m and turned one by %.3g rad\n", n.moved, n.turned);
    }
}

static exit_code run_check(const arguments *args)
{
    session s = { 0 };
    session_request request;
    bi_info info = { 0 };
    exit_code code = CLI_BAD;
    if (session_request_make(args, &request)) {
        code = session_open(&s, &request);
        session_print_messages(&s);
        if (code == CLI_OK) {
            bi_report notes = { 0 };
            code = bi_sim_info(s.sim, &info, &notes) == BI_OK ? CLI_OK : CLI_NUMERICAL;
            bi_report_clear(&notes);
        }
        if (arguments_has(args, "--json")) {
            check_json(&s, &info, code);
        } else if (code == CLI_OK) {
            check_print(&s, &info);
        }
    }
    session_close(&s);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--json", NULL, "the result as one JSON object on stdout" },
};

const command command_check = {
    .name = "check",
    .words = "MODEL",
    .summary = "read, compile and assemble a model; list all its mistakes",
    .example = "  biela check four-bars --set N=12",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_check,
};
