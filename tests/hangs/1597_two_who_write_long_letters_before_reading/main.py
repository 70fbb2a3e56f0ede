from author import run

if __name__ == "__main__":
    run(chatter=400, words=3000)
