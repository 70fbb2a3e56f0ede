"""A thread has ended whose object is kept; another one rests, and a third was never started."""

import threading
import time

from ready import ready


class Server:
    def __init__(self, name, work):
        self.thread = threading.Thread(target=work, name=name, daemon=True)


ended = Server("lookup-server", int)
rests = Server("flusher", lambda: time.sleep(100))
never = Server("never-started", int)
ended.thread.start()
rests.thread.start()
ended.thread.join()
ready()
time.sleep(100)
