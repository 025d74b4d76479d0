// SPDX-License-Identifier: MIT
#include "handling/vehicle.h"
#include "cli/files.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_at(const vehicle *v, const char *key)
{
    char *place = words_format("vehicle.%s", key);
    const char *text = bi_document_text(v->file, place);
    free(place);
    return text;
}

// A number of the section, which may be an expression of the model's parameters; `usual` when it is not said.
static double number_at(const vehicle *v, const bi_model *m, const char *key, const char *unit, double usual)
{
    const char *text = text_at(v, key);
    double value = usual;
    bi_report ignored = { 0 }; // the reader of the model has told mistakes
    if (text && !bi_model_number(m, text, unit, key, &value, &ignored)) {
        value = usual;
    }
    bi_report_clear(&ignored);
    return value;
}

static void read_names(vehicle *v)
{
    v->body = text_at(v, "body");
    v->steer = text_at(v, "steer");
    v->steer_sign = v->steer && v->steer[0] == '-' ? -1.0 : 1.0;
    v->steer += v->steer_sign < 0.0;
    v->throttle = text_at(v, "throttle");
    v->brake = text_at(v, "brake");
    v->turns = text_at(v, "turns");
    v->run = text_at(v, "run");
    char *place = words_format("inputs.%s.unit", v->steer ? v->steer : "");
    const char *unit = bi_document_text(v->file, place);
    v->steers_angle = unit && strcmp(unit, "rad") == 0;
    free(place);
    v->n_wheel = bi_document_count(v->file, "vehicle.wheels");
    v->n_wheel = v->n_wheel > VEHICLE_WHEELS ? VEHICLE_WHEELS : v->n_wheel;
    for (int k = 0; k < v->n_wheel; k++) {
        char *place = words_format("wheels.%d", k);
        v->wheel[k] = text_at(v, place);
        free(place);
    }
}

static void read_numbers(vehicle *v, const bi_model *m)
{
    v->speed = number_at(v, m, "speed", "m/s", 20.0);
    v->most = number_at(v, m, "most", "m/s", INFINITY);
    v->braked = number_at(v, m, "braked", NULL, 1.0);
    v->lean = number_at(v, m, "lean", NULL, 0.0);
    v->width = number_at(v, m, "width", "m", v->n_wheel == 4 ? 1.7 : 0.6);
    v->front = number_at(v, m, "front", "m", 2.0);
    v->rear = number_at(v, m, "rear", "m", 2.0);
    char *place = words_format("inputs.%s.max", v->steer ? v->steer : "");
    if (!bi_document_number(v->file, place, &v->steer_most) || !(v->steer_most > 0.0)) {
        v->steer_most = 1.0;
    }
    free(place);
}

exit_code vehicle_open(vehicle *v, const session_request *request)
{
    bi_report report = { 0 };
    char *installed = file_models_folder();
    *v = (vehicle){ .request = request };
    v->path = bi_find_model(request->model, installed, &report);
    free(installed);
    if (!v->path) {
        // whoever opens models tells which are near
        session none = { 0 };
        bi_report_clear(&report);
        exit_code code = session_open(&none, request);
        session_print_messages(&none);
        session_close(&none);
        return code == CLI_OK ? CLI_BAD : code;
    }
    v->file = bi_document_open(v->path, &report);
    if (v->file && bi_document_count(v->file, "vehicle") == 0) {
        bi_report_add(&report, BI_ERROR, BI_BAD_MODEL, (bi_place){ v->path, 1, 1 }, "vehicle",
                      "the model has no section 'vehicle', which names its body, wheels and inputs, such as "
                      "vehicle: {body: chassis, wheels: [fl, fr, rl, rr], steer: wheel, throttle: pedal}");
    }
    exit_code code = report.errors == 0 ? CLI_OK : CLI_BAD;
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    if (code != CLI_OK) {
        return code;
    }
    read_names(v);
    session s = { 0 };
    code = vehicle_start(v, 0.0, &(vehicle_more){ 0 }, &s);
    if (code == CLI_OK) {
        read_numbers(v, s.model);
    } else {
        session_print_messages(&s);
    }
    session_close(&s);
    return code;
}

