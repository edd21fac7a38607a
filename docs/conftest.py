"""The examples of these pages import `coins` from the folder they are in, as a reader does."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
