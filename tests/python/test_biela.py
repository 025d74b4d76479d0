# SPDX-License-Identifier: MIT
"""The Python package: against the command, closed forms and C, and what must be an exception and never a crash."""
import copy
import csv
import gc
import json
import math
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import biela

ROD = {"biela": 1, "name": "a rod", "gravity": [0, -9.81, 0],
       "inputs": {"push": {"initial": 0}},
       "bodies": {"rod": {"mass": 3, "com": [0.5, 0, 0], "inertia": {"rod": [1, 0, 0]}}},
       "joints": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0, 0], "axis": [0, 0, 1]}},
       "forces": {"m": {"type": "torque", "joint": "pin", "torque": "push"}},
       "outputs": {"pin": {"joint": "pin"}},
       "run": {"time": 1, "dt": 1e-3}}


class FromFiles(unittest.TestCase):
    def test_run_gives_the_numbers_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.csv")
            for options in ({}, {"formulation": "joint"}, {"scheme": "rk4"}):
                words = [w for k, v in options.items() for w in ("--" + k, v)]
                subprocess.run([os.environ["BIELA"], "run", "slider-crank", "--time", "0.5", "--out", out, *words], check=True,
                               capture_output=True)
                mine = biela.run("slider-crank", 0.5, **options)
                with open(out) as file:
                    names, *rows = csv.reader(file)
                table = np.array(rows, dtype=float)
                self.assertEqual(names[1:], list(mine))
                np.testing.assert_array_equal(table[:, 0], mine.t)
                for k, name in enumerate(names[1:]):
                    np.testing.assert_array_equal(table[:, k + 1], mine[name], name)
                there = biela.read(out)
                np.testing.assert_array_equal(there[names[1]], mine[names[1]])

    def test_parameters_and_runs_are_set(self):
        self.assertNotEqual(biela.Model("chain", set={"N": 3}).parameters["N"], biela.Model("chain").parameters["N"])

    def test_mistakes_in_a_file_are_told_with_line_and_advice(self):
        with self.assertRaises(biela.BielaError) as told:
            biela.Model.from_text("biela: 1\nbodies:\n  a: {mas: 1}\n")
        issue = [i for i in told.exception.issues if "mas" in i.where or "mas" in i.what][0]
        self.assertEqual((issue.severity, issue.line), ("error", 3))
        self.assertIn("mass", str(told.exception))
        for wrong in ("no-such-model", "/", "a\0b"):
            with self.assertRaises((biela.BielaError, ValueError)):
                biela.Model(wrong)
        with self.assertRaises(TypeError):
            biela.Model(17)


class InCode(unittest.TestCase):
    def test_model_of_pieces_is_that_of_the_dict(self):
        m = biela.Model(name="a rod")
        m.gravity(0, -9.81, 0)
        m.add_input("push")
        m.add_body("rod", mass=3, com=[0.5, 0, 0], inertia=[0, 0.25, 0.25])
        m.add_joint("pin", kind=biela.constants.BI_REVOLUTE, a="ground", b="rod", axis=[0, 0, 1])
        m.add_torque("m", joint="pin", torque="push")
        one, other = biela.Sim(m, dt=1e-3), biela.Sim(ROD)
        for sim in (one, other):
            sim["push"] = 2.0
            sim.step(500)
        np.testing.assert_allclose(one.q, other.q, rtol=0, atol=1e-14)

    def test_energy_of_a_swing_is_that_of_the_closed_form(self):
        sim = biela.Sim(ROD, formulation="joint")
        sim.step(400)
        # w^2 = 3 g sin(fall) / L of a rod let go at the horizontal
        fall = -sim["pin.angle"]
        self.assertAlmostEqual(sim["pin.rate"] ** 2, 3 * 9.81 * math.sin(fall), delta=1e-4)

    def test_unknown_fields_and_kinds_are_refused_by_name(self):
        m = biela.Model(name="x")
        for call in (lambda: m.add_body("b", mas=1), lambda: m.add("sprong", "s"), lambda: m.add_body("b", com=[1, 2, 3, 4]),
                     lambda: m.add_joint("j", kind=2, a="nobody", b="ground"), lambda: m.add_torque("t", joint="none"),
                     lambda: m.nonsense, lambda: m.add_body(3)):
            with self.assertRaises((TypeError, ValueError, AttributeError, biela.BielaError)):
                call()
        with self.assertRaises(TypeError):
            biela.Sim(ROD, step_size=1)
        with self.assertRaises(biela.BielaError):
            biela.Sim(ROD, dt=-1)


