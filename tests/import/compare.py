# SPDX-License-Identifier: MIT
"""compare.py MODEL.yaml REFERENCE.json [FREE.yaml]: an imported model against what libmujoco says of its source.

Mass matrix: M of Biela is T^T M T of MuJoCo, where T takes Biela's rates to MuJoCo's. Forward dynamics: second rates of all
hinges and slides, and accelerations of the centres of mass of all bodies. Free motion: where all bodies stand at the end.
Prints the three errors, relative to the largest entry (lengths: to the largest coordinate, at least 1)."""
import json, re, sys
import numpy as np
import biela

FREE, BALL, SLIDE, HINGE = range(4)


def plain(name):
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return name if re.match(r"[A-Za-z_]", name) else "n" + name


def quaternion(R):
    K = np.array([[R[0, 0] - R[1, 1] - R[2, 2], 0, 0, 0],
                  [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], 0, 0],
                  [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], 0],
                  [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], np.trace(R)]]) / 3
    w, v = np.linalg.eigh(K, UPLO="L")
    x, y, z, s = v[:, -1]
    return np.array([s, x, y, z])


class Compared:
    def __init__(self, path, reference, dt=1e-4):
        self.r = r = reference
        text = open(path).read()
        self.bodies = re.findall(r"^  (\w+):$", text.split("\njoints:")[0].split("\nbodies:")[1] + "\n", re.M)
        names = [plain(b) for b in r["bodies"]]
        self.body = {b: k for k, b in enumerate(names) if b in self.bodies}
        weighty = [b for b, k in self.body.items() if r["mass"][k] > 0]
        more = "".join(f"  {b}_com: {{com: {b}}}\n" for b in weighty)
        text = re.sub(r"^outputs:\n", "outputs:\n" + more, text, flags=re.M) if "\noutputs:\n" in text else text.replace("\nrun:", "\noutputs:\n" + more + "run:")
        changed = path + ".outputs.yaml"
        open(changed, "w").write(text)
        self.sim = biela.Sim(biela.Model(changed), scheme="rk4", dt=dt, formulation="joint")
        self.weighty = weighty
        self.names = self.sim.coordinates
        self.joints = []
        for k, name in enumerate(r["joints"]):
            kind, body = r["jnt_type"][k], names[r["jnt_bodyid"][k]]
            called = plain(name) if name else body + "_joint"
            index = next((i for i, n in enumerate(self.names) if n in (called + ".angle", called + ".position")), None)
            self.joints.append((kind, body, index, r["jnt_qposadr"][k], r["jnt_dofadr"][k], r["body_parentid"][r["jnt_bodyid"][k]]))
        for name, value in zip(r["actuators"], r["ctrl"]):
            if plain(name) in self.sim.input_names:
                self.sim[plain(name)] = value
        self.sim.start()
        self.order = ["ground"] + self.bodies

    def put(self, state):
        sim, r = self.sim, self.r
        X, R, W = (np.reshape(state[k], (-1, n)) for k, n in (("xpos", 3), ("xmat", 9), ("twist", 6)))
        R0 = np.reshape(r["xmat0"], (-1, 3, 3))
        # bodies between joints are not MuJoCo's: they follow from the coordinates, after which the others are put once more
        for _ in range(4):
            poses, twists = np.array(sim.poses), np.array(sim.twists)
            for k, b in enumerate(self.order):
                if b in self.body:
                    i = self.body[b]
                    poses[k] = np.concatenate([X[i], quaternion(R[i].reshape(3, 3) @ R0[i].T)])
                    twists[k] = W[i]
            sim.set_poses(poses, twists)
            q, v = np.array(sim.q), np.array(sim.v)
            for kind, _, index, qa, va, _ in self.joints:
                if kind in (HINGE, SLIDE):
                    q[index], v[index] = state["qpos"][qa], state["qvel"][va]
            sim.set_state(q, v)

    def rates(self, state):
        """T: MuJoCo's rates from Biela's."""
        T = np.zeros((self.r["nv"], len(self.names)))
        R = np.reshape(state["xmat"], (-1, 3, 3))
        for kind, body, index, _, va, parent in self.joints:
            if kind in (HINGE, SLIDE):
                T[va, index] = 1
                continue
            J = self.sim.jacobian(body)
            i = self.body[body]
            if kind == FREE:
                T[va:va + 3] = J[:3]
                T[va + 3:va + 6] = R[i].T @ J[3:]
            else:
                up = next((b for b, k in self.body.items() if k == parent), None)
                J = J[3:] - (self.sim.jacobian(up)[3:] if up else 0)
                T[va:va + 3] = R[i].T @ J
        return T

    def dynamics(self):
        worst_M = worst_a = 0.0
        for state in self.r["states"]:
            self.put(state)
            T, nv = self.rates(state), self.r["nv"]
            M = T.T @ np.reshape(state["M"], (nv, nv)) @ T
            own = self.sim.mass_matrix()
            worst_M = max(worst_M, np.abs(own - M).max() / np.abs(M).max())
            acc, qacc = np.reshape(state["acc"], (-1, 3)), np.array(state["qacc"])
            a = np.array(self.sim.forward_dynamics()[0])
            size = max(1.0, np.abs(qacc).max())
            for kind, _, index, _, va, _ in self.joints:
                if kind in (HINGE, SLIDE):
                    worst_a = max(worst_a, abs(a[index] - qacc[va]) / size)
            size = max(1.0, np.abs(acc).max())
            for b in self.weighty:
                own = np.array([self.sim[f"{b}_com.{x}"] for x in ("ax", "ay", "az")])
                worst_a = max(worst_a, np.abs(own - acc[self.body[b]]).max() / size)
        return worst_M, worst_a

    def motion(self):
        r = self.r
        self.put(r["start"])
        self.sim.run_to(self.sim.t + r["time"])
        X, worst = np.reshape(r["xpos_end"], (-1, 3)), 0.0
        size = max(1.0, np.abs(X).max())
        for k, b in enumerate(self.order):
            if b in self.body:
                worst = max(worst, np.abs(self.sim.poses[k][:3] - X[self.body[b]]).max() / size)
        q = np.array(self.sim.q)
        for kind, _, index, qa, _, _ in self.joints:
            if kind in (HINGE, SLIDE):
                worst = max(worst, abs(q[index] - r["qpos_end"][qa]) / max(1.0, abs(r["qpos_end"][qa])))
        return worst


if __name__ == "__main__":
    reference = json.load(open(sys.argv[2]))
    compared = Compared(sys.argv[1], reference)
    moving = Compared(sys.argv[3], reference) if len(sys.argv) > 3 else compared
    errors = compared.dynamics() + (moving.motion(),)
    print("%-24s nv %3d  M %.1e  acceleration %.1e  motion %.1e  (MuJoCo %s)" % (
        (sys.argv[1].split("/")[-1].replace(".yaml", ""), reference["nv"]) + errors + (reference["mujoco"],)))
    sys.exit(0 if max(errors) < 1e-8 else 1)
