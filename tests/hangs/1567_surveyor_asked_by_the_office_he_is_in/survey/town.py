import time

import oslo_messaging


class Town:
    def __init__(self, transport):
        target = oslo_messaging.Target(topic="survey")
        self.client = oslo_messaging.get_rpc_client(transport, target, timeout=86400)
        self.built = []
        self.steps = 0

    def build(self):
        lot = 0
        while True:
            lot += 1
            price = self.client.call({}, "quote", lot=lot)
            self.built.append(price)
            del self.built[:-30]
            time.sleep(0.02)

    def stroll(self):
        while True:
            self.steps += 1
            time.sleep(0.3)
