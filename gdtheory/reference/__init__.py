"""Right-hand sides of the claims: what an attention layer is said to equal, one function per equation."""
