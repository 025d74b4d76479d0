// SPDX-License-Identifier: MIT
// What a joint holds, as rows: all of it, or what natural coordinates do not share.
#include "coordinates/set.h"

static void request_distance(plan *p, int j)
{
    // a driven distance is defined as a coordinate and imposed by its guide or gear
    if (!model_is_driven(p->model, j)) {
        plan_request(p, JOINT_ROWS_DISTANCE, j, 0);
    }
}

static void request_place(plan *p, int j)
{
    switch (joint_of(p->model->joint[j].def.kind)->place) {
    case JOINT_PLACE_FREE: break;
    case JOINT_PLACE_POINT: plan_request(p, JOINT_ROWS_COINCIDE, j, 0); break;
    case JOINT_PLACE_LINE: plan_request(p, JOINT_ROWS_ALIGN, j, 0); break;
    case JOINT_PLACE_PLANE: plan_request(p, JOINT_ROWS_PLANE, j, 0); break;
    case JOINT_PLACE_DISTANCE: request_distance(p, j); break;
    }
}

void closure_request(plan *p, int j)
{
    request_place(p, j);
    switch (joint_of(p->model->joint[j].def.kind)->turn) {
    case JOINT_TURN_FREE: break;
    case JOINT_TURN_AXIS: plan_request(p, JOINT_ROWS_PARALLEL, j, 0); break;
    case JOINT_TURN_CROSS: plan_request(p, JOINT_ROWS_PERPENDICULAR, j, 0); break;
    case JOINT_TURN_NONE: plan_request(p, JOINT_ROWS_ORIENT, j, 0); break;
    }
}

void closure_request_unshared(plan *p, int j)
{
    const joint_kind *kind = joint_of(p->model->joint[j].def.kind);
    if (kind->place != JOINT_PLACE_POINT) {
        request_place(p, j);
    }
    switch (kind->turn) {
    case JOINT_TURN_CROSS: plan_request(p, JOINT_ROWS_PERPENDICULAR, j, 0); break;
    case JOINT_TURN_FREE:
    case JOINT_TURN_AXIS:
    case JOINT_TURN_NONE: break;
    }
}

void closure_request_pitch(plan *p, int j)
{
    // written on its own coordinates: they need their definitions
    if (joint_has_pitch(p->model->joint[j].def.kind)) {
        plan_joint(p, j, 0);
        plan_joint(p, j, 1);
        plan_request(p, JOINT_ROWS_SCREW, j, 0);
    }
}
