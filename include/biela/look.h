// SPDX-License-Identifier: MIT
/* look.h - what somebody who draws, drives or documents a model asks of it. Nothing here changes a run. */
#pragma once
#include <biela/biela.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- inputs: what a control needs to know ----------------------------------------------------------- */
typedef struct {
    const char *name, *unit, *help; /* unit, help: "" if none */
    double initial;                 /* also the safe value */
    double min, max;                /* range of the control; -1 to 1 when not said */
} bi_input_info;
/* `unit` and `help` may be NULL. The range is told to controls; the engine does not clamp. */
void bi_input_about(bi_model *, bi_input, double min, double max, const char *unit, const char *help);
bool bi_model_input_info(const bi_model *, bi_input, bi_input_info *); /* false: no such input */

/* ---- geometry ---------------------------------------------------------------------------------------- */
bi_vec3 bi_model_gravity_of(const bi_model *);                /* m/s2 */
bool bi_model_body_com(const bi_model *, bi_body, bi_vec3 *); /* body frame; false: no such body */
bool bi_model_joint_points(const bi_model *, bi_joint, bi_point *a, bi_point *b); /* of its two bodies */

/* Reactions of the joints on body b at the joint's point, ground axes; (bi_model_joint_count), valid until the next step. */
const bi_wrench *bi_sim_reactions(bi_sim *);
#ifdef __cplusplus
}
#endif
