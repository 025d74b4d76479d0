// SPDX-License-Identifier: MIT
// A point of a body against a plane: Kelvin-Voigt normal force, friction with a stick state (contact.1 .. contact.6).
// The anchor of the stick spring is memory: it stays put during a step and follows after acceptance.
#include "laws/contact/contact.h"
#include "math/elementary.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

// what the stick spring keeps of its largest force while the anchor is dragged along
static const double kept = 0.95;

typedef struct {
    int at, block, element, memory; // memory: 1 when anchored, anchor x y z
    double stiffness, damping, hysteresis, friction;
    double stick_stiffness, stick_damping, stick_speed;
    vec3 plane, normal;
} point_contact;

static void contact_compile(plan *p, int element, const void *def, void *item)
{
    const bi_point_contact_def *d = def;
    int m = plan_point(p, d->point.body.i - 1, d->point.at);
    double tau = d->stick_time > 0.0 ? d->stick_time : 0.03;
    point_contact *out = item;
    *out = (point_contact){ .at = plan_dof(p, m),
                            .block = plan_block(p, &m, 1),
                            .element = element,
                            .memory = plan_memory(p, 4),
                            .stiffness = d->stiffness,
                            .damping = d->damping,
                            .hysteresis = d->hysteresis > 0.0 ? d->hysteresis : 1.0,
                            .friction = d->friction,
                            .stick_stiffness = d->mass / (tau * tau),
                            .stick_damping = 2.0 * d->mass / tau,
                            .stick_speed = fmax(d->friction, 1e-3) * plan_weight(p) * tau,
                            .plane = d->plane,
                            .normal =
                                vec3_norm(d->normal) > 0.0 ? vec3_normalized(d->normal) : (vec3){ 0, 0, 1 } };
}

typedef struct {
    double depth, normal_force;
    double by_depth, by_rate; // derivatives of the normal force
    vec3 slip, offset;        // tangential velocity; from the anchor
    double speed, friction;
    double spring; // stiffness of the stick spring: none before there is an anchor
} touch;

static vec3 along_plane(const point_contact *c, vec3 v)
{
    return vec3_add_scaled(v, -vec3_dot(v, c->normal), c->normal);
}

static touch contact_state(const point_contact *c, const law_in *in)
{
    touch t = { 0 };
    const motion *at = in->at;
    const double *memory = in->memory;
    vec3 pos = tray_vec3(&at->value[c->at]), vel = tray_vec3(&at->rate[c->at]);
    t.depth = -vec3_dot(c->normal, vec3_sub(pos, c->plane));
    double rate = -vec3_dot(c->normal, vel);
    if (t.depth <= 0.0) {
        return t;
    }
    double damping = rate < 0.0 ? c->hysteresis * c->damping : c->damping;
    double elastic = c->stiffness * t.depth, by_depth = c->stiffness, by_rate = damping;
    double leaving = -rate * in->u->h;
    if (leaving > t.depth) {
        // it is left within the next step and has no more to give (contact.14)
        elastic *= t.depth / leaving;
        by_depth = 2.0 * elastic / t.depth;
        by_rate -= elastic / rate;
    }
    double force = elastic + damping * rate;
    if (force > 0.0) {
        t.normal_force = force;
        t.by_depth = by_depth;
        t.by_rate = by_rate;
    }
    t.friction = law_grip(in) * c->friction;
    t.slip = along_plane(c, vel);
    t.speed = vec3_norm(t.slip);
    if (memory[c->memory] > 0.0) {
        t.offset = along_plane(c, vec3_sub(pos, tray_vec3(&memory[c->memory + 1])));
        t.spring = c->stick_stiffness;
    }
    return t;
}

typedef struct {
    vec3 stick, slide, total;
    double share; // of sticking
    bool is_saturated;
} tangential;

