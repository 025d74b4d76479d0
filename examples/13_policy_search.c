// SPDX-License-Identifier: MIT
// A forklift learns to park. A policy of ten numbers sees where the bay is from the truck and moves pedal and steering wheel; nobody
// tells it how. Cross-entropy method: try many policies at random, keep the best eighth, try again around them. All of a
// generation are sims of one batch, and every number drawn depends on the seed alone: the same bits on any number of threads.
//     policy_search [--rollouts N] [--seed N] [--device NAME] [--workers N] [--paths FILE.csv] [--model FILE]
#include <biela/batch.h>
#include <biela/image.h>
#include <biela/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN = 5, NUMBERS = 2 * SEEN, TURNS = 80, CHANNELS = 7 };
static const double every = 0.1; // s between two looks of the policy
static const double fast =
    0.01; // s, the step of the search; what was learnt is tried with that of the model, too
static const double most = 0.4;      // of the pedal: 2.4 m/s
static const double radius = 0.3429; // of the front wheels, m

static const double degree = 57.295779513082321; // in a radian

// parked: that near, that straight, and all but standing
static const double near = 0.25, straight = 0.0875, slow = 0.1; // m, rad (5 degrees), m/s

typedef struct {
    long rollouts, seed;
    int workers;
    const char *device, *paths, *model;
} wish;

typedef struct {
    const char *path;
    double dt; // 0: that of the model
} source;

// A bay: the place for the middle of the front axle, and its direction.
typedef struct {
    double x, y, c, s;
} bay;

// What a rollout has come to.
typedef struct {
    double cost, off, turned, speed, work; // m, rad, m/s, J
    bool is_parked;
} outcome;

static bi_system *forklift(void *context, bi_report *report)
{
    const source *from = context;
    bi_run run;
    bi_model *m = bi_read_model(from->path, NULL, 0, "settle", &run, report); // the truck without loads
    if (!m || report->errors) {
        bi_model_destroy(m);
        return NULL;
    }
    bi_body chassis = bi_model_body(m, "chassis");
    bi_add_output(
        m, &(bi_output_def){ .name = "axle", .kind = BI_OUT_POINT, .body = chassis, .at = { 1.965, 0, 0 } });
    bi_add_output(
        m, &(bi_output_def){ .name = "ahead", .kind = BI_OUT_POINT, .body = chassis, .at = { 2.965, 0, 0 } });
    run.dt = from->dt > 0 ? from->dt : run.dt;
    bi_options options = bi_run_options(&run);
    bi_system *system = bi_compile(m, &options, report);
    bi_model_destroy(m);
    return system;
}

// Devices with memory of their own take systems of images only.
static bi_system *made(const wish *w, double dt, bi_report *report)
{
    source from = { w->model, dt };
    if (!w->device || !bi_batch_device_takes_images(w->device)) {
        return forklift(&from, report);
    }
    size_t size;
    void *image = bi_image_make(forklift, &from, NULL, 0, &size, report);
    bi_system *system = image ? bi_image_load(image, size, report) : NULL;
    free(image);
    return system;
}

// The k-th bay, some metres ahead to the left, about square to where the truck stands.
static bay bay_at(uint64_t seed, uint64_t k)
{
    double half = 1.0 + 0.2 * (bi_random(seed, "turn", k) - 0.5); // tangent of half of 79 to 101 degrees
    return (bay){ 6.0 + 1.0 * (bi_random(seed, "x", k) - 0.5), 5.5 + 1.0 * (bi_random(seed, "y", k) - 0.5),
                  (1.0 - half * half) / (1.0 + half * half), 2.0 * half / (1.0 + half * half) };
}

// Twelve numbers between 0 and 1 added are nearly normal, and need no logarithm that another machine has otherwise.
static double normal(uint64_t seed, const char *name, uint64_t k)
{
    double sum = -6.0;
    for (uint64_t i = 0; i < 12; i++) {
        sum += bi_random(seed, name, 12 * k + i);
    }
    return sum;
}

