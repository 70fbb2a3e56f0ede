import sys
import time

from works import Tokens

style, piece = sys.argv[1], int(sys.argv[2])
tokens = Tokens((int(sys.argv[3]), int(sys.argv[4])))


def forge(piece):
    time.sleep(0.05)
    if piece % 4 == 3:
        sys.exit("piece %d broke" % piece)


if style == "careful":
    with tokens.one():
        forge(piece)
else:
    token = tokens.take()
    forge(piece)
    tokens.give(token)
