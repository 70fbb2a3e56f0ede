"""Mechanisms of processes, executors and loops on real programs, each with its healthy twin."""

import time
from dataclasses import dataclass

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import ALL

DEADLINE_S = 60
SERIES = 3 if ALL else 1
"""How often a healthy program is looked at, each time with several looks."""
ERROR, WARNING = Severity.ERROR, Severity.WARNING


@dataclass(frozen=True)
class Hang:
    """The first finding of one program."""

    id: str
    severity: Severity
    words: tuple[str, ...]
    """All of these are in its title and sentence."""
    twins: tuple[str, ...]
    """The same program, healthy."""
    versions: tuple[str, ...] = ("3.8", "3.13")
    program: str = "mechanisms"


HANGS = {
    "result_that_cannot_be_unpickled": Hang(
        "result-thread-ended", ERROR,
        ("MainThread", "wait_for_results", "map()", "_handle_results", "ended"), ("slow_result",),
    ),
    "thread_that_fails_before_it_begins": Hang(
        "thread-never-began", ERROR, ("MainThread", "begin", "Thread.start()", "gifts (Traced)"),
        ("thread_that_begins",), versions=("3.8", "3.12", "3.13"),
    ),
    "pool_terminated_by_its_own_callback": Hang(
        "result-thread-ended", ERROR,
        ("MainThread", "wait()", "terminated", "terminate() in terminate_pool"), ("slow_result",),
    ),
    "initializer_that_fails": Hang(
        "workers-replaced", WARNING,
        ("MainThread", "wait_for_results", "map()", "again", "connect()"), ("workers_renewed",),
    ),
    "executor_without_workers": Hang(
        "no-workers-left", ERROR, ("MainThread", "load", "result()", "no worker process"),
        ("executor_with_a_slow_task",), versions=("3.12",),
    ),
    "own_answer": Hang(
        "mutual-wait", WARNING, ("client waits for itself", "answer", ".set_result()"), (),
        versions=("3.8", "3.11", "3.12", "3.13"), program="wakers",
    ),
    "executor_fed_under_a_lock": Hang(
        "deadlock", ERROR,
        (
            *("MainThread", "(wait_for_article)", "Priced.lock"),
            "for the result of article, which QueueFeederThread",
        ),
        ("executor_that_is_fed_slowly",), versions=("3.9", "3.11", "3.12", "3.13"),
    ),
    "two_connections_of_one_thread": Hang(
        "database-locked", WARNING,
        ("MainThread", "shop.db", "save_both)", "which another connection of this very thread has"),
        ("writers_in_turn",), versions=("3.8", "3.12"),
    ),
    "worker_whose_daemon_outlives_it": Hang(
        "no-workers-left", ERROR,
        ("MainThread", "not noticed the end of 1 worker", "by SIGKILL", "its only worker"),
        ("executor_with_a_slow_task",), versions=("3.9", "3.12", "3.13"),
    ),
    "threads_that_wait_for_their_own_pool": Hang(
        "pool-starvation", ERROR,
        ("All 2 threads of the ThreadPool", "(outer)", "from inside a task"),
        ("threads_that_wait_for_another_pool",),
    ),
    "work_behind_questions": Hang(
        "pool-starvation", ERROR,
        ("both threads that take from self.orders wait, and 2 items lie behind", "ask)",
         "only clerk-0 and clerk-1 take (", "serve (mechanisms.py:"),
        ("work_of_a_third_clerk", "questions_that_others_answer"),
        versions=("3.11", "3.12", "3.13"),
    ),
    "work_behind_an_executor": Hang(
        "pool-starvation", ERROR,
        ("both threads that take from work_queue of ThreadPoolExecutor wait, and 3 items lie",
         "ask)", "only clerk_0 and clerk_1 take (_worker (thread.py:"),
        ("work_of_a_third_thread",), versions=("3.8", "3.11", "3.12", "3.13"),
    ),
    "jobs_that_wait_for_all_jobs": Hang(
        "mutual-wait", ERROR,
        ("printer-0 and printer-1 wait for each other", "(self.jobs.task_done(), mechanisms.py:",
         "each has one of these items in hand"),
        ("jobs_that_wait_for_their_pages",), versions=("3.8", "3.11", "3.12", "3.13"),
    ),
    "queue_of_a_worker_that_has_ended": Hang(
        "shared-by-nobody", ERROR,
        ("Nobody is left to call task_done() on a JoinableQueue", "(join_queue)", "with status"),
        ("queue_of_a_slow_worker",),
    ),
    "pool_that_is_fed_by_its_results": Hang(
        "mutual-wait", ERROR,
        ("MainThread", "crawl)", "for a Pool's next result", "(found.put(), mechanisms.py:"),
        ("pool_that_is_fed_slowly",), versions=("3.8", "3.11", "3.12", "3.13"),
    ),
    "thread_pool_that_is_fed_by_its_results": Hang(
        "mutual-wait", ERROR,
        ("MainThread", "crawl)", "for a Pool's next result", "(found.put(), mechanisms.py:"),
        ("thread_pool_that_is_fed_slowly",), versions=("3.8", "3.11", "3.12", "3.13"),
    ),
    "fifos_that_fill_an_executor": Hang(
        "executor-starvation", WARNING,
        ("all 2 workers of fifo wait", "1 task queued behind", "(read_fifos)", "the FIFO"),
        ("fifos_that_are_written_later",), versions=("3.9", "3.11", "3.12", "3.13"),
    ),
    "jobs_that_wait_for_jobs_behind_them": Hang(
        "executor-starvation", ERROR,
        ("the only worker of reports", "(report_sales)", "queued in the same pool"),
        ("jobs_that_wait_for_other_workers",), versions=("3.8", "3.12", "3.13"),
    ),
    "shelf_of_a_reader_that_has_ended": Hang(
        "nobody-left-to-wake", WARNING,
        ("Shelf.changed", "empty)", "Shelf.readers has thread export, which has ended"),
        ("shelf_of_a_slow_reader",), versions=("3.8", "3.11", "3.12", "3.13"),
    ),
    "event_of_a_thread_that_needs_a_lock": Hang(
        "shared-by-nobody", ERROR,
        ("Nobody is left to set an Event of multiprocessing", "(flush)", "writer waits at"),
        ("event_of_a_slow_thread",),
    ),
    "own_lock_beside_a_feeder": Hang(
        "self-deadlock", ERROR, ("MainThread waits", "take_twice", "a lock that it took itself"),
        ("lock_that_another_thread_opens",),
    ),
    "event_that_a_killed_process_waited_for": Hang(
        "no-process-left-to-wake", ERROR,
        ("No process is left to answer Event.set()", "(open_gate)", "confirms that it woke up"),
        ("event_that_is_not_set_yet",),
    ),
    "barrier_of_a_process_that_has_ended": Hang(
        "no-process-left-to-wake", ERROR,
        ("No process is left to join at a multiprocessing Barrier", "(meet)", "2 parties wait"),
        ("barrier_of_a_slow_process",), versions=("3.8", "3.11", "3.13"),
    ),
    "exit_that_joins_a_worker_without_an_end_mark": Hang(
        "self-deadlock", ERROR,
        ("MainThread of process", "(read_jobs)", "only it could serve", "the interpreter's exit"),
        ("exit_that_joins_a_slow_worker",),
    ),
    "pool_that_is_left_while_its_input_waits": Hang(
        "deadlock", ERROR,
        ("Deadlock", "(find_first)", "SimpleQueue._rlock"),
        ("pool_with_a_slow_task",), versions=("3.12",),
    ),
    "terminal_that_its_reader_keeps_open": Hang(
        "self-deadlock", WARNING,
        ("Possible self-deadlock", "(read_output)", "output of terminal /dev/pts/", "itself"),
        ("terminal_of_a_slow_child", "terminal_that_others_may_open"),
    ),
    "child_that_fills_its_pipe": Hang(
        "output-unread", ERROR,
        ("ask run_command waits at", "(run_command)", "full", "nobody in it"),
        ("child_that_sleeps", "child_that_is_read_slowly"),
    ),
    "device_that_waits_for_its_command": Hang(
        "deadlock", ERROR,
        ("(wait_for_reply)", "input of terminal", "(ask_command)", "Neither can go on"),
        ("device_that_is_slow", "device_with_a_thread_that_aborts"), versions=("3.8", "3.12"),
    ),
    "machine_whose_answers_nobody_reads": Hang(
        "deadlock", ERROR,
        ("(send_commands)", "output of terminal", "input of terminal", "Neither can go on"),
        ("machine_that_takes_commands_slowly",), versions=("3.8", "3.12"),
    ),
    "eventfd_that_only_its_reader_has": Hang(
        "self-deadlock", ERROR,
        ("Self-deadlock", "(read_eventfd)", "somebody to write to the eventfd", "only it"),
        ("eventfd_of_a_slow_child", "eventfd_of_a_slow_thread"), versions=("3.11", "3.13"),
    ),
    "terminal_that_nobody_reads": Hang(
        "deadlock", ERROR,
        ("(wait_for_child)", "output of terminal", "Neither can go on"),
        ("terminal_with_little_output",), versions=("3.8",),
    ),
    "loop_that_waits_for_itself": Hang(
        "self-deadlock", WARNING,
        ("MainThread waits at", "(wait_until)", "event loop of this very thread"),
        ("wait_beside_the_loop",),
    ),
    "worker_that_calls_its_own_server": Hang(
        "self-deadlock", WARNING,
        ("MainThread of process", "(make_report)", "TCP connection", "only it could serve"),
        ("worker_that_calls_a_slow_one",),
    ),
    "workers_that_call_each_other": Hang(
        "deadlock", WARNING,
        ("Possible deadlock", "MainThread of process", "(make_report)", "Neither can go on"),
        ("worker_that_calls_a_slow_one",), versions=("3.12",),
    ),
    "writer_waits_for_another_writer": Hang(
        "database-locked", WARNING,
        ("Possible deadlock: statistics_0", "importer", "app.db", "(save_count)", "(import_all)"),
        ("writers_in_turn",),
    ),
    "backup_into_its_own_transaction": Hang(
        "database-locked", WARNING,
        ("MainThread", "app.db", "(back_up)", "this very thread", "for ever"),
        ("backup_page_by_page",), versions=("3.8", "3.12"),
    ),
    "manager_locks_crossed": Hang(
        "deadlock-by-elimination", WARNING,
        ("Possible deadlock", "(pay)", "acquire (managers.py", "each for one of 2 locks"),
        ("manager_locks_of_a_slow_client",), versions=("3.8", "3.13"),
    ),
    "accounts_that_methods_lock": Hang(
        "deadlock", ERROR,
        ("to-checking", "to-savings", "(Account.open)", "Account.mutex", "Neither can go on"),
        ("accounts_in_one_order",),
    ),
    "quota_taken_twice": Hang(
        "self-deadlock", ERROR,
        ("scheduler", "(take_quota)", "(make_steps)", "a unit of which it took itself"),
        ("quota_that_a_timer_refills",), versions=("3.8", "3.11", "3.13"),
    ),
    "saver_inside_of_its_loop": Hang(
        "self-deadlock", ERROR,
        ("copier waits at", "save)", "Table.mutex", "took itself at mechanisms.py:"),
        ("cursor_that_goes_on",), versions=("3.8", "3.11", "3.13"),
    ),
    "cursor_that_is_not_closed": Hang(
        "nobody-left-to-wake", ERROR,
        ("saver", "save)", "Table.mutex", "generator", "rows has it", "close()"),
        ("cursor_that_goes_on",), versions=("3.8", "3.12"),
    ),
    "tasks_behind_an_event_beside_a_clock": Hang(
        "tasks-held-up", WARNING,
        ("Task hand_in", "room in parcels", "only task weigh", "task stack_up", "asyncio.Event",
         "clock ran"),
        ("tasks_behind_a_timer_beside_a_clock", "tasks_behind_a_sleep_beside_a_clock"),
        versions=("3.8", "3.11", "3.13"),
    ),
    "cancelled_task_that_goes_on": Hang(
        "cancel-ignored", WARNING,
        ("task consume", "(consume)", "cancel() was called on it once", "task serve_and_stop"),
        ("cancelled_task_that_cleans_up",), versions=("3.11", "3.12", "3.13"),
    ),
    "cancellation_of_a_run_ignored": Hang(
        "cancel-ignored", WARNING,
        ("task hear_nothing sleeps at mechanisms.py:", "asyncio.run(), about to return, waits at"),
        ("cancellation_of_a_run_heard",), versions=("3.11", "3.13"),
    ),
    "sleep_by_a_stopped_clock": Hang(
        "clock-stopped", ERROR,
        ("task poll waits at mechanisms.py:", "(poll)", "a sleep of 0.2 s that does not end",
         "freezegun has stopped the clock", "Nobody is left in this process"),
        ("sleep_by_the_true_clock", "sleep_by_a_clock_that_goes"), versions=("3.8", "3.12"),
    ),
    "item_that_is_not_done": Hang(
        "tasks-not-done", WARNING,
        ("MainThread waits at mechanisms.py:", "join()", "packer and sender", "(take_orders)"),
        ("items_that_come_slowly",), versions=("3.8", "3.11", "3.13"),
    ),
    "item_that_no_task_does": Hang(
        "tasks-not-done", ERROR,
        ("task join_in_loop waits at mechanisms.py:", "join()", "(take_orders_in_loop)"),
        ("items_that_tasks_do",), versions=("3.8", "3.11", "3.13"),
    ),
    "tasks_in_a_loop_that_beats": Hang(
        "deadlock", ERROR,
        ("tasks move_in_loop", "rooms", "staff", "taken at mechanisms.py:"),
        ("tasks_in_one_order",), versions=("3.8", "3.11", "3.13"),
    ),
    "semaphores_crossed": Hang(
        "deadlock", ERROR,
        ("guest and cleaner wait for each other", "taken at mechanisms.py:", "(cross)"),
        ("semaphores_with_room",), versions=("3.8", "3.11", "3.13"),
    ),
    "child_that_is_polled": Hang(
        "output-unread", WARNING,
        ("MainThread", "(monitor)", "by polling", "nobody in it does"),
        ("polled_child_that_is_read_slowly",),
    ),
    "receiver_that_was_not_started": Hang(
        "nobody-left-to-wake", ERROR,
        ("Nobody is left to finish", "request)", "whose other end nobody has but this process",
         "does so in", "receive (replies.py:", "which nobody runs"),
        ("receiver_of_a_slow_server",), versions=("3.8", "3.12"), program="replies",
    ),
    "receiver_that_fails": Hang(
        "nobody-left-to-wake", ERROR,
        ("Nobody is left to finish", "request)", "receive (replies.py:", "which nobody runs"),
        ("receiver_of_a_slow_server",), versions=("3.11", "3.13"), program="replies",
    ),
    "task_that_was_not_started": Hang(
        "quiet", Severity.NOTE,
        ("request_in_loop)", "receive_in_loop (replies.py:", "which nobody runs"),
        ("task_of_a_slow_server",), versions=("3.8", "3.12"), program="replies",
    ),
    "task_of_a_package_that_was_not_started": Hang(
        "quiet", WARNING,
        ("ask_without_a_receiver)", "askclient's Client.receive_in_loop (askclient.py:",
         "which nobody runs"),
        ("task_of_a_slow_server",), versions=("3.11", "3.12", "3.13"), program="replies",
    ),
    "task_that_fails": Hang(
        "left-behind", WARNING,
        ("request_in_loop)", "receive_in_loop", "has ended with KeyError", "replies.py:"),
        ("task_of_a_slow_server",), versions=("3.9", "3.12", "3.13"), program="replies",
    ),
    "actor_that_asks_itself": Hang(
        "nobody-left-to-wake", ERROR,
        ("ledger waits for it at replies.py:", "lies in its own queue, self.inbox",
         "from which only", "run (replies.py:"),
        ("actor_that_asks_a_slow_one",), versions=("3.8", "3.12", "3.13"), program="replies",
    ),
    "timer_that_was_cancelled": Hang(
        "nobody-left-to-wake", ERROR,
        ("Debounced.done", "leave_editor)", "run_action (replies.py:", "which nobody runs"),
        ("timer_that_is_slow",), versions=("3.8", "3.13"), program="replies",
    ),
    "lock_of_a_request_that_failed": Hang(
        "waiting-for-others", WARNING,
        ("worker_0 waits for Stock.lock", "reserve)", "whoever took it has ended, or went",
         "reserve (requests_left.py:", "which this wait is inside of"),
        ("lock_of_a_slow_request", "lock_that_is_passed_on"), versions=("3.8", "3.12", "3.13"),
        program="requests_left",
    ),
    "transaction_kept_by_a_request": Hang(
        "database-locked", Severity.NOTE,
        ("write_order)", "left.db", "of its own process: the global variable KEPT (requests_left"),
        (), versions=("3.8", "3.12", "3.13"), program="requests_left",
    ),
    "event_of_a_nested_function": Hang(
        "event-loop-stalled", ERROR, ("read)", "news", "publish (requests_left.py:"),
        (), versions=("3.8", "3.12", "3.13"), program="requests_left",
    ),
    "permit_kept_by_a_request": Hang(
        "nobody-left-to-wake", ERROR,
        ("Stock.permits", "limit)", "taken was not given back",
         "limit (requests_left.py:", "which this wait is inside of"),
        (), versions=("3.8", "3.12", "3.13"), program="requests_left",
    ),
}  # fmt: skip
PLACES = [
    pytest.param(name, case, found, id=f"{name}-{found.id}")
    for name, case in HANGS.items()
    for found in interpreters(case.versions)
    if found.origin == "pyenv"
]


