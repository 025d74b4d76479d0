// SPDX-License-Identifier: MIT
// A steering wheel that exists in no machine: what biela asks of SDL2, with a motor for forces. FAKE_WHEEL is a file of one line,
// "here X Y" (axes, -1 .. 1) or "gone"; every level of the force is a line of FAKE_FORCES.
#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double axis[2];
static int is_here = 1, has_opened;
static int level;

static void look(void)
{
    char word[16] = "gone";
    const char *path = getenv("FAKE_WHEEL");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (file) {
        (void)!fscanf(file, "%15s %lf %lf", word, &axis[0], &axis[1]);
        fclose(file);
        is_here = strcmp(word, "here") == 0;
    }
}

static void note(const char *what, int value)
{
    const char *path = getenv("FAKE_FORCES");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%s %d\n", what, value);
        fclose(file);
    }
}

#define JOYSTICK ((SDL_Joystick *)&is_here)
#define MOTOR ((SDL_Haptic *)&level)
SDL_bool SDL_SetHint(const char *name, const char *value) { return name && value ? SDL_TRUE : SDL_FALSE; }
int SDL_Init(Uint32 flags) { return flags == 0; }
const char *SDL_GetError(void) { return "none"; }
int SDL_NumJoysticks(void)
{
    look();
    return is_here;
}
SDL_JoystickID SDL_JoystickGetDeviceInstanceID(int index) { return 7 + index; }
SDL_Joystick *SDL_JoystickOpen(int index)
{
    has_opened = 1;
    return index == 0 ? JOYSTICK : NULL;
}
const char *SDL_JoystickName(SDL_Joystick *j) { return j ? "Fake wheel" : NULL; }
void SDL_JoystickClose(SDL_Joystick *j) { has_opened = j == NULL; }
void SDL_QuitSubSystem(Uint32 flags) { (void)flags; }
int SDL_JoystickNumAxes(SDL_Joystick *j) { return j ? 2 : 0; }
int SDL_JoystickNumButtons(SDL_Joystick *j) { return j ? 0 : -1; }
Sint16 SDL_JoystickGetAxis(SDL_Joystick *j, int k) { return j ? (Sint16)(32767 * axis[k]) : 0; }
Uint8 SDL_JoystickGetButton(SDL_Joystick *j, int k) { return j && k < 0; }
void SDL_JoystickUpdate(void) { look(); }
int SDL_PollEvent(SDL_Event *event) { return event == NULL; }
SDL_bool SDL_JoystickGetAttached(SDL_Joystick *j)
{
    return j && is_here && has_opened ? SDL_TRUE : SDL_FALSE;
}
SDL_Haptic *SDL_HapticOpenFromJoystick(SDL_Joystick *j) { return j ? MOTOR : NULL; }
unsigned int SDL_HapticQuery(SDL_Haptic *h) { return h ? SDL_HAPTIC_CONSTANT : 0; }
int SDL_HapticSetAutocenter(SDL_Haptic *h, int gain)
{
    note("autocenter", gain);
    return h ? 0 : -1;
}
int SDL_HapticNewEffect(SDL_Haptic *h, SDL_HapticEffect *effect)
{
    return h && effect->type == SDL_HAPTIC_CONSTANT && effect->constant.direction.dir[0] == 1 ? 3 : -1;
}
int SDL_HapticUpdateEffect(SDL_Haptic *h, int number, SDL_HapticEffect *effect)
{
    level = effect->constant.level;
    note(number == 3 ? "level" : "wrong", level);
    return h ? 0 : -1;
}
int SDL_HapticRunEffect(SDL_Haptic *h, int number, Uint32 times)
{
    return h && number == 3 && times == 1 ? 0 : -1;
}
void SDL_HapticClose(SDL_Haptic *h) { note("closed", h == MOTOR); }
