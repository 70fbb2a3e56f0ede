from editor import Editor

Editor("threads").run()
