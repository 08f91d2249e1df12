"""Attention weights and layers: the left-hand sides of the claims, one file per layer."""
