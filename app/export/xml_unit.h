// SPDX-License-Identifier: MIT
/* xml_unit.h - texts and units of modelDescription.xml. */
#pragma once
#include <stdio.h>

/* A text between quotes; what XML cannot hold becomes a question mark. */
void xml_text(FILE *, const char *text);
/* The definition of a unit: its exponents, where its symbols are known, and how many SI units one of it is. */
void xml_unit(FILE *, const char *unit, double scale);
