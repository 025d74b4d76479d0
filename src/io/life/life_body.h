// SPDX-License-Identifier: MIT
// The histories of one flexible body: its places, what is counted at each, and the cycles so far.
#pragma once
#include "io/life/life_data.h"

// An end of a beam or a node, of shells with its side.
typedef struct {
    int32_t first, count; // histories
    int32_t row;          // the first of its rows in life_body.row
    int32_t element;      // of a beam; -1: a node
    int32_t node;
    int16_t end, side; // of the beam 0 or 1; of the shell 0 (top, or no shell) or 1
    int16_t spot;      // the notch or seam that it is in; -1: none
    bool is_beam, is_round;
    const endurance *curve; // NULL: there are no data, and nothing is counted
} life_place;

typedef struct {
    bi_body body;
    const char *name;
    const bi_flex *flex;
    int n_mode, n_row; // rows that differ
    double *mix;       // (n_row * n_mode)
    int32_t *row;      // (6 * n_place) rows of the places; -1: none
    double *eta;       // (n_mode) of one sample
    double *waiting;   // (n_mode * LIFE_BLOCK) samples that are counted together
    int n_waiting;
    int n_place;
    life_place *place; // (n_place)
    int n_missing;     // places without data
    int64_t n_counter;
    cycle_counter *counter; // (n_counter)
    double *room;           // what the counters begin with
    double *angle;          // (2 * n_fibre) cos, sin around a round section
    double *plane;          // coefficients of the planes, life_planes.c
    double *sample;         // (most histories of a place, twice, * LIFE_BLOCK) what they see
} life_body;

// Samples are counted in blocks: rows and histories are then fetched once for all of them.
enum { LIFE_BLOCK = 16 };

// False: told, or no memory.
bool life_body_make(life_body *, bi_model *, bi_body, const life_data *, bi_report *);
void life_body_free(life_body *);
bool life_body_add(life_body *, const life_data *);   // the amplitudes in eta; false: no memory
bool life_body_count(life_body *, const life_data *); // those that wait

// How many histories one fibre of a beam, or one tensor has; most of all of a place.
int life_planes_of_fibre(const life_data *);
int life_planes_of_tensor(const life_data *);
double *life_planes_make(const life_data *); // NULL: no memory
// What the histories of a fibre with these normal and shear stresses see, LIFE_BLOCK numbers of each history; normal:
// of shears on planes, beside them. Of a tensor: the same of one sample, LIFE_BLOCK numbers apart.
void life_fibre(const life_data *, const double *plane, const double *stress, const double *shear, double *to,
                double *normal);
void life_tensor(const life_data *, const double *plane, const double s[6], double *to, double *normal);
