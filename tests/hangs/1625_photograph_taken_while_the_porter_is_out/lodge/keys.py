import os
import threading


class KeyBoard:
    """Keys of the rooms; a copy of the process must find them all in their places."""

    def __init__(self):
        self.whole = threading.Lock()
        self.rooms = {number: "hook %d" % number for number in range(12)}
        self.taken = 0

    def guard_copies(self):
        os.register_at_fork(
            before=self.whole.acquire,
            after_in_parent=self.whole.release,
            after_in_child=self.whole.release,
        )

    def take(self, number):
        self.taken += 1
        return self.rooms.pop(number, None)

    def put_back(self, number):
        self.rooms[number] = "hook %d" % number
