from press.house import run_press

if __name__ == "__main__":
    run_press(reserve=False)
