// SPDX-License-Identifier: MIT
// The one list of devices that step batches.
#include "batch/device.h"
#include <string.h>

// the last one is for tests
static const batch_device *const devices[] = { &batch_threads, &batch_lanes, &batch_gpu, &batch_mirror };
enum { N_DEVICE = sizeof devices / sizeof *devices };

const batch_device *batch_device_at(int k) { return k >= 0 && k < N_DEVICE ? devices[k] : NULL; }

const batch_device *batch_device_find(const char *name)
{
    for (int k = 0; k < N_DEVICE; k++) {
        if (strcmp(devices[k]->name, name) == 0) {
            return devices[k];
        }
    }
    return NULL;
}

const char *bi_batch_device_name(int k)
{
    const batch_device *device = batch_device_at(k);
    return device ? device->name : NULL;
}

bool bi_batch_device_takes_images(const char *name)
{
    const batch_device *device = name ? batch_device_find(name) : NULL;
    return device && device->takes_images;
}
