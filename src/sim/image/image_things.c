// SPDX-License-Identifier: MIT
// What compiled data may point to outside of itself: tables of kinds and functions, listed by number; and texts of the
// program, which are copied.
#include "base/hash.h"
#include "sim/image/image.h"
#include <stdlib.h>

// ---- things by number -----------------------------------------------------------------------------------------

// functions of the C library that options name
static image_thing library_thing(int k)
{
    void *(*take)(size_t) = malloc;
    void (*give)(void *) = free;
    const void *at[2] = { NULL };
    memcpy(&at[0], &take, sizeof take);
    memcpy(&at[1], &give, sizeof give);
    return k < 2 ? (image_thing){ at[k], 1 } : (image_thing){ NULL, 0 };
}

image_thing image_thing_at(int k)
{
    image_thing thing = { NULL, 0 };
    if (k < 2) {
        return library_thing(k);
    }
    return dynamics_thing(k - 2, &thing.at, &thing.size) ? thing : (image_thing){ NULL, SIZE_MAX };
}

int image_thing_count(void)
{
    int n = 0;
    while (image_thing_at(n).size != SIZE_MAX) {
        n++;
    }
    return n;
}

uint64_t image_layout(void)
{
    uint64_t h = hash_seed;
    const size_t sizes[] = { sizeof(bi_system),    sizeof(bi_model),  sizeof(model_shape),
                             sizeof(plan),         sizeof(structure), sizeof(model_element),
                             sizeof(marker),       sizeof(row_group), sizeof(bi_body_def),
                             sizeof(bi_joint_def), sizeof(geom_mesh) };
    h = hash_bytes(h, sizes, sizeof sizes);
    for (int k = 0; image_thing_at(k).size != SIZE_MAX; k++) {
        const size_t size = image_thing_at(k).at ? image_thing_at(k).size : 0;
        h = hash_bytes(h, &size, sizeof size);
    }
    // what laws keep of an item, and what users describe of it
    for (int k = 0; k < laws_kind_count(); k++) {
        h = hash_bytes(h, &laws_kind_at(k)->item, sizeof laws_kind_at(k)->item);
    }
    for (int k = 0; k < bi_kind_count(); k++) {
        const bi_kind *kind = bi_kind_at(k);
        h = hash_bytes(h, kind->type, strlen(kind->type));
        h = hash_bytes(h, &kind->size, sizeof kind->size);
    }
    return h;
}

// ---- what a word points to ------------------------------------------------------------------------------------

#ifdef __ELF__
// names that the linker gives: the beginning of the program, the end of its code, the beginning of what holds addresses or
// changes, the end of all
extern const char __executable_start[], etext[], __init_array_start[], end[];
#else
static const char __executable_start[1], etext[1], __init_array_start[1], end[1];
#endif

bool image_is_program(const void *at)
{
    const char *p = at;
    return p >= __executable_start && p < end;
}

bool image_is_text(const void *at)
{
    const char *p = at, *last = __init_array_start;
    if (p < etext || p >= last) {
        return false;
    }
    while (p < last && (unsigned char)*p >= ' ') {
        p++;
    }
    return p < last && *p == '\0';
}
