// SPDX-License-Identifier: MIT
// The ring of a bearing with play: a journal that moves in it until it meets it, with contact and friction (laws.14 ..
// laws.16).
#include "laws/force/force.h"
#include "math/elementary.h"
#include <math.h>
#include <stddef.h>

enum { ANGLE, X, Y, WIDTH };

typedef struct {
    int at[WIDTH]; // numbers of the joint's coordinates
    int block, element;
    double clearance, radius, stiffness, exponent, dissipation, friction, slow;
} bearing;

static void bearing_compile(plan *p, int element, const void *def, void *item)
{
    const bi_bearing_def *d = def;
    const bi_joint_def *joint = &p->model->joint[d->joint.i - 1].def;
    int m[WIDTH];
    if (joint->kind != BI_PLANAR || !(joint->clearance > 0.0)) {
        plan_complain(p, element, "joint",
                      "'%s' has no play: give it 'clearance', as a revolute joint may have", joint->name);
        *(bearing *)item = (bearing){ .element = element };
        return;
    }
    if (d->exponent > 0.0 && d->exponent < 1.0) {
        plan_complain(p, element, "exponent", "must be 1 or more, and it is %g", d->exponent);
    }
    for (int i = 0; i < WIDTH; i++) {
        m[i] = plan_joint(p, d->joint.i - 1, i);
    }
    *(bearing *)item = (bearing){ .at = { plan_dof(p, m[0]), plan_dof(p, m[1]), plan_dof(p, m[2]) },
                                  .block = plan_block(p, m, WIDTH),
                                  .element = element,
                                  .clearance = joint->clearance,
                                  .radius = d->radius,
                                  .stiffness = d->stiffness,
                                  .exponent = d->exponent > 0.0 ? d->exponent : 1.5,
                                  .dissipation = d->dissipation,
                                  .friction = d->friction,
                                  .slow = d->slow_speed > 0.0 ? d->slow_speed : 1e-3 };
}

// Where the journal is and how it presses on the ring.
typedef struct {
    double r, e[2], t[2];           // how far from the middle; outwards and along the ring
    double v[2], u, w;              // of its middle; outwards; with which it slides along the ring
    double push, by_depth, by_rate; // N and its derivatives
    double elastic;                 // its part that is stored
    double slide, by_slide;         // share of the friction, -1 to 1, and its derivative
    double depth;
} touch;

static touch bearing_touch(const bearing *b, const motion *at)
{
    double x = at->value[b->at[X]], y = at->value[b->at[Y]];
    touch c = { .r = sqrt(x * x + y * y), .v = { at->rate[b->at[X]], at->rate[b->at[Y]] } };
    c.depth = c.r - b->clearance;
    if (!(c.depth > 0.0)) {
        return c;
    }
    c.e[0] = x / c.r;
    c.e[1] = y / c.r;
    c.t[0] = -c.e[1];
    c.t[1] = c.e[0];
    c.u = c.e[0] * c.v[0] + c.e[1] * c.v[1];
    c.w = c.t[0] * c.v[0] + c.t[1] * c.v[1] + b->radius * at->rate[b->at[ANGLE]];
    c.elastic = b->stiffness * math_pow(c.depth, b->exponent);
    double share = 1.0 + b->dissipation * c.u;
    if (share > 0.0) {
        c.push = c.elastic * share;
        c.by_depth = b->exponent * c.push / c.depth;
        c.by_rate = c.elastic * b->dissipation;
    }
    c.slide = math_tanh(c.w / b->slow);
    c.by_slide = (1.0 - c.slide * c.slide) / b->slow;
    return c;
}

// Derivatives of the three efforts along one change of place and rates (laws.16): K and C are minus these.
static void bearing_change(const bearing *b, const touch *c, const double *place, const double *rate,
                           double *out)
{
    double out_way = c->e[0] * place[X] + c->e[1] * place[Y];
    double turned = (c->t[0] * place[X] + c->t[1] * place[Y]) / c->r;
    double along = c->t[0] * c->v[0] + c->t[1] * c->v[1];
    double du = c->e[0] * rate[X] + c->e[1] * rate[Y] + along * turned;
    double dw = c->t[0] * rate[X] + c->t[1] * rate[Y] + b->radius * rate[ANGLE] - c->u * turned;
    double pushed = c->by_depth * out_way + c->by_rate * du;
    double rub = -b->friction * c->push * c->slide;
    double rubbed = -b->friction * (pushed * c->slide + c->push * c->by_slide * dw);
    for (int i = 0; i < 2; i++) {
        out[X + i] =
            -pushed * c->e[i] - c->push * c->t[i] * turned + rubbed * c->t[i] - rub * c->e[i] * turned;
    }
    out[ANGLE] = b->radius * rubbed;
}

