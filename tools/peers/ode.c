// SPDX-License-Identifier: MIT
/* The contact bench in ODE: its iterative step (20 iterations, as it comes), contacts as soft as the rule says by
 * ERP and CFM, a hash of cells for pairs. */
#include "peer.h"
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

enum { MOST_POINTS = 8 };

struct peer {
    dWorldID world;
    dSpaceID space;
    dJointGroupID touching;
    dBodyID *body;
    dGeomID floor;
    boxes_rule rule;
    double dt, erp, cfm;
};

const char *peer_name(void) { return "ODE"; }

static void meet(void *data, dGeomID a, dGeomID b)
{
    peer *p = data;
    dContact contact[MOST_POINTS];
    int n = dCollide(a, b, MOST_POINTS, &contact[0].geom, sizeof *contact);
    for (int k = 0; k < n; k++) {
        contact[k].surface =
            (dSurfaceParameters){ .mode = dContactSoftERP | dContactSoftCFM | dContactApprox1,
                                  .mu = a == p->floor || b == p->floor ? p->rule.friction_on_floor
                                                                       : p->rule.friction,
                                  .soft_erp = p->erp,
                                  .soft_cfm = p->cfm };
        dJointAttach(dJointCreateContact(p->world, p->touching, &contact[k]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static dBodyID add_box(peer *p, const box_start *start)
{
    dBodyID body = dBodyCreate(p->world);
    dMass mass;
    dMassSetBoxTotal(&mass, p->rule.mass, p->rule.size.x, p->rule.size.y, p->rule.size.z);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, start->at.x, start->at.y, start->at.z);
    const dQuaternion turned = { cos(0.5 * start->turn), 0.0, 0.0, sin(0.5 * start->turn) };
    dBodySetQuaternion(body, turned);
    dBodySetLinearVel(body, start->speed, 0.0, 0.0);
    dGeomSetBody(dCreateBox(p->space, p->rule.size.x, p->rule.size.y, p->rule.size.z), body);
    return body;
}

peer *peer_create(const boxes_rule *rule, const box_start *start, int n, double dt, peer_sleep sleep)
{
    peer *p = calloc(1, sizeof *p);
    dInitODE2(0);
    p->rule = *rule;
    p->dt = dt;
    p->erp = dt * rule->stiffness / (dt * rule->stiffness + rule->damping);
    p->cfm = 1.0 / (dt * rule->stiffness + rule->damping);
    p->world = dWorldCreate();
    p->space = dHashSpaceCreate(NULL);
    p->touching = dJointGroupCreate(0);
    dWorldSetGravity(p->world, 0.0, 0.0, -rule->gravity);
    dWorldSetAutoDisableFlag(p->world, sleep == PEER_MAY_SLEEP);
    dWorldSetAutoDisableTime(p->world, 0.1);
    if (rule->has_floor) {
        p->floor = dCreatePlane(p->space, 0.0, 0.0, 1.0, 0.0);
    }
    p->body = calloc((size_t)n, sizeof *p->body);
    for (int k = 0; k < n; k++) {
        p->body[k] = add_box(p, &start[k]);
    }
    return p;
}

void peer_step(peer *p)
{
    dSpaceCollide(p->space, p, meet);
    dWorldQuickStep(p->world, p->dt);
    dJointGroupEmpty(p->touching);
}

peer_box peer_read(const peer *p, int k)
{
    const dReal *x = dBodyGetPosition(p->body[k]), *q = dBodyGetQuaternion(p->body[k]);
    const dReal *v = dBodyGetLinearVel(p->body[k]), *w = dBodyGetAngularVel(p->body[k]);
    return (peer_box){ { { x[0], x[1], x[2] }, { q[0], q[1], q[2], q[3] } },
                       { { v[0], v[1], v[2] }, { w[0], w[1], w[2] } } };
}

void peer_destroy(peer *p)
{
    dJointGroupDestroy(p->touching);
    dSpaceDestroy(p->space);
    dWorldDestroy(p->world);
    dCloseODE();
    free(p->body);
    free(p);
}
