from camera.recorder import main

if __name__ == "__main__":
    main(every=0, pace=2)
