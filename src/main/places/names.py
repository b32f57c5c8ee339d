"""Compares names of places."""
import re
import unicodedata

GENERIC_WORDS = re.compile(
    r'\b(islands?|isles?|islas?|iles?|ilhas?|isol[ae]|group|archipelago|atoll)\b( (de|da|do|di|del)\b)?')


def folded(name):
    plain = ''.join(c for c in unicodedata.normalize('NFD', name) if not unicodedata.combining(c)).lower()
    plain = re.sub(r'\b(the|of)\b', ' ', plain.replace('&', ' and ').replace('st.', 'saint'))
    return re.sub(r'[^a-z0-9]+', ' ', plain).strip()


def bare(name):
    return re.sub(' +', ' ', GENERIC_WORDS.sub('', folded(name))).strip() or folded(name)
