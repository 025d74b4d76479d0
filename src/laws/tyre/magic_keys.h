// SPDX-License-Identifier: MIT
// The keys of the Magic Formula: name, unit, value of a file that lacks it, what it is. The struct bi_magic_formula has
// a number for each.
#pragma once

// rows of which the formatter never agrees with itself
// clang-format off

#define MAGIC_SCALES(X)                                                                                      \
    X(LFZO)                                                                                                  \
    X(LCX)                                                                                                   \
    X(LMUX)                                                                                                  \
    X(LEX)                                                                                                   \
    X(LKX)                                                                                                   \
    X(LHX)                                                                                                   \
    X(LVX)                                                                                                   \
    X(LCY)                                                                                                   \
    X(LMUY)                                                                                                  \
    X(LEY)                                                                                                   \
    X(LKY) X(LHY) X(LVY) X(LTR) X(LRES) X(LXAL) X(LYKA) X(LVYKA) X(LS) X(LMX) X(LVMX) X(LMY) X(LKYC) X(LKZC) \
        X(LMP) X(LGAX) X(LGAY) X(LGAZ) X(LSGKP) X(LSGAL)
#define MAGIC_ALONG(X)                                                                                       \
    X(PCX1)                                                                                                  \
    X(PDX1)                                                                                                  \
    X(PDX2)                                                                                                  \
    X(PDX3)                                                                                                  \
    X(PEX1)                                                                                                  \
    X(PEX2)                                                                                                  \
    X(PEX3)                                                                                                  \
    X(PEX4)                                                                                                  \
    X(PKX1)                                                                                                  \
    X(PKX2)                                                                                                  \
    X(PKX3) X(PHX1) X(PHX2) X(PVX1) X(PVX2) X(RBX1) X(RBX2) X(RBX3) X(RCX1) X(REX1) X(REX2) X(RHX1) X(PPX1)  \
        X(PPX2) X(PPX3) X(PPX4)
#define MAGIC_ACROSS(X)                                                                                      \
    X(PCY1)                                                                                                  \
    X(PDY1)                                                                                                  \
    X(PDY2)                                                                                                  \
    X(PDY3)                                                                                                  \
    X(PEY1)                                                                                                  \
    X(PEY2)                                                                                                  \
    X(PEY3)                                                                                                  \
    X(PEY4)                                                                                                  \
    X(PEY5)                                                                                                  \
    X(PKY1)                                                                                                  \
    X(PKY2) X(PKY3) X(PKY5) X(PKY6) X(PKY7) X(PHY1) X(PHY2) X(PHY3) X(PVY1) X(PVY2) X(PVY3) X(PVY4) X(RBY1)  \
        X(RBY2) X(RBY3) X(RBY4) X(RCY1) X(REY1) X(REY2) X(RHY1) X(RHY2) X(RVY1) X(RVY2) X(RVY3) X(RVY4)      \
            X(RVY5) X(RVY6) X(PPY1) X(PPY2) X(PPY3) X(PPY4) X(PPY5)
#define MAGIC_OVERTURNING(X)                                                                                 \
    X(QSX1)                                                                                                  \
    X(QSX2)                                                                                                  \
    X(QSX3)                                                                                                  \
    X(QSX4) X(QSX5) X(QSX6) X(QSX7) X(QSX8) X(QSX9) X(QSX10) X(QSX11) X(QSX12) X(QSX13) X(QSX14) X(PPMX1)
#define MAGIC_ROLLING(X) X(QSY1) X(QSY2) X(QSY3) X(QSY4) X(QSY5) X(QSY6) X(QSY7) X(QSY8)
#define MAGIC_ALIGNING(X)                                                                                    \
    X(QBZ1)                                                                                                  \
    X(QBZ2)                                                                                                  \
    X(QBZ3)                                                                                                  \
    X(QBZ4)                                                                                                  \
    X(QBZ5)                                                                                                  \
    X(QBZ9)                                                                                                  \
    X(QBZ10)                                                                                                 \
    X(QCZ1)                                                                                                  \
    X(QDZ1)                                                                                                  \
    X(QDZ2)                                                                                                  \
    X(QDZ3) X(QDZ4) X(QDZ6) X(QDZ7) X(QDZ8) X(QDZ9) X(QDZ10) X(QDZ11) X(QEZ1) X(QEZ2) X(QEZ3) X(QEZ4)        \
        X(QEZ5) X(QHZ1) X(QHZ2) X(QHZ3) X(QHZ4) X(SSZ1) X(SSZ2) X(SSZ3) X(SSZ4) X(PPZ1) X(PPZ2)
