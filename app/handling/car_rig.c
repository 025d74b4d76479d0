// SPDX-License-Identifier: MIT
// A car on a rig: its body is held where it stands, everything is then lifted off the ground, and the heights of its wheels are held.
#include "cli/words.h"
#include "handling/axle_rig.h"
#include "handling/vehicle.h"
#include <biela/inside.h>
#include <biela/look.h>
#include <biela/state.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Tyres and bodies touch nothing from there on.
static const double above = 10.0; // m
// The section `vehicle` has settings for a speed; at rest they are those of almost none.
static const double crawl = 1e-9; // m/s

typedef struct {
    bi_body body;
    char *spin;          // the joint it turns on
    bi_pose pose;        // as described
    bi_vec3 axle, front; // to the left and ahead, in the body of the wheel
    bi_vec3 contact;     // the place below its centre, the same
} rig_wheel;

typedef struct {
    rig *r;
    vehicle v;
    rig_wheel wheel[RIG_WHEELS];
    bi_pose body;
    bi_body held;
} car_rig;

// ---- what the model says -----------------------------------------------------------------------------------------------------

static bi_vec3 turned(bi_quat q, bi_vec3 v)
{
    // v + 2 u x (u x v + w v)
    bi_vec3 c = { q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
                  q.x * v.y - q.y * v.x + q.w * v.z };
    return (bi_vec3){ v.x + 2.0 * (q.y * c.z - q.z * c.y), v.y + 2.0 * (q.z * c.x - q.x * c.z),
                      v.z + 2.0 * (q.x * c.y - q.y * c.x) };
}

static bi_vec3 into(bi_quat q, bi_vec3 v) { return turned((bi_quat){ q.w, -q.x, -q.y, -q.z }, v); }

static exit_code refuse(car_rig *c, const char *what, const char *name)
{
    bi_report_add(&c->r->report, BI_ERROR, BI_BAD_MODEL, (bi_place){ c->v.path, 1, 1 }, "vehicle", what,
                  name ? name : "");
    return CLI_BAD;
}

// The wheel of a tyre, and the joint with one angle on which it turns.
static exit_code find_wheel(car_rig *c, const session *s, const bi_inside *in, int k)
{
    rig_wheel *w = &c->wheel[k];
    for (int i = 0; i < in->n_force; i++) {
        if (strcmp(in->force[i].name, c->v.wheel[k]) == 0) {
            w->body = in->force[i].a.body;
        }
    }
    if (!w->body.i) {
        return refuse(c, "wheels: '%.80s' is no tyre", c->v.wheel[k]);
    }
    w->pose = bi_sim_view(s->sim).pose[w->body.i - 1];
    for (int i = 0; i < in->n_joint && !w->spin; i++) {
        const bi_inside_joint *j = &in->joint[i];
        bool is_of_wheel = j->a.body.i == w->body.i || j->b.body.i == w->body.i;
        if (is_of_wheel && strcmp(j->kind, "revolute") == 0) {
            bi_vec3 axis = turned(bi_sim_view(s->sim).pose[j->b.body.i - 1].rot, j->axis);
            double left = axis.y < 0.0 ? -1.0 : 1.0, level = hypot(axis.x, axis.y);
            w->spin = words_format("%s", j->name);
            w->axle = into(w->pose.rot, (bi_vec3){ left * axis.x, left * axis.y, left * axis.z });
            w->front = into(w->pose.rot, (bi_vec3){ left * axis.y / level, -left * axis.x / level, 0.0 });
            w->contact = into(w->pose.rot, (bi_vec3){ 0.0, 0.0, -w->pose.pos.z });
        }
    }
    return w->spin ? CLI_OK
                   : refuse(c, "wheels: that of '%.80s' turns on no joint of type revolute", c->v.wheel[k]);
}

static exit_code find_all(car_rig *c, const session *s)
{
    bi_inside *in = bi_sim_inside(s->sim);
    exit_code code = in ? CLI_OK : CLI_MACHINE;
    for (int k = 0; k < RIG_WHEELS && code == CLI_OK; k++) {
        code = find_wheel(c, s, in, k);
    }
    bi_inside_destroy(in);
    c->held = bi_model_body(s->model, c->v.body);
    if (code == CLI_OK && !c->held.i) {
        code = refuse(c, "body: there is no body '%.80s'", c->v.body);
    }
    if (code != CLI_OK) {
        return code;
    }
    c->body = bi_sim_view(s->sim).pose[c->held.i - 1];
    for (int k = 0; k < RIG_AXLES; k++) {
        c->r->half[k] = 0.5 * (c->wheel[2 * k].pose.pos.y - c->wheel[2 * k + 1].pose.pos.y);
        if (!(c->r->half[k] > 0.0)) {
            return refuse(c,
                          "wheels: must be in the order front left, front right, rear left, rear right, the "
                          "car ahead along x%s",
                          NULL);
        }
    }
    return CLI_OK;
}

// ---- the rig ------------------------------------------------------------------------------------------------------------------

// `name`.x and others at a value as described, held from now on.
static void hold(bi_model *m, const char *point, char part, double value, const char *more)
{
    char *text = words_format("%s.%c - (%.17g)%s", point, part, value, more);
    char *name = words_format("%s_%c", point, part);
    bi_add_expression(m, &(bi_expression_def){ .name = name, .zero = bi_expression(m, text, "m") });
    free(name);
    free(text);
}

