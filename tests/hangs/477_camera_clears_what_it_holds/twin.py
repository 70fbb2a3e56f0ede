import os
import signal
import threading
import time

from celery import Celery
from celery.events.snapshot import Polaroid

signal.alarm(120)

app = Celery("shop", broker="memory://")


class TaskCamera(Polaroid):
    clear_after = True

    def on_shutter(self, state):
        for uuid, task in state.tasks_by_time():
            print(task.state, uuid)


def tell_of_tasks():
    with app.connection() as connection:
        dispatcher = app.events.Dispatcher(connection)
        for number in range(100000):
            dispatcher.send("task-received", uuid="order-%d" % number, name="pack")
            time.sleep(0.05)


def watch_tasks():
    state = app.events.State()
    with app.connection() as connection:
        receiver = app.events.Receiver(connection, handlers={"*": state.event})
        with TaskCamera(state, freq=1.0, app=app):
            threading.Thread(target=tell_of_tasks, name="shop", daemon=True).start()
            receiver.capture(limit=None, timeout=None)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    watch_tasks()
