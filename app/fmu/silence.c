// SPDX-License-Identifier: MIT
// An FMU neither reads nor prints. The archive of the parser names the three streams in a way that shared objects cannot;
// the linker takes these instead (CMakeLists.txt), so that the FMU needs no parser from outside and stays silent.
#include <stdio.h>

FILE *fmu_no_input, *fmu_no_output;

__attribute__((constructor)) static void open_nothing(void)
{
    fmu_no_input = fopen("/dev/null", "r");
    fmu_no_output = fopen("/dev/null", "w");
}

__attribute__((destructor)) static void close_nothing(void)
{
    if (fmu_no_input) {
        fclose(fmu_no_input);
    }
    if (fmu_no_output) {
        fclose(fmu_no_output);
    }
}
