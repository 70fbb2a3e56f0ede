from master import run

if __name__ == "__main__":
    run(beside=False)
