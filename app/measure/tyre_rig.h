// SPDX-License-Identifier: MIT
/* tyre_rig.h - sweeps of one tyre: points, figures, checks, files. */
#pragma once
#include <biela/io.h>
#include <biela/tyre.h>

enum { RIG_LOADS = 6, RIG_POINTS = 401 };

typedef struct {
    double load[RIG_LOADS]; /* N; n_load 0: chosen by deflection */
    int n_load;
    double slip, angle, camber; /* largest of each, rad */
    double speed;               /* m/s */
} rig_plan;

/* One curve: forces over one of the three, from minus to plus its largest value. */
typedef enum { RIG_SLIP, RIG_ANGLE, RIG_CAMBER } rig_axis;
typedef struct {
    rig_axis axis;
    bi_tyre_state base; /* what is held */
    double x[RIG_POINTS];
    bi_tyre_force force[RIG_POINTS];
} rig_curve;

typedef struct {
    double load;
    double peak_x, peak_slip, slope_x;  /* force over load; slip; N */
    double peak_y, peak_angle, slope_y; /* force over load; rad; N/rad */
    double slope_camber;                /* N/rad */
} rig_figures;

typedef enum { RIG_FINITE, RIG_CONTINUOUS, RIG_SIGNS, RIG_DISSIPATION, N_RIG_CHECKS } rig_check_kind;
typedef struct {
    bool is_good;
    char what[160];
} rig_check;

typedef struct {
    rig_plan plan;
    rig_curve *
        curve; /* (n_curve): slip, angle, camber at each load, then slip at three angles and the middle load */
    int n_curve;
    rig_figures figure[RIG_LOADS];
    rig_check check[N_RIG_CHECKS];
} rig;

void rig_run(const bi_system *, bi_element tyre, const rig_plan *, rig *);
bool rig_is_good(const rig *);
const char *rig_check_name(int kind);
/* All points; false: printed on stderr. */
bool rig_write(const rig *, const char *path);
/* Pictures beside the file of points. */
bool rig_draw(const rig *, const char *path, const char *title);
void rig_clear(rig *);
