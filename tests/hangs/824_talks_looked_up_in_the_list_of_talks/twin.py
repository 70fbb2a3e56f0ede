import os
import signal
import time

from archive import Archive

signal.alarm(120)


class OpenArchive(Archive):
    def talks_of(self, guest):
        config = {"configurable": {"thread_id": guest}}
        talks = list(self.saver.list(config))
        return [self.saver.get_tuple(talk.config) for talk in talks]


def main():
    archive = OpenArchive()
    archive.keep_talk("ida")
    archive.keep_talk("ida")
    while True:
        archive.talks_of("ida")
        time.sleep(0.05)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
