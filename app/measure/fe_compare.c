// SPDX-License-Identifier: MIT
#include "measure/fe_compare.h"
#include "cli/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- what is compared -----------------------------------------------------------------------------------------------

static bool has_unit(const session *s, const char *name, const char *unit)
{
    bi_channel c = bi_find_channel(s->system, name);
    return c.i > 0 && strcmp(bi_channel_unit(s->system, c), unit) == 0;
}

static void take_name(fe_channels *list, int *count, const char *name)
{
    int n = list->n_displacement + list->n_stress;
    list->name = realloc(list->name, ((size_t)n + 1) * sizeof *list->name);
    if (!list->name) {
        fputs("biela: error: out of memory\n", stderr);
        exit(CLI_MACHINE);
    }
    list->name[n] = words_copy(name, strlen(name));
    ++*count;
}

// Names on the command line must exist on both sides; without any, all with one of the units are taken.
static bool take_names(const session *s, const bi_yardstick *y, const char *given, const char *const *unit,
                       fe_channels *list, int *count)
{
    if (given) {
        words_list names = words_split(given, ',');
        bool is_good = true;
        for (int k = 0; k < names.count; k++) {
            if (!session_channel(s, names.name[k]).i) {
                is_good = false;
            } else if (bi_yardstick_channel(y, names.name[k]) < 0) {
                fprintf(stderr, "biela: error: the finite elements do not tell the channel '%s'\n",
                        names.name[k]);
                is_good = false;
            } else {
                take_name(list, count, names.name[k]);
            }
        }
        words_list_clear(&names);
        return is_good;
    }
    for (int u = 0; unit[u] && *count == 0; u++) {
        for (int k = 0; k < bi_yardstick_channel_count(y); k++) {
            if (has_unit(s, bi_yardstick_channel_name(y, k), unit[u])) {
                take_name(list, count, bi_yardstick_channel_name(y, k));
            }
        }
    }
    return true;
}

int fe_round_steps(int least)
{
    static const int round[] = { 1, 2, 4, 5, 8 };
    for (int power = 1;; power *= 10) {
        for (int k = 0; k < 5; k++) {
            if (round[k] * power >= least) {
                return round[k] * power;
            }
        }
    }
}

int fe_instants(const session *s)
{
    double every = fmax(s->run.every, s->run.dt);
    return (int)fmax(1.0, fmin(1000.0, floor(s->run.time / every + 1e-6)));
}

bool fe_case_make(const session *s, const char *displacement, const char *stress, int samples, fe_case *out)
{
    static const char *const lengths[] = { "m", NULL }, *const stresses[] = { "Pa", "N*m", "N", NULL };
    *out = (fe_case){ .s = s };
    bi_report report = { 0 };
    bi_yardstick *y = bi_yardstick_create(s->model, NULL, &report);
    bi_report_print(&report, stderr);
    bi_report_clear(&report);
    if (!y) {
        return false;
    }
    bool is_good = take_names(s, y, displacement, lengths, &out->channels, &out->channels.n_displacement);
    is_good = take_names(s, y, stress, stresses, &out->channels, &out->channels.n_stress) && is_good;
    bi_yardstick_destroy(y);
    if (is_good && (out->channels.n_displacement == 0 || out->channels.n_stress == 0)) {
        fputs("biela: error: nothing to compare: the model needs an output 'point' and an output 'stress' or "
              "'section'\n",
              stderr);
        is_good = false;
    }
    // whole steps of the modal run in each interval
    double dt = s->run.dt, time = s->run.time;
    out->interval = dt * fe_round_steps((int)fmin(ceil(time / (samples * dt) - 1e-6), 1e6));
    out->n_row = (int)floor(time / out->interval + 1e-6);
    if (is_good && out->n_row < 1) {
        fputs("biela: error: the run is shorter than one step; give --time\n", stderr);
        is_good = false;
    }
    return is_good;
}

void fe_case_clear(fe_case *c)
{
    for (int k = 0; k < c->channels.n_displacement + c->channels.n_stress; k++) {
        free(c->channels.name[k]);
    }
    free(c->channels.name);
    *c = (fe_case){ 0 };
}

// ---- runs -----------------------------------------------------------------------------------------------------------

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static fe_curves curves_make(const fe_case *c)
{
    int n = c->channels.n_displacement + c->channels.n_stress;
    return (fe_curves){ .n_channel = n,
                        .n_row = c->n_row + 1,
                        .value = words_alloc((size_t)(c->n_row + 1) * (size_t)n * sizeof(double)) };
}

void fe_curves_clear(fe_curves *curves)
{
    free(curves->value);
    *curves = (fe_curves){ 0 };
}

// One interval of the modal run: steps of one length, or of its own choice.
static bool modes_to(bi_sim *sim, const bi_run *run, int steps, double t)
{
    if (run->is_auto) {
        return bi_sim_step_to(sim, t) == BI_OK;
    }
    for (int k = 0; k < steps; k++) {
        if (bi_sim_step(sim) != BI_OK) {
            return false;
        }
    }
    return true;
}

