"""A package calls a function of the application again and again, and sleeps in between; another one
of its threads has such a function, and does not come to call it again."""

import threading
import time

from ready import ready

PACKAGE = """
import time

def keep_trying(fn, *given):
    while True:
        try:
            return fn(*given)
        except ConnectionError:
            time.sleep(3600)

def call_once(fn):
    fn()
    time.sleep(3600)
"""
package = {}
exec(compile(PACKAGE, "/srv/site-packages/retry/api.py", "exec"), package)


class Rates:
    def fetch(self, day):
        raise ConnectionError(day)

    def load(self):
        return package["keep_trying"](self.fetch, "Monday")


def greet():
    time.sleep(0)


def main():
    threading.Thread(target=Rates().load, name="load", daemon=True).start()
    once = threading.Thread(target=package["call_once"], args=(greet,), name="once", daemon=True)
    once.start()
    time.sleep(0.5)
    ready()
    once.join()


if __name__ == "__main__":
    main()
