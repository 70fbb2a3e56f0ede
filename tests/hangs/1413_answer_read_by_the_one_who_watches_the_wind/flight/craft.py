import os
import threading

os.environ["MAVLINK20"] = "1"
from pymavlink import mavutil

LINK = mavutil.mavlink


class Craft(threading.Thread):
    def __init__(self):
        super().__init__(name="craft", daemon=True)
        self.link = mavutil.mavlink_connection("udpin:127.0.0.1:0", source_system=1)
        self.address = "udpout:127.0.0.1:%d" % self.link.port.getsockname()[1]
        self.armed = False

    def answer(self, message):
        self.armed = message.param1 == 1
        self.link.mav.command_ack_send(message.command, LINK.MAV_RESULT_ACCEPTED)

    def run(self):
        heard = False
        while True:
            message = self.link.recv_match(blocking=True, timeout=0.1)
            heard = heard or message is not None
            if heard:
                self.link.mav.heartbeat_send(2, 3, 81, 0, 4)
                self.link.mav.scaled_pressure_send(0, 1013.0, 0.2, 2100)
            if message is not None and message.get_type() == "COMMAND_LONG":
                self.answer(message)
