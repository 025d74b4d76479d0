// SPDX-License-Identifier: MIT
// Devices of this machine through SDL2: what is plugged in, what it says, and what happens when it goes.
#include <biela/control.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BI_HAS_SDL
#include <SDL2/SDL.h>
#include <dlfcn.h>

enum { DEVICES = 8, AXES = 32, BUTTONS = 64, INPUTS = 32 };

// SDL is loaded when it is asked for: a command that needs no device does not pay for it.
#define SDL_LIST(X)                                                                                          \
    X(SetHint)                                                                                               \
    X(Init)                                                                                                  \
    X(GetError)                                                                                              \
    X(NumJoysticks)                                                                                          \
    X(JoystickGetDeviceInstanceID)                                                                           \
    X(JoystickOpen)                                                                                          \
    X(JoystickName)                                                                                          \
    X(JoystickClose)                                                                                         \
    X(QuitSubSystem)                                                                                         \
    X(JoystickNumAxes)                                                                                       \
    X(JoystickNumButtons)                                                                                    \
    X(JoystickGetAxis)                                                                                       \
    X(JoystickGetButton)                                                                                     \
    X(JoystickUpdate)                                                                                        \
    X(PollEvent)                                                                                             \
    X(JoystickGetAttached)                                                                                   \
    X(HapticOpenFromJoystick)                                                                                \
    X(HapticQuery)                                                                                           \
    X(HapticSetAutocenter)                                                                                   \
    X(HapticNewEffect)                                                                                       \
    X(HapticUpdateEffect)                                                                                    \
    X(HapticRunEffect)                                                                                       \
    X(HapticClose)
typedef struct {
    void *library;
#define SDL_MEMBER(name) __typeof__(SDL_##name) *name;
    SDL_LIST(SDL_MEMBER)
} sdl_table;

