// SPDX-License-Identifier: MIT
#include "fmu/instance.h"
#include "fmu/exchange.h"
#include "fmu/source.h"
#include "fmu/states.h"
#include "fmu/variables.h"
#include <biela/look.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void instance_say(const instance *it, fmi_status status, const char *format, ...)
{
    char text[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (it->logger && (status >= FMI_ERROR || it->is_logging)) {
        it->tell(it, status, text);
    }
}

// Notes only where somebody listens.
void instance_say_report(const instance *it, const bi_report *report)
{
    for (int k = 0; k < report->count; k++) {
        const bi_issue *issue = &report->issue[k];
        fmi_status status = issue->severity == BI_ERROR     ? FMI_ERROR
                            : issue->severity == BI_WARNING ? FMI_WARNING
                                                            : FMI_OK;
        instance_say(it, status, "%s%s%s", issue->where ? issue->where : "", issue->where ? ": " : "",
                     issue->what);
    }
}

// ---- resources/fmu.txt ------------------------------------------------------------------------------------------------

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static bool add_setting(instance *it, const char *name, const char *value)
{
    bi_setting *grown = realloc(it->setting, (size_t)(it->n_setting + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    it->setting = grown;
    it->setting[it->n_setting++] = (bi_setting){ copy_of(name), copy_of(value) };
    return true;
}

static bool add_option(instance *it, const char *key, const char *value)
{
    size_t size = (size_t)(it->n_option + 1) * sizeof(char *);
    char **keys = realloc(it->option_key, size);
    it->option_key = keys ? keys : it->option_key;
    char **values = realloc(it->option_value, size);
    it->option_value = values ? values : it->option_value;
    if (!keys || !values) {
        return false;
    }
    keys[it->n_option] = copy_of(key);
    values[it->n_option++] = copy_of(value);
    return true;
}

// "word rest" of one line.
static bool take_line(instance *it, char *line)
{
    char *rest = strchr(line, ' ');
    if (!rest) {
        return line[0] == '\0';
    }
    *rest++ = '\0';
    char *equal = strchr(rest, '=');
    if (strcmp(line, "model") == 0 || strcmp(line, "image") == 0) {
        it->model_path = copy_of(rest);
        it->is_image = line[0] == 'i';
    } else if (strcmp(line, "start") == 0) {
        it->first_time = strtod(rest, NULL);
    } else if (strcmp(line, "steps") == 0) {
        it->is_auto = strcmp(rest, "auto") == 0;
    } else if (strcmp(line, "begins") == 0) {
        it->starts_in_equilibrium = strcmp(rest, "equilibrium") == 0;
        it->starts_settled = strcmp(rest, "settled") == 0;
    } else if (strcmp(line, "run") == 0) {
        it->run_name = copy_of(rest);
    } else if (strcmp(line, "token") == 0) {
        it->token = copy_of(rest);
    } else if (strcmp(line, "dt") == 0) {
        it->dt = strtod(rest, NULL);
    } else if (strcmp(line, "interface") == 0) {
        it->is_exchange = strcmp(rest, "model-exchange") == 0;
    } else if (strcmp(line, "names") == 0) {
        it->names = strtoull(rest, NULL, 16);
    } else if (equal && (strcmp(line, "set") == 0 || strcmp(line, "option") == 0)) {
        *equal = '\0';
        return line[0] == 's' ? add_setting(it, rest, equal + 1) : add_option(it, rest, equal + 1);
    } else {
        return strcmp(line, "biela-fmu") == 0 && strcmp(rest, "1") == 0;
    }
    return true;
}

static bool read_manifest(instance *it)
{
    char path[4096], line[4096];
    snprintf(path, sizeof path, "%sfmu.txt", it->folder);
    FILE *file = fopen(path, "r");
    if (!file) {
        instance_say(it, FMI_ERROR, "%s cannot be read: the resources of this FMU are not where it was told",
                     path);
        return false;
    }
    bool is_good = true;
    while (is_good && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        is_good = take_line(it, line);
    }
    fclose(file);
    it->n_exported = it->n_setting;
    if (!is_good || !it->model_path || !it->token || !(it->dt > 0.0)) {
        instance_say(it, FMI_ERROR, "%s is damaged", path);
        return false;
    }
    return true;
}

// ---- model, system, sim -----------------------------------------------------------------------------------------------

void instance_drop_model(instance *it)
{
    bi_sim_destroy(it->sim);
    bi_system_destroy(it->system);
    bi_model_destroy(it->own_model);
    it->sim = NULL;
    it->system = NULL;
    it->model = it->own_model = NULL;
}

bool instance_is_as_described(const instance *it)
{
    if (variables_names(it->model, it->system) == it->names) {
        return true;
    }
    instance_say(it, FMI_ERROR,
                 "with these parameters the model has other variables than this FMU describes; "
                 "export it with them (--set)");
    return false;
}

static bi_input input_at(const instance *it, int k)
{
    return bi_find_input(it->system, bi_input_name(it->system, k));
}

void instance_apply_inputs(instance *it)
{
    for (int k = 0; it->input && k < bi_input_count(it->system); k++) {
        bi_sim_input(it->sim, input_at(it, k), it->input[k]);
    }
}

static bool start_sim(instance *it)
{
    bi_report report = { 0 };
    instance_apply_inputs(it);
    bi_status status = bi_sim_start(it->sim, &report);
    bi_balance balance;
    if (status == BI_OK && it->starts_in_equilibrium) {
        status = bi_equilibrium(it->sim, &balance, &report);
    } else if (status == BI_OK && it->starts_settled) {
        status = bi_settle(it->sim, &balance, &report);
    }
    if (status != BI_OK && report.errors == 0) {
        instance_say(it, FMI_ERROR, "%s. %s", bi_status_text(status), bi_sim_failure(it->sim));
    }
    instance_say_report(it, &report);
    bool is_good = status == BI_OK && report.errors == 0;
    bi_report_clear(&report);
    it->t = it->start_time;
    if (is_good && it->is_exchange && !exchange_begin(it)) {
        instance_say(it, FMI_ERROR, "no memory for the state");
        is_good = false;
    }
    return is_good;
}

fmi_status instance_start(instance *it)
{
    if ((it->is_stale || !it->sim) && !source_open(it)) {
        return FMI_ERROR;
    }
    return start_sim(it) ? FMI_OK : FMI_ERROR;
}

fmi_status instance_start_at(instance *it, double t)
{
    it->is_stale = it->is_stale || t != it->start_time;
    it->start_time = t;
    it->has_start_time = true;
    return FMI_OK;
}

static void take_initial_inputs(instance *it)
{
    for (int k = 0; k < bi_input_count(it->system); k++) {
        bi_input_info info;
        it->input[k] = bi_model_input_info(it->model, input_at(it, k), &info) ? info.initial : 0.0;
    }
}

// ---- life -------------------------------------------------------------------------------------------------------------

instance *instance_create(const char *name, const char *folder, instance_tell *tell, fmi_any_logger *logger,
                          void *environment, bool is_logging)
{
    instance *it = calloc(1, sizeof *it);
    if (!it) {
        return NULL;
    }
    it->name = copy_of(name ? name : "");
    size_t length = strlen(folder);
    it->folder = malloc(length + 2);
    it->tell = tell;
    it->logger = logger;
    it->environment = environment;
    it->is_logging = is_logging;
    bool is_good = it->name && it->folder;
    if (is_good) {
        snprintf(it->folder, length + 2, "%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/");
        is_good = read_manifest(it) && source_open(it);
    }
    if (is_good) {
        it->input = calloc((size_t)bi_input_count(it->system) + 1, sizeof *it->input);
        is_good = it->input != NULL;
    }
    if (!is_good) {
        instance_destroy(it);
        return NULL;
    }
    take_initial_inputs(it);
    return it;
}

static void drop_settings(instance *it, int keep)
{
    while (it->n_setting > keep) {
        it->n_setting--;
        free((char *)it->setting[it->n_setting].name);
        free((char *)it->setting[it->n_setting].value);
    }
}

void instance_destroy(instance *it)
{
    if (!it) {
        return;
    }
    states_free_all(it);
    exchange_end(it);
    instance_drop_model(it);
    drop_settings(it, 0);
    for (int k = 0; k < it->n_option; k++) {
        free(it->option_key[k]);
        free(it->option_value[k]);
    }
    free(it->option_key);
    free(it->option_value);
    free(it->setting);
    free(it->model_path);
    free(it->run_name);
    free(it->input);
    free(it->token);
    free(it->folder);
    free(it->name);
    free(it);
}

instance *instance_admit(instance *it, const char *token, bool is_co_simulation)
{
    bool is_own = it && token && strcmp(token, it->token) == 0;
    if (is_own && is_co_simulation != it->is_exchange) {
        return it;
    }
    if (it && !is_own) {
        instance_say(it, FMI_ERROR, "the description is of another FMU: token '%s', expected '%s'",
                     token ? token : "", it->token);
    } else if (it) {
        instance_say(it, FMI_ERROR, "this FMU is for %s only",
                     it->is_exchange ? "model exchange" : "co-simulation");
    }
    instance_destroy(it);
    return NULL;
}

fmi_status instance_reset(instance *it)
{
    drop_settings(it, it->n_exported);
    it->has_start_time = false;
    it->is_over = it->is_odd = false;
    it->phase = PHASE_NEW;
    exchange_end(it);
    if (!source_open(it)) {
        return FMI_ERROR;
    }
    take_initial_inputs(it);
    return FMI_OK;
}

// ---- steps ------------------------------------------------------------------------------------------------------------

static fmi_status say_failure(const instance *it, bi_status status)
{
    instance_say(it, FMI_ERROR, "the step after t = %.9g s failed: %s. %s", it->t, bi_status_text(status),
                 bi_sim_failure(it->sim));
    return FMI_ERROR;
}

// Whole steps end where those of `biela run` end; any other length is done, and told once.
fmi_status instance_step(instance *it, double t, double h)
{
    static const double same = 1e-6; // of a step, as for the rows of a run
    double ratio = h / it->dt, whole = round(ratio), offset = (t - it->start_time) / it->dt;
    bool is_whole = !it->is_auto && whole >= 1.0 && whole < 1e15 &&
                    fabs(ratio - whole) <= same * fmax(1.0, ratio) &&
                    fabs(offset - round(offset)) <= same * fmax(1.0, offset);
    bi_status status = BI_OK;
    if (!(h >= 0.0) || !isfinite(t)) {
        instance_say(it, FMI_ERROR, "a step from t = %g s by %g s cannot be", t, h);
        return FMI_ERROR;
    }
    if (!is_whole && !it->is_auto && !it->is_odd) {
        it->is_odd = true;
        instance_say(it, FMI_WARNING,
                     "the communication step of %.9g s is no multiple of the step of %.9g s: results differ "
                     "from those of `biela run`",
                     h, it->dt);
    }
    for (int64_t k = 0; is_whole && status == BI_OK && k < (int64_t)whole && !bi_sim_stopped(it->sim); k++) {
        status = bi_sim_step(it->sim);
    }
    if (!is_whole && h > 0.0) {
        status = it->is_auto ? bi_sim_step_to(it->sim, t + h) : bi_sim_run_to(it->sim, t + h);
    }
    if (status != BI_OK) {
        return say_failure(it, status);
    }
    it->is_over = bi_sim_stopped(it->sim);
    it->t = it->is_over ? bi_sim_view(it->sim).t : t + h;
    return FMI_OK;
}

// ---- values -----------------------------------------------------------------------------------------------------------

static fmi_status refuse(const instance *it, fmi_reference reference, const char *why)
{
    instance_say(it, FMI_ERROR, "variable %u %s", (unsigned)reference, why);
    return FMI_ERROR;
}

static fmi_status get_channel(instance *it, int k, double *value)
{
    bi_channel channel = bi_channel_at(it->system, k);
    if (exchange_settle(it) != FMI_OK) {
        return FMI_ERROR;
    }
    *value = bi_sim_read(it->sim, channel);
    if (isfinite(*value)) {
        return FMI_OK;
    }
    instance_say(it, FMI_ERROR, "channel %s is no number at t = %.9g s: %s",
                 bi_channel_name(it->system, channel), it->t, bi_sim_lost(it->sim));
    return FMI_ERROR;
}

static fmi_status get_state(instance *it, int k, bool is_rate, double *value)
{
    size_t n = exchange_count(it);
    if (it->phase == PHASE_NEW && instance_start(it) != FMI_OK) {
        return FMI_ERROR;
    }
    fmi_status status = is_rate ? exchange_rates(it, it->x + n, n) : FMI_OK;
    *value = it->x[(is_rate ? n : 0) + (size_t)k];
    return status;
}

fmi_status instance_get(instance *it, fmi_reference reference, double *value)
{
    int k = variable_place(reference);
    const char *name, *unit;
    switch (variable_kind_of(reference)) {
    case VARIABLE_TIME:
        if (k == 0) {
            *value = it->t;
            return FMI_OK;
        }
        break;
    case VARIABLE_INPUT:
        if (k < bi_input_count(it->system)) {
            *value = it->input[k];
            return FMI_OK;
        }
        break;
    case VARIABLE_PARAMETER:
        if (it->is_stale && !source_open(it)) {
            return FMI_ERROR;
        }
        return variables_parameter(it->model, k, &name, &unit, value) ? FMI_OK
                                                                      : refuse(it, reference, "is none");
    case VARIABLE_CHANNEL:
        if (k < bi_channel_count(it->system)) {
            // before the start the values are those of the start
            return it->phase == PHASE_NEW && instance_start(it) != FMI_OK ? FMI_ERROR
                                                                          : get_channel(it, k, value);
        }
        break;
    case VARIABLE_STATE:
    case VARIABLE_DERIVATIVE:
        if ((size_t)k < exchange_count(it)) {
            return get_state(it, k, variable_kind_of(reference) == VARIABLE_DERIVATIVE, value);
        }
        break;
    case VARIABLE_HASH:
    case VARIABLE_HASH_HALF: break;
    }
    return refuse(it, reference, "is no real number of this FMU");
}

static fmi_status set_input(instance *it, int k, double value)
{
    if (!isfinite(value)) {
        instance_say(it, FMI_ERROR, "input %s is set to what is no number", bi_input_name(it->system, k));
        return FMI_ERROR;
    }
    bool is_other = it->input[k] != value;
    it->input[k] = value;
    if (it->phase == PHASE_START && is_other) {
        // the start is a balance of accelerations: it follows what acts
        return start_sim(it) ? FMI_OK : FMI_ERROR;
    }
    bi_sim_input(it->sim, input_at(it, k), value);
    it->is_moved = it->is_moved || is_other;
    return FMI_OK;
}

// What is set to what it is anyway stays as the file has it, so that other parameters follow from it as they did.
static fmi_status set_parameter(instance *it, int k, double value)
{
    const char *name, *unit;
    double now;
    char text[64];
    if (!variables_parameter(it->model, k, &name, &unit, &now) || it->phase != PHASE_NEW) {
        return refuse(it, (fmi_reference)k, "is no parameter that can be set now");
    }
    if (it->is_image) {
        instance_say(it, FMI_ERROR,
                     "%s is fixed: this FMU holds a compiled model; export it with --set %s=...", name, name);
        return FMI_ERROR;
    }
    for (int i = it->n_exported; i < it->n_setting; i++) {
        if (strcmp(it->setting[i].name, name) == 0) {
            now = strtod(it->setting[i].value, NULL);
        }
    }
    if (value == now) {
        return FMI_OK;
    }
    snprintf(text, sizeof text, "%.17g", value);
    for (int i = 0; i < it->n_setting; i++) {
        if (strcmp(it->setting[i].name, name) == 0) {
            free((char *)it->setting[i].value);
            it->setting[i].value = copy_of(text);
            it->is_stale = true;
            return FMI_OK;
        }
    }
    it->is_stale = true;
    return add_setting(it, name, text) ? FMI_OK : FMI_ERROR;
}

fmi_status instance_set(instance *it, fmi_reference reference, double value)
{
    int k = variable_place(reference);
    switch (variable_kind_of(reference)) {
    case VARIABLE_INPUT:
        if (k < bi_input_count(it->system)) {
            return set_input(it, k, value);
        }
        break;
    case VARIABLE_PARAMETER: return set_parameter(it, k, value);
    case VARIABLE_STATE:
        if ((size_t)k < exchange_count(it) && it->x && isfinite(value)) {
            it->x[k] = value;
            it->is_moved = true;
            return FMI_OK;
        }
        break;
    case VARIABLE_TIME:
    case VARIABLE_CHANNEL:
    case VARIABLE_HASH:
    case VARIABLE_HASH_HALF:
    case VARIABLE_DERIVATIVE: break;
    }
    return refuse(it, reference, "cannot be set");
}

uint64_t instance_hash(instance *it) { return bi_sim_hash(it->sim); }
