// SPDX-License-Identifier: MIT
// What a viewer or a control asks of a model.
#include "base/text.h"
#include "model/model.h"
#include <biela/look.h>
#include <math.h>
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
