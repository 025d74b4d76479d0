// SPDX-License-Identifier: MIT
// Force laws. Each kind is one file; dynamics/laws.c lists them.
#pragma once
#include "state/law.h"

extern const law_kind spring_kind;
extern const law_kind torque_kind;
extern const law_kind dc_motor_kind;
extern const law_kind torsion_spring_kind;
extern const law_kind stop_kind;
extern const law_kind motor_kind;
extern const law_kind brake_kind;
extern const law_kind joint_friction_kind;
extern const law_kind bushing_kind;
extern const law_kind force_kind;
extern const law_kind body_torque_kind;
extern const law_kind drag_kind;
extern const law_kind user_force_kind;
extern const law_kind force_action_kind, moment_action_kind, effort_action_kind;

// Made by the compiler, one per body: a weight.
typedef struct {
    int body;
    vec3 at;     // body frame; not used for a flexible body, whose centre of mass moves with its modes
    double mass; // kg
} gravity_def;
extern const law_kind gravity_kind;

// Made by the compiler, one per mode of a flexible body.
typedef struct {
    int body, mode;
    double stiffness, damping;
} elastic_def;
extern const law_kind elastic_kind;
