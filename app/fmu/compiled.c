// SPDX-License-Identifier: MIT
// The model of an instance as it was compiled when the FMU was written: one block of bytes in the resources. Nothing of it
// can be set any more, and no reader of files is needed.
#include "fmu/source.h"
#include <biela/image.h>
#include <stdio.h>
#include <stdlib.h>

static void *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *bytes = length > 0 ? malloc((size_t)length) : NULL;
    if (bytes) {
        rewind(file);
        *size = fread(bytes, 1, (size_t)length, file);
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

bool source_open(instance *it)
{
    char path[4096];
    size_t size = 0;
    bi_report report = { 0 };
    instance_drop_model(it);
    if (!it->is_image) {
        instance_say(it, FMI_ERROR,
                     "this library runs compiled models only, and resources/fmu.txt names none");
        return false;
    }
    if (it->has_start_time && it->start_time != it->first_time) {
        instance_say(it, FMI_ERROR,
                     "the compiled model begins at t = %.17g s, not at %.17g s; export it with --start_time",
                     it->first_time, it->start_time);
        return false;
    }
    snprintf(path, sizeof path, "%s%s", it->folder, it->model_path);
    void *bytes = read_whole(path, &size);
    if (bytes) {
        it->system = bi_image_load(bytes, size, &report);
    } else {
        instance_say(it, FMI_ERROR, "%s cannot be read", path);
    }
    free(bytes);
    it->model = bi_system_model(it->system);
    it->sim = it->system ? bi_sim_create(it->system) : NULL;
    it->start_time = it->first_time;
    it->is_stale = false;
    instance_say_report(it, &report);
    bi_report_clear(&report);
    return it->sim && instance_is_as_described(it);
}
