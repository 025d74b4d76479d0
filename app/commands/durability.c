// SPDX-License-Identifier: MIT
/* durability - cycles and damage of stress channels in a result: rainflow, Basquin, Goodman, Miner; the worst first. */
#include "cli/json.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/words.h"
#include "measure/rainflow.h"
#include <biela/io.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// One channel: what was counted.
typedef struct {
    const char *name;
    int column;
    rainflow_cycle *cycle;
    int n_cycle;
    double whole;                // cycles, halves as halves
    double least, most;          // of the channel, Pa
    double damage;               // of one run
    const rainflow_cycle *worst; // the cycle that does most of it; NULL: none
    bool is_overstressed;        // a mean beyond the strength
} spot;

typedef struct {
    const char *file;
    bi_table table;
    endurance sn;
    double scale;
    rainflow_kind kind;
    spot *spot;
    int n_spot;
} durability_job;

static int compare_damage(const void *a, const void *b)
{
    const spot *x = a;
    const spot *y = b;
    if (x->damage != y->damage) {
        return x->damage > y->damage ? -1 : 1;
    }
    return x->column - y->column;
}

// Channels that match the patterns, in the order of the file. False: a pattern matches none.
static bool choose_channels(durability_job *job, const words_list *wanted)
{
    job->spot = words_alloc(((size_t)job->table.columns + 1) * sizeof *job->spot);
    bool is_right = true;
    for (int w = 0; w < wanted->count; w++) {
        int before = job->n_spot;
        bool is_known = false;
        nearest best = nearest_start(wanted->name[w], strlen(wanted->name[w]));
        for (int k = 0; k < job->table.columns; k++) {
            const char *name = job->table.name[k];
            nearest_try(&best, name);
            if (strcmp(name, "t") == 0 || fnmatch(wanted->name[w], name, 0) != 0) {
                continue;
            }
            is_known = true;
            bool is_new = true;
            for (int i = 0; i < job->n_spot; i++) {
                is_new = is_new && job->spot[i].column != k;
            }
            if (is_new) {
                job->spot[job->n_spot++] = (spot){ .name = name, .column = k };
            }
        }
        if (job->n_spot == before && !is_known) {
            fprintf(stderr, "biela: error: %s has no column '%s'%s%s%s\n", job->file, wanted->name[w],
                    best.name ? "; did you mean '" : "", best.name ? best.name : "", best.name ? "'?" : "");
            is_right = false;
        }
    }
    return is_right;
}

// Counts one channel. False: reported.
static bool assess(durability_job *job, spot *at)
{
    int rows = job->table.rows;
    double *stress = words_alloc(((size_t)rows + 1) * sizeof *stress);
    at->cycle = words_alloc(((size_t)rows + 2) * sizeof *at->cycle);
    at->least = INFINITY;
    at->most = -INFINITY;
    bool is_finite = true;
    for (int k = 0; k < rows; k++) {
        stress[k] = job->scale * job->table.value[at->column][k];
        is_finite = is_finite && isfinite(stress[k]);
        at->least = fmin(at->least, stress[k]);
        at->most = fmax(at->most, stress[k]);
    }
    if (!is_finite) {
        fprintf(stderr, "biela: error: %s: column '%s' has values that are no numbers\n", job->file,
                at->name);
    } else {
        at->n_cycle = rainflow_count(stress, rows, job->kind, at->cycle);
        at->damage = endurance_damage(&job->sn, at->cycle, at->n_cycle);
        double most = 0.0;
        for (int k = 0; k < at->n_cycle; k++) {
            double own = endurance_damage(&job->sn, &at->cycle[k], 1);
            at->whole += at->cycle[k].count;
            at->is_overstressed = at->is_overstressed || isinf(own);
            if (own > most) {
                most = own;
                at->worst = &at->cycle[k];
            }
        }
    }
    free(stress);
    return is_finite;
}

// ---- what is asked ---------------------------------------------------------------------------------------------

// "150e6,1e6,5": amplitude, cycles, slope.
static bool read_sn(const char *text, endurance *sn)
{
    words_list part = words_split(text ? text : "", ',');
    double value[3];
    bool is_good = part.count == 3;
    for (int k = 0; k < part.count && is_good; k++) {
        char *end;
        value[k] = strtod(part.name[k], &end);
        is_good = *end == '\0' && end != part.name[k] && value[k] > 0.0 && isfinite(value[k]);
    }
    words_list_clear(&part);
    if (!is_good) {
        fputs("biela: error: --sn needs three positive numbers: amplitude in Pa, cycles that it is endured, "
              "slope of the "
              "line, such as 150e6,1e6,5\n",
              stderr);
        return false;
    }
    sn->amplitude = value[0];
    sn->reference_cycles = value[1];
    sn->slope = value[2];
    return true;
}

// ---- what is shown ---------------------------------------------------------------------------------------------

static double duration(const durability_job *job)
{
    int t = bi_table_column(&job->table, "t");
    int rows = job->table.rows;
    return t >= 0 && rows > 1 ? job->table.value[t][rows - 1] - job->table.value[t][0] : 0.0;
}

static double time_of(const durability_job *job, int row)
{
    int t = bi_table_column(&job->table, "t");
    return t >= 0 ? job->table.value[t][row] : row;
}

