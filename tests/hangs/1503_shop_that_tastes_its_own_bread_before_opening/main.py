import os
import socket

import uvicorn

from bakery.app import application

EARLY = True


def main():
    counter = socket.create_server(("127.0.0.1", 0))
    base = "http://127.0.0.1:%d" % counter.getsockname()[1]
    config = uvicorn.Config(application(base, EARLY), log_level="warning")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    uvicorn.Server(config).run(sockets=[counter])


if __name__ == "__main__":
    main()
