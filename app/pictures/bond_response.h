// SPDX-License-Identifier: MIT
/* bond_response.h - how one effort or flow of a bond graph answers one of its sources, small changes about the start: transfer
 * function, response over frequency (Bode) and to a unit step. */
#pragma once
#include <biela/biela.h>
#include <biela/bond.h>
#include <stdbool.h>

enum { RESPONSE_ORDER = 12, RESPONSE_POINTS = 241 };

typedef struct {
    const char *graph;
    char *source, *end; /* "S", "L.f" */
    int n;              /* order */
    bool has_function;  /* numerator and denominator: of orders up to RESPONSE_ORDER */
    double numerator[RESPONSE_ORDER + 1], denominator[RESPONSE_ORDER + 1]; /* from s^0 on */
    double w[RESPONSE_POINTS], re[RESPONSE_POINTS], im[RESPONSE_POINTS];   /* rad/s */
    double gain[RESPONSE_POINTS], phase[RESPONSE_POINTS];                  /* phase: rad, without jumps */
    double t[RESPONSE_POINTS], step[RESPONSE_POINTS];                      /* s */
} bond_response;

/* "SOURCE:END". False: `why` says why not. Clear in both cases. */
bool bond_response_make(const bi_bonds *, const char *text, bond_response *, char *why, size_t size);
void bond_response_clear(bond_response *);
