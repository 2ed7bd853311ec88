"""Conflict-driven clause learning: decides what deduction and probing leave open.

The method is that of MiniSat (Een and Sorensson, "An Extensible SAT-solver", 2003): decide a variable, follow the
clauses, learn from every conflict one clause that excludes all its kind, go back as far as that clause tells. Learned
clauses are kept by the number of decision levels they join (Audemard and Simon, "Predicting Learnt Clause Quality in
Modern SAT Solvers", 2009); the worse half goes whenever the shelf is full, so that memory is bounded.

`state` says what a search knows, `trail` follows the clauses, `conflicts` learns, `shelf` keeps what was learned,
`order` chooses, and `search` holds it all together. The functions use nothing but loops, numbers and indexing, and no
class but one record of sequences: they run as they stand on lists, and `fast` compiles the same functions for arrays.

A literal is `2 * variable`, plus one for "not". Clauses of two and three literals never change and are stored by
literal; longer ones and all learned ones lie on a shelf with two of their literals watched.
"""

from __future__ import annotations

from solver.nonogram.clauses.search import begin, exclude, go_on
from solver.nonogram.clauses.state import MOST_LEVELS, NUMBERS, OPEN, REFUTED, SOLVED, Floats, Ints, Search

__all__ = [
    "MOST_LEVELS",
    "NUMBERS",
    "OPEN",
    "REFUTED",
    "SOLVED",
    "Floats",
    "Ints",
    "Search",
    "begin",
    "exclude",
    "go_on",
]
