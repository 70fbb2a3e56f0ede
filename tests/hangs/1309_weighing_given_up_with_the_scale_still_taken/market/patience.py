import queue
import threading


class TooLong(Exception):
    pass


def within(seconds, function, *args):
    """The result of a call, or TooLong."""
    results = queue.Queue()

    def attempt():
        results.put(function(*args))

    threading.Thread(target=attempt, name="attempt", daemon=True).start()
    try:
        return results.get(timeout=seconds)
    except queue.Empty:
        raise TooLong(function.__name__) from None
