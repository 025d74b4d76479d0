// SPDX-License-Identifier: MIT
/* trim - a steady turn of a vehicle, found as an equilibrium: steering, throttle, angles, loads; and its modes there. */
#include "cli/numbers.h"
#include "cli/words.h"
#include "handling/vehicle.h"
#include "running/outfiles.h"
#include <biela/loop.h>
#include <biela/turn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct {
    double from, to, step; /* one value: from = to */
} span;

typedef struct {
    vehicle v;
    session s;
    bi_input input[2];
    bi_turn_def def;
    bi_turn turn;
    bool has_modes;
    bi_turn_modes modes;
    double value[2]; /* of the inputs */
    double roll;     /* rad, to the right, of the body against its attitude straight on */
} trimmed;

// "4" or "0:6:0.5".
static bool read_span(const char *option, const char *text, span *out)
{
    char *end = NULL;
    out->from = strtod(text, &end);
    bool ok = end != text;
    out->to = out->from;
    out->step = 1.0;
    if (ok && *end == ':') {
        const char *second = end + 1;
        out->to = strtod(second, &end);
        ok = end != second && *end == ':';
        const char *third = end + 1;
        out->step = ok ? strtod(third, &end) : 0.0;
        ok = ok && end != third && out->step > 0.0 && out->to >= out->from;
    }
    ok = ok && *end == '\0' && isfinite(out->from) && isfinite(out->to);
    if (!ok) {
        fprintf(stderr, "biela trim: %s is a number or FROM:TO:BY, such as 0:6:0.5, and not '%s'\n", option,
                text);
    }
    return ok;
}

// What the channels of the body and its tyres tell.
static double roll_of(const trimmed *t)
{
    bi_body body = bi_model_body(t->s.model, t->v.body);
    bi_quat q = bi_sim_view(t->s.sim).pose[body.i - 1].rot;
    return atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
}

static double load_of(const trimmed *t, int wheel)
{
    char *name = words_format("vehicle.wheel%d.fz", wheel + 1);
    double value = bi_sim_read(t->s.sim, bi_find_channel(t->s.system, name));
    free(name);
    return value;
}

static exit_code find(trimmed *t, const session_request *request, double speed, double lateral,
                      bool wants_modes)
{
    (void)request;
    exit_code code = vehicle_start(&t->v, speed, &(vehicle_more){ 0 }, &t->s);
    if (code != CLI_OK) {
        session_print_messages(&t->s);
        return code;
    }
    t->def = vehicle_turn(&t->v, &t->s, speed, lateral, t->input);
    double *inputs = bi_sim_input_values(t->s.sim);
    bi_status status = bi_steady_turn(t->s.sim, &t->def, &t->turn, &t->s.report);
    for (int k = 0; k < t->def.n_input; k++) {
        t->value[k] = inputs[t->input[k].i - 1];
    }
    if (status == BI_OK && wants_modes) {
        status = bi_turn_linearize(t->s.sim, &t->def, &t->modes, &t->s.report);
        t->has_modes = status == BI_OK;
    }
    session_print_messages(&t->s);
    return status == BI_OK                                       ? CLI_OK
           : status == BI_BAD_MODEL || status == BI_BAD_ARGUMENT ? CLI_BAD
                                                                 : CLI_NUMERICAL;
}

static void done(trimmed *t)
{
    bi_turn_modes_clear(&t->modes);
    session_close(&t->s);
}

// ---- for people -----------------------------------------------------------------------------------------------------

static void print_head(const trimmed *t)
{
    printf("%10s %10s %10s %10s %12s %10s", "speed m/s", "ay m/s2", "yaw rad/s", "radius m", "sideslip deg",
           "roll deg");
    for (int k = 0; k < t->def.n_input; k++) {
        printf(" %12s", bi_input_name(t->s.system, t->input[k].i - 1));
    }
    printf("  loads N\n");
}

static void print_row(const trimmed *t)
{
    printf("%10.5g %10.5g %10.5g %10.5g %12.5g %10.5g", t->turn.speed, t->turn.lateral, t->turn.yaw_rate,
           t->turn.radius, t->turn.sideslip * 180.0 / pi, roll_of(t) * 180.0 / pi);
    for (int k = 0; k < t->def.n_input; k++) {
        printf(" %12.6g", t->value[k]);
    }
    printf(" ");
    for (int k = 0; k < t->v.n_wheel; k++) {
        printf(" %.5g", load_of(t, k));
    }
    printf("\n");
}

