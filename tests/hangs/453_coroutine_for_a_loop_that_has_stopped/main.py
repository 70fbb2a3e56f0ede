import os
import signal
import time

from radio import Radio

signal.alarm(120)


def switch_lamps(radio, lamps):
    return [radio.call(radio.send("on " + lamp)) for lamp in lamps]


def leave_house(radio, lamps):
    radio.connection_lost()
    time.sleep(0.2)
    radio.call(radio.send("off"))


if __name__ == "__main__":
    radio = Radio()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    switch_lamps(radio, ["hall", "roof"])
    leave_house(radio, ["hall", "roof"])
