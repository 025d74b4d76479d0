// SPDX-License-Identifier: MIT
// A reduced body as a superelement of Nastran: matrices (DMIG) of its frame and its modal amplitudes, and equations
// (MPC) that tie nodes to them.
#include <biela/fe_file.h>
#include <biela/outfile.h>
#include <math.h>
#include <stdlib.h>

enum { FRAME = 1, RIGID = 6 };

typedef struct {
    FILE *out;
    const bi_modes *modes;
    int n;     // 6 of the frame, then the amplitudes
    int first; // number of the first amplitude's point
} superelement;

// A number of sixteen letters, its exponent that of double precision.
static void put_number(FILE *out, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%16.9E", value);
    for (char *c = text; *c; c++) {
        *c = *c == 'E' ? 'D' : *c;
    }
    fputs(text, out);
}

// Point and component of an unknown.
static void put_unknown(const superelement *s, int k)
{
    fprintf(s->out, "%16d%16d", k < RIGID ? FRAME : s->first + k - RIGID, k < RIGID ? k + 1 : 0);
}

// How unknown k moves a place: the frame's displacements and turns, then the modes.
static bi_vec3 moved(const superelement *s, int k, int node)
{
    bi_vec3 r = s->modes->at[node];
    switch (k) {
    case 0: return (bi_vec3){ 1.0, 0.0, 0.0 };
    case 1: return (bi_vec3){ 0.0, 1.0, 0.0 };
    case 2: return (bi_vec3){ 0.0, 0.0, 1.0 };
    case 3: return (bi_vec3){ 0.0, -r.z, r.y };
    case 4: return (bi_vec3){ r.z, 0.0, -r.x };
    case 5: return (bi_vec3){ -r.y, r.x, 0.0 };
    default: return s->modes->shape[(size_t)(k - RIGID) * (size_t)s->modes->n_node + (size_t)node];
    }
}

static double mass_of(const superelement *s, int i, int j)
{
    double sum = 0.0;
    for (int p = 0; p < s->modes->n_node; p++) {
        bi_vec3 a = moved(s, i, p), b = moved(s, j, p);
        sum += s->modes->mass[p] * (a.x * b.x + a.y * b.y + a.z * b.z);
    }
    return sum;
}

// The amplitudes are principal directions: their stiffness is a diagonal; the frame has none.
static double stiffness_of(const superelement *s, int i, int j)
{
    return i == j && i >= RIGID ? s->modes->stiffness[i - RIGID] : 0.0;
}

static double damping_of(const superelement *s, int i, int j)
{
    return i == j && i >= RIGID && s->modes->damping ? s->modes->damping[i - RIGID] : 0.0;
}

// Lower half by columns: symmetric matrices give each entry once.
static void write_matrix(const superelement *s, const char *name,
                         double (*entry)(const superelement *s, int i, int j))
{
    double *column = malloc((size_t)s->n * sizeof *column);
    fprintf(s->out, "DMIG,%s,0,6,2,0\n", name);
    for (int j = 0; column && j < s->n; j++) {
        bool has_any = false;
        for (int i = j; i < s->n; i++) {
            column[i] = entry(s, i, j);
            has_any = has_any || column[i] != 0.0;
        }
        if (!has_any) {
            continue;
        }
        fprintf(s->out, "DMIG*   %-16s", name);
        put_unknown(s, j);
        fputc('\n', s->out);
        for (int i = j; i < s->n; i++) {
            if (column[i] != 0.0) {
                fputs("*       ", s->out);
                put_unknown(s, i);
                put_number(s->out, column[i]);
                fputc('\n', s->out);
            }
        }
    }
    free(column);
}

// Component c of node number `id` is the sum of factors (n) and unknowns.
static void write_equation(const superelement *s, int id, int c, const double *factor)
{
    int written = 0;
    fprintf(s->out, "MPC*    %16d%16d%16d", 1, id, c);
    put_number(s->out, -1.0);
    for (int k = 0; k < s->n; k++) {
        if (factor[k] == 0.0) {
            continue;
        }
        // four fields a line: the second of a pair ends with an empty one, the first begins with one
        fputs(written % 2 == 0 ? "\n*       " : "\n*                       ", s->out);
        put_unknown(s, k);
        put_number(s->out, factor[k]);
        written++;
    }
    fputc('\n', s->out);
}

// Nodes of solids alone do not.
static bool does_turn(const superelement *s, int node)
{
    bool turns = false;
    for (int k = 0; s->modes->turn && k < s->modes->n_mode && !turns; k++) {
        bi_vec3 t = s->modes->turn[(size_t)k * (size_t)s->modes->n_node + (size_t)node];
        turns = t.x != 0.0 || t.y != 0.0 || t.z != 0.0;
    }
    return turns;
}

static void tie(const superelement *s, int node, int id)
{
    double *factor = calloc((size_t)s->n, sizeof *factor);
    bool turns = does_turn(s, node);
    for (int c = 0; factor && c < (turns ? 6 : 3); c++) {
        for (int k = 0; k < s->n; k++) {
            bi_vec3 v = { k == 3, k == 4, k == 5 };
            if (c < 3) {
                v = moved(s, k, node);
            } else if (k >= RIGID) {
                v = s->modes->turn[(size_t)(k - RIGID) * (size_t)s->modes->n_node + (size_t)node];
            }
            factor[k] = c % 3 == 0 ? v.x : c % 3 == 1 ? v.y : v.z;
        }
        write_equation(s, id, c + 1, factor);
    }
    free(factor);
}

bool bi_flex_write_dmig(const char *path, const bi_flex *flex, const int *node, int n_node, bi_report *report)
{
    bool is_right = path && flex && n_node >= 0 && (node || n_node == 0);
    for (int k = 0; is_right && k < n_node; k++) {
        is_right = node[k] >= 0 && node[k] < bi_flex_mesh(flex)->n_node;
    }
    if (!is_right) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "",
                      "a superelement needs a file, a reduced body and nodes of its mesh");
        return false;
    }
    bi_outfile *output = bi_outfile_open(path, report);
    if (!output) {
        return false;
    }
    superelement s = { .out = bi_outfile_file(output), .modes = bi_flex_modes(flex) };
    s.n = RIGID + s.modes->n_mode;
    s.first = FRAME + n_node + 1;
    fprintf(
        s.out,
        "$ superelement: the frame is GRID %d, amplitudes of %d modes are SPOINTs, nodes follow by MPC 1\n"
        "$ case control: K2GG = KFLEX, M2GG = MFLEX, B2GG = BFLEX, MPC = 1\n"
        "GRID*   %16d%16s%16.9f%16.9f\n*       %16.9f\n",
        FRAME, s.modes->n_mode, FRAME, "", 0.0, 0.0, 0.0);
    for (int k = 0; k < n_node; k++) {
        bi_vec3 at = s.modes->at[node[k]];
        fprintf(s.out, "GRID*   %16d%16s%16.9f%16.9f\n*       %16.9f\n", FRAME + 1 + k, "", at.x, at.y, at.z);
    }
    fprintf(s.out, "SPOINT,%d,THRU,%d\n", s.first, s.first + s.modes->n_mode - 1);
    write_matrix(&s, "KFLEX", stiffness_of);
    write_matrix(&s, "MFLEX", mass_of);
    write_matrix(&s, "BFLEX", damping_of);
    for (int k = 0; k < n_node; k++) {
        tie(&s, node[k], FRAME + 1 + k);
    }
    return bi_outfile_commit(output, report) == BI_OK;
}
