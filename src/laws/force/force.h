// SPDX-License-Identifier: MIT
// Force laws. Each kind is one file; dynamics/law_list.h lists them.
#pragma once
#include "state/law.h"

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

// Made by the compiler, one per body with mass of a model with a hand (bi_add_hand).
typedef struct {
    int body, input; // number of the body; first of the hand's inputs
    double mass;     // kg
} hand_def;
extern const law_kind hand_kind;
