// SPDX-License-Identifier: MIT
// Tables of the program that compiled data points to, by number: kinds of laws and signals with their schemas, functions of
// tyres, sets of coordinates. What is made here goes into no data: another run of the program has them elsewhere.
#include "coordinates/joint/joint.h"
#include "dynamics/dynamics.h"
#include "dynamics/law_list.h"
#include "laws/signal/kinds.h"
#include "laws/tyre/tyre.h"

// of kinds that are no tyres there are none
#define THING_DECLARED(name) extern const tyre_laws name##_laws __attribute__((weak));
LAW_LIST(THING_DECLARED)
#undef THING_DECLARED
#define THING_LISTED(name) &name##_laws,
static const tyre_laws *const tyres[] = { LAW_LIST(THING_LISTED) };
#undef THING_LISTED
enum { N_TYRE = sizeof tyres / sizeof *tyres };

static bool law_thing(int *k, const void **at, size_t *size)
{
    int n = laws_kind_count();
    if (*k < n) {
        *at = laws_kind_at(*k);
        *size = sizeof(law_kind);
        return true;
    }
    *k -= n;
    if (*k < signal_kind_count()) {
        *at = signal_kind_at(*k);
        *size = sizeof(signal_kind);
        return true;
    }
    *k -= signal_kind_count();
    return false;
}

static bool schema_thing(int *k, const void **at, size_t *size)
{
    if (*k < bi_kind_count()) {
        *at = bi_kind_at(*k);
        *size = sizeof(bi_kind);
        return true;
    }
    *k -= bi_kind_count();
    return false;
}

bool dynamics_thing(int k, const void **at, size_t *size)
{
    if (law_thing(&k, at, size) || schema_thing(&k, at, size)) {
        return true;
    }
    if (k < N_TYRE) {
        *at = tyres[k];
        *size = sizeof *tyres[k];
        return true;
    }
    k -= N_TYRE;
    *at = coordinates_of((bi_coordinates)k);
    *size = sizeof(coordinates_set);
    if (k < bi_coordinates_count()) {
        return true;
    }
    // those of the processor that the image is loaded on
    *at = joint_passes_here();
    *size = sizeof(joint_passes);
    return k == bi_coordinates_count();
}
