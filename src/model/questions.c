// SPDX-License-Identifier: MIT
// What a viewer or a control asks of a model, and what only a viewer needs: struts between bodies, files that are only seen.
#include "base/list.h"
#include "base/text.h"
#include "math/rotation.h"
#include "model/model.h"
#include <biela/look.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void bi_input_about(bi_model *m, bi_input input, double min, double max, const char *unit, const char *help)
{
    if (!m || input.i < 1 || input.i > m->n_input) {
        return;
    }
    model_input *in = &m->input[input.i - 1];
    bool is_range = isfinite(min) && isfinite(max) && min < max;
    in->min = is_range ? min : 0.0;
    in->max = is_range ? max : 0.0;
    free(in->unit);
    free(in->help);
    in->unit = unit ? text_copy(unit) : NULL;
    in->help = help ? text_copy(help) : NULL;
}

bool bi_model_input_info(const bi_model *m, bi_input input, bi_input_info *out)
{
    if (!m || !out || input.i < 1 || input.i > m->n_input) {
        return false;
    }
    const model_input *in = &m->input[input.i - 1];
    bool has_range = in->min < in->max;
    *out = (bi_input_info){ .name = in->name,
                            .unit = in->unit ? in->unit : "",
                            .help = in->help ? in->help : "",
                            .initial = in->initial,
                            .min = has_range ? in->min : -1.0,
                            .max = has_range ? in->max : 1.0 };
    return true;
}

// The hand of whoever watches: which body it pulls, where, whereto and how hard.
static const struct {
    const char *name, *unit, *help;
} hand_inputs[BI_HAND_INPUTS] = {
    { "hand_body", "", "number of the body that the hand pulls; 0: none" },
    { "hand_x", "m", "point that it holds, in the axes of the body" },
    { "hand_y", "m", "point that it holds, in the axes of the body" },
    { "hand_z", "m", "point that it holds, in the axes of the body" },
    { "hand_to_x", "m", "place it pulls to, ground axes" },
    { "hand_to_y", "m", "place it pulls to, ground axes" },
    { "hand_to_z", "m", "place it pulls to, ground axes" },
    { "hand_stiffness", "N/m", "of the spring between both" },
};

bool bi_add_hand(bi_model *m)
{
    if (!m || m->holders > 0 || m->hand > 0 || m->n_body < 2) {
        return false;
    }
    for (int k = 0; k < BI_HAND_INPUTS; k++) {
        if (bi_model_input(m, hand_inputs[k].name).i > 0) {
            return false;
        }
    }
    int first = m->n_input + 1;
    for (int k = 0; k < BI_HAND_INPUTS; k++) {
        bi_input_about(m, bi_add_input(m, hand_inputs[k].name, 0.0), -INFINITY, INFINITY, hand_inputs[k].unit,
                       hand_inputs[k].help);
    }
    m->hand = m->n_input == first + BI_HAND_INPUTS - 1 ? first : 0;
    return m->hand > 0;
}

bi_vec3 bi_model_gravity_of(const bi_model *m) { return m ? m->gravity : (bi_vec3){ 0 }; }

bool bi_model_body_com(const bi_model *m, bi_body body, bi_vec3 *com)
{
    if (!m || !com || body.i < 1 || body.i > m->n_body) {
        return false;
    }
    *com = m->body[body.i - 1].def.com;
    return true;
}

bool bi_model_joint_points(const bi_model *m, bi_joint joint, bi_point *a, bi_point *b)
{
    if (!m || joint.i < 1 || joint.i > m->n_joint) {
        return false;
    }
    const bi_joint_def *d = &m->joint[joint.i - 1].def;
    model_joint_frame frame = model_joint_frames(m, joint.i - 1);
    if (a) {
        *a = (bi_point){ d->a, frame.at_a };
    }
    if (b) {
        *b = (bi_point){ d->b, frame.at_b };
    }
    return true;
}

// ---- struts ---------------------------------------------------------------------------------------------------------

void bi_add_strut(bi_model *m, const bi_strut_def *def)
{
    if (!MODEL_ROOM(m, def, strut)) {
        return;
    }
    model_strut *s = &m->strut[m->n_strut++];
    *s = (model_strut){ .def = *def, .place = m->place };
    s->def.name = text_copy(def->name ? def->name : "");
}

void model_struts_free(bi_model *m)
{
    for (int k = 0; k < m->n_strut; k++) {
        free((void *)m->strut[k].def.name);
    }
    free(m->strut);
    for (int k = 0; k < m->n_look; k++) {
        free((void *)m->look[k].def.name);
        free((void *)m->look[k].def.file);
    }
    free(m->look);
}

