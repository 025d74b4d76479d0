// SPDX-License-Identifier: MIT
// What the two pages that make a tape share: its growing lists, names and values (tape_build.c), and elements
// (tape_elements.c).
#pragma once
#include "laws/bond/tape.h"

typedef struct {
    const net *g;
    const char *graph;
    tape *t;
    tape_lookup *lookup;
    void *ctx;
    bi_report *report;
    const net_value *last_value; // of a two-port: both of its equations read one modulus
    int last_modulus;
} builder;

void tape_build_node(builder *b, int node, int *derivative, int *port);
void tape_add_op(tape *t, tape_op_kind kind, int target, const expr *code);
void tape_add_argument(tape *t, int variable, double factor);
void tape_scale(tape *t, int target, int variable, double factor);
void tape_two(tape *t, tape_op_kind kind, int target, int a, int b);
void tape_complain(builder *b, int node, const char *what, const char *name);
int tape_state_of(const tape *t, int node, int port);
int tape_named(const tape *t, int node); // variable of a node that is a value; -1: it is none
void tape_add_expression(builder *b, int node, const expr *code, int target, const char *own,
                         int own_variable);
void tape_apply(builder *b, int node, const net_value *value, int target, int variable, tape_op_kind how);
void tape_add_law(builder *b, int node, int target, const char *own, int own_variable);
bool tape_is_constant(const net_node *n);
bool tape_matrix(builder *b, int node, double *out);
bool tape_inverse(builder *b, int node, double *out);
