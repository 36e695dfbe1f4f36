"""Distances between words, as slips of the fingers go."""

KEYS = {
    letter: (row, column + offset)
    for row, (letters, offset) in enumerate((("qwertyuiop", 0.0), ("asdfghjkl", 0.3), ("zxcvbnm", 0.8)))
    for column, letter in enumerate(letters)
}


def limit(word: str) -> float:
    """Return how far from the right spelling a word of this length may be."""
    return 0.7 if len(word) < 4 else 1.3 if len(word) < 6 else 1.9 if len(word) < 8 else 2.3


def likely(word: str, other: str) -> bool:
    """Whether two words are near enough for their distance to be worth working out."""
    return len(other) > 2 and abs(len(word) - len(other)) <= 2 and len(set(word) & set(other)) >= min(len(word), 6) // 2


def beside(letter: str, other: str) -> bool:
    """Whether two letters are neighbours on the keyboard."""
    if letter not in KEYS or other not in KEYS:
        return False
    (row, column), (other_row, other_column) = KEYS[letter], KEYS[other]
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1.0


def one_key_off(word: str, other: str) -> bool:
    """Whether one letter of a word was typed with the key beside it."""
    wrong = [(typed, meant) for typed, meant in zip(word, other, strict=True) if typed != meant]
    return len(wrong) == 1 and beside(*wrong[0])


def distance(word: str, other: str) -> float:
    """Return how unlikely `word` is as a slip for `other`: letters of the next key or in the wrong order cost least."""
    rows = [[0.0] * (len(other) + 1) for _ in range(len(word) + 1)]
    for column in range(1, len(other) + 1):
        rows[0][column] = 0.8 * column
    for row in range(1, len(word) + 1):
        rows[row][0] = 0.8 * row
        typed = word[row - 1]
        for column in range(1, len(other) + 1):
            meant = other[column - 1]
            slip = 0.0 if typed == meant else 0.6 if beside(typed, meant) or {typed, meant} <= set("aeiouy") else 1.0
            extra = 0.4 if row > 1 and word[row - 2] == typed else 0.8
            missing = 0.5 if meant == "h" or (column > 1 and other[column - 2] == meant) else 0.75
            best = min(rows[row - 1][column - 1] + slip, rows[row - 1][column] + extra, rows[row][column - 1] + missing)
            if row > 1 and column > 1 and word[row - 2 : row] == meant + other[column - 2]:
                best = min(best, rows[row - 2][column - 2] + 0.6)
            rows[row][column] = best
    return rows[-1][-1]