// Three points of it, by six numbers.
static void hold_body(car_rig *c, bi_model *m)
{
    static const char *const name[3] = { "kc_origin", "kc_ahead", "kc_left" };
    static const char *const held[3] = { "xyz", "yz", "z" };
    for (int k = 0; k < 3; k++) {
        bi_vec3 at = { k == 1, k == 2, 0.0 }, place = turned(c->body.rot, at);
        const double value[3] = { c->body.pos.x + place.x, c->body.pos.y + place.y, c->body.pos.z + place.z };
        bi_add_point(m, name[k], (bi_point){ c->held, at });
        for (const char *part = held[k]; *part; part++) {
            hold(m, name[k], *part, value[*part - 'x'], *part == 'z' ? " - kc_above" : "");
        }
    }
}

static void hold_wheel(const car_rig *c, bi_model *m, int k)
{
    const rig_wheel *w = &c->wheel[k];
    const char *end = rig_end(c->r, k);
    char *name[4];
    static const char *const input[3] = { "raise", "along", "across" };
    for (int i = 0; i < 3; i++) {
        name[i] = words_format("kc_%s_%s", input[i], end);
        bi_add_input(m, name[i], 0.0);
    }
    char *point = words_format("kc_wheel_%s", end), *more = words_format(" - kc_above - %s", name[0]);
    bi_add_point(m, point, (bi_point){ w->body, { 0.0, 0.0, 0.0 } });
    hold(m, point, 'z', w->pose.pos.z, more);
    free(more);
    char *row = words_format("%s_z", point);
    char *still = words_format("kc_still_%s", end), *push = words_format("kc_push_%s", end);
    bi_add_guide(m, &(bi_guide_def){
                        .name = still, .joint = bi_model_joint(m, w->spin), .value = bi_constant(m, 0.0) });
    bi_add_force(m, &(bi_force_def){ .name = push,
                                     .point = { w->body, w->contact },
                                     .fx = bi_expression(m, name[1], "N"),
                                     .fy = bi_expression(m, name[2], "N") });
    name[3] = words_format("kc_load_%s", end);
    bi_add_output(
        m, &(bi_output_def){ .name = name[3], .kind = BI_OUT_EFFORT, .element = bi_model_element(m, row) });
    const struct {
        const char *name;
        bi_output_kind kind;
        bi_vec3 along;
    } output[3] = { { "axle", BI_OUT_VECTOR, w->axle },
                    { "front", BI_OUT_VECTOR, w->front },
                    { "at", BI_OUT_POINT, { 0.0, 0.0, 0.0 } } };
    for (int i = 0; i < 3; i++) {
        char *told = words_format("kc_%s_%s", output[i].name, end);
        bi_add_output(m,
                      &(bi_output_def){
                          .name = told, .kind = output[i].kind, .body = w->body, .along = output[i].along });
        free(told);
    }
    for (int i = 0; i < 4; i++) {
        free(name[i]);
    }
    free(row);
    free(point);
    free(still);
    free(push);
}

static void put_on_rig(void *context, bi_model *m, bi_report *report)
{
    (void)report;
    car_rig *c = context;
    bi_add_input(m, "kc_above", 0.0);
    hold_body(c, m);
    for (int k = 0; k < RIG_WHEELS; k++) {
        hold_wheel(c, m, k);
    }
}

static exit_code open_car(car_rig *c)
{
    rig *r = c->r;
    session as_described = { 0 };
    if (c->v.n_wheel != RIG_WHEELS || !c->v.body) {
        return refuse(c,
                      "a rig wants a body and four wheels: wheels: [front left, front right, rear left, rear "
                      "right]%s",
                      NULL);
    }
    exit_code code = vehicle_start(&c->v, crawl, &(vehicle_more){ 0 }, &as_described);
    code = code == CLI_OK ? find_all(c, &as_described) : code;
    r->name = words_format("%s", as_described.model ? bi_model_name(as_described.model) : "");
    session_print_messages(&as_described);
    session_close(&as_described);
    if (code == CLI_OK) {
        code = vehicle_start(&c->v, crawl, &(vehicle_more){ .prepare = put_on_rig, .context = c }, &r->car);
    }
    if (code != CLI_OK) {
        session_print_messages(&r->car);
    }
    r->model = r->car.model;
    r->system = r->car.system;
    r->sim = r->car.sim;
    if (code == CLI_OK) {
        rig_input(r, "kc_above", NULL, above);
        code = rig_come_to_rest(r) == BI_OK ? CLI_OK : CLI_NUMERICAL;
    }
    return code;
}

exit_code car_rig_open(rig *r, const session_request *request)
{
    car_rig c = { .r = r };
    r->kind = CAR;
    r->n_wheel = RIG_WHEELS;
    exit_code code = vehicle_open(&c.v, request);
    r->path = words_format("%s", c.v.path ? c.v.path : "");
    if (code == CLI_OK) {
        r->rack_is_angle = c.v.steers_angle;
        r->rack_most = c.v.steer ? c.v.steer_most : 0.0;
        r->is_steered = c.v.steer != NULL;
        r->rack = words_format("%s", c.v.steer ? c.v.steer : "");
        r->rack_sign = c.v.steer_sign;
        code = open_car(&c);
    }
    for (int k = 0; k < RIG_WHEELS; k++) {
        free(c.wheel[k].spin);
    }
    vehicle_close(&c.v);
    return code;
}
