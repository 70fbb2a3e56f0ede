import os
import signal

from archive import Archive

signal.alarm(120)


def main():
    archive = Archive()
    archive.keep_talk("ida")
    archive.keep_talk("ida")
    archive.talks_of("ida")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
