"""Probing every cell and a short depth-first search, on machine words: the part of `fast` between lines and clauses.

Like `search`, but written in loops over numbers so that numba can compile it; a line is one integer of up to 62 bits.
Both values of every unknown cell are tried; a contradiction rules one out, and what both lead to is certain (Batenburg
and Kosters, "Solving Nonograms by combining relaxations", 2009). Then the cell whose two values tell most is branched
on: the product of what they tell counts, so that both sides become small.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.nonogram.clauses import OPEN, REFUTED, SOLVED, Ints

MOST_LENGTH = 62

# Boards that always have a place: the node being looked at, its two tries, what is certain.
NODE, FILLED_TRY, BLANK_TRY, ROOT, STACK = range(5)
# Where the single numbers of a search stand in `Probing.now`.
DEPTH, TRIES, FOUND, WANTED, AT_ROOT, QUEUED, FIRST_QUEUED, TIME, NODE_TIME, HEIGHT, WIDTH, NUMBERS = range(
    12
)
# So many deductions are remembered of every line, four numbers each: all of them fit the cache of a processor.
REMEMBERED = 512


class Probing(NamedTuple):
    """Everything a search knows. Lines are numbered rows first; boards lie one after the other.

    runs, run_start: the clues of all lines.
    filled, blank: by board and line the cells known. known: by board how many cells are.
    start, reach: room for one line's deduction. queue, queued: lines that changed.
    new_rows, new_cols: by board the lines that its parent did not know so well, a bit each.
    changed: by line the time it last changed. probed, gain: by cell the time of its last probe, and what both values told.
    found: rows of the pictures, one after the other.
    memory: by line what was deduced lately: (filled, blank, can be filled, can be blank).
    """

    runs: Ints
    run_start: Ints
    filled: Ints
    blank: Ints
    known: Ints
    start: Ints
    reach: Ints
    queue: Ints
    queued: Ints
    new_rows: Ints
    new_cols: Ints
    changed: Ints
    probed: Ints
    gain: Ints
    found: Ints
    memory: Ints
    now: Ints


def begin(p: Probing, wanted: int) -> int:
    """Look at every line of the first board, which may have cells set: REFUTED, SOLVED or OPEN."""
    now = p.now
    now[WANTED], now[AT_ROOT], now[DEPTH] = wanted, 1, STACK + 1
    for line in range(len(p.run_start) - 1):
        put_in_queue(p, line)
    if not propagate(p, STACK):
        return REFUTED
    copy(p, STACK, ROOT)
    p.new_rows[STACK] = p.new_cols[STACK] = -1
    if p.known[STACK] < p.now[HEIGHT] * p.now[WIDTH]:
        return OPEN
    note_picture(p, STACK)
    # Single lines have told every cell: there is no other picture.
    now[DEPTH] = STACK
    return SOLVED if wanted == 1 else REFUTED


def go_on(p: Probing, tries: int) -> int:
    """Go on for so many tries: SOLVED when all wanted pictures are found, REFUTED when there are no more, or OPEN."""
    now = p.now
    now[TRIES] = tries
    most = len(p.known) - 2
    while now[FOUND] < now[WANTED]:
        if now[DEPTH] == STACK:
            return REFUTED
        if now[TRIES] <= 0 or now[DEPTH] >= most:
            return OPEN
        now[DEPTH] -= 1
        copy(p, now[DEPTH], NODE)
        if p.known[NODE] == p.now[HEIGHT] * p.now[WIDTH]:
            note_picture(p, NODE)
            continue
        mark_new(p, p.new_rows[now[DEPTH]], p.new_cols[now[DEPTH]])
        state = probe(p)
        if now[AT_ROOT]:
            copy(p, NODE, ROOT)
        if state != OPEN:
            now[AT_ROOT] = 0
        elif now[TRIES] <= 0:
            # This board is gone on with next time, from the beginning.
            copy(p, NODE, now[DEPTH])
            p.new_rows[now[DEPTH]] = p.new_cols[now[DEPTH]] = -1
            now[DEPTH] += 1
        else:
            now[AT_ROOT] = 0
            branch(p)
    return SOLVED


def mark_new(p: Probing, rows: int, cols: int) -> None:
    """Begin a node: only cells of these lines can tell more than they told before."""
    now, height = p.now, p.now[HEIGHT]
    now[TIME] += 1
    now[NODE_TIME] = now[TIME]
    for line in range(height):
        if rows >> line & 1:
            p.changed[line] = now[TIME]
    for line in range(p.now[WIDTH]):
        if cols >> line & 1:
            p.changed[height + line] = now[TIME]


def probe(p: Probing) -> int:
    """Probe the cells of the node's new lines until nothing new is found: REFUTED, SOLVED, or OPEN.

    A cell is probed again only when its row or its column has changed since.
    """
    now, known, changed = p.now, p.known, p.changed
    height, width = p.now[HEIGHT], p.now[WIDTH]
    cells = height * width
    at = idle = 0
    while idle < cells:
        idle += 1
        at = at + 1 if at + 1 < cells else 0
        row, col = at // width, at % width
        if (p.filled[row] | p.blank[row]) >> col & 1:
            continue
        last = max(changed[row], changed[height + col])
        if last < now[NODE_TIME] or last < p.probed[at]:
            continue
        if now[TRIES] <= 0:
            return OPEN
        now[TRIES] -= 1
        now[TIME] += 1
        p.probed[at] = now[TIME]
        can_fill = attempt(p, FILLED_TRY, row, col)
        can_blank = attempt(p, BLANK_TRY, row, col)
        if now[FOUND] >= now[WANTED]:
            return SOLVED
        if not can_fill and not can_blank:
            return REFUTED
        if can_fill and can_blank:
            p.gain[at] = (known[FILLED_TRY] - known[NODE]) * (known[BLANK_TRY] - known[NODE])
            if not keep_common(p):
                continue
            if not propagate(p, NODE):
                return REFUTED
        else:
            take(p, FILLED_TRY if can_fill else BLANK_TRY)
        if known[NODE] == cells:
            note_picture(p, NODE)
            return SOLVED
        idle = 0
    return OPEN


def branch(p: Probing) -> None:
    """Put the two boards on the stack that the cell with the highest gain leads to, the one that knows more on top."""
    height, width = p.now[HEIGHT], p.now[WIDTH]
    best = chosen = -1
    for at in range(height * width):
        row, col = at // width, at % width
        if not (p.filled[row] | p.blank[row]) >> col & 1 and p.gain[at] > best:
            best, chosen = p.gain[at], at
    row, col = chosen // width, chosen % width
    can_fill = attempt(p, FILLED_TRY, row, col)
    can_blank = attempt(p, BLANK_TRY, row, col)
    filled_first = can_fill and (not can_blank or p.known[FILLED_TRY] > p.known[BLANK_TRY])
    if can_fill and can_blank:
        push(p, BLANK_TRY if filled_first else FILLED_TRY)
    if can_fill or can_blank:
        push(p, FILLED_TRY if filled_first else BLANK_TRY)


def push(p: Probing, board: int) -> None:
    """Put a try on the stack, with the lines in which it knows more than the node."""
    depth, height = p.now[DEPTH], p.now[HEIGHT]
    lines = height + p.now[WIDTH]
    first = board * lines
    rows = cols = 0
    for line in range(lines):
        if p.filled[first + line] != p.filled[line] or p.blank[first + line] != p.blank[line]:
            if line < height:
                rows |= 1 << line
            else:
                cols |= 1 << line - height
    p.new_rows[depth], p.new_cols[depth] = rows, cols
    copy(p, board, depth)
    p.now[DEPTH] += 1


def take(p: Probing, board: int) -> None:
    """Give the node what a try knows, since the other one was a contradiction."""
    lines = p.now[HEIGHT] + p.now[WIDTH]
    first = board * lines
    p.now[TIME] += 1
    for line in range(lines):
        if p.filled[first + line] != p.filled[line] or p.blank[first + line] != p.blank[line]:
            p.filled[line] = p.filled[first + line]
            p.blank[line] = p.blank[first + line]
            p.changed[line] = p.now[TIME]
    p.known[NODE] = p.known[board]


def attempt(p: Probing, board: int, row: int, col: int) -> bool:
    """Copy the node, set a cell, follow the lines; False for a contradiction. A picture met on the way is noted."""
    height = p.now[HEIGHT]
    lines = height + p.now[WIDTH]
    copy(p, NODE, board)
    values = p.filled if board == FILLED_TRY else p.blank
    values[board * lines + row] |= 1 << col
    values[board * lines + height + col] |= 1 << row
    p.known[board] += 1
    put_in_queue(p, row)
    put_in_queue(p, height + col)
    if not propagate(p, board):
        return False
    if p.known[board] == height * p.now[WIDTH]:
        note_picture(p, board)
    return True


def keep_common(p: Probing) -> bool:
    """Give the node what both tries know; whether that is new. Lines that changed are queued."""
    height, width = p.now[HEIGHT], p.now[WIDTH]
    lines = height + width
    changed = False
    p.now[TIME] += 1
    for line in range(lines):
        filled = p.filled[FILLED_TRY * lines + line] & p.filled[BLANK_TRY * lines + line]
        blank = p.blank[FILLED_TRY * lines + line] & p.blank[BLANK_TRY * lines + line]
        if filled != p.filled[line] or blank != p.blank[line]:
            if line < height:
                new = (filled | blank) & ~(p.filled[line] | p.blank[line])
                while new:
                    new &= new - 1
                    p.known[NODE] += 1
            p.filled[line] = filled
            p.blank[line] = blank
            p.changed[line] = p.now[TIME]
            put_in_queue(p, line)
            changed = True
    return changed


def copy(p: Probing, one: int, other: int) -> None:
    """Make the other board like the first."""
    lines = p.now[HEIGHT] + p.now[WIDTH]
    start, end = one * lines, other * lines
    for line in range(lines):
        p.filled[end + line] = p.filled[start + line]
        p.blank[end + line] = p.blank[start + line]
    p.known[other] = p.known[one]


def note_picture(p: Probing, board: int) -> None:
    """Keep a solved board, unless it is known already."""
    height, now = p.now[HEIGHT], p.now
    first = board * (height + p.now[WIDTH])
    for number in range(now[FOUND]):
        same = True
        for row in range(height):
            same = same and p.found[number * height + row] == p.filled[first + row]
        if same:
            return
    for row in range(height):
        p.found[now[FOUND] * height + row] = p.filled[first + row]
    now[FOUND] += 1


def put_in_queue(p: Probing, line: int) -> None:
    """Ask for a line to be looked at again."""
    if p.queued[line]:
        return
    now, length = p.now, len(p.queue)
    p.queued[line] = 1
    at = now[FIRST_QUEUED] + now[QUEUED]
    p.queue[at if at < length else at - length] = line
    now[QUEUED] += 1


def propagate(p: Probing, board: int) -> bool:
    """Solve the queued lines until nothing changes; False for a contradiction."""
    now, filled, blank, memory = p.now, p.filled, p.blank, p.memory
    height, width = p.now[HEIGHT], p.now[WIDTH]
    first = board * (height + width)
    fine = True
    while now[QUEUED]:
        line = p.queue[now[FIRST_QUEUED]]
        now[FIRST_QUEUED] = now[FIRST_QUEUED] + 1 if now[FIRST_QUEUED] + 1 < len(p.queue) else 0
        now[QUEUED] -= 1
        p.queued[line] = 0
        if not fine:
            continue
        is_row = line < height
        length = width if is_row else height
        known_filled, known_blank = filled[first + line], blank[first + line]
        # Three of four lines that are tried come again from the next cell probed.
        at = place_in_memory(line, known_filled, known_blank) if board <= BLANK_TRY else 0
        if at and memory[at] == known_filled and memory[at + 1] == known_blank:
            can_fill, can_blank = memory[at + 2], memory[at + 3]
        else:
            can_fill, can_blank = deduce(p, line, length, known_filled, known_blank)
            if at:
                memory[at], memory[at + 1] = known_filled, known_blank
                memory[at + 2], memory[at + 3] = can_fill, can_blank
        if can_fill == 0 and can_blank == 0:
            fine = False
            continue
        unknown = ((1 << length) - 1) & ~(known_filled | known_blank)
        new_filled = unknown & ~can_blank
        new_blank = unknown & ~can_fill
        new = new_filled | new_blank
        if new == 0:
            continue
        filled[first + line] |= new_filled
        blank[first + line] |= new_blank
        if board == NODE:
            p.changed[line] = now[TIME]
        mine = 1 << (line if is_row else line - height)
        across = height if is_row else 0
        for cell in range(length):
            if new >> cell & 1:
                other = across + cell
                if new_filled >> cell & 1:
                    filled[first + other] |= mine
                else:
                    blank[first + other] |= mine
                p.known[board] += 1
                if board == NODE:
                    p.changed[other] = now[TIME]
                put_in_queue(p, other)
    return fine


def place_in_memory(line: int, filled: int, blank: int) -> int:
    """Where a deduction is remembered; 0 for an untouched line, which looks like a place that is not used yet."""
    if filled | blank == 0:
        return 0
    mixed = (filled * 1000003 ^ blank * 998244353) * 2654435761 >> 24
    return 4 * (line * REMEMBERED + (mixed & (REMEMBERED - 1)) + 1)


def deduce(p: Probing, line: int, length: int, filled: int, blank: int) -> tuple[int, int]:
    """(cells that can be filled, cells that can be blank) in some placement of the runs; zeros for none.

    Bit p of `reach` says that the first p cells can be laid out, of `start` that the run can start at p; `back` says
    that the cells from p on can be laid out with the runs that are left.
    """
    runs, start, reach = p.runs, p.start, p.reach
    first, last = p.run_start[line], p.run_start[line + 1]
    full = (1 << length) - 1
    may_fill, may_blank = full & ~blank, full & ~filled
    # A flood towards higher bits by the carry of an addition.
    flood = (((1 & may_blank) + may_blank) ^ may_blank) | 1
    reach[0] = flood
    at = flood
    for number in range(first, last):
        run = runs[number]
        at &= places(may_fill, run)
        start[number - first] = at
        end = at << run
        flood = (((end & may_blank) + may_blank) ^ may_blank) | end
        reach[number - first + 1] = flood
        at = (flood & may_blank) << 1
    if not flood >> length & 1:
        return 0, 0
    # And towards lower bits by doubling steps.
    by_2 = may_blank & (may_blank >> 1)
    by_4 = by_2 & (by_2 >> 2)
    by_8 = by_4 & (by_4 >> 4)
    by_16 = by_8 & (by_8 >> 8)
    by_32 = by_16 & (by_16 >> 16)
    back = 1 << length
    can_fill = can_blank = 0
    number = last
    while True:
        back |= (back >> 1) & may_blank
        back |= (back >> 2) & by_2
        back |= (back >> 4) & by_4
        back |= (back >> 8) & by_8
        back |= (back >> 16) & by_16
        back |= (back >> 32) & by_32
        can_blank |= reach[number - first] & may_blank & (back >> 1)
        if number == first:
            break
        behind = back if number == last else (back >> 1) & may_blank
        number -= 1
        run = runs[number]
        back = (behind >> run) & places(may_fill, run)
        can_fill |= covered(start[number - first] & back, run)
    return can_fill, can_blank


def places(cells: int, run: int) -> int:
    """Where a run fits into the cells: the bit of its first cell."""
    size = 1
    while size < run:
        step = size if size < run - size else run - size
        cells &= cells >> step
        size += step
    return cells


def covered(starts: int, run: int) -> int:
    """The cells that a run covers from any of its starts."""
    size = 1
    while size < run:
        step = size if size < run - size else run - size
        starts |= starts << step
        size += step
    return starts
