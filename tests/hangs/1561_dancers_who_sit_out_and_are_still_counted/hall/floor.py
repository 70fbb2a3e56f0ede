import threading
import time

import envpool
import numpy


class Floor(threading.Thread):
    def __init__(self, batches, dancers, together, again):
        super().__init__(name="floor", daemon=True)
        self.batches = batches
        self.again = again
        self.pool = envpool.make(
            "CartPole-v1", env_type="gym", num_envs=dancers, batch_size=together
        )

    def choose(self, seen):
        return (seen[:, 2] > 0).astype(numpy.int32)

    def collect(self):
        seen, reward, done, _truncated, info = self.pool.recv()
        places = info["env_id"]
        self.batches.put((places, reward))
        going_on = numpy.ones_like(done) if self.again else ~done
        if going_on.any():
            self.pool.send(self.choose(seen)[going_on], places[going_on])

    def run(self):
        self.pool.async_reset()
        while True:
            self.collect()
            time.sleep(0.002)
