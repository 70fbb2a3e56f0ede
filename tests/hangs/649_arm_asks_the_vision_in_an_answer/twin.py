import os
import signal
import threading

import roslibpy

from robot import start_robot

signal.alarm(120)


class Arm:
    def __init__(self, port):
        self.ros = roslibpy.Ros("127.0.0.1", port)
        self.ros.run()
        self.where = roslibpy.Service(self.ros, "/vision/where", "vision/Where")
        self.moves = []
        self.served = threading.Event()

    def pour(self, request, response):
        response["moved"] = request["cup"]
        cup = roslibpy.ServiceRequest({"cup": request["cup"]})
        self.where.call(cup, callback=self.move, errback=print)
        return True

    def move(self, place):
        self.moves.append((place["x"], place["y"]))
        self.served.set()

    def serve(self):
        service = roslibpy.Service(self.ros, "/arm/pour", "arm/Pour")
        service.advertise(self.pour)
        while True:
            self.served.wait()
            self.served.clear()


if __name__ == "__main__":
    port = start_robot()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Arm(port).serve()
