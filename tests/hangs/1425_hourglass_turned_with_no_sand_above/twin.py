from garden.beds import summer

if __name__ == "__main__":
    summer(at_once=False)
