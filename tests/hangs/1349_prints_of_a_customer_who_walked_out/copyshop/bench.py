import queue
import threading
import time
from concurrent.futures import Executor, Future


class Bench(Executor):
    """Presses that take sheets in the order of their coming."""

    def __init__(self, presses):
        self.sheets = queue.Queue()
        self.presses = [
            threading.Thread(target=self._press, name="press-%d" % n, daemon=True)
            for n in range(presses)
        ]
        for press in self.presses:
            press.start()

    def submit(self, fn, *args, **kwargs):
        future = Future()
        self.sheets.put((future, fn, args, kwargs))
        return future

    def _press(self):
        while True:
            future, fn, args, kwargs = self.sheets.get()
            if future.cancelled():
                continue
            try:
                future.set_result(fn(*args, **kwargs))
            except Exception as error:  # noqa: BLE001
                future.set_exception(error)


def expose(name, copies):
    time.sleep(0.15 * copies)
    return "%s x%d" % (name, copies)
