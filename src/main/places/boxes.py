#!/usr/bin/env python3
"""Writes the places that have a box into src/main/resources/place: countries, parts of them, provinces and regions of the world
into places.tsv, whose towns stay as they are, and seas into seas.tsv. README.md beside the files names the sources.

    npm install world-atlas@2.0.2 @rapideditor/country-coder@5.6.1
    apt-get download qgis-common gmt-dcw && for package in *.deb; do dpkg -x $package .; done
    boxes.py node_modules/world-atlas/countries-10m.json node_modules/@rapideditor/country-coder/src/data/borders.json \
        usr/share/qgis/resources/data/world_map.gpkg usr/share/gmt-dcw/dcw-collections.txt src/main/resources/place
"""
import json
import math
import re
import sqlite3
import struct
import sys
import unicodedata
from pathlib import Path

# Of France, far away. Its other lands overseas have a code, and so a line, of their own.
FAR_AWAY = {'CP'}
# A country whose line here has another name than there, or lacks a part there.
NAMES_HERE = {'IE': 'Ireland', 'WF': 'Wallis and Futuna Islands', 'TF': 'French Southern and Antarctic Lands',
              'GS': 'South Georgia and the Islands', 'SH': 'Saint Helena'}
# Natural Earth lacks islands of them, at most so many degrees away from the others.
SCATTERED = {'Marshall Islands', 'Federated States of Micronesia', 'Greece', 'Taiwan', 'Seychelles', 'Tuvalu',
             'Japan', 'Papua New Guinea'}
FARTHEST = 4
PARTS_MORE = {'UA': ['Crimea'], 'CY': ['Northern Cyprus', 'Akrotiri', 'Dhekelia']}
# Unions, and parts that nobody looks for by this name.
NO_PLACES = re.compile(r'^(World|United Nations|European Union|Eurozone|UN|.*Mainland .*|US States|US Territories|.* of the EU|'
                       r'Countries of .*|Contiguous United States|Autonomous Regions .*|British Overseas .*|Overseas .*|'
                       r'Peninsular Spain|Plazas .*|Crown Dependencies|Crimea|Bir Tawil)$')
USUAL_NAMES = {'Gulf of Iran': 'Persian Gulf|Arabian Gulf', 'Japan Sea': 'Sea of Japan', 'Seto naikai': 'Seto Inland Sea',
               'Eastern China Sea': 'East China Sea', 'Molukka Sea': 'Molucca Sea', 'Victoria Lake': 'Lake Victoria',
               'Laccadive Sea': 'Lakshadweep Sea', 'Ceram Sea': 'Seram Sea', 'Gulf of Boni': 'Gulf of Bone'}
# No package has it. The bounds of the Marine Park are those of the Great Barrier Reef (Declaration of Amalgamated Marine Area)
# Proclamation 2004.
REEF = ('Great Barrier Reef', '', (142.53, -24.5, 154.01, -10.68))
# In degrees: the 12 nautical miles of sea and reefs in front of a coast.
SEA = 0.2
# Of a province, in degrees. Smaller ones are districts of towns, and a town has a box.
SMALLEST = 0.6
# Of islands of which only the towns say how many people they have.
LARGEST_ISLANDS = 10


def folded(name):
    plain = ''.join(c for c in unicodedata.normalize('NFD', name) if not unicodedata.combining(c)).lower()
    plain = re.sub(r'\b(the|of)\b', ' ', plain.replace('&', ' and ').replace('st.', 'saint'))
    return re.sub(r'[^a-z0-9]+', ' ', plain).strip()


def bounds(points):
    """The box of a ring. Its east is beyond 180 if the ring crosses the antimeridian."""
    longitudes, latitudes = map(list, zip(*points))
    for i in range(1, len(longitudes)):
        longitudes[i] -= 360 * round((longitudes[i] - longitudes[i - 1]) / 360)
    west = min(longitudes)
    turn = 360 * math.floor((west + 180) / 360)
    return west - turn, min(latitudes), max(longitudes) - turn, max(latitudes)


def islands(atlas):
    """The numbers of the countries of a topology, each with the outer rings of its land."""
    (scale_x, scale_y), (x0, y0) = atlas['transform']['scale'], atlas['transform']['translate']
    arcs = []
    for arc in atlas['arcs']:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * scale_x + x0, y * scale_y + y0))
        arcs.append(points)
    for country in atlas['objects']['countries']['geometries']:
        several = country['arcs'] if country['type'] == 'MultiPolygon' else [country['arcs']]
        for outer, *_ in several:
            yield country.get('id'), [point for i in outer for point in (arcs[i] if i >= 0 else arcs[~i][::-1])]