// The system of the session with another scheme and step; NULL: it does not compile.
static bi_system *system_with(const session *s, const fe_modal *m, double dt)
{
    bi_options options = { .coordinates = s->run.coordinates,
                           .scheme = m->scheme,
                           .dt = dt,
                           .tolerance = m->tolerance,
                           .damping = 1.0 - m->rho,
                           .solver = s->run.solver,
                           .baumgarte = s->run.baumgarte,
                           .baumgarte_beta = s->run.baumgarte_beta };
    bi_report report = { 0 };
    bi_system *system = bi_compile(s->model, &options, &report);
    bi_report_clear(&report);
    return system;
}

fe_curves fe_run_modes(const fe_case *c, const fe_modal *m)
{
    fe_curves out = curves_make(c);
    bi_channel *channel = words_alloc((size_t)out.n_channel * sizeof *channel);
    bool is_own = m->steps > 0;
    int steps = is_own ? m->steps : (int)floor(c->interval / c->s->run.dt + 0.5);
    bi_system *own = is_own ? system_with(c->s, m, c->interval / steps) : NULL,
              *system = is_own ? own : c->s->system;
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    bool is_good = sim && bi_sim_start(sim, NULL) == BI_OK;
    for (int k = 0; is_good && k < out.n_channel; k++) {
        channel[k] = bi_find_channel(system, c->channels.name[k]);
    }
    double start = cpu_now();
    for (int row = 0; is_good && row <= c->n_row; row++) {
        is_good = row == 0 || modes_to(sim, &c->s->run, steps, row * c->interval);
        for (int k = 0; is_good && k < out.n_channel; k++) {
            out.value[row * out.n_channel + k] = bi_sim_read(sim, channel[k]);
        }
    }
    out.cpu = cpu_now() - start;
    bi_sim_destroy(sim);
    bi_system_destroy(own);
    free(channel);
    if (!is_good) {
        fe_curves_clear(&out);
    }
    return out;
}

fe_curves fe_run_elements(const fe_case *c, const fe_mesh *mesh, bi_yardstick_facts *facts)
{
    fe_curves out = curves_make(c);
    int *channel = words_alloc((size_t)out.n_channel * sizeof *channel);
    bi_report report = { 0 };
    bi_yardstick_options options = { .elements = mesh->elements,
                                     .divide = mesh->divide,
                                     .dt = c->interval / mesh->steps,
                                     .damping = mesh->damping,
                                     .tolerance = mesh->tolerance };
    bi_yardstick *y = bi_yardstick_create(c->s->model, &options, &report);
    bool is_good = y != NULL;
    bi_report_clear(&report);
    for (int k = 0; is_good && k < out.n_channel; k++) {
        channel[k] = bi_yardstick_channel(y, c->channels.name[k]);
    }
    double start = cpu_now();
    for (int row = 0; is_good && row <= c->n_row; row++) {
        for (int k = 0; row > 0 && is_good && k < mesh->steps; k++) {
            is_good = bi_yardstick_step(y) == BI_OK;
        }
        for (int k = 0; is_good && k < out.n_channel; k++) {
            out.value[row * out.n_channel + k] = bi_yardstick_read(y, channel[k]);
        }
    }
    out.cpu = cpu_now() - start;
    if (facts && y) {
        *facts = bi_yardstick_facts_of(y);
    }
    bi_yardstick_destroy(y);
    free(channel);
    if (!is_good) {
        fe_curves_clear(&out);
    }
    return out;
}

// ---- errors ---------------------------------------------------------------------------------------------------------

typedef struct {
    double largest, low, high; /* difference; of the reference */
} column_error;

static column_error column_of(const fe_curves *a, const fe_curves *reference, int k)
{
    column_error e = { 0.0, INFINITY, -INFINITY };
    for (int row = 0; row < reference->n_row; row++) {
        double wanted = reference->value[row * reference->n_channel + k];
        double gap = fabs(a->value[row * a->n_channel + k] - wanted);
        e.largest = gap <= e.largest ? e.largest : gap;
        e.low = fmin(e.low, wanted);
        e.high = fmax(e.high, wanted);
    }
    return e;
}

fe_errors fe_errors_of(const fe_case *c, const fe_curves *a, const fe_curves *reference)
{
    fe_errors out = { .worst_displacement = c->channels.name[0],
                      .worst_stress = c->channels.name[c->channels.n_displacement] };
    double widest = 0.0;
    for (int k = 0; k < c->channels.n_displacement; k++) {
        column_error e = column_of(a, reference, k);
        widest = fmax(widest, e.high - e.low);
        if (!(e.largest <= out.displacement)) {
            out.displacement = e.largest;
            out.worst_displacement = c->channels.name[k];
        }
    }
    out.displacement_share = widest > 0.0 ? out.displacement / widest : out.displacement;
    double largest = 0.0;
    for (int k = c->channels.n_displacement; k < reference->n_channel; k++) {
        column_error e = column_of(a, reference, k);
        largest = fmax(largest, fmax(fabs(e.low), fabs(e.high)));
        if (!(e.largest <= out.stress)) {
            out.stress = e.largest;
            out.worst_stress = c->channels.name[k];
        }
    }
    out.stress_share = largest > 0.0 ? out.stress / largest : out.stress;
    return out;
}
