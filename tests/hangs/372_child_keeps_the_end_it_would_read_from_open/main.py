import multiprocessing
import os
import signal

signal.alarm(120)


def count_words(texts, counts):
    total = 0
    while True:
        try:
            total += len(texts.recv().split())
        except EOFError:
            break
    counts.send(total)


def count_book(pages):
    texts, pages_out = multiprocessing.Pipe(duplex=False)
    counts, counts_out = multiprocessing.Pipe(duplex=False)
    counter = multiprocessing.Process(target=count_words, args=(texts, counts_out), name="counter")
    counter.start()
    texts.close()
    for page in pages:
        pages_out.send(page)
    pages_out.close()
    return counts.recv()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    print(count_book(["call me Ishmael", "some years ago"]))
