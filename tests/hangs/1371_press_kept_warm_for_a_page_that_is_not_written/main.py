from newsroom.desk import publish

STORIES = ["harbour reopens 120", "mayor resigns 80", "weather tomorrow", "sports 300"]

if __name__ == "__main__":
    publish(STORIES, 0.05)
