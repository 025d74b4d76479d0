// SPDX-License-Identifier: MIT
// FMI 3.0: the functions that a simulator finds in the library by their names.
#include "fmu/exchange.h"
#include "fmu/instance.h"
#include "fmu/states.h"
#include "fmu/variables.h"

static void tell(const instance *it, fmi_status status, const char *message)
{
    static const char *const category[] = { "logAll", "logStatusWarning", "logStatusDiscard",
                                            "logStatusError", "logStatusFatal" };
    ((fmi3_logger *)it->logger)(it->environment, (int)status, category[status], message);
}

FMI_EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

FMI_EXPORT int fmi3SetDebugLogging(instance *it, bool is_on, size_t n, const char *const category[])
{
    (void)n;
    (void)category;
    it->is_logging = is_on;
    return FMI_OK;
}

// ---- life -------------------------------------------------------------------------------------------------------------

FMI_EXPORT instance *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *folder,
                                                 bool is_visible, bool is_logging, bool has_event_mode,
                                                 bool may_return_early, const fmi_reference intermediate[],
                                                 size_t n_intermediate, void *environment,
                                                 fmi3_logger *logger, void *update)
{
    (void)is_visible;
    (void)may_return_early;
    (void)intermediate;
    (void)update;
    instance none = { .name = (char *)(name ? name : ""),
                      .tell = tell,
                      .logger = (fmi_any_logger *)logger,
                      .environment = environment };
    if (!folder || has_event_mode || n_intermediate > 0) {
        instance_say(&none, FMI_ERROR, "%s",
                     !folder ? "the place of the resources is not told"
                             : "this FMU has no event mode and no intermediate values");
        return NULL;
    }
    instance *it = instance_create(name, folder, tell, (fmi_any_logger *)logger, environment, is_logging);
    return instance_admit(it, token, true);
}

FMI_EXPORT instance *fmi3InstantiateModelExchange(const char *name, const char *token, const char *folder,
                                                  bool is_visible, bool is_logging, void *environment,
                                                  fmi3_logger *logger)
{
    (void)is_visible;
    instance none = { .name = (char *)(name ? name : ""),
                      .tell = tell,
                      .logger = (fmi_any_logger *)logger,
                      .environment = environment };
    if (!folder) {
        instance_say(&none, FMI_ERROR, "the place of the resources is not told");
        return NULL;
    }
    instance *it = instance_create(name, folder, tell, (fmi_any_logger *)logger, environment, is_logging);
    return instance_admit(it, token, false);
}

FMI_EXPORT instance *fmi3InstantiateScheduledExecution(const char *name, const char *token,
                                                       const char *folder, bool is_visible, bool is_logging,
                                                       void *environment, fmi3_logger *logger, void *update,
                                                       void *lock, void *unlock)
{
    (void)token;
    (void)folder;
    (void)is_visible;
    (void)is_logging;
    (void)update;
    (void)lock;
    (void)unlock;
    instance none = { .name = (char *)(name ? name : ""),
                      .tell = tell,
                      .logger = (fmi_any_logger *)logger,
                      .environment = environment };
    instance_say(&none, FMI_ERROR, "this FMU has no clocks that could be scheduled");
    return NULL;
}

FMI_EXPORT void fmi3FreeInstance(instance *it) { instance_destroy(it); }

FMI_EXPORT int fmi3EnterInitializationMode(instance *it, bool has_tolerance, double tolerance, double start,
                                           bool has_stop, double stop)
{
    (void)has_tolerance;
    (void)tolerance;
    (void)has_stop;
    (void)stop;
    instance_start_at(it, start);
    fmi_status status = instance_start(it);
    it->phase = status == FMI_OK ? PHASE_START : it->phase;
    return status;
}

FMI_EXPORT int fmi3ExitInitializationMode(instance *it)
{
    it->phase = PHASE_STEPS;
    return FMI_OK;
}

FMI_EXPORT int fmi3Terminate(instance *it)
{
    it->phase = PHASE_ENDED;
    return FMI_OK;
}

FMI_EXPORT int fmi3Reset(instance *it) { return instance_reset(it); }

// What the standard has and this FMU does not offer.
static int has_not(const instance *it, const char *what)
{
    instance_say(it, FMI_ERROR, "this FMU has no %s", what);
    return FMI_ERROR;
}

// ---- values -----------------------------------------------------------------------------------------------------------

static int count_is_wrong(const instance *it)
{
    instance_say(it, FMI_ERROR, "all variables are scalars: as many values as references, please");
    return FMI_ERROR;
}

