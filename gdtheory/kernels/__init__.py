"""Numba twins of the constructions, for large sizes; each module imports Numba, this one does not."""
