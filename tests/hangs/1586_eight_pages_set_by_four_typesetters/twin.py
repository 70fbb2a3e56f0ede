from press import run

if __name__ == "__main__":
    run(pages=2)
