service Stock {
    i32 count(1: string name)
}
