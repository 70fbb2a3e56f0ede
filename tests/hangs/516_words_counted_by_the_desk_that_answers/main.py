from editor import Editor

Editor("loop").run()
