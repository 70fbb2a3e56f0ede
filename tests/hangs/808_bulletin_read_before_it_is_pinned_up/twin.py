import os
import signal
import threading
import time

from hall import app, readers

signal.alarm(120)


def pin_again_and_again():
    while True:
        app.test_client().post("/pin/market on friday")
        time.sleep(0.1)


def check_bulletins():
    answer = app.test_client().get("/bulletins", buffered=False)
    assert b"market" in next(answer.iter_encoded())
    answer.close()
    readers.clear()


if __name__ == "__main__":
    threading.Thread(target=pin_again_and_again, name="pinner", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        check_bulletins()
