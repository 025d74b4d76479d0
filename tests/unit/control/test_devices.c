// SPDX-License-Identifier: MIT
// A joystick that exists only in SDL: plugged in, moved, pressed, pulled out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <biela/control.h>
#include <math.h>
#include <string.h>
#ifdef BI_HAS_SDL
#include <SDL2/SDL.h>

static const char text[] = "{\"name\": \"any\", \"axes\": [{\"input\": \"steer\", \"axis\": 0}], "
                           "\"buttons\": [{\"action\": \"play\", \"button\": 1}]}";

typedef struct {
    double steer;
    int plugged, unplugged, actions;
} heard;

static void on_input(void *data, const char *name, double value)
{
    assert_string_equal(name, "steer");
    ((heard *)data)->steer = value;
}

static void on_action(void *data, const char *name)
{
    assert_string_equal(name, "play");
    ((heard *)data)->actions++;
}

static void on_plugged(void *data, const char *device, const char *mapping)
{
    assert_non_null(device);
    assert_string_equal(mapping, "any");
    ((heard *)data)->plugged++;
}

static void on_unplugged(void *data, const char *device)
{
    assert_non_null(device);
    ((heard *)data)->unplugged++;
}

static void test_device_moves_an_input_and_leaves_it_at_rest_when_pulled_out(void **state)
{
    (void)state;
    bi_report report = { 0 };
    heard h = { 0 };
    bi_mapping *m = bi_mapping_parse(text, strlen(text), "any.json", &report);
    bi_device_events events = { &h, on_input, on_action, on_plugged, on_unplugged };
    bi_devices *d = bi_devices_open(&m, 1, &events, &report);
    assert_non_null(d);
    int others = h.plugged;
    int index = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, 2, 4, 0);
    assert_true(index >= 0);
    bi_devices_poll(d);
    assert_int_equal(h.plugged, others + 1);
    assert_int_equal(bi_devices_count(d), others + 1);
    SDL_Joystick *joystick = SDL_JoystickOpen(index);
    SDL_JoystickSetVirtualAxis(joystick, 0, 16384);
    SDL_JoystickSetVirtualButton(joystick, 1, 1);
    bi_devices_poll(d);
    bi_devices_poll(d);
    assert_true(fabs(h.steer - 16384.0 / 32767.0) < 1e-9);
    assert_int_equal(h.actions, 1);
    SDL_JoystickClose(joystick);
    assert_int_equal(SDL_JoystickDetachVirtual(index), 0);
    bi_devices_poll(d);
    assert_int_equal(h.unplugged, 1);
    assert_true(h.steer == 0.0);
    bi_devices_close(d);
    bi_mapping_close(m);
}

#else

static void test_device_moves_an_input_and_leaves_it_at_rest_when_pulled_out(void **state)
{
    (void)state;
    bi_report report = { 0 };
    assert_false(bi_devices_exist());
    assert_null(bi_devices_open(NULL, 0, &(bi_device_events){ 0 }, &report));
    assert_non_null(strstr(report.issue[0].what, "libsdl2-dev"));
    bi_report_clear(&report);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        test_device_moves_an_input_and_leaves_it_at_rest_when_pulled_out) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
