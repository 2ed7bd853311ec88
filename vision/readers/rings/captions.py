"""Captions beside the figure, as in "Target: 13": words of letters, and where they end and a number begins."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from vision.frame import Box

# Letters of a word, and digits of a number, are less than this apart, in heights; words are further apart.
WORD_GAP = 0.42
# A space is so wide at least, in heights, and so many times as wide as the usual gap.
SPACE, SPACE_OF_GAPS = 0.2, 2.2
# Letters that have run together: so many to a height, and a space beside them is so wide at least.
LETTERS_PER_HEIGHT, MERGED_SPACE = 1.4, 0.28
# A number stands this near behind the word that tells what it is.
BEHIND = 1.6
# Digits are of one height; letters with and without strokes up or down are not.
SAME_HEIGHT, A_LITTLE_PX = 0.88, 0.5
LEAST_LETTERS = 3
# The bars of "=" are flat, and the dots of ":" are small beside the letters.
FLAT = 1.6
SMALL_DOT = 0.3
# A part of a word is on its line where they share this much of the lower one, and words where both reach this far.
ON_LINE, LEVEL = 0.5, 0.4
# Frames are alike where place and width differ by no more than this share, and height by no more than the second.
ALIKE, ALIKE_HEIGHT = 0.25, 0.5


def split_captions(parts: Sequence[Box]) -> tuple[list[Box], list[Box]]:
    """The parts that belong to no word of letters, and the boxes of these words.

    "=" and ":" end a word and are dropped with it.
    """
    signs = set(map(id, _equals(parts)))
    rest = [box for box in parts if id(box) not in signs]
    words = [part for word in _words(rest) for part in _split_at_spaces(word)]
    lettered = [word for word in words if _has_letters(word)]
    captions = [Box.around(*word) for word in lettered]
    letters = {id(box) for word in lettered for box in word}
    dots = {
        id(box)
        for box in rest
        for word in captions
        if _behind(word, box) and box.height < SMALL_DOT * word.height
    }
    return [box for box in rest if id(box) not in letters and id(box) not in dots], captions


def is_behind(captions: Iterable[Box], box: Box) -> bool:
    """Whether a number stands right behind a word."""
    return any(_behind(word, box) for word in captions)


def _behind(word: Box, box: Box) -> bool:
    gap = box.left - (word.right)
    return -1 <= gap < BEHIND * max(word.height, box.height) and word.shared(box)[1] > ON_LINE * min(
        word.height, box.height
    )


def _equals(parts: Sequence[Box]) -> list[Box]:
    """The bars of signs of equality: two flat ones of one width, one above the other."""
    bars = [box for box in parts if box.width >= FLAT * box.height]
    return [
        box
        for box in bars
        if any(
            other is not box
            and abs(other.left - box.left) <= ALIKE * box.width
            and abs(other.width - box.width) <= ALIKE * box.width
            and abs(other.height - box.height) <= ALIKE_HEIGHT * box.height + 1
            and 0 < abs(other.top - box.top) < box.width
            for other in bars
        )
    ]


def _words(parts: Sequence[Box]) -> list[list[Box]]:
    words: list[list[Box]] = []
    for box in sorted(parts):
        near = [word for word in words if any(_adjoin(box, other) for other in word)]
        words = [word for word in words if not any(word is home for home in near)]
        words.append([*(other for word in near for other in word), box])
    return words


def _split_at_spaces(word: Sequence[Box]) -> list[list[Box]]:
    """Words of narrow type, whose spaces are narrow as well: they stand out from the gaps between letters."""
    row = sorted(word)
    height = max(box.height for box in row)
    ends = list(itertools.accumulate((box.right for box in row), max))
    gaps = [max(0, box.left - end) for box, end in zip(row[1:], ends, strict=False)]
    if len(gaps) < LEAST_LETTERS:
        # Letters that have run together leave no gaps but the spaces.
        if max(map(_letters_in, row)) < LEAST_LETTERS:
            return [row]
        space = MERGED_SPACE * height
    else:
        space = max(SPACE * height, SPACE_OF_GAPS * sorted(gaps)[len(gaps) // 2])
    cuts = [0, *(i + 1 for i, gap in enumerate(gaps) if gap > space), len(row)]
    return [row[a:b] for a, b in itertools.pairwise(cuts)]


def _adjoin(one: Box, other: Box) -> bool:
    beside, level = one.shared(other)
    low, tall = sorted((one.height, other.height))
    return -beside < WORD_GAP * tall and level > LEVEL * low and low > LEVEL * tall


def _letters_in(box: Box) -> int:
    """How many letters have run together in a part."""
    return max(1, round(LETTERS_PER_HEIGHT * box.width / box.height))


def _has_letters(word: Sequence[Box]) -> bool:
    heights = sorted(box.height for box in word)
    return (
        sum(map(_letters_in, word)) >= LEAST_LETTERS and heights[0] < SAME_HEIGHT * heights[-1] - A_LITTLE_PX
    )
