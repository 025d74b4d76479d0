// SPDX-License-Identifier: MIT
/* bonds - the bond graphs of a model: causality, equations, matrices, eigenvalues, steady state, audit of the powers. */
#include "pictures/bonds.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include "running/judgement.h"
#include "running/session.h"
#include <biela/loop.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const causality_word[] = { "", "integral", "derivative", "arbitrary" };

typedef struct {
    bi_element element;
    const char *name;
    bi_bonds bonds;
    // of a run
    bool has_run;
    double *energy;    /* (n_bond) at the end, J */
    double *imbalance; /* (n_node) largest sum of the powers at a junction, W */
    double most;       /* largest power of a bond, W */
} shown_graph;

// ---- a run ------------------------------------------------------------------------------------------------------------

static void audit(bi_sim *sim, shown_graph *g)
{
    const bi_bonds *b = &g->bonds;
    double *sum = words_alloc(((size_t)b->n_node + 1) * sizeof *sum);
    for (int k = 0; k < b->n_bond; k++) {
        double v[4] = { 0 };
        bi_sim_bond(sim, g->element, k, v);
        g->energy[k] = v[3];
        g->most = fmax(g->most, fabs(v[2]));
        sum[b->bond[k].from] -= v[2];
        sum[b->bond[k].to] += v[2];
    }
    for (int n = 0; n < b->n_node; n++) {
        g->imbalance[n] = fmax(g->imbalance[n], fabs(sum[n]));
    }
    free(sum);
}

static exit_code run_all(session *s, shown_graph *list, int count)
{
    bi_status status = BI_OK;
    for (int k = 0; k < count; k++) {
        list[k].has_run = true;
        list[k].energy = words_alloc(((size_t)list[k].bonds.n_bond + 1) * sizeof(double));
        list[k].imbalance = words_alloc(((size_t)list[k].bonds.n_node + 1) * sizeof(double));
        audit(s->sim, &list[k]);
    }
    while (status == BI_OK && bi_sim_time(s->sim) < s->run.time * (1.0 - 1e-12)) {
        status = bi_sim_step(s->sim);
        for (int k = 0; status == BI_OK && k < count; k++) {
            audit(s->sim, &list[k]);
        }
    }
    if (status != BI_OK) {
        fprintf(stderr, "biela: error: %s\n", bi_sim_failure(s->sim));
        return CLI_NUMERICAL;
    }
    return CLI_OK;
}

// Nodes that neither store nor waste: what goes in comes out.
static bool is_balanced(const bi_bonds_node *n)
{
    return strcmp(n->kind, "0") == 0 || strcmp(n->kind, "1") == 0 || strcmp(n->kind, "TF") == 0 ||
           strcmp(n->kind, "GY") == 0;
}

static double worst_imbalance(const shown_graph *g, int *where)
{
    double worst = 0.0;
    *where = -1;
    for (int n = 0; n < g->bonds.n_node; n++) {
        if (is_balanced(&g->bonds.node[n]) && (*where < 0 || g->imbalance[n] > worst)) {
            worst = g->imbalance[n];
            *where = n;
        }
    }
    return g->most > 0.0 ? worst / g->most : 0.0;
}

// ---- for people ---------------------------------------------------------------------------------------------------------

static void print_causality(const bi_bonds *b)
{
    fputs("\ncausality (|: end that receives the effort)\n", stdout);
    for (int k = 0; k < b->n_bond; k++) {
        const bi_bonds_bond *x = &b->bond[k];
        printf("  %3d  %s %s %s\n", k + 1, b->node[x->from].name, x->stroke_at_to ? "-->|" : "|-->",
               b->node[x->to].name);
    }
    static const bi_causality listed[] = { BI_CAUSALITY_INTEGRAL, BI_CAUSALITY_DERIVATIVE,
                                           BI_CAUSALITY_ARBITRARY };
    for (int i = 0; i < 3; i++) {
        printf("  %-11s", causality_word[listed[i]]);
        int count = 0;
        for (int n = 0; n < b->n_node; n++) {
            if (b->node[n].causality == listed[i]) {
                printf(" %s", b->node[n].name);
                count++;
            }
        }
        puts(count == 0 ? " none" : "");
    }
}

