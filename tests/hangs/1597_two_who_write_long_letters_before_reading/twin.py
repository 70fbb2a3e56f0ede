from author import run

if __name__ == "__main__":
    run(chatter=10, words=20)
