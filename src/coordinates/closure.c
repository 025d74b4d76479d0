// SPDX-License-Identifier: MIT
// A joint that no coordinates build in: all of it as rows.
#include "coordinates/set.h"

void closure_request(plan *p, int j)
{
    switch (p->model->joint[j].def.kind) {
    case BI_FIXED:
        plan_request(p, JOINT_ROWS_COINCIDE, j, 0);
        plan_request(p, JOINT_ROWS_ORIENT, j, 0);
        break;
    case BI_REVOLUTE:
        plan_request(p, JOINT_ROWS_COINCIDE, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_PRISMATIC:
        plan_request(p, JOINT_ROWS_ALIGN, j, 0);
        plan_request(p, JOINT_ROWS_ORIENT, j, 0);
        break;
    case BI_CYLINDRICAL:
        plan_request(p, JOINT_ROWS_ALIGN, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_PLANAR:
        plan_request(p, JOINT_ROWS_PLANE, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_SCREW:
        plan_request(p, JOINT_ROWS_ALIGN, j, 0);
        plan_request(p, JOINT_ROWS_PARALLEL, j, 0);
        break;
    case BI_UNIVERSAL:
        plan_request(p, JOINT_ROWS_COINCIDE, j, 0);
        plan_request(p, JOINT_ROWS_PERPENDICULAR, j, 0);
        break;
    case BI_SPHERICAL: plan_request(p, JOINT_ROWS_COINCIDE, j, 0); break;
    case BI_FREE: break;
    case BI_DISTANCE:
        if (!model_is_driven(p->model, j)) {
            plan_request(p, JOINT_ROWS_DISTANCE, j, 0);
        }
        break;
    }
}
