import os
import signal
import threading
import time

from drone import Drone
from pymavlink import mavutil

signal.alarm(120)


def beat(port):
    link = mavutil.mavlink_connection("udpout:127.0.0.1:%d" % port, source_system=7)
    while True:
        link.mav.heartbeat_send(2, 3, 0, 0, 0)
        time.sleep(0.2)


def survey_field(drone, points):
    drone.wait_until_there()
    for north, east in points:
        drone.fly_to(north, east)


if __name__ == "__main__":
    drone = Drone("udpin:127.0.0.1:0")
    port = drone.link.port.getsockname()[1]
    threading.Thread(target=beat, args=(port,), name="drone", daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        survey_field(drone, [(0, 0), (0, 50), (50, 50)])
