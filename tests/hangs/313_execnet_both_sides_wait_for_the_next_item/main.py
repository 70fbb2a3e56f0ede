import os
import signal

import execnet

signal.alarm(120)


def resize_pictures(channel):
    for name in channel:
        channel.send("small " + name)


def resize_all(names):
    channel = execnet.makegateway().remote_exec(resize_pictures)
    for name in names:
        channel.send(name)
    return list(channel)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    resize_all(["sea.png", "hill.png"])
