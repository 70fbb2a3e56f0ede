"""A process that ended itself by abort()."""

import re

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty

_ABORT = re.compile(r"abort|__GI_abort|raise|gsignal|__pthread_kill\w*|pthread_kill\S*")
_ASSERTION = re.compile(r"Assertion [`'](?P<what>(?:(?!Assertion [`']).)*)' failed")


def explain(scene: Scene) -> Explanation | None:
    """SIGABRT by its own doing."""
    crash = scene.crash
    own = crash.sender_pid in (None, 0, crash.pid) or scene.within(_ABORT) is not None
    if crash.signal_name != "SIGABRT" or not own:
        return None
    said = scene.last_words
    assertion = _ASSERTION.search(said)
    what = f"assertion failed: {assertion['what']}" if assertion else "abort() was called"
    what += f" ({said})" if said and not assertion else ""
    evidence = [f"{crash.title} ({scene.source})"]
    if said:
        evidence.append(f"its last words: {said}")
    return Explanation(
        "crash-abort",
        what,
        "It called abort()"
        + (f" after it had said: {said.rstrip('.')}." if said else ", without saying why."),
        Certainty.CERTAIN,
        tuple(evidence),
        unknown=() if said else ("why: look at its standard error right before the end",),
    )
