// SPDX-License-Identifier: MIT
// Prints what ASAM's OpenCRG library makes of files: places around the road, their station, distance and height. Not a part
// of the build; README.md says how its table was made.
#include "crgBaseLib.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Places of the same kind on every machine.
static double chance(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 8 & 0xffffu) / 65535.0;
}

int main(int argc, char **argv)
{
    crgMsgSetLevel(dCrgMsgLevelFatal);
    printf("file,x,y,u,v,z\n");
    for (int f = 1; f < argc; f++) {
        const char *slash = strrchr(argv[f], '/'), *name = slash ? slash + 1 : argv[f];
        int id = crgLoaderReadFile(argv[f]);
        if (id <= 0) {
            return 1;
        }
        crgDataSetModifiersApply(id);
        double u[2], v[2];
        crgDataSetGetURange(id, &u[0], &u[1]);
        crgDataSetGetVRange(id, &v[0], &v[1]);
        unsigned state = 5;
        for (int k = 0; k < 150; k++) {
            double x, y, z, at_u, at_v;
            double ask_u = u[0] + (u[1] - u[0]) * (1.3 * chance(&state) - 0.15),
                   ask_v = v[0] + (v[1] - v[0]) * (1.4 * chance(&state) - 0.2);
            // a new place knows nothing of the last one
            int place = crgContactPointCreate(id);
            crgEvaluv2xy(place, ask_u, ask_v, &x, &y);
            crgEvalxy2uv(place, x, y, &at_u, &at_v);
            int is_there = crgEvalxy2z(place, x, y, &z);
            printf("%s,%.17g,%.17g,%.17g,%.17g,%.17g\n", name, x, y, at_u, at_v, is_there ? z : NAN);
            crgContactPointDelete(place);
        }
    }
    return 0;
}
