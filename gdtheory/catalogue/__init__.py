"""The claims, one file each: every module here defines ``CLAIM``, and `gdtheory.registry` finds it."""
