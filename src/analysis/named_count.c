// SPDX-License-Identifier: MIT
// How many variables a model has in mixed coordinates, counted as on paper: three per named point and vector, one per
// joint coordinate. An entity that a joint makes one of two bodies is counted once, and told when it has two names.
#include "analysis/named_count.h"
#include "math/vec3.h"
#include <stdio.h>
#include <string.h>

static bool is_near(vec3 a, vec3 b) { return vec3_norm(vec3_sub(a, b)) < 1e-9; }

static bool is_along(vec3 named, vec3 axis)
{
    return is_near(vec3_scale(1.0 / vec3_norm(named), named), vec3_scale(1.0 / vec3_norm(axis), axis));
}

// One joint keeps two named entities together: at its point, along its axis, or anywhere when nothing turns.
static bool joined(const bi_model *m, int joint, const model_named *one, const model_named *two)
{
    const bi_joint_def *d = &m->joint[joint].def;
    const joint_kind *kind = joint_of(d->kind);
    if (d->a.i == two->body.i && d->b.i == one->body.i) {
        const model_named *swap = one;
        one = two;
        two = swap;
    }
    if (d->a.i != one->body.i || d->b.i != two->body.i) {
        return false;
    }
    model_joint_frame f = model_joint_frames(m, joint);
    vec3 at = model_described_point(m, one->body, one->at),
         other = model_described_point(m, two->body, two->at);
    if (!one->is_vector) {
        bool is_there = is_near(one->at, f.at_a) && is_near(two->at, f.at_b);
        return kind->place == JOINT_PLACE_POINT && is_near(at, other) &&
               (is_there || joint_is_rigid(d->kind));
    }
    bool is_axis = (is_along(one->at, f.axis_a) && is_along(two->at, f.axis_b)) ||
                   (is_along(one->at, vec3_neg(f.axis_a)) && is_along(two->at, vec3_neg(f.axis_b)));
    if (kind->turn == JOINT_TURN_NONE) {
        return is_along(model_described_vector(m, one->body, one->at),
                        model_described_vector(m, two->body, two->at));
    }
    return is_axis && kind->turn == JOINT_TURN_AXIS;
}

// The earlier name of the same entity; -1: none.
static int earlier(const bi_model *m, int k)
{
    for (int i = 0; i < k; i++) {
        for (int j = 0; m->named[i].is_vector == m->named[k].is_vector && j < m->n_joint; j++) {
            if (joined(m, j, &m->named[i], &m->named[k])) {
                return i;
            }
        }
    }
    return -1;
}

void named_count(const bi_model *m, bi_report *report)
{
    int n_point = 0, n_again = 0, n_coordinate = 0;
    char again[300] = "";
    for (int k = 0; k < m->n_named; k++) {
        n_point += !m->named[k].is_vector;
        int before = earlier(m, k);
        if (before >= 0) {
            size_t used = strlen(again);
            snprintf(again + used, sizeof again - used, "%s%.40s is %.40s", n_again > 0 ? ", " : "",
                     m->named[k].name, m->named[before].name);
            n_again++;
        }
    }
    for (int j = 0; j < m->n_joint; j++) {
        n_coordinate += model_coordinate_count(m->joint[j].def.kind);
    }
    if (m->n_named == 0) {
        return;
    }
    int all = 3 * m->n_named + n_coordinate;
    bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "named",
                  "%d points, %d vectors and %d joint coordinates: %d variables%s", n_point,
                  m->n_named - n_point, n_coordinate, all, n_again > 0 ? "" : " in mixed coordinates");
    if (n_again > 0) {
        bi_report_add(report, BI_NOTE, BI_OK, (bi_place){ 0 }, "named", "%d without those named twice: %s",
                      all - 3 * n_again, again);
    }
}
