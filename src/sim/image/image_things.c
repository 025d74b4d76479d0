// SPDX-License-Identifier: MIT
// What compiled data may point to outside of itself: tables of kinds and functions, listed by number; and texts of the
// program, which are copied.
#include "base/hash.h"
#include "sim/image/image.h"
#if defined(__ELF__) && !defined(BI_RUNS_ONLY)
#include <link.h>
#endif
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

#if defined(__ELF__) && !defined(BI_RUNS_ONLY)
static int add_segments(struct dl_phdr_info *module, size_t size, void *to)
{
    image_program *program = to;
    (void)size;
    for (int k = 0; k < module->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[k];
        if (part->p_type != PT_LOAD || program->is_full) {
            continue;
        }
        if (program->count == IMAGE_SEGMENTS) {
            program->is_full = true;
            continue;
        }
        uintptr_t from = (uintptr_t)module->dlpi_addr + (uintptr_t)part->p_vaddr;
        program->segment[program->count++] =
            (image_segment){ from, from + (uintptr_t)part->p_memsz,
                             (part->p_flags & (PF_R | PF_W | PF_X)) == PF_R };
    }
    return 0;
}

void image_program_find(image_program *out)
{
    *out = (image_program){ .count = 0 };
    dl_iterate_phdr(add_segments, out);
}
#else
void image_program_find(image_program *out) { *out = (image_program){ .is_full = true }; }
#endif

static const image_segment *segment_of(const image_program *program, const void *at)
{
    for (int k = 0; k < program->count; k++) {
        const image_segment *s = &program->segment[k];
        if ((uintptr_t)at >= s->from && (uintptr_t)at < s->to) {
            return s;
        }
    }
    return NULL;
}

bool image_is_program(const image_program *program, const void *at)
{
    return segment_of(program, at) != NULL;
}

bool image_is_text(const image_program *program, const void *at)
{
    const image_segment *s = segment_of(program, at);
    if (!s || !s->is_constant) {
        return false;
    }
    const char *p = at, *last = p + (s->to - (uintptr_t)at);
    while (p < last && (unsigned char)*p >= ' ') {
        p++;
    }
    return p < last && *p == '\0';
}
