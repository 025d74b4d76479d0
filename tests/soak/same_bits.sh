#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The engine compiled with -O0 and with -O2 gives the same bits: one small program, built twice, prints its hashes.
. tests/cli/support.bash

cat >"$dir/main.c" <<'END'
// Windows of rods under gravity, stepped over their singular position; then a driven arm with a spring and a motor.
#include <biela/biela.h>
#include <stdio.h>

static bi_model *windows(int count)
{
    bi_model *m = bi_model_create("windows");
    bi_model_gravity(m, (bi_vec3){ 0, -9.81, 0 });
    bi_body last = BI_GROUND;
    for (int k = 0; k <= count; k++) {
        char name[3][32];
        snprintf(name[0], sizeof name[0], "crank%d", k);
        snprintf(name[1], sizeof name[1], "coupler%d", k);
        snprintf(name[2], sizeof name[2], "end%d", k);
        bi_body_def def = { .name = name[0], .mass = 1, .com = { 0, 0.5, 0 }, .inertia = { 1.0 / 12, 0, 1.0 / 12 },
                            .pose = { { k, 0, 0 }, { 1, 0, 0, 0 } }, .twist = { { 0, 0, 0 }, { 0, 0, -1 } } };
        bi_body crank = bi_add_body(m, &def);
        bi_add_joint(m, &(bi_joint_def){ .name = name[0], .kind = BI_REVOLUTE, .a = BI_GROUND, .b = crank, .at = { k, 0, 0 } });
        if (k > 0) {
            def = (bi_body_def){ .name = name[1], .mass = 1, .com = { 0.5, 0, 0 }, .inertia = { 0, 1.0 / 12, 1.0 / 12 },
                                 .pose = { { k - 1, 1, 0 }, { 1, 0, 0, 0 } }, .twist = { { 1, 0, 0 }, { 0, 0, 0 } } };
            bi_body coupler = bi_add_body(m, &def);
            bi_add_joint(m, &(bi_joint_def){ .name = name[1], .kind = BI_REVOLUTE, .a = last, .b = coupler, .at = { k - 1, 1, 0 } });
            bi_add_joint(m, &(bi_joint_def){ .name = name[2], .kind = BI_REVOLUTE, .a = coupler, .b = crank, .at = { k, 1, 0 } });
        }
        last = crank;
    }
    return m;
}

static bi_model *arm(void)
{
    bi_model *m = bi_model_create("arm");
    bi_body_def def = { .name = "upper", .mass = 2, .com = { 0.5, 0, 0.1 }, .inertia = { 0.1, 0.2, 0.2, 0.01 } };
    bi_body upper = bi_add_body(m, &def);
    def.name = "lower";
    def.pose.pos.x = 1;
    bi_body lower = bi_add_body(m, &def);
    bi_joint hinge = bi_add_joint(m, &(bi_joint_def){ .name = "hinge", .kind = BI_REVOLUTE, .a = BI_GROUND, .b = upper,
                                                      .axis = { 0.2, 1, 0.3 } });
    bi_add_joint(m, &(bi_joint_def){ .name = "ball", .kind = BI_SPHERICAL, .a = upper, .b = lower, .at = { 1, 0, 0 } });
    bi_add_torque(m, &(bi_torque_def){ "drive", hinge, bi_expression(m, "sin(3*t) - 0.2*hinge.rate + exp(-t)", NULL) });
    bi_add_dc_motor(m, &(bi_dc_motor_def){ "motor", hinge, bi_expression(m, "atan2(t, 2)^1.5", NULL), 1, 0.01, 0.1 });
    bi_add_spring(m, &(bi_spring_def){ .name = "spring", .a = { BI_GROUND, { 0, 1, 1 } }, .b = { lower, { 1, 0, 0 } }, .stiffness = 30, .damping = 1, .rest = 0.5 });
    return m;
}

static int run(bi_model *m, bi_scheme scheme, double dt, int steps)
{
    bi_system *system = bi_compile(m, &(bi_options){ .scheme = scheme, .dt = dt }, NULL);
    bi_sim *sim = system ? bi_sim_create(system) : NULL;
    bi_status status = sim ? bi_sim_start(sim, NULL) : BI_BAD_MODEL;
    for (int k = 0; k < steps && status == BI_OK; k++) {
        status = bi_sim_step(sim);
    }
    if (status == BI_OK) {
        printf("%s %d %016llx\n", bi_model_name(m), (int)scheme, (unsigned long long)bi_sim_hash(sim));
    }
    bi_sim_destroy(sim);
    bi_system_destroy(system);
    bi_model_destroy(m);
    return status != BI_OK;
}

int main(void)
{
    return run(windows(10), BI_ALI3P, 1e-3, 2000) + run(windows(10), BI_INDEX1_RK4, 2e-3, 500) +
           run(arm(), BI_ALI3P, 1e-3, 1000) + run(arm(), BI_INDEX1_RK4, 1e-3, 500);
}
END

# build LEVEL: the engine as it is always built, but for the level, and the program
build() {
    cmake -S . -B "$dir/$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$1" -DBIELA_TESTS=OFF \
        -DBIELA_MPI=OFF -DBIELA_HDF5=OFF -DBIELA_SDL=OFF &&
        cmake --build "$dir/$1" --target biela --parallel 2 &&
        "${CC:-cc}" -std=c17 "$1" -ffp-contract=off -Iinclude "$dir/main.c" -o "$dir/$1/hashes" $(engine "$dir/$1")
}

must "builds with -O0" build -O0
must "builds with -O2" build -O2
must "runs with -O0" sh -c "'$dir/-O0/hashes' >'$dir/slow'"
must "runs with -O2" sh -c "'$dir/-O2/hashes' >'$dir/fast'"
must "four hashes" test "$(wc -l <"$dir/fast")" -eq 4
must "the same bits with -O0 and -O2" diff "$dir/slow" "$dir/fast"
cat "$dir/fast"
finish
