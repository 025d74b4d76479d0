// SPDX-License-Identifier: MIT
// The small types everybody shares. SI units; components are along the axes of ground unless a name says otherwise.
#pragma once

// Around what a header declares: C for C++, and visible outside of the shared object, all else of which is hidden.
#ifdef __cplusplus
#define BI_C_BEGIN extern "C" {
#define BI_C_END }
#else
#define BI_C_BEGIN
#define BI_C_END
#endif
#if defined(__GNUC__) && !defined(BI_RUNS_ONLY) /* inside an FMU nobody sees them */
#define BI_BEGIN _Pragma("GCC visibility push(default)") BI_C_BEGIN
#define BI_END BI_C_END _Pragma("GCC visibility pop")
#else
#define BI_BEGIN BI_C_BEGIN
#define BI_END BI_C_END
#endif

// a vector: position in m, direction, velocity in m/s, force in N, ...
typedef struct {
    double x, y, z;
} bi_vec3;

// a rotation, from body axes to ground axes; w is the scalar part; all zero reads as identity
typedef struct {
    double w, x, y, z;
} bi_quat;

// where a frame is: origin in m, and rotation from its axes to ground axes
typedef struct {
    bi_vec3 pos;
    bi_quat rot;
} bi_pose;

// how a frame moves: velocity of the origin in m/s, angular velocity in rad/s
typedef struct {
    bi_vec3 lin, ang;
} bi_twist;

// a load at a point: force in N, moment in N m
typedef struct {
    bi_vec3 force, moment;
} bi_wrench;
