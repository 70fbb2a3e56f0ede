"""Waits."""

from elsewhere.state import board, jobs, paid


def wait_paid():
    paid.wait()


def announce():
    jobs.put("first")
    jobs.put("second")


def wait_done():
    with board.done:
        board.done.wait()
