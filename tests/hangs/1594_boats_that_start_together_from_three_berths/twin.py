from regatta import run

if __name__ == "__main__":
    run(berths=4)
