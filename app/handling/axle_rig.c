// SPDX-License-Identifier: MIT
#include "handling/axle_rig.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include <biela/state.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const rig_reading rig_readings[N_READING] = {
    { "z", "m", "z mm", 1e3 },
    { "toe", "rad", "toe deg", 180.0 / 3.14159265358979323846 },
    { "camber", "rad", "camber deg", 180.0 / 3.14159265358979323846 },
    { "caster", "rad", "caster deg", 180.0 / 3.14159265358979323846 },
    { "ahead", "m", "ahead mm", 1e3 },
    { "aside", "m", "out mm", 1e3 },
    { "load", "N", "load N", 1.0 },
};

double rig_reading_of(const wheel_reading *w, int k)
{
    const double value[N_READING] = { w->z, w->toe, w->camber, w->caster, w->ahead, w->aside, w->load };
    return value[k];
}

const char *rig_end(const rig *r, int wheel)
{
    static const char *const of_axle[] = { "l", "r" }, *const of_car[] = { "fl", "fr", "rl", "rr" };
    return r->kind == CAR ? of_car[wheel] : of_axle[wheel];
}

wheel_reading *rig_row(const rig *r, int which, int point, int wheel)
{
    return &r->row[which][r->n_wheel * point + wheel];
}

// ---- the rig ----------------------------------------------------------------------------------------------------------------

// The value of a parameter; `usual` where there is none.
static double parameter_of(const bi_model *m, const char *wanted, double usual)
{
    for (int k = 0; k < bi_model_parameter_count(m); k++) {
        const char *name, *unit;
        double value;
        if (bi_model_parameter_at(m, k, &name, &value, &unit) && strcmp(name, wanted) == 0) {
            return value;
        }
    }
    return usual;
}

static bool has_parameter(const bi_model *m, const char *name) { return !isnan(parameter_of(m, name, NAN)); }

// Its name without its folder: the rig is read as if it lay beside it.
static const char *file_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The rig includes the file by its name, and gives one of its parameters.
static exit_code refuse_clashes(rig *r, const session_request *request)
{
    const char *ours = r->kind == AXLE ? "speed" : "side";
    if (strpbrk(file_part(r->path), "\"\\$")) {
        bi_report_add(
            &r->report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ r->path, 0, 0 }, "kc",
            "a file with a double quote, a backslash or a dollar sign in its name cannot be put on the rig; "
            "rename it");
        return CLI_BAD;
    }
    for (int k = 0; k < request->n_setting; k++) {
        if (strcmp(request->setting[k].name, ours) == 0) {
            bi_report_add(&r->report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "--set",
                          "'%s' is what the rig gives by itself (side 1 and -1, speed 0); leave it out",
                          ours);
            return CLI_BAD;
        }
    }
    return CLI_OK;
}

// Which of the two kinds the file is.
static exit_code look(rig *r, const session_request *request, bool *has_soft)
{
    bi_run run;
    char *installed = file_models_folder();
    r->path = bi_find_model(request->model, installed, &r->report);
    free(installed);
    bi_model *m =
        r->path ? bi_read_model(r->path, request->setting, request->n_setting, NULL, &run, &r->report) : NULL;
    exit_code code = m && r->report.errors == 0 ? CLI_OK : CLI_BAD;
    if (code == CLI_OK) {
        bool is_corner = bi_model_body(m, "wheel").i > 0 && has_parameter(m, "side");
        bool is_beam = bi_model_body(m, "wheel0").i > 0 && bi_model_body(m, "wheel1").i > 0;
        r->kind = is_beam ? AXLE : CORNERS;
        r->n_wheel = 2;
        r->rack = words_format("rack");
        r->rack_sign = 1.0;
        r->radius = parameter_of(m, "rolling", 0.3);
        r->half[0] = parameter_of(m, "half", 0.7);
        *has_soft = has_parameter(m, "soft");
        r->is_racked =
            is_beam && bi_model_joint(m, "side1_rack").i > 0 && bi_model_joint(m, "side0_rack").i > 0;
        r->is_steered =
            r->is_racked || (has_parameter(m, "steered") && parameter_of(m, "steered", 0.0) > 0.5);
        r->name = words_format("%s", bi_model_name(m));
        if (!is_corner && !is_beam) {
            bi_report_add(
                &r->report, BI_ERROR, BI_BAD_MODEL, (bi_place){ r->path, 1, 1 }, "kc",
                "is no suspension: one of a wheel has a body 'wheel' on a joint 'spin' and a parameter "
                "'side' (1 left, -1 right), one of two wheels the bodies 'wheel1' (left) and 'wheel0' on "
                "the joints 'spin1' and 'spin0', as those of models/library/suspension have, and a car of "
                "four wheels a section 'vehicle' that names them");
            code = CLI_BAD;
        } else {
            code = refuse_clashes(r, request);
        }
    }
    bi_model_destroy(m);
    return code;
}

