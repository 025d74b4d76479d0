// SPDX-License-Identifier: MIT
// FMI 2.0: the functions that a simulator finds in the library by their names.
#include "fmu/exchange.h"
#include "fmu/instance.h"
#include "fmu/location.h"
#include "fmu/states.h"
#include "fmu/variables.h"
#include <string.h>

static void tell(const instance *it, fmi_status status, const char *message)
{
    static const char *const category[] = { "logAll", "logStatusWarning", "logStatusDiscard",
                                            "logStatusError", "logStatusFatal" };
    ((fmi2_logger *)it->logger)(it->environment, it->name, (int)status, category[status], "%s", message);
}

FMI_EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
FMI_EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

FMI_EXPORT int fmi2SetDebugLogging(instance *it, int is_on, size_t n, const char *const category[])
{
    (void)n;
    (void)category;
    it->is_logging = is_on != 0;
    return FMI_OK;
}

// ---- life -------------------------------------------------------------------------------------------------------------

FMI_EXPORT instance *fmi2Instantiate(const char *name, int type, const char *token, const char *location,
                                     const fmi2_callbacks *callbacks, int is_visible, int is_logging)
{
    (void)is_visible;
    char folder[4096];
    instance none = { .name = (char *)(name ? name : ""),
                      .tell = tell,
                      .logger = callbacks ? (fmi_any_logger *)callbacks->logger : NULL,
                      .environment = callbacks ? callbacks->environment : NULL };
    if (!location_of_uri(location, folder, sizeof folder)) {
        instance_say(&none, FMI_ERROR, "the place of the resources is no file URI: '%s'",
                     location ? location : "");
        return NULL;
    }
    instance *it = instance_create(name, folder, tell, none.logger, none.environment, is_logging != 0);
    return instance_admit(it, token, type == FMI2_CO_SIMULATION);
}

FMI_EXPORT void fmi2FreeInstance(instance *it) { instance_destroy(it); }

FMI_EXPORT int fmi2SetupExperiment(instance *it, int has_tolerance, double tolerance, double start,
                                   int has_stop, double stop)
{
    (void)has_tolerance;
    (void)tolerance;
    (void)has_stop;
    (void)stop;
    return instance_start_at(it, start);
}

FMI_EXPORT int fmi2EnterInitializationMode(instance *it)
{
    fmi_status status = instance_start(it);
    it->phase = status == FMI_OK ? PHASE_START : it->phase;
    return status;
}

FMI_EXPORT int fmi2ExitInitializationMode(instance *it)
{
    it->phase = PHASE_STEPS;
    return FMI_OK;
}

FMI_EXPORT int fmi2Terminate(instance *it)
{
    it->phase = PHASE_ENDED;
    return FMI_OK;
}

FMI_EXPORT int fmi2Reset(instance *it) { return instance_reset(it); }

// ---- values -----------------------------------------------------------------------------------------------------------

FMI_EXPORT int fmi2GetReal(instance *it, const fmi_reference *reference, size_t n, double *value)
{
    fmi_status status = FMI_OK;
    for (size_t k = 0; k < n && status == FMI_OK; k++) {
        status = instance_get(it, reference[k], &value[k]);
    }
    return status;
}

FMI_EXPORT int fmi2SetReal(instance *it, const fmi_reference *reference, size_t n, const double *value)
{
    fmi_status status = FMI_OK;
    for (size_t k = 0; k < n && status == FMI_OK; k++) {
        status = instance_set(it, reference[k], value[k]);
    }
    return status;
}

FMI_EXPORT int fmi2GetInteger(instance *it, const fmi_reference *reference, size_t n, int *value)
{
    uint64_t hash = instance_hash(it);
    for (size_t k = 0; k < n; k++) {
        if (variable_kind_of(reference[k]) != VARIABLE_HASH_HALF) {
            instance_say(it, FMI_ERROR, "variable %u is no integer", (unsigned)reference[k]);
            return FMI_ERROR;
        }
        uint32_t half = (uint32_t)(variable_place(reference[k]) == 0 ? hash >> 32 : hash);
        memcpy(&value[k], &half, sizeof half);
    }
    return FMI_OK;
}

static int has_none(const instance *it, size_t n, const char *what)
{
    if (n > 0) {
        instance_say(it, FMI_ERROR, "this FMU has no %s", what);
    }
    return n > 0 ? FMI_ERROR : FMI_OK;
}

FMI_EXPORT int fmi2GetBoolean(instance *it, const fmi_reference *reference, size_t n, int *value)
{
    (void)reference;
    (void)value;
    return has_none(it, n, "Booleans");
}
FMI_EXPORT int fmi2GetString(instance *it, const fmi_reference *reference, size_t n, const char **value)
{
    (void)reference;
    (void)value;
    return has_none(it, n, "strings");
}
FMI_EXPORT int fmi2SetInteger(instance *it, const fmi_reference *reference, size_t n, const int *value)
{
    (void)reference;
    (void)value;
    return has_none(it, n, "integers that can be set");
}
FMI_EXPORT int fmi2SetBoolean(instance *it, const fmi_reference *reference, size_t n, const int *value)
{
    (void)reference;
    (void)value;
    return has_none(it, n, "Booleans");
}
FMI_EXPORT int fmi2SetString(instance *it, const fmi_reference *reference, size_t n, const char *const *value)
{
    (void)reference;
    (void)value;
    return has_none(it, n, "strings");
}

