"""vllm_like.py MODE: an engine whose child, a worker, waits for its next command.

"taken": it has taken all, once around the ring; "left": two commands lie there for it; "short": the
ring is said to be larger than its memory; "cut": its memory has been taken away; "paused": as in
"taken", and the scheduler is paused; "asked": as in "taken", and the engine waits for its answer.
"""

import os
import signal
import sys

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from vllm.shm_broadcast import MessageQueue, ShmRingBuffer
from vllm.v1.engine.core import EngineCoreProc
from vllm.v1.executor.multiproc_executor import MultiprocExecutor, WorkerProc

mode = sys.argv[1]
ring = ShmRingBuffer(short=mode == "short")
answers = ShmRingBuffer(short=mode == "short", name="/psm_answers")
commands, mine, others = MessageQueue(ring), MessageQueue(ring, 0), MessageQueue(ring, 1)
if mode != "short":
    for number in range(6):
        commands.put()
        others.take()
        if mode != "left" or number < 4:
            mine.take()
if mode == "cut":
    ring.shared_memory._file.truncate(0)
    answers.shared_memory._file.truncate(0)
if os.fork() == 0:
    signal.alarm(100)
    WorkerProc(mine, MessageQueue(answers)).worker_busy_loop()
ready()
executor = MultiprocExecutor(commands, [MessageQueue(answers, 0)])
EngineCoreProc(executor, mode == "paused", mode == "asked").run_busy_loop()
