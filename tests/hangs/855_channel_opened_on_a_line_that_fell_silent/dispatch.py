import logging
import time

import amqpstorm

logging.getLogger("amqpstorm").setLevel(logging.CRITICAL)


class Dispatch:
    def __init__(self, port):
        self.connection = amqpstorm.Connection(
            "127.0.0.1", "guest", "guest", port=port, heartbeat=1
        )
        self.sent = 0

    def send_tour(self):
        channel = self.connection.channel()
        self.sent += 1
        channel.close()

    def run(self):
        while True:
            self.send_tour()
            time.sleep(0.1)
