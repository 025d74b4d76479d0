// SPDX-License-Identifier: MIT
// Room for queries of shapes in tests.
#pragma once
#include "base/spare.h"

static inline spare *test_room(void)
{
    static _Alignas(SPARE_LINE) char memory[1 << 18];
    static spare room;
    room = (spare){ memory, 0, sizeof memory };
    return &room;
}
