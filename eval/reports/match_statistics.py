#!/usr/bin/env python3
"""Statistics of a match, computed independently of Kankei.

    match_statistics.py RESULTS [ELO0 ELO1]

RESULTS: a letter for each game in order, w, d or l, from the first engine's view; two games are a
pair. Prints Elo and its 95 % error, normalized Elo, LOS, the pentanomial counts and the
log-likelihood ratio of ELO1 against ELO0 (default -5 and 30) with the formulas of fastchess and
Fishtest. The likelihoods are maximized numerically, without the Lagrange multiplier of the program.
"""
import math, sys
from itertools import combinations
from statistics import NormalDist, fmean, pvariance

def elo(score):
    return -400 * math.log10(1 / score - 1)

def maximum(counts, mean):
    """Largest log-likelihood of the counts over distributions with this mean, by ascent
    along all transfers between three scores that keep sum and mean."""
    # Start: two distributions with this mean, mixed.
    p = [1 - mean, 0, 0, 0, mean]
    q = [0.2] * 5
    m = .5
    t = (mean - m) / ((1 - m) if mean > m else -m)
    q = [(1 - abs(t)) * x for x in q]
    q[4 if mean > m else 0] += abs(t)
    p = [(a + b) / 2 for a, b in zip(p, q)]
    directions = []
    for i, j, k in combinations(range(5), 3):
        d = [0] * 5
        d[i], d[j], d[k] = k - j, i - k, j - i
        directions.append(d)
    value = lambda p: sum(c * math.log(x) for c, x in zip(counts, p))
    for _ in range(20000):
        before = value(p)
        for d in directions:
            low = max(-x / s for x, s in zip(p, d) if s > 0)
            high = min(-x / s for x, s in zip(p, d) if s < 0)
            low, high = low * (1 - 1e-13), high * (1 - 1e-13)
            slope = lambda a: sum(c * s / (x + a * s) for c, s, x in zip(counts, d, p))
            for _ in range(200):
                middle = (low + high) / 2
                low, high = (middle, high) if slope(middle) > 0 else (low, middle)
            p = [x + (low + high) / 2 * s for x, s in zip(p, d)]
        if value(p) - before < 1e-13:
            break
    return value(p)

def main():
    results, bounds = sys.argv[1], [float(x) for x in sys.argv[2:4]] or [-5.0, 30.0]
    games = [{'w': 1, 'd': .5, 'l': 0}[c] for c in results]
    pairs = [(a + b) / 2 for a, b in zip(games[::2], games[1::2])]
    counts = [sum(p == x for p in pairs) for x in (0, .25, .5, .75, 1)]
    score, var = fmean(games), pvariance(pairs)
    error = math.sqrt(var / len(pairs))
    low, high = score - 1.96 * error, score + 1.96 * error
    print(f"+{games.count(1)} ={games.count(.5)} -{games.count(0)}  score {100 * score:.1f}%")
    if 0 < low and high < 1:
        print(f"Elo {elo(score):+.1f} +/- {(elo(high) - elo(low)) / 2:.1f} ({elo(low):+.0f}..{elo(high):+.0f})")
    unit = 800 / math.log(10) / math.sqrt(2 * var) if var else math.nan
    print(f"nElo {(fmean(pairs) - .5) * unit:+.1f} +/- {1.96 * error * unit:.1f}")
    if error:
        print(f"LOS {100 * NormalDist().cdf((score - .5) / error):.1f}%")
    print(f"pairs {counts}")
    c = [max(x, 1e-3) for x in counts]
    expected = [1 / (1 + 10 ** (-e / 400)) for e in bounds]
    print(f"LLR {maximum(c, expected[1]) - maximum(c, expected[0]):.6f}")

if __name__ == '__main__':
    main()
