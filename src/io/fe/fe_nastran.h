// SPDX-License-Identifier: MIT
// A card of Nastran's bulk data, its fields, and the properties that elements name.
#pragma once
#include "io/fe/fe_source.h"

enum { MOST_FIELDS = 400, FIELD = 20 };

// A card with its continuations; field[0] is its name.
typedef struct {
    fe_source *in;
    int line, count;
    char field[MOST_FIELDS][FIELD];
    bool is_too_long;
    int n_face, face_line;        // shells, and where the first is
    int n_other_face, other_line; // of them those of other kinds, and where the last is
    char face_name[FIELD];        // of that
    bool has_pshell;
} card;

// What gives elements their section and material.
typedef struct {
    int64_t number, material;
    int line, section; // -1: solids
} property;

typedef struct {
    property *item;
    int count, capacity;
} properties;

bool card_is_blank(const card *c, int k);
// A whole number of a field; false: reported.
bool card_integer(card *c, int k, const char *what, int64_t *value);
// A number, `otherwise` where the field is empty; false: reported.
bool card_number(card *c, int k, const char *what, double otherwise, double *value);

void nastran_psolid(card *c, properties *all);
void nastran_pbar(card *c, properties *all);
void nastran_pbarl(card *c, properties *all);
void nastran_pshell(card *c, properties *all);
void nastran_material(card *c);
// Gives elements the section and material of their property; what is missing is reported.
void nastran_assign(fe_source *in, const properties *all);
