// SPDX-License-Identifier: MIT
/* road.h - roads: heights along and beside a reference line. Included by <biela/shapes.h>. Readers of files are
 * in <biela/io.h>. */
#pragma once
#include <biela/model.h>
BI_BEGIN

/* A road, made once and shared by any number of shapes (BI_SHAPE_ROAD) and threads. Whoever creates or keeps it releases
 * it. */
typedef struct bi_road bi_road;

/* What a road is beyond its ends and its sides. */
typedef enum {
    BI_ROAD_NONE,    /* nothing: wheels fall */
    BI_ROAD_ZERO,    /* height 0 */
    BI_ROAD_KEEP,    /* the height of its border */
    BI_ROAD_REPEAT,  /* the road again */
    BI_ROAD_REFLECT, /* the road mirrored */
} bi_road_border;

/* All arrays are copied. u goes along the reference line, v to its left, z up. */
typedef struct {
    int n_u, n_v;    /* nodes along and across, 2 at least */
    const double *u; /* (n_u) m, stations, increasing */
    const double (
        *line)[6]; /* (n_u) x, y of the reference line, m, and their first and second derivatives with u; not
                              * smooth: a polygon, and the derivatives of both ends say how it goes on */
    bool has_derivatives; /* smooth: those of `line` are given; otherwise a spline goes through its points */
    const double *z;      /* (n_u) m, height of the reference line; NULL: 0 */
    const double *bank;   /* (n_u) slope upwards to the left; NULL: 0 */
    /* in place of these: (n_u - 1) cubics in u - u[i] from node i to the next */
    const double (*z_pieces)[4], (*bank_pieces)[4];
    bool bank_is_angle;                   /* rad, and v of the sides is measured along the banked road */
    const double (*right)[4], (*left)[4]; /* (n_u - 1) cubics: v of the sides, m; NULL: first and last v */
    const double *v;                      /* (n_v) m, increasing */
    const double
        *relief;    /* (n_u * n_v) m, on top: node (i, j) at i * n_v + j; NAN: no road there; NULL: none */
    bool is_smooth; /* continuous slopes; otherwise straight between nodes, as OpenCRG is defined */
    bi_road_border border[2]; /* at the ends, at the sides */
    double offset[2];         /* m, of the heights there (zero, keep) */
} bi_road_def;

/* NULL: `why` (may be NULL) says why not. */
bi_road *bi_road_create(const bi_road_def *, const char **why);
bi_road *bi_road_keep(bi_road *);
void bi_road_release(bi_road *);

typedef struct {
    double u, v; /* m, station and distance to the left of the reference line */
    double z;    /* m */
    bi_vec3 normal;
} bi_road_point;
/* The road over (x, y). False: there is none. */
bool bi_road_at(const bi_road *, double x, double y, bi_road_point *);
/* The point of the ground at a station and a distance, and its height, NAN where there is none. */
bi_vec3 bi_road_place(const bi_road *, double u, double v);
/* First and last station; v of both sides there. */
void bi_road_ends(const bi_road *, double end[2]);
void bi_road_sides(const bi_road *, double u, double side[2]);

/* Sine and cosine, rad: the same bits on every machine, for lines that are integrated from their heading. */
void bi_sincos(double angle, double *sine, double *cosine);

/* A random road along x, by the classes of ISO 8608: spectral density of the height G(n) = roughness (n / n_0)^-2 over
 * the wave number n (1/m), n_0 = 0.1/m, from 0.011 to 2.83/m. Every line along the road has it; two lines at a distance d
 * follow each other with the coherence exp(-incoherence n d). The same numbers give the same bits. */
typedef struct {
    double roughness;      /* m3, G at 0.1/m; bi_road_roughness of a class */
    double length, width;  /* m, from x = 0; y from -width/2 to width/2 */
    double spacing;        /* m, of nodes along; 0: 0.1 */
    double spacing_across; /* m; 0: 0.25 */
    double incoherence;    /* 0: all lines alike */
    double flat;           /* m, level at its beginning; the roughness comes in over as much again */
    uint64_t seed;
} bi_road_random_def;
double bi_road_roughness(char iso_class); /* m3, geometric mean of the class, 'A' to 'H'; 0: no such class */
bi_road *bi_road_random(const bi_road_random_def *, const char **why);
BI_END
