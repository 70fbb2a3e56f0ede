from kitchen.service import evening

if __name__ == "__main__":
    evening(inside=False)
