"""Speed of the kernels, next to other ways to compute the same. `python -m benchmarks` runs them all."""
