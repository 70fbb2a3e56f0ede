"""What each command takes: its arguments, by its name."""

import argparse

from hangtui.cli.common_arguments import (
    add_capture_options,
    add_children,
    add_choice,
    add_console,
    add_json,
    add_native,
    add_parent,
    add_screen_options,
    add_sysroot,
)

GATHERED_BY = ("ssh", "slurm", "mpi", "kubectl", "docker", "podman", "dask", "ray", "local")
"""As ``backends/gather/places.py`` has them."""
SAMPLES = {
    "locks": "two threads take two locks in opposite order",
    "gil": "a lock of C code and the GIL wait for each other",
    "tasks": "two tasks of asyncio wait for each other, while their loop ticks",
    "executor": "a pool of threads whose jobs wait for jobs of the same pool",
    "connections": "requests that keep a pool's connections and want one more",
    "crash": "a NULL pointer that C code was given",
}
"""The programs in ``hangtui/samples``."""
SHELLS = ("bash", "zsh", "fish")
"""As ``completion.py`` has them."""


def _dump(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", metavar="PID|FILE", nargs="*")
    add_parent(parser)
    add_sysroot(parser)
    form = parser.add_mutually_exclusive_group()
    for name, text in (
        ("json", "one JSON object"),
        ("md", "Markdown for an issue"),
        ("svg", "a picture of the report"),
        ("mermaid", "the waits as a drawing for Mermaid"),
        ("dot", "the waits as a drawing for Graphviz"),
    ):
        form.add_argument(f"--{name}", action="store_true", help=f"print {text}")
    parser.add_argument("-o", "--output", metavar="FILE", help="write into FILE")
    parser.add_argument(
        "--within",
        metavar="TIME",
        help="5s, 1m: print what is known by then, on a machine that is too busy to wait for",
    )
    add_choice(parser)
    add_capture_options(parser)


def _record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", metavar="PID", nargs="*")
    parser.add_argument("--all", action="store_true", help="all Python processes")
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the file to write: x.hang"
    )
    parser.add_argument(
        "--times", metavar="N", type=int, default=1, help="how many captures: x-1.hang, ..."
    )
    parser.add_argument(
        "--every", metavar="S", type=float, default=2.0, help="seconds between them (default: 2)"
    )
    parser.add_argument(
        "--looks",
        metavar="N",
        type=int,
        default=1,
        help="look N times in 2 s, to tell in one capture who stands still (default: 1)",
    )
    add_capture_options(parser)


def _gather(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("carrier", choices=GATHERED_BY, metavar="|".join(GATHERED_BY))
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="hosts, jobs, containers, a selector of pods, the address of a scheduler, PIDs",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write x.hang (default: open the screens)"
    )
    parser.add_argument(
        "--within", metavar="TIME", default="1m", help="leave out who has not answered (default 1m)"
    )
    parser.add_argument(
        "--at-once", metavar="N", type=int, default=8, help="how many to ask at once (default: 8)"
    )
    parser.add_argument(
        "--looks",
        metavar="N",
        type=int,
        default=3,
        help="look N times in 2 s, to tell who stands still from who is slow (default: 3)",
    )
    parser.add_argument("-n", "--namespace", metavar="NAME", help="of the pods")
    parser.add_argument("--python", metavar="FILE", help="an interpreter that has dask or ray")
    parser.add_argument("--sudo", action="store_true", help="run hangtui there by sudo -n")
    parser.add_argument(
        "--carry",
        metavar="FILE",
        help="a .tar.gz of script/portable for places without hangtui; removed there afterwards",
    )
    add_native(parser)
    add_screen_options(parser)


def _open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+")
    add_sysroot(parser)
    add_screen_options(parser)


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", metavar="PID|FILE", nargs="*")
    parser.add_argument("--all", action="store_true", help="all Python processes")
    add_parent(parser)
    add_json(parser)
    looks = parser.add_argument_group("what counts, and for how long to look")
    looks.add_argument(
        "--seconds",
        metavar="T",
        type=float,
        default=2.0,
        help="how long to watch live processes (default: 2)",
    )
    looks.add_argument(
        "--looks", metavar="N", type=int, default=5, help="how many looks in that time (default: 5)"
    )
    looks.add_argument(
        "--fail-on",
        metavar="SEVERITY",
        choices=("proven", "error", "warning"),
        default="error",
        help="exit with 1 for: an error that is proven or certain; any error (default); a warning",
    )
    add_choice(looks)
    add_sysroot(parser)
    add_capture_options(parser)


def _run(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "hangtui run [--hang-after TIME [--hang-abort]] [-o FILE] [--core FILE] [--no-open] -- "
        "CMD..."
    )
    parser.add_argument("--hang-after", metavar="TIME", help="30s, 5m: capture a hang too")
    parser.add_argument(
        "--hang-abort",
        action="store_true",
        help="then say why it hangs, end it with all that it started, and exit with 124",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write: x.hang")
    parser.add_argument("--core", metavar="FILE", help="also write a core file of the crash")
    parser.add_argument("--no-open", action="store_true", help="do not open the screens at the end")
    parser.add_argument("command", metavar="CMD", nargs=argparse.REMAINDER)


def _watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pids", metavar="PID", nargs="+")
    add_children(parser)
    parser.add_argument(
        "--hang-after", metavar="TIME", default="5m", help="default: 5m; never: crashes only"
    )
    parser.add_argument(
        "-d", "--directory", metavar="DIR", default=".", help="where captures go (default: here)"
    )
    parser.add_argument(
        "--keep", metavar="N", type=int, default=20, help="captures kept there (default: 20)"
    )
    for name in ("hang", "crash"):
        parser.add_argument(
            f"--on-{name}",
            metavar="CMD",
            help=f"run CMD by the shell for each {name}, with the finding as JSON on its input",
        )
    parser.add_argument(
        "--on-limit", metavar="TIME", default="5m", help="end CMD after that time (default: 5m)"
    )
    parser.add_argument(
        "--metrics",
        metavar="FILE",
        help="keep what was caught in FILE.prom, for node_exporter's text files (Prometheus)",
    )
    add_choice(parser)


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pid", metavar="PID", nargs="?", help="default: all Python")
    add_json(parser)


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", metavar="PID|FILE", nargs="*", help="default: all Python")
    parser.add_argument("--port", type=int, default=8042, help="0: any free one (default: 8042)")
    add_children(parser)
    add_console(parser)
    parser.add_argument(
        "--allow-stop",
        action="store_true",
        help="let the browser stop processes: for a copy (registers, C variables, code; some"
        " milliseconds), by A (30 s at a time), for a core file",
    )


def _mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-stop",
        action="store_true",
        help="let it ask for native stacks that stop a process for milliseconds",
    )


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.usage = "hangtui demo [SAMPLE] [check|dump|doctor|record ...]"
    add_screen_options(parser)
    parser.add_argument(
        "sample", choices=SAMPLES, nargs="?", metavar="SAMPLE", help="|".join(SAMPLES)
    )
    command = parser.add_argument("command", metavar="COMMAND", nargs=argparse.REMAINDER)
    command.required = False


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS))
    asked = parser.add_argument("asked", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    asked.required = False  # only what the scripts ask at each key


ARGUMENTS = {
    "dump": _dump,
    "record": _record,
    "gather": _gather,
    "open": _open,
    "check": _check,
    "run": _run,
    "watch": _watch,
    "doctor": _doctor,
    "serve": _serve,
    "mcp": _mcp,
    "demo": _demo,
    "completion": _completion,
}
