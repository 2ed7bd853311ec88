import vision  # noqa: F401 - its bounds hold before anybody loads OpenCV
