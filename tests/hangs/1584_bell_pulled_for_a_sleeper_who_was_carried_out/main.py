from night import Night

if __name__ == "__main__":
    Night().keep(dismissed="south")
