// SPDX-License-Identifier: MIT
/* base.h - ids, and what can go wrong: status and report. */
#pragma once
#include <biela/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
BI_BEGIN

/* ---- ids: one type per kind so that they cannot be mixed; 0 is "unset" --------------------- */
typedef struct {
    int32_t i;
} bi_body; /* 1 is the ground */
typedef struct {
    int32_t i;
} bi_joint;
typedef struct {
    int32_t i;
} bi_element; /* a force or a constraint */
typedef struct {
    int32_t i;
} bi_input;
typedef struct {
    int32_t i;
} bi_expr;
typedef struct {
    int32_t i;
} bi_curve; /* a table of the model */
typedef struct {
    int32_t i;
} bi_channel;
static const bi_body BI_GROUND = { 1 };

/* ---- errors: values, never exits ------------------------------------------------------------ */
#define BI_STATUS_LIST(X)                                                                                    \
    X(BI_OK, "ok")                                                                                           \
    X(BI_BAD_MODEL, "the model has a mistake")                                                               \
    X(BI_BAD_FILE, "the file cannot be read")                                                                \
    X(BI_NO_MEMORY, "out of memory")                                                                         \
    X(BI_FULL, "a list of fixed capacity is full")                                                           \
    X(BI_CANNOT_ASSEMBLE, "the mechanism cannot be assembled")                                               \
    X(BI_NOT_CONVERGED, "the step did not converge")                                                         \
    X(BI_SINGULAR, "equations without a solution: no inertia, or stiffness that gives way")                  \
    X(BI_NOT_FINITE, "a number is not finite")                                                               \
    X(BI_BAD_SNAPSHOT, "the snapshot belongs to another system or is damaged")                               \
    X(BI_NOT_STEADY, "the motion is not steady")                                                             \
    X(BI_BAD_ARGUMENT, "an argument cannot be used")                                                         \
    X(BI_NOT_STARTED, "the simulation has not been started")                                                 \
    X(BI_LOST, "the device that stepped it failed, and its steps are lost")
#define BI_STATUS_ENUM(code, text) code,
typedef enum { BI_STATUS_LIST(BI_STATUS_ENUM) } bi_status;
const char *bi_status_text(bi_status);

typedef struct {
    const char *file;
    int line, column;
} bi_place; /* line and column from 1; all zero: unknown */

typedef enum { BI_ERROR, BI_WARNING, BI_NOTE } bi_severity;
typedef struct {
    bi_severity severity;
    bi_status code;
    bi_place place;
    const char *where; /* "joints.B.axis" */
    const char *what;  /* what is wrong, and what to do */
} bi_issue;
typedef struct {
    int count, errors, capacity;
    bi_issue *issue; /* (count) in the order found; owned by the report */
} bi_report;         /* starts as { 0 }, grows, ends with bi_report_clear */
void bi_report_add(bi_report *, bi_severity, bi_status, bi_place, const char *where, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 6, 7)))
#endif
    ;
void bi_report_clear(bi_report *);
BI_END