// share F_stick + (1 - share) F_slide, share = exp(-(speed / stick speed)^2) (contact.4)
static tangential friction_force(const point_contact *c, const touch *t)
{
    tangential f = { 0 };
    double most = t->friction * t->normal_force, ratio = t->speed / c->stick_speed;
    f.stick = vec3_sub(vec3_scale(-c->stick_stiffness, t->offset), vec3_scale(c->stick_damping, t->slip));
    double size = vec3_norm(f.stick);
    if (size > most) {
        f.is_saturated = true;
        f.stick = vec3_scale(most / size, f.stick);
    }
    f.slide = t->speed > 0.0 ? vec3_scale(-most / t->speed, t->slip) : (vec3){ 0, 0, 0 };
    f.share = math_exp(-ratio * ratio);
    f.total = vec3_add(vec3_scale(f.share, f.stick), vec3_scale(1.0 - f.share, f.slide));
    return f;
}

// dF = -K dx - C dv of normal and tangential force, exact (contact.6); unsymmetric where friction follows the load.
static void contact_tangent(const point_contact *c, const touch *t, const tangential *f, double *K, double *C)
{
    vec3 n = c->normal;
    mat3 plane = mat3_add(mat3_identity(), mat3_scale(-1.0, mat3_outer(n, n)));
    double most = t->friction * t->normal_force;
    mat3 by_x = mat3_scale(t->by_depth, mat3_outer(n, n)), by_v = mat3_scale(t->by_rate, mat3_outer(n, n));

    // stick: the spring and damper, or their direction only once saturated
    mat3 turn = plane;
    vec3 stick_unit = { 0, 0, 0 };
    if (f->is_saturated) {
        vec3 free =
            vec3_sub(vec3_scale(-c->stick_stiffness, t->offset), vec3_scale(c->stick_damping, t->slip));
        stick_unit = vec3_normalized(free);
        turn = mat3_scale(most / vec3_norm(free),
                          mat3_add(plane, mat3_scale(-1.0, mat3_outer(stick_unit, stick_unit))));
    }
    by_x = mat3_add(by_x, mat3_scale(f->share * t->spring, turn));
    by_v = mat3_add(by_v, mat3_scale(f->share * c->stick_damping, turn));

    // slide: direction of the velocity; both limits follow the normal force, which falls along n
    vec3 slide_unit = t->speed > 0.0 ? vec3_scale(-1.0 / t->speed, t->slip) : (vec3){ 0, 0, 0 };
    if (t->speed > 0.0) {
        mat3 across = mat3_add(plane, mat3_scale(-1.0, mat3_outer(slide_unit, slide_unit)));
        by_v = mat3_add(by_v, mat3_scale((1.0 - f->share) * most / t->speed, across));
    }
    vec3 limit = vec3_add(vec3_scale(f->share, stick_unit), vec3_scale(1.0 - f->share, slide_unit));
    by_x = mat3_add(by_x, mat3_scale(c->friction * t->by_depth, mat3_outer(limit, n)));
    by_v = mat3_add(by_v, mat3_scale(c->friction * t->by_rate, mat3_outer(limit, n)));

    // the share itself depends on the speed
    double slope = 2.0 * f->share / (c->stick_speed * c->stick_speed);
    by_v = mat3_add(by_v, mat3_outer(vec3_sub(f->stick, f->slide), vec3_scale(slope, t->slip)));
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            const double kx[3] = { by_x.col[j].x, by_x.col[j].y, by_x.col[j].z };
            const double cv[3] = { by_v.col[j].x, by_v.col[j].y, by_v.col[j].z };
            K[3 * i + j] = kx[i];
            C[3 * i + j] = cv[i];
        }
    }
}

