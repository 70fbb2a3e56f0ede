import multiprocessing
import os
import time


def run_tokenizer(prompts, tokens):
    while True:
        number, prompt = prompts.recv()
        tokens.send((number, [len(word) for word in prompt.split()] * 8))


def run_scheduler(tokens, outputs):
    while True:
        number, ids = tokens.recv()
        time.sleep(0.001)
        outputs.send((number, ids[::-1]))


class Frontend:
    def __init__(self, prompts, outputs):
        self.prompts = prompts
        self.outputs = outputs
        self.answers = {}

    def ask(self, number, prompt):
        self.prompts.send((number, prompt))

    def collect(self):
        number, ids = self.outputs.recv()
        self.answers[number] = bytes(ids)

    def complete(self, batch):
        self.answers.clear()
        asked = 0
        for number, prompt in enumerate(batch):
            if BOUND and asked - len(self.answers) >= 8:
                self.collect()
            self.ask(number, prompt)
            asked += 1
        while len(self.answers) < asked:
            self.collect()
        return self.answers


def main():
    spawn = multiprocessing.get_context("spawn")
    prompts, ask = spawn.Pipe(duplex=False)
    tokens, tell = spawn.Pipe(duplex=False)
    outputs, give = spawn.Pipe(duplex=False)
    workers = [
        spawn.Process(target=run_tokenizer, args=(prompts, tell), name="tokenizer", daemon=True),
        spawn.Process(target=run_scheduler, args=(tokens, give), name="scheduler", daemon=True),
    ]
    for worker in workers:
        worker.start()
    for end in prompts, tell, tokens, give:
        end.close()
    frontend = Frontend(ask, outputs)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    size = 8
    while True:
        frontend.complete(["a few words of a prompt " * 20] * size)
        size = min(size * 2, 2048)


BOUND = True


if __name__ == "__main__":
    main()
