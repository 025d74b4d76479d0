// SPDX-License-Identifier: MIT
/* location.h - the place of the resources, which FMI 2.0 tells as a URI. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* The path of "file:///a%20b" or "file:/a". False: it is no such URI, or too long. */
bool location_of_uri(const char *uri, char *path, size_t size);
