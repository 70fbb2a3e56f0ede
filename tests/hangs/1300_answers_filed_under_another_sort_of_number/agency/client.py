import itertools
import json
import logging
import threading
from concurrent.futures import Future

log = logging.getLogger("agency")


class Client:
    """Calls over a stream of lines; answers come in any order."""

    def __init__(self, stream):
        self.out = stream.makefile("w", encoding="utf-8")
        self.lines = stream.makefile("r", encoding="utf-8")
        self.numbers = itertools.count(1)
        self.waiting = {}
        self.guard = threading.Lock()
        self.listener = threading.Thread(target=self.listen, name="listener", daemon=True)
        self.listener.start()

    def call(self, method, **details):
        number = next(self.numbers)
        answer = Future()
        with self.guard:
            self.waiting[number] = answer
            self.out.write(json.dumps({"id": number, "method": method, **details}) + "\n")
            self.out.flush()
        return answer.result()

    def deliver(self, message):
        answer = self.waiting.pop(message.get("id"), None)
        if answer is None:
            log.debug("nobody waits for %r", message)
        elif "error" in message:
            answer.set_exception(RuntimeError(message["error"]))
        else:
            answer.set_result(message["result"])

    def listen(self):
        for line in self.lines:
            self.deliver(json.loads(line))
