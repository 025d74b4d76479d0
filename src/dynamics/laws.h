// SPDX-License-Identifier: MIT
// All laws and constraints of a model: compiled into one table per kind, evaluated table by table.
#pragma once
#include "state/law.h"

// All items of one kind, compiled.
typedef struct {
    const law_kind *kind;
    void *item;
    int count;
} law_table;

typedef struct {
    law_table *table;
    int n_table;
} laws;

// All kinds that a table may be of, from 0.
int laws_kind_count(void);
const law_kind *laws_kind_at(int k);

// First everything the model names, then (after the coordinates have asked) the rows of joints.
bool laws_compile(plan *p, laws *out);
bool laws_compile_requests(plan *p, laws *out);
// Tangents that users' callbacks give against differences; mistakes go to the report.
void laws_check_user(const laws *l, const plan *p, const law_in *in, bi_report *report);
// What a callback of the user gives that is no number; the element, or -1: all are.
int laws_lost_by_user(const laws *l, const law_in *in, char *text, size_t size);
void laws_clear(laws *l);
// The element on the test rig of tyres; false: it is no tyre.
bool laws_test_tyre(const laws *l, const bi_model *m, int element, const bi_tyre_state *state,
                    bi_tyre_force *out);