static void print_equations(const bi_bonds *b)
{
    fputs("\nequations\n", stdout);
    for (int k = 0; k < b->n_state; k++) {
        printf("  d(%s)/dt = %s\n", b->state[k].name, b->state[k].rate);
    }
    for (int n = 0; n < b->n_node; n++) {
        if (b->node[n].causality == BI_CAUSALITY_DERIVATIVE) {
            for (int k = 0; k < b->n_bond; k++) {
                const bi_bonds_bond *x = &b->bond[k];
                if (x->from == n || x->to == n) {
                    bool is_inertia = b->node[n].kind[0] == 'I';
                    printf("  %s.%c = %s*(%s%s)\n", b->node[n].name, is_inertia ? 'p' : 'q', b->node[n].name,
                           is_inertia && x->from == n ? "-" : "", is_inertia ? x->flow : x->effort);
                }
            }
        }
    }
    for (int k = 0; k < b->n_loop; k++) {
        printf("  loop: %s\n", b->loop[k]);
    }
    if (b->is_closed && b->n_state > 0) {
        fputs("closed (loops and derivative storages eliminated)\n", stdout);
        for (int k = 0; k < b->n_state; k++) {
            printf("  d(%s)/dt = %s\n", b->state[k].name, b->closed[k]);
        }
    }
    fputs("where\n", stdout);
    for (int n = 0; n < b->n_node; n++) {
        if (b->node[n].value[0] && strcmp(b->node[n].kind, "state") != 0) {
            printf("  %s = %s\n", b->node[n].name, b->node[n].value);
        }
    }
}

static void print_matrix(const char *title, const double *x, int rows, int columns)
{
    printf("%s\n", title);
    for (int i = 0; i < rows; i++) {
        fputs("  ", stdout);
        for (int k = 0; k < columns; k++) {
            printf(" %14.8g", x[i * columns + k]);
        }
        putchar('\n');
    }
}

static bool is_zero(const double *x, int count)
{
    for (int k = 0; k < count; k++) {
        if (x[k] != 0.0) {
            return false;
        }
    }
    return true;
}

static void print_numbers(const bi_bonds *b)
{
    int n = b->n_state, m = b->n_source;
    if (!b->has_numbers) {
        fputs("\nthe equations have no solution at the start: no matrices\n", stdout);
        return;
    }
    if (n == 0) {
        return;
    }
    fputs("\nrates = A states + B sources; states", stdout);
    for (int k = 0; k < n; k++) {
        printf(" %s", b->state[k].name);
    }
    fputs("; sources", stdout);
    for (int k = 0; k < m; k++) {
        printf(" %s", b->source[k]);
    }
    putchar('\n');
    print_matrix("A", b->A, n, n);
    if (m > 0) {
        print_matrix("B", b->B, n, m);
    }
    if (!is_zero(b->B_rate, n * m)) {
        print_matrix("B of the rates of the sources", b->B_rate, n, m);
    }
    fputs("eigenvalues\n", stdout);
    for (int k = 0; k < n; k++) {
        printf("   %.10g%+.10gi 1/s\n", b->re[k], b->im[k]);
    }
    if (!b->has_steady) {
        fputs("no single steady state\n", stdout);
        return;
    }
    fputs("steady state\n", stdout);
    for (int k = 0; k < n; k++) {
        printf("   %s = %.10g\n", b->state[k].name, b->steady[k]);
    }
    for (int k = 0; k < b->n_bond; k++) {
        printf("   %s -> %s: e = %.10g, f = %.10g\n", b->node[b->bond[k].from].name,
               b->node[b->bond[k].to].name, b->steady_effort[k], b->steady_flow[k]);
    }
}