def lies_in(point, feature):
    x, y = point
    for box, ring in zip(feature['boxes'], feature['rings']):
        if box[0] <= x <= box[2] and box[1] <= y <= box[3] and sum(
                (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
                for (x1, y1), (x2, y2) in zip(ring, ring[1:])) % 2:
            return True
    return False


def meet(one, other):
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def reach(around, land):
    if not land:
        return around
    wests, souths, easts, norths = zip(*land)
    return (max(around[0], min(wests) - FARTHEST), max(around[1], min(souths) - FARTHEST),
            min(around[2], max(easts) + FARTHEST), min(around[3], max(norths) + FARTHEST))


def with_sea(box):
    west, south, east, north = box
    return west - SEA, max(-90, south - SEA), east + SEA, min(90, north + SEA)


def polygons_of_wkb(blob):
    """The boxes of the polygons of a geometry of a GeoPackage, whose header is as long as its box demands."""
    data = blob[8 + {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}[blob[3] >> 1 & 7]:]
    boxes = []

    def geometry(at):
        order = '<' if data[at] else '>'
        kind, count = struct.unpack_from(order + 'II', data, at + 1)
        at += 9
        for i in range(count):
            if kind % 1000 == 3:
                points, = struct.unpack_from(order + 'I', data, at)
                numbers = struct.unpack_from(f'{order}{2 * points}d', data, at + 4)
                at += 4 + 16 * points
                if i == 0:
                    boxes.append(bounds(list(zip(numbers[::2], numbers[1::2]))))
            else:
                at = geometry(at)
        return at

    geometry(0)
    return boxes


def union(boxes):
    """The narrowest box around boxes. Its west is greater than its east if it crosses the antimeridian."""
    spans = sorted((west + turn, east + turn) for west, _, east, _ in boxes for turn in (0, 360))
    gap, end, west, east = 0, spans[0][1], -180, 180
    for west_of_next, east_of_next in spans[1:]:
        if west_of_next - end > gap + 1e-9:
            gap, west, east = west_of_next - end, turned(west_of_next), turned(end)
        end = max(end, east_of_next)
    return west, min(box[1] for box in boxes), east, max(box[3] for box in boxes)


def turned(longitude):
    return (longitude + 180) % 360 - 180 if abs(longitude) > 180 else longitude


def number(degrees):
    return f'{degrees:.3f}'.rstrip('0').rstrip('.') if degrees % 1 else str(int(degrees))


def outwards(box):
    west, south, east, north = (f(v * 100 + d) / 100 for f, v, d in zip(
        (math.floor, math.floor, math.ceil, math.ceil), box, (1e-6, 1e-6, -1e-6, -1e-6)))
    return max(-180, west), max(-90, south), min(180, east), min(90, north)


def line(name, others, country, box, population):
    west, south, east, north = box = outwards(box)
    middle = (west + east) / 2 if west <= east else turned((west + east + 360) / 2)
    return '\t'.join([name, others, '', country, number(round((south + north) / 2, 3)), number(round(middle, 3)),
                      str(population), *(number(round(v, 2)) for v in box)])


def contains(box, latitude, longitude):
    west, south, east, north = box
    return south <= latitude <= north and (west <= longitude <= east if west <= east
                                           else longitude >= west or longitude <= east)


def usual_names(name):
    usual, _, others = USUAL_NAMES.get(name, name).partition('|')
    return usual, '|'.join(filter(None, [others, name if name != usual else '']))


def main(atlas, borders, provinces, collections, folder):
    file = Path(folder, 'places.tsv')
    old = [row.split('\t') for row in file.read_text('utf-8').splitlines()]
    towns = [row for row in old if len(row) == 7]
    known = {}
    for row in old:
        if len(row) == 11 and not row[3]:
            for name in [row[0], *filter(None, row[1].split('|'))]:
                known.setdefault(folded(name), row)
    features = json.loads(Path(borders).read_text('utf-8'))['features']
    for feature in features:
        feature.update(feature.pop('properties'))
        feature['rings'] = [[p[:2] for p in polygon[0]] for polygon in (feature['geometry'] or {}).get('coordinates', ())]
        feature['boxes'] = [bounds(ring) for ring in feature['rings']]
        feature['land'] = []
    official = {f['iso1A2'] for f in features if 'iso1A2' in f and f.get('isoStatus') in (None, 'official')} | {'XK'}

    def members(code):
        return [f for f in features if f['boxes'] and f.get('iso1A2') not in FAR_AWAY and (
            code in f.get('groups', ()) or f.get('country') == code and f.get('level') not in ('territory', 'subterritory')
            and f.get('iso1A2') not in official and not official & set(f.get('groups', ())) - {code})]

    numbers = {f['iso1A2']: f['iso1N3'] for f in features if 'iso1N3' in f}
    owners = {}
    for feature in features:
        for code in {feature.get('iso1A2'), feature.get('country'), *feature.get('groups', ())} & set(numbers):
            if feature['rings']:
                owners.setdefault(numbers[code], []).append(feature)
    divided = {'Coral Sea Islands'}
    for code, ring in islands(json.loads(Path(atlas).read_text('utf-8'))):
        candidates = owners.get(code) or [f for f in features if f['rings']]
        sample = ring[::max(1, len(ring) // 15)]
        votes = [sum(lies_in(point, f) for point in sample) for f in candidates] if len(candidates) > 1 else [1]
        if max(votes) < 0.8 * sum(votes):
            # England, Scotland and Wales share an island.
            divided.update(f['nameEn'] for f, count in zip(candidates, votes) if count > 0)
        elif max(votes) > 0:
            candidates[votes.index(max(votes))]['land'].append(bounds(ring))
        else:
            print('an islet of no feature:', code, bounds(ring))

    def parts(feature):
        if feature['nameEn'] in SCATTERED:
            return [reach(around, [box for box in feature['land'] if meet(around, box)]) for around in feature['boxes']]
        if feature['nameEn'] in divided:
            return feature['boxes']
        return [with_sea(box) for box in feature['land']] + [
            around for around in feature['boxes'] if not any(meet(around, box) for box in feature['land'])]

    def people(box, country=None):
        return sum(int(t[6]) for t in towns if t[3] == (country or t[3]) and contains(box, float(t[4]), float(t[5])))

    countries, regions, codes, used = [], [], {}, set()
    for feature in features:
        code = feature.get('iso1A2')
        names = [feature['nameEn'], *(a for a in feature.get('aliases', ()) if len(a) > 3 and a[2] != '-')]
        boxes = parts(feature)
        if code in official or not boxes:
            boxes = boxes + [box for f in members(code or feature.get('m49') or feature['wikidata']) for box in parts(f)]
        boxes = boxes + [box for f in features if f['nameEn'] in PARTS_MORE.get(code, ()) for box in parts(f)]
        if not boxes:
            continue
        if code in official:
            row = next((known[folded(name)] for name in [*names, NAMES_HERE.get(code, code)] if folded(name) in known), None)
            used.add(id(row))
            name = row[0] if row and code != 'SH' else feature['nameEn']
            others = (row[1].split('|') if row and row[1] else []) + [n for n in names if folded(n) != folded(name)]
            codes[code] = name
            countries.append([int(row[6]) if row else None, name, list({folded(o): o for o in others}.values()), union(boxes)])
        elif not NO_PLACES.match(feature['nameEn']):
            regions.append((names, feature.get('country'), union(boxes)))
    left = [row for row in old if len(row) == 11 and not row[3] and row[6] != '0' and id(row) not in used]
    print('kept as they were:', [row[0] for row in left])
    for row in left:
        if all(folded(row[0]) != folded(name) for _, name, _, _ in countries):
            countries.append([int(row[6]), row[0], row[1].split('|') if row[1] else [], [float(v) for v in row[7:]]])
    for country in countries:
        if country[0] is None:
            west, _, east, _ = box = country[3]
            country[0] = people(box) if (east - west) % 360 < LARGEST_ISLANDS else 0
    countries.sort(key=lambda c: -c[0])
    lines = [line(name, '|'.join(others), '', box, population) for population, name, others, box in countries]

    taken = {(folded(name), None) for _, name, _, _ in countries}
    for names, country, box in regions:
        where = codes.get(country, '')
        if (folded(names[0]), None) not in taken:
            taken.add((folded(names[0]), where))
            lines.append(line(names[0], '|'.join(names[1:]), where, box, people(box, where) if where else 0))

    found = {}
    for code, name, admin, geometry in sqlite3.connect(provinces).execute(
            'select iso_a2, name, admin, geom from states_provinces where name is not null order by fid'):
        where = codes.get(code) or known.get(folded(admin), [admin])[0]
        boxes = polygons_of_wkb(geometry)
        # Georgia is a country, and a state far away; Réunion is one place.
        if (folded(name), where) not in taken and not any(
                folded(name) == folded(country) and (where == country or meet(union(boxes), box))
                for _, country, _, box in countries):
            found.setdefault((name.strip(), where), []).extend(boxes)
    rows = []
    for (name, where), boxes in found.items():
        box = union(boxes)
        if max(box[3] - box[1], (box[2] - box[0]) % 360) >= SMALLEST:
            population = people(box, where)
            rows.append((population, 0, line(name, '', where, box, population)))
    rows += [(int(town[6]), 1, '\t'.join(town)) for town in towns]
    print(len(countries), 'countries,', len(regions), 'regions,', len(rows) - len(towns), 'provinces,', len(towns), 'towns')
    lines += [text for _, _, text in sorted(rows, key=lambda row: (-row[0], row[1]))]
    file.write_text('\n'.join(lines) + '\n', 'utf-8')

    text = Path(collections).read_text('utf-8')
    seas = [REEF, *((*usual_names(name), tuple(map(float, (west, south, east, north)))) for name, west, east, south, north
                    in re.findall(r'^tag: \S+ (.*)\nregion: ([-\d.]+)/([-\d.]+)/([-\d.]+)/([-\d.]+)$', text, re.MULTILINE))]
    Path(folder, 'seas.tsv').write_text(''.join(
        line(name, others, '', (turned(box[0]), box[1], turned(box[2]), box[3]), 0) + '\n'
        for name, others, box in seas if all(folded(name) != one for one, _ in taken)), 'utf-8')
    print(len(seas), 'seas')


main(*sys.argv[1:])
