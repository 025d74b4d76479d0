// SPDX-License-Identifier: MIT
// Two ways for one thread to hand things to one other without a lock: a queue of fixed size, and a mailbox that holds
// the newest only. Neither side ever waits.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    char *item;                      // (capacity * size), owned by who cut the memory
    size_t size;                     // of one
    size_t capacity;                 // a power of two
    _Alignas(64) atomic_size_t head; // next to be taken, written by the taker
    _Alignas(64) atomic_size_t tail; // next to be put, written by the giver
} ring;

static inline bool ring_put(ring *r, const void *item)
{
    size_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    if (tail - atomic_load_explicit(&r->head, memory_order_acquire) == r->capacity) {
        return false;
    }
    memcpy(r->item + (tail & (r->capacity - 1)) * r->size, item, r->size);
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    return true;
}

static inline bool ring_take(ring *r, void *item)
{
    size_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    if (head == atomic_load_explicit(&r->tail, memory_order_acquire)) {
        return false;
    }
    memcpy(item, r->item + (head & (r->capacity - 1)) * r->size, r->size);
    atomic_store_explicit(&r->head, head + 1, memory_order_release);
    return true;
}

// Three slots: the giver's, the taker's, and one between them that is swapped.
enum { MAILBOX_NEW = 4 };
typedef struct {
    atomic_int middle; // slot, plus MAILBOX_NEW when the taker has not seen it
    int back, front;   // of the giver, of the taker
} mailbox;

static inline void mailbox_start(mailbox *m)
{
    atomic_init(&m->middle, 1);
    m->back = 0;
    m->front = 2;
}

// What was written to slot `back` is handed over; `back` is then another slot.
static inline void mailbox_give(mailbox *m)
{
    m->back = atomic_exchange_explicit(&m->middle, m->back | MAILBOX_NEW, memory_order_acq_rel) & 3;
}

// True: `front` is a newer slot now.
static inline bool mailbox_look(mailbox *m)
{
    if (!(atomic_load_explicit(&m->middle, memory_order_relaxed) & MAILBOX_NEW)) {
        return false;
    }
    m->front = atomic_exchange_explicit(&m->middle, m->front, memory_order_acq_rel) & 3;
    return true;
}
