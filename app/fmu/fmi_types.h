// SPDX-License-Identifier: MIT
/* fmi_types.h - what the standards FMI 2.0 and 3.0 fix for a library: numbers of states and kinds, callbacks. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both standards count alike up to `fatal`; 2.0 has `pending` behind it. */
enum { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL };
typedef int fmi_status;

typedef uint32_t fmi_reference;

/* ---- 2.0 */
typedef enum { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION } fmi2_type;
typedef enum { FMI2_DO_STEP_STATUS, FMI2_PENDING_STATUS, FMI2_LAST_TIME, FMI2_TERMINATED } fmi2_status_kind;
typedef void fmi2_logger(void *environment, const char *instance, int status, const char *category,
                         const char *message, ...);
typedef struct {
    fmi2_logger *logger;
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*step_finished)(void *environment, int status);
    void *environment;
} fmi2_callbacks;
typedef struct {
    int needs_discrete_states, terminates, nominals_changed, values_changed, has_next_time;
    double next_time;
} fmi2_event_info;

/* ---- 3.0 */
typedef void fmi3_logger(void *environment, int status, const char *category, const char *message);

/* Of either version, until it is called. */
typedef void fmi_any_logger(void);

#define FMI_EXPORT __attribute__((visibility("default")))
