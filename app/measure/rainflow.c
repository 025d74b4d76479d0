// SPDX-License-Identifier: MIT
#include "measure/rainflow.h"
#include <math.h>
#include <stdlib.h>

// Turning points: first and last samples and all between that are peaks or valleys. Gives their number.
static int find_turns(const double *sample, int count, int *turn)
{
    int n = 0;
    for (int k = 0; k < count; k++) {
        if (n > 0 && sample[k] == sample[turn[n - 1]]) {
            continue;
        }
        // going on in the same direction: the last one was no turn
        if (n > 1 && (sample[turn[n - 1]] > sample[turn[n - 2]]) == (sample[k] > sample[turn[n - 1]])) {
            n--;
        }
        turn[n++] = k;
    }
    return n;
}

// The history from its largest value to the same again: then every cycle closes.
static int rearrange(const double *sample, const int *turn, int n, int *out)
{
    int top = 0;
    for (int k = 1; k < n; k++) {
        top = sample[turn[k]] > sample[turn[top]] ? k : top;
    }
    int m = 0;
    for (int k = 0; k <= n; k++) {
        int next = turn[(top + k) % n];
        if (m > 0 && sample[next] == sample[out[m - 1]] && k < n) {
            continue;
        }
        // where the end meets the beginning there may be no turn
        if (m > 1 && (sample[out[m - 1]] > sample[out[m - 2]]) == (sample[next] > sample[out[m - 1]])) {
            m--;
        }
        out[m++] = next;
    }
    return m;
}

static rainflow_cycle cycle_of(const double *sample, int a, int b, double count)
{
    return (rainflow_cycle){ fabs(sample[a] - sample[b]), 0.5 * (sample[a] + sample[b]), count, a < b ? a : b,
                             a < b ? b : a };
}

// Three points at a time, E1049 5.4.4: X the last range, Y the one before it.
static int count_turns(const double *sample, const int *turn, int n, int *stack, rainflow_cycle *out)
{
    int n_out = 0;
    int depth = 0;
    for (int k = 0; k < n; k++) {
        stack[depth++] = turn[k];
        while (depth >= 3) {
            double x = fabs(sample[stack[depth - 1]] - sample[stack[depth - 2]]);
            double y = fabs(sample[stack[depth - 2]] - sample[stack[depth - 3]]);
            if (x < y) {
                break;
            }
            if (depth == 3) {
                // Y holds the start of the history: half a cycle, and the start moves on
                out[n_out++] = cycle_of(sample, stack[0], stack[1], 0.5);
                stack[0] = stack[1];
                stack[1] = stack[2];
                depth = 2;
            } else {
                out[n_out++] = cycle_of(sample, stack[depth - 3], stack[depth - 2], 1.0);
                stack[depth - 3] = stack[depth - 1];
                depth -= 2;
            }
        }
    }
    for (int k = 0; k + 1 < depth; k++) {
        out[n_out++] = cycle_of(sample, stack[k], stack[k + 1], 0.5);
    }
    return n_out;
}

// Halves that belong together, down and up again, as one.
static int join_halves(rainflow_cycle *cycle, int count)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        bool is_joined = false;
        for (int i = 0; i < kept && cycle[k].count == 0.5 && !is_joined; i++) {
            if (cycle[i].count == 0.5 && cycle[i].range == cycle[k].range && cycle[i].mean == cycle[k].mean) {
                cycle[i].count = 1.0;
                is_joined = true;
            }
        }
        if (!is_joined) {
            cycle[kept++] = cycle[k];
        }
    }
    return kept;
}

int rainflow_count(const double *sample, int count, rainflow_kind kind, rainflow_cycle *out)
{
    int *turn = malloc(3 * ((size_t)count + 2) * sizeof *turn);
    if (!turn) {
        return -1;
    }
    int *other = turn + count + 2;
    int *stack = other + count + 2;
    int n = find_turns(sample, count, turn);
    int n_out = 0;
    if (kind == RAINFLOW_ONCE || n < 2) {
        n_out = count_turns(sample, turn, n, stack, out);
    } else {
        int m = rearrange(sample, turn, n, other);
        n_out = join_halves(out, count_turns(sample, other, m, stack, out));
    }
    free(turn);
    return n_out;
}

double endurance_equivalent(const endurance *e, double range, double mean)
{
    double amplitude = 0.5 * range;
    if (!(e->ultimate > 0.0) || mean <= 0.0) {
        return amplitude;
    }
    return mean < e->ultimate ? amplitude / (1.0 - mean / e->ultimate) : INFINITY;
}

double endurance_damage(const endurance *e, const rainflow_cycle *cycle, int count)
{
    double damage = 0.0;
    for (int k = 0; k < count; k++) {
        double amplitude = endurance_equivalent(e, cycle[k].range, cycle[k].mean);
        if (amplitude > e->limit) {
            damage += cycle[k].count / e->reference_cycles * pow(amplitude / e->amplitude, e->slope);
        }
    }
    return damage;
}
