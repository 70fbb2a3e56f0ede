from tower.bells import ring_in

if __name__ == "__main__":
    ring_in(7000)
