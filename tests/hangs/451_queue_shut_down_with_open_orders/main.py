import os
import queue
import signal
import threading
import time

signal.alarm(120)


class Kitchen:
    def __init__(self):
        self.orders = queue.Queue()
        self.served = []
        self.cook = threading.Thread(target=self.cook_orders, name="cook")

    def cook_orders(self):
        while not self.orders.is_shutdown:
            try:
                order = self.orders.get()
            except queue.ShutDown:
                return
            time.sleep(0.05)
            self.served.append(order)
            self.orders.task_done()

    def serve_table(self, dishes):
        self.cook.start()
        for dish in dishes:
            self.orders.put(dish)
        self.orders.shutdown()
        self.orders.join()
        return self.served


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(Kitchen().serve_table(["soup", "fish", "cake"]))
