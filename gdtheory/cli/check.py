"""The command ``check``: a table of verdicts, the details of what is red, a summary."""

from __future__ import annotations

import errno
import json
import os
import shlex
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from tqdm import tqdm

from gdtheory import registry
from gdtheory.cli import findings
from gdtheory.cli.running import cpus, finished
from gdtheory.cli.selection import choose
from gdtheory.cli.terminal import Screen, counted
from gdtheory.definition import Claim
from gdtheory.errors import ArgumentError, UnknownClaimError
from gdtheory.evidence import Report, Verdict


@dataclass(frozen=True, slots=True)
class Options:
    """How much to try, and in how many processes."""

    examples: int
    seed: int
    jobs: int

    def command(self, *names: str) -> str:
        """Return the command that repeats the check of the named claims."""
        return f"gdtheory check {' '.join(names)} --examples {self.examples} --seed {self.seed}"


def check(
    screen: Screen,
    names: Sequence[str],
    examples: int,
    seed: int,
    jobs: int | None = None,
    json_path: str | None = None,
) -> int:
    """Check claims and print what is found; return 0 if all is green, else 1."""
    start = time.perf_counter()
    claims = choose(names)
    options = Options(examples, seed, min(jobs or cpus(), len(claims)))
    with _json_file(json_path, screen) as (file, screen):
        reports = _check(screen, claims, options)
        if len(reports) == 1 and reports[0].holds:
            screen.say("\n".join(findings.found(screen, reports[0])))
        _print_red(screen, claims, reports, options)
        if file is not None:
            json.dump([report.to_json() for report in reports], file, indent=1, ensure_ascii=False)
            file.write("\n")
    screen.say(f"\n{_summary(screen, reports, options, time.perf_counter() - start)}")
    return int(any(not report.holds for report in reports))


def _check(screen: Screen, claims: Sequence[Claim], options: Options) -> list[Report]:
    """Check claims and print the table, each row as soon as all rows above it are there."""
    found: dict[int, Report] = {}
    printed = 0
    screen.say(findings.header(screen))
    with (
        _progress(len(claims)) as bar,
        closing(finished(claims, options.examples, options.seed, options.jobs)) as reports,
    ):
        try:
            for claim, report in reports:
                found[claims.index(claim)] = report
                with bar.external_write_mode(file=screen.stream):
                    while printed in found:
                        screen.say(findings.row(screen, found[printed]))
                        printed += 1
                bar.update()
                _count_red(bar, found.values())
        except KeyboardInterrupt:
            red = [report.id for report in found.values() if not report.holds]
            checked = f"{len(found)} of {counted(len(claims), 'claim')} checked"
            raise KeyboardInterrupt(f"{checked}, red: {', '.join(red) or 'none'}") from None
    screen.say(screen.paint(screen.fill(findings.LEGEND), "dim"))
    return [found[k] for k in range(len(claims))]


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """Yield a progress bar, which is seen on a terminal only and after two seconds."""
    with tqdm(total=total, unit="claim", delay=2, leave=False, disable=None) as bar:
        # The bar shows itself when a claim is finished; the first may take minutes.
        timer = threading.Timer(2, bar.refresh)
        timer.daemon = True
        if not bar.disable:
            timer.start()
        try:
            yield bar
        finally:
            timer.cancel()


def _count_red(bar: Any, reports: Iterable[Report]) -> None:
    red = sum(not report.holds for report in reports)
    if red:
        bar.set_postfix_str(f"{red} red")


def _print_red(screen: Screen, claims: Sequence[Claim], reports: Sequence[Report], options: Options) -> None:
    for claim, report in zip(claims, reports, strict=True):
        if not report.holds:
            screen.say()
            screen.say(
                findings.details(screen, report, options.command(shlex.quote(registry.name_of(claim))))
            )


def _summary(screen: Screen, reports: Sequence[Report], options: Options, seconds: float) -> str:
    red = [report.id for report in reports if not report.holds]
    if red:
        claims = f"{len(red)} of {counted(len(reports), 'claim')} red: {', '.join(red)}."
    else:
        claims = "The claim holds." if len(reports) == 1 else f"All {len(reports)} claims hold."
    rungs = sum(e.verdict is Verdict.HOLDS for r in reports for e in r.evidence.values())
    sorts = Counter(variant.sort for r in reports for variant in r.variants if variant.refuted)
    refuted = ", ".join(counted(sorts[sort], name) for sort, name in findings.SORTS.items() if sorts[sort])
    found = f"{counted(rungs, 'rung')} green; {refuted or 'nothing'} refuted."
    how = f"{counted(options.examples, 'example')} per rung, seed {options.seed}, {seconds:.1f} s."
    text = screen.fill(f"{claims} {found} {how}")
    return text.replace(claims, screen.paint(claims, "bold", "red" if red else "green"))


# ---------------------------------------------------------------------------------- the reports


@contextmanager
def _json_file(path: str | None, screen: Screen) -> Iterator[tuple[TextIO | None, Screen]]:
    """Yield the file for the reports, if one is asked for, and the screen for the table."""
    if path is not None and path != "-":
        with suppress(UnknownClaimError):
            registry.claim(path)
            expected = f"a file for the reports; write --json - {path} to print that of this claim"
            raise ArgumentError("--json", expected=expected, got=f"the claim {path}")
    if path is None:
        yield None, screen
    elif path == "-":
        yield sys.stdout, Screen.of(sys.stderr)
    else:
        with _opened(path) as file:
            yield file, screen


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    """Yield a file that takes the place of `path` only when all is written.

    Raises
    ------
    ArgumentError
        At once, if it cannot be written.
    """
    target = Path(path)
    device = target.exists() and not target.is_file()  # such as a pipe, which is not to be replaced
    if not device:
        target = target.resolve()
    written = target if device else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if not device and target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        file = written.open("w", encoding="utf-8")
    except OSError as error:
        reason = f"{path!r} ({error.strerror})"
        raise ArgumentError("--json", expected="a file that can be written", got=reason) from None
    try:
        with file:
            yield file
        if not device:
            os.replace(written, target)
    except BaseException:
        if not device:
            written.unlink(missing_ok=True)
        raise
