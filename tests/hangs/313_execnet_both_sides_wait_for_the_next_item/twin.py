import os
import signal

import execnet

signal.alarm(120)


def resize_pictures(channel):
    import time

    for name in channel:
        time.sleep(0.05)
        channel.send("small " + name)


def resize_all(names):
    channel = execnet.makegateway().remote_exec(resize_pictures)
    while True:
        for name in names:
            channel.send(name)
        for _ in names:
            channel.receive()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    resize_all(["sea.png", "hill.png"])
