// SPDX-License-Identifier: MIT
// Wheels, pedals and joysticks of this machine in a drive: --sdl.
#include "cli/files.h"
#include "cli/words.h"
#include "live/live.h"
#include <biela/look.h>
#include <stdlib.h>
#include <string.h>

// ---- what devices say --------------------------------------------------------------------------------------------

static void on_input(void *data, const char *name, double value)
{
    live *l = data;
    bi_input id = bi_find_input(l->run.s.system, name);
    bi_input_info info;
    if (id.i > 0 && bi_model_input_info(l->run.s.model, bi_model_input(l->run.s.model, name), &info)) {
        double sign = l->sign ? l->sign[id.i - 1] : 1.0;
        bi_loop_input(l->run.loop, id.i - 1,
                      bi_control_scale(sign * value, info.min, info.initial, info.max));
        l->device_lost = false;
    }
}

static void on_action(void *data, const char *name)
{
    static const struct {
        const char *name;
        bi_loop_order order;
        double value;
    } actions[] = { { "take", BI_LOOP_TAKE, 0.0 }, { "step", BI_LOOP_STEP, 1.0 } };
    live *l = data;
    const bi_loop_frame *f = bi_loop_latest(l->run.loop, NULL);
    bool is_paused = f->flags & BI_FRAME_PAUSED;
    if (strcmp(name, "play") == 0) {
        bi_loop_send(l->run.loop, (bi_loop_command){ is_paused ? BI_LOOP_PLAY : BI_LOOP_PAUSE, 0.0 });
    } else if (strcmp(name, "rewind") == 0) {
        bi_loop_send(l->run.loop, (bi_loop_command){ BI_LOOP_SEEK, f->t - 2.0 });
    } else if (strcmp(name, "slower") == 0 || strcmp(name, "faster") == 0) {
        bi_loop_send(l->run.loop,
                     (bi_loop_command){ BI_LOOP_SPEED, f->speed * (name[0] == 's' ? 0.5 : 2.0) });
    }
    for (size_t k = 0; k < sizeof actions / sizeof *actions; k++) {
        if (strcmp(name, actions[k].name) == 0) {
            bi_loop_send(l->run.loop, (bi_loop_command){ actions[k].order, actions[k].value });
        }
    }
}

static void on_plugged(void *data, const char *device, const char *mapping)
{
    (void)data;
    if (mapping) {
        fprintf(stderr, "biela: %s: mapping '%s'\n", device, mapping);
    } else {
        fprintf(stderr, "biela: warning: %s: no mapping fits; give one with --mapping\n", device);
    }
}

// Its inputs are at rest already; those of the others must not go on either: the driver reached for the wrong cable.
static void on_unplugged(void *data, const char *device)
{
    live *l = data;
    char *text = words_format("%s was unplugged: inputs are at their safe values", device);
    l->device_lost = true;
    fprintf(stderr, "biela: warning: %s\n", text);
    if (l->server) {
        live_error(l, -1, text);
    }
    free(text);
}

// ---- what is felt in the hand ------------------------------------------------------------------------------------

static int channel_of(const bi_system *system, const char *name)
{
    for (int k = 0; name && k < bi_channel_count(system); k++) {
        if (strcmp(bi_channel_name(system, bi_channel_at(system, k)), name) == 0) {
            return k;
        }
    }
    return -1;
}

// Of the first input that has one. Channels that this run does not have are left out.
static live_feel feel_of(const bi_document *doc, const bi_system *system)
{
    live_feel f = { .gain = 1.0, .full = 1.0 };
    for (int k = 0; doc && k < bi_document_count(doc, "controls"); k++) {
        char place[200];
        const char *input = bi_document_key(doc, "controls", k);
        snprintf(place, sizeof place, "controls.%.80s.feel", input);
        int count = bi_document_count(doc, place);
        for (int i = 0; i < count && f.n < LIVE_FELT; i++) {
            snprintf(place, sizeof place, "controls.%.80s.feel.%d", input, i);
            int channel = channel_of(system, bi_document_text(doc, place));
            f.at[f.n] = channel;
            f.n += channel >= 0;
        }
        if (f.n > 0) {
            snprintf(f.input, sizeof f.input, "%s", input);
            snprintf(place, sizeof place, "controls.%.80s.feel_gain", input);
            (void)bi_document_number(doc, place, &f.gain);
            snprintf(place, sizeof place, "controls.%.80s.feel_full", input);
            (void)bi_document_number(doc, place, &f.full);
            return f;
        }
    }
    return f;
}

