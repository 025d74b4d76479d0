// SPDX-License-Identifier: MIT
/* The contact bench in Bullet, as it comes: rigid contacts by 10 iterations of impulses, a tree of boxes for pairs. */
#include "peer.h"
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

struct peer {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase pairs;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &pairs, &solver, &configuration };
    std::unique_ptr<btBoxShape> box;
    btStaticPlaneShape plane{ btVector3(0, 0, 1), 0 };
    std::unique_ptr<btRigidBody> floor;
    std::vector<std::unique_ptr<btRigidBody>> body;
    double dt;
};

const char *peer_name(void) { return "Bullet"; }

// Frictions of two bodies are multiplied: the box has the root of box on box, the floor what is left.
static void add_floor(peer *p, const boxes_rule *rule)
{
    p->floor = std::make_unique<btRigidBody>(
        btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &p->plane, btVector3(0, 0, 0)));
    p->floor->setFriction(btScalar(rule->friction_on_floor / std::sqrt(rule->friction)));
    p->world.addRigidBody(p->floor.get());
}

static void add_box(peer *p, const boxes_rule *rule, const box_start *start, peer_sleep sleep)
{
    btVector3 inertia;
    p->box->calculateLocalInertia(btScalar(rule->mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo made(btScalar(rule->mass), nullptr, p->box.get(), inertia);
    made.m_startWorldTransform =
        btTransform(btQuaternion(btVector3(0, 0, 1), btScalar(start->turn)),
                    btVector3(btScalar(start->at.x), btScalar(start->at.y), btScalar(start->at.z)));
    auto body = std::make_unique<btRigidBody>(made);
    body->setFriction(btScalar(std::sqrt(rule->friction)));
    body->setLinearVelocity(btVector3(btScalar(start->speed), 0, 0));
    if (sleep == PEER_AWAKE) {
        body->setActivationState(DISABLE_DEACTIVATION);
    }
    p->world.addRigidBody(body.get());
    p->body.push_back(std::move(body));
}

peer *peer_create(const boxes_rule *rule, const box_start *start, int n, double dt, peer_sleep sleep)
{
    auto *p = new peer;
    p->dt = dt;
    gDeactivationTime = btScalar(0.1);
    p->world.setGravity(btVector3(0, 0, btScalar(-rule->gravity)));
    p->box = std::make_unique<btBoxShape>(
        btVector3(btScalar(0.5 * rule->size.x), btScalar(0.5 * rule->size.y), btScalar(0.5 * rule->size.z)));
    if (rule->has_floor) {
        add_floor(p, rule);
    }
    for (int k = 0; k < n; k++) {
        add_box(p, rule, &start[k], sleep);
    }
    return p;
}

void peer_step(peer *p) { p->world.stepSimulation(btScalar(p->dt), 0, btScalar(p->dt)); }

peer_box peer_read(const peer *p, int k)
{
    const btRigidBody &body = *p->body[size_t(k)];
    btVector3 x = body.getCenterOfMassPosition(), v = body.getLinearVelocity(), w = body.getAngularVelocity();
    btQuaternion q = body.getOrientation();
    peer_box box = { { { x.x(), x.y(), x.z() }, { q.w(), q.x(), q.y(), q.z() } },
                     { { v.x(), v.y(), v.z() }, { w.x(), w.y(), w.z() } } };
    return box;
}

void peer_destroy(peer *p)
{
    for (auto &body : p->body) {
        p->world.removeRigidBody(body.get());
    }
    if (p->floor) {
        p->world.removeRigidBody(p->floor.get());
    }
    delete p;
}
