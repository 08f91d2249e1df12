"""``python -m gdtheory`` is the command ``gdtheory``."""

import sys

from gdtheory.cli import main

# Worker processes import this file again, under another name.
if __name__ == "__main__":
    sys.exit(main())