class Views(unittest.TestCase):
    def test_arrays_are_the_memory_of_the_sim(self):
        sim = biela.Sim("four-bars")
        q, v, poses = sim.q, sim.v, sim.poses
        before = q.copy()
        sim.step(10)
        self.assertEqual(q.ctypes.data, sim.q.ctypes.data)  # no copy: the same memory, brought up to date
        self.assertFalse(np.array_equal(before, q))
        self.assertFalse(q.flags.owndata or q.flags.writeable or poses.flags.owndata)
        self.assertEqual(poses.shape, (len(sim.model.bodies), 7))
        self.assertEqual(len(sim.coordinates), len(v))
        with self.assertRaises(ValueError):
            q[0] = 1.0

    def test_inputs_are_written_in_place(self):
        sim = biela.Sim(ROD)
        address = sim.inputs.ctypes.data
        sim.inputs[0] = 5.0
        sim.step()
        self.assertEqual(sim.inputs.ctypes.data, address)
        # the trapezoidal rule takes the mean of both ends
        self.assertAlmostEqual(sim["pin.rate"], (2.5 - 9.81 * 1.5) * 1e-3, delta=1e-6)
        sim["push"] = math.nan
        with self.assertRaises(biela.BielaError):
            sim.step()

    def test_loop_copies_and_allocates_nothing(self):
        import tracemalloc

        sim = biela.Sim(ROD)
        read = sim.reader(["pin.angle", "pin.rate"])
        out = read()
        for _ in range(100):  # what Python keeps for itself
            sim.inputs[0] = -10.0 * out[0]
            sim.step()
            read()
        tracemalloc.start()
        first = tracemalloc.take_snapshot()
        for _ in range(2000):
            sim.inputs[0] = -10.0 * out[0]
            sim.step()
            self.assertIs(read(), out)
        grown = sum(s.size_diff for s in tracemalloc.take_snapshot().compare_to(first, "filename") if "biela" in s.traceback[0].filename)
        tracemalloc.stop()
        self.assertLess(grown, 2000)

    def test_arrays_outlive_their_sim(self):
        sim = biela.Sim("four-bars")
        q = sim.q
        last = q.copy()
        sim.close()
        del sim
        gc.collect()
        np.testing.assert_array_equal(q, last)

    def test_closed_sim_is_an_exception(self):
        sim = biela.Sim(ROD)
        read = sim.reader(["pin.angle"])
        sim.close()
        sim.close()
        for call in (sim.step, lambda: sim.step(5), lambda: sim.q, lambda: sim.run(1), sim.save, lambda: sim["pin.angle"], read, sim.start,
                     sim.mass_matrix, lambda: sim.hash, lambda: sim.t, lambda: sim.unit("pin.angle"), lambda: sim.set_state()):
            with self.assertRaises(biela.BielaError):
                call()
        model = biela.Model(ROD)
        model.close()
        with self.assertRaises(biela.BielaError):
            biela.Sim(model)

    def test_what_lives_in_c_is_neither_copied_nor_pickled(self):
        sim = biela.Sim("pendulum")
        for thing in (sim, sim.model, biela.Batch("pendulum", 2)):
            for way in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaises(TypeError):
                    way(thing)
        self.assertEqual(list(pickle.loads(pickle.dumps(sim.q))), list(sim.q))

    def test_steps_are_counted_as_c_can(self):
        sim, batch = biela.Sim("pendulum"), biela.Batch("pendulum", 2)
        for n in (2**63, 2**64 + 5, 2**70, -1, -(2**64) + 1):
            for thing in (sim, batch):
                with self.assertRaises(ValueError):
                    thing.step(n)
        for n in (1.5, math.nan, "1", None):
            for thing in (sim, batch):
                with self.assertRaises(TypeError):
                    thing.step(n)
        self.assertEqual(sim.t, 0.0)

    def test_settled_start_is_that_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "run.csv")
            subprocess.run([os.environ["BIELA"], "run", "forklift", "--run", "j-turn", "--time", "0.01", "--quiet", "--out", out],
                           check=True, stderr=subprocess.DEVNULL)
            with open(out) as file:
                first = next(csv.DictReader(file))
        sim = biela.Sim(biela.Model("forklift", run="j-turn"))
        self.assertEqual(sim["truck.x"], float(first["truck.x"]))
        self.assertNotEqual(sim["truck.x"], 0.0)

    def test_batch_larger_than_the_machine_is_refused_at_once(self):
        with self.assertRaises(MemoryError):
            biela.Batch("pendulum", 10**10)

    def test_poses_need_their_shape_and_directions(self):
        sim = biela.Sim("pendulum")
        q, poses = sim.q.copy(), sim.poses.copy()
        lost = poses.copy()
        lost[1, 3:] = 0.0
        for wrong in (poses.reshape(-1), poses.T, poses[:1], lost, poses * math.nan):
            with self.assertRaises((ValueError, biela.BielaError)):
                sim.set_poses(wrong)
        self.assertEqual(list(sim.q), list(q))
        sim.set_poses(poses)

    def test_input_that_is_no_number_stops_the_step_by_name(self):
        sim = biela.Sim("forklift")  # its levers are bounded, and a bound of nan is a number
        for value in (math.nan, math.inf):
            sim["drive"] = value
            with self.assertRaisesRegex(biela.BielaError, "input drive"):
                sim.step()
        sim["drive"] = 0.0
        sim.step()

    def test_function_cannot_step_the_sim_that_calls_it(self):
        said = []

        def meddles(t, pos, vel, value, rate):
            for way in (lambda: sim.step(), lambda: sim.q, lambda: sim.hash, lambda: sim.save(), lambda: sim.close()):
                if sim is not None:
                    try:
                        way()
                        said.append("nothing")
                    except biela.BielaError as error:
                        said.append(str(error))
            return None, None

        sim = None
        m = biela.Model(ROD)
        m.add_force_function("mine", meddles, points=[("rod", [1, 0, 0])], joints=["pin"])
        sim = biela.Sim(m)
        sim.step()
        sim.step(2)
        self.assertTrue(said and all("inside its own step" in s or "another thread" in s for s in said), said[:3])

    def test_wrong_types_and_shapes_are_exceptions(self):
        sim = biela.Sim("four-bars")
        n = len(sim.q)
        for wrong in ("text", [1, 2], np.zeros(n + 1), np.zeros((n, 1)), np.zeros(n, dtype=complex), np.array(["a"] * n), [None] * n):
            with self.assertRaises((TypeError, ValueError)):
                sim.set_state(q=wrong)
        with self.assertRaises(biela.BielaError):
            sim.set_state(q=np.full(n, np.nan))
        with self.assertRaises((TypeError, ValueError)):
            sim.set_poses(np.zeros((2, 7)))
        with self.assertRaises(KeyError):
            sim["nothing"]
        with self.assertRaises(KeyError):
            sim["nothing"] = 1
        with self.assertRaises(ValueError):
            sim.step(-1)
        with self.assertRaises(TypeError):
            sim.step("x")
        with self.assertRaises(biela.BielaError):
            sim.load(b"nonsense")
        with self.assertRaises(biela.BielaError):
            sim.jacobian("nobody")
        # other number types are converted, and strides do not matter
        sim.set_state(q=np.asarray(sim.q, dtype=np.float32).astype(object).astype(float)[::-1][::-1])


