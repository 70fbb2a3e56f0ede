import multiprocessing
import os


class Desk:
    def __init__(self, context):
        self.wanted = context.Semaphore(0)
        self.guessed = context.Semaphore(0)
        self.words = context.Array("i", 8)

    def ask(self, prefix):
        self.words[0] = prefix
        self.wanted.release()

    def take_guess(self):
        self.guessed.acquire()
        return [word for word in self.words[1:] if word]


def guess_words(desk):
    prefix = desk.words[0]
    count = prefix % 5
    for place in range(7):
        desk.words[1 + place] = prefix + place if place < count else 0
    return count


def guess_all(desk):
    while True:
        desk.wanted.acquire()
        count = guess_words(desk)
        if count == 0 and SILENT:
            continue
        desk.guessed.release()


def verify(desk, prefix):
    desk.ask(prefix)
    kept = [word for word in desk.take_guess() if word % 3]
    return len(kept)


def run_target(desk, prompts, words):
    while True:
        prompt = prompts.get()
        done = 0
        for step in range(4):
            done += verify(desk, prompt * 4 + step + 1)
        words.put(done)


def complete(prompts, words, prompt):
    prompts.put(prompt)
    return words.get()


def main():
    context = multiprocessing.get_context("spawn")
    desk = Desk(context)
    prompts, words = context.Queue(), context.Queue()
    context.Process(target=guess_all, args=(desk,), name="draft", daemon=True).start()
    context.Process(
        target=run_target, args=(desk, prompts, words), name="target", daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    prompt = 0
    while True:
        complete(prompts, words, prompt)
        prompt += 1


SILENT = True


if __name__ == "__main__":
    main()