static void print_text(const durability_job *job)
{
    int width = 7;
    for (int k = 0; k < job->n_spot; k++) {
        int length = (int)strlen(job->spot[k].name);
        width = length > width ? length : width;
    }
    printf("%-*s  %10s  %10s  %8s  %10s  %10s  %s\n", width, "channel", "least MPa", "most MPa", "cycles",
           "damage", "runs", "worst cycle: range, mean MPa, at t");
    for (int k = 0; k < job->n_spot; k++) {
        const spot *s = &job->spot[k];
        printf("%-*s  %10.4g  %10.4g  %8.5g  %10.3e  %10.3g", width, s->name, 1e-6 * s->least, 1e-6 * s->most,
               s->whole, s->damage, 1.0 / s->damage);
        if (s->worst) {
            printf("  %.4g, %.4g, %.5g to %.5g", 1e-6 * s->worst->range, 1e-6 * s->worst->mean,
                   time_of(job, s->worst->first), time_of(job, s->worst->second));
        }
        printf("%s\n", s->is_overstressed ? "  mean beyond the strength" : "");
    }
    printf("run of %.6g s, counted %s\n", duration(job), job->kind == RAINFLOW_ONCE ? "once" : "as repeated");
}

static void print_json(const durability_job *job)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_true_or_false(&j, "ok", true);
    json_text(&j, "result", job->file);
    json_number(&j, "duration", duration(job));
    json_text(&j, "counted", job->kind == RAINFLOW_ONCE ? "once" : "repeated");
    json_array(&j, "channels");
    for (int k = 0; k < job->n_spot; k++) {
        const spot *s = &job->spot[k];
        json_object(&j, NULL);
        json_text(&j, "channel", s->name);
        json_number(&j, "least", s->least);
        json_number(&j, "most", s->most);
        json_number(&j, "cycles", s->whole);
        json_number(&j, "damage", s->damage);
        json_number(&j, "runs", 1.0 / s->damage);
        json_array(&j, "rainflow");
        for (int i = 0; i < s->n_cycle; i++) {
            json_object(&j, NULL);
            json_number(&j, "range", s->cycle[i].range);
            json_number(&j, "mean", s->cycle[i].mean);
            json_number(&j, "count", s->cycle[i].count);
            json_number(&j, "from", time_of(job, s->cycle[i].first));
            json_number(&j, "to", time_of(job, s->cycle[i].second));
            json_end(&j);
        }
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

static exit_code assess_all(durability_job *job, const arguments *args)
{
    bi_report report = { 0 };
    if (!bi_table_read(job->file, &job->table, &report)) {
        bi_report_print(&report, stderr);
        bi_report_clear(&report);
        return CLI_BAD;
    }
    bi_report_clear(&report);
    const char *channels = arguments_value(args, "--channel");
    words_list wanted = words_split(channels ? channels : "", ',');
    bool is_right = wanted.count > 0;
    if (!is_right) {
        fputs("biela: error: --channel is needed: names of stress channels, or patterns such as 'hot*'\n",
              stderr);
    }
    is_right = is_right && choose_channels(job, &wanted);
    words_list_clear(&wanted);
    for (int k = 0; is_right && k < job->n_spot; k++) {
        is_right = assess(job, &job->spot[k]);
    }
    if (!is_right) {
        return CLI_BAD;
    }
    qsort(job->spot, (size_t)job->n_spot, sizeof *job->spot, compare_damage);
    if (arguments_has(args, "--json")) {
        print_json(job);
    } else {
        print_text(job);
    }
    return CLI_OK;
}

static exit_code run_durability(const arguments *args)
{
    durability_job job = { .file = args->word[0], .scale = 1.0 };
    job.kind = arguments_has(args, "--once") ? RAINFLOW_ONCE : RAINFLOW_REPEATED;
    bool is_right = read_sn(arguments_value(args, "--sn"), &job.sn);
    is_right = option_number(args, "--ultimate", NUMBER_POSITIVE, &job.sn.ultimate) && is_right;
    is_right = option_number(args, "--limit", NUMBER_POSITIVE, &job.sn.limit) && is_right;
    is_right = option_number(args, "--scale", NUMBER_POSITIVE, &job.scale) && is_right;
    exit_code code = is_right ? assess_all(&job, args) : CLI_BAD;
    for (int k = 0; k < job.n_spot; k++) {
        free(job.spot[k].cycle);
    }
    free(job.spot);
    bi_table_clear(&job.table);
    return code;
}

static const option durability_options[] = {
    { "--channel", "NAMES", "stress channels, separated by commas; * and ? stand for letters" },
    { "--sn", "SA,N,K",
      "endurance: amplitude SA, Pa, for N cycles; N falls with the power K of the amplitude" },
    { "--ultimate", "RM", "tensile strength, Pa: Goodman's correction of the mean (default: none)" },
    { "--limit", "SD", "amplitudes up to SD, Pa, do no damage (default: all do)" },
    { "--scale", "X", "stress, Pa, per unit of the channel, for moments or strains (default 1)" },
    { "--once", NULL, "count the run once, what does not close as half cycles; default: the run repeated" },
    { "--json", NULL, "everything, all cycles included, as one JSON object" },
};

const command command_durability = {
    .name = "durability",
    .words = "RESULT",
    .summary = "count cycles of stress and add up their damage, the worst place first",
    .details = "Rainflow counting (ASTM E1049), Basquin's line N = N0 (SA/S)^K, Goodman's mean, Miner's sum. "
               "`runs` is how "
               "often the run can be\nrepeated until the damage is 1.",
    .example = "  biela durability car.csv --channel 'hot*' --sn 120e6,2e6,5 --ultimate 500e6",
    .min_words = 1,
    .max_words = 1,
    .options = durability_options,
    .n_option = sizeof durability_options / sizeof *durability_options,
    .run = run_durability,
};