static void print_graph(const shown_graph *g)
{
    const bi_bonds *b = &g->bonds;
    printf("graph %s: %d nodes, %d bonds, %d states\n", g->name, b->n_node, b->n_bond, b->n_state);
    print_causality(b);
    print_equations(b);
    print_numbers(b);
    if (g->has_run) {
        int where;
        double worst = worst_imbalance(g, &where);
        printf("\nafter the run: largest power %.6g W; powers at junctions, transformers and gyrators add to "
               "zero within "
               "%.2g of it%s%s\n",
               g->most, worst, where >= 0 ? ", worst at " : "", where >= 0 ? b->node[where].name : "");
        for (int k = 0; k < b->n_bond; k++) {
            printf("  %3d  %s -> %s: %.8g J\n", k + 1, b->node[b->bond[k].from].name,
                   b->node[b->bond[k].to].name, g->energy[k]);
        }
    }
}

// ---- for programs -------------------------------------------------------------------------------------------------------

static void json_graph(json *j, const shown_graph *g)
{
    json_object(j, NULL);
    json_text(j, "name", g->name);
    bonds_json_structure(j, &g->bonds);
    if (g->bonds.has_numbers) {
        bonds_json_numbers(j, &g->bonds);
    }
    if (g->has_run) {
        int where;
        json_object(j, "run");
        json_number(j, "largest_power", g->most);
        json_number(j, "imbalance", worst_imbalance(g, &where));
        bonds_json_matrix(j, "energy", g->energy, 1, g->bonds.n_bond);
        json_end(j);
    }
    json_end(j);
}

// ---- the command --------------------------------------------------------------------------------------------------------

static bool value_at_start(void *sim, const char *name, double *value)
{
    return bi_sim_value(sim, name, value);
}

static int make_list(session *s, shown_graph **out)
{
    int count = 0;
    while (bi_model_graph(s->model, count).i > 0) {
        count++;
    }
    *out = words_alloc(((size_t)count + 1) * sizeof **out);
    for (int k = 0; k < count; k++) {
        shown_graph *g = &(*out)[k];
        g->element = bi_model_graph(s->model, k);
        bi_bonds_make(s->model, g->element, value_at_start, s->sim, &g->bonds, &s->report);
        g->name = g->bonds.name ? g->bonds.name : "";
    }
    return count;
}

static void clear_list(shown_graph *list, int count)
{
    for (int k = 0; k < count; k++) {
        bi_bonds_clear(&list[k].bonds);
        free(list[k].energy);
        free(list[k].imbalance);
    }
    free(list);
}

// Parts are boxes unless a depth is given; a picture of every component has all parts open.
static bool read_depth(const arguments *args, int *depth)
{
    enum { DEEPEST = 100 };
    const char *text = arguments_value(args, "--depth");
    *depth = arguments_has(args, "--scalar") ? DEEPEST : 0;
    if (!text || strcmp(text, "all") == 0) {
        *depth = text ? DEEPEST : *depth;
        return true;
    }
    char *end;
    long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number < 0 || number > DEEPEST) {
        fprintf(stderr, "biela bonds: --depth takes a whole number from 0, or all, and not '%s'\n", text);
        return false;
    }
    *depth = (int)number;
    return true;
}

static char *title_of(const session *s, const shown_graph *g, const bonds_choice *c)
{
    return c->part ? words_format("%s: %s, part %s", s->short_name, g->name, c->part)
                   : words_format("%s: %s", s->short_name, g->name);
}

