"""What the project is measured and trained with, and what no player needs: no part of what is installed.

`rows` are measured by `boardsight bench` in a clone: the peers, boards of a data folder, stages of a look, whole games
in real windows. `train_*` make the files that reading goes by, `capture_screens` the golden pictures of the tests.
"""
