import multiprocessing
import os
import time

from craft_cli import EmitterMode, emit

SLOW = 0.1


class Overlay:
    def __init__(self, parts):
        self.parts = parts
        self.laid = 0

    def lay_overlay(self):
        for part in self.parts:
            emit.progress("Laying overlay of %s" % part)
            time.sleep(0.01)

    def unpack(self):
        emit.progress("Unpacking base %d" % self.laid)
        time.sleep(SLOW)


class Builder:
    def __init__(self):
        self.overlay = Overlay(["roof", "walls", "floor"])
        self.context = multiprocessing.get_context("fork")

    def build(self):
        self.overlay.unpack()
        layer = self.context.Process(target=self.overlay.lay_overlay, name="layer")
        layer.start()
        layer.join()
        self.overlay.laid += 1


def main():
    emit.init(EmitterMode.BRIEF, "builder", "Building the house")
    builder = Builder()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        builder.build()


if __name__ == "__main__":
    main()
