// SPDX-License-Identifier: MIT
// The two objects behind the API: what was compiled, and one run of it.
#pragma once
#include "base/lanes.h"
#include "dynamics/dynamics.h"
#include "integrate/algebra.h"
#include "integrate/schemes.h"

typedef enum {
    CHANNEL_VALUE,      // motion.value[index]
    CHANNEL_RATE,       // motion.rate[index]
    CHANNEL_EXPR,       // signals.signal[index]
    CHANNEL_REACTION,   // component of the wrench of a joint
    CHANNEL_BODY,       // component of pose and twist
    CHANNEL_EFFORT,     // load.scalar[index]
    CHANNEL_MULTIPLIER, // component (1, -1) times the multiplier of row index
    CHANNEL_ENERGY,
    CHANNEL_SENSOR,       // component of output index, see sensors.c
    CHANNEL_ACCELERATION, // second rate of the variable of marker index
    CHANNEL_RECOVERY,     // component of output index, see recovery.c
    CHANNEL_ALIAS         // output index: another channel, that of number component
} channel_kind;
enum { ENERGY_KINETIC, ENERGY_POTENTIAL, ENERGY_TOTAL, ENERGY_BALANCE };

typedef struct {
    char *name;
    const char *unit;
    channel_kind kind;
    int index, component;
} channel;

// Markers of a sensor: dofs of its points; -1: none.
typedef struct {
    int of, to;
    int node; // frame marker of the node of a flexible body that carries the sensor; -1: it turns with the body
} sensor_place;

// The low pass of a device: what it measures, its answer and the rate of that at an instant.
typedef struct {
    double t, u, y, w;
} device_state;
typedef struct {
    device_state old, now; // the instants before and after the last step
} device;

// A body of a centre of mass: its point among the markers' numbers, its mass, kg, and what part of all that is.
typedef struct {
    int dof;
    double mass, share;
} mass_share;

// A flexible body whose range is watched.
typedef struct {
    int body, *dof; // numbers of its amplitudes among the markers' (n_mode); -1: none
    double *mass;   // of its modes, kg (n_mode)
    int stride;     // one node in so many is looked at
    double length;  // m
    double lowest;  // square of its lowest frequency, 1/s2
    bool has_stiffening;
} flex_watch;
typedef struct {
    double bent, tilted;    // deflection over length; turn of a node, rad
    double stiffening;      // spin over lowest frequency, squared
    double vibration, high; // J, of all bodies: kinetic energy of their amplitudes, and of the highest modes
} flex_range;
typedef struct {
    double by_rates, by_accelerations; // J, J/s2, of the amplitudes of all bodies
} flex_shaking;

struct bi_system {
    const bi_model *model; // held
    dynamics dynamics;
    solver *fac;
    bi_options options;
    held_coordinate *held;
    int n_held;
    int *independent; // variables that linearised equations are written in; joint coordinates only
    int n_independent;
    int *imposed; // variable of each imposed coordinate (n_imposed of the model)
    channel *channel;
    int n_channel, cap_channel;
    sensor_place *sensor; // (n_output of the model)
    int *recovery_dof;    // (n_recovery_dof) of amplitudes; those of an output begin at its sensor.of
    int n_recovery_dof;
    mass_share *mass; // (n_mass) of centres of mass; those of an output lie from its sensor.of to sensor.to
    int n_mass, cap_mass;
    bi_channel *device_channel; // aliases with a low pass (n_device); sensor.to is the number of the device
    int n_device, cap_device;
    bi_channel *event_channel; // watched, or unset (n_event of the model)
    int *event_contact;        // element whose touch it tells of; -1: none (n_event)
    double *event_least;       // N; a thing that pushes no harder is not told by it (n_event)
    bool *event_body;          // its pose is watched (n_body of the model)
    int n_hit;                 // room for touches of events: as many as events, or none
    flex_watch *watch;         // of flexible bodies (n_watch)
    int n_watch;
    vibrations vibrations;           // of flexible bodies; only with a scheme that corrects their phase
    uint64_t hash;                   // of everything a snapshot depends on
    bool is_image;                   // it begins one block, in which all lies that it points to (sim/image)
    const struct image_words *image; // of a loaded one: which words hold addresses
};
typedef struct image_words image_words;

