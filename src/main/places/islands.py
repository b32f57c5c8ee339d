"""Reads the islands and archipelagos of the map database of NCAR's command language."""
import re
import struct
from pathlib import Path

NAME = re.compile(r'\s*(\d+) (\d+) (\d+) (\d+) (\d+) ')
LINE_HEADER = struct.Struct('<4i')
BOX_SIZE = 16
LAND, WATER = 'Land', 'Water'
NO_NAMES = re.compile(r'unidentified|^\(|^(Land|Republic of|Commonwealth of)')
# A name in its own language: how the island is called, and that name.
GENERIC = re.compile(r"^(?P<one>Ostrov|Isola d(?:[ei]|el)|Isola|Ilha d[aeo]|Ilha|Jazirat|Ile|Ko|Koh) (?P<x>.+)$"
                     r"|^Isola d'(?P<elided>.+)$"
                     r"|^(?:Ostrova|Isole|Ilhas|Kepulauan|Iles) (?P<several>.+)$"
                     r"|^(?P<east>.+) (?:Dao|Shima|Jima|To|Do|Kyun|Atoll)$")


class Island:

    def __init__(self, names, groups, lines):
        self.names = names
        self.groups = groups
        self.lines = lines


def names_of(text, groups):
    """The usual name first. Brackets have another name, a lake or what it is."""
    name, inside = re.match(r'(.*?)(?: \((.*)\))?$', text).groups()
    if inside == 'island':
        name += ' Island'
    others = [] if not inside or re.match(r'state|islands?$|.*\bLake\b|Lake', inside) else inside.split(', ')
    if name.startswith('Island of '):
        name = ('Isle of ' if 'United Kingdom' in groups else '') + name[len('Island of '):]
    match = GENERIC.match(name)
    if not match:
        return [name, *others]
    if match['several']:
        return [match['several'] + ' Islands', name, *others]
    short = match['x'] or match['elided'] or match['east']
    # An island of these languages is called by both words.
    is_whole = match['east'] or match['one'] in ('Ko', 'Koh', 'Ile')
    return [name, short, *others] if is_whole else [short, name, *others]


def read_names(file):
    """The areas by their number, each with the number of the area that it is a part of, and its name."""
    text = Path(file).read_text('ascii')
    areas, at = {}, 0
    while match := NAME.match(text, at):
        number, _, _, parent, length = map(int, match.groups())
        at = match.end() + length
        areas[number] = parent, text[match.end():at]
    return areas


def read_lines(file):
    """The numbers of the areas on the left and right of a line, and its points: longitude, latitude."""
    data = Path(file).read_bytes()
    at = 0
    while (header := LINE_HEADER.unpack_from(data, at))[0]:
        count, _, left, right = header
        at += LINE_HEADER.size + BOX_SIZE
        numbers = struct.unpack_from(f'<{count}f', data, at)
        at += 4 * count
        yield left, right, list(zip(numbers[1::2], numbers[::2]))


def read(database):
    """The areas that have nothing but water around them. A group of islands is an area too."""
    areas = read_names(database + '.names')

    def groups(number):
        while number in areas:
            parent, name = areas[number]
            yield number, name
            number = parent

    around = {number: [] for number in areas}
    for line in read_lines(database + '.lines'):
        left, right, _ = line
        owners = [[number for number, _ in groups(side)] for side in (left, right)]
        for number in set(owners[0]) ^ set(owners[1]):
            around[number].append((owners[number in owners[0]], line))
    for number, (_, name) in areas.items():
        own = [name for _, name in groups(number)]
        if around[number] and not NO_NAMES.search(name) and own[-1] == LAND and len(own) > 2 and all(
                other and areas[other[-1]][1] == WATER for other, _ in around[number]):
            yield Island(names_of(name, own), own[1:-1], [points for _, (_, _, points) in around[number]])
