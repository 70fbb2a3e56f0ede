from plant.control import run_plant

if __name__ == "__main__":
    run_plant("switch> ")
