from editor.window import main

if __name__ == "__main__":
    main(configured=True, pace=60)
