// SPDX-License-Identifier: MIT
// Patches of the ground with another friction.
#include "base/hash.h"
#include "base/list.h"
#include "base/text.h"
#include "math/rotation.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bi_add_patch(bi_model *m, const bi_patch_def *def)
{
    if (!MODEL_ROOM(m, def, patch)) {
        return;
    }
    model_patch *p = &m->patch[m->n_patch++];
    *p = (model_patch){ .def = *def, .place = m->place };
    p->def.name = text_copy(def->name ? def->name : "");
    p->pose = (geom_pose){ quat_to_mat3(quat_normalized(quat_or_identity(def->pose.rot))), def->pose.pos };
}

void model_patches_free(bi_model *m)
{
    for (int k = 0; k < m->n_patch; k++) {
        free((void *)m->patch[k].def.name);
    }
    free(m->patch);
}

int bi_model_patch_count(const bi_model *m) { return m ? m->n_patch : 0; }

bool bi_model_patch_at(const bi_model *m, int k, bi_patch_def *out)
{
    if (!m || !out || k < 0 || k >= m->n_patch) {
        return false;
    }
    *out = m->patch[k].def;
    return true;
}

bool model_patch_moves(const bi_patch_def *d) { return d->disc[0].i > 0; }

bool model_patch_covers(const model_patch *p, vec3 at)
{
    vec3 local = geom_inside(&p->pose, at);
    if (p->def.radius > 0.0) {
        return local.x * local.x + local.y * local.y <= p->def.radius * p->def.radius;
    }
    return fabs(local.x) <= 0.5 * p->def.size[0] && fabs(local.y) <= 0.5 * p->def.size[1];
}

double bi_model_friction_at(const bi_model *m, bi_vec3 at)
{
    for (int k = m ? m->n_patch - 1 : -1; k >= 0; k--) {
        const bi_patch_def *d = &m->patch[k].def;
        if (!model_patch_moves(d) && d->factor.i == 0 && model_patch_covers(&m->patch[k], at)) {
            return m->patch[k].def.friction;
        }
    }
    return 1.0;
}

void model_check_patches(const bi_model *m, bi_report *report)
{
    for (int k = 0; k < m->n_patch; k++) {
        const bi_patch_def *d = &m->patch[k].def;
        bool is_disc = d->radius > 0.0 && isfinite(d->radius),
             is_rectangle = d->size[0] > 0.0 && d->size[1] > 0.0 && isfinite(d->size[0] + d->size[1]);
        const char *key = NULL, *what = NULL;
        const bi_quat r = d->pose.rot;
        if (!vec3_is_finite(d->pose.pos) || !isfinite(r.w + r.x + r.y + r.z)) {
            key = "at";
            what = "is not finite";
        } else if (!(d->friction >= 0.0) || !isfinite(d->friction)) {
            key = "friction";
            what = "must not be negative: 1 is as elsewhere, 0.1 ice";
        } else if (model_patch_moves(d) && (d->disc[1].i <= 0 || d->disc[2].i <= 0)) {
            key = "disc";
            what = "needs all three: x, y and radius";
        } else if (model_patch_moves(d) && (d->radius != 0.0 || d->size[0] != 0.0 || d->size[1] != 0.0)) {
            key = "disc";
            what = "stands in place of 'size' and 'radius'; leave one of them out";
        } else if (!model_patch_moves(d) && (d->radius != 0.0 ? !is_disc : !is_rectangle)) {
            key = d->radius != 0.0 ? "radius" : "size";
            what = "must be positive: give the sides of a rectangle, or the radius of a disc";
        }
        if (what) {
            char where[256];
            snprintf(where, sizeof where, "patches.%s.%s", d->name, key);
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, m->patch[k].place, where, "%s", what);
        }
    }
}

uint64_t model_patch_hash(uint64_t h, const bi_patch_def *d)
{
    const bi_vec3 p = d->pose.pos;
    const bi_quat r = d->pose.rot;
    const double number[] = { p.x, p.y,        p.z,        r.w,       r.x,        r.y,
                              r.z, d->size[0], d->size[1], d->radius, d->friction };
    h = hash_bytes(hash_bytes(h, d->name, strlen(d->name)), number, sizeof number);
    const int32_t expression[] = { d->disc[0].i, d->disc[1].i, d->disc[2].i, d->factor.i };
    // those without are hashed as they were before there were any
    bool has_any = model_patch_moves(d) || d->factor.i > 0;
    return has_any ? hash_bytes(h, expression, sizeof expression) : h;
}
