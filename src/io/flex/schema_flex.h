// SPDX-License-Identifier: MIT
// The part of the schema about flexible bodies.
#pragma once

// Definitions, with ' for quotes; ends with NULL.
extern const char *const schema_flex[];
