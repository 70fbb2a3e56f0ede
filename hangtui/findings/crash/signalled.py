"""A fatal signal that somebody sent, or of which no more is known."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.findings.crash.siblings import company
from hangtui.findings.engine import SENT
from hangtui.model import Certainty


def explain(scene: Scene) -> Explanation | None:
    """Whatever the other rules do not know."""
    crash = scene.crash
    sender = crash.sender_pid
    if sender is not None and sender != crash.pid and crash.code in ("SI_USER", "SI_QUEUE"):
        return Explanation(
            SENT,
            f"sent by process {sender}",
            f"It did not fail by itself: process {sender} sent it {crash.signal_name}, and what it "
            "was doing then need not be the reason.",
            Certainty.CERTAIN,
            (f"{crash.title}, sender PID {sender} ({scene.source})",),
            unknown=("why that process sent it: a watchdog, a supervisor, a person",),
            advice=(
                (
                    f"Find out who it was: ps -o pid,etime,args -p {sender}. Who is killed for not "
                    "answering was hung before: look at the Waits screen for what its threads "
                    "waited for."
                ),
            ),
        )
    words = {
        "SIGSEGV": "segmentation fault (invalid memory access)",
        "SIGBUS": "bus error",
        "SIGABRT": "abort",
    }
    others = company(scene)
    what = words.get(crash.signal_name or "", crash.message or "fatal signal")
    return Explanation(
        "crash-signal",
        what,
        f"The process ended by {crash.signal_name or 'a fatal error'} {scene.place}."
        + (others.sentence if others else ""),
        Certainty.CERTAIN,
        (
            f"{crash.text or crash.title} ({scene.source})",
            *([others.evidence] if others else []),
        ),
        unknown=_unknown(scene),
        advice=others.advice if others else (),
        victim=_blind(scene),
        threads=others.threads if others else (),
    )


def _blind(scene: Scene) -> bool:
    """Whether it is a bad access of which only the signal is known."""
    return scene.crash.pc is None and scene.crash.signal_name == "SIGSEGV"


def _unknown(scene: Scene) -> tuple[str, ...]:
    if scene.crash.pc is not None:
        return ("why",)
    lines = ("the address and the instruction: a core file or hangtui run has them",)
    if not _blind(scene):
        return lines
    return (
        "whether the pointer was NULL, or led astray because the heap had been damaged before",
        *lines,
    )
