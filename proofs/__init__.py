"""Size-free derivations: a file for each claim that needs an induction, or whose steps are worth reading.

Such a file holds ``equations(p, lhs, rhs)``, which yields triples (name, left, right); the claim is
derived when left and right have the same normal form in each. It takes the sides as arguments so that
wrong versions of a claim go through the same derivation. A claim without a file here is derived by
the single equation lhs = rhs.
"""
