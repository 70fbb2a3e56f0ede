"""A thread has ended whose object is kept; another one rests, and two were never started."""

import threading
import time

from ready import ready


class Server:
    def __init__(self, name, work):
        self.thread = threading.Thread(target=work, name=name, daemon=True)


class Late(threading.Thread):
    pass


ended = Server("lookup-server", int)
rests = Server("flusher", lambda: time.sleep(100))
never = Server("never-started", int)
late = Late(name="Thread-late")
ended.thread.start()
rests.thread.start()
ended.thread.join()
ready()
time.sleep(100)
