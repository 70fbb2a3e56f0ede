from yard import run

if __name__ == "__main__":
    run(hands=1)
