"""A thread inside an exit stack that contains itself many times, and inside a lock."""

import contextlib
import threading

from ready import ready

lock = threading.Lock()


def hold():
    stack = contextlib.ExitStack()
    for _ in range(300):
        stack.push(stack)
    with stack, lock:
        ready()
        threading.Event().wait()


if __name__ == "__main__":
    threading.Thread(target=hold, name="holder").start()