static void print_modes(const trimmed *t)
{
    const bi_turn_modes *m = &t->modes;
    for (int k = 0; k < m->n; k++) {
        if (m->im[k] < 0.0) {
            continue;
        }
        double size = hypot(m->re[k], m->im[k]);
        printf("  %11.5g 1/s", m->re[k]);
        if (m->im[k] > 0.0) {
            printf("  %9.4g Hz  damping %6.3f ", size / (2.0 * pi), -m->re[k] / size);
        } else {
            printf("  %28s", "");
        }
        for (int i = 0; i < m->n; i++) {
            double part = hypot(m->shape_re[k * m->n + i], m->shape_im[k * m->n + i]);
            if (part > 0.3) {
                printf("  %s %.2g", m->name[i], part);
            }
        }
        printf("\n");
    }
}

// ---- for programs -----------------------------------------------------------------------------------------------------

static void json_row(json *j, const trimmed *t, exit_code code)
{
    json_object(j, NULL);
    json_true_or_false(j, "ok", code == CLI_OK);
    json_number(j, "speed", t->turn.speed);
    json_number(j, "lateral_acceleration", t->turn.lateral);
    if (code == CLI_OK) {
        json_number(j, "yaw_rate", t->turn.yaw_rate);
        json_number(j, "radius", t->turn.radius);
        json_number(j, "sideslip", t->turn.sideslip);
        json_number(j, "roll", roll_of(t));
        json_number(j, "residual", t->turn.residual);
        json_object(j, "inputs");
        for (int k = 0; k < t->def.n_input; k++) {
            json_number(j, bi_input_name(t->s.system, t->input[k].i - 1), t->value[k]);
        }
        json_end(j);
        json_array(j, "loads");
        for (int k = 0; k < t->v.n_wheel; k++) {
            json_number(j, NULL, load_of(t, k));
        }
        json_end(j);
    }
    if (t->has_modes) {
        json_array(j, "eigenvalues");
        for (int k = 0; k < t->modes.n; k++) {
            json_array(j, NULL);
            json_number(j, NULL, t->modes.re[k]);
            json_number(j, NULL, t->modes.im[k]);
            json_end(j);
        }
        json_end(j);
    }
    session_json_messages(j, &t->s.report);
    json_end(j);
}

// ---- all of it -------------------------------------------------------------------------------------------------------------

static void csv_row(FILE *file, const trimmed *t, bool is_first)
{
    if (is_first) {
        fprintf(file, "speed,ay,yaw_rate,radius,sideslip,roll");
        for (int k = 0; k < t->def.n_input; k++) {
            fprintf(file, ",%s", bi_input_name(t->s.system, t->input[k].i - 1));
        }
        for (int k = 0; k < t->v.n_wheel; k++) {
            fprintf(file, ",load%d", k + 1);
        }
        fputc('\n', file);
    }
    fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", t->turn.speed, t->turn.lateral, t->turn.yaw_rate,
            t->turn.radius, t->turn.sideslip, roll_of(t));
    for (int k = 0; k < t->def.n_input; k++) {
        fprintf(file, ",%.17g", t->value[k]);
    }
    for (int k = 0; k < t->v.n_wheel; k++) {
        fprintf(file, ",%.17g", load_of(t, k));
    }
    fputc('\n', file);
}

typedef struct {
    const arguments *args;
    span ay, speed;
    double radius; /* 0: ay says how sharp */
    json j;
    bool is_json, wants_modes;
    FILE *file;
} asked;

// Every turn that is asked for; the first that does not exist ends a span of them, told, and is the end only.
static exit_code each(trimmed *t, asked *a, const session_request *request)
{
    int count = 0;
    exit_code code = CLI_OK;
    int laterals = (int)floor((a->ay.to - a->ay.from) / a->ay.step + 1e-9) + 1;
    int speeds = (int)floor((a->speed.to - a->speed.from) / a->speed.step + 1e-9) + 1;
    for (int k = 0; k < laterals * speeds && code == CLI_OK; k++) {
        double speed = a->speed.from + a->speed.step * (k / laterals);
        double lateral = a->ay.from + a->ay.step * (k % laterals);
        lateral = a->radius != 0.0 ? speed * speed / a->radius : lateral;
        code = find(t, request, speed, lateral, a->wants_modes);
        if (a->is_json && t->s.sim) {
            json_row(&a->j, t, code);
        }
        if (code == CLI_OK && !a->is_json) {
            if (count == 0) {
                printf("%s: steady turns\n", t->s.short_name);
                print_head(t);
            }
            print_row(t);
        }
        if (code == CLI_OK && t->has_modes && !a->is_json) {
            print_modes(t);
        }
        if (code == CLI_OK && a->file) {
            csv_row(a->file, t, count == 0);
        }
        count += code == CLI_OK;
        done(t);
        t->has_modes = false;
    }
    return code == CLI_NUMERICAL && count > 0 ? CLI_OK : code;
}