// What has been worked out for the state shown.
enum {
    SHOWN_STATE = 1,
    SHOWN_POSES = 2,
    SHOWN_ENERGY = 4,
    SHOWN_REACTIONS = 8,
    SHOWN_ACCELERATIONS = 16,
    SHOWN_STEP_ACCELERATIONS = 64,
    SHOWN_MASS = 128, // the mass matrix of the state
    SHOWN_MOTION = 32 // markers and signals only, a part of the state
};

// What the choice of step lengths remembers.
typedef struct {
    double h, before;         // next length, s; the length whose error the last step allowed, 0: not known
    double last;              // length of the step before, whose rates of states are kept, s; 0: none is
    double smallest, largest; // lengths so far, s; 0: none
    int64_t rejected, forced; // steps taken back; steps kept in spite of their error
} adaptation;

// What is judged (verdict.md). The table of names and limits is in verdict.c.
typedef enum {
    JUDGE_ENERGY,      // that came from nowhere, of what moved or was exchanged
    JUDGE_ERROR,       // sum of the local errors of the steps, of the mechanism's size
    JUDGE_STATES,      // local errors of states of laws, added up over their own time, of the largest so far
    JUDGE_TURN,        // of a body in a step
    JUDGE_OVER,        // share of steps that stepped over a position
    JUDGE_PARTS,       // share of steps done in parts
    JUDGE_UNCONVERGED, // share of steps kept without having converged
    JUDGE_FORCED,      // share of automatic steps kept in spite of their error
    JUDGE_POSITION,    // constraints left open, of the mechanism's size
    JUDGE_VELOCITY,    // their rates, of the fastest point
    JUDGE_RINGING,     // share of accelerations that change sign from step to step
    JUDGE_MOVED,       // the described start, by the assembly, of the mechanism's size
    JUDGE_TURNED,      // the same of directions
    JUDGE_STARTED,     // described velocities, share of their kinetic energy
    JUDGE_IMPACT,      // step against the time of a contact: h sqrt(k/m)
    JUDGE_DEPTH,       // of a contact, of the size of the shapes
    JUDGE_PASSED,      // shapes that passed each other between two steps
    JUDGE_BELOW,       // centre of a body under the ground it stands on, of its size
    JUDGE_GRAIN,       // cosine between an axis of friction and the normal of a contact
    JUDGE_RANGE,       // a tyre outside of the ranges of its data, of their widths
    JUDGE_SAMPLED,     // share of looks of a device between which its input went over half of its range
    JUDGE_BENT,        // deflection of a flexible body, of its length
    JUDGE_TILTED,      // turn of its nodes
    JUDGE_STIFFENING, // square of its spin over its lowest frequency, where the model has no centrifugal stiffening
    JUDGE_MODES,     // share of their vibration in the highest modes
    JUDGE_SHAKING,   // step against the time of their vibration
    JUDGE_STABILITY, // explicit steps against their limit
    JUDGE_RANK,      // share of steps near a position where constraints lose rank
    JUDGE_INPUTS,    // share of functions of time that lies between the ends of steps
    JUDGE_STOPPED,   // whether a step failed and ended the run
    JUDGE_MOTION,    // sum of local errors, of what moved
    JUDGE_JUMP,      // largest way in a step that velocities do not tell of, of the mechanism's size
    JUDGE_PATHS,     // errors of steps as tumbling bodies amplify them
    JUDGE_BRANCH,    // how much nearer to such a position it starts than it runs
    JUDGE_COUNT
} judge_kind;

// The worst of one kind.
typedef struct {
    double value, t;
    own_int64 where; // body, row or element, as its kind says; -1: none
} judge_worst;

