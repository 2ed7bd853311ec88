"""Makes vision/data/digits.npz, struck.npz and signs.npz from fonts: `python -m tests.laboratory.train_digits [--held-out]`.

Needs Pillow and, on Debian, fonts-dejavu, -liberation, -noto-core, -freefont-ttf, -roboto-unhinted,
-open-sans, -lato, -cantarell, -inter, -firacode, -hack, -jetbrains-mono, -cabin, -dosis, -comfortaa,
-quicksand, -texgyre, -croscore, -crosextra-carlito, -crosextra-caladea (all under free licences).
OpenCV 4 and 5 write with different fonts: `--samples FILE` keeps the digits that the installed one draws,
`--with FILE` adds those of the other. Nothing of a font is stored: the file holds averages of thousands of
small pictures and the directions that separate them.

Digits of segments (clocks) and of few large pixels (games) are drawn here, no font has them.
`struck.npz` is for digits with a line through them, as programs draw clues that are done. `signs.npz` is for numbers of
one sign each, with letters from ten on. Names of files (`signs`) limit it to them. `--held-out` trains on two thirds of the
font families and prints the errors on the rest instead of writing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.digits import SIGNS, Kind, normalise

FONTS = Path("/usr/share/fonts")
WANTED = re.compile(
    r"^(DejaVuSans|DejaVuSansCondensed|DejaVuSansMono|DejaVuSerif|Liberation\w+|Roboto|RobotoCondensed|OpenSans|"
    r"Lato|Cantarell|Inter|NotoSans|NotoSansMono|NotoMono|NotoSerif|FreeSans|FreeSerif|FreeMono|Carlito|Caladea|"
    r"FiraCode|Hack|JetBrainsMono|Cabin|Dosis|Comfortaa|Quicksand|texgyre(heros|adventor|termes|heroscn)|Tinos|"
    r"Arimo|ComicNeue|RobotoSlab)(-(\w+))?$"
)
THIN = re.compile(r"Thin|Hairline|ExtraLight|UltraLight|chorus", re.I)
DIGITS = "0123456789"
HEIGHTS_PX = (6, 7, 8, 9, 10, 12, 15, 20, 30)
CENTROIDS = 64
DIRECTIONS = 40
# OpenCV 4 has line fonts of these names (Hershey's), OpenCV 5 writes with an outline font instead; thin to bold.
LINE_FACES = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_COMPLEX_SMALL,
)  # fmt: skip
LINE_BOLD = (0.05, 0.08, 0.11, 0.15)
SEGMENTS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcfgd")
VARIANTS = {6: ("fgedc",), 7: ("fabc",), 9: ("abcfg",), 1: ("ef",)}


# Digits of pixel games, 0 to 9, one hexadecimal digit or two per row of pixels.
PIXELS = {
    (5, 7): "0E11111111110E 040C040404040E 0E11010204081F 1F02040201110E 02060A121F0202 1F101E0101110E "
    "0608101E11110E 1F010204080808 0E11110E11110E 0E11110F01020C",
    (3, 5): "0705050507 0206020207 0701070407 0701070107 0505070101 0704070107 0704070507 0701020202 "
    "0705070507 0705070107",
    (4, 6): "060909090906 020602020207 06090102040F 0E010601010E 0202060A0F02 0F080E010906 06080E090906 "
    "0F0102020404 060906090906 060909070106",
    (7, 7): "1C26636363321C 0C1C0C0C0C0C3F 3E63071E3C707F 3F060C1E03633E 0E1E36667F0606 7E607E0303633E "
    "1E30607E63633E 7F63060C181818 3E63633E63633E 3E63633F03063C",
    (6, 7): "1E33333333331E 0C1C0C0C0C0C1E 1E33030E18303F 1E33030E03331E 060E16263F0606 3F303E0303331E "
    "0E18303E33331E 3F030306060C0C 1E33331E33331E 1E33331F03061C",
}


def faces() -> list[Path]:
    found = sorted(p for p in FONTS.rglob("*") if p.suffix in (".ttf", ".otf"))
    return [p for p in found if WANTED.match(p.stem) and not THIN.search(p.stem)]


def of_font(
    path: Path, rng: np.random.Generator, signs: str = DIGITS
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Pictures of every sign, each with its place among them."""
    from PIL import Image, ImageDraw, ImageFont

    big = ImageFont.truetype(str(path), 160)
    for place, sign in enumerate(signs):
        for height in HEIGHTS_PX:
            # Hinted, as toolkits draw at small sizes.
            size = round(height / 0.72)
            font = ImageFont.truetype(str(path), size)
            image = Image.new("L", (size * 3, size * 3), 0)
            ImageDraw.Draw(image).text((size + rng.random(), size + rng.random()), sign, 255, font=font)
            yield place, np.asarray(image, np.float32) / 255
            # Unhinted at any place, as browsers and phones do; a little blur as of a scaled picture.
            image = Image.new("L", (480, 480), 0)
            ImageDraw.Draw(image).text((160, 120), sign, 255, font=big)
            scale = height / 116 * float(rng.uniform(0.93, 1.07))
            move = np.array([[scale, 0, rng.random()], [0, scale, rng.random()]])
            soft = cv2.GaussianBlur(
                np.asarray(image, np.float32) / 255, (0, 0), float(rng.uniform(0.3, 0.65)) / scale
            )
            yield place, cv2.warpAffine(soft, move, (int(480 * scale) + 2, int(480 * scale) + 2))