static void bearing_tangent(const bearing *b, const touch *c, load *out)
{
    static const double none[WIDTH] = { 0.0 };
    double *K = &out->K[b->block], *C = &out->C[b->block];
    for (int j = 0; j < WIDTH; j++) {
        double unit[WIDTH] = { 0.0 }, by_place[WIDTH] = { 0.0 }, by_rate[WIDTH] = { 0.0 };
        unit[j] = 1.0;
        if (c->depth > 0.0) {
            bearing_change(b, c, unit, none, by_place);
            bearing_change(b, c, none, unit, by_rate);
        }
        for (int i = 0; i < WIDTH; i++) {
            K[WIDTH * i + j] = -by_place[i];
            C[WIDTH * i + j] = -by_rate[i];
        }
    }
}

static void bearing_eval(const void *items, int count, const law_in *in, law_out *out)
{
    const bearing *item = items;
    for (int k = 0; k < count; k++) {
        const bearing *b = &item[k];
        touch c = bearing_touch(b, in->at);
        double rub = -b->friction * c.push * c.slide;
        out->load->effort[b->at[X]] += rub * c.t[0] - c.push * c.e[0];
        out->load->effort[b->at[Y]] += rub * c.t[1] - c.push * c.e[1];
        out->load->effort[b->at[ANGLE]] += b->radius * rub;
        out->load->scalar[b->element] = c.push;
        if (in->want & LAW_TANGENT) {
            bearing_tangent(b, &c, out->load);
        }
    }
}

static void bearing_energy(const void *items, int count, const law_in *in, const double *z, law_energy *out)
{
    (void)z;
    const bearing *item = items;
    for (int k = 0; k < count; k++) {
        const bearing *b = &item[k];
        touch c = bearing_touch(b, in->at);
        if (c.depth > 0.0) {
            out->potential += c.elastic * c.depth / (b->exponent + 1.0);
            out->power -= (c.push - c.elastic) * c.u + b->friction * c.push * c.slide * c.w;
        }
    }
}

static const bi_field fields[] = {
    { "joint", BI_FIELD_JOINT, offsetof(bi_bearing_def, joint), NULL, BI_REQUIRED,
      "revolute joint with 'clearance': the ring is on its first body, the journal on its second" },
    { "radius", BI_FIELD_NUMBER, offsetof(bi_bearing_def, radius), "m", BI_REQUIRED | BI_POSITIVE,
      "of the journal, lever of its friction" },
    { "stiffness", BI_FIELD_NUMBER, offsetof(bi_bearing_def, stiffness), NULL, BI_REQUIRED | BI_POSITIVE,
      "force per depth^exponent, N/m^1.5 by default" },
    { "exponent", BI_FIELD_NUMBER, offsetof(bi_bearing_def, exponent), "1",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT, "of the depth (default 1.5, Hertz), at least 1" },
    { "dissipation", BI_FIELD_NUMBER, offsetof(bi_bearing_def, dissipation), "s/m", BI_NOT_NEGATIVE,
      "force times 1 + dissipation times rate of depth (default 0: hits lose nothing)" },
    { "friction", BI_FIELD_NUMBER, offsetof(bi_bearing_def, friction), "1", BI_NOT_NEGATIVE,
      "of the journal on the ring (default 0)" },
    { "slow_speed", BI_FIELD_NUMBER, offsetof(bi_bearing_def, slow_speed), "m/s",
      BI_NOT_NEGATIVE | BI_ZERO_IS_DEFAULT,
      "slip at which friction is at three quarters (default 1e-3 m/s)" },
};
static const bi_kind schema = {
    "forces", "bearing", sizeof(bi_bearing_def),
    fields,   7,         "the ring of a bearing with play: contact and friction of the journal"
};
const law_kind bearing_kind = { &schema, sizeof(bearing), bearing_compile, bearing_eval, NULL, bearing_energy,
                                NULL };