FMI_EXPORT int fmi3GetFloat64(instance *it, const fmi_reference *reference, size_t n, double *value,
                              size_t n_value)
{
    fmi_status status = FMI_OK;
    if (n != n_value) {
        return count_is_wrong(it);
    }
    for (size_t k = 0; k < n && status == FMI_OK; k++) {
        status = instance_get(it, reference[k], &value[k]);
    }
    return status;
}

FMI_EXPORT int fmi3SetFloat64(instance *it, const fmi_reference *reference, size_t n, const double *value,
                              size_t n_value)
{
    fmi_status status = FMI_OK;
    if (n != n_value) {
        return count_is_wrong(it);
    }
    for (size_t k = 0; k < n && status == FMI_OK; k++) {
        status = instance_set(it, reference[k], value[k]);
    }
    return status;
}

FMI_EXPORT int fmi3GetUInt64(instance *it, const fmi_reference *reference, size_t n, uint64_t *value,
                             size_t n_value)
{
    if (n != n_value) {
        return count_is_wrong(it);
    }
    for (size_t k = 0; k < n; k++) {
        if (variable_kind_of(reference[k]) != VARIABLE_HASH) {
            return has_not(it, "such integer");
        }
        value[k] = instance_hash(it);
    }
    return FMI_OK;
}

