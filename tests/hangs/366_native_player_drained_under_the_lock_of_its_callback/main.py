import os
import signal
import threading

from build import build_player

signal.alarm(120)

player = build_player(os.path.join(os.path.dirname(os.path.abspath(__file__)), "build", "main"))


class Radio:
    def __init__(self):
        self.lock = threading.Lock()
        self.blocks_left = 0

    def note_block(self, left):
        with self.lock:
            self.blocks_left = left

    def play_song(self, blocks):
        with self.lock:
            player.lib.player_add(blocks)
            player.lib.player_drain()


@player.ffi.def_extern()
def block_done(left):
    radio.note_block(left)


if __name__ == "__main__":
    radio = Radio()
    print("MARK main pid=%d" % os.getpid())
    radio.play_song(5)