def looks(pid: int, count: int = 4) -> tuple[Finding, ...]:
    """What several looks find, some half a second apart."""
    capture = take(CaptureRequest(pids=(pid,), follow=True), Looks(count, 0.4 * count))
    assert any(thread.python_stack for thread in capture.threads()), capture.notices
    return findings.run(capture)


def _told(found: tuple[Finding, ...], case: Hang) -> bool:
    """Whether it has come to where it hangs, in all looks."""
    return bool(found) and (found[0].id, found[0].severity) == (case.id, case.severity)


@pytest.mark.parametrize(("name", "case", "interpreter"), PLACES)
def test_the_first_finding_tells_the_mechanism(
    name: str, case: Hang, interpreter: Interpreter
) -> None:
    with running(case.program, interpreter.path, asleep=False, arguments=(name,)) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid)
        while not _told(found, case) and time.monotonic() < deadline:
            found = looks(target.pid)

    assert found
    first = found[0]
    assert (first.id, first.severity) == (case.id, case.severity), found
    said = f"{first.title} {first.sentence}"
    assert [word for word in case.words if word not in said] == [], said


TWINS = [
    pytest.param(twin, case, found, id=f"{twin}-{case.id}-{found.id}")
    for case in HANGS.values()
    for twin in case.twins
    for found in interpreters(case.versions[-1:])
    if found.origin == "pyenv"
]


