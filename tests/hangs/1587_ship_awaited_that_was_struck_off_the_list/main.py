from harbour import run

if __name__ == "__main__":
    run({"north": 0.0, "south": 0.1, "west": 0.9})
