// SPDX-License-Identifier: MIT
// The parts of a mechanism that no row and no law of the pattern couples, as far as they have sites: how sites move by
// efforts on sites (contact.20).
#pragma once
#include "laws/contact/crowd/settle.h"
#include "state/structure.h"

typedef struct {
    mobile_part *part; // (count)
    int count;
    int *site, *part_of, *place_of; // as in places_problem                          (n_site)
    int *variable, *first_variable; // of each part, one after the other     (n), (count + 1)
    int *number;                    // of each variable in its part; -1: of none                (n)
    int n_A;                        // numbers of all A
    int most;                       // variables of the largest part
} part_table;

bool parts_create(const plan *p, const structure *st, part_table *out); // false: no memory
void parts_clear(part_table *);

// A of the parts that have sites, times `factor`, from the tangent T and the maps of the sites; work:
// parts_work doubles. False: T is not positive there.
size_t parts_work(const part_table *tab);
bool parts_mobility(const part_table *tab, const structure *st, const double *T, const double *J,
                    double factor, double *work, double *A);

// The same parts with the sites that are wanted; `out` has lists of its own of parts, sites and places.
void parts_narrow(const part_table *tab, const bool *wanted, part_table *out);
// u = J x of the sites wanted; x += factor J^T w
void sites_moved(const structure *st, const double *J, const bool *wanted, const double *x, double *u);
void sites_push(const structure *st, const double *J, const bool *wanted, const double *w, double factor,
                double *x);
