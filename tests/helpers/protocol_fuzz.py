"""Random lines for protocol servers: nonsense, and the protocol's own words in any order."""


def fuzz_lines(chance, count, words):
    """``count`` lines: random characters, words of the protocol, and damaged lines of words."""
    for _ in range(count):
        kind = chance.random()
        if kind < 0.2:
            yield _characters(chance, chance.randrange(40))
            continue
        line = " ".join(chance.choice(words) for _ in range(chance.randrange(1, 5)))
        if kind < 0.45:
            where = chance.randrange(len(line) + 1)
            line = line[:where] + _characters(chance, 3) + line[where + chance.randrange(4) :]
        elif kind < 0.5:
            line *= chance.randrange(1, 40)
        yield line.replace("\n", " ").replace("\r", " ")


def _characters(chance, length):
    pools = (range(32, 127), range(1, 32), range(0x80, 0x2030), range(0x1F600, 0x1F640))
    chosen = (chance.choice(chance.choices(pools, (8, 1, 1, 1))[0]) for _ in range(length))
    return "".join(map(chr, chosen)).replace("\n", "").replace("\r", "")
