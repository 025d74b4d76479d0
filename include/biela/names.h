// SPDX-License-Identifier: MIT
/* names.h - schemes and kinds of joints by name, for readers of files and command lines. */
#pragma once
#include <biela/biela.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- schemes ----------------------------------------------------------------------------------------- */
/* Every scheme by name, such as "ali3p". Names and helps are NULL where there is no such scheme. */
int bi_scheme_count(void); /* they are numbered from 0 */
const char *bi_scheme_name(bi_scheme);
const char *bi_scheme_also(bi_scheme); /* a second name, such as "rk4"; NULL: none */
const char *bi_scheme_help(bi_scheme); /* what it is, in a few words */
int bi_scheme_find(const char *name);  /* by either name; -1: there is none */
int bi_scheme_order(bi_scheme);
bool bi_scheme_is_explicit(bi_scheme);
bool bi_scheme_chooses_steps(bi_scheme); /* by the error of each step, unless it is given a length */

#ifdef __cplusplus
}
#endif
