from camera.recorder import main

if __name__ == "__main__":
    main(every=10, pace=0.01)
