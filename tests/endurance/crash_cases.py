"""Programs whose crash is known, read in every way and judged by the first thing that is found.

They come from the same folders as the hangs of ``cases.py``; ``script/check-cases --crashes`` is
the command line. ``live`` is ``hangtui run``, ``core`` the kernel's core file, ``log`` what
faulthandler printed: of that only what stands in it can be told.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.endurance.cases import Mark, Outcome

WAYS = ("live", "core", "log")
_KINDS = ("crash", "leak")
_LIMIT_S = 130
_TRIES = 5
"""A crash by a data race is a matter of luck."""
_ROOT = Path(__file__).parents[2]
_PATH = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
_Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CrashCases:
    """The crashing programs of a copy of a folder of cases."""

    runner: Any
    """The module ``run_case.py``."""

    def all(self) -> list[_Json]:
        """Every case that ends by a signal."""
        names = (os.path.relpath(folder, self.runner.ROOT) for folder in self.runner.case_dirs())
        return [case for case in map(self.runner.load, names) if case["kind"] in _KINDS]

    def run(self, case: _Json, version: str, ways: Sequence[str]) -> Iterator[Outcome]:
        """Let it crash in each way, read what is left, judge."""
        values = {"dir": case["dir"], "version": version}
        try:
            values["python"] = self.runner.interpreter(case, version)
            subprocess.run(_filled(case, "build", values) or ["true"], check=True, cwd=case["dir"])
        except (SystemExit, OSError, subprocess.CalledProcessError) as error:
            yield Outcome(case["name"], version, Mark.NOT_HERE, why=(str(error),))
            return
        killed = case["crash"]["signal"] == ["SIGKILL"]  # which leaves nothing behind
        for way in ways:
            if not (killed and way != "live"):
                yield _look(case, version, way, values)


def _look(case: _Json, version: str, way: str, values: dict[str, str]) -> Outcome:
    name = f"{case['name']} {way}"
    for _ in range(_TRIES):
        with tempfile.TemporaryDirectory(prefix="hangtui-case-") as folder:
            path = _crashed(case, way, values, Path(folder))
            if path is not None:
                report = _report(path)
                log = path.read_text(errors="replace") if way == "log" else None
                break
    else:
        return Outcome(name, version, Mark.NOT_HERE, why=("it did not crash, or left nothing",))
    wrong = judge(case, report, log)
    first = next(iter(report["findings"]), {"id": "", "title": ""})
    mark = Mark.WRONG if wrong else Mark.RIGHT
    return Outcome(name, version, mark, f"{first['id']}: {first['title']}", wrong)


def _crashed(case: _Json, way: str, values: dict[str, str], folder: Path) -> Path | None:
    """Let it crash once in an empty folder; what it left there, None if it did not crash."""
    words = _filled(case, "start", values)
    if way == "live":
        hangtui = [sys.executable, "-m", "hangtui", "run", "--no-open", "-o", "x.hang", "--"]
        words = [*hangtui, *words]
    own = {name: text.format(**values) for name, text in case.get("env", {}).items()}
    own |= {"PYTHONFAULTHANDLER": "1"} if way == "log" else {}
    most = resource.RLIM_INFINITY if way == "core" else 0
    log = folder / "x.log"
    with log.open("wb") as stream:
        subprocess.run(
            ["timeout", "-s", "KILL", str(_LIMIT_S), *words],
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": _PATH, **own},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most)),
        )
    for words in case.get("cleanup", ()):
        clean_up = [word.format(**values) for word in words]
        subprocess.run(clean_up, check=False, capture_output=True)
    if way == "log":
        return log if b"Fatal Python error" in log.read_bytes() else None
    return next(iter(folder.glob("x.hang" if way == "live" else "core*")), None)


def _filled(case: _Json, key: str, values: dict[str, str]) -> list[str]:
    return [word.format(**values) for word in case.get(key, ())]


def _report(path: Path) -> Any:
    words = [sys.executable, "-m", "hangtui", "dump", "--json", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=_LIMIT_S, cwd=_ROOT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def judge(case: _Json, report: _Json, log: str | None = None) -> tuple[str, ...]:
    """What is missing or wrong in the first finding of *report*, as ``hangtui dump`` prints it.

    *log*: the text that it was read from, if it was a log.
    """
    if not report["findings"]:
        return ("nothing found",)
    first, truth = report["findings"][0], case["expected"]
    wrong = [] if first["severity"] == "error" else [f"severity {first['severity']}"]
    signal, signals = report["crash"]["signal"], case["crash"]["signal"]
    wrong += [] if signal in signals else [f"signal {signal}, not {' or '.join(signals)}"]
    said, known = _text(first), re.sub(r"0x[0-9a-f]+", "", log) if log is not None else None
    wrong += [
        f"does not say any of {group}"
        for group in truth["must_mention"]
        if not _has(said, group) and (known is None or _has(known, group))
    ]
    everything = " ".join(map(_text, report["findings"]))
    claimed = [word for word in truth.get("must_not_claim", ()) if _has(everything, [word])]
    wrong += [f"claims {word!r}" for word in claimed]
    if log is None:  # faulthandler tells threads' names only from 3.14 on
        thread = re.sub(r"\d+", "N", first["threads"][0]["name"])
        expected = truth["threads"][0]["name"]
        wrong += [] if thread in expected else [f"the thread is {thread}, not {expected}"]
    return tuple(wrong)


def _text(finding: _Json) -> str:
    """What is said, without the advice: that names much which is not claimed."""
    return " ".join(
        [finding["title"], finding["sentence"], *finding["evidence"], *finding["unknown"]]
    )


def _has(text: str, words: Sequence[str]) -> bool:
    return any(word.lower() in text.lower() for word in words)
