from depot.front import depot

if __name__ == "__main__":
    depot(3)
