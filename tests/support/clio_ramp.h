// SPDX-License-Identifier: MIT
// The start of the steering ramp of the Clio, as the independent reference has it (a4_init_65).
#ifndef BIELA_TESTS_SUPPORT_CLIO_RAMP_H
#define BIELA_TESTS_SUPPORT_CLIO_RAMP_H

#include "support/run_model.h"

static const bi_setting clio_ramp[] = { { "automatic", "0" },
                                        { "pedal", "0.30629979951162484" },
                                        { "steer_rate", "0.1" },
                                        { "v0", "18.055477" },
                                        { "pitch0", "-0.00141514946" },
                                        { "height0", "0.6798883491378326" },
                                        { "front0", "-0.00159162936" },
                                        { "rear0", "0.0015914079" },
                                        { "spin_f", "68.80584122018966" },
                                        { "spin_r", "68.734665691893" },
                                        { "engine0", "324.575" } };
enum { N_CLIO_RAMP = sizeof clio_ramp / sizeof *clio_ramp };

#endif
