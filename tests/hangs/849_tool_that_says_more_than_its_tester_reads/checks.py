import sys

from robot.libraries.Process import Process

TOOL = "import sys\nfor n in range({}):\n print('checked sector', n, 'ok')"


class DiskSuite:
    def __init__(self, sectors):
        self.process = Process()
        self.sectors = sectors
        self.passed = 0

    def check_disk(self):
        result = self.process.run_process(sys.executable, "-c", TOOL.format(self.sectors))
        assert result.rc == 0, result.stderr
        self.passed += 1

    def run(self):
        while True:
            self.check_disk()
