"""Prints points.go: sines and cosines in two parts."""

from decimal import Decimal, getcontext

getcontext().prec = 60


def series(term, n, x):
    total = term
    while abs(term) > Decimal(10) ** -55:
        term = -term * x * x / ((n + 1) * (n + 2))
        n += 2
        total += term
    return total


def parts(value):
    high = float(value)
    return [0 if part == 0 else part.hex() for part in (high, float(value - Decimal(high)))]


print("package resample\n")
print("// points are those of 0, 1/32, … 26/32. Made by testdata/points.py.")
print("var points = [...]point{")
for i in range(27):
    x = Decimal(i) / 32
    sine, cosine = series(x, 1, x), series(Decimal(1), 0, x)
    print("\t{" + ", ".join(map(str, parts(sine) + parts(cosine))) + "},")
print("}")
