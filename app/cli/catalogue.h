// SPDX-License-Identifier: MIT
/* catalogue.h - the models that a bare name finds, in the folders of bi_find_model. */
#pragma once

typedef struct {
    char *name, *title, *path; /* "pendulum", "Simple pendulum", "models/pendulum/model.yaml" */
} found_model;

typedef struct {
    found_model *item; /* (count) in order of name within a folder */
    int count;
} catalogue;

catalogue catalogue_make(void);
void catalogue_clear(catalogue *);
