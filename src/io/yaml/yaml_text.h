// SPDX-License-Identifier: MIT
#pragma once
#include <biela/biela.h>

// Whether libfyaml can be given the text: UTF-8, and not thousands of open brackets. False: the report says why.
bool yaml_text_is_sane(const char *text, size_t length, const char *path, bi_report *report);
