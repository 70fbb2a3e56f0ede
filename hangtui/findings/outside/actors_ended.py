"""A library of Ray has work for a pool of actors, all of which have ended."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import counted
from hangtui.findings.grounds import ENDED
from hangtui.findings.package_queries import in_its_words, library_entry
from hangtui.findings.stack_queries import at, callers_of, own_frame, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import ActorPool, Capture, Certainty, Finding, Severity, Thread

ID = "actors-ended"
GROUND = ENDED
HELP = """\
Ray Data gives its blocks to a pool of actors. All actors of that pool have ended, by `sys.exit()`
or a crash in the function that they run; none is being started, and blocks wait for one. An actor
that has ended counts as one of the pool, so that no other takes its place once the pool has as many
as it may have. Whoever waits for the dataset waits on, unless a failed block ends that
(`max_errored_blocks`).

How it is known: the thread that hands the blocks out has a record of the actors that it has
started, of those that are alive, and of those that are started anew; none of the first lives in a
process that was captured. It is a warning if whoever waits for the dataset was at the same line for
a second or more over several looks. Why the actors have ended is in the logs of their workers.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such pool."""
    words = words_of(capture, graph)
    found = []
    for pool in capture.actor_pools:
        waiters = words.threads(pool.waiters)
        if waiters and _is_empty(pool, words):
            found.append(_finding(pool, waiters, words))
    return found


def _is_empty(pool: ActorPool, words: Words) -> bool:
    """Whether nobody is left, or about to come, to take the work that lies there."""
    if pool.by_taking or pool.alive or pool.coming or not pool.ended or not pool.queued:
        return False
    known = (words.resource(actor) for actor in pool.ended)
    return all(one is None or one.pid == pool.pid for one in known)


def _finding(pool: ActorPool, waiters: list[Thread], words: Words) -> Finding:
    thread = waiters[0]
    name, frame = words.thread_name(thread), own_frame(thread)
    seen = words.progress.get(thread.id)
    lasted = seen.lasted_s if seen and seen.same_line else stood_s(thread, words)
    lasts = lasted >= STILL_S
    span = f" for {lasted:.0f} s or more" if lasts else ""
    one, block = len(pool.ended) == 1, pool.queued == 1
    gone = "its only actor has" if one else f"all {len(pool.ended)} actors of it have"
    blocks = f"{counted(pool.queued, 'block')} {'waits' if block else 'wait'} for one"
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} waits{at(frame)}{span}, in ray, for a pool of {pool.name}: {gone} ended, and "
            f"{blocks}"
        ),
        sentence=(
            f"{name} waits{at(frame)}{callers_of(thread, frame)}{span}, in ray "
            f"({library_entry(thread)}), for what actors of {pool.name} are to make. "
            f"{'The only actor' if one else f'All {len(pool.ended)} actors'} of that pool "
            f"{'has' if one else 'have'} ended, none is being started, and {blocks}. Ray counts "
            f"{'it' if one else 'them'} as part of the pool all the same, so that no other takes "
            f"{'its' if one else 'their'} place.{in_its_words(thread)}"
        ),
        threads=tuple(map(ref, waiters)),
        evidence=(
            (
                f"the pool's record: {counted(len(pool.ended), 'actor')} that "
                f"{'was' if one else 'were'} started, none alive, none started anew"
            ),
            f"no process that was captured is {'that actor' if one else 'one of these'}",
            f"{blocks.removesuffix(' for one')} in the queues before it",
        ),
        unknown=(
            (
                "why the actors have ended: the logs of their workers say it "
                "(/tmp/ray/session_latest/logs/worker-*), or `ray list actors --detail`"
            ),
            "whether a block that failed with them will end the dataset yet",
        ),
        advice=(
            (
                "Let a batch that cannot be done raise an exception rather than end its actor "
                "(sys.exit, os._exit, a crash), and give the pool more than one actor."
            ),
        ),
    )
