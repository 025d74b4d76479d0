// SPDX-License-Identifier: MIT
/* source.h - where the model of an instance comes from: files that are read and compiled (files.c, in binaries), or an image
 * of what was compiled already (compiled.c, in FMUs with sources). A library has one of the two. */
#pragma once
#include "fmu/instance.h"

/* Model, system and sim anew, with the parameters and the time of the start as they are now; false: said why. */
bool source_open(instance *);
