import sys

QUESTIONS = [("name", "age"), ("street",), ("town", "country")]


def say(kind, text):
    return "%s %s\n" % (kind, text)


def main(together):
    for group in QUESTIONS * 100:
        text = [say("ASK", one) for one in group]
        if together:
            sys.stdout.write("".join(text))
            sys.stdout.flush()
            for _ in group:
                sys.stdin.readline()
        else:
            for one in text:
                sys.stdout.write(one)
                sys.stdout.flush()
                sys.stdin.readline()


if __name__ == "__main__":
    main(sys.argv[1] == "together")
