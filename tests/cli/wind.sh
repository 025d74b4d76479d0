#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wind: a bicycle leans against it as the balance of moments says; a car's momentum across is what tyres and air give.
. tests/cli/support.bash

ends 0 run bicycle --run side-wind --out "$dir/bicycle.csv"
must "it leans against the wind" python3 - "$dir/bicycle.csv" <<'PY'
import csv, math, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
assert row["phi"] < -0.02, row["phi"]
# straight on: the tyres hold what the air gives; tan(heading) of it is along the way, and the last turn m v psi' is small
m, g, v = 94, 9.81, row["speed"]
turn = m*v*row["d_psi"]
side = row["Fy_r"] + row["Fy_f"] - turn
air = -row["wind.side"]
assert abs(side/air - 1) < 0.01, (side, air)
# lean of a rigid bicycle whose air acts 0.9 m up and whose weight 0.861 m (85*0.9 + 4*0.7 + 2*0.3 + 3*0.35 over 94); the
# round tread (0.018 m wide, of 0.86 m) and the caster make 3 % of it
height = (85*0.9 + 4*0.7 + 2*0.3 + 3*0.35)/m
lean = -math.atan(air*0.9/(m*g*height)) - turn/(m*g)
assert abs(row["phi"]/lean - 1) < 0.04, (row["phi"], lean)
# what the air does: c_side w y of the flow that it tells
assert abs(row["wind.side"] + 0.5*row["wind.speed"]**2*math.sin(row["wind.angle"])) < 1e-9
assert abs(row["wind.drag"] + 0.3*row["wind.speed"]**2*math.cos(row["wind.angle"])) < 1e-9
PY

ends 0 run clio --run side-wind --every 0.005 --out "$dir/car.csv"
must "its momentum across" python3 - "$dir/car.csv" <<'PY'
import csv, math, sys
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[1]))]
assert rows[-1]["body.y"] < -5 and abs(rows[-1]["steering"]) < 1e-12, rows[-1]["body.y"]
# forces along y of the ground: tyres and air turned by the yaw; mass of the body and four wheels, that all move alike
mass = 672.0080733944953 + 4*38.42
def across(r):
    yaw, tyres = r["attitude.yaw"], ["fl", "fr", "rl", "rr"]
    fx = r["gust.drag"] + sum(r[f"tyre_{w}.fx"] for w in tyres)
    fy = r["gust.side"] + sum(r[f"tyre_{w}.fy"] for w in tyres)
    return fx*math.sin(yaw) + fy*math.cos(yaw)
push = sum(0.5*(b["t"] - a["t"])*(across(a) + across(b)) for a, b in zip(rows, rows[1:]))
gained = mass*(rows[-1]["body.vy"] - rows[0]["body.vy"])
assert abs(push/gained - 1) < 0.01, (push, gained)
PY
# equal axles: the side force passes through the point where the tyres answer, the moment turns the car with N V/(2 C l^2);
# C: both tyres of an axle, 50 kN per slip each at their load; loads that
# shift and tyres that lean with the body take 4 %. And the tyres hold what the air gives
ends 0 run car --run gust --every 0.01 --out "$dir/gust.csv"
must "a gust turns the car as its bicycle model" python3 - "$dir/gust.csv" <<'PY'
import csv, math, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[200].items()}
rate = row["air.yaw"]*row["speed"]/(2*2*50000*1.3**2)
print(f"measured car, yaw rate in a gust error={abs(row['chassis.wz']/rate - 1):.3e} limit=5.000e-02")
assert row["air.yaw"] < -500 and abs(row["chassis.wz"]/rate - 1) < 0.05, (row["chassis.wz"], rate)
held = 1.3*sum(row[f"tyre{i}{j}.fy"]*(2*i - 1) for i in range(2) for j in range(2)) + 0.75*sum(row[f"tyre{i}{j}.fx"]*(1 - 2*j) for i in range(2) for j in range(2)) + sum(row[f"tyre{i}{j}.mz"] for i in range(2) for j in range(2))
print(f"measured car, moment that the tyres hold in a gust error={abs(held/row['air.yaw'] + 1):.3e} limit=2.000e-02")
assert abs(held/row["air.yaw"] + 1) < 0.02, (held, row["air.yaw"])
angle, w2 = row["air.angle"], row["air.speed"]**2
assert abs(row["air.side"] + 0.5*1.225*2*w2*math.sin(angle)) < 1e-6*w2
assert abs(abs(row["air.roll"]) - 0.5*1.225*2*2.6*0.15*w2*abs(math.sin(angle))) < 1e-6*w2
PY
finish