typedef struct {
    int64_t is_kinematic; // guides move it: no step is made
    judge_worst worst[JUDGE_COUNT];
    int64_t looks; // at states
    int64_t steps, parts, asked,
        implicit; // accepted; done in parts; asked for; explicit ones done implicitly
    double kinetic, potential_low, potential_high; // J, over the samples
    double exchanged;                              // J, of laws and guides, both ways
    double balance;                                // J, largest so far, and when
    double balance_t;
    double error;         // sum of local errors, m or rad
    double growth, grown; // how often errors grew by e since the start, and at the last look (verdict.14)
    int64_t is_chance;    // errors have grown so much that single paths mean nothing
    double error_v;       // of rates, in explicit schemes, m/s or rad/s
    double vibration,
        high;              // J, sums over the samples: of flexible bodies' amplitudes, of their highest modes
    double swing, shaking; // J, over fewer samples: by their rates, by their accelerations times the step
    double acceleration, ringing; // largest so far; running mean of what of it alternates
    double bends, sizes,
        reach;         // sums of second differences and sizes of accelerations; largest h^2 a (verdict.5)
    double rank_start; // logarithm of the determinant of the tangent; NAN: not asked
} judging;

// One line of the list of events: event of the model, or event_of_solver.
typedef struct {
    double t, value;
    int64_t event;
} logged_event;
// The touch of that line, where it is of a contact; shapes from 1.
typedef struct {
    int64_t a, b;
    vec3 at, velocity;
    double closing, force, energy, until;
    double force_before, energy_before; // of touches that followed each other so closely that they are one
} logged_hit;
typedef enum { EVENT_NOT_CONVERGED = -1, EVENT_FAILED = -2 } event_of_solver;
enum { EVENTS_MOST = 200 };

// What a step may need that is more than arithmetic: words and memory. It reaches them by this table alone, so that its code
// needs no library (tools/check_core.py).
typedef struct {
    bi_status (*give_up)(bi_sim *sim,
                         bi_status status);           // after a failed step: says why, leaves no trace of it
    bi_status (*tell_full)(bi_sim *sim, int element); // blame_full; -1: blame_places
    void (*tell_open)(bi_sim *sim, int row, double open); // a constraint became active while it is open
    arena (*block)(const bi_system *s, size_t size);      // of memory; zeroed, or says that it is not
    // All of it as it was before a step whose parts may not converge, for give_up; false: no memory.
    bool (*keep_whole)(bi_sim *sim);
} sim_outside;
extern const sim_outside sim_outside_here;
size_t sim_hot_size(const bi_system *s); // sim.hot of its sims

