// SPDX-License-Identifier: MIT
// Linearise: two rods hang; their frequencies against those of the linearised equations by hand. Then the same state set by a
// program, with its mass matrix.
#include <biela/biela.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const double g = 9.81;
    bi_model *m = bi_model_create("two rods that hang");
    bi_model_gravity(m, (bi_vec3){ g, 0, 0 }); // x points down
    bi_body_def def = {
        .name = "upper", .mass = 1, .com = { 0.5, 0, 0 }, .inertia = { 0, 1.0 / 12, 1.0 / 12 }
    };
    bi_body upper = bi_add_body(m, &def);
    def.name = "lower";
    def.pose.pos.x = 1;
    bi_body lower = bi_add_body(m, &def);
    bi_vec3 z = { 0, 0, 1 };
    bi_add_joint(m,
                 &(bi_joint_def){ .name = "A", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = upper, .axis = z });
    bi_add_joint(
        m, &(bi_joint_def){
               .name = "B", .kind = BI_REVOLUTE, .a = upper, .b = lower, .at = { 1, 0, 0 }, .axis = z });
    bi_system *system = bi_compile(m, &(bi_options){ .coordinates = BI_JOINT }, NULL);
    bi_sim *sim = bi_sim_create(system);
    bi_sim_start(sim, NULL);

    bi_linear lin = { 0 };
    bi_status status = bi_linearize(sim, &lin, NULL);
    double slow = INFINITY;
    for (int k = 0; k < lin.n_value && status == BI_OK; k++) {
        printf("%9.5f %+9.5f i 1/s\n", lin.re[k], lin.im[k]);
        slow = lin.im[k] > 0.0 ? fmin(slow, lin.im[k]) : slow;
    }
    // w^2 = g (3 - 6 / sqrt(7)), the slower one of two rods of 1 m
    double by_hand = sqrt(g * (3.0 - 6.0 / sqrt(7.0)));
    printf("slower one %.9f, by hand %.9f\n", slow, by_hand);
    bi_linear_clear(&lin);

    const double q[2] = { 0.1, 0.5 };
    double M[4] = { 0 };
    bi_sim_set_state(sim, q, NULL, NULL);
    bi_sim_mass_matrix(sim, M);
    printf("M12 %.9f, by hand %.9f\n", M[1], 1.0 / 3 + 0.5 * cos(q[1]));
    bool is_right = fabs(slow - by_hand) < 1e-6 && fabs(M[1] - 1.0 / 3 - 0.5 * cos(q[1])) < 1e-12;
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
    return status == BI_OK && is_right ? 0 : 1;
}
