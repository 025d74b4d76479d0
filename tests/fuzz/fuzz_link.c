// SPDX-License-Identifier: MIT
// libFuzzer: whatever a link to a drive holds, reading it ends, its changes are in order and of inputs that it has.
#include <biela/record.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // the sum at the end is made right first, as one who means harm would
    uint8_t *bytes = malloc(size + 7);
    char *link = malloc(2 * size + 40);
    uint64_t h = 0xcbf29ce484222325u;
    memcpy(bytes, data, size);
    for (size_t k = 0; k < size; k++) {
        h = (h ^ data[k]) * 0x100000001b3u;
    }
    for (int k = 0; k < 4; k++) {
        bytes[size + (size_t)k] = (uint8_t)(h >> (8 * k));
    }
    memset(bytes + size + 4, 0, 3);
    size_t n = 0, all = size + 4;
    memcpy(link, "drive=", 6);
    for (n = 6; n - 6 < (8 * all + 5) / 6; n++) {
        size_t bit = 6 * (n - 6), byte = bit / 8;
        uint32_t two = (uint32_t)bytes[byte] << 8 | bytes[byte + 1];
        link[n] = letters[two >> (10 - bit % 8) & 63];
    }
    bi_report report = { 0 };
    bi_recording rec;
    if (bi_recording_parse(link, n, "fuzz", &rec, &report)) {
        bi_track track;
        if (bi_recording_track(&rec, -1, &track)) {
            for (int64_t k = 0; k < track.n_change; k++) {
                if (track.change[k].input >= rec.n_input ||
                    (k > 0 && track.change[k].step < track.change[k - 1].step)) {
                    abort();
                }
            }
            bi_track_clear(&track);
        }
        free(bi_recording_link(&rec, -1));
        bi_recording_clear(&rec);
    }
    bi_report_clear(&report);
    free(link);
    free(bytes);
    return 0;
}
