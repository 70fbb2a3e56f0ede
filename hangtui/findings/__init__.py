"""Diagnoses: one rule per module, each ``check(capture, graph)`` to a list of findings."""

from collections.abc import Collection

from hangtui.analysis.waitgraph import WaitGraph, build
from hangtui.findings import crash
from hangtui.findings.activity import busy, lock_contention
from hangtui.findings.engine import RULE_FAILED, Rule, judge
from hangtui.findings.lifetimes import (
    exit_waits,
    finalizer_blocked,
    threads_lost_in_fork,
    zombie_children,
)
from hangtui.findings.outside import (
    actors_ended,
    collective_mismatch,
    collective_order,
    data_unread,
    database_locked,
    database_waits,
    descriptors_used_up,
    file_locked,
    held_from_outside,
    memory_limit,
    message_unmatched,
    never_scheduled,
    output_blocked,
    output_unread,
    rank_elsewhere,
    rank_gone,
    store_keys,
    unanswered_call,
    waiting_for_cluster,
    waiting_for_gpu,
    waiting_for_input,
    waiting_for_others,
    waiting_for_peer,
    waiting_for_pool,
    waiting_for_process,
    waiting_in_library,
)
from hangtui.findings.rest import alive, idle, quiet, request_waits, waits_beside
from hangtui.findings.rings import (
    by_elimination,
    deadlock,
    gil_held_while_blocked,
    gil_needed,
    gpu_callback,
    pool_deadlock,
    ring_with_timeout,
    self_deadlock,
    world_not_stopped,
)
from hangtui.findings.wakeups import (
    calls_never_begin,
    cancel_ignored,
    clock_stopped,
    event_loop_blocked,
    event_loop_stalled,
    executor_broken,
    executor_starvation,
    group_incomplete,
    left_behind,
    loop_not_woken,
    lost_answer,
    lost_worker,
    mutual_wait,
    never_begun,
    no_process_left,
    nobody_left,
    orphaned_lock,
    pool_starvation,
    rpc_threads_taken,
    shared_by_nobody,
    tasks_held_up,
    tasks_not_done,
    waker_busy,
    workers_replaced,
)
from hangtui.model import Capture, Finding

__all__ = ["RULES", "help_of", "ids", "run"]

RULES: tuple[Rule, ...] = (
    crash,
    held_from_outside,
    finalizer_blocked,
    exit_waits,
    executor_starvation,
    pool_starvation,
    calls_never_begin,
    rpc_threads_taken,
    pool_deadlock,
    unanswered_call,
    deadlock,
    self_deadlock,
    orphaned_lock,
    mutual_wait,
    threads_lost_in_fork,
    ring_with_timeout,
    by_elimination,
    gil_needed,
    gpu_callback,
    gil_held_while_blocked,
    world_not_stopped,
    event_loop_blocked,
    executor_broken,
    never_begun,
    workers_replaced,
    lost_worker,
    lost_answer,
    shared_by_nobody,
    no_process_left,
    left_behind,
    waiting_for_pool,
    request_waits,
    data_unread,
    database_locked,
    database_waits,
    file_locked,
    waiting_for_gpu,
    waiting_for_input,
    output_unread,
    output_blocked,
    rank_gone,
    collective_mismatch,
    rank_elsewhere,
    store_keys,
    group_incomplete,
    collective_order,
    message_unmatched,
    actors_ended,
    never_scheduled,
    waiting_for_cluster,
    nobody_left,
    event_loop_stalled,
    clock_stopped,
    cancel_ignored,
    loop_not_woken,
    tasks_not_done,
    tasks_held_up,
    descriptors_used_up,
    waker_busy,
    waiting_for_peer,
    memory_limit,
    busy,
    waiting_for_process,
    zombie_children,
    lock_contention,
    waiting_in_library,
    idle,
    waiting_for_others,
    waits_beside,
    alive,
    quiet,
)
"""The most specific first: of two that are equally severe, the earlier one is told first."""


def run(
    capture: Capture,
    graph: WaitGraph | None = None,
    *,
    allow: Collection[str] = (),
    only: Collection[str] = (),
) -> tuple[Finding, ...]:
    """What all rules find in *capture*, worst first.

    *allow*: ids of findings to leave out; *only*: ids of those to keep, empty for all.
    """
    found = judge(RULES, capture, build(capture) if graph is None else graph, allow, only)
    return found.findings


def ids() -> tuple[str, ...]:
    """The ids of all findings."""
    made = (one for rule in RULES for one in getattr(rule, "IDS", (rule.ID,)))
    return tuple(sorted((*made, RULE_FAILED)))


def help_of(identifier: str) -> str:
    """What the rule that makes findings with this id says of itself (Markdown); empty: none does.

    A rule's HELP, else what else its docstring says.
    """
    for rule in RULES:
        if identifier in getattr(rule, "IDS", (rule.ID,)):
            summary, _, more = (rule.__doc__ or "").partition("\n\n")
            told: str = getattr(rule, "HELP", None) or more
            ground = f"It rests on {rule.GROUND.title.lower()}. {rule.GROUND.says}"
            return f"{summary}\n\n{told.strip()}\n\n{ground}".strip()
    return ""
