import os
import signal

from radio import Radio

signal.alarm(120)


def switch_lamps(radio, lamps):
    return [radio.call(radio.send("on " + lamp)) for lamp in lamps]


def leave_house(radio, lamps):
    radio.call(radio.send("off"))
    radio.connection_lost()
    radio.thread.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        radio = Radio()
        switch_lamps(radio, ["hall", "roof"])
        leave_house(radio, ["hall", "roof"])