void live_devices_feel(live *l, const bi_loop_frame *frame)
{
    const live_feel *f = &l->feel;
    // while time stands, or nobody holds the wheel, it is left alone
    const unsigned still = BI_FRAME_PAUSED | BI_FRAME_ENDED | BI_FRAME_STALE;
    double torque = 0.0;
    for (int k = 0; k < f->n && !(frame->flags & still) && !l->device_lost; k++) {
        torque += f->gain * frame->channel[f->at[k]];
    }
    if (f->n > 0) {
        (void)bi_devices_force(l->devices, f->input, f->full > 0.0 ? torque / f->full : 0.0);
    }
}

// ---- the inputs of the machine -----------------------------------------------------------------------------------

void live_devices_choose(live *l)
{
    int n = bi_input_count(l->run.s.system);
    // those of the hand come last, and no device moves them
    n -= live_hand(l->run.s.system) >= 0 ? BI_HAND_INPUTS : 0;
    const char **name = words_alloc((size_t)(n + 1) * sizeof *name);
    bi_report unused = { 0 };
    bi_document *doc = bi_document_open(l->run.s.path, &unused);
    free(l->sign);
    l->sign = words_alloc((size_t)(n + 1) * sizeof *l->sign);
    for (int k = 0; k < n; k++) {
        name[k] = bi_input_name(l->run.s.system, k);
        l->sign[k] = control_sign(doc, name[k]);
    }
    l->feel = feel_of(doc, l->run.s.system);
    bi_document_close(doc);
    bi_report_clear(&unused);
    for (int k = 0; k < l->n_mapping; k++) {
        bi_mapping_choose(l->mapping[k], name, n);
    }
    free(name);
}

// ---- mappings ----------------------------------------------------------------------------------------------------

static bool add_mapping(live *l, const char *path, bi_report *report)
{
    bi_mapping *m = bi_mapping_open(path, report);
    bi_mapping **longer = m ? realloc(l->mapping, ((size_t)l->n_mapping + 1) * sizeof *longer) : NULL;
    if (!longer) {
        bi_mapping_close(m);
        return false;
    }
    l->mapping = longer;
    l->mapping[l->n_mapping++] = m;
    return true;
}

// Those that come with the page.
static void add_usual_mappings(live *l, bi_report *report)
{
    char *web = file_web_folder();
    for (int f = 0; web && f < 2; f++) {
        char *folder = f == 0 ? words_format("%s/mappings", web) : words_format("%s/../mappings", web);
        char *index = words_format("%s/index.json", folder);
        bi_report unused = { 0 };
        bi_document *doc = file_exists(index) ? bi_document_open(index, &unused) : NULL;
        for (int k = 0; doc && k < bi_document_count(doc, ""); k++) {
            char place[16];
            snprintf(place, sizeof place, "%d", k);
            char *path = words_format("%s/%s", folder,
                                      bi_document_text(doc, place) ? bi_document_text(doc, place) : "");
            (void)add_mapping(l, path, report);
            free(path);
        }
        bool is_found = doc != NULL;
        bi_document_close(doc);
        bi_report_clear(&unused);
        free(index);
        free(folder);
        if (is_found) {
            break;
        }
    }
    free(web);
}

exit_code live_devices_open(live *l, const arguments *args)
{
    bi_report report = { 0 };
    bool is_good = true;
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, "--mapping") == 0) {
            is_good = add_mapping(l, args->given[k].value, &report) && is_good;
        }
    }
    exit_code code = is_good ? CLI_OK : CLI_BAD;
    if (is_good && arguments_has(args, "--sdl")) {
        add_usual_mappings(l, &report);
        bi_device_events events = { l, on_input, on_action, on_plugged, on_unplugged };
        live_devices_choose(l);
        l->devices = bi_devices_open(l->mapping, l->n_mapping, &events, &report);
        code = l->devices ? CLI_OK : CLI_MACHINE;
    }
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    return code;
}

void live_devices_close(live *l)
{
    free(l->sign);
    l->sign = NULL;
    bi_devices_close(l->devices);
    for (int k = 0; k < l->n_mapping; k++) {
        bi_mapping_close(l->mapping[k]);
    }
    free(l->mapping);
    l->devices = NULL;
    l->mapping = NULL;
    l->n_mapping = 0;
}
