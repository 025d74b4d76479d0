// SPDX-License-Identifier: MIT
// What a system tells without a run: the variables of its equations by name, a tyre on the test rig.
#include "dynamics/laws.h"
#include "sim/system.h"
#include <stdio.h>

int bi_variable_count(const bi_system *s) { return s ? s->dynamics.structure.n : 0; }

const char *bi_variable_name(const bi_system *s, int k, char *buffer, size_t size)
{
    if (!buffer || size == 0) {
        return "";
    }
    buffer[0] = '\0';
    if (!s || k < 0 || k >= s->dynamics.structure.n) {
        return buffer;
    }
    const dynamics *d = &s->dynamics;
    const structure *st = &d->structure;
    const bi_model *m = s->model;
    for (int i = 0; i < d->plan.n_marker; i++) {
        const marker *mark = &d->plan.marker[i];
        if (mark->kind == MARKER_JOINT && st->marker_q[i] == k) {
            const bi_joint_def *j = &m->joint[mark->joint].def;
            snprintf(buffer, size, "%s.%s", j->name, model_coordinate_name(j->kind, mark->coordinate));
            return buffer;
        }
        if (mark->kind == MARKER_MODE && st->marker_q[i] == k) {
            snprintf(buffer, size, "%s.mode%d", m->body[mark->body].def.name, mark->coordinate + 1);
            return buffer;
        }
    }
    const owner_name *o = &st->variable_owner[k];
    const entity_name *e = st->variable_entity ? &st->variable_entity[k] : NULL;
    if (e && e->number > 0 && e->named >= 0) {
        snprintf(buffer, size, "%s.%c", m->named[e->named].name, 'x' + k - e->first);
    } else if (e && e->number > 0) {
        snprintf(buffer, size, "%s.%s%d.%c", m->body[o->body].def.name, o->what, e->number,
                 'x' + k - e->first);
    } else {
        snprintf(buffer, size, "%s (%s)", m->body[o->body].def.name, o->what);
    }
    return buffer;
}

bool bi_tyre_test(const bi_system *s, bi_element element, const bi_tyre_state *state, bi_tyre_force *out)
{
    if (!s || !state || !out || element.i < 1 || element.i > s->model->n_element) {
        return false;
    }
    return laws_test_tyre(&s->dynamics.laws, s->model, element.i - 1, state, out);
}
