// SPDX-License-Identifier: MIT
#include "running/flexible/life_files.h"
#include "cli/endings.h"
#include "cli/files.h"
#include "cli/words.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD = 10 };

bool life_files_begin(life_files *f, const session *s, const arguments *args, const char *out)
{
    bi_report report = { 0 };
    const char *data = arguments_value(args, "--life");
    if (!data) {
        return true;
    }
    f->path = file_with_ending(out, ENDING_LIFE);
    f->life = bi_life_create(s->model, data, &report);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return f->life != NULL;
}

bool life_files_step(life_files *f, bi_sim *sim)
{
    if (f->life && !f->has_failed) {
        f->has_failed = !bi_life_add(f->life, sim);
    }
    return !f->has_failed;
}

// FILE.life.csv -> FILE-BODY-life.vtu
static char *grid_name(const life_files *f, const char *body)
{
    size_t stem = strlen(f->path) - strlen(ENDING_LIFE);
    return words_format("%.*s-%s-life.vtu", (int)stem, f->path, body);
}

bool life_files_end(life_files *f)
{
    bi_report report = { 0 };
    if (!f->life) {
        return true;
    }
    bool is_good = bi_life_write(f->life, f->path, &report) == BI_OK;
    for (int k = 0; is_good && bi_life_body(f->life, k); k++) {
        char *path = grid_name(f, bi_life_body(f->life, k));
        is_good = bi_life_write_vtu(f->life, k, path, &report) == BI_OK;
        free(path);
    }
    f->is_written = is_good;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return is_good;
}

// "2.31 runs", "1.2e6 h"
static const char *time_text(double hours, char text[32])
{
    if (!isfinite(hours)) {
        snprintf(text, 32, "endless");
    } else if (hours < 1.0) {
        snprintf(text, 32, "%.3g s", hours * 3600.0);
    } else {
        snprintf(text, 32, "%.3g h", hours);
    }
    return text;
}

static void print_place(int k, const bi_life_place *p, double length)
{
    char life[32];
    static const char *const beam_end[2] = { "start", "end" }, *const side[2] = { "", " bottom" };
    printf("  %2d  %s %s %lld%s%s%s%s%s%s%s%s  %.4g to %.4g MPa, %.6g cycles, damage %.3e, life %.3g runs = "
           "%s%s\n",
           k + 1, p->body, p->is_beam ? "element" : "node", (long long)p->number, p->name ? " '" : "",
           p->name ? p->name : "", p->name ? "'" : "", p->is_beam ? " " : "",
           p->is_beam ? beam_end[p->end] : side[p->end], p->spot ? " (" : "", p->spot ? p->spot : "",
           p->spot ? ")" : "", 1e-6 * p->least, 1e-6 * p->most, p->cycles, p->damage, 1.0 / p->damage,
           time_text(length / p->damage / 3600.0, life),
           isinf(p->damage) ? "; a mean reaches the strength, or the damage is too large for a number" : "");
}

void life_files_print(const life_files *f)
{
    bi_life_place place;
    if (!f->is_written) {
        return;
    }
    (void)bi_life_worst(f->life, 0, &place);
    bi_life_facts facts = bi_life_facts_of(f->life);
    printf("  life          %s (%d places, %" PRId64 " histories, %" PRId64 " samples, counted %s)\n",
           f->path, facts.places, facts.histories, facts.samples, facts.is_once ? "once" : "as repeated");
    for (int k = 0; k < TOLD && bi_life_worst(f->life, k, &place); k++) {
        print_place(k, &place, facts.to - facts.from);
    }
    if (facts.cut > 0) {
        printf("  %" PRId64
               " histories have more open ranges than are kept: their smallest were counted before they "
               "closed\n",
               facts.cut);
    }
    if (facts.turns > 0.25) {
        fprintf(stderr,
                "biela: warning: the stress of the worst place turns at %.0f %% of the steps: its peaks lie "
                "between "
                "them; make the step smaller\n",
                100.0 * facts.turns);
    }
}

void life_files_json(json *j, const life_files *f)
{
    bi_life_place p;
    if (!f->path) {
        return;
    }
    json_text(j, "life", f->is_written ? f->path : NULL);
    json_array(j, "life_worst");
    double length = 0.0;
    for (int k = 0; k < TOLD && f->is_written && bi_life_worst(f->life, k, &p); k++) {
        bi_life_facts facts = bi_life_facts_of(f->life);
        length = facts.to - facts.from;
        json_object(j, NULL);
        json_text(j, "body", p.body);
        json_text(j, "place", p.is_beam ? "element" : "node");
        json_integer(j, "number", p.number);
        json_text(j, "name", p.name);
        json_integer(j, "end", p.end);
        json_text(j, "spot", p.spot);
        json_number(j, "least", p.least);
        json_number(j, "most", p.most);
        json_number(j, "cycles", p.cycles);
        json_number(j, "damage", p.damage);
        json_number(j, "runs", 1.0 / p.damage);
        json_number(j, "hours", length / p.damage / 3600.0);
        json_end(j);
    }
    json_end(j);
}

void life_files_clear(life_files *f)
{
    bi_life_destroy(f->life);
    free(f->path);
}
