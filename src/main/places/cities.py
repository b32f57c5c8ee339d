"""Reads the cities of GeoNames, and the names that its translators gave to cities, states and countries."""
import gettext
import re
from collections import Counter, namedtuple
from pathlib import Path

from names import folded

# What a state is called beside its name.
KINDS = re.compile(r'^(Comunidad|Región)( Autónoma)? de( las?| los)? |'
                   r'^(Autonomous Region|Province|State|Region|Freistaat) (of( the)? )?|^(The|Région) |'
                   r' (Region|Province|State|Oblast|County|Prefecture|Governorate|District)$')
# The names of provinces in other languages repeat the name with such a word.
OF_A_PROVINCE = re.compile('Prä|Pr[eé]fe|Provin|Oblast|Estado|État|Regi|Régi|Distri|Distre|County|Comté|Condado|Conte|Comitat|'
                           'Kreis|Govern|Gouvern|Canton|Kanton|Depart|Départ|Dipart|Voi|Voï|Woiw|Munic|Krai|Kraj')
LANGUAGES = ['de', 'es', 'fr', 'it', 'pt']
# A part of a city, whose people the city has too.
PART = 'PPLX'
# The fields of a message of the file.
ID, NAME, COUNTRY, KIND, STATE, POPULATION, LONGITUDE, LATITUDE = 1, 2, 3, 7, 8, 9, 10, 11

# A city's state is the key of a state in Translations, and its fame says in how many languages people call it by a name.
City = namedtuple('City', 'name country state population latitude longitude fame')


class Translations:

    def __init__(self, folder):
        self.names = {}
        self.languages = Counter()
        for file in sorted(Path(folder).glob('*/LC_MESSAGES/geonames.mo')):
            with open(file, 'rb') as stream:
                names = gettext.GNUTranslations(stream)._catalog
            self.languages.update(names.keys())
            if file.parts[-3] in ['en', *LANGUAGES]:
                self.names[file.parts[-3]] = names
        self.keys = {(key[:2], folded(name)): key for key, name in self.names['en'].items() if re.match(r'[A-Z]{2}\.', key)}

    def of(self, key):
        """The names in other languages of a state or a country."""
        found = [KINDS.sub('', self.names[language][key]) for language in LANGUAGES if key in self.names[language]]
        return [name for name in found if not OF_A_PROVINCE.match(name)]

    def english(self, key):
        return KINDS.sub('', self.names['en'].get(key, ''))

    def of_state(self, code, names):
        """The names in other languages of a state of a country with one of these English names."""
        return [name for key in sorted({self.keys.get((code, folded(name))) for name in names} - {None}) for name in self.of(key)]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def signed(value):
    return (value >> 1) ^ -(value & 1)


def fields_of(data, at, end):
    """The fields of a message of a Protobuf file, which has numbers and texts alone."""
    fields = {}
    while at < end:
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7:
            value, at = data[at:at + value].decode(), at + value
        fields[key >> 3] = value
    return fields


def read(file, translations):
    """The cities by the codes of their countries, and those without a code of a state, too."""
    data = Path(file).read_bytes()
    cities = {}
    at = latitude = longitude = 0
    while at < len(data):
        length, at = varint(data, at)
        fields = fields_of(data, at, at + length)
        at += length
        # Each position is written as its distance from the last one.
        longitude += signed(fields[LONGITUDE])
        latitude += signed(fields[LATITUDE])
        if fields.get(KIND) != PART:
            code = fields.get(COUNTRY, '')
            cities.setdefault(code, []).append(City(
                fields[NAME], code, f'{code}.{fields.get(STATE, "")}', fields.get(POPULATION, 0), latitude / 1e5,
                longitude / 1e5, translations.languages[str(signed(fields[ID]))]))
    return cities