static void write_settings(FILE *file, const session_request *request, bool is_soft)
{
    for (int k = 0; k < request->n_setting; k++) {
        fprintf(file, ", %s: \"%s\"", request->setting[k].name, request->setting[k].value);
        is_soft = is_soft && strcmp(request->setting[k].name, "soft") != 0;
    }
    fputs(is_soft ? ", soft: 1" : "", file);
}

static void write_wheel(FILE *file, const rig *r, char side, const char *wheel, const char *spin)
{
    (void)r;
    fprintf(file,
            "  lift_%c: {type: expression, points: {P: {body: %s}}, zero: P.z - raise_%c}\n"
            "  still_%c: {type: guide, joint: %s, value: 0}\n",
            side, wheel, side, side, spin);
}

// The model of the rig: the chassis is the ground, the heights of the wheels are held.
static void write_rig(FILE *file, const rig *r, const session_request *request, bool is_soft)
{
    static const char *const corner_wheel[] = { "l_wheel", "r_wheel" }, *const corner_spin[] = { "l_spin",
                                                                                                 "r_spin" };
    static const char *const beam_wheel[] = { "a_wheel1", "a_wheel0" }, *const beam_spin[] = { "a_spin1",
                                                                                               "a_spin0" };
    const char *const *wheel = r->kind == AXLE ? beam_wheel : corner_wheel;
    const char *const *spin = r->kind == AXLE ? beam_spin : corner_spin;
    fputs("biela: 1\nname: rig\ngravity: [0, 0, 0]\ninputs:\n  rack: {initial: 0}\n", file);
    for (int k = 0; k < 2; k++) {
        fprintf(file, "  raise_%c: {initial: 0}\n  across_%c: {initial: 0}\n  along_%c: {initial: 0}\n",
                "lr"[k], "lr"[k], "lr"[k]);
    }
    fputs("include:\n", file);
    for (int k = 0; k < (r->kind == AXLE ? 1 : 2); k++) {
        fprintf(file, "  - {file: \"%s\", prefix: %s, set: {%s", file_part(r->path),
                r->kind == AXLE ? "a_"
                : k             ? "r_"
                                : "l_",
                r->kind == AXLE ? "speed: 0"
                : k             ? "side: -1"
                                : "side: 1");
        write_settings(file, request, is_soft);
        fputs("}}\n", file);
    }
    fputs("constraints:\n", file);
    for (int k = 0; k < 2; k++) {
        write_wheel(file, r, "lr"[k], wheel[k], spin[k]);
    }
    if (r->is_racked) {
        fputs("  rack_l: {type: guide, joint: a_side1_rack, value: rack}\n  rack_r: {type: guide, joint: "
              "a_side0_rack, "
              "value: rack}\n",
              file);
    } else if (r->is_steered) {
        fputs("  rack_l: {type: guide, joint: l_rack, value: rack}\n  rack_r: {type: guide, joint: r_rack, "
              "value: rack}\n",
              file);
    }
    fputs("forces:\n", file);
    for (int k = 0; k < 2; k++) {
        fprintf(
            file,
            "  push_%c: {type: force, point: {body: %s, at: [0, 0, %.17g]}, fx: along_%c, fy: across_%c}\n",
            "lr"[k], wheel[k], -r->radius, "lr"[k], "lr"[k]);
    }
    fputs("outputs:\n", file);
    for (int k = 0; k < 2; k++) {
        fprintf(file,
                "  axle_%c: {vector: {body: %s, along: [0, 1, 0]}}\n  front_%c: {vector: {body: %s, along: "
                "[1, 0, 0]}}\n"
                "  at_%c: {point: {body: %s}}\n  load_%c: {effort: lift_%c}\n",
                "lr"[k], wheel[k], "lr"[k], wheel[k], "lr"[k], wheel[k], "lr"[k], "lr"[k]);
    }
    fputs("run: {time: 1, dt: 1e-3, formulation: joint}\n", file);
}

