import os
import signal
import tempfile

from gensim.models import Word2Vec

from letters import Letters, write_letters

signal.alarm(120)


def learn_words(folder):
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".txt") as file:
        write_letters(file)
        letters = Letters(file.name)
        model = Word2Vec(vector_size=16, min_count=1, workers=2)
        model.build_vocab(letters)
        model.train(letters, total_examples=model.corpus_count, epochs=2)
    return model.wv.most_similar("harbour")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("MARK main pid=%d" % os.getpid())
        while True:
            learn_words(folder)
