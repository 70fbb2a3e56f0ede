"""A tuner of Ray none of whose trials runs: it goes round with nothing to do."""

from collections.abc import Iterator

from hangtui.findings.english import counted, listed
from hangtui.findings.stack_queries import at, callers_of, own_frame
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Finding, Severity, Thread, Tuner

_PAUSED, _ENDED = "PAUSED", frozenset({"TERMINATED", "ERROR"})
_ADVICE = (
    "Let all trials go on for the same number of iterations, or use a scheduler in which none "
    "waits for the others (`synch=False`, ASHA)."
)
_SILENT_S = 5.0
"""Since the last result: a trial that goes on after a pause has an actor before."""


def paused_trials(rule: str, words: Words) -> Iterator[Finding]:
    """One finding for each tuner that waits so, told by *rule*."""
    for tuner in words.capture.tuners:
        thread = words.thread(tuner.thread)
        states = {state for state, _ in tuner.states}
        silent = tuner.silent_s is not None and tuner.silent_s >= _SILENT_S
        if thread and silent and not tuner.started and _PAUSED in states <= {_PAUSED, *_ENDED}:
            yield _finding(rule, thread, tuner, words)


def _finding(rule: str, thread: Thread, tuner: Tuner, words: Words) -> Finding:
    frame, name = own_frame(thread), words.thread_name(thread)
    seen, every = words.progress.get(thread.id), sum(count for _, count in tuner.states)
    # Its loop goes round, whatever comes of it: that no result came says that nothing does.
    lasted = seen.lasted_s if seen and seen.same_line else 0.0
    paused = dict(tuner.states)[_PAUSED]
    ended = " and ".join(f"{count} {state}" for state, count in tuner.states if state != _PAUSED)
    rest = f", {ended}" if ended else ""
    which = f"{paused} of {counted(every, 'trial')} {'is' if paused == 1 else 'are'} {_PAUSED}"
    where = at(frame)
    return Finding(
        id=rule,
        severity=Severity.WARNING if lasted >= STILL_S else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{name} waits{where}, in Ray Tune, while no trial runs: {which}{rest}",
        sentence=(
            f"{name} waits{where}{callers_of(thread, frame)} until all trials of its tuner have "
            f"ended, and no trial runs: {which}{rest}, none has an actor, or gets one, and the "
            f"last result came {tuner.silent_s:.0f} s ago. Only the tuner's scheduler has a paused "
            "trial go on; one that compares trials (population based training with `synch=True`, "
            "HyperBand) does so when all others have come as far, which those never do that have "
            "ended."
        ),
        threads=(ref(thread),),
        evidence=(
            f"{name} is in TuneController.step{where}",
            f"the controller's trials: {listed([f'{n} {state}' for state, n in tuner.states])}",
            "it has no actor for any of them, and starts none",
        ),
        unknown=("for what the scheduler waits",),
        advice=(_ADVICE,),
    )
