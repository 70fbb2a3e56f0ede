from newsroom.desk import publish

STORIES = ["harbour reopens 120", "mayor resigns 80", "weather tomorrow 40", "sports 300"]

if __name__ == "__main__":
    publish(STORIES * 4, 6)
