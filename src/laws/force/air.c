// SPDX-License-Identifier: MIT
// Air on a vehicle: drag, side force, lift and three moments by coefficients over the angle of the flow, with wind
// (laws.17 .. laws.19).
#include "laws/force/force.h"
#include "math/elementary.h"
#include "math/table.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { DRAG, SIDE, LIFT, ROLL, PITCH, YAW, N_COEFFICIENT };
enum { TOLD_SPEED, TOLD_ANGLE, TOLD_EFFORT, N_TOLD = TOLD_EFFORT + N_COEFFICIENT };
static const char *const told_name[N_TOLD] = { "speed", "angle", "drag",  "side",
                                               "lift",  "roll",  "pitch", "yaw" };
static const char *const told_unit[N_TOLD] = { "m/s", "rad", "N", "N", "N", "N*m", "N*m", "N*m" };

typedef struct {
    int at, frame, block, element, told;
    int wind[3];   // signals; -1: none
    mat3 axes;     // forwards, to the left, up, in the body
    double thick;  // density area / 2, kg/m
    double length; // m, of the moments
    double coefficient[N_COEFFICIENT];
    const table *table[N_COEFFICIENT]; // NULL: the number; borrowed from the model
} air;

// Efforts along the vehicle's axes (force, then moment) and their derivatives with its velocity through the air.
typedef struct {
    mat3 R;             // axes of the vehicle
    vec3 through;       // velocity against the air, ground axes
    double speed, beta; // of its part in the plane of the vehicle, and its angle from straight ahead
    double effort[6], slope[6][2];
} flow;

// A flow from behind has the angles of half a turn to the left and to the right: they must give the same.
static void check_behind(plan *p, int element, const char *key, const table *t)
{
    static const double pi = 3.14159265358979323846;
    double left = table_at(t, pi).v, right = table_at(t, -pi).v;
    if (!(fabs(left - right) <= 1e-9 * (fabs(left) + fabs(right)))) {
        plan_complain(p, element, key,
                      "from behind it has two values, %g at 180 deg and %g at -180 deg: give points up to "
                      "there, with the same value",
                      left, right);
    }
}

static void air_compile(plan *p, int element, const void *def, void *item)
{
    const bi_air_def *d = def;
    const bi_expr wind[3] = { d->wind_x, d->wind_y, d->wind_z };
    const bi_curve curve[N_COEFFICIENT] = { d->drag_table, d->side_table,  d->lift_table,
                                            d->roll_table, d->pitch_table, d->yaw_table };
    int m = plan_frame(p, d->point.body.i - 1, d->point.at);
    vec3 x = vec3_norm(d->forward) > 0.0 ? vec3_normalized(d->forward) : (vec3){ 1, 0, 0 };
    vec3 up = vec3_norm(d->up) > 0.0 ? vec3_normalized(d->up) : (vec3){ 0, 0, 1 };
    vec3 y = vec3_cross(up, x);
    if (vec3_norm(y) < 1e-6) {
        plan_complain(p, element, "up", "'forward' and 'up' are the same line");
        y = (vec3){ 0, 1, 0 };
    }
    y = vec3_normalized(y);
    air *a = item;
    *a = (air){ .at = plan_dof(p, m),
                .frame = p->marker[m].frame,
                .block = plan_block(p, &m, 1),
                .element = element,
                .told = plan_add_readings(p, element, N_TOLD, told_name, told_unit),
                .axes = { { x, y, vec3_cross(x, y) } },
                .thick = 0.5 * (d->density > 0.0 ? d->density : 1.225) * d->area,
                .length = d->length > 0.0 ? d->length : 1.0,
                .coefficient = { d->drag, d->side, d->lift, d->roll, d->pitch, d->yaw } };
    for (int k = 0; k < 3; k++) {
        plan_certain_signal(p, element, wind[k], NULL);
        a->wind[k] = wind[k].i - 1;
    }
    static const char *const key[N_COEFFICIENT] = { "drag_table", "side_table",  "lift_table",
                                                    "roll_table", "pitch_table", "yaw_table" };
    for (int k = 0; k < N_COEFFICIENT; k++) {
        a->table[k] = model_table(p->model, curve[k]);
        if (a->table[k]) {
            check_behind(p, element, key[k], a->table[k]);
        }
    }
}

