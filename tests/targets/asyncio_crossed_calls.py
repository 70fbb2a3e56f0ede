"""Two threads run an event loop each, and each blocks its own until the other's has made a call:
``crossed``, or only the one asks the other."""

import asyncio
import concurrent.futures
import sys
import threading

from ready import ready


class House:
    def __init__(self, meeting):
        self.loop = asyncio.new_event_loop()
        self.meeting = meeting

    def call(self, function):
        answer = concurrent.futures.Future()
        self.loop.call_soon_threadsafe(lambda: answer.set_result(function()))
        return answer.result()

    def live(self, other):
        asyncio.set_event_loop(self.loop)
        self.loop.call_soon(self.ask, other)
        self.loop.run_forever()

    def ask(self, other):
        self.meeting.wait()
        if other is not None:
            other.call(dict)
            ready()


def main(how):
    meeting = threading.Barrier(2)
    hall, kitchen = House(meeting), House(meeting)
    asked = hall if how == "crossed" else None
    threading.Thread(target=kitchen.live, args=(asked,), name="kitchen", daemon=True).start()
    hall_thread = threading.Thread(target=hall.live, args=(kitchen,), name="hall", daemon=True)
    hall_thread.start()
    if how == "crossed":
        ready()
    hall_thread.join()


if __name__ == "__main__":
    main(sys.argv[1])
