// SPDX-License-Identifier: MIT
// Random heights by wave numbers, eq. (geometry.31).
#pragma once
#include <stdint.h>

typedef struct {
    double roughness;   // m3, spectral density at 0.1/m
    double length;      // m; one wave number per 1/length
    double step;        // m, between nodes along
    double across;      // m, between lines
    double incoherence; // 1
    uint64_t seed;
} road_waves;

// Heights of n_u nodes along n_v lines, height[i * n_v + j]. work: (4 n_v).
void geom_road_waves(const road_waves *w, int n_u, int n_v, double *height, double *work);
