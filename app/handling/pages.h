// SPDX-License-Identifier: MIT
/* pages.h - what manoeuvres gave, as a page with curves, as a table and as JSON. */
#pragma once
#include "handling/manoeuvre.h"

void pages_html(FILE *, const char *title, const protocol *, int n);
void pages_csv(FILE *, const char *title, const protocol *, int n);
void pages_json(FILE *, const char *title, const protocol *, int n);
