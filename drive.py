import biela

sim = biela.Sim("out/arm.yaml")
sim["elbow_servo"] = 0.5
sim.run(2)