static exit_code build(rig *r, const session_request *request, bool is_soft)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return CLI_MACHINE;
    }
    write_rig(file, r, request, is_soft);
    exit_code code = fclose(file) == 0 ? CLI_OK : CLI_MACHINE;
    bi_run run;
    char *place =
        words_format("%.*srig of %s", (int)(file_part(r->path) - r->path), r->path, file_part(r->path));
    r->model =
        code == CLI_OK ? bi_read_model_text(text, length, place, NULL, 0, NULL, &run, &r->report) : NULL;
    if (r->model && r->report.errors == 0) {
        bi_options options = bi_run_options(&run);
        r->system = bi_compile(r->model, &options, &r->report);
        r->sim = r->system ? bi_sim_create(r->system) : NULL;
    }
    code = code == CLI_OK && !r->sim ? (r->report.errors ? CLI_BAD : CLI_MACHINE) : code;
    if (code == CLI_OK && bi_sim_start(r->sim, &r->report) != BI_OK) {
        code = CLI_NUMERICAL;
    }
    free(place);
    free(text);
    return code;
}
// ---- tests ------------------------------------------------------------------------------------------------------------------

void rig_input(rig *r, const char *name, const char *end, double value)
{
    const char *ours = end && r->kind == CAR ? "kc_" : "";
    char *whole = end ? words_format("%s%s_%s", ours, name, end) : words_format("%s", name);
    bi_sim_input(r->sim, bi_find_input(r->system, whole), value);
    free(whole);
}

static double read_number(rig *r, const char *name, int wheel, const char *part)
{
    const char *ours = r->kind == CAR ? "kc_" : "";
    char *whole = words_format(part ? "%s%s_%s.%s" : "%s%s_%s", ours, name, rig_end(r, wheel), part);
    bi_channel channel = bi_find_channel(r->system, whole);
    free(whole);
    return channel.i ? bi_sim_read(r->sim, channel) : NAN;
}

// An end of the steering axis, where the part tells it.
static double read_kingpin(rig *r, int wheel, const char *which, int i)
{
    char *name = r->kind == CAR    ? words_format("kingpin_%s_%s.%c", which, rig_end(r, wheel), "xyz"[i])
                 : r->kind == AXLE ? words_format("a_kingpin_%s%d.%c", which, 1 - wheel, "xyz"[i])
                                   : words_format("%s_kingpin_%s.%c", rig_end(r, wheel), which, "xyz"[i]);
    bi_channel channel = bi_find_channel(r->system, name);
    free(name);
    return channel.i ? bi_sim_read(r->sim, channel) : NAN;
}

// Toe in and camber outwards positive, caster of a steering axis that leans back; without one, how far the wheel has turned in the
// view from its side, top backwards positive.
static wheel_reading read_wheel(rig *r, int k)
{
    double left = k % 2 == 0 ? 1.0 : -1.0, n[3], d[3], c[3], low[3], top[3];
    for (int i = 0; i < 3; i++) {
        const char part[2] = { "xyz"[i], '\0' };
        n[i] = read_number(r, "axle", k, part);
        d[i] = read_number(r, "front", k, part);
        c[i] = read_number(r, "at", k, part);
        low[i] = read_kingpin(r, k, "low", i);
        top[i] = read_kingpin(r, k, "top", i);
    }
    return (wheel_reading){
        .z = r->kind == CAR ? c[2] - r->zero[k][2] : c[2],
        .toe = atan2(left * n[0], n[1]),
        .camber = asin(fmax(-1.0, fmin(1.0, -left * n[2]))),
        .caster = isnan(low[0]) ? atan2(d[2], d[0]) : atan2(low[0] - top[0], top[2] - low[2]),
        .ahead = c[0] - r->zero[k][0],
        .aside = left * (c[1] - r->zero[k][1]),
        .load = read_number(r, "load", k, NULL), // below zero: the wheel is held down
    };
}

static void ask(rig *r, const rig_test *t, double x)
{
    rig_input(r, r->rack, NULL, t->needs_rack ? r->rack_sign * x : 0.0);
    for (int k = 0; k < r->n_wheel; k++) {
        double sign = t->is_mirrored && k % 2 == 1 ? -1.0 : 1.0;
        double value = strcmp(t->unit, "rad") == 0 ? sign * r->half[k / 2] * tan(x) : sign * x;
        rig_input(r, "raise", rig_end(r, k), 0.0);
        rig_input(r, "across", rig_end(r, k), 0.0);
        rig_input(r, "along", rig_end(r, k), 0.0);
        if (t->input) {
            rig_input(r, t->input, rig_end(r, k), value);
        }
    }
}

// On the heights that are asked for, then at rest.
bi_status rig_come_to_rest(rig *r)
{
    bi_status status = bi_sim_set_state(r->sim, NULL, NULL, &r->report);
    return status == BI_OK ? bi_equilibrium(r->sim, NULL, &r->report) : status;
}

