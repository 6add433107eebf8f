#!/usr/bin/env python3
"""Writes normal_quantile_table.inc, the table behind NormalUpperQuantile().

    python3 normal_quantile_table.py > normal_quantile_table.inc

The table describes z(v), the point above which a standard normal variable
lies with probability 2**-v, for v from 1 to 64. Each octave of v (from 1 to 2,
from 2 to 4, ..., from 32 to 64) is cut into 32 equal segments, and on each of
them z is a cubic in x, the place within the segment from 0 to 1:

    z = c0 + c1 * x + c2 * x**2 + c3 * x**3

the one that has the right value and slope at both ends (Hermite). With
t = 2**-v and the normal density phi, the slope is dz/dv = t * ln(2) / phi(z).
Values are from Python's statistics.NormalDist (algorithm AS 241, relative
error about 1e-16); coefficients are in units of 2**-40, so that the last bits
of the C library's functions leave no trace. The error of z is below 1e-7.
"""

import math
import statistics

OCTAVES = 6
SEGMENTS = 32
UNIT = 2.0**40

NORMAL = statistics.NormalDist()


def value_and_slope(v):
    t = 2.0**-v
    z = -NORMAL.inv_cdf(t)
    return z, t * math.log(2.0) / NORMAL.pdf(z)


def main():
    print("// Made by normal_quantile_table.py: c0, c1, c2, c3 of each segment.")
    for octave in range(OCTAVES):
        start = 2.0**octave
        width = start / SEGMENTS
        for segment in range(SEGMENTS):
            z0, slope0 = value_and_slope(start + segment * width)
            z1, slope1 = value_and_slope(start + (segment + 1) * width)
            slope0 *= width
            slope1 *= width
            c2 = 3 * (z1 - z0) - 2 * slope0 - slope1
            c3 = 2 * (z0 - z1) + slope0 + slope1
            row = [round(c * UNIT) + 0 for c in (z0, slope0, c2, c3)]
            print("{" + ", ".join(str(c) for c in row) + "},")


if __name__ == "__main__":
    main()