int bi_model_strut_count(const bi_model *m) { return m ? m->n_strut : 0; }

bool bi_model_strut_at(const bi_model *m, int k, bi_strut_def *out)
{
    if (!m || !out || k < 0 || k >= m->n_strut) {
        return false;
    }
    *out = m->strut[k].def;
    return true;
}

const char *bi_strut_type_name(bi_strut_type type)
{
#define STRUT_NAME(value, name)                                                                              \
    case value: return name;
    switch (type) {
        BI_STRUT_LIST(STRUT_NAME)
    case BI_STRUT_NONE: break;
    }
    return NULL;
}

double bi_strut_length(const bi_strut_def *d, const bi_pose *pose)
{
    if (!d || !pose || d->n_point < 2 || d->n_point > BI_STRUT_POINTS) {
        return NAN;
    }
    double length = 0.0;
    vec3 last = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < d->n_point; k++) {
        const bi_pose *p = &pose[d->point[k].body.i > 0 ? d->point[k].body.i - 1 : 0];
        vec3 at = vec3_add(p->pos, quat_rotate(quat_or_identity(p->rot), d->point[k].at));
        length += k > 0 ? vec3_norm(vec3_sub(at, last)) : 0.0;
        last = at;
    }
    return length;
}

// What is wrong with a strut, and with which of its keys; NULL: nothing.
static const char *strut_mistake(const bi_model *m, const bi_strut_def *d, const char **key)
{
    *key = "type";
    if (!bi_strut_type_name(d->type)) {
        return "is not one of rod, cylinder and chain";
    }
    *key = "points";
    if (d->n_point < 2 || d->n_point > BI_STRUT_POINTS) {
        return "must be 2 to 8 points";
    }
    if (d->type == BI_STRUT_CYLINDER && d->n_point != 2) {
        return "of a cylinder are two: its foot and its eye";
    }
    for (int k = 0; k < d->n_point; k++) {
        if (d->point[k].body.i < 0 || d->point[k].body.i > m->n_body) {
            return "name a body that does not exist";
        }
        if (!vec3_is_finite(d->point[k].at)) {
            return "are not finite";
        }
    }
    *key = "radius";
    if (!(d->radius > 0.0) || !isfinite(d->radius)) {
        return "must be positive";
    }
    *key = "rod";
    if (!(d->rod >= 0.0 && d->rod < d->radius)) {
        return "must be smaller than 'radius', that of the barrel";
    }
    *key = "barrel";
    return !(d->barrel >= 0.0) || !isfinite(d->barrel) ? "must be positive" : NULL;
}

static void check_looks(const bi_model *m, bi_report *report)
{
    for (int k = 0; k < m->n_look; k++) {
        const bi_look_def *d = &m->look[k].def;
        const bi_quat r = d->pose.rot;
        bool is_sound = d->body.i >= 0 && d->body.i <= m->n_body && vec3_is_finite(d->pose.pos) &&
                        isfinite(r.w + r.x + r.y + r.z);
        if (!is_sound || !(d->scale >= 0.0) || !isfinite(d->scale) || !*d->file) {
            char where[256];
            snprintf(where, sizeof where, "looks.%s.%s", d->name, is_sound && *d->file ? "scale" : "file");
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, m->look[k].place, where,
                          "needs a file, a body that exists, a finite place and a positive scale");
        }
    }
}

void model_check_struts(const bi_model *m, bi_report *report)
{
    check_looks(m, report);
    for (int k = 0; k < m->n_strut; k++) {
        const char *key, *what = strut_mistake(m, &m->strut[k].def, &key);
        if (what) {
            char where[256];
            snprintf(where, sizeof where, "struts.%s.%s", m->strut[k].def.name, key);
            bi_report_add(report, BI_ERROR, BI_BAD_MODEL, m->strut[k].place, where, "%s", what);
        }
    }
}

// ---- files that are only seen ---------------------------------------------------------------------------------------

void bi_add_look(bi_model *m, const bi_look_def *def)
{
    if (!MODEL_ROOM(m, def, look)) {
        return;
    }
    model_look *l = &m->look[m->n_look++];
    *l = (model_look){ .def = *def, .place = m->place };
    l->def.name = text_copy(def->name ? def->name : "");
    l->def.file = text_copy(def->file ? def->file : "");
}

int bi_model_look_count(const bi_model *m) { return m ? m->n_look : 0; }

bool bi_model_look_at(const bi_model *m, int k, bi_look_def *out)
{
    if (!m || !out || k < 0 || k >= m->n_look) {
        return false;
    }
    *out = m->look[k].def;
    return true;
}
