// SPDX-License-Identifier: MIT
// What one evaluation of the equations is asked for: the flags of `want`, on their way from a stepper through the
// corridor to coordinates and laws. One list, so that no two mean the same bit.
#pragma once

enum {
    // laws and constraints; they may skip the rest
    LAW_TANGENT = 1u << 0,  // K and C
    LAW_EXPLICIT = 1u << 1, // states are given: write their rates (else: solve them for the end of the step)
    LAW_POSITION = 1u << 2, // rows: phi, phi_t, gradient
    LAW_SECOND = 1u << 3,   // rows: gamma
    LAW_START = 1u << 4,    // states of laws and signals are set to where they rest
    LAW_KEEP = 1u << 5,     // choices that jump (which places touch) stay as they were in the last evaluation
    LAW_AGAIN =
        1u << 6, // of the instant of the last evaluation: time, inputs, memory, old states are the same
    LAW_STAGE = 1u << 7,      // inside an explicit step: readings of elements are not needed
    LAW_EVALUATED = 1u << 8,  // to energy: the last evaluation was of this very state and no stage
    LAW_WATCHED = 1u << 9,    // signals: only those that events watch
    LAW_GLUED = 1u << 10,     // friction knows no limit: what stands does not slide (analysis.11)
    LAW_COMMITTED = 1u << 17, // to energy: the last commit was of this very state
    LAW_LATE = 1u << 18, // to commit: contacts that live acted in the whole step as at its end (contact.23)
    LAW_MORE = 1u << 19, // with LAW_KEEP: places that came to touch besides are looked for
    LAW_FIRST =
        1u << 20, // accelerations of the start: what began inside something else does not push (contact.29)
    LAW_APART = 1u << 16, // without contacts that live: the stepper finds their forces (contact.20)
    // coordinates
    LIFT_ALL = 1u << 11,    // all markers, not only those that laws and constraints read
    LIFT_JOINTS = 1u << 12, // joint coordinates at least
    LIFT_BIAS = 1u << 21,   // with LIFT_ALL: how all markers accelerate by themselves, not only those of rows
    DROP_MASS = 1u << 13,   // the mass matrix
    DROP_RESIDUAL = 1u << 14, // Q less M a; the mass matrix is not there then
    // the corridor
    EVAL_FORCES = 1u << 15, // laws and generalised forces
    EVAL_MASS = DROP_MASS,  // with EVAL_FORCES
    EVAL_ALL = EVAL_FORCES | EVAL_MASS,
    EVAL_RESIDUAL = EVAL_FORCES | DROP_RESIDUAL,
};
