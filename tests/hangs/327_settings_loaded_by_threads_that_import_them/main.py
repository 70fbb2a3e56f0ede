import os
import signal

signal.alarm(120)


def open_shop():
    import settings

    return settings.REGIONS


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    open_shop()
