from street import run

if __name__ == "__main__":
    run([30, 40, 250])
