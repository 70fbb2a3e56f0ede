import os
import time

import ray
from ray.util.queue import Queue

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote
class Consumer:
    def run(self, queue, count):
        for _ in range(count):
            queue.get()


def publish(queue, count):
    for i in range(count):
        queue.put(i)


consumer = Consumer.remote()
queue = Queue(maxsize=4)
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    done = consumer.run.remote(queue, 40)
    publish(queue, 40)
    ray.get(done)
    time.sleep(0.05)