// A coefficient times the square of the speed, with its derivatives (laws.18); x, y: velocity ahead and to the left.
static double scaled(const air *a, int k, double x, double y, double speed, double beta, double slope[2])
{
    double c = a->coefficient[k];
    if (a->table[k]) {
        jet of = table_at(a->table[k], beta);
        slope[0] = 2.0 * of.v * x - of.d * y;
        slope[1] = 2.0 * of.v * y + of.d * x;
        return of.v * speed * speed;
    }
    if (k == LIFT) {
        slope[0] = 2.0 * c * x;
        slope[1] = 2.0 * c * y;
        return c * speed * speed;
    }
    double along = k == DRAG || k == PITCH ? x : y, is_x = k == DRAG || k == PITCH ? 1.0 : 0.0;
    slope[0] = speed > 0.0 ? c * (along * x / speed + is_x * speed) : 0.0;
    slope[1] = speed > 0.0 ? c * (along * y / speed + (1.0 - is_x) * speed) : 0.0;
    return c * along * speed;
}

static flow air_flow(const air *a, const law_in *in)
{
    // drag and side force act against the motion, lift upwards; moments turn about their axes (laws.17)
    static const double sense[N_COEFFICIENT] = { -1.0, -1.0, 1.0, 1.0, 1.0, 1.0 };
    flow f = { .R = mat3_multiply(in->at->axes[a->frame], a->axes) };
    double wind[3];
    for (int k = 0; k < 3; k++) {
        wind[k] = a->wind[k] >= 0 ? in->u->signal[a->wind[k]].v : 0.0;
    }
    f.through = vec3_sub(tray_vec3(&in->at->rate[a->at]), (vec3){ wind[0], wind[1], wind[2] });
    double x = vec3_dot(f.R.col[0], f.through), y = vec3_dot(f.R.col[1], f.through);
    f.speed = sqrt(x * x + y * y);
    f.beta = math_atan2(y, x);
    for (int k = 0; k < N_COEFFICIENT; k++) {
        double by = sense[k] * a->thick * (k < ROLL ? 1.0 : a->length);
        f.effort[k] = by * scaled(a, k, x, y, f.speed, f.beta, f.slope[k]);
        f.slope[k][0] *= by;
        f.slope[k][1] *= by;
    }
    return f;
}

// (laws.19)
static void air_tangent(const air *a, const flow *f, load *out)
{
    double *K = &out->K[a->block], *C = &out->C[a->block];
    memset(K, 0, 36 * sizeof *K);
    memset(C, 0, 36 * sizeof *C);
    mat3 through = mat3_cross(f->through);
    for (int part = 0; part < 2; part++) {
        vec3 effort = mat3_apply(f->R, tray_vec3(&f->effort[3 * part]));
        mat3 by_speed = mat3_scale(0.0, f->R);
        for (int d = 0; d < 2; d++) {
            const vec3 along = { f->slope[3 * part][d], f->slope[3 * part + 1][d],
                                 f->slope[3 * part + 2][d] };
            by_speed = mat3_add(by_speed, mat3_outer(mat3_apply(f->R, along), f->R.col[d]));
        }
        mat3 by_turn = mat3_add(mat3_multiply(by_speed, through), mat3_scale(-1.0, mat3_cross(effort)));
        for (int j = 0; j < 3; j++) {
            const double c[3] = { by_speed.col[j].x, by_speed.col[j].y, by_speed.col[j].z };
            const double k[3] = { by_turn.col[j].x, by_turn.col[j].y, by_turn.col[j].z };
            for (int i = 0; i < 3; i++) {
                C[(3 * part + i) * 6 + j] = -c[i];
                K[(3 * part + i) * 6 + 3 + j] = -k[i];
            }
        }
    }
}