#define MAGIC_TURN_SLIP(X)                                                                                   \
    X(PDXP1)                                                                                                 \
    X(PDXP2)                                                                                                 \
    X(PDXP3)                                                                                                 \
    X(PKYP1)                                                                                                 \
    X(PDYP1)                                                                                                 \
    X(PDYP2)                                                                                                 \
    X(PDYP3)                                                                                                 \
    X(PDYP4) X(PHYP2) X(PHYP3) X(PHYP4) X(PECP1) X(PECP2) X(QDTP1) X(QCRP1) X(QCRP2) X(QBRP1) X(QDRP2)
// Those that are no plain coefficient: unit, value where a file lacks it, help.
#define MAGIC_OTHERS(X)                                                                                      \
    X(FITTYP, "1", 61.0, BI_REQUIRED, "version: 5, 6, 21 or 52 is 5.2; 60, 61 or 62 is 6.x")                 \
    X(USE_MODE, "1", 4.0, BI_REQUIRED,                                                                       \
      "its last digit: 0 load only, 1 Fx and My, 2 Fy, Mx and Mz, 3 both, 4 combined, 5 with turn slip")     \
    X(UNLOADED_RADIUS, "m", 0.0, BI_REQUIRED | BI_POSITIVE, "radius in the formula")                         \
    X(FNOMIN, "N", 0.0, BI_REQUIRED | BI_POSITIVE, "nominal load")                                           \
    X(LONGVL, "m/s", 16.7, BI_REQUIRED | BI_POSITIVE, "speed at which it was measured")                      \
    X(NOMPRES, "Pa", 0.0, 0, "nominal pressure")                                                             \
    X(INFLPRES, "Pa", 0.0, 0, "pressure it has")                                                             \
    X(PRESMIN, "Pa", 0.0, 0, "least pressure of the data")                                                   \
    X(PRESMAX, "Pa", 0.0, 0, "largest pressure of the data")                                                 \
    X(KPUMIN, "1", 0.0, 0, "least slip of the data")                                                         \
    X(KPUMAX, "1", 0.0, 0, "largest slip of the data")                                                       \
    X(ALPMIN, "rad", 0.0, 0, "least slip angle of the data")                                                 \
    X(ALPMAX, "rad", 0.0, 0, "largest slip angle of the data")                                               \
    X(CAMMIN, "rad", 0.0, 0, "least camber of the data")                                                     \
    X(CAMMAX, "rad", 0.0, 0, "largest camber of the data")                                                   \
    X(FZMIN, "N", 0.0, 0, "least load of the data: below it forces go with the load")                        \
    X(FZMAX, "N", 0.0, 0, "largest load of the data")                                                        \
    X(RIM_RADIUS, "m", 0.0, 0, "radius of the rim")                                                          \
    X(BOTTOM_OFFST, "m", 0.0, 0, "above the rim, where the tyre is pressed through")                         \
    X(BOTTOM_STIFF, "N/m", 0.0, 0, "stiffness from there on, besides (default: none)")                       \
    X(LONGITUDINAL_STIFFNESS, "N/m", 0.0, 0, "of the carcass, along (default: K/radius)")                    \
    X(LATERAL_STIFFNESS, "N/m", 0.0, 0, "of the carcass, across (default: K/radius)")                        \
    X(Q_RE0, "1", 1.0, 0, "radius without load over UNLOADED_RADIUS (default 1)")                            \
    X(PKY4, "1", 2.0, 0, "lateral coefficient: cornering stiffness over load (default 2)")                   \
    X(PHYP1, "1", 1.0, 0, "turn slip: shape of the lateral shift (default 1)")                               \
    X(QDRP1, "1", 1.0, 0, "turn slip: shape of the moment (default 1)")
#define MAGIC_VERTICAL(X)                                                                                    \
    X(BREFF) X(DREFF) X(FREFF) X(Q_V1) X(Q_V2) X(Q_FZ2) X(Q_FCX) X(Q_FCY) X(Q_FCY2) X(PFZ1)
#define MAGIC_TRANSIENT(X)                                                                                   \
    X(PCFX1) X(PCFX2) X(PCFX3) X(PCFY1) X(PCFY2) X(PCFY3) X(PTX1) X(PTX2) X(PTX3) X(PTY1) X(PTY2)
// clang-format on