def of_line_font(
    face: int, rng: np.random.Generator, signs: str = DIGITS
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """A font of OpenCV, at its own size, and drawn large and shrunk."""
    for place, sign in enumerate(signs):
        for height in HEIGHTS_PX:
            for bold in LINE_BOLD:
                yield place, line_sign(face, sign, height, max(1, round(bold * height)), rng)
                fine = line_sign(face, sign, 8 * height, max(1, round(8 * bold * height)), rng)
                yield place, cv2.resize(fine, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)


def line_sign(face: int, sign: str, height: int, thick: int, rng: np.random.Generator) -> NDArray[np.float32]:
    (_, unit), _ = cv2.getTextSize("0", face, 10.0, 1)
    image = np.zeros((3 * height, 3 * height), np.uint8)
    at = (height + int(rng.integers(8)), 2 * height + int(rng.integers(8)))
    smooth = cv2.LINE_AA if rng.random() < 0.5 else cv2.LINE_8
    cv2.putText(image, sign, at, face, 10.0 * height / unit, 255, thick, smooth)
    return image.astype(np.float32) / 255


def of_segments(rng: np.random.Generator) -> Iterator[tuple[int, NDArray[np.float32]]]:
    for digit, usual in enumerate(SEGMENTS):
        for shape in (usual, *VARIANTS.get(digit, ())):
            for wide in (0.5, 0.6, 0.75, 0.9, 1.05):
                for thick in (0.1, 0.15, 0.2, 0.24):
                    for height in (8, 11, 16, 24):
                        yield digit, segments(shape, wide, thick, height, rng)


def segments(
    shape: str, wide: float, thick: float, height: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    scale = 8
    h, w, t = height * scale, int(height * wide) * scale, max(int(height * thick), 1) * scale
    image = np.zeros((h, w), np.float32)
    mid = (h - t) // 2
    places = {
        "a": (0, t, 0, w), "g": (mid, mid + t, 0, w), "d": (h - t, h, 0, w),
        "f": (0, mid + t, 0, t), "b": (0, mid + t, w - t, w), "e": (mid, h, 0, t), "c": (mid, h, w - t, w),
    }  # fmt: skip
    for name in shape:
        top, bottom, left, right = places[name]
        image[top:bottom, left:right] = 1
    image = np.pad(image, 3 * scale)
    shifted = np.roll(image, (int(rng.integers(scale)), int(rng.integers(scale))), (0, 1))
    return cv2.resize(shifted, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)


def of_pixels(rng: np.random.Generator) -> Iterator[tuple[int, NDArray[np.float32]]]:
    for (wide, high), text in PIXELS.items():
        for digit, rows in enumerate(text.split()):
            lines = [int(rows[2 * y : 2 * y + 2], 16) for y in range(high)]
            small = np.array(
                [[line >> (wide - 1 - x) & 1 for x in range(wide)] for line in lines], np.float32
            )
            for size in (1.0, 1.5, 2.0, 2.4, 3.0, 4.0, 5.3):
                for stretched in (0.85, 1.0, 1.2):
                    large = np.pad(np.kron(small, np.ones((8, 8), np.float32)), 16)
                    shifted = np.roll(large, tuple(rng.integers(0, 8, 2).tolist()), (0, 1))
                    scale = size / 8
                    yield (
                        digit,
                        cv2.resize(
                            shifted, None, fx=scale * stretched, fy=scale, interpolation=cv2.INTER_AREA
                        ),
                    )


def struck(image: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32] | None:
    """The digit with a line through its middle, a little wider than itself."""
    rows, cols = np.flatnonzero((image > 0.35).any(axis=1)), np.flatnonzero((image > 0.35).any(axis=0))
    if len(rows) < 6:
        return None
    high = int(rows[-1] - rows[0]) + 1
    thick = max(float(rng.uniform(0.06, 0.14)) * high, 0.9)
    middle = rows[0] + high * float(rng.uniform(0.42, 0.62))
    reach = float(rng.uniform(0.0, 0.16)) * high
    # Eight lines per row: a line may lie between two rows.
    fine = np.zeros((image.shape[0] * 8, image.shape[1]), np.float32)
    left, right = max(round(cols[0] - reach), 0), round(cols[-1] + 1 + reach)
    fine[round(8 * (middle - thick / 2)) : round(8 * (middle + thick / 2)), left:right] = rng.uniform(0.55, 1)
    line = fine.reshape(image.shape[0], 8, -1).mean(axis=1)
    return np.maximum(image, line * float(image.max()))


def collect(
    paths: list[Path], rng: np.random.Generator, kind: Kind = "digits"
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    rows, labels = [], []
    signs = SIGNS if kind == "signs" else DIGITS
    drawn = [of_line_font(face, rng, signs) for face in LINE_FACES]
    # Clocks and games of few pixels have digits only.
    drawn += [] if kind == "signs" else [of_segments(rng), of_pixels(rng)]
    for source in [of_font(path, rng, signs) for path in paths] + drawn:
        for digit, plain in source:
            image = struck(plain, rng) if kind == "struck" else plain
            if image is None:
                continue
            # Light writing on dark grounds is fatter than dark on light, and screens differ.
            image = (image / max(float(image.max()), 1e-6)) ** float(rng.choice((0.6, 1.0, 1.0, 1.5)))
            rows.append(normalise(image))
            labels.append(digit)
    if "--with" in sys.argv and kind == "digits":
        with np.load(sys.argv[sys.argv.index("--with") + 1]) as stored:
            rows += list(stored["rows"])
            labels += stored["labels"].tolist()
    return np.stack(rows), np.array(labels)


def train(rows: NDArray[np.float32], labels: NDArray[np.int64]) -> dict[str, NDArray[np.float32]]:
    mean = rows.mean(axis=0)
    centred = (rows - mean).astype(np.float64)
    count = int(labels.max()) + 1
    within = sum(np.cov(centred[labels == d].T) for d in range(count)) / count
    # Whitening by the spread within a digit, then the strongest directions of what is left: first those that
    # separate the signs, one less than there are, then those in which a sign has several forms.
    values, vectors = np.linalg.eigh(within + 0.004 * np.eye(within.shape[0]) * np.trace(within))
    white = vectors / np.sqrt(values)
    _, _, directions = np.linalg.svd(
        np.stack([(centred[labels == d] @ white).mean(axis=0) for d in range(count)]), full_matrices=False
    )
    rest = centred @ white
    apart = directions[: count - 1]
    rest -= rest @ apart.T @ apart
    _, _, more = np.linalg.svd(rest[::7], full_matrices=False)
    weights = np.concatenate([apart, 0.7 * more[: DIRECTIONS - len(apart)]])
    matrix = (white @ weights.T).astype(np.float32)
    features = ((rows - mean) @ matrix).astype(np.float32)
    centroids, names = [], []
    for digit in range(count):
        own = features[labels == digit]
        cv2.setRNGSeed(digit + 1)
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.01)
        _, _, middles = cv2.kmeans(own, CENTROIDS, None, stop, 2, cv2.KMEANS_PP_CENTERS)
        centroids.append(middles)
        names += [digit] * len(middles)
    middles = np.concatenate(centroids)
    nearest = np.array(
        [
            np.sqrt(((features[i] - middles[np.array(names) == labels[i]]) ** 2).sum(axis=1).min())
            for i in range(0, len(features), 5)
        ]
    )
    return {
        "mean": mean.astype(np.float16), "directions": matrix.astype(np.float16),
        "centroids": middles.astype(np.float16), "labels": np.array(names, np.int16),
        "scale": np.array(np.quantile(nearest, 0.995), np.float32),
    }  # fmt: skip


def main() -> None:
    if "--samples" in sys.argv:
        rows, labels = collect([], np.random.default_rng(1))
        np.savez_compressed(sys.argv[sys.argv.index("--samples") + 1], rows=rows, labels=labels)
        return
    paths, wanted = faces(), [name for name in get_args(Kind) if name in sys.argv]
    print(len(paths), "faces")
    family = sorted({p.stem.split("-")[0] for p in paths})
    other = set(family[::3]) if "--held-out" in sys.argv else set()
    for name in get_args(Kind):
        if wanted and name not in wanted:
            continue
        rng = np.random.default_rng(1)
        learned = [p for p in paths if p.stem.split("-")[0] not in other]
        tried = [p for p in paths if p.stem.split("-")[0] in other] or paths
        rows, labels = collect(learned, rng, name)
        model = train(rows, labels)
        if other:
            rows, labels = collect(tried, rng, name)
        else:
            np.savez_compressed(Path(__file__).parents[2] / "vision" / "data" / f"{name}.npz", **model)
        report(model, rows, labels, name)


def report(
    model: dict[str, NDArray[np.float32]], rows: NDArray[np.float32], labels: NDArray[np.int64], kind: Kind
) -> None:
    from vision import digits

    digits._shapes = lambda kind="digits": tuple(  # type: ignore[assignment]
        model[n].astype(np.float32) for n in ("mean", "directions", "centroids", "labels", "scale")
    )
    mean, directions = digits._shapes(kind)[:2]
    away = digits._distances((rows - mean) @ directions, kind)
    glyphs = digits._decided(away, [digits.PLAIN_PX] * len(away))
    for least in (0.0, 0.6, 0.7, 0.8, 0.9, 0.95):
        kept = [(g, int(label)) for g, label in zip(glyphs, labels, strict=True) if g.confidence >= least]
        wrong = sum(g.value != label for g, label in kept)
        print(f"confidence >= {least}: {len(kept) / len(rows):.4f} of {len(rows)}, {wrong} wrong")


if __name__ == "__main__":
    main()