static bool sdl_load(sdl_table *sdl)
{
    sdl->library = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    bool is_good = sdl->library != NULL;
    // through memory: standard C does not turn a pointer to data into one to a function
#define SDL_FIND(name)                                                                                       \
    if (is_good) {                                                                                           \
        void *found = dlsym(sdl->library, "SDL_" #name);                                                     \
        is_good = found != NULL;                                                                             \
        memcpy(&sdl->name, &found, sizeof found);                                                            \
    }
    SDL_LIST(SDL_FIND)
    return is_good;
}

// A force on a wheel: one constant effect, whose level follows.
typedef struct {
    SDL_Haptic *motor; // NULL: the device has none
    SDL_HapticEffect effect;
    int number;
} feel;

typedef struct {
    feel feel;
    SDL_Joystick *joystick; // NULL: none
    SDL_JoystickID id;
    char name[96];
    const bi_mapping *mapping; // NULL: none fits
    double last[INPUTS];       // what was sent
    bool was_down[BUTTONS];
} device;

struct bi_devices {
    sdl_table sdl;
    bi_device_events events;
    bi_mapping *const *mapping;
    int n_mapping;
    bool has_forces; // SDL has haptics here
    device item[DEVICES];
};

bool bi_devices_exist(void) { return true; }

static const bi_mapping *best_mapping(const bi_devices *d, const char *name)
{
    const bi_mapping *best = NULL;
    int fit = -1;
    for (int k = 0; k < d->n_mapping; k++) {
        int own = bi_mapping_fit(d->mapping[k], name);
        if (own > fit) {
            fit = own;
            best = d->mapping[k];
        }
    }
    return best;
}

// ---- forces ------------------------------------------------------------------------------------------------------

static const int full_level = 32767, least_change = 64; // of the level: a wheel does not feel less

static void feel_close(const sdl_table *sdl, feel *f)
{
    if (f->motor) {
        sdl->HapticClose(f->motor); // and with it the effect
    }
    *f = (feel){ 0 };
}

// The page's sign: left is positive. SDL's direction is where the force comes from, and x is to the right.
static void feel_open(const sdl_table *sdl, SDL_Joystick *joystick, feel *f)
{
    *f = (feel){ .motor = sdl->HapticOpenFromJoystick(joystick) };
    if (!f->motor || !(sdl->HapticQuery(f->motor) & SDL_HAPTIC_CONSTANT)) {
        feel_close(sdl, f);
        return;
    }
    // a spring of the driver's would add to what the tyres say
    (void)sdl->HapticSetAutocenter(f->motor, 0);
    f->effect.constant.type = SDL_HAPTIC_CONSTANT;
    f->effect.constant.direction.type = SDL_HAPTIC_CARTESIAN;
    f->effect.constant.direction.dir[0] = 1;
    f->effect.constant.length = SDL_HAPTIC_INFINITY;
    f->number = sdl->HapticNewEffect(f->motor, &f->effect);
    if (f->number < 0 || sdl->HapticRunEffect(f->motor, f->number, 1) != 0) {
        feel_close(sdl, f);
    }
}

static bool moves(const device *v, const char *input)
{
    for (int k = 0; v->mapping && k < bi_mapping_input_count(v->mapping); k++) {
        if (strcmp(bi_mapping_input(v->mapping, k), input) == 0) {
            return true;
        }
    }
    return false;
}

int bi_devices_force(bi_devices *d, const char *input, double force)
{
    int felt = 0;
    double level = isfinite(force) ? full_level * fmax(-1.0, fmin(1.0, force)) : 0.0;
    for (int k = 0; d && input && k < DEVICES; k++) {
        device *v = &d->item[k];
        if (!v->joystick || !v->feel.motor || !moves(v, input)) {
            continue;
        }
        int before = v->feel.effect.constant.level, now = (int)lround(level);
        felt++;
        if (abs(now - before) >= least_change || (now == 0 && before != 0)) {
            v->feel.effect.constant.level = (Sint16)now;
            (void)d->sdl.HapticUpdateEffect(v->feel.motor, v->feel.number, &v->feel.effect);
        }
    }
    return felt;
}

// ---- coming and going ----------------------------------------------------------------------------------------------

static void plug(bi_devices *d, int index)
{
    SDL_JoystickID id = d->sdl.JoystickGetDeviceInstanceID(index);
    device *free_one = NULL;
    for (int k = 0; k < DEVICES; k++) {
        if (d->item[k].joystick && d->item[k].id == id) {
            return;
        }
        free_one = !d->item[k].joystick && !free_one ? &d->item[k] : free_one;
    }
    SDL_Joystick *joystick = free_one ? d->sdl.JoystickOpen(index) : NULL;
    if (!joystick) {
        return;
    }
    const char *name = d->sdl.JoystickName(joystick);
    *free_one = (device){ .joystick = joystick, .id = id };
    snprintf(free_one->name, sizeof free_one->name, "%s", name ? name : "device");
    free_one->mapping = best_mapping(d, free_one->name);
    if (d->has_forces) {
        feel_open(&d->sdl, joystick, &free_one->feel);
    }
    d->events.plugged(d->events.data, free_one->name,
                      free_one->mapping ? bi_mapping_name(free_one->mapping) : NULL);
}

static void unplug(bi_devices *d, SDL_JoystickID id)
{
    for (int k = 0; k < DEVICES; k++) {
        device *v = &d->item[k];
        if (!v->joystick || v->id != id) {
            continue;
        }
        for (int i = 0; v->mapping && i < bi_mapping_input_count(v->mapping); i++) {
            d->events.input(d->events.data, bi_mapping_input(v->mapping, i), 0.0);
        }
        feel_close(&d->sdl, &v->feel);
        d->sdl.JoystickClose(v->joystick);
        d->events.unplugged(d->events.data, v->name);
        *v = (device){ 0 };
    }
}

bi_devices *bi_devices_open(bi_mapping *const *mapping, int n_mapping, const bi_device_events *events,
                            bi_report *report)
{
    if (n_mapping < 0 || (n_mapping > 0 && !mapping) || !events || !events->input || !events->action ||
        !events->plugged || !events->unplugged) {
        bi_report_add(report, BI_ERROR, BI_BAD_ARGUMENT, (bi_place){ 0 }, "--sdl",
                      "devices need mappings and functions for all their events");
        return NULL;
    }
    bi_devices *d = calloc(1, sizeof *d);
    if (!d || !sdl_load(&d->sdl)) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "--sdl", "%s",
                      d ? "SDL2 is not installed on this machine (Debian: libsdl2-2.0-0)" : "no memory");
        free(d);
        return NULL;
    }
    d->sdl.SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    d->sdl.SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    d->has_forces = d->sdl.Init(SDL_INIT_JOYSTICK | SDL_INIT_HAPTIC) == 0;
    if (!d->has_forces && d->sdl.Init(SDL_INIT_JOYSTICK) != 0) {
        bi_report_add(report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "--sdl", "SDL cannot start: %s",
                      d->sdl.GetError());
        free(d);
        return NULL;
    }
    d->events = *events;
    d->mapping = mapping;
    d->n_mapping = n_mapping;
    for (int k = 0; k < d->sdl.NumJoysticks(); k++) {
        plug(d, k);
    }
    return d;
}

