import os
import signal
import subprocess

signal.alarm(120)


def start_translator():
    return subprocess.Popen(
        ["sed", "-u", "s/color/colour/"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def translate(translator, line):
    translator.stdin.write(line + "\n")
    return translator.stdout.readline()


def translate_labels(labels):
    translator = start_translator()
    while True:
        for label in labels:
            translate(translator, label)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    translate_labels(["color of the door", "color of the roof"])
