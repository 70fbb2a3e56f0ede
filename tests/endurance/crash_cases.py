"""Reads every crash of a corpus of cases in every way, and judges what is said against the truth.

    python tests/endurance/crash_cases.py FOLDER [--cases 12 14...] [--pythons 3.6...]
                                          [--ways live core log] [--tries N]

FOLDER holds one folder per case: a program, its ``case.json`` with the expected signal and the
words that a good diagnosis contains, and ``run_case.py``, which starts it. ``live`` is ``hangtui
run``, ``core`` the kernel's core file, ``log`` what faulthandler printed. A crash that is a matter
of luck is tried N times. Prints a line for each and exits with 1 if one of them is misread.
"""

import argparse
import importlib
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

_LIMIT_S = 130
_WITHOUT_FAULTHANDLER = {"2.7"}


@dataclass(frozen=True, slots=True)
class Case:
    """One crashing program for one Python."""

    meta: dict[str, Any]
    version: str
    python: str

    @property
    def name(self) -> str:
        """``12_segv_null_in_extension``."""
        return str(self.meta["name"])

    def words(self, key: str) -> list[str]:
        """One of its command lines."""
        return [self._filled(word) for word in self.meta.get(key, ())]

    def environment(self, **more: str) -> dict[str, str]:
        """What it is started with."""
        own = {name: self._filled(text) for name, text in self.meta.get("env", {}).items()}
        return {**os.environ, "PYTHONUNBUFFERED": "1", **own, **more}

    def _filled(self, text: str) -> str:
        values = {"python": self.python, "dir": self.meta["dir"], "version": self.version}
        return text.format(**values)


def cases(folder: Path, wanted: Sequence[str], versions: Sequence[str]) -> Iterator[Case]:
    """All that are wanted, built; of each case those Pythons that it is known to crash on."""
    sys.path.insert(0, str(folder))
    corpus = importlib.import_module("run_case")
    for place in corpus.case_dirs():
        meta = corpus.load(os.path.relpath(place, folder))
        if meta["kind"] not in ("crash", "leak"):
            continue
        if wanted and meta["name"].split("_")[0] not in wanted:
            continue
        for version in meta["versions"]:
            if not versions or version in versions:
                case = Case(meta, version, corpus.interpreter(meta, version))
                if build := case.words("build"):
                    subprocess.run(build, check=True, stdout=subprocess.DEVNULL, cwd=place)
                yield case


def left(case: Case, way: str, folder: Path) -> Path | None:
    """Let it crash once in an empty folder; what it left there, None if it did not crash."""
    words = case.words("start")
    if way == "live":
        hangtui = [sys.executable, "-m", "hangtui", "run", "--no-open", "-o", "x.hang", "--"]
        words = [*hangtui, *words]
    environment = case.environment(**({"PYTHONFAULTHANDLER": "1"} if way == "log" else {}))
    most = resource.RLIM_INFINITY if way == "core" else 0
    with (folder / "x.log").open("wb") as log:
        subprocess.run(
            ["timeout", "-s", "KILL", str(_LIMIT_S), *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most)),
        )
    for clean_up in case.meta.get("cleanup", ()):
        subprocess.run([case._filled(word) for word in clean_up], check=False, capture_output=True)
    if way == "log":
        path = folder / "x.log"
        return path if b"Fatal Python error" in path.read_bytes() else None
    return next(iter(folder.glob({"live": "x.hang", "core": "core*"}[way])), None)


def report(path: Path) -> Any:
    """What hangtui makes of it."""
    words = [sys.executable, "-m", "hangtui", "dump", "--json", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=_LIMIT_S)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def faults(case: Case, answer: Any, log: str | None) -> list[str]:
    """What is missing or wrong in an answer; of a *log* only what it says itself can be told."""
    findings, truth = answer["findings"], case.meta["expected"]
    if not findings:
        return ["no finding"]
    worst = findings[0]
    wrong = [] if worst["severity"] == "error" else [f"severity {worst['severity']}"]
    signal, signals = answer["crash"]["signal"], case.meta["crash"]["signal"]
    wrong += [] if signal in signals else [f"signal {signal}, not of {signals}"]
    said = _text(worst)
    wrong += [
        f"no word of {group}"
        for group in truth["must_mention"]
        if not _has(said, group) and (log is None or _has(log, group))
    ]
    everything = " ".join(map(_text, findings))
    claimed = [word for word in truth.get("must_not_claim", ()) if _has(everything, [word])]
    wrong += [f"claims {word}" for word in claimed]
    if log is None:
        thread = re.sub(r"\d+", "N", answer["crash"]["thread"]["name"])
        expected = truth["threads"][0]["name"]
        wrong += [] if thread in expected else [f"thread {thread}, not {expected}"]
    return wrong


def _has(text: str, words: Sequence[str]) -> bool:
    return any(word.lower() in text.lower() for word in words)


def _without_addresses(log: Path) -> str:
    return re.sub(r"0x[0-9a-f]+", "", log.read_text(errors="replace"))


def _text(finding: Any) -> str:
    parts = [finding["title"], finding["sentence"], *finding["evidence"], *finding["unknown"]]
    return " ".join(parts).lower()


def ways_of(case: Case, wanted: Sequence[str]) -> list[str]:
    """In which of the wanted ways its end can be read: a killed process leaves nothing."""
    if case.meta["crash"]["signal"] == ["SIGKILL"]:
        return [way for way in wanted if way == "live"]
    return [way for way in wanted if way != "log" or case.version not in _WITHOUT_FAULTHANDLER]


def check(case: Case, way: str, tries: int) -> bool:
    """Judge one crash and print the result; whether it is right."""
    for _ in range(tries):
        with tempfile.TemporaryDirectory(prefix="hangtui-case-") as name:
            path = left(case, way, Path(name))
            if path is not None:
                answer = report(path)
                log = _without_addresses(path) if way == "log" else None
                break
    else:
        print(f"----  {case.name} {case.version} {way}: it did not crash", flush=True)
        return False
    wrong = faults(case, answer, log)
    finding = (answer["findings"] or [{"id": "-", "title": "-"}])[0]
    begin = "wrong" if wrong else "right"
    print(f"{begin} {case.name} {case.version} {way}: {finding['id']}: {finding['title']}")
    for line in wrong:
        print(f"      {line}")
    sys.stdout.flush()
    return not wrong


def main() -> int:
    """Read all of them; 1 if one is misread."""
    parser = argparse.ArgumentParser(description="crashes of a corpus, judged against the truth")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cases", nargs="+", default=[])
    parser.add_argument("--pythons", nargs="+", default=[])
    parser.add_argument("--ways", nargs="+", default=["live", "core", "log"])
    parser.add_argument("--tries", type=int, default=5)
    chosen = parser.parse_args()
    results = [
        check(case, way, chosen.tries)
        for case in cases(chosen.folder.resolve(), chosen.cases, chosen.pythons)
        for way in ways_of(case, chosen.ways)
    ]
    print(f"{sum(results)} of {len(results)} read right")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
