// SPDX-License-Identifier: MIT
// A beam of solid elements, as a mesher writes it, against beam theory: frequencies, mass, stress under a load at its tip.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/fe_file.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// 1 m long, 50 mm wide (y), 80 mm high (z), steel
static const double L = 1.0, B = 0.05, H = 0.08, E = 2.1e11, RHO = 7850.0;
static const double PI = 3.14159265358979323846;
static const char *const files[] = {
    "tests/import/mesh/beam_hex20.msh",   "tests/import/mesh/beam_hex8.inp",
    "tests/import/mesh/beam_tet10.msh",   "tests/import/mesh/beam_tet10.bdf",
    "tests/import/mesh/beam_wedge15.msh", "tests/import/mesh/beam_wedge15.bdf",
    "tests/import/mesh/beam_wedge6.inp"
};
enum { N_FILE = sizeof files / sizeof files[0], TIP_LOAD = 1000 };

// The mesh with steel, its face x = 0 as frame, and a node that leads its face x = 1.
typedef struct {
    bi_fe_file file;
    bi_material steel;
    bi_fe_node *node;
    bi_fe_element *element;
    int32_t *frame;
    bi_flex_boundary tip;
    bi_flex_def def;
    bi_flex *flex;
} beam;

static void make_beam(const char *path, bool has_tip, beam *b)
{
    bi_report report = { 0 };
    *b = (beam){ .steel = { .name = "steel", .young = E, .poisson = 0.3, .density = RHO } };
    assert_true(bi_fe_file_read(path, (bi_fe_units){ 0 }, &b->file, &report));
    const bi_fe_mesh *from = &b->file.mesh;
    int n = from->n_node;
    b->node = malloc(((size_t)n + 1) * sizeof *b->node);
    b->element = calloc((size_t)(from->n_element + n), sizeof *b->element);
    b->frame = malloc((size_t)n * sizeof *b->frame);
    memcpy(b->node, from->node, (size_t)n * sizeof *b->node);
    memcpy(b->element, from->element, (size_t)from->n_element * sizeof *b->element);
    int n_element = from->n_element;
    for (int k = 0; k < n_element; k++) {
        b->element[k].material = 0;
    }
    for (int i = 0; i < n; i++) {
        if (b->node[i].at.x < 1e-9) {
            b->frame[b->def.n_frame++] = i;
        } else if (has_tip && b->node[i].at.x > L - 1e-9) {
            bi_fe_element link = { .kind = BI_FE_LINK, .section = -1, .material = -1 };
            link.node[0] = n;
            link.node[1] = i;
            b->element[n_element++] = link;
        }
    }
    b->node[n] = (bi_fe_node){ .name = "tip", .at = { L, 0.5 * B, 0.5 * H } };
    b->tip = (bi_flex_boundary){ .node = n, .is_point = true };
    b->def.name = "beam";
    b->def.mesh = (bi_fe_mesh){ .n_node = n + has_tip,
                                .n_element = n_element,
                                .n_material = 1,
                                .node = b->node,
                                .element = b->element,
                                .material = &b->steel };
    b->def.frame = b->frame;
    b->def.n_boundary = has_tip;
    b->def.boundary = &b->tip;
    b->def.n_normal = has_tip ? 0 : 6;
    b->flex = bi_flex_build(&b->def, NULL, NULL, &report);
    if (!b->flex) {
        fail_msg("%s: %s", path, report.count ? report.issue[report.count - 1].what : "");
    }
    bi_report_clear(&report);
}

static void release(beam *b)
{
    bi_flex_destroy(b->flex);
    bi_fe_file_clear(&b->file);
    free(b->node);
    free(b->element);
    free(b->frame);
}

static bool has_frequency(const bi_flex_facts *facts, double expected)
{
    for (int k = 0; k < facts->n_normal; k++) {
        if (fabs(facts->normal_hz[k] / expected - 1.0) < 0.01) {
            return true;
        }
    }
    return false;
}

static void test_solid_beam_has_the_frequencies_of_a_cantilever(void **state)
{
    (void)state;
    // Euler and Bernoulli; shear and rotary inertia take off 0.2 % of the first, 0.5 % of the second, the clamp adds as much
    double bend = 1.8751040687 * 1.8751040687 / (2.0 * PI * L * L) * sqrt(E / RHO / 12.0);
    for (int f = 0; f < N_FILE; f++) {
        beam b;
        make_beam(files[f], false, &b);
        bi_flex_facts facts = bi_flex_facts_of(b.flex);
        assert_true(fabs(facts.mass / (RHO * B * H * L) - 1.0) < 1e-5);
        assert_true(has_frequency(&facts, bend * B));
        assert_true(has_frequency(&facts, bend * H));
        assert_true(facts.rigid < 1e-9);
        release(&b);
    }
}

static void test_solid_beam_bends_and_is_stressed_like_a_beam(void **state)
{
    (void)state;
    double inertia = H * B * B * B / 12.0;
    for (int f = 0; f < N_FILE; f++) {
        beam b;
        make_beam(files[f], true, &b);
        const bi_modes *modes = bi_flex_modes(b.flex);
        int tip = b.tip.node;
        double y = 0.0;
        double eta[64] = { 0.0 };
        assert_true(modes->n_mode <= 64);
        for (int m = 0; m < modes->n_mode; m++) {
            double shape = modes->shape[m * modes->n_node + tip].y;
            eta[m] = TIP_LOAD * shape / modes->stiffness[m];
            y += shape * eta[m];
        }
        // bending and shear, 5/6 of the section
        double expected =
            TIP_LOAD * L * L * L / (3.0 * E * inertia) + TIP_LOAD * L / (5.0 / 6.0 * E / 2.6 * B * H);
        // the clamp hinders the contraction of the section, which beam theory lets go: stiffer by the width over the length
        assert_true(y / expected < 1.0 && y / expected > 0.98);
        // stress on the faces y = 0 and y = B, a quarter of the length away from both ends, averaged at the nodes
        double worst = 0.0;
        int count = 0;
        for (int i = 0; i < b.file.mesh.n_node; i++) {
            bi_vec3 at = b.node[i].at;
            bool is_face = at.y < 1e-9 || at.y > B - 1e-9;
            double rows[6 * 64];
            if (!is_face || at.x < 0.25 || at.x > 0.75 || !bi_flex_nodal_rows(b.flex, i, rows)) {
                continue;
            }
            double stress = 0.0;
            for (int m = 0; m < modes->n_mode; m++) {
                stress += rows[m] * eta[m];
            }
            double theory = -TIP_LOAD * (L - at.x) * (at.y - 0.5 * B) / inertia;
            worst = fmax(worst, fabs(stress - theory) / (TIP_LOAD * L * 0.5 * B / inertia));
            count++;
        }
        print_message("%s stress %g\n", files[f], worst);
        assert_true(count > 10);
        assert_true(worst < 0.01);
        release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solid_beam_has_the_frequencies_of_a_cantilever),
        cmocka_unit_test(test_solid_beam_bends_and_is_stressed_like_a_beam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