static void air_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const air *item = items;
    for (int k = 0; k < count; k++) {
        const air *a = &item[k];
        flow f = air_flow(a, in);
        tray_add(&out->load->effort[a->at], mat3_apply(f.R, tray_vec3(&f.effort[0])));
        tray_add(&out->load->effort[a->at + 3], mat3_apply(f.R, tray_vec3(&f.effort[3])));
        double *told = &out->load->scalar[a->told];
        told[TOLD_SPEED] = f.speed;
        told[TOLD_ANGLE] = f.beta;
        memcpy(&told[TOLD_EFFORT], f.effort, sizeof f.effort);
        out->load->scalar[a->element] = vec3_norm(tray_vec3(&f.effort[0]));
        if (in->want & LAW_TANGENT) {
            air_tangent(a, &f, out->load);
        }
    }
}

static void air_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const air *item = items;
    for (int k = 0; k < count; k++) {
        flow f = air_flow(&item[k], in);
        const double *rate = &in->at->rate[item[k].at];
        out->power += vec3_dot(mat3_apply(f.R, tray_vec3(&f.effort[0])), tray_vec3(rate));
        out->power += vec3_dot(mat3_apply(f.R, tray_vec3(&f.effort[3])), tray_vec3(rate + 3));
    }
}

#define AT(field) offsetof(bi_air_def, field)
static const bi_field fields[] = {
    { "point", BI_FIELD_POINT, AT(point), "m", BI_REQUIRED, "where force and moments are counted" },
    { "forward", BI_FIELD_VEC3, AT(forward), NULL, BI_DIRECTION, "of the vehicle, body axes (default x)" },
    { "up", BI_FIELD_VEC3, AT(up), NULL, BI_DIRECTION, "of the vehicle, body axes (default z)" },
    { "area", BI_FIELD_NUMBER, AT(area), "m^2", BI_REQUIRED | BI_POSITIVE, "that the coefficients are of" },
    { "length", BI_FIELD_NUMBER, AT(length), "m", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "that those of moments are of, such as the wheel base (default 1 m)" },
    { "density", BI_FIELD_NUMBER, AT(density), "kg/m^3", BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "of the air (default 1.225 kg/m3)" },
    { "wind_x", BI_FIELD_EXPR, AT(wind_x), "m/s", 0,
      "velocity of the air along the ground's x, also where the file is included and turned (default 0)" },
    { "wind_y", BI_FIELD_EXPR, AT(wind_y), "m/s", 0, "along y" },
    { "wind_z", BI_FIELD_EXPR, AT(wind_z), "m/s", 0, "along z" },
    { "drag", BI_FIELD_NUMBER, AT(drag), "1", 0,
      "coefficient of the force backwards, times the cosine of the angle of the flow" },
    { "side", BI_FIELD_NUMBER, AT(side), "1", 0, "of the force across, times the sine" },
    { "lift", BI_FIELD_NUMBER, AT(lift), "1", 0, "of the force upwards" },
    { "roll", BI_FIELD_NUMBER, AT(roll), "1", 0, "of the moment about forward, times the sine" },
    { "pitch", BI_FIELD_NUMBER, AT(pitch), "1", 0,
      "of the moment about the axis to the left (nose down), times the cosine" },
    { "yaw", BI_FIELD_NUMBER, AT(yaw), "1", 0, "of the moment about up, times the sine" },
    { "drag_table", BI_FIELD_TABLE, AT(drag_table), NULL, 0,
      "coefficient over the angle of the flow, rad, up to half a turn on both sides, instead of the number" },
    { "side_table", BI_FIELD_TABLE, AT(side_table), NULL, 0, "the same across" },
    { "lift_table", BI_FIELD_TABLE, AT(lift_table), NULL, 0, "the same upwards" },
    { "roll_table", BI_FIELD_TABLE, AT(roll_table), NULL, 0, "the same of roll" },
    { "pitch_table", BI_FIELD_TABLE, AT(pitch_table), NULL, 0, "the same of pitch" },
    { "yaw_table", BI_FIELD_TABLE, AT(yaw_table), NULL, 0, "the same of yaw" },
};
#undef AT
static const bi_kind schema = { "forces",
                                "air",
                                sizeof(bi_air_def),
                                fields,
                                sizeof fields / sizeof *fields,
                                "air on a vehicle, with wind: drag, side force, lift, moments" };
const law_kind air_kind = { &schema, sizeof(air), air_compile, air_eval, NULL, air_energy, NULL };
