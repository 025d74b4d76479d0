// SPDX-License-Identifier: MIT
// Files that are only seen: .obj with its .mtl and pictures, .gltf, .glb.
#pragma once
#include <biela/io.h>

// Where a file of looks is named, and who wants to know of the files that it names itself; found: NULL: nobody.
typedef struct {
    bi_place place;
    const char *where;
    void (*found)(void *data, const char *path);
    void *data;
} look_use;

// Whether whoever draws can use the file and all that it names. What is missing, broken or not drawn is told with file
// and line. False: errors were told.
bool look_file_check(const char *path, const look_use *use, bi_report *report);
// The first line of an .obj file that uses a material; 0: none, or not an .obj.
int look_file_material(const char *path);
