import os
import signal

from drone import Drone

signal.alarm(120)


def survey_field(drone, points):
    drone.wait_until_there()
    for north, east in points:
        drone.fly_to(north, east)


if __name__ == "__main__":
    drone = Drone("udpin:127.0.0.1:0")
    print("MARK main pid=%d" % os.getpid())
    survey_field(drone, [(0, 0), (0, 50), (50, 50)])