struct bi_sim {
    const bi_system *system;
    const sim_outside *outside;
    // bytes of its block, from its beginning: up to hot what steps find as the last one has left it, up to cold their
    // room within a step; what lies behind is for others
    size_t hot, cold, size;
    stepper stepper;
    crew *crew;    // threads that help with its steps
    double t;      // of the state shown, s
    int64_t step;  // steps asked for
    double grid_t; // steps are counted from here
    int64_t grid_step;
    double *input;       // (n_input)
    coords shown;        // copy for outputs: the state at t, interpolated when the stepper is ahead
    coords exact;        // the same with exact accelerations and multipliers, for reactions
    unsigned have;       // SHOWN_...
    bi_pose *pose;       // (n_body)
    bi_twist *twist;     // (n_body)
    bi_wrench *reaction; // (n_joint)
    double *scratch;     // of reactions
    // these only where something reads them:
    double *acceleration;      // of the markers' numbers (n_dof), for accelerometers
    double *step_acceleration; // the same from the accelerations of the stepper, for stresses
    double *
        motion_kept; // rates, biases and what the coordinates keep of them, while others are lifted (2 n_dof + n_own)
    held_coordinate *held; // of the system, then the imposed ones at the present time (n_held + n_imposed)
    double energy[4];
    double work, work_old, power, energy_start; // J, J, W, J
    double counted;                             // work that laws have counted themselves, J
    bool is_imposed; // during a step of imposed motion: whatever its motion needs is work
    int64_t step_overs, unconverged, in_a_row;
    bool is_at_rest; // the last step was one in which all slept
    double moved, turned;
    adaptation adapt;
    judging judge;
    double *
        judge_z; // of each state of laws: largest so far, of its rate, its error, and looks that saw it unstable (4 n_z)
    double *judge_u;  // of functions of time: value at the start, now, and sums (judge_inputs_count)
    signals judge_at; // where they are evaluated
    double *
        judge_e; // sums of local errors of each part that only contacts couple, and the same amplified (2 judge_n_part)
    double *judge_q;   // least and largest so far of each coordinate (2 n)
    coords spare[2];   // of step doubling; only with accuracy
    double *size_z;    // largest so far of each state of laws and of its rate (2 n_z); only with accuracy
    device *device;    // low passes of the outputs (n_device)
    double *is_on;     // events of the model that hold now, 1 or 0 (n_event)
    int64_t *open;     // lines of the list whose touches last, from 1; 0: none (THINGS_MOST for each event)
    logged_event *log; // (EVENTS_MOST)
    logged_hit *hit;   // (n_hit)
    int64_t n_logged;  // also those that found no room
    double stop_t;     // of the first event that stops, s; infinite: none
    double *usual_lambda, *usual_scalar; // running averages of sizes (n_row), (n_element), for divergence.c
    bi_divergence divergence;            // of the last step that failed
    bool started;
    char *whole; // state before a step that is done in parts (whole_size); where something lives a block of
    size_t whole_size; // its own, from the first such step on
    size_t whole_used; // bytes of that state
    void *rooms;       // block of what lives, beside that of the sim; it is replaced when it is full
    coords *guest[4];  // states of analyses, with pools in it (n_guest)
    int n_guest;
    bi_sim *in_joints; // the same model in joint coordinates, from the first bi_sim_set_poses on
    char failure[1024];
};

// vibration.c; false: no memory.
bool system_find_vibrations(bi_system *s);
void system_clear_vibrations(bi_system *s);

bool channels_create(bi_system *s, bi_report *report); // before the coordinates: plans markers
void channels_clear(bi_system *s);
void channels_add(bi_system *s, char *name, const char *unit, channel_kind kind, int index, int component);

// Channels of stresses (recovery.c).
void recovery_plan(bi_system *s, int output, bi_report *report);
unsigned recovery_need(const bi_sim *sim, int output, int component);
double recovery_read(const bi_sim *sim, int output, int component);

// sensors.c: false from plan: not one of its outputs.
bool sensors_plan(bi_system *s, int output, bi_report *report);
unsigned sensors_need(const bi_output_def *d, int component);
double sensors_read(const bi_sim *sim, int output, int component);

// instruments.c: what the device of an alias makes of a value; the same with its low pass, which follows the run step by
// step: from the start, and to the end of each step.
double devices_tell(const bi_output_def *d, double t, double value);
double devices_filtered(const bi_sim *sim, int output, double value);
void devices_start(bi_sim *sim);
void devices_follow(bi_sim *sim, double t);
// What the device of that alias measures at the state shown.
double channel_before_device(bi_sim *sim, bi_channel c);
void sensors_accelerate(bi_sim *sim);
void sensors_step_accelerate(bi_sim *sim);