// No wheel goes that far aside on its links: it hangs the other way round, or its bushings are torn. False: told.
static bool is_in_place(rig *r, const rig_test *t, double x, const wheel_reading *w)
{
    static const double far = 0.25; // m
    if (hypot(w->ahead, w->aside) <= far) {
        return true;
    }
    bi_report_add(&r->report, BI_ERROR, BI_NOT_CONVERGED, (bi_place){ r->path, 1, 1 }, "kc",
                  "%s: at %.4g %s a wheel rests %.3g m from its place: the suspension does not reach or bear "
                  "that; ask for less (--%s)",
                  t->name, x, t->unit, hypot(w->ahead, w->aside),
                  strcmp(t->unit, "N") == 0 ? "force" : t->name);
    return false;
}

// From the middle outwards on both sides: each point is near the one before.
exit_code axle_rig_run(rig *r, int which, const rig_test *t)
{
    r->row[which] = words_alloc((size_t)(r->n_wheel * r->n) * sizeof *r->row[which]);
    int middle = r->n / 2;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k <= middle; k++) {
            int i = middle + side * k;
            double x = t->most * (double)(i - middle) / (double)middle;
            ask(r, t, x);
            bi_status status = rig_come_to_rest(r);
            if (status != BI_OK) {
                bi_report_add(
                    &r->report, BI_ERROR, status, (bi_place){ r->path, 1, 1 }, "kc",
                    "%s: there is no rest at %.4g %s: the suspension does not reach that far; ask for less "
                    "(--%s)",
                    t->name, x, t->unit, strcmp(t->unit, "N") == 0 ? "force" : t->name);
                return CLI_NUMERICAL;
            }
            for (int w = 0; w < r->n_wheel; w++) {
                *rig_row(r, which, i, w) = read_wheel(r, w);
                rig_row(r, which, i, w)->x = x;
                if (!is_in_place(r, t, x, rig_row(r, which, i, w))) {
                    return CLI_NUMERICAL;
                }
            }
            if (interrupt_asked()) {
                return interrupt_code();
            }
        }
        ask(r, t, 0.0);
        if (rig_come_to_rest(r) != BI_OK) {
            return CLI_NUMERICAL;
        }
    }
    return CLI_OK;
}
// What rests far from where it is drawn is another mechanism: springs without their length, or a branch that was jumped to.
exit_code axle_rig_rest(rig *r)
{
    static const double far = 0.05; // m: bushings and springs give way by millimetres
    double built[RIG_WHEELS][3];
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < r->n_wheel; k++) {
            for (int i = 0; i < 3; i++) {
                const char part[2] = { "xyz"[i], '\0' };
                (pass ? r->zero : built)[k][i] = read_number(r, "at", k, part);
            }
        }
        if (pass == 0 && rig_come_to_rest(r) != BI_OK) {
            return CLI_NUMERICAL;
        }
    }
    for (int k = 0; k < r->n_wheel; k++) {
        double moved = hypot(r->zero[k][0] - built[k][0], r->zero[k][1] - built[k][1]);
        if (!(moved <= far)) {
            bi_report_add(
                &r->report, BI_ERROR, BI_NOT_CONVERGED, (bi_place){ r->path, 1, 1 }, "kc",
                "the %s wheel%s rests %.3g m from where it is drawn: have springs in the place of links and "
                "bushings their length ('rest')?",
                k % 2 ? "right" : "left", k > 1 ? " behind" : "", moved);
            return CLI_NUMERICAL;
        }
    }
    return CLI_OK;
}

// A model with a section `vehicle` is a car, and all else a part.
static bool is_car(const session_request *request)
{
    bi_report ignored = { 0 };
    char *installed = file_models_folder(), *path = bi_find_model(request->model, installed, &ignored);
    free(installed);
    bi_document *file = path ? bi_document_open(path, &ignored) : NULL;
    bool is = file && bi_document_count(file, "vehicle") > 0;
    bi_document_close(file);
    bi_report_clear(&ignored);
    free(path);
    return is;
}

exit_code axle_rig_open(rig *r, const session_request *request)
{
    if (is_car(request)) {
        return car_rig_open(r, request);
    }
    bool has_soft = false;
    exit_code code = look(r, request, &has_soft);
    return code == CLI_OK ? build(r, request, has_soft) : code;
}

void axle_rig_close(rig *r)
{
    for (int k = 0; k < N_TEST; k++) {
        free(r->row[k]);
    }
    if (r->kind == CAR) {
        session_close(&r->car);
    } else {
        bi_sim_destroy(r->sim);
        bi_system_destroy(r->system);
        bi_model_destroy(r->model);
    }
    bi_report_clear(&r->report);
    free(r->rack);
    free(r->path);
    free(r->name);
}