// Several graphs get a file each: FILE-NAME.svg.
static exit_code draw_all(const session *s, const shown_graph *list, int count, const char *path,
                          const arguments *args)
{
    exit_code code = CLI_OK;
    bonds_choice choice = { .is_scalar = arguments_has(args, "--scalar"),
                            .part = arguments_value(args, "--part") };
    if (!read_depth(args, &choice.depth)) {
        return CLI_BAD;
    }
    for (int k = 0; k < count && code == CLI_OK; k++) {
        bonds_view view;
        code = bonds_view_make(&list[k].bonds, &choice, NULL, &view) ? CLI_OK : CLI_BAD;
        bonds_view_clear(&view);
    }
    for (int k = 0; k < count && code == CLI_OK; k++) {
        char *stem = file_with_ending(path, ""), *title = title_of(s, &list[k], &choice);
        char *file =
            count > 1 ? words_format("%s-%s" ENDING_DRAWING, stem, list[k].name) : words_format("%s", path);
        code = claims_write(args->files, "--svg", file) ? CLI_OK : CLI_BAD;
        code = code != CLI_OK                                                     ? code
               : bonds_draw(&list[k].bonds, &choice, title, list[k].energy, file) ? CLI_OK
                                                                                  : CLI_MACHINE;
        if (code == CLI_OK) {
            fprintf(stderr, "written %s\n", file);
        }
        free(stem);
        free(title);
        free(file);
    }
    return code;
}

static exit_code show(session *s, const arguments *args, bool is_json)
{
    shown_graph *list = NULL;
    int count = make_list(s, &list);
    const char *path = arguments_value(args, "--svg");
    exit_code code = CLI_OK;
    if (count == 0) {
        fprintf(stderr, "biela bonds: %s has no `graphs`\n", s->short_name);
        code = CLI_BAD;
    }
    bool has_run = code == CLI_OK && arguments_has(args, "--audit");
    bi_verdict verdict = { .outcome = BI_GOOD };
    if (has_run) {
        code = run_all(s, list, count);
        verdict = bi_sim_verdict(s->sim);
        judgement_warn(&verdict);
    }
    // before the words about it, which must be true
    if (code == CLI_OK && path) {
        code = draw_all(s, list, count, path, args);
    }
    code = code == CLI_OK ? judgement_code(verdict.outcome, args) : code;
    if (is_json) {
        json j = json_start(stdout);
        json_object(&j, NULL);
        json_true_or_false(&j, "ok", code == CLI_OK);
        json_text(&j, "model", s->short_name);
        if (has_run) {
            judgement_json(&j, &verdict);
        }
        json_array(&j, "graphs");
        for (int k = 0; k < count; k++) {
            json_graph(&j, &list[k]);
        }
        json_end(&j);
        session_json_messages(&j, &s->report);
        json_end(&j);
    } else {
        for (int k = 0; k < count; k++) {
            fputs(k > 0 ? "\n" : "", stdout);
            print_graph(&list[k]);
        }
        if (has_run) {
            printf("verdict of the run: %s\n", verdict.line);
        }
    }
    clear_list(list, count);
    return code;
}

// Only the closed equations, as a page.
static exit_code print_closed(session *s, const char *form)
{
    shown_graph *list = NULL;
    int count = make_list(s, &list);
    const bi_bonds **closed = words_alloc(((size_t)count + 1) * sizeof *closed);
    for (int k = 0; k < count; k++) {
        closed[k] = &list[k].bonds;
    }
    if (count == 0) {
        fprintf(stderr, "biela bonds: %s has no `graphs`\n", s->short_name);
    }
    bool ok = count > 0 && bonds_equations(stdout, form, closed, count);
    free(closed);
    clear_list(list, count);
    return ok ? CLI_OK : CLI_BAD;
}

// Only how one effort or flow answers a source.
static exit_code print_response(session *s, const arguments *args, bool is_json)
{
    shown_graph *list = NULL;
    int count = make_list(s, &list);
    const bi_bonds **of = words_alloc(((size_t)count + 1) * sizeof *of);
    for (int k = 0; k < count; k++) {
        of[k] = &list[k].bonds;
    }
    bool has_pictures = arguments_has(args, "--plot");
    const char *asked = arguments_value(args, "--out");
    char *stem = asked          ? words_format("%s", asked)
                 : has_pictures ? words_format("out/%s", s->short_name)
                                : NULL;
    exit_code code = bonds_response(of, count, arguments_value(args, "--response"), stem, is_json,
                                    has_pictures, args->files);
    free(stem);
    free(of);
    clear_list(list, count);
    return code;
}

