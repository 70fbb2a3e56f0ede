from gevent import monkey

monkey.patch_all()

import os
import signal

import gevent
from gevent.event import Event
from locust import User, constant, events, task
from locust.env import Environment

signal.alarm(120)


class Gun:
    def __init__(self, field):
        self.shot = Event()
        field.spawning_complete.add_listener(self.fire)

    def fire(self, **_):
        self.shot.set()


gun = Gun(events)


class Runner(User):
    wait_time = constant(0.1)

    def on_start(self):
        gun.shot.wait()

    @task
    def lap(self):
        gevent.sleep(0.05)


def hold_race():
    environment = Environment(user_classes=[Runner], events=events)
    race = environment.create_local_runner()
    race.start(3, spawn_rate=10)
    race.greenlet.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    hold_race()
