// SPDX-License-Identifier: MIT
// A flexible bar from a mesh: reduce it, hang it on a pivot, let it swing, read the stress in its middle.
#include <biela/flex.h>
#include <stdio.h>

enum { N = 20 };

int main(void)
{
    bi_fe_node node[N + 1] = { 0 };
    bi_fe_element element[N] = { 0 };
    bi_section section = bi_section_rectangle(0.01, 0.02); // sides along y and z, m
    bi_material aluminium = { .name = "aluminium", .young = 70e9, .poisson = 0.33, .density = 2700.0 };
    for (int i = 0; i <= N; i++) {
        node[i].at.x = 1.0 * i / N;
    }
    for (int k = 0; k < N; k++) {
        element[k] = (bi_fe_element){ .kind = BI_FE_BEAM, .node = { k, k + 1 } };
    }
    const int32_t root = 0;
    const bi_flex_boundary tip = { .node = N, .is_point = true };
    bi_report report = { 0 };
    bi_flex *flex = bi_flex_build(
        &(bi_flex_def){ .name = "bar",
                        .mesh = { N + 1, N, 1, 1, node, element, &section, &aluminium, .is_plane = true },
                        .n_frame = 1,
                        .frame = &root,
                        .n_boundary = 1,
                        .boundary = &tip,
                        .n_normal = 2,
                        .damping = 0.01 },
        NULL, NULL, &report);
    if (!flex) {
        fprintf(stderr, "%s\n", report.issue[0].what);
        return 1;
    }
    printf("mass %.3f kg, first mode with both ends held %.2f Hz\n", bi_flex_facts_of(flex).mass,
           bi_flex_facts_of(flex).normal_hz[0]);

    // the model keeps the mesh and destroys it
    bi_model *model = bi_model_create("swing");
    bi_model_gravity(model, (bi_vec3){ 0.0, -9.81, 0.0 });
    bi_body bar = bi_add_body(model, &(bi_body_def){ .name = "bar", .flex = bi_flex_modes(flex) });
    bi_body_keep(model, bar, flex);
    bi_add_joint(model, &(bi_joint_def){ .name = "pivot", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = bar });
    char why[200];
    bi_recovery *top = bi_flex_recover(flex,
                                       &(bi_flex_probe){ .quantity = BI_PROBE_NORMAL,
                                                         .element = N / 2 - 1,
                                                         .next = N / 2,
                                                         .site = { .x = 1.0 },
                                                         .fibre = BI_FIBRE_TOP },
                                       why, sizeof why);
    bi_add_output(model,
                  &(bi_output_def){ .name = "sigma", .kind = BI_OUT_RECOVERY, .body = bar, .recovery = top });
    bi_recovery_destroy(top);

    bi_system *system = bi_compile(model, &(bi_options){ .dt = 1e-3 }, &report);
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    bi_status status = sim ? bi_sim_start(sim, &report) : BI_BAD_MODEL;
    bi_channel sigma = system ? bi_find_channel(system, "sigma") : (bi_channel){ 0 };
    double largest = 0.0;
    for (int k = 0; status == BI_OK && k < 1000; k++) {
        status = bi_sim_step(sim);
        double now = bi_sim_read(sim, sigma);
        largest = now * now > largest * largest ? now : largest;
    }
    printf("largest stress at the top of the middle in 1 s: %.3f MPa\n", 1e-6 * largest);
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(model);
    bi_report_clear(&report);
    return status != BI_OK;
}