// What says how a picture is drawn says nothing without one. False: told.
static bool has_picture_or_no_wish(const arguments *args)
{
    static const char *const wishes[] = { "--depth", "--part", "--scalar" };
    if ((arguments_has(args, "--out") || arguments_has(args, "--plot")) &&
        !arguments_has(args, "--response")) {
        fputs("biela bonds: --out and --plot belong to --response\n", stderr);
        return false;
    }
    if (arguments_has(args, "--time") && !arguments_has(args, "--audit")) {
        fputs("biela bonds: --time is that of --audit, which runs the model: name it, too\n", stderr);
        return false;
    }
    for (int k = 0; k < 3; k++) {
        if (arguments_has(args, wishes[k]) && !arguments_has(args, "--svg")) {
            fprintf(stderr, "biela bonds: %s says how --svg draws: name its file, too\n", wishes[k]);
            return false;
        }
    }
    int unused;
    return read_depth(args, &unused);
}

static exit_code run_bonds(const arguments *args)
{
    session_request request = { 0 };
    session s = { 0 };
    exit_code code = CLI_BAD;
    bool is_json = arguments_has(args, "--json");
    const char *form = arguments_value(args, "--equations");
    if (has_picture_or_no_wish(args) && bonds_has_form(form) && session_request_make(args, &request)) {
        code = session_open(&s, &request);
        if (code == CLI_OK) {
            code = arguments_has(args, "--response") ? print_response(&s, args, is_json)
                   : form && !is_json                ? print_closed(&s, form)
                                                     : show(&s, args, is_json);
        } else if (is_json) {
            json j = json_start(stdout);
            json_object(&j, NULL);
            json_true_or_false(&j, "ok", false);
            session_json_messages(&j, &s.report);
            json_end(&j);
        }
        if (!is_json) {
            session_print_messages(&s);
        }
    }
    session_close(&s);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    RUN_OPTION("time"),
    { "--audit", NULL,
      "runs the model and checks that powers add to zero; the picture shows where energy went" },
    { "--equations", "FORM",
      "only the closed equations of linear graphs, as text, latex (a page) or mathml (HTML)" },
    { "--response", "S:L.f",
      "only how an effort (.e) or flow (.f) of a bond answers a source: transfer function, Bode and step" },
    { "--out", "STEM", "with --response: tables STEM-bode.csv and STEM-step.csv" },
    { "--plot", NULL,
      "with --response: a picture beside each table (needs gnuplot); default STEM: out/MODEL" },
    { "--svg", "FILE", "draws the graph; several graphs: FILE-NAME" ENDING_DRAWING },
    { "--depth", "N",
      "parts inside parts that the picture opens: 0 (default) draws each part as a box, all none" },
    { "--part", "NAME", "draws the inside of this part" },
    { "--scalar", NULL, "draws every component of vectors by itself, instead of double lines" },
    { "--json", NULL, "all of it as one JSON object on stdout" },
};

const command command_bonds = {
    .name = "bonds",
    .words = "MODEL",
    .summary = "bond graphs of a model: causality, equations in symbols, eigenvalues, picture",
    .details = "Matrices are those at the start, with ports held. An eigenvalue of zero stands for a state\n"
               "that nothing returns, such as an angle.",
    .example = "  biela bonds bond-motor --svg out/motor.svg\n"
               "  biela bonds clio-bg --svg out/clio.svg --depth 1\n"
               "  biela bonds bond-motor --audit --json\n"
               "  biela bonds bond-rlc --response S:L.f --plot",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_bonds,
};
