"""`python -m leitong.spark`, and the file that spark-submit takes."""

import os
import sys

if __name__ == "__main__":
    if sys.path and os.path.realpath(sys.path[0]) == os.path.dirname(os.path.realpath(__file__)):
        del sys.path[0]  # as a file: the modules beside it are those of the package only
    from leitong.spark.program import main

    sys.exit(main())
