from traveller import run

if __name__ == "__main__":
    run("waits")