// Variables of other types: there are none, but their functions must be there.
#define NO_TYPE(name, type)                                                                                  \
    FMI_EXPORT int fmi3Get##name(instance *it, const fmi_reference *reference, size_t n, type *value,        \
                                 size_t n_value)                                                             \
    {                                                                                                        \
        (void)reference;                                                                                     \
        (void)value;                                                                                         \
        return n + n_value > 0 ? has_not(it, #name) : FMI_OK;                                                \
    }                                                                                                        \
    NO_SETTER(name, type)
#define NO_SETTER(name, type)                                                                                \
    FMI_EXPORT int fmi3Set##name(instance *it, const fmi_reference *reference, size_t n, const type *value,  \
                                 size_t n_value)                                                             \
    {                                                                                                        \
        (void)reference;                                                                                     \
        (void)value;                                                                                         \
        return n + n_value > 0 ? has_not(it, #name " that can be set") : FMI_OK;                             \
    }
typedef const char *fmi3_string;
NO_TYPE(Float32, float)
NO_TYPE(Int8, int8_t)
NO_TYPE(UInt8, uint8_t)
NO_TYPE(Int16, int16_t)
NO_TYPE(UInt16, uint16_t)
NO_TYPE(Int32, int32_t)
NO_TYPE(UInt32, uint32_t)
NO_TYPE(Int64, int64_t)
NO_TYPE(Boolean, bool)
NO_TYPE(String, fmi3_string)
NO_SETTER(UInt64, uint64_t)

FMI_EXPORT int fmi3GetBinary(instance *it, const fmi_reference *reference, size_t n, size_t *size,
                             const uint8_t **value, size_t n_value)
{
    (void)reference;
    (void)size;
    (void)value;
    return n + n_value > 0 ? has_not(it, "Binary") : FMI_OK;
}

FMI_EXPORT int fmi3SetBinary(instance *it, const fmi_reference *reference, size_t n, const size_t *size,
                             const uint8_t *const *value, size_t n_value)
{
    (void)reference;
    (void)size;
    (void)value;
    return n + n_value > 0 ? has_not(it, "Binary") : FMI_OK;
}

// ---- the whole state --------------------------------------------------------------------------------------------------

FMI_EXPORT int fmi3GetFMUState(instance *it, fmu_state **state) { return states_get(it, state); }
FMI_EXPORT int fmi3SetFMUState(instance *it, fmu_state *state) { return states_set(it, state); }
FMI_EXPORT int fmi3FreeFMUState(instance *it, fmu_state **state) { return states_free(it, state); }
FMI_EXPORT int fmi3SerializedFMUStateSize(instance *it, fmu_state *state, size_t *size)
{
    return states_size(it, state, size);
}
FMI_EXPORT int fmi3SerializeFMUState(instance *it, fmu_state *state, uint8_t *bytes, size_t size)
{
    return states_write(it, state, bytes, size);
}
FMI_EXPORT int fmi3DeserializeFMUState(instance *it, const uint8_t *bytes, size_t size, fmu_state **state)
{
    return states_read(it, bytes, size, state);
}

// ---- co-simulation ----------------------------------------------------------------------------------------------------

FMI_EXPORT int fmi3DoStep(instance *it, double t, double h, bool will_not_go_back, bool *needs_events,
                          bool *ends, bool *is_early, double *last)
{
    (void)will_not_go_back;
    fmi_status status = instance_step(it, t, h);
    *needs_events = false;
    *ends = it->is_over;
    *is_early = false;
    *last = it->t;
    return status;
}

// ---- model exchange -----------------------------------------------------------------------------------------------------

FMI_EXPORT int fmi3EnterEventMode(instance *it)
{
    return it->is_exchange ? FMI_OK : has_not(it, "event mode");
}
FMI_EXPORT int fmi3EnterContinuousTimeMode(instance *it)
{
    return it->is_exchange ? FMI_OK : has_not(it, "model exchange");
}
FMI_EXPORT int fmi3UpdateDiscreteStates(instance *it, bool *needs_update, bool *ends, bool *nominals_changed,
                                        bool *values_changed, bool *has_next_time, double *next_time)
{
    *needs_update = *ends = *nominals_changed = *values_changed = *has_next_time = false;
    *next_time = 0.0;
    return it->is_exchange ? FMI_OK : has_not(it, "discrete states");
}
FMI_EXPORT int fmi3CompletedIntegratorStep(instance *it, bool will_not_go_back, bool *needs_events,
                                           bool *ends)
{
    (void)will_not_go_back;
    *needs_events = *ends = false;
    return it->is_exchange ? FMI_OK : has_not(it, "model exchange");
}
FMI_EXPORT int fmi3SetTime(instance *it, double t) { return exchange_set_time(it, t); }
FMI_EXPORT int fmi3SetContinuousStates(instance *it, const double *x, size_t n)
{
    return exchange_set(it, x, n);
}
FMI_EXPORT int fmi3GetContinuousStates(instance *it, double *x, size_t n) { return exchange_get(it, x, n); }
FMI_EXPORT int fmi3GetContinuousStateDerivatives(instance *it, double *dx, size_t n)
{
    return exchange_rates(it, dx, n);
}
FMI_EXPORT int fmi3GetNumberOfContinuousStates(instance *it, size_t *n)
{
    *n = exchange_count(it);
    return FMI_OK;
}
FMI_EXPORT int fmi3GetNumberOfEventIndicators(instance *it, size_t *n)
{
    (void)it;
    *n = 0;
    return FMI_OK;
}
FMI_EXPORT int fmi3GetEventIndicators(instance *it, double *value, size_t n)
{
    (void)value;
    return n > 0 ? has_not(it, "event indicators") : FMI_OK;
}
FMI_EXPORT int fmi3GetNominalsOfContinuousStates(instance *it, double *nominal, size_t n)
{
    (void)it;
    for (size_t k = 0; k < n; k++) {
        nominal[k] = 1.0;
    }
    return FMI_OK;
}
FMI_EXPORT int fmi3GetDirectionalDerivative(instance *it, const fmi_reference *unknown, size_t n_unknown,
                                            const fmi_reference *known, size_t n_known, const double *along,
                                            size_t n_along, double *derivative, size_t n_derivative)
{
    return n_along != n_known || n_derivative != n_unknown
               ? count_is_wrong(it)
               : exchange_derivative(it, unknown, n_unknown, known, n_known, along, derivative);
}

// ---- what belongs to kinds and abilities that the description does not claim --------------------------------------

#define NONE(name, what)                                                                                     \
    FMI_EXPORT int fmi3##name(instance *it) { return has_not(it, what); }
NONE(EnterStepMode, "event mode")
NONE(EnterConfigurationMode, "configuration mode")
NONE(ExitConfigurationMode, "configuration mode")
NONE(GetNumberOfVariableDependencies, "dependencies")
NONE(GetVariableDependencies, "dependencies")
NONE(GetAdjointDerivative, "adjoint derivatives")
NONE(GetOutputDerivatives, "derivatives of outputs")
NONE(GetClock, "clocks")
NONE(SetClock, "clocks")
NONE(GetIntervalDecimal, "clocks")
NONE(GetIntervalFraction, "clocks")
NONE(GetShiftDecimal, "clocks")
NONE(GetShiftFraction, "clocks")
NONE(SetIntervalDecimal, "clocks")
NONE(SetIntervalFraction, "clocks")
NONE(SetShiftDecimal, "clocks")
NONE(SetShiftFraction, "clocks")
NONE(EvaluateDiscreteStates, "discrete states")
FMI_EXPORT void fmi3ActivateModelPartition(instance *it, fmi_reference clock, double t)
{
    (void)clock;
    (void)t;
    has_not(it, "clocks");
}