// The same model in joint coordinates, not started, with the same inputs; NULL: it cannot be. Ends with
// sim_in_joints_destroy.
bi_sim *sim_in_joints(const bi_sim *sim);
void sim_in_joints_destroy(bi_sim *other);
// Puts the stepper where it stands, with one number changed (q, v, then states of laws), made possible again: what laws
// remember stays.
bi_status sim_nudge(bi_sim *sim, int number, double change);
// The described configuration as the stepper's state, at the start of the run; nothing is put together yet.
void sim_set_described(bi_sim *sim);
// Values and rates of joint coordinates (or of amplitudes) that are variables here, from a sim in other coordinates.
void sim_take_coordinates(bi_sim *sim, const bi_sim *from, marker_kind kind);
// The held list filled with the values and rates of the imposed motion at the time and motion on the trays; gives its
// length.
int sim_hold_imposed(bi_sim *sim);
// The state at sim.t worked out as far as `need` asks.
void sim_show(bi_sim *sim, unsigned need);
// The same at the end of a step just made: an explicit one ended with the forces of that state.
void sim_show_end(bi_sim *sim, unsigned need);
// The same of motion and poses for those who watch: of the signals only what they need.
void sim_show_watched(bi_sim *sim, unsigned need);
// The stepper's new state is kept: laws remember, work is counted. Then the sim stands at t, one step further.
void sim_accept(bi_sim *sim);
void sim_stand_at(bi_sim *sim, double t);
// The stepper's state is where the run begins: work and energy are counted from here.
void sim_begin(bi_sim *sim);

// matrices.c: warnings about stiffness and damping that are hardly meant (laws.13).
void matrices_check(const bi_model *m, bi_report *report);

// guard.c: whether the sim can be moved or read: BI_BAD_ARGUMENT without one, BI_NOT_STARTED. Its failure says why.
bi_status sim_refuse(bi_sim *sim);
// The same, and BI_BAD_ARGUMENT when the number is not finite; when the time is in the past; when it is no step's
// length away.
bi_status sim_refuse_number(bi_sim *sim, double value, const char *what);
bi_status sim_refuse_time(bi_sim *sim, double t);
bi_status sim_refuse_step(bi_sim *sim, double t);
static inline bool sim_is_shown(const bi_sim *sim) { return sim && sim->started; }

static inline const scheme *sim_scheme(const bi_sim *sim) { return scheme_of(sim->system->options.scheme); }
// advance.c: both ends of the next step in one chart, and the state before it saved.
void sim_prepare(bi_sim *sim);
// One step of the scheme, h long, ending at the time `end`: from `now`, which is still the same as `old`, or once more
// from `old`.
bi_status sim_try(bi_sim *sim, double h, double end);
bi_status sim_try_again(bi_sim *sim, double h, double end);
// A step to `target`, kept if it converges; otherwise over the position (from steps of about dt, or when told so).
typedef enum { SIM_ON_GRID, SIM_MAY_STEP_OVER } sim_manner;
bi_status sim_advance(bi_sim *sim, double target, sim_manner manner);
// Through a place where constraints lose rank, which no stage of an explicit rule can stand at: by an implicit step
// (explicit.9).
bi_status sim_leap(bi_sim *sim, double h, double target);

// sleep.c: bodies at rest fall asleep and wake, after a step and before the first one.
bool sim_rushes(const bi_sim *sim,
                double h);                 // shapes flew too far in the step of h to be seen touching
bool sim_rests(const bi_sim *sim);         // all sleep, and nothing can change
void sim_rest(bi_sim *sim, double target); // time passes
void sim_sleep(bi_sim *sim);
void sim_sleep_start(bi_sim *sim);
void sim_sleep_between(bi_sim *sim); // who fell asleep in the last step is awake inside it

// From the allocator of its options, aligned to cache lines; without memory: there is none.
arena sim_block(const bi_system *s, size_t size);
void sim_release(const bi_system *s, void *memory); // of such a block
// living.c: the memory of what lives. False: there is none, and nothing has changed.
bool sim_rooms_make(bi_sim *sim);
bool sim_rooms_grow(bi_sim *sim); // by what is lacking
// At least so many numbers and pairs of each part of the pool.
typedef struct {
    int numbers, pairs;
} pool_need;
bool sim_rooms_fit(bi_sim *sim, const pool_need *need);
// A state of an analysis, cut elsewhere, has a pool until it leaves.
bool sim_rooms_join(bi_sim *sim, coords *guest);
void sim_rooms_leave(bi_sim *sim); // all of them
// dynamics_commit, with larger rooms if it needs them.
void sim_commit(bi_sim *sim, law_doubts *doubts);
// A step of this kind from `now`, again with larger rooms if it needs them.
bi_status sim_step_by(bi_sim *sim, bi_status (*step)(stepper *, double), double h);
// Keeps the state before a step that is done in parts; false: there is no memory.
bool sim_keep_whole(bi_sim *sim);

