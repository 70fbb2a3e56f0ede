from watch.town import spend_night

if __name__ == "__main__":
    spend_night(graceful=True)
