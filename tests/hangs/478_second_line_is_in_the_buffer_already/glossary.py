import sys

for word in sys.stdin:
    word = word.strip()
    sys.stdout.write(word + ":\n" + word[::-1] + "\n")
    sys.stdout.flush()
