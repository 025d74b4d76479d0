// SPDX-License-Identifier: MIT
// Models for programs in JavaScript: read from the virtual folder, with every mistake as data.
#include "cli/words.h"
#include "page/api.h"
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

api_pairs api_pairs_of(const char *lines)
{
    size_t length = strlen(lines);
    api_pairs pairs = { .text = words_copy(lines, length) };
    pairs.name = words_alloc((length + 1) * sizeof *pairs.name);
    pairs.value = words_alloc((length + 1) * sizeof *pairs.value);
    for (char *line = strtok(pairs.text, "\n"); line; line = strtok(NULL, "\n")) {
        char *equal = strchr(line, '=');
        if (equal) {
            *equal = '\0';
            pairs.name[pairs.count] = line;
            pairs.value[pairs.count++] = equal + 1;
        }
    }
    return pairs;
}

void api_pairs_clear(api_pairs *pairs)
{
    free(pairs->text);
    free(pairs->name);
    free(pairs->value);
    *pairs = (api_pairs){ 0 };
}

EMSCRIPTEN_KEEPALIVE api_model *api_model_read(const char *model, const char *run, const char *settings)
{
    api_model *m = words_alloc(sizeof *m);
    api_pairs pairs = api_pairs_of(settings);
    bi_setting *setting = words_alloc((size_t)(pairs.count + 1) * sizeof *setting);
    for (int k = 0; k < pairs.count; k++) {
        setting[k] = (bi_setting){ pairs.name[k], pairs.value[k] };
    }
    session_request request = {
        .model = model, .run_name = run[0] ? run : NULL, .setting = setting, .n_setting = pairs.count
    };
    session_read(&m->read, &request);
    free(setting);
    api_pairs_clear(&pairs);
    return m;
}

EMSCRIPTEN_KEEPALIVE void api_model_free(api_model *m)
{
    session_close(&m->read);
    free(m);
}

EMSCRIPTEN_KEEPALIVE const bi_report *api_model_report(const api_model *m) { return &m->read.report; }

EMSCRIPTEN_KEEPALIVE const char *api_model_name(const api_model *m)
{
    return m->read.model ? bi_model_name(m->read.model) : "";
}

EMSCRIPTEN_KEEPALIVE const char *api_model_path(const api_model *m)
{
    return m->read.path ? m->read.path : "";
}

// What the file says about its run: 0 time, 1 step, 2 gap of rows, all in s.
EMSCRIPTEN_KEEPALIVE double api_model_run(const api_model *m, int which)
{
    const bi_run *run = &m->read.run;
    return which == 0 ? run->time : which == 1 ? run->dt : run->every;
}

// ---- parameters ------------------------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE int api_parameter_count(const api_model *m)
{
    return m->read.model ? bi_model_parameter_count(m->read.model) : 0;
}

EMSCRIPTEN_KEEPALIVE const char *api_parameter_name(const api_model *m, int k)
{
    const char *name = "", *unit;
    double value;
    bi_model_parameter_at(m->read.model, k, &name, &value, &unit);
    return name;
}

EMSCRIPTEN_KEEPALIVE const char *api_parameter_unit(const api_model *m, int k)
{
    const char *name, *unit = NULL;
    double value;
    bi_model_parameter_at(m->read.model, k, &name, &value, &unit);
    return unit ? unit : "";
}

// In the parameter's own unit, as `set` takes it.
EMSCRIPTEN_KEEPALIVE double api_parameter_value(const api_model *m, int k)
{
    const char *name, *unit = NULL;
    double value = 0.0;
    bi_model_parameter_at(m->read.model, k, &name, &value, &unit);
    return unit ? value / unit_factor(m->read.model, unit) : value;
}

// ---- what was said ---------------------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE int api_issue_count(const bi_report *report) { return report->count; }

// 0 severity (0 error, 1 warning, 2 note), 1 line, 2 column, 3 code
EMSCRIPTEN_KEEPALIVE int api_issue_number(const bi_report *report, int k, int which)
{
    const bi_issue *issue = &report->issue[k];
    const int number[] = { (int)issue->severity, issue->place.line, issue->place.column, (int)issue->code };
    return number[which];
}

// 0 file, 1 where in the model, 2 what is wrong and what to do
EMSCRIPTEN_KEEPALIVE const char *api_issue_text(const bi_report *report, int k, int which)
{
    const bi_issue *issue = &report->issue[k];
    const char *text = which == 0 ? issue->place.file : which == 1 ? issue->where : issue->what;
    return text ? text : "";
}

EMSCRIPTEN_KEEPALIVE const char *api_version(void) { return bi_version(); }
EMSCRIPTEN_KEEPALIVE const char *api_status_text(int status) { return bi_status_text((bi_status)status); }