class State(unittest.TestCase):
    def test_equations_of_a_rod(self):
        sim = biela.Sim(ROD, formulation="joint")
        sim.set_state([0.3], [2.0])
        self.assertAlmostEqual(sim.mass_matrix()[0, 0], 1.0, delta=1e-14)  # m L^2 / 3
        self.assertAlmostEqual(sim.forces()[0], -3 * 9.81 * 0.5 * math.cos(0.3), delta=1e-13)
        a, multipliers = sim.forward_dynamics([4.0])
        self.assertAlmostEqual(a[0], 4.0 - 3 * 9.81 * 0.5 * math.cos(0.3), delta=1e-12)
        self.assertEqual(len(multipliers), 0)
        self.assertAlmostEqual(sim.inverse_dynamics(a)[0], 4.0, delta=1e-12)
        velocity = sim.jacobian("rod", [1, 0, 0]) @ sim.v
        np.testing.assert_allclose(velocity, [-2 * math.sin(0.3), 2 * math.cos(0.3), 0, 0, 0, 2], atol=1e-14)

    def test_natural_and_joint_coordinates_agree(self):
        joint, natural = biela.Sim(ROD, formulation="joint"), biela.Sim(ROD)
        joint.set_state([0.3], [2.0])
        natural.set_poses(joint.poses, joint.twists)
        np.testing.assert_allclose(natural.poses, joint.poses, atol=1e-12)
        v, M = natural.v, natural.mass_matrix()
        self.assertAlmostEqual(v @ M @ v, 4.0, delta=1e-11)
        a, multipliers = natural.forward_dynamics()
        np.testing.assert_allclose(M @ a + natural.gradient().T @ multipliers, natural.forces(), atol=1e-9)

    def test_snapshot_goes_back_to_the_bit(self):
        sim = biela.Sim("forklift")
        sim["drive"] = 1.0
        sim.step(50)
        kept, hash = sim.save(), sim.hash
        sim.step(50)
        end = sim.hash
        sim.load(kept)
        self.assertEqual(sim.hash, hash)
        sim.step(50)
        self.assertEqual(sim.hash, end)

    def test_steps_one_by_one_have_the_bits_of_many(self):
        one, many = biela.Sim("clio"), biela.Sim("clio")
        for _ in range(100):
            one.step()
        many.step(100)
        self.assertEqual(one.hash, many.hash)

    def test_gradient_of_a_step_is_what_states_that_differ_do(self):
        sim = biela.Sim(ROD, formulation="joint")
        sim.step(50)
        there = sim.hash
        A, B = sim.step_gradient()
        self.assertEqual((A.shape, B.shape, sim.hash), ((2, 2), (2, 1), there))
        # trapezoidal steps keep areas, and there is no friction
        self.assertAlmostEqual(np.linalg.det(A), 1.0, delta=1e-7)
        # a push of 1 N m on 1 kg m2 for 1 ms
        self.assertAlmostEqual(B[1, 0], sim.dt / 1.0, delta=1e-8)

    def test_rates_are_for_integrators_of_others(self):
        own, other = (biela.Sim(ROD, formulation="joint", scheme="rk4") for _ in range(2))
        x, h = other.state, own.dt
        for k in range(100):
            own.step()
            f = [other.rates(k * h, x)]
            for c in (0.5, 0.5, 1.0):
                f.append(other.rates((k + c) * h, x + c * h * f[-1]))
            x = x + h / 6 * (f[0] + 2 * f[1] + 2 * f[2] + f[3])
        np.testing.assert_allclose(x, own.state, atol=1e-12)
        with self.assertRaises(biela.BielaError) as caught:
            loop = biela.Sim("slider-crank")
            loop.rates(0.0, loop.state)
        self.assertIn("joint coordinates", str(caught.exception))
        for wrong in ([1], ["a", "b"], None):
            with self.assertRaises((TypeError, ValueError)):
                other.rates(0.0, wrong)

    def test_modes_of_a_hanging_rod(self):
        sim = biela.Sim(dict(ROD, joints={"pin": dict(ROD["joints"]["pin"], value=-math.pi / 2)}), formulation="joint")
        modes = sim.modes()
        # sqrt(3 g / (2 L))
        self.assertAlmostEqual(abs(modes.eigenvalues[0].imag), math.sqrt(1.5 * 9.81), delta=1e-6)