static bool read_asked(const arguments *args, asked *a)
{
    const char *ay = arguments_value(args, "--ay"), *radius = arguments_value(args, "--radius");
    a->radius = 0.0;
    if (ay && radius) {
        fputs("biela trim: --ay and --radius say the same thing; give one of them\n", stderr);
        return false;
    }
    span one = { 0, 0, 1 };
    if (radius && (!read_span("--radius", radius, &one) || one.from != one.to || one.from == 0.0)) {
        fputs("biela trim: --radius is one number, m, not zero; to the right it is negative\n", stderr);
        return false;
    }
    a->radius = one.from;
    a->ay = (span){ 0, 0, 1 };
    return !ay || read_span("--ay", ay, &a->ay);
}

static exit_code run_trim(const arguments *args)
{
    session_request request = { 0 };
    trimmed t = { 0 };
    asked a = { .args = args,
                .is_json = arguments_has(args, "--json"),
                .wants_modes = arguments_has(args, "--modes") };
    const char *out = arguments_value(args, "--out"), *speed = arguments_value(args, "--speed");
    exit_code code = CLI_BAD;
    if (read_asked(args, &a) && session_request_make(args, &request)) {
        code = vehicle_open(&t.v, &request);
    }
    if (code == CLI_OK) {
        a.speed = (span){ t.v.speed, t.v.speed, 1.0 };
        code = !speed || read_span("--speed", speed, &a.speed) ? CLI_OK : CLI_BAD;
    }
    if (code == CLI_OK && !(a.speed.from > 0.0)) {
        fputs("biela trim: --speed must be above zero, m/s\n", stderr);
        code = CLI_BAD;
    }
    code = code == CLI_OK && !claims_write(args->files, "--out", out) ? CLI_BAD : code;
    bi_outfile *file = code == CLI_OK && out ? outfiles_begin(out) : NULL;
    if (code == CLI_OK && out && !file) {
        code = CLI_MACHINE;
    }
    if (code == CLI_OK) {
        a.file = file ? bi_outfile_file(file) : NULL;
        if (a.is_json) {
            a.j = json_start(stdout);
            json_object(&a.j, NULL);
            json_text(&a.j, "model", request.model);
            json_array(&a.j, "turns");
        }
        code = each(&t, &a, &request);
        if (a.is_json) {
            json_end(&a.j);
            json_integer(&a.j, "exit_code", code);
            json_text(&a.j, "out", code == CLI_OK ? out : NULL);
            json_end(&a.j);
        }
        if (file) {
            if (code == CLI_OK) {
                code = outfiles_end(file) ? CLI_OK : CLI_MACHINE;
            } else {
                bi_outfile_discard(file);
            }
        }
    }
    vehicle_close(&t.v);
    session_request_clear(&request);
    return code;
}

static const option options[] = {
    SESSION_OPTIONS,
    { "--speed", "V", "m/s, or FROM:TO:BY; default: that of the model's section vehicle" },
    { "--ay", "A",
      "lateral acceleration, m/s2, to the left positive, or FROM:TO:BY; default 0: straight on" },
    { "--radius", "R", "m, instead of --ay; to the right negative" },
    { "--modes", NULL, "eigenvalues and shapes of small motions about each turn" },
    { "--out", "FILE.csv", "a row per turn" },
    { "--json", NULL, "the turns as one JSON object on stdout" },
};

const command command_trim = {
    .name = "trim",
    .words = "MODEL",
    .summary = "steady turns of a vehicle as equilibria, and their modes",
    .details =
        "The vehicle at a speed and a lateral acceleration, with the steering and the throttle that keep it "
        "there: an\n"
        "equilibrium of the frame that turns with it. The section `vehicle` of the model file names body, "
        "wheels "
        "and inputs.\n"
        "Where there is no such turn, the last one on the way is told; a span of them ends there.",
    .example = "  biela trim car --speed 20 --ay 0:7:1\n  biela trim clio --speed 18 --radius 100 --modes",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .run = run_trim,
};
