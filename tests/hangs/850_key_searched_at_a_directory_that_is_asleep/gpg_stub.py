import os
import sys
import time

if "--version" in sys.argv:
    print("gpg (GnuPG) 2.2.40\ncfg:version:2.2.40")
elif "--search-keys" in sys.argv:
    time.sleep(float(os.environ["DIRECTORY_DELAY"]))
    print("info:1:1")
    print("pub:4A1D9B6C00E1F2D3:1:4096:1400000000::")
    print("uid:Anna Example <anna@example.org>:1400000000::")
