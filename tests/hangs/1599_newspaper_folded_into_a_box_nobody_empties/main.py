from village import run

if __name__ == "__main__":
    run(polite=False)