void bi_devices_close(bi_devices *d)
{
    if (d) {
        for (int k = 0; k < DEVICES; k++) {
            if (d->item[k].joystick) {
                feel_close(&d->sdl, &d->item[k].feel);
                d->sdl.JoystickClose(d->item[k].joystick);
            }
        }
        d->sdl.QuitSubSystem(SDL_INIT_JOYSTICK | (d->has_forces ? SDL_INIT_HAPTIC : 0));
        free(d);
    }
}

static void read_device(bi_devices *d, device *v)
{
    double axis[AXES];
    bool button[BUTTONS];
    int n_axis = d->sdl.JoystickNumAxes(v->joystick), n_button = d->sdl.JoystickNumButtons(v->joystick);
    n_axis = n_axis < 0 ? 0 : n_axis > AXES ? AXES : n_axis;
    n_button = n_button < 0 ? 0 : n_button > BUTTONS ? BUTTONS : n_button;
    for (int k = 0; k < n_axis; k++) {
        axis[k] = fmax(-1.0, d->sdl.JoystickGetAxis(v->joystick, k) / 32767.0);
    }
    for (int k = 0; k < n_button; k++) {
        button[k] = d->sdl.JoystickGetButton(v->joystick, k) != 0;
    }
    bi_device_state state = { n_axis, n_button, axis, button };
    for (int k = 0; k < bi_mapping_input_count(v->mapping) && k < INPUTS; k++) {
        double value = bi_mapping_value(v->mapping, k, &state);
        if (value != v->last[k]) {
            v->last[k] = value;
            d->events.input(d->events.data, bi_mapping_input(v->mapping, k), value);
        }
    }
    int number = 0;
    for (int k = 0; bi_mapping_action(v->mapping, k, &number); k++) {
        bool is_down = number >= 0 && number < n_button && button[number];
        if (is_down && !v->was_down[number]) {
            d->events.action(d->events.data, bi_mapping_action(v->mapping, k, &number));
        }
    }
    for (int k = 0; k < n_button; k++) {
        v->was_down[k] = button[k];
    }
}

void bi_devices_poll(bi_devices *d)
{
    SDL_Event event;
    if (!d) {
        return;
    }
    d->sdl.JoystickUpdate();
    while (d->sdl.PollEvent(&event)) {
        if (event.type == SDL_JOYDEVICEADDED) {
            plug(d, event.jdevice.which);
        } else if (event.type == SDL_JOYDEVICEREMOVED) {
            unplug(d, event.jdevice.which);
        }
    }
    for (int k = 0; k < DEVICES; k++) {
        device *v = &d->item[k];
        if (v->joystick && !d->sdl.JoystickGetAttached(v->joystick)) {
            unplug(d, v->id);
        } else if (v->joystick && v->mapping) {
            read_device(d, v);
        }
    }
}

int bi_devices_count(const bi_devices *d)
{
    int count = 0;
    for (int k = 0; d && k < DEVICES; k++) {
        count += d->item[k].joystick && d->item[k].mapping;
    }
    return count;
}

#else

struct bi_devices {
    int unused;
};

bool bi_devices_exist(void) { return false; }

bi_devices *bi_devices_open(bi_mapping *const *mapping, int n_mapping, const bi_device_events *events,
                            bi_report *report)
{
    (void)mapping;
    (void)n_mapping;
    (void)events;
    bi_report_add(
        report, BI_ERROR, BI_BAD_FILE, (bi_place){ 0 }, "--sdl",
        "this build has no SDL2: install libsdl2-dev and build again, or use the devices through the page");
    return NULL;
}

void bi_devices_close(bi_devices *d) { (void)d; }

void bi_devices_poll(bi_devices *d) { (void)d; }

int bi_devices_count(const bi_devices *d)
{
    (void)d;
    return 0;
}

int bi_devices_force(bi_devices *d, const char *input, double force)
{
    (void)d;
    (void)input;
    (void)force;
    return 0;
}

#endif