// What the policy sees: how far behind the bay, how far to its left, how much turned from it (2 tan of half the angle), how fast.
static void look(const bay *b, const double at[CHANNELS], double seen[SEEN])
{
    double x = at[0] - b->x, y = at[1] - b->y, dx = at[2] - at[0], dy = at[3] - at[1];
    double c = b->c * dx + b->s * dy, s = b->c * dy - b->s * dx;
    seen[0] = 1.0;
    seen[1] = -(b->c * x + b->s * y);
    seen[2] = b->c * y - b->s * x;
    seen[3] = 2.0 * s / fmax(1.0 + c, 0.1);
    seen[4] = at[4];
}

// What is no number becomes one, too: a sim that failed does not hold up the others.
static double within(double v, double limit) { return v > limit ? limit : v > -limit ? v : -limit; }

static void act(const double policy[NUMBERS], const double seen[SEEN], double *steer, double *pedal)
{
    *steer = *pedal = 0.0;
    for (int i = 0; i < SEEN; i++) {
        *pedal += policy[i] * seen[i];
        *steer += policy[SEEN + i] * seen[i];
    }
    *pedal = within(*pedal, most);
    *steer = within(*steer, 1.0);
}

static outcome judged(const double seen[SEEN], double work, bool is_lost)
{
    outcome o = { .off = sqrt(seen[1] * seen[1] + seen[2] * seen[2]),
                  .turned = fabs(seen[3]),
                  .speed = fabs(seen[4]),
                  .work = work };
    // a metre counts as much as a radian, a metre a second, half a MJ; a truck that falls over as a bay ten times as far
    o.cost = o.off + o.turned + o.speed + 2e-6 * work;
    if (is_lost || !(o.cost < 100.0)) {
        o = (outcome){ 100.0, 100.0, 3.0, 0.0, work, false };
    }
    o.is_parked = !is_lost && o.off < near && o.turned < straight && o.speed < slow;
    return o;
}

typedef struct {
    bi_system *system;
    bi_batch *batch;
    bi_input input[2];
    bi_channel channel[CHANNELS];
    int count, steps; // sims; steps between two looks
    double *input_value, *value, *work;
    bool *is_lost;
} yard;

static bool open_yard(yard *y, const wish *w, int count, double dt, bi_report *report)
{
    static const char *const channel[CHANNELS] = { "axle.x", "axle.y",      "ahead.x",      "ahead.y",
                                                   "speed",  "force.drive", "attitude.roll" };
    *y = (yard){ .system = made(w, dt, report), .count = count };
    y->batch =
        y->system ? bi_batch_create(y->system, count,
                                    &(bi_batch_options){ .device = w->device, .workers = w->workers }, report)
                  : NULL;
    if (!y->batch) {
        return false;
    }
    bool has_all = true;
    y->input[0] = bi_find_input(y->system, "steer");
    y->input[1] = bi_find_input(y->system, "drive");
    for (int i = 0; i < CHANNELS; i++) {
        y->channel[i] = bi_find_channel(y->system, channel[i]);
        has_all = has_all && y->channel[i].i;
    }
    if (!has_all || !y->input[0].i || !y->input[1].i) {
        fprintf(stderr,
                "%s: no truck to park: it needs the inputs steer and drive and the channels of "
                "models/forklift\n",
                w->model);
        return false;
    }
    y->steps = (int)(every / bi_system_dt(y->system) + 0.5);
    y->input_value = calloc((size_t)count * (2 + CHANNELS + 1), sizeof *y->value);
    y->value = y->input_value + (size_t)count * 2;
    y->work = y->value + (size_t)count * CHANNELS;
    y->is_lost = calloc((size_t)count, sizeof *y->is_lost);
    return y->input_value && y->is_lost;
}

