"""The command ``gdtheory``: its arguments, and what becomes of errors.

The commands are loaded when they run, so that ``gdtheory --help`` loads no dependency.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

from gdtheory.cli.terminal import Screen
from gdtheory.errors import GDTheoryError

USAGE = 2
"""Exit status for arguments that cannot be used; 1 is for a claim that is red."""
INTERRUPTED = 130
BROKEN_PIPE = 141

DEEP = 2000
"""Problems drawn per rung by ``--deep``."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process if not given.

    Returns
    -------
    int
        Exit status: 0 if all is green, 1 if anything is red, 2 if the arguments are of no use.
    """
    if argv is None:  # this process is ours, and leaves no folder .hypothesis where it runs
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.devnull)
    try:
        return _main(argv)
    except SystemExit as stop:  # argparse has said why
        return int(stop.code or 0)
    except GDTheoryError as error:
        return _failed(str(error), USAGE)
    except KeyboardInterrupt as stop:
        return _failed(f"interrupted: {stop}" if str(stop) else "interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader has left, as head does. Python would say so again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _failed(f"cannot write the output: {error.strerror}", USAGE)


def _main(argv: Sequence[str] | None) -> int:
    # A terminal that cannot show ✓ gets an escape sequence and no traceback.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    parser = _parser()
    args = parser.parse_args(argv)
    if args.version:
        from gdtheory import __version__

        Screen.of(sys.stdout).say(f"gdtheory {__version__}")
        return 0
    if args.command is None:
        parser.print_help()
        return 0
    return _run(args)


def _failed(reason: str, status: int) -> int:
    sys.stderr.write(f"gdtheory: {reason}\n")
    return status


def _run(args: argparse.Namespace) -> int:
    """Load the command and run it."""
    out = Screen.of(sys.stdout)
    match args.command:
        case "list":
            from gdtheory.cli.listing import list_claims

            return list_claims(out, args.source, markdown=args.markdown)
        case "show":
            from gdtheory.cli.showing import show

            return show(out, args.claim)
        case "check":
            from gdtheory.cli.check import check

            examples = DEEP if args.deep else args.examples
            return check(out, args.claims, examples, args.seed, args.jobs, args.json)
        case "mutants":
            from gdtheory.cli.wrong import mutants

            return mutants(out, args.claim, args.examples, args.seed)
        case "errata":
            from gdtheory.cli.wrong import errata

            return errata(out, args.source)
        case "cite":
            from gdtheory.cli.listing import cite

            return cite(out, args.claim)
        case _:
            from gdtheory.cli.skeleton import new

            return new(out, args.stem, args.dir)


# -------------------------------------------------------------------------------- the arguments


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gdtheory",
        description="Published results that in-context learning is gradient descent, as executable claims.",
        epilog="Example:\n  gdtheory check GDT-0001",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(dest="command", metavar="command", title="commands")
    _add_list(commands)
    _add_show(commands)
    _add_check(commands)
    _add_mutants(commands)
    _add_errata(commands)
    _add_cite(commands)
    _add_new(commands)
    return parser


def _add(commands: Any, name: str, says: str, example: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=says,
        description=f"{says[0].upper()}{says[1:]}.",
        epilog=f"Example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_list(commands: Any) -> None:
    command = _add(commands, "list", "list the claims", "gdtheory list --source huang2025transformers")
    _source(command)
    command.add_argument("--markdown", action="store_true", help="print the table of README.md")


def _add_show(commands: Any) -> None:
    command = _add(
        commands, "show", "show a claim: its statement, assumptions and code", "gdtheory show GDT-0001"
    )
    _claim(command)


def _add_check(commands: Any) -> None:
    says = "check claims on every rung of evidence, and refute their wrong versions"
    command = _add(commands, "check", says, "gdtheory check GDT-0001 my_claim.py --examples 500")
    command.add_argument(
        "claims",
        nargs="*",
        metavar="claim",
        help="an id, a file stem, or a path to a claim file; all claims if none is given",
    )
    effort = command.add_mutually_exclusive_group()
    _examples(effort)
    effort.add_argument("--deep", action="store_true", help=f"the same as --examples {DEEP}")
    _seed(command)
    command.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes to use; as many as there are CPUs if not given"
    )
    command.add_argument("--json", metavar="FILE", help="write the reports there; - is standard output")


def _add_mutants(commands: Any) -> None:
    says = "show how every wrong version of a claim is refuted"
    command = _add(commands, "mutants", says, "gdtheory mutants GDT-0001")
    _claim(command)
    _examples(command)
    _seed(command)


def _add_errata(commands: Any) -> None:
    says = "list the misprints of the sources, each with a counterexample"
    _source(_add(commands, "errata", says, "gdtheory errata --source dherin2025learning"))


def _add_cite(commands: Any) -> None:
    says = "print the BibTeX entries of a claim's source and of this package"
    _claim(_add(commands, "cite", says, "gdtheory cite GDT-0001 >> references.bib"))


def _add_new(commands: Any) -> None:
    says = "write the skeleton of a claim file"
    command = _add(
        commands,
        "new",
        says,
        "gdtheory new momentum_eq_two_step_gd && gdtheory check momentum_eq_two_step_gd.py",
    )
    command.add_argument("stem", help="name of the file without .py: the conclusion first, as in lhs_eq_rhs")
    command.add_argument("--dir", default=".", help="folder to write it to (default: the current one)")


def _claim(command: argparse.ArgumentParser) -> None:
    command.add_argument("claim", help="an id, a file stem, or a path to a claim file")


def _source(command: argparse.ArgumentParser) -> None:
    command.add_argument("--source", metavar="KEY", help="only claims of this source, by its BibTeX key")


def _examples(command: Any) -> None:
    command.add_argument(
        "--examples",
        type=_positive,
        default=100,
        metavar="N",
        help="problems drawn per rung (default: %(default)s)",
    )


def _seed(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the draws (default: %(default)s)"
    )


def _positive(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
