"""Ray Tune: the trials of a tuner, whose loop starts them and takes their results.

The loop goes round ten times a second whether or not there is something to do. What it has stands
in its controller: the trials with their states, which of them have an actor, and when each reported
last.
"""

import time
from collections import Counter
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Tuner, clean, thread_id

_FILE, _STEP = "/ray/tune/execution/tune_controller.py", "step"
_ACTORS, _STAGED = "_trial_to_actor", "_staged_trials"
_MOST_TRIALS, _MOST_STATES, _MOST_NAME = 2000, 8, 40


def add_tuners(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add the tuners whose loops are on the stacks of a process.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    for tid, frames in python.stacks.items():
        frame = next((frame for frame in frames if _steps(frame)), None)
        if frame is not None:
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                facts.tuners.append(_read(python, frame, pid, tid))


def _read(python: PythonReader, frame: Frame, pid: int, tid: int) -> Tuner:
    objects, containers = python.objects, Containers(python.objects, python.codes)
    own = objects.attributes(python.frames.variables(frame).get("self", 0))
    trials = containers.sequence(own.get("_trials", 0))
    if not 0 < len(trials) <= _MOST_TRIALS:
        raise MemoryReadError("no trials")
    states, reported = Counter[str](), list[float]()
    for trial in trials:
        parts = objects.attributes(trial)
        states[clean(objects.text(parts.get("status", 0)), _MOST_NAME)] += 1
        about = objects.attributes(parts.get("run_metadata", 0))
        if (at := containers.number(about.get("last_result_time", 0))) is not None:
            reported.append(at)
    started = containers.dict_size(own.get(_ACTORS, 0))
    started += len(containers.set_items(own.get(_STAGED, 0)))
    silent = max(time.time() - max(reported), 0.0) if reported else None
    return Tuner(thread_id(pid, tid), tuple(states.most_common(_MOST_STATES)), started, silent)


def _steps(frame: Frame) -> bool:
    return frame.code.bare_name == _STEP and frame.code.filename.endswith(_FILE)
