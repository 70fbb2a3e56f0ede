from mill import Mill

if __name__ == "__main__":
    Mill().run(outside=False)
