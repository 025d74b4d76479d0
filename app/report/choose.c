// SPDX-License-Identifier: MIT
// What a report shows: channels, the body that is followed; and the drive simulated once as it was.
#include "cli/words.h"
#include "report/report.h"
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 6 };

static int channel_number(const bi_system *system, const char *name)
{
    for (int k = 0; name && k < bi_channel_count(system); k++) {
        if (strcmp(bi_channel_name(system, bi_channel_at(system, k)), name) == 0) {
            return k;
        }
    }
    return -1;
}

static bool show(report *p, const char *name)
{
    int k = channel_number(p->base.s.system, name);
    if (k >= 0) {
        p->shown[p->n_shown++] = k;
    }
    return k >= 0;
}

// Those asked for, else those of the head-up display, else the first ones.
bool report_choose_channels(report *p)
{
    const char *asked = arguments_value(p->args, "--plot");
    words_list list = words_split(asked ? asked : "", ',');
    int n_hud = bi_document_count(p->said.doc, "hud");
    bool is_good = true;
    p->shown = words_alloc((size_t)(list.count + (CHANNELS + 1) * (n_hud + 1)) * sizeof *p->shown);
    for (int k = 0; k < list.count; k++) {
        if (!show(p, list.name[k])) {
            (void)session_channel(&p->base.s, list.name[k]);
            is_good = false;
        }
    }
    for (int k = 0; !asked && k < n_hud; k++) {
        char *place = words_format("hud.%d.channel", k);
        (void)show(p, bi_document_text(p->said.doc, place));
        free(place);
        for (int i = 0; i < CHANNELS; i++) {
            place = words_format("hud.%d.channels.%d", k, i);
            (void)show(p, bi_document_text(p->said.doc, place));
            free(place);
        }
    }
    bool has_none = p->n_shown == 0;
    for (int k = 0; has_none && k < CHANNELS && k < bi_channel_count(p->base.s.system); k++) {
        p->shown[p->n_shown++] = k;
    }
    words_list_clear(&list);
    return is_good;
}

static int margin_channel(const report *p)
{
    int k = channel_number(p->base.s.system, spoken_channel_of_kind(&p->said, "margin"));
    return k >= 0 ? k : channel_number(p->base.s.system, "stability.margin");
}

// The body that `view` names, else the first; what has a speed or a margin to show is a vehicle.
void report_choose_body(report *p)
{
    const char *name = bi_document_text(p->said.doc, "view.body");
    bi_body body = name ? bi_model_body(p->base.s.model, name) : (bi_body){ 0 };
    p->body = body.i > 1                                 ? body.i - 1
              : bi_model_body_count(p->base.s.model) > 1 ? 1
                                                         : 0; // 0: of a bond graph
    p->margin = margin_channel(p);
    p->speed = channel_number(p->base.s.system, spoken_channel_of_kind(&p->said, "speed"));
    p->is_vehicle = body.i > 1 && (p->margin >= 0 || p->speed >= 0);
}

// Other parameters may number bodies and channels otherwise, or leave some out.
bool report_watch(const report *p, const rerun *r, outcome_watch *w)
{
    const bi_system *own = p->base.s.system;
    const char *margin = p->margin >= 0 ? bi_channel_name(own, bi_channel_at(own, p->margin)) : NULL,
               *speed = p->speed >= 0 ? bi_channel_name(own, bi_channel_at(own, p->speed)) : NULL;
    int body = p->body;
    if (p->is_vehicle) {
        const char *name = bi_model_body_name(p->base.s.model, (bi_body){ p->body + 1 });
        body = bi_model_body(r->s.model, name).i - 1;
    }
    *w = (outcome_watch){ .body = body, .is_vehicle = p->is_vehicle };
    w->margin = margin ? bi_find_channel(r->s.system, margin) : w->margin;
    w->speed = speed ? bi_find_channel(r->s.system, speed) : w->speed;
    bool is_there = body >= 0 && body < bi_sim_view(r->s.sim).n_body && (!margin || w->margin.i > 0) &&
                    (!speed || w->speed.i > 0);
    if (is_there) {
        outcome_begin(w, r->s.sim, r->s.model);
    }
    return is_there;
}

void report_simulate(report *p)
{
    outcome_watch watch;
    (void)report_watch(p, &p->base, &watch);
    evidence_simulate(
        &p->base,
        &(evidence_watch){
            .exercise = p->exercise, .each = outcome_step, .data = &watch, .kind = EVIDENCE_POSES },
        &p->run);
    outcome_end(&watch);
    p->end = watch.is;
}
