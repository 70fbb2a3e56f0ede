from editor.window import main

if __name__ == "__main__":
    main(configured=False, pace=0.1)
