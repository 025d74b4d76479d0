// SPDX-License-Identifier: MIT
/* peer.h - what another program must be able to do to take part in the contact bench: make a scene, step it, tell where
 * the boxes are. peer_main.c measures; each peer is one file with these functions. */
#pragma once
#include "measure/contact_boxes.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum { PEER_AWAKE, PEER_MAY_SLEEP } peer_sleep;

typedef struct {
    bi_pose pose;
    bi_twist twist;
} peer_box;

typedef struct peer peer;
const char *peer_name(void);
/* n boxes as they start; dt in s. */
peer *peer_create(const boxes_rule *, const box_start *, int n, double dt, peer_sleep);
void peer_step(peer *);
peer_box peer_read(const peer *, int k);
void peer_destroy(peer *);

#ifdef __cplusplus
}
#endif
