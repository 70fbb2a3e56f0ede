import os
import threading
import time

from kombu import Connection, Exchange, Queue

KEY = "room.late"
HOUSE = Exchange("house", type="direct")
BOOKED = Queue("booked", HOUSE, routing_key="room.booked")


class Reception:
    def __init__(self):
        self.line = Connection("memory://house")
        self.guests = []

    def announce(self):
        with Connection("memory://house") as line:
            producer = line.Producer()
            while True:
                producer.publish({"guest": "Ada"}, exchange=HOUSE, routing_key=KEY, declare=[HOUSE])
                if KEY == "room.late":
                    return
                time.sleep(0.3)

    def note(self, body, message):
        self.guests.append(body["guest"])
        message.ack()

    def await_guest(self):
        self.guests.clear()
        while not self.guests:
            self.line.drain_events()
        return self.guests[-1]

    def serve(self):
        with self.line.Consumer([BOOKED], callbacks=[self.note]):
            threading.Thread(target=self.announce, name="porter", daemon=True).start()
            while True:
                self.await_guest()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Reception().serve()
