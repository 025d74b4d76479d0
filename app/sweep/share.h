// SPDX-License-Identifier: MIT
/* share.h - the same work for many things, by threads of this process. */
#pragma once

/* Thing k, by thread `worker`, from 0. */
typedef void share_work(void *of, int k, int worker);
/* All of them, done when it returns; nothing depends on who does which. */
void share(int count, int workers, share_work *work, void *of);
/* How many threads: as many as are asked for, 0: one per core, at most 64. */
int share_workers(int asked);