static void close_yard(yard *y)
{
    free(y->input_value);
    free(y->is_lost);
    bi_batch_destroy(y->batch);
    bi_system_destroy(y->system);
}

// Sim k drives with policy k / n_bays to bay k % n_bays. The way of the first one goes to the file.
static bool drive(yard *y, const double (*policy)[NUMBERS], const bay *bays, int n_bays, outcome *outcome_of,
                  FILE *paths, int generation)
{
    int n = y->count;
    bool is_driven = bi_batch_start(y->batch) == BI_OK;
    memset(y->work, 0, (size_t)n * sizeof *y->work);
    memset(y->is_lost, 0, (size_t)n * sizeof *y->is_lost);
    for (int turn = 0; turn <= TURNS && is_driven; turn++) {
        is_driven = bi_batch_read(y->batch, y->channel, CHANNELS, y->value) == BI_OK;
        for (int k = 0; k < n; k++) {
            double at[CHANNELS], seen[SEEN];
            for (int i = 0; i < CHANNELS; i++) {
                at[i] = y->value[(size_t)i * (size_t)n + (size_t)k];
            }
            look(&bays[k % n_bays], at, seen);
            act(policy[k / n_bays], seen, &y->input_value[k], &y->input_value[n + k]);
            y->work[k] += fabs(at[5] * at[4]) / radius * (turn > 0 ? every : 0.0);
            y->is_lost[k] |= fabs(at[6]) > 0.5 || bi_batch_status(y->batch, k) != BI_OK;
            outcome_of[k] = judged(seen, y->work[k], y->is_lost[k]);
            if (k == 0 && paths) {
                fprintf(paths, "%d,%.1f,%.17g,%.17g,%.17g,%.17g,%.17g\n", generation, turn * every, at[0],
                        at[1], at[2] - at[0], at[3] - at[1], at[4]);
            }
        }
        if (turn < TURNS) {
            is_driven = is_driven && bi_batch_inputs(y->batch, y->input, 2, y->input_value) == BI_OK &&
                        bi_batch_step(y->batch, y->steps) == BI_OK;
        }
    }
    return is_driven;
}

// The distribution that policies are drawn from.
typedef struct {
    double mean[NUMBERS], spread[NUMBERS];
} belief;

// Policy 0 is the mean itself.
static void draw(const belief *b, uint64_t seed, int generation, double (*policy)[NUMBERS], int count)
{
    static const char *const name[NUMBERS] = { "p0", "p1", "p2", "p3", "p4", "s0", "s1", "s2", "s3", "s4" };
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < NUMBERS; i++) {
            double by = k ? normal(seed, name[i], (uint64_t)generation * 1000000 + (uint64_t)k) : 0.0;
            policy[k][i] = b->mean[i] + b->spread[i] * by;
        }
    }
}

typedef struct {
    double cost;
    int policy;
} rank;

static int cheaper(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost) : x->policy - y->policy;
}

// The best eighth is what is believed next; the spread follows slowly, so that it is not gone before the best is found.
static void learn(belief *b, const double (*policy)[NUMBERS], const rank *ranked, int best)
{
    for (int i = 0; i < NUMBERS; i++) {
        double sum = 0.0, square = 0.0;
        for (int k = 0; k < best; k++) {
            sum += policy[ranked[k].policy][i];
        }
        double mean = sum / best;
        for (int k = 0; k < best; k++) {
            double d = policy[ranked[k].policy][i] - mean;
            square += d * d;
        }
        b->mean[i] = mean;
        b->spread[i] = 0.25 * b->spread[i] + 0.75 * sqrt(square / best);
    }
}

static double mean_cost(const outcome *o, int n, int *parked)
{
    double sum = 0.0;
    *parked = 0;
    for (int k = 0; k < n; k++) {
        sum += o[k].cost;
        *parked += o[k].is_parked;
    }
    return sum / n;
}

typedef struct {
    int generations, bays, policies;
} plan;

