// SPDX-License-Identifier: MIT
// Force laws. Each kind is one file; dynamics/laws.c lists them.
#pragma once
#include "state/law.h"

extern const law_kind spring_kind;
extern const law_kind torque_kind;
extern const law_kind dc_motor_kind;

// Made by the compiler, one per body (or node of a flexible body): a weight.
typedef struct {
    int body;
    vec3 at;     // body frame
    double mass; // kg
} gravity_def;
extern const law_kind gravity_kind;

// Made by the compiler, one per mode of a flexible body.
typedef struct {
    int body, mode;
    double stiffness, damping;
} elastic_def;
extern const law_kind elastic_kind;
