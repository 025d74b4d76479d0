// SPDX-License-Identifier: MIT
// Contact queries: what touches, where, how hard; the way between two shapes; what a ray meets. A ball falls onto a floor.
#include <biela/biela.h>
#include <biela/look.h>
#include <biela/loop.h>
#include <math.h>
#include <stdio.h>

typedef struct {
    int touches;
    double hardest; // N
} seen;

static void watch(void *data, double t, const bi_touch *touch, bi_vec3 force)
{
    seen *s = data;
    (void)t;
    (void)touch;
    s->touches++;
    s->hardest = fmax(s->hardest, force.z);
}

int main(void)
{
    bi_model *m = bi_model_create("a ball falls");
    bi_model_gravity(m, (bi_vec3){ 0, 0, -9.81 });
    bi_body ball = bi_add_body(m, &(bi_body_def){ .name = "ball",
                                                  .mass = 1,
                                                  .inertia = { 0.004, 0.004, 0.004 },
                                                  .pose = { .pos = { 0, 0, 0.5 } } });
    bi_shape floor =
        bi_add_shape(m, &(bi_shape_def){ .name = "floor", .type = BI_SHAPE_PLANE, .body = BI_GROUND });
    bi_shape skin = bi_add_shape(
        m, &(bi_shape_def){ .name = "skin", .type = BI_SHAPE_SPHERE, .body = ball, .radius = 0.1 });
    bi_element contact = bi_add_contact(m, &(bi_contact_def){ .name = "bounce",
                                                              .a = { 1, &skin },
                                                              .b = { 1, &floor },
                                                              .stiffness = bi_expression(m, "1e5", NULL),
                                                              .damping = bi_expression(m, "300", NULL) });
    seen all = { 0 };
    bi_contact_observe(m, contact, watch, &all);
    bi_system *system = bi_compile(m, &(bi_options){ .dt = 5e-4 }, NULL);
    bi_sim *sim = bi_sim_create(system);
    bi_status status = bi_sim_start(sim, NULL);

    bi_shape_gap gap = { 0 };
    bi_ray_hit hit = { 0 };
    bi_sim_distance(sim, skin, floor, &gap);
    bi_sim_ray(sim, (bi_vec3){ 0, 0, 2 }, (bi_vec3){ 0, 0, -1 }, 10, &hit);
    printf("gap %.3f m, a ray from 2 m meets the ball after %.3f m\n", gap.distance, hit.distance);
    bool is_right = fabs(gap.distance - 0.4) < 1e-12 && fabs(hit.distance - 1.4) < 1e-12;

    if (status == BI_OK) {
        status = bi_sim_steps(sim, 8000); // 4 s: it lies
    }
    bi_sim_distance(sim, skin, floor, &gap);
    printf("told of %d touches, hardest %.0f N; it lies %.2e m deep, m g / k is %.2e\n", all.touches,
           all.hardest, -gap.distance, 9.81 / 1e5);
    is_right = is_right && all.touches > 100 && fabs(-gap.distance - 9.81e-5) < 1e-6;
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
    return status == BI_OK && is_right ? 0 : 1;
}
