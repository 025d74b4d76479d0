// SPDX-License-Identifier: MIT
// The notation of types (keys.h) as JSON Schema.
#pragma once
#include "io/keys/json_out.h"
#include "io/keys/keys.h"

// The members of a schema for values of this type, into the object that is open.
void schema_write_type(json_out *j, const char *type);
// "key": {type, "description"} for one key.
void schema_write_key(json_out *j, const key_def *key);