class Callbacks(unittest.TestCase):
    def model(self, function):
        m = biela.Model(ROD)
        m.add_force_function("mine", function, points=[("rod", [1, 0, 0])], joints=["pin"])
        return m

    def test_force_of_a_function_is_that_of_a_law(self):
        m = self.model(lambda t, pos, vel, value, rate: ([(0, 0, 0)], [-5.0 * value[0] - 0.1 * rate[0]]))
        law = dict(ROD, forces={"k": {"type": "torsion-spring", "joint": "pin", "stiffness": 5, "damping": 0.1}})
        mine, other = biela.Sim(m), biela.Sim(law)
        mine.step(300)
        other.step(300)
        # tangents by differences: iterations end elsewhere within the tolerance of a step
        self.assertAlmostEqual(mine["pin.angle"], other["pin.angle"], delta=1e-7)

    def test_exception_comes_out_of_the_step(self):
        class Mine(Exception):
            pass

        armed = []

        def fails(t, pos, vel, value, rate):
            if armed:
                raise Mine("no more")
            return None, None

        sim = biela.Sim(self.model(fails))
        sim.step(3)
        t = sim.t
        armed.append(True)
        for call in (sim.step, lambda: sim.step(10)):
            with self.assertRaises(Mine):
                call()
        armed.clear()
        self.assertEqual(sim.t, t)  # all or nothing
        sim.step()
        armed.append(True)
        with self.assertRaises(Mine):
            biela.Sim(self.model(fails))

    def test_nonsense_of_a_function_is_an_exception(self):
        for answer in (3, (None,), ([1], None), ([("a", 0, 0)], None), ([(0, 0, 0)] * 9, None), (None, ["x"])):
            with self.assertRaises((TypeError, ValueError, IndexError)):
                biela.Sim(self.model(lambda *_, a=answer: a)).step()

    def test_contacts_are_told(self):
        m = biela.Model({"biela": 1, "name": "ball", "bodies": {"ball": {"mass": 1, "inertia": {"sphere": 0.1}, "at": [0, 0, 0.2]}},
                         "shapes": {"floor": {"type": "plane", "body": "ground"}, "skin": {"type": "sphere", "body": "ball", "radius": 0.1}},
                         "forces": {"touch": {"type": "contact", "a": "skin", "b": "floor", "stiffness": 1e5, "damping": 50}}})
        told = []
        m.observe_contact("touch", lambda t, touch: told.append((t, touch)))
        sim = biela.Sim(m)
        sim.step(400)
        self.assertTrue(told)
        self.assertGreater(told[0][0], math.sqrt(2 * 0.1 / 9.81) - 2e-3)
        self.assertAlmostEqual(told[0][1]["normal"][2], 1.0, delta=1e-12)
        with self.assertRaises(biela.BielaError):
            m.observe_contact("nothing", print)


    def test_contacts_of_an_instant_hold_what_lies(self):
        box = {"biela": 1, "name": "box", "gravity": [0, 0, -9.81], "bodies": {"box": {"mass": 3, "inertia": {"box": [0.2, 0.2, 0.2]}, "at": [0, 0, 0.1]}},
               "shapes": {"floor": {"type": "plane", "body": "ground"}, "skin": {"type": "box", "body": "box", "size": [0.2, 0.2, 0.2]}},
               "forces": {"touch": {"type": "contact", "a": "skin", "b": "floor", "stiffness": 1e5, "damping": 500}}}
        sim = biela.Sim(box)
        sim.step(3000)
        there = sim.hash
        places = sim.contacts()
        self.assertEqual(len(places), 4)
        self.assertEqual((places["a"][0], places["b"][0]), ("skin", "floor"))
        self.assertAlmostEqual(places["force"][:, 2].sum(), 3 * 9.81, delta=1e-6)  # at rest
        self.assertEqual(sim.hash, there)
        self.assertEqual(biela.Sim(ROD).contacts().shape, (0,))