// ---- the whole state --------------------------------------------------------------------------------------------------

FMI_EXPORT int fmi2GetFMUstate(instance *it, fmu_state **state) { return states_get(it, state); }
FMI_EXPORT int fmi2SetFMUstate(instance *it, fmu_state *state) { return states_set(it, state); }
FMI_EXPORT int fmi2FreeFMUstate(instance *it, fmu_state **state) { return states_free(it, state); }
FMI_EXPORT int fmi2SerializedFMUstateSize(instance *it, fmu_state *state, size_t *size)
{
    return states_size(it, state, size);
}
FMI_EXPORT int fmi2SerializeFMUstate(instance *it, fmu_state *state, char *bytes, size_t size)
{
    return states_write(it, state, bytes, size);
}
FMI_EXPORT int fmi2DeSerializeFMUstate(instance *it, const char *bytes, size_t size, fmu_state **state)
{
    return states_read(it, bytes, size, state);
}

FMI_EXPORT int fmi2GetDirectionalDerivative(instance *it, const fmi_reference *unknown, size_t n_unknown,
                                            const fmi_reference *known, size_t n_known, const double *along,
                                            double *derivative)
{
    return exchange_derivative(it, unknown, n_unknown, known, n_known, along, derivative);
}

// ---- model exchange -----------------------------------------------------------------------------------------------------

FMI_EXPORT int fmi2EnterEventMode(instance *it)
{
    (void)it;
    return FMI_OK;
}
FMI_EXPORT int fmi2NewDiscreteStates(instance *it, fmi2_event_info *info)
{
    (void)it;
    *info = (fmi2_event_info){ 0 };
    return FMI_OK;
}
FMI_EXPORT int fmi2EnterContinuousTimeMode(instance *it)
{
    (void)it;
    return FMI_OK;
}
FMI_EXPORT int fmi2CompletedIntegratorStep(instance *it, int will_not_go_back, int *needs_events, int *ends)
{
    (void)it;
    (void)will_not_go_back;
    *needs_events = *ends = 0;
    return FMI_OK;
}
FMI_EXPORT int fmi2SetTime(instance *it, double t) { return exchange_set_time(it, t); }
FMI_EXPORT int fmi2SetContinuousStates(instance *it, const double *x, size_t n)
{
    return exchange_set(it, x, n);
}
FMI_EXPORT int fmi2GetDerivatives(instance *it, double *dx, size_t n) { return exchange_rates(it, dx, n); }
FMI_EXPORT int fmi2GetContinuousStates(instance *it, double *x, size_t n) { return exchange_get(it, x, n); }
FMI_EXPORT int fmi2GetEventIndicators(instance *it, double *value, size_t n)
{
    (void)value;
    return has_none(it, n, "event indicators");
}
FMI_EXPORT int fmi2GetNominalsOfContinuousStates(instance *it, double *nominal, size_t n)
{
    (void)it;
    for (size_t k = 0; k < n; k++) {
        nominal[k] = 1.0;
    }
    return FMI_OK;
}

// ---- co-simulation ----------------------------------------------------------------------------------------------------

FMI_EXPORT int fmi2DoStep(instance *it, double t, double h, int will_not_go_back)
{
    (void)will_not_go_back;
    fmi_status status = instance_step(it, t, h);
    return status == FMI_OK && it->is_over ? FMI_DISCARD : status;
}

FMI_EXPORT int fmi2CancelStep(instance *it)
{
    (void)it;
    return FMI_ERROR;
}
FMI_EXPORT int fmi2SetRealInputDerivatives(instance *it, const fmi_reference *reference, size_t n,
                                           const int *order, const double *value)
{
    (void)reference;
    (void)order;
    (void)value;
    return has_none(it, n, "inputs with derivatives");
}
FMI_EXPORT int fmi2GetRealOutputDerivatives(instance *it, const fmi_reference *reference, size_t n,
                                            const int *order, double *value)
{
    (void)reference;
    (void)order;
    (void)value;
    return has_none(it, n, "outputs with derivatives");
}
FMI_EXPORT int fmi2GetStatus(instance *it, int kind, int *value)
{
    (void)it;
    *value = FMI_OK;
    return kind == FMI2_DO_STEP_STATUS ? FMI_OK : FMI_DISCARD;
}
FMI_EXPORT int fmi2GetRealStatus(instance *it, int kind, double *value)
{
    *value = it->t;
    return kind == FMI2_LAST_TIME ? FMI_OK : FMI_DISCARD;
}
FMI_EXPORT int fmi2GetIntegerStatus(instance *it, int kind, int *value)
{
    (void)it;
    (void)kind;
    *value = 0;
    return FMI_DISCARD;
}
FMI_EXPORT int fmi2GetBooleanStatus(instance *it, int kind, int *value)
{
    *value = it->is_over;
    return kind == FMI2_TERMINATED ? FMI_OK : FMI_DISCARD;
}
FMI_EXPORT int fmi2GetStringStatus(instance *it, int kind, const char **value)
{
    (void)it;
    (void)kind;
    *value = "";
    return FMI_DISCARD;
}