static void contact_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const point_contact *item = items;
    for (int k = 0; k < count; k++) {
        const point_contact *c = &item[k];
        double *K = &out->load->K[c->block], *C = &out->load->C[c->block];
        touch t = contact_state(c, in);
        out->load->scalar[c->element] = t.normal_force;
        memset(K, 0, 9 * sizeof *K);
        memset(C, 0, 9 * sizeof *C);
        if (t.depth <= 0.0) {
            continue;
        }
        tangential f = friction_force(c, &t);
        tray_add(&out->load->effort[c->at], vec3_add(vec3_scale(t.normal_force, c->normal), f.total));
        if (in->want & LAW_TANGENT) {
            contact_tangent(c, &t, &f, K, C);
        }
    }
}

// After a step: a new contact anchors where it is, a lost one forgets, a slipping one drags its anchor along
// (contact.5).
static void contact_commit(const void *items, int count, const law_in *in, double *memory)
{
    const point_contact *item = items;
    for (int k = 0; k < count; k++) {
        const point_contact *c = &item[k];
        double *own = &memory[c->memory];
        touch t = contact_state(c, in);
        vec3 pos = tray_vec3(&in->at->value[c->at]);
        if (t.depth <= 0.0) {
            memset(own, 0, 4 * sizeof *own);
            continue;
        }
        if (own[0] == 0.0) {
            own[0] = 1.0;
            tray_put(&own[1], pos);
            continue;
        }
        double most = kept * c->friction * t.normal_force, pull = c->stick_stiffness * vec3_norm(t.offset);
        if (friction_force(c, &t).is_saturated && pull > most) {
            tray_put(&own[1], vec3_add_scaled(pos, -most / pull, t.offset));
        }
    }
}

static void contact_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const point_contact *item = items;
    for (int k = 0; k < count; k++) {
        touch t = contact_state(&item[k], in);
        if (t.depth > 0.0) {
            vec3 rest = vec3_add_scaled(friction_force(&item[k], &t).total,
                                        t.normal_force - item[k].stiffness * t.depth, item[k].normal);
            out->potential += 0.5 * item[k].stiffness * t.depth * t.depth;
            out->power += vec3_dot(rest, tray_vec3(&in->at->rate[item[k].at]));
        }
    }
}

static const bi_field fields[] = {
    { "point", BI_FIELD_POINT, offsetof(bi_point_contact_def, point), "m", BI_REQUIRED,
      "the point of the body" },
    { "plane", BI_FIELD_VEC3, offsetof(bi_point_contact_def, plane), "m", BI_GROUND_AXES,
      "a point of the plane, ground axes" },
    { "normal", BI_FIELD_VEC3, offsetof(bi_point_contact_def, normal), NULL, BI_DIRECTION | BI_GROUND_AXES,
      "its normal, ground axes (default z)" },
    { "stiffness", BI_FIELD_NUMBER, offsetof(bi_point_contact_def, stiffness), "N/m",
      BI_REQUIRED | BI_POSITIVE, "force per depth" },
    { "damping", BI_FIELD_NUMBER, offsetof(bi_point_contact_def, damping), "N*s/m", BI_NOT_NEGATIVE,
      "force per speed into the plane" },
    { "hysteresis", BI_FIELD_NUMBER, offsetof(bi_point_contact_def, hysteresis), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "factor on the damping while separating (default 1)" },
    { "friction", BI_FIELD_NUMBER, offsetof(bi_point_contact_def, friction), "1", BI_NOT_NEGATIVE,
      "coefficient" },
    { "stick_time", BI_FIELD_NUMBER, offsetof(bi_point_contact_def, stick_time), "s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "time scale of the stick spring (default 0.03 s)" },
    { "mass", BI_FIELD_NUMBER, offsetof(bi_point_contact_def, mass), "kg", BI_REQUIRED | BI_POSITIVE,
      "mass carried by this point" },
};
static const bi_kind schema = { "forces",
                                "point-contact",
                                sizeof(bi_point_contact_def),
                                fields,
                                9,
                                "a point against a plane, with friction that sticks" };
const law_kind point_contact_kind = { &schema, sizeof(point_contact), contact_compile, contact_eval,
                                      NULL,    contact_energy,        contact_commit };
