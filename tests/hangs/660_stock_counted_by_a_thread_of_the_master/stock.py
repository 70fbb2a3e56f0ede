import queue
import threading

jobs = queue.Queue()
stock = {}


def count():
    while True:
        shelf, done = jobs.get()
        stock[shelf] = sum(range(len(shelf) * 1000))
        done.set()


def application(environ, start_response):
    done = threading.Event()
    jobs.put((environ["PATH_INFO"], done))
    done.wait()
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"%d pieces" % stock[environ["PATH_INFO"]]]


threading.Thread(target=count, name="counter", daemon=True).start()
