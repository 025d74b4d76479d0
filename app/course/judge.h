// SPDX-License-Identifier: MIT
/* judge.h - a manoeuvre judged by an exercise: the inputs of a table drive the model, and every step is looked at. */
#pragma once
#include "course/exercise.h"
#include "running/session.h"

typedef struct {
    session s; /* stands where the exercise ended */
    exercise *exercise;
    bi_status status; /* of the last step */
} judged;
/* The model as the exercise wants it, moved by the table until the exercise or the table is over; what is wrong is told. Clear it
 * in every case. */
exit_code judge_run(const char *model, const char *exercise_file, const char *table, judged *);
void judge_clear(judged *);
