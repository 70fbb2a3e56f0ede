import os
import signal

import requests
from reports import serve

signal.alarm(120)


def fetch_prices(session, port):
    answer = session.get("http://127.0.0.1:%d/prices" % port)
    return dict(line.split(";") for line in answer.text.splitlines())


if __name__ == "__main__":
    port = serve()
    print("MARK main pid=%d" % os.getpid())
    with requests.Session() as session:
        print(fetch_prices(session, port))
