// SPDX-License-Identifier: MIT
/* certificate.h - what a trainee has passed, as one page to print (A4), with all that names what it was driven with. */
#pragma once
#include "course/results.h"
#include "report/spoken.h"

/* The best attempt of each lesson that was passed; how many there are. */
int certificate_write(FILE *, const char *trainee, const attempts *, spoken_language);
/* The title in the language, of the model of the attempt; free it. */
char *certificate_title(const attempt *, spoken_language);
