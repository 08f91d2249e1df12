"""The claims, one file each. `gdtheory.registry` finds every module here that defines ``CLAIM``."""
