"""What the command writes on: a terminal of some width, or a pipe."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

PROSE = 100
"""Most columns of running text."""

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


@dataclass(frozen=True, slots=True)
class Screen:
    """A stream, its width in columns (None: no limit), and whether it shows colours."""

    stream: TextIO
    width: int | None
    colour: bool

    @classmethod
    def of(cls, stream: TextIO) -> Screen:
        """Return the screen of a stream; NO_COLOR, COLUMNS and TERM are honoured."""
        terminal = stream.isatty()
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        limited = terminal or os.environ.get("COLUMNS")
        width = shutil.get_terminal_size().columns if limited else None
        return cls(stream, width, terminal and not plain)

    def say(self, text: str = "") -> None:
        """Write a line, or several, at once: a run of hours is followed through a pipe too."""
        self.stream.write(f"{text}\n")
        self.stream.flush()

    def paint(self, text: str, *styles: str) -> str:
        """Return the text in colour, where colours are shown."""
        if not (self.colour and styles):
            return text
        return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"

    def fill(self, text: str, first: str = "", rest: str = "") -> str:
        """Return running text, broken at spaces only; its lines begin with `first` and `rest`."""
        return textwrap.fill(
            text,
            max(min(self.width or PROSE, PROSE), 40),
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (zip(row, widths, strict=True) for row in rows)
    return "\n".join("  ".join(cell.ljust(width) for cell, width in line).rstrip() for line in lines)


def counted(n: int, noun: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "claim"), counted(2, "claim")
    ('1 claim', '2 claims')
    """
    return f"{n} {noun}{'' if n == 1 else 's'}"
