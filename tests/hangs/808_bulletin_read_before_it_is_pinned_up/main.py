import os
import signal

from hall import app

signal.alarm(120)


def check_bulletins():
    reader = app.test_client()
    answer = reader.get("/bulletins")
    assert answer.status_code == 200
    app.test_client().post("/pin/market on friday")
    assert "market" in answer.text


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    check_bulletins()
