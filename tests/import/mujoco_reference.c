// SPDX-License-Identifier: MIT
// What libmujoco says of a model, as JSON on stdout: mass matrix and accelerations at some states, and where it stands after a
// free motion by its Runge-Kutta scheme. Contacts, limits, equalities and dry friction are off; damping, springs, armature and
// actuators act; with `off` no actuators in the motion. Turns of free bodies are of second order in MuJoCo: two steps, and what
// follows for none. Build: cc mujoco_reference.c -lmujoco; mujoco_reference MODEL.xml [TIME [STEP [off]]]
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATES = 4 };

static unsigned seed = 12345;
static double chance(void)
{
    seed = seed * 1103515245u + 12345u;
    return (double)((seed >> 8) & 0xffff) / 32768.0 - 1.0;
}

static void print(const char *key, const double *x, int n, const char *end)
{
    printf("\"%s\": [", key);
    for (int k = 0; k < n; k++) {
        printf("%s%.17g", k ? ", " : "", x[k]);
    }
    printf("]%s\n", end);
}

static void print_names(const char *key, const mjModel *m, int type, int n)
{
    printf("\"%s\": [", key);
    for (int k = 0; k < n; k++) {
        const char *name = mj_id2name(m, type, k);
        printf("%s\"%s\"", k ? ", " : "", name ? name : "");
    }
    puts("],");
}

static void print_ints(const char *key, const int *x, int n)
{
    printf("\"%s\": [", key);
    for (int k = 0; k < n; k++) {
        printf("%s%d", k ? ", " : "", x[k]);
    }
    puts("],");
}

static void disturb(const mjModel *m, mjData *d, double far, double fast)
{
    for (int j = 0; j < m->njnt; j++) {
        double *q = d->qpos + m->jnt_qposadr[j];
        double *v = d->qvel + m->jnt_dofadr[j];
        int type = m->jnt_type[j], first = type == mjJNT_FREE ? 3 : 0;
        double size = type == mjJNT_SLIDE ? 0.1 : 1.0;
        if (type == mjJNT_FREE || type == mjJNT_BALL) {
            for (int k = 0; k < first; k++) {
                q[k] += far * chance();
                v[k] += fast * chance();
            }
            double turn[3] = { far * chance(), far * chance(), far * chance() };
            mju_quatIntegrate(q + first, turn, 1.0);
            for (int k = 0; k < 3; k++) {
                v[first + k] += fast * chance();
            }
        } else {
            q[0] += size * far * chance();
            v[0] += size * fast * chance();
        }
    }
}

static void print_bodies(const mjModel *m, mjData *d)
{
    print("xpos", d->xpos, 3 * m->nbody, ",");
    print("xmat", d->xmat, 9 * m->nbody, ",");
    double *twist = calloc((size_t)m->nbody * 6, sizeof *twist),
           *acc = calloc((size_t)m->nbody * 3, sizeof *acc);
    mj_rnePostConstraint(m, d);
    for (int b = 1; b < m->nbody; b++) {
        double v[6], a[6];
        mj_objectVelocity(m, d, mjOBJ_XBODY, b, v, 0);
        for (int k = 0; k < 6; k++) {
            twist[6 * b + k] = v[(k + 3) % 6]; // linear first
        }
        mj_objectAcceleration(m, d, mjOBJ_BODY, b, a, 0);
        for (int k = 0; k < 3; k++) {
            acc[3 * b + k] = a[3 + k] + m->opt.gravity[k];
        }
    }
    print("twist", twist, 6 * m->nbody, ",");
    print("acc", acc, 3 * m->nbody, ",");
    free(twist);
    free(acc);
}

// Filters stand at what they filter; integrators at 0.
static void settle(const mjModel *m, mjData *d)
{
    for (int k = 0; k < m->na; k++) {
        int i = m->nu - m->na + k;
        d->act[k] = m->actuator_dyntype[i] == mjDYN_FILTER ? d->ctrl[i] : 0.0;
    }
}

static int has_turns(const mjModel *m)
{
    int found = 0;
    for (int j = 0; j < m->njnt; j++) {
        found = found || m->jnt_type[j] == mjJNT_FREE || m->jnt_type[j] == mjJNT_BALL;
    }
    return found;
}

static void disarm(mjModel *m, int is_off) { m->opt.disableflags |= is_off ? mjDSBL_ACTUATION : 0; }