void vehicle_close(vehicle *v)
{
    bi_document_close(v->file);
    free(v->path);
    *v = (vehicle){ 0 };
}

// ---- a sim ----------------------------------------------------------------------------------------------------------------

// "$speed/Re" with the number in place of $speed; free it.
static char *with_speed(const char *text, double speed)
{
    static const char word[] = "$speed";
    char *out = words_copy(text, strlen(text));
    for (char *at; (at = strstr(out, word)) != NULL;) {
        char *next = words_format("%.*s(%.17g)%s", (int)(at - out), out, speed, at + sizeof word - 1);
        free(out);
        out = next;
    }
    return out;
}

typedef struct {
    const vehicle *v;
    const vehicle_more *more;
} preparing;

static void add_outputs(const void *context, bi_model *m, bi_report *report)
{
    const preparing *p = context;
    bi_body body = bi_model_body(m, p->v->body ? p->v->body : "");
    bi_add_output(m, &(bi_output_def){ .name = "vehicle.acc", .kind = BI_OUT_ACCELEROMETER, .body = body });
    for (int k = 0; k < p->v->n_wheel; k++) {
        char *name = words_format("vehicle.wheel%d", k + 1);
        bi_add_output(m, &(bi_output_def){ .name = name,
                                           .kind = BI_OUT_TYRE,
                                           .element = bi_model_element(m, p->v->wheel[k]) });
        free(name);
    }
    if (p->more->prepare) {
        p->more->prepare(p->more->context, m, report);
    }
}

static bool is_set(const bi_setting *list, int count, const char *name)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(list[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

exit_code vehicle_start(const vehicle *v, double speed, const vehicle_more *more, session *s)
{
    session_request request = *v->request;
    int in_file = bi_document_count(v->file, "vehicle.set");
    bi_setting *list =
        words_alloc((size_t)(in_file + more->n_setting + request.n_setting + 1) * sizeof *list);
    char **made = words_alloc((size_t)(in_file + 1) * sizeof *made);
    int n = 0, n_made = 0;
    for (int k = 0; k < in_file; k++) {
        const char *name = bi_document_key(v->file, "vehicle.set", k);
        char *place = words_format("set.%s", name);
        const char *text = text_at(v, place);
        free(place);
        bool is_free = text && (speed > 0.0 || !strstr(text, "$speed"));
        if (is_free && !is_set(more->setting, more->n_setting, name) &&
            !is_set(request.setting, request.n_setting, name)) {
            made[n_made] = with_speed(text, speed);
            list[n++] = (bi_setting){ name, made[n_made++] };
        }
    }
    for (int k = 0; k < more->n_setting; k++) {
        list[n++] = more->setting[k];
    }
    for (int k = 0; k < request.n_setting; k++) {
        if (!is_set(more->setting, more->n_setting, request.setting[k].name)) {
            list[n++] = request.setting[k];
        }
    }
    preparing context = { v, more };
    request.model = v->path;
    request.run_name = request.run_name ? request.run_name : v->run;
    request.setting = list;
    request.n_setting = n;
    request.drive = add_outputs;
    request.drive_context = &context;
    request.formulation = "joint";
    exit_code code = session_open(s, &request);
    free(list);
    for (int k = 0; k < n_made; k++) {
        free(made[k]);
    }
    free(made);
    return code;
}

int vehicle_inputs(const vehicle *v, const session *s, bi_input out[2])
{
    int n = 0;
    const char *const name[2] = { v->steer, v->throttle };
    for (int k = 0; k < 2; k++) {
        bi_input input = name[k] ? bi_find_input(s->system, name[k]) : (bi_input){ 0 };
        if (input.i) {
            out[n++] = input;
        }
    }
    return n;
}

bi_turn_def vehicle_turn(const vehicle *v, const session *s, double speed, double lateral, bi_input inputs[2])
{
    return (bi_turn_def){ .speed = speed,
                          .lateral = lateral,
                          .body = bi_model_body(s->model, v->body),
                          .n_input = vehicle_inputs(v, s, inputs),
                          .input = inputs };
}
