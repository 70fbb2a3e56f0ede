"""What the one does who has the other end of a connection in hand, what that one waits for, and who
has that in turn; often that leads back to who waits at this end."""

from collections.abc import Sequence

from hangtui.findings.english import joined
from hangtui.findings.manager_clients import MANAGERS
from hangtui.findings.on_the_way import onward
from hangtui.findings.stack_queries import does, index_of
from hangtui.findings.words import Words
from hangtui.findings.written import told_alone
from hangtui.model import Thread

BACK = " So it comes back to the one that waits here: none of them goes on before another one does."


def told_chain(thread: Thread, there: Sequence[Thread], words: Words) -> str:
    """`` worker holds Slots.free, and waits at app.py:9 (ask) for ...``, of *there*, who alone has
    the other end of what *thread* waits at; or which code would end the wait of that one; empty: it
    is not known."""
    if len(there) != 1:
        return ""
    on = onward(there[0].id, words)
    if not on.text:
        return told_alone(there[0], words)
    return f"{on.text}{BACK if thread.id in on.told else ''}"


def back_in_title(thread: Thread, there: Thread, words: Words) -> str:
    """``, in a ring that leads back to the first``, of *there*, who has the other end of what
    *thread* waits at; empty: it is not known to do so."""
    leads = thread.id in onward(there.id, words).told
    return ", in a ring that leads back to the first" if leads else ""


def at_work(threads: Sequence[Thread], words: Words, *, alone: bool) -> str:
    """``process 12 (main.py): Thread-2 waits at a.py:1 (f) for jobs (Queue.get)``."""
    process = words.capture.process(threads[0].pid)
    what = f"process {threads[0].pid}{f' ({process.title})' if process else ''}"
    if any(index_of(one, {"serve_client"}, MANAGERS) is not None for one in threads):
        what += ", a manager of multiprocessing that others ask through proxies"
    those = [f"{does(one, words, alone=alone)}{_method(one, words)}" for one in threads]
    return f"{what}: {joined(those)}"


def _method(thread: Thread, words: Words) -> str:
    """`` (Queue.get)``, the call of the standard library that it waits in."""
    edge = words.graph.wait_of(thread.id)
    wait = words.wait(edge) if edge else None
    return f" ({wait.call})" if wait and wait.call else ""
