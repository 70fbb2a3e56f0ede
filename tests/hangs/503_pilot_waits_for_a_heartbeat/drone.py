from pymavlink import mavutil


class Drone:
    def __init__(self, address):
        self.link = mavutil.mavlink_connection(address)

    def wait_until_there(self):
        self.link.wait_heartbeat()
        print("drone %d is there" % self.link.target_system)

    def fly_to(self, north, east):
        self.link.mav.set_position_target_local_ned_send(
            0, self.link.target_system, 1, 1, 0xFF8, north, east, -10, 0, 0, 0, 0, 0, 0, 0, 0
        )
