from postroom.day import day

if __name__ == "__main__":
    day(hasty=False)
