import socket
import threading


class Station(threading.Thread):
    def __init__(self, hang_up):
        super().__init__(name="station", daemon=True)
        self.hang_up = hang_up
        self.door = socket.create_server(("127.0.0.1", 0))
        self.callers = []

    def run(self):
        while True:
            caller, _ = self.door.accept()
            caller.sendall(b"hour,degrees\n")
            for hour in range(24):
                caller.sendall(b"%d,%d\n" % (hour, 4 + hour % 9))
            if self.hang_up:
                caller.close()
            else:
                self.callers.append(caller)