// check_tangents.c: those of the user's callbacks, at the motion on the trays.
bi_status sim_check_tangents(bi_sim *sim, bi_report *report);

// switch.c: constraints take hold and let go, before a step.
bi_status sim_switch(bi_sim *sim);
// work.c: the power of the stepper's state, from which the work of the next step is counted; the work of the step just
// made.
void sim_power(bi_sim *sim);
void sim_count_work(bi_sim *sim);

// adapt.c: one step as long as the accuracy allows, ending at `limit` at most.
size_t adapt_n_state(const bi_system *s); // states of laws whose errors are measured
void adapt_start(bi_sim *sim);
bi_status adapt_step(bi_sim *sim, double limit);

// judge.c: every step is looked at.
void judge_start(bi_sim *sim);
// The value counts if it is the worst so far of its kind.
void judge_note(bi_sim *sim, judge_kind kind, double value, double t, int64_t where);
void judge_step(bi_sim *sim);            // after a step kept
void judge_parts(bi_sim *sim);           // a step was done in parts
law_doubts judge_ask(const bi_sim *sim); // what laws are to look at in this step, and what they found
void judge_answer(bi_sim *sim, const law_doubts *doubts);
int judge_n_part(const bi_system *s); // parts that only contacts couple, and all else
// judge_flex.c: worst range of the state on the trays, and whose
flex_range judge_flex(const bi_sim *sim, int of[3]);
flex_shaking judge_shaking(const bi_sim *sim); // with the accelerations of the step shown
bool flex_watch_create(bi_system *s);          // false: no memory
void flex_watch_clear(bi_system *s);
// judge_inputs.c: functions of time between the ends of steps
void judge_inputs_cut(bi_sim *sim, arena *a);
int judge_inputs_count(const bi_system *s);
void judge_inputs_start(bi_sim *sim);
void judge_inputs_step(bi_sim *sim, int stands_for);
double judge_inputs(const bi_sim *sim); // share of them that steps do not see
void judge_stability(bi_sim *sim);      // explicit steps against their limit, as laws are now
void judge_sample(bi_sim *sim);         // what is looked at now and then, of the state shown

// events.c
void events_plan(bi_system *s);                       // expressions that are watched
bool events_compile(bi_system *s, bi_report *report); // channels that are watched
void events_watch(bi_system *s);                      // what they need of the signals, after the coordinates
void events_start(bi_sim *sim);                       // what holds at the start
// What the channel reads besides poses is a signal, or nothing: its slot, or -1. False: it reads more.
bool channel_signal(const bi_system *s, bi_channel c, int *slot);
int channel_body(const bi_system *s, bi_channel c); // whose pose is all that it reads; -1: of none
unsigned channel_need(const bi_sim *sim,
                      bi_channel c);            // SHOWN_..., the least that its value needs
double channel_read(bi_sim *sim, bi_channel c); // with no more than that worked out
// The last step ended with an iteration whose forces are nearly those of its end.
bool sim_has_estimates(const bi_sim *sim);
// The same of the forces alone: with `piles`, too.
bool sim_has_forces(const bi_sim *sim);
void events_after_step(bi_sim *sim); // what began to hold in the last step
void events_note(bi_sim *sim, event_of_solver what);

// divergence.c
void divergence_watch(bi_sim *sim); // after each step kept
void divergence_describe(bi_sim *sim, bi_status status);
