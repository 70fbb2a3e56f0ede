"""What the programs churn_*.py share: threads that live for milliseconds, one after the other.

Such a program works until its standard input ends, which it does with whoever started it.
"""

import os
import random
import select
import signal
import sys
import threading
import time
import traceback

from ready import ready

THREADS = 5
FAILED = 3
"""The exit status of a program in which a thread met an error."""


def pause(longest=0.004):
    """Sleep for a random time, in seconds."""
    time.sleep(random.random() * longest)


def work(size=300):
    return sum(i * i for i in range(size))


def start(play, *arguments):
    """A thread that ends the program if it fails: others would wait for it in vain."""

    def run():
        try:
            play(*arguments)
        except BaseException:  # noqa: BLE001  whatever it is, it ends the program
            traceback.print_exc()
            os._exit(FAILED)

    thread = threading.Thread(target=run, name=play.__name__, daemon=True)
    thread.start()
    return thread


def successors(*plays, threads=THREADS):
    """Run the functions on short-lived threads, for ever; each gets the number of its place.

    A thread does one to three rounds, starts the next one in its place, and ends.
    """

    def live(play, number):
        for _ in range(random.randrange(1, 4)):
            play(number)
            pause()
        begin(play, number)

    def begin(play, number):
        thread = start(live, play, number)
        thread.name = "%s-%d" % (play.__name__, number)

    for number in range(threads):
        begin(plays[number % len(plays)], number)


def until_alone():
    """Say that all is set up, and wait for the end of standard input; then end the whole group.

    Some wait in a read, as a watcher of its parent does. Others look now and then: for everyone who
    waits for a pipe, whoever captures them looks through the descriptors of the whole machine.
    """
    ready()
    reads = random.random() < 0.25
    while reads or not select.select([0], [], [], 0)[0]:
        if reads and not os.read(0, 100):
            break
        time.sleep(0.05)
    end()


def end():
    """Leave nobody of this program behind: it should have a process group of its own."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def churn(*plays, threads=THREADS):
    """The whole of a program that consists of such threads."""
    successors(*plays, threads=threads)
    until_alone()


def main(programs):
    """Be the program that the first argument names."""
    programs[sys.argv[1]]()
