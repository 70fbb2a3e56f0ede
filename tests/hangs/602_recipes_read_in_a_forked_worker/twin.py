import multiprocessing
import os
import signal
import tempfile

import opendal

signal.alarm(120)


def read_recipe(folder, name):
    shelf = opendal.Operator("fs", root=folder)
    return shelf.read(name).decode()


def read_all(folder, names):
    longest = read_recipe(folder, names[0])
    with multiprocessing.get_context("spawn").Pool(2) as readers:
        recipes = readers.starmap(read_recipe, [(folder, name) for name in names])
    return max([longest, *recipes], key=len)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name in ("soup", "stew"):
            with open(os.path.join(folder, name), "w") as recipe:
                recipe.write("take water for the " + name)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            read_all(folder, ["soup", "stew"])
