def shrink(picture):
    name, width = picture
    return name, width // 4