static plan planned(long rollouts)
{
    plan p = { rollouts < 1000 ? 8 : rollouts < 10000 ? 20 : 25, rollouts < 10000 ? 2 : 4, 0 };
    p.policies = (int)(rollouts / (p.generations * p.bays));
    return p;
}

// One generation: draw, drive, keep the best. *cost: of the mean policy, as it was drawn.
static bool generation(const wish *w, const plan *p, yard *y, const bay *bays, belief *b, int g, FILE *paths,
                       double *cost)
{
    double(*policy)[NUMBERS] = calloc((size_t)p->policies, sizeof *policy);
    outcome *o = calloc((size_t)y->count, sizeof *o);
    rank *ranked = calloc((size_t)p->policies, sizeof *ranked);
    bool is_done = policy && o && ranked;
    if (is_done) {
        draw(b, (uint64_t)w->seed, g, policy, p->policies);
        is_done = drive(y, (const double(*)[NUMBERS])policy, bays, p->bays, o, paths, g + 1);
    }
    if (is_done) {
        int parked;
        for (int k = p->policies - 1; k >= 0; k--) {
            ranked[k] = (rank){ mean_cost(o + k * p->bays, p->bays, &parked), k };
        }
        *cost = ranked[0].cost;
        qsort(ranked, (size_t)p->policies, sizeof *ranked, cheaper);
        int best = p->policies / 8 > 4 ? p->policies / 8 : 4;
        learn(b, (const double(*)[NUMBERS])policy, ranked, best);
        printf("generation %2d: the mean policy costs %.4f, the best of %d %.4f\n", g + 1, *cost, p->policies,
               ranked[0].cost);
        fflush(stdout);
    }
    free(policy);
    free(o);
    free(ranked);
    return is_done;
}

static bool search(const wish *w, const plan *p, belief *b, double *first, double *last, bi_report *report)
{
    yard y;
    bay *bays = calloc((size_t)p->bays, sizeof *bays);
    bool is_open = bays && open_yard(&y, w, p->policies * p->bays, fast, report);
    for (int k = 0; is_open && k < p->bays; k++) {
        bays[k] = bay_at((uint64_t)w->seed, (uint64_t)k);
    }
    FILE *paths = is_open && w->paths ? fopen(w->paths, "w") : NULL;
    if (is_open && w->paths && !paths) {
        fprintf(stderr, "%s cannot be written: see that its folder is there\n", w->paths);
        is_open = false;
    }
    if (paths) {
        fprintf(paths, "# bay %.17g %.17g %.17g %.17g\ngeneration,t,x,y,dx,dy,speed\n", bays[0].x, bays[0].y,
                bays[0].c, bays[0].s);
    }
    for (int g = 0; is_open && g < p->generations; g++) {
        is_open = generation(w, p, &y, bays, b, g, paths, last);
        *first = g ? *first : *last;
    }
    if (paths && fclose(paths) != 0) {
        fprintf(stderr, "%s was not written whole: no room on the disk?\n", w->paths);
        is_open = false;
    }
    if (bays) {
        close_yard(&y);
    }
    free(bays);
    return is_open;
}

// What was learnt drives to bays that it has not seen, with the step of the model.
static bool examine(const wish *w, const belief *b, int count, bi_report *report)
{
    yard y;
    bay *bays = calloc((size_t)count, sizeof *bays);
    outcome *o = calloc((size_t)count, sizeof *o), worst = { 0 };
    bool is_open = bays && o && open_yard(&y, w, count, 0.0, report);
    for (int k = 0; is_open && k < count; k++) {
        bays[k] = bay_at((uint64_t)w->seed, 1000000 + (uint64_t)k);
    }
    if (is_open && drive(&y, (const double(*)[NUMBERS]) & b->mean, bays, count, o, NULL, 0)) {
        int parked;
        double cost = mean_cost(o, count, &parked), work = 0.0;
        for (int k = 0; k < count; k++) {
            worst.off = fmax(worst.off, o[k].off);
            worst.turned = fmax(worst.turned, o[k].turned);
            worst.speed = fmax(worst.speed, o[k].speed);
            work += o[k].work / count;
        }
        printf("other bays: %d of %d parked within %.2f m, %.1f degrees, %.1f m/s; mean cost %.4f, %.1f kJ\n",
               parked, count, near, straight * degree, slow, cost, 1e-3 * work);
        printf("the worst: %.3f m, %.2f degrees, %.3f m/s\n", worst.off,
               2.0 * atan(0.5 * worst.turned) * degree, worst.speed);
    } else {
        is_open = false;
    }
    if (bays && o) {
        close_yard(&y);
    }
    free(bays);
    free(o);
    return is_open;
}

