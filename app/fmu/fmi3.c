// SPDX-License-Identifier: MIT
// FMI 3.0: the functions that a simulator finds in the library by their names.
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

static void refuse_kind(const char *name, void *environment, fmi3_logger *logger)
{
    instance none = { .name = (char *)(name ? name : ""),
                      .tell = tell,
                      .logger = (fmi_any_logger *)logger,
                      .environment = environment };
    instance_say(&none, FMI_ERROR, "this FMU is for co-simulation only");
}

FMI_EXPORT instance *fmi3InstantiateModelExchange(const char *name, const char *token, const char *folder,
                                                  bool is_visible, bool is_logging, void *environment,
                                                  fmi3_logger *logger)
{
    (void)token;
    (void)folder;
    (void)is_visible;
    (void)is_logging;
    refuse_kind(name, environment, logger);
    return NULL;
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
    refuse_kind(name, environment, logger);
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

// ---- what belongs to kinds and abilities that the description does not claim --------------------------------------

#define NONE(name, what)                                                                                     \
    FMI_EXPORT int fmi3##name(instance *it) { return has_not(it, what); }
NONE(EnterEventMode, "event mode")
NONE(EnterStepMode, "event mode")
NONE(EnterConfigurationMode, "configuration mode")
NONE(ExitConfigurationMode, "configuration mode")
NONE(GetNumberOfVariableDependencies, "dependencies")
NONE(GetVariableDependencies, "dependencies")
NONE(GetDirectionalDerivative, "directional derivatives")
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
NONE(UpdateDiscreteStates, "discrete states")
NONE(EnterContinuousTimeMode, "model exchange")
NONE(CompletedIntegratorStep, "model exchange")
NONE(SetTime, "model exchange")
NONE(SetContinuousStates, "model exchange")
NONE(GetContinuousStateDerivatives, "model exchange")
NONE(GetEventIndicators, "model exchange")
NONE(GetContinuousStates, "model exchange")
NONE(GetNominalsOfContinuousStates, "model exchange")
NONE(GetNumberOfEventIndicators, "model exchange")
NONE(GetNumberOfContinuousStates, "model exchange")
FMI_EXPORT void fmi3ActivateModelPartition(instance *it, fmi_reference clock, double t)
{
    (void)clock;
    (void)t;
    has_not(it, "clocks");
}
