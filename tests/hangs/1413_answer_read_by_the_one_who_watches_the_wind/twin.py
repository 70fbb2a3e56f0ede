from flight.station import fly

if __name__ == "__main__":
    fly(shared=False)
