"""Reads documents with expat, which checks name spaces, too.

    python expat.py DOCUMENTS RESULTS

DOCUMENTS is a JSON array of Base64; RESULTS is a JSON array: null for a document that expat refuses, else its
elements, attributes, and texts in order.
"""

import base64
import json
import sys
from xml.parsers import expat


def read(data):
    out = []

    def text(value):
        if out and out[-1].startswith("T"):
            out[-1] += value
        else:
            out.append("T" + value)

    def start(name, attributes):
        out.append("<")
        pairs = sorted(zip(attributes[::2], attributes[1::2], strict=True))
        out.extend("@" + value for _, value in pairs)

    p = expat.ParserCreate(namespace_separator="\x01")
    p.ordered_attributes = True
    p.StartElementHandler = start
    p.EndElementHandler = lambda name: out.append(">")
    p.CharacterDataHandler = text
    try:
        p.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError):
        return None
    return out


with open(sys.argv[1]) as f:
    documents = json.load(f)
with open(sys.argv[2], "w") as f:
    json.dump([read(base64.b64decode(d)) for d in documents], f)
