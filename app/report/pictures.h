// SPDX-License-Identifier: MIT
/* pictures.h - pictures of a drive: the key moments from the best of several places, and a plan. */
#pragma once
#include "pictures/scene.h"
#include "report/report.h"

/* The moment that decided, what came before it and the end, as figures. */
void pictures_write(report *);
/* The path over the ground, or in the plane of a mechanism that stands. */
void pictures_plan(report *);
