"""``python -m assent``."""

import sys

from assent.cli import main

sys.exit(main())
