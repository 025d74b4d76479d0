// SPDX-License-Identifier: MIT
#include "running/events.h"
#include "cli/endings.h"
#include "running/outfiles.h"
#include <math.h>
#include <sys/stat.h>

enum { MOST_LINES = 20 };

static const char *action_name(bi_event_action action) { return action == BI_EVENT_STOP ? "stop" : "note"; }

static double speed_of(const bi_hit *hit)
{
    const bi_vec3 v = hit->velocity;
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

// "84.3 kN": three digits, thousands by their letter.
static const char *large(double value, const char *unit, char text[32])
{
    bool is_kilo = fabs(value) >= 1000.0;
    snprintf(text, 32, "%.3g %s%s", is_kilo ? 1e-3 * value : value, is_kilo ? "k" : "", unit);
    return text;
}

bool events_touch(const bi_hit *hit, char text[EVENTS_TOUCH])
{
    char force[32], energy[32], rest[96] = "";
    if (hit->a.i == 0) {
        return false;
    }
    if (hit->force > 0.0) {
        snprintf(rest, sizeof rest, "; largest force %s, took %s%s", large(hit->force, "N", force),
                 large(hit->energy, "J", energy), isfinite(hit->until) ? "" : " so far");
    }
    snprintf(text, EVENTS_TOUCH, "%.60s against %.60s at (%.2f, %.2f, %.2f) m, %.3g m/s%s", hit->title_a,
             hit->title_b, hit->at.x, hit->at.y, hit->at.z, speed_of(hit), rest);
    return true;
}

void events_print_touches(const bi_sim *sim)
{
    bi_event e;
    for (int k = 0, n = 0; n < MOST_LINES && bi_sim_event(sim, k, &e); k++) {
        char touch[EVENTS_TOUCH];
        if (events_touch(&e.hit, touch)) {
            fprintf(stderr, "biela: touch: %s at t = %.6g s: %s\n", e.name, e.t, touch);
            n++;
        }
    }
}

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

static void touch_json(json *j, const bi_hit *hit)
{
    if (hit->a.i == 0) {
        return;
    }
    json_object(j, "touch");
    json_text(j, "a", hit->title_a);
    json_text(j, "b", hit->title_b);
    json_array(j, "at");
    json_number(j, NULL, hit->at.x);
    json_number(j, NULL, hit->at.y);
    json_number(j, NULL, hit->at.z);
    json_end(j);
    json_number(j, "speed", speed_of(hit));
    json_number(j, "closing", hit->closing);
    json_number(j, "force", hit->force);
    json_number(j, "energy", hit->energy);
    json_number(j, "until", hit->until); // null: they touch at the end
    json_end(j);
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
        touch_json(j, &e.hit);
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

// Columns that only touches have.
static void write_touch(FILE *file, const bi_hit *hit)
{
    if (hit->a.i == 0) {
        fputs(",,,,,,,,,\n", file);
        return;
    }
    fputc(',', file);
    write_text(file, hit->title_a);
    fputc(',', file);
    write_text(file, hit->title_b);
    fprintf(file, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,", hit->at.x, hit->at.y, hit->at.z, speed_of(hit),
            hit->force, hit->energy);
    if (isfinite(hit->until)) {
        fprintf(file, "%.9g", hit->until);
    }
    fputc('\n', file);
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
    fputs("name,t,value,do,what,remedy,a,b,x,y,z,speed,force,energy,until\n", file);
    for (; bi_sim_event(sim, k, &e); k++) {
        fprintf(file, "%s,%.17g,%.17g,%s,", e.name, e.t, e.value, action_name(e.action));
        write_text(file, e.what);
        fputc(',', file);
        write_text(file, e.remedy);
        write_touch(file, &e.hit);
    }
    if (k < bi_sim_event_count(sim)) {
        fprintf(file, "lost,,,note,\"%d further events found no room in the list\",,,,,,,,,,\n",
                bi_sim_event_count(sim) - k);
    }
    return outfiles_end(output);
}
