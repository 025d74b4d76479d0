// SPDX-License-Identifier: MIT
// How much memory this process may still take: what the machine has, or a limit that somebody set.
#pragma once

double room_left(void); // bytes; infinite: not known