static bool number(const char *word, long low, long high, long *to)
{
    char *end;
    long v = strtol(word, &end, 10);
    if (end == word || *end || v < low || v > high) {
        return false;
    }
    *to = v;
    return true;
}

static bool understood(int n, char **word, wish *w)
{
    for (int i = 1; i < n; i += 2) {
        const char *o = word[i], *v = i + 1 < n ? word[i + 1] : NULL;
        long workers;
        bool is_good = v;
        if (v && strcmp(o, "--rollouts") == 0) {
            is_good = number(v, 128, 100000000, &w->rollouts);
        } else if (v && strcmp(o, "--seed") == 0) {
            is_good = number(v, 0, 1000000000, &w->seed);
        } else if (v && strcmp(o, "--workers") == 0) {
            is_good = number(v, 1, 64, &workers);
            w->workers = is_good ? (int)workers : 0;
        } else if (v && strcmp(o, "--device") == 0) {
            w->device = v;
        } else if (v && strcmp(o, "--paths") == 0) {
            w->paths = v;
        } else if (v && strcmp(o, "--model") == 0) {
            w->model = v;
        } else {
            is_good = false;
        }
        if (!is_good) {
            fprintf(stderr,
                    "%s %s: not understood; there are --rollouts N (128 and more), --seed N, --device NAME, "
                    "--workers N (1 to 64), --paths FILE.csv, --model FILE\n",
                    o, v ? v : "");
            return false;
        }
    }
    return true;
}

int main(int n, char **word)
{
    wish w = { .rollouts = 256, .seed = 1, .model = "models/forklift/model.yaml" };
    if (!understood(n, word, &w)) {
        return 2;
    }
    plan p = planned(w.rollouts);
    // it knows nothing at first: it stands
    belief b = { .spread = { 0.3, 0.3, 0.3, 0.3, 0.3, 0.5, 0.5, 0.5, 0.5, 0.5 } };
    bi_report report = { 0 };
    double first = 0.0, last = 0.0;
    int others = p.generations > 8 ? 200 : 20;
    printf("%d generations of %d policies, each to %d bays\n", p.generations, p.policies, p.bays);
    bool is_done = search(&w, &p, &b, &first, &last, &report) && examine(&w, &b, others, &report);
    if (!is_done) {
        bi_report_print(&report, stderr);
    } else {
        printf("pedal = %.4f %+.4f behind %+.4f left %+.4f turned %+.4f speed\n", b.mean[0], b.mean[1],
               b.mean[2], b.mean[3], b.mean[4]);
        printf("steer = %.4f %+.4f behind %+.4f left %+.4f turned %+.4f speed\n", b.mean[5], b.mean[6],
               b.mean[7], b.mean[8], b.mean[9]);
    }
    bi_report_clear(&report);
    if (is_done && !(last < 0.5 * first)) {
        fprintf(
            stderr,
            "it has not learnt: the mean policy cost %.4f and costs %.4f; take more --rollouts, or another "
            "--seed\n",
            first, last);
    }
    return is_done && last < 0.5 * first && fflush(stdout) == 0 ? 0 : 1;
}
