// SPDX-License-Identifier: MIT
// What a file of fatigue data says: how stresses are taken, what materials endure, where notches and seams are.
#pragma once
#include "io/life/cycles.h"
#include <biela/flex.h>

typedef enum {
    LIFE_PRINCIPAL, // the principal stress of the largest size, with its sign
    LIFE_MISES,     // von Mises stress with the sign of that principal stress
    LIFE_PLANE,     // critical plane: the normal stress on each of many planes
    LIFE_SHEAR,     // critical plane: the shear on each, with a share of its normal stress (Fatemi and Socie)
    LIFE_METHODS
} life_method;
const char *life_method_name(int); // NULL: none

// A notch or a seam.
typedef struct {
    bi_body body;
    double notch; // factor of the stress
    int curve;    // place in the list of curves; -1: that of the material
    char name[64];
    bool *is_element, *is_node; // (of the mesh) those that it means
} life_spot;

typedef struct {
    life_method method;
    cycles_manner manner;
    double survival; // 0: as the data have it
    int n_plane;     // of half a turn
    int n_fibre;     // around round sections
    double share;    // of the normal stress beside a shear
    int n_curve;
    endurance *curve; // (n_curve)
    int n_spot;
    life_spot *spot; // (n_spot)
} life_data;

bool life_data_read(life_data *, bi_model *, const char *path, bi_report *); // false: told
void life_data_clear(life_data *);
int life_data_curve(const life_data *, const char *name); // -1: none
