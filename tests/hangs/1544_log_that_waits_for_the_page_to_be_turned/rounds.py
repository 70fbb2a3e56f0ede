import threading
import time

from scrapli.driver import GenericDriver


class Cabinet(threading.Thread):
    """Asks one switch again and again for what it has to tell."""

    def __init__(self, name, port, commands):
        super().__init__(name="cabinet-" + name, daemon=True)
        self.wire = GenericDriver(
            host="127.0.0.1",
            port=port,
            transport="telnet",
            auth_bypass=True,
            timeout_socket=600,
            timeout_transport=0,
            timeout_ops=0,
            comms_prompt_pattern=r"^[a-z]+# ?$",
        )
        self.commands = commands
        self.kept = {}

    def collect(self):
        for command in self.commands:
            self.kept[command] = self.wire.send_command(command).result

    def run(self):
        self.wire.open()
        while True:
            self.collect()
            time.sleep(0.5)


class Rounds:
    COMMANDS = ("show clock", "show users", "show log")

    def __init__(self, ports):
        self.cabinets = [Cabinet(name, port, self.COMMANDS) for name, port in ports.items()]

    def begin(self):
        for cabinet in self.cabinets:
            cabinet.start()

    def summary(self):
        return {cabinet.name: sorted(cabinet.kept) for cabinet in self.cabinets}