static void move(mjModel *m, mjData *d, double time, double step, int is_told)
{
    mju_copy(d->qpos, m->qpos0, m->nq);
    mju_zero(d->qvel, m->nv);
    settle(m, d);
    d->time = 0.0;
    seed = 777;
    m->opt.timestep = step;
    disturb(m, d, 0.1, 0.5);
    mj_forward(m, d);
    if (is_told) {
        printf("\"start\": {");
        print("qpos", d->qpos, m->nq, ",");
        print("qvel", d->qvel, m->nv, ",");
        print_bodies(m, d);
        print("qacc", d->qacc, m->nv, "},");
    }
    for (int k = 0; k < (int)(time / step + 0.5); k++) {
        mj_step(m, d);
    }
    mj_forward(m, d);
}

int main(int n, char **word)
{
    char error[1000] = "";
    double time = n > 2 ? atof(word[2]) : 0.5, step = n > 3 ? atof(word[3]) : 1e-4;
    mjModel *m = n > 1 ? mj_loadXML(word[1], NULL, error, sizeof error) : NULL;
    if (!m) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData *d = mj_makeData(m);
    m->opt.disableflags |= mjDSBL_CONSTRAINT;
    m->opt.integrator = mjINT_RK4;
    m->opt.timestep = step;
    printf("{\"mujoco\": \"%s\", \"time\": %.17g, \"nq\": %d, \"nv\": %d,\n", mj_versionString(), time, m->nq,
           m->nv);
    print_names("joints", m, mjOBJ_JOINT, m->njnt);
    print_names("bodies", m, mjOBJ_BODY, m->nbody);
    print_names("actuators", m, mjOBJ_ACTUATOR, m->nu);
    print_ints("jnt_type", m->jnt_type, m->njnt);
    print_ints("jnt_qposadr", m->jnt_qposadr, m->njnt);
    print_ints("jnt_dofadr", m->jnt_dofadr, m->njnt);
    print_ints("jnt_bodyid", m->jnt_bodyid, m->njnt);
    print_ints("body_parentid", m->body_parentid, m->nbody);
    print("mass", m->body_mass, m->nbody, ",");
    mj_forward(m, d);
    print("xmat0", d->xmat, 9 * m->nbody, ",");
    for (int k = 0; k < m->nu; k++) {
        double low = m->actuator_ctrllimited[k] ? m->actuator_ctrlrange[2 * k] : -1.0,
               high = m->actuator_ctrllimited[k] ? m->actuator_ctrlrange[2 * k + 1] : 1.0;
        d->ctrl[k] = 0.5 * (low + high) + 0.3 * (high - low) * chance();
    }
    print("ctrl", d->ctrl, m->nu, ",");
    settle(m, d);
    double *M = calloc((size_t)m->nv * (size_t)m->nv, sizeof *M);
    puts("\"states\": [");
    for (int s = 0; s < STATES; s++) {
        mju_copy(d->qpos, m->qpos0, m->nq);
        mju_zero(d->qvel, m->nv);
        disturb(m, d, s == 0 ? 0.1 : 1.0, s == 0 ? 0.5 : 2.0);
        mj_forward(m, d);
        mj_fullM(m, M, d->qM);
        printf("{");
        print("qpos", d->qpos, m->nq, ",");
        print("qvel", d->qvel, m->nv, ",");
        print_bodies(m, d);
        print("qacc", d->qacc, m->nv, ",");
        print("M", M, m->nv * m->nv, s + 1 < STATES ? "}," : "}],");
    }
    disarm(m, n > 4);
    move(m, d, time, step, 1);
    double *q = calloc(2 * (size_t)(m->nq + m->nbody * 3), sizeof *q), *x = q + m->nq;
    mju_copy(q, d->qpos, m->nq);
    mju_copy(x, d->xpos, 3 * m->nbody);
    move(m, d, time, 0.5 * step, 0);
    double order = has_turns(m) ? 4.0 : 16.0;
    for (int k = 0; k < m->nq; k++) {
        q[k] = d->qpos[k] + (d->qpos[k] - q[k]) / (order - 1.0);
    }
    for (int k = 0; k < 3 * m->nbody; k++) {
        x[k] = d->xpos[k] + (d->xpos[k] - x[k]) / (order - 1.0);
    }
    print("qpos_end", q, m->nq, ",");
    print("xpos_end", x, 3 * m->nbody, "}");
    free(q);
    free(M);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
