// SPDX-License-Identifier: MIT
/* names.h - schemes, coordinates and kinds of joints by name, for readers of files and command lines. */
#pragma once
#include <biela/sim.h>
BI_BEGIN

/* ---- schemes ----------------------------------------------------------------------------------------- */
/* Every scheme by name, such as "ali3p". Names and helps are NULL where there is no such scheme. */
int bi_scheme_count(void); /* they are numbered from 0 */
const char *bi_scheme_name(bi_scheme);
const char *bi_scheme_also(bi_scheme); /* a second name, such as "rk4"; NULL: none */
const char *bi_scheme_help(bi_scheme); /* what it is, in a few words */
int bi_scheme_find(const char *name);  /* by either name; -1: there is none */
int bi_scheme_order(bi_scheme);
bool bi_scheme_is_explicit(bi_scheme);
bool bi_scheme_is_damped(bi_scheme);     /* bi_options.damping, `rho` of a run, counts */
bool bi_scheme_chooses_steps(bi_scheme); /* by the error of each step, unless it is given a length */

/* ---- coordinates ------------------------------------------------------------------------------------- */
/* Every set of coordinates by name, such as "natural". */
int bi_coordinates_count(void);                  /* they are numbered from 0 */
const char *bi_coordinates_name(bi_coordinates); /* NULL: there are no such coordinates */
int bi_coordinates_find(const char *name);       /* -1: there is none */

/* ---- joints ------------------------------------------------------------------------------------------ */
/* Every kind of joint by name, such as "revolute", numbered from 1. NULL or 0 where there is no such kind. */
enum { BI_TAKES_ANGLES = 1, BI_TAKES_LENGTH = 2, BI_TAKES_PITCH = 4 };
int bi_joint_kind_count(void);
const char *bi_joint_kind_name(bi_joint_kind);
const char *bi_joint_kind_help(bi_joint_kind); /* what it leaves free */
unsigned bi_joint_kind_takes(bi_joint_kind);   /* BI_TAKES_...: which fields of bi_joint_def it uses */
int bi_joint_kind_find(const char *name);      /* 0: there is none */
const char *bi_joint_kind_coordinate(bi_joint_kind, int k); /* "angle"; NULL: it has no more */
const char *bi_joint_kind_unit(bi_joint_kind, int k);       /* "rad", "m" */

BI_END
