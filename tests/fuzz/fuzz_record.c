// SPDX-License-Identifier: MIT
// libFuzzer: whatever a recording holds, reading it ends, and its tracks are in order.
#include <biela/record.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The checksums would stop every random piece: they are made right first, as one who means harm would.
static void mend(char *bytes, size_t size)
{
    for (size_t at = 16; size >= 28 && at + 12 <= size;) {
        const unsigned char *b = (const unsigned char *)bytes + at + 4;
        size_t length = (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
        if (length > size - at - 12) {
            return;
        }
        uint64_t h = 0xcbf29ce484222325u;
        for (size_t k = 0; k < 8 + length; k++) {
            h = (h ^ (unsigned char)bytes[at + k]) * 0x100000001b3u;
        }
        uint32_t check = (uint32_t)(h ^ h >> 32);
        for (int k = 0; k < 4; k++) {
            bytes[at + 8 + length + (size_t)k] = (char)(check >> (8 * k));
        }
        at += 12 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 17);
    memcpy(bytes, "BIELA RECORD 1\n", 16);
    memcpy(bytes + 16, data, size);
    mend(bytes, size + 16);
    bi_report report = { 0 };
    bi_recording rec;
    if (bi_recording_parse(bytes, size + 16, "fuzz.biela", &rec, &report)) {
        int count = bi_recording_branches(&rec);
        for (int branch = count > 4 ? count - 4 : 0; branch < count; branch++) {
            bi_track track;
            if (bi_recording_track(&rec, branch, &track)) {
                for (int64_t k = 1; k < track.n_change; k++) {
                    if (track.change[k].step < track.change[k - 1].step) {
                        abort();
                    }
                }
                bi_track_clear(&track);
            }
        }
        bi_recording_clear(&rec);
    }
    bi_report_clear(&report);
    free(bytes);
    return 0;
}
