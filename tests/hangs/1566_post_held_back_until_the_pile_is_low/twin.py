import os
import queue
import threading

from google.api_core.bidi import BackgroundConsumer

from post.line import Line
from post.room import Reader, Room

if __name__ == "__main__":
    letters = queue.Queue()
    room = Room(letters, high=4, low=2)
    consumer = BackgroundConsumer(Line(), room.deliver)
    room.consumer = consumer
    consumer.start()
    readers = [Reader(number, letters, room, lenient=True) for number in range(3)]
    for reader in readers:
        reader.start()
    threading.Thread(target=room.report, name="report", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for reader in readers:
        reader.join()
