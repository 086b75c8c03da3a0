"""Writes what Pillow makes of the files in a folder: a line for each, its name and a digest.

    python pillow.py FOLDER SUMS

NAME.jpg is decoded; the digest is of its pixels. NAME.pgm and NAME.ppm are encoded
as NAME.json says, {"subsampling": 0 to 2, "qtables": [...]}; the digest is of the
coefficients in the file that comes of it, block after block as the scan has them,
each in natural order as 64 little-endian int16.
"""

import hashlib
import io
import json
import pathlib
import struct
import sys

from PIL import Image

ZIGZAG = sorted(range(64), key=lambda i: (s := i // 8 + i % 8, i // 8 if s % 2 else i % 8))


class Bits:
    """The bits of a scan."""

    def __init__(self, data):
        self.bits = "".join(f"{byte:08b}" for byte in data.replace(b"\xff\x00", b"\xff"))
        self.at = 0

    def number(self, size):
        """A number of so many bits, as coefficients are coded."""
        if size == 0:
            return 0
        text = self.bits[self.at : self.at + size]
        self.at += size
        return int(text, 2) if text[0] == "1" else int(text, 2) - (1 << size) + 1

    def symbol(self, codes):
        """The symbol of the code that comes next."""
        end = self.at + 1
        while self.bits[self.at : end] not in codes:
            end += 1
        code, self.at = self.bits[self.at : end], end
        return codes[code]


def segments(data):
    """The segments of a file: markers and what they have; the last is the scan."""
    at = 2
    while True:
        marker, size = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        yield marker, data[at + 4 : at + 2 + size]
        at += 2 + size
        if marker == 0xDA:
            yield 0, data[at:-2]
            return


def huffman(table):
    """The codes of a DHT segment with one table."""
    codes, code, at = {}, 0, 17
    for size, count in enumerate(table[1:17], 1):
        for symbol in table[at : at + count]:
            codes[f"{code:0{size}b}"] = symbol
            code += 1
        at, code = at + count, code << 1
    return codes


def coefficients(data):
    """The coefficients of a baseline file of one scan."""
    tables, mcu, blocks = {}, [], []
    for marker, body in segments(data):
        if marker == 0xC4:
            while body:
                size = 17 + sum(body[1:17])
                tables[body[0]] = huffman(body[:size])
                body = body[size:]
        elif marker in (0xC0, 0xC1):
            height, width, count = struct.unpack(">HHB", body[1:6])
            factors = [divmod(body[7 + 3 * i], 16) for i in range(count)]
            if count == 1:
                factors = [(1, 1)]
            across, down = (8 * max(f[i] for f in factors) for i in (0, 1))
            mcus = -(-width // across) * -(-height // down)
            mcu = [i for i, (h, v) in enumerate(factors) for _ in range(h * v)]
        elif marker == 0:
            bits, dc = Bits(body), [0, 0, 0]
            for component in mcu * mcus:
                chroma = min(component, 1)
                block = [0] * 64
                dc[component] += bits.number(bits.symbol(tables[chroma]))
                block[0] = dc[component]
                at = 1
                while at < 64:
                    symbol = bits.symbol(tables[16 + chroma])
                    if symbol == 0:
                        break
                    at += symbol >> 4
                    block[ZIGZAG[at]] = bits.number(symbol & 15)
                    at += 1
                blocks.append(struct.pack("<64h", *block))
    return b"".join(blocks)


with open(sys.argv[2], "w") as sums:
    for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        if path.suffix == ".json":
            continue
        image = Image.open(path)
        if path.suffix == ".jpg":
            result = image.tobytes()
        else:
            out = io.BytesIO()
            image.save(out, "JPEG", **json.loads(path.with_suffix(".json").read_text()))
            result = coefficients(out.getvalue())
        print(path.name, hashlib.sha256(result).hexdigest()[:32], file=sums)
