"""What is on a picture: pure functions of pixels."""

import os

# OpenCV's own bound on what it decodes, in px. It is read once, when OpenCV is loaded: this package comes first.
MAX_PIXELS = 40_000_000
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