@pytest.mark.parametrize(("twin", "case", "interpreter"), TWINS)
def test_its_healthy_twin_is_not_taken_for_it(
    twin: str, case: Hang, interpreter: Interpreter
) -> None:
    with running(case.program, interpreter.path, asleep=False, arguments=(twin,)) as target:
        found = [finding for _ in range(SERIES) for finding in looks(target.pid)]

    bad = [one for one in found if one.id == case.id or one.severity is ERROR]
    assert [one.title for one in bad if one.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("interpreter", interpreters(("3.12",)), ids=lambda one: one.id)
def test_what_is_found_by_its_key_lies_in_no_queue(interpreter: Interpreter) -> None:
    program, name = "replies", "question_shared_with_one_who_gave_up"
    with running(program, interpreter.path, asleep=False, arguments=(name,)) as target:
        first = looks(target.pid)[0]

    # Its own loop comes to the line that sets it: in a call that would wait before.
    assert (first.id, first.severity) == ("event-loop-stalled", ERROR)
    assert "task ask_for_rates awaits an asyncio.Future at " in first.sentence
    assert "The program does so in Rates.rate (" in first.sentence
    assert "lies in the queue" not in first.sentence


@pytest.mark.parametrize("interpreter", interpreters(("3.8", "3.13")), ids=lambda one: one.id)
def test_who_ticks_by_an_event_of_multiprocessing_is_no_alarm(interpreter: Interpreter) -> None:
    with running(
        "fleet_processes", interpreter.path, asleep=False, arguments=("ticking",)
    ) as target:
        found = [finding for _ in range(SERIES) for finding in looks(target.pid)]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
