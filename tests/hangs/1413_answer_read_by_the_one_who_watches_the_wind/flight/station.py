import os
import threading
import time

from flight.craft import LINK, Craft
from pymavlink import mavutil


class Telemetry(threading.Thread):
    def __init__(self, link):
        super().__init__(name="telemetry", daemon=True)
        self.link = link
        self.pressures = []

    def run(self):
        while True:
            message = self.link.recv_msg()
            if message is None:
                time.sleep(0.001)
            elif message.get_type() == "SCALED_PRESSURE":
                self.pressures.append(message.press_abs)


class Pilot:
    def __init__(self, link):
        self.link = link
        self.done = []

    def arm(self, flag):
        self.link.mav.command_long_send(
            1, 1, LINK.MAV_CMD_COMPONENT_ARM_DISARM, 0, flag, 0, 0, 0, 0, 0, 0
        )
        answer = self.link.recv_match(type="COMMAND_ACK", blocking=True)
        self.done.append(answer.result)


def fly(shared):
    craft = Craft()
    link = mavutil.mavlink_connection(craft.address)
    link.mav.heartbeat_send(6, 8, 0, 0, 4)
    craft.start()
    link.wait_heartbeat()
    if shared:
        Telemetry(link).start()
    pilot = Pilot(link)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    flag = 1
    while True:
        pilot.arm(flag)
        flag = 1 - flag
        time.sleep(0.05)
