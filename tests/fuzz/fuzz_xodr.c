// SPDX-License-Identifier: MIT
// Any bytes as an OpenDRIVE file: mistakes are told, and what is a road can be asked anywhere.
#include <biela/io.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bi_report report = { 0 };
    bi_road *road = bi_road_read_text((const char *)data, size, "fuzz.xodr", NULL, true, &report);
    if (!road != (report.errors > 0)) {
        __builtin_trap(); // a road, or a mistake
    }
    double end[2];
    bi_road_ends(road, end);
    for (int k = 0; road && k <= 8; k++) {
        bi_road_point p;
        double u = end[0] + (end[1] - end[0]) * (0.2 * k - 0.3);
        bi_vec3 at = bi_road_place(road, u, 0.3 * k - 1.0);
        if (bi_road_at(road, at.x, at.y, &p) && isnan(p.u)) {
            __builtin_trap();
        }
    }
    bi_road_release(road);
    bi_report_clear(&report);
    return 0;
}
