from noon import run

if __name__ == "__main__":
    run(clear_at_once=True)