class Many(unittest.TestCase):
    def test_fit_finds_what_the_data_were_made_with(self):
        made = biela.run(biela.Model("pendulum", set={"L": 1.3, "theta0": 2.5}), 1, 0.05, channels=["P.x", "P.y"])
        found = biela.fit("pendulum", {"L": 1.1, "theta0": 2.9}, made)
        self.assertTrue(found.is_settled)
        self.assertAlmostEqual(found.parameters["L"], 1.3, delta=1e-9)
        self.assertAlmostEqual(found.parameters["theta0"], 2.5, delta=1e-9)
        # with noise: within a few of the errors that it tells
        rng = np.random.default_rng(1)
        noisy = {"t": made.t, "P.x": made["P.x"] + rng.normal(0, 0.01, len(made.t)), "P.y": made["P.y"] + rng.normal(0, 0.01, len(made.t))}
        found = biela.fit("pendulum", {"L": 1.1, "theta0": 2.9}, noisy, sigma={"P.x": 0.01, "P.y": 0.01})
        for name, value in (("L", 1.3), ("theta0", 2.5)):
            self.assertTrue(0 < found.errors[name] < 0.01)
            self.assertLess(abs(found.parameters[name] - value), 4 * found.errors[name])
        self.assertAlmostEqual(found.left["P.x"], 0.01, delta=0.005)
        bounded = biela.fit("pendulum", {"L": 1.1}, made, bounds={"L": (1.0, 1.2)}, iterations=5)
        self.assertTrue(1.0 <= bounded.parameters["L"] <= 1.2)
        for wrong in ({}, {"t": [0, 1]}, {"t": [1, 0], "P.x": [0, 0]}, {"t": [0, 1], "P.x": [0, float("nan")]}, {"P.x": [1, 2]},
                      {"t": [0, 1], "P.x": [0]}):
            with self.assertRaises(ValueError):
                biela.fit("pendulum", {"L": 1}, wrong)
        with self.assertRaises(ValueError):
            biela.fit("pendulum", {}, made)
        with self.assertRaises(KeyError):
            biela.fit("pendulum", {"L": 1}, {"t": [0, 1], "nothing": [0, 1]})
        with self.assertRaises(biela.BielaError):
            biela.fit("pendulum", {"nothing": 1}, made)

    def test_batch_has_the_bits_of_sims_alone(self):
        batch = biela.Batch(biela.Model(ROD), 5, workers=2)
        push = np.linspace(-2, 2, 5)
        batch.set_inputs({"push": push})
        batch.step(200)
        for k in range(5):
            alone = biela.Sim(ROD)
            alone["push"] = push[k]
            alone.step(200)
            self.assertEqual(int(batch.hashes[k]), alone.hash)
        self.assertEqual(batch.read(["pin.angle"])["pin.angle"].shape, (5,))
        self.assertEqual(batch.failures, {})
        batch.close()
        with self.assertRaises(biela.BielaError):
            batch.step()
        for call in (lambda: biela.Batch(ROD["name"]), lambda: biela.Batch([]), lambda: biela.Batch(biela.Model(ROD), 0)):
            with self.assertRaises((ValueError, biela.BielaError)):
                call()

    def test_batch_reads_and_writes_arrays_where_they_lie(self):
        push = np.ascontiguousarray(np.linspace(-2, 2, 5)[np.newaxis])
        one, other = biela.Batch(biela.Model(ROD), 5), biela.Batch(biela.Model(ROD), 5, device="threads")
        one.set_inputs({"push": push[0]})
        other.set_inputs(push, ["push"])
        out = np.full((2, 5), math.nan)
        for batch in (one, other):
            batch.step(100)
        rows = other.read(["pin.angle", "pin.rate"], out=out)
        self.assertTrue(np.shares_memory(rows["pin.rate"], out))
        self.assertTrue(np.array_equal(out[0], one.read(["pin.angle"])["pin.angle"]))
        self.assertTrue(np.array_equal(one.hashes, other.hashes))
        frozen = out.copy()
        frozen.flags.writeable = False
        for wrong in (out.T.copy(), out[:, :4], out.astype(np.float32), np.asfortranarray(out), frozen):
            with self.assertRaises(ValueError):
                other.read(["pin.angle", "pin.rate"], out=wrong)
        for call in (lambda: other.set_inputs(push), lambda: other.set_inputs(push, ["push", "push"]),
                     lambda: other.set_inputs(push.T, ["push"])):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(KeyError):
            other.set_inputs(push, ["pull"])
        self.assertIn("threads", biela.Batch.devices())
        for device in ("nothing", "mirror"):
            with self.assertRaises(biela.BielaError):
                biela.Batch(biela.Model(ROD), 5, device=device)

    def test_sweep_has_a_row_for_each_case(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rod.yaml")
            with open(path, "w") as out:
                json.dump(dict(ROD, parameters={"m": 3, "turn": 1}, forces={"m": {"type": "torque", "joint": "pin", "torque": "turn"}},
                               bodies={"rod": dict(ROD["bodies"]["rod"], mass="m")}), out)
            swept = biela.sweep(path, {"m": [1.0, 2.0, 3.0], "turn": [0.0, 1.0]}, channels=["pin.angle"], time=0.2)
            self.assertEqual(len(swept.parameters["m"]), 6)
            self.assertEqual(swept.failures, {})
            alone = biela.Sim(biela.Model(path, set={"m": 2.0, "turn": 1.0}))
            alone.run_to(0.2)
            self.assertEqual(swept.channels["pin.angle"][3], alone["pin.angle"])

    def test_sims_run_in_threads_at_once_and_not_two_threads_in_one(self):
        ends = [None] * 4

        def work(k):
            sim = biela.Sim("four-bars")
            sim.step(300)
            ends[k] = sim.hash

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(set(ends)), 1)

        sim = biela.Sim("four-bars")
        said, begun, stop = [], threading.Event(), threading.Event()

        def intrude():
            begun.set()
            while not stop.is_set():
                try:
                    sim.step()
                    sim.q
                except biela.BielaError as error:
                    said.append(str(error))

        other = threading.Thread(target=intrude)
        other.start()
        begun.wait()
        for _ in range(50):
            try:
                sim.step(200)
            except biela.BielaError as error:
                said.append(str(error))
            if said:
                break
        stop.set()
        other.join()
        self.assertTrue(all("another thread" in s for s in said))
        sim.step()

    def test_fork_leaves_a_sim_that_works_or_says_why_not(self):
        code = """
import os, sys, biela
plain, crowd = biela.Sim("pendulum"), biela.Sim("box-stack", threads=2)
plain.step(5); crowd.step(1)
child = os.fork()
if child == 0:
    plain.step(5)
    try:
        crowd.step(1)
    except biela.BielaError as error:
        os._exit(0 if "after the fork" in str(error) else 3)
    os._exit(4)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
        done = subprocess.run([sys.executable, "-c", code], timeout=120)
        self.assertEqual(done.returncode, 0)


class Around(unittest.TestCase):
    def test_results_are_saved_and_friendly(self):
        result = biela.run(ROD, 0.1, every=0.01)
        self.assertEqual(len(result.t), 11)
        self.assertEqual(result.units["pin.angle"], "rad")
        with tempfile.TemporaryDirectory() as folder:
            result.save(os.path.join(folder, "r.csv"))
            np.testing.assert_array_equal(biela.read(os.path.join(folder, "r.csv"))["pin.angle"], result["pin.angle"])
            result.save(os.path.join(folder, "r.npz"))
            np.testing.assert_array_equal(np.load(os.path.join(folder, "r.npz"))["pin.angle"], result["pin.angle"])
        with self.assertRaises(KeyError):
            result["nothing"]
        for module, call in (("pandas", result.to_dataframe), ("matplotlib", result.plot), ("xarray", result.to_xarray)):
            try:
                __import__(module)
            except ImportError:
                with self.assertRaises(ImportError):
                    call()
            else:
                call()

    def test_control_is_called_at_every_instant(self):
        sim = biela.Sim(ROD)
        times = []

        def control(s):
            times.append(s.t)
            s["push"] = 3 * 9.81 * 0.5 * math.cos(s["pin.angle"]) - 2.0 * s["pin.rate"] - 20.0 * s["pin.angle"]

        result = sim.run(1.0, every=0.005, control=control)
        np.testing.assert_array_equal(times, result.t)
        self.assertLess(abs(result["pin.angle"][-1]), 1e-3)

    def test_forklift_is_an_environment(self):
        env = biela.forklift.Forklift(rate=20, seconds=3)
        first, info = env.reset(seed=4)
        again, _ = env.reset(seed=4)
        np.testing.assert_array_equal(first, again)
        self.assertTrue(env.action_space.contains([0, 1, 0, 0]) and not env.action_space.contains([0, 2, 0, 0]))
        nearer, steps, done = 0.0, 0, False
        while not done:
            seen, reward, terminated, truncated, info = env.step([np.clip(first[1], -0.2, 0.2), 1.0, 0.0, 0.0])
            nearer += reward
            steps += 1
            done = terminated or truncated
        self.assertEqual((steps, terminated), (60, False))
        self.assertGreater(nearer, 1.0)
        for wrong in ([1, 2], [np.nan] * 4, "abcd"):
            with self.assertRaises((ValueError, TypeError)):
                env.step(wrong)
        env.close()
        with self.assertRaises(biela.BielaError):
            env.step([0, 0, 0, 0])

    def test_page_opens(self):
        with biela.show(biela.Sim("pendulum"), open=False) as page:
            import urllib.request

            with urllib.request.urlopen(page.url, timeout=30) as answer:
                self.assertEqual(answer.status, 200)
        with self.assertRaises(biela.BielaError):
            biela.show(biela.Model(ROD), open=False)

    def test_module_runs_a_model(self):
        said = subprocess.run([sys.executable, "-m", "biela", "pendulum", "0.1"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("energy.total", said.stdout)
        said = subprocess.run([sys.executable, "-m", "biela", "no-such"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 1)
        self.assertNotIn("Traceback", said.stderr)


if __name__ == "__main__":
    unittest.main()
