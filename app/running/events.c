// SPDX-License-Identifier: MIT
#include "running/events.h"
#include "cli/endings.h"
#include "running/outfiles.h"
#include <sys/stat.h>

enum { MOST_LINES = 20 };

static const char *action_name(bi_event_action action) { return action == BI_EVENT_STOP ? "stop" : "note"; }

void events_print(const bi_sim *sim, int *n_printed)
{
    bi_event e;
    for (; *n_printed < bi_sim_event_count(sim); (*n_printed)++) {
        if (*n_printed == MOST_LINES) {
            fputs("biela: event: more of them are in FILE" ENDING_EVENTS "\n", stderr);
        }
        if (*n_printed < MOST_LINES && bi_sim_event(sim, *n_printed, &e)) {
            fprintf(stderr, "biela: event: %s at t = %.9f s: %s%s%s\n", e.name, e.t, e.what,
                    e.remedy ? "; to try: " : "", e.remedy ? e.remedy : "");
        }
    }
}

void events_json(json *j, const bi_sim *sim)
{
    bi_event e;
    json_integer(j, "event_count", bi_sim_event_count(sim));
    json_array(j, "events");
    for (int k = 0; bi_sim_event(sim, k, &e); k++) {
        json_object(j, NULL);
        json_text(j, "name", e.name);
        json_number(j, "t", e.t);
        json_number(j, "value", e.value);
        json_text(j, "do", action_name(e.action));
        json_text(j, "what", e.what);
        json_text(j, "remedy", e.remedy);
        json_end(j);
    }
    json_end(j);
}

// A text field of a CSV file: quoted, quotes doubled.
static void write_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; text && *text; text++) {
        if (*text == '"') {
            fputc('"', file);
        }
        fputc(*text, file);
    }
    fputc('"', file);
}

bool events_write(const bi_sim *sim, const char *path)
{
    struct stat about;
    if (bi_sim_event_count(sim) == 0) {
        // the events of an earlier run must not pass for those of this one
        return lstat(path, &about) != 0 || !S_ISREG(about.st_mode) || remove(path) == 0;
    }
    bi_outfile *output = outfiles_begin(path);
    if (!output) {
        return false;
    }
    FILE *file = bi_outfile_file(output);
    bi_event e;
    int k = 0;
    fputs("name,t,value,do,what,remedy\n", file);
    for (; bi_sim_event(sim, k, &e); k++) {
        fprintf(file, "%s,%.17g,%.17g,%s,", e.name, e.t, e.value, action_name(e.action));
        write_text(file, e.what);
        fputc(',', file);
        write_text(file, e.remedy);
        fputc('\n', file);
    }
    if (k < bi_sim_event_count(sim)) {
        fprintf(file, "lost,,,note,\"%d further events found no room in the list\",\n",
                bi_sim_event_count(sim) - k);
    }
    return outfiles_end(output);
}
