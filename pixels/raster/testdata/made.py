"""Writes made.tar.gz: small images of kinds that the other corpora lack.

usage: python made.py     (Pillow 13.0.0, in this folder)
"""
import gzip
import io
import random
import struct
import tarfile
import zlib

from PIL import Image

made = {"LICENSE.txt": b"These files were made by made.py beside this archive and are in the public domain (CC0).\n"}
rng = random.Random(11)


def noise(n):
    return bytes(rng.randrange(256) for _ in range(n))


def picture(mode, width, height):
    """A picture with smooth parts, edges, and each alpha."""
    im = Image.new("RGBA", (width, height))
    im.putdata([
        ((x * 19 + y) % 256, (y * 27) % 256, (x * y) % 256 if x < width // 2 else rng.randrange(256), (x * 11 + y * 37) % 256)
        for y in range(height) for x in range(width)
    ])
    return im.convert(mode)


def save(image, format, **options):
    b = io.BytesIO()
    image.save(b, format, **options)
    return b.getvalue()


# PNG: each color type and depth, with and without interlacing and tRNS, each filter.
def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width, height, depth, color, interlaced=False, rows=None, extra=b"", parts=1, filters=(0, 1, 2, 3, 4)):
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    raw = b""
    for x, y, dx, dy in passes if interlaced else [(0, 0, 1, 1)]:
        w, h = (width - x + dx - 1) // dx, (height - y + dy - 1) // dy
        for i in range(h if w > 0 else 0):
            n = (w * samples * depth + 7) // 8
            raw += bytes([filters[(i + x + y) % len(filters)]]) + (rows(n) if rows else noise(n))
    z = zlib.compress(raw)
    cuts = [len(z) * i // parts for i in range(parts + 1)]
    body = b"".join(chunk(b"IDAT", z[a:b]) for a, b in zip(cuts, cuts[1:]))
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + body + chunk(b"IEND", b"")


def palette(n):
    return chunk(b"PLTE", noise(3 * n))


for color, depths in {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}.items():
    for depth in depths:
        for interlaced in False, True:
            name = f"png-{color}-{depth}" + "-interlaced" * interlaced
            colors = palette(1 << depth) if color == 3 else b""
            for width, height in (1, 1), (3, 2), (5, 9), (33, 17):
                made[f"{name}-{width}x{height}.png"] = png(width, height, depth, color, interlaced, extra=colors)
            if color == 3:
                made[f"{name}-alpha.png"] = png(19, 11, depth, 3, interlaced, extra=colors + chunk(b"tRNS", noise(1 << depth)))
                made[f"{name}-alpha-of-one.png"] = png(19, 11, depth, 3, interlaced, extra=colors + chunk(b"tRNS", b"\0"))
            if color in (0, 2):
                # Rows of few values, so that the key is met.
                few = lambda n: bytes(rng.choice((0, 5, 0x55, 0xff)) for _ in range(n))
                key = {1: 1, 2: 1, 4: 5, 8: 0x55, 16: 0x55ff}[depth]
                trns = chunk(b"tRNS", struct.pack(">H", key) * {0: 1, 2: 3}[color])
                made[f"{name}-key.png"] = png(40, 23, depth, color, interlaced, few, trns, filters=(0,))
made["png-parts.png"] = png(33, 17, 8, 2, parts=7)
made["png-key-above-depth.png"] = png(40, 23, 8, 0, False, lambda n: bytes(i % 3 for i in range(n)), chunk(b"tRNS", b"\1\1"), filters=(0,))
made["png-alpha-of-more.png"] = png(19, 11, 1, 3, extra=palette(2) + chunk(b"tRNS", b"\x10\x20\x30\x40"))
made["png-rgb-with-palette.png"] = png(9, 9, 8, 2, extra=palette(4))
for f in range(5):
    made[f"png-filter-{f}.png"] = png(61, 13, 8, 2, filters=(f,))


# GIF: place on the screen, palettes, transparency, interlacing.
def blocks(data):
    return b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255)) + b"\0"


def lzw(indices, bits):
    """Codes without strings: a clear code before the width would grow."""
    width, clear, codes = bits + 1, 1 << bits, []
    for i, c in enumerate(indices):
        if i % ((1 << bits) - 2 or 1) == 0:
            codes.append(clear)
        codes.append(c)
    codes.append(clear + 1)
    n = sum(c << (width * i) for i, c in enumerate(codes))
    return bytes([bits]) + blocks(n.to_bytes((width * len(codes) + 7) // 8, "little"))


def gif(screen, pictures, colors=b""):
    flags = 0x80 | (len(colors) // 3).bit_length() - 2 if colors else 0
    out = b"GIF89a" + struct.pack("<HHBBB", *screen, flags, 0, 0) + colors
    for p in pictures:
        if "key" in p:
            out += b"!\xf9\x04\x01\0\0" + bytes([p["key"], 0])
        local = p.get("colors", b"")
        flags = (0x80 | (len(local) // 3).bit_length() - 2 if local else 0) | 0x40 * p.get("interlaced", False)
        x, y, w, h = p["place"]
        out += b"," + struct.pack("<HHHHB", x, y, w, h, flags) + local
        bits = p.get("bits", 4)
        most = p.get("most", 1 << bits)
        out += lzw([rng.randrange(most) for _ in range(w * h)], bits)
    return out + b";"


ramp = bytes(i for i in range(16) for _ in range(3))
made["gif-inside.gif"] = gif((20, 15), [{"place": (3, 4, 11, 7)}], noise(48))
made["gif-inside-key.gif"] = gif((20, 15), [{"place": (3, 4, 11, 7), "key": 5}], noise(48))
made["gif-key.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7), "key": 5}], noise(48))
made["gif-key-beyond.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7), "key": 77}], noise(48))
made["gif-key-beyond-inside.gif"] = gif((20, 15), [{"place": (3, 4, 11, 7), "key": 77}], noise(48))
made["gif-ramp.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7)}], ramp)
made["gif-ramp-key.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7), "key": 5}], ramp)
made["gif-ramp-key-inside.gif"] = gif((20, 15), [{"place": (3, 4, 11, 7), "key": 5}], ramp)
made["gif-local.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7), "colors": noise(48)}], noise(48))
made["gif-local-ramp.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7), "colors": ramp}], noise(48))
made["gif-local-only.gif"] = gif((20, 15), [{"place": (3, 4, 11, 7), "colors": noise(48)}])
made["gif-no-palette.gif"] = gif((20, 15), [{"place": (3, 4, 11, 7)}])
for height in 1, 2, 3, 4, 5, 8, 9, 23:
    made[f"gif-interlaced-{height}.gif"] = gif((7, height), [{"place": (0, 0, 7, height), "interlaced": True}], noise(48))
for bits in 1, 2, 3, 5, 6, 7, 8:
    made[f"gif-bits-{bits}.gif"] = gif((17, 9), [{"place": (0, 0, 17, 9), "bits": bits}], noise(3 << bits))
made["gif-beyond.gif"] = gif((5, 5), [{"place": (3, 4, 11, 7)}], noise(48))
made["gif-index-beyond.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7)}], noise(12))
made["gif-two.gif"] = gif((20, 15), [{"place": (0, 0, 20, 15)}, {"place": (3, 4, 11, 7), "key": 2}], noise(48))
made["gif-strings.gif"] = save(picture("RGB", 120, 90).quantize(64), "GIF")
made["gif-full-table.gif"] = save(Image.frombytes("L", (150, 150), noise(150 * 150)).quantize(255), "GIF")


# BMP: bits, run-length coding, bit fields.
def bmp(width, height, bits, compression, pixels, colors=b"", header=40, masks=b"", number=None):
    number = len(colors) // 4 if number is None else number
    head = struct.pack("<IiiHHIIiiII", header, width, height, 1, bits, compression, len(pixels), 0, 0, number, 0)
    head += masks.ljust(header - 40, b"\0") if header > 40 else masks
    at = 14 + len(head) + len(colors)
    return b"BM" + struct.pack("<IHHI", at + len(pixels), 0, 0, at) + head + colors + pixels


def rows(width, height, bits):
    return noise((width * bits + 31) // 32 * 4 * height)


for bits in 1, 4, 8:
    colors = noise(4 << bits)
    made[f"bmp-{bits}.bmp"] = bmp(13, 7, bits, 0, rows(13, 7, bits), colors)
    made[f"bmp-{bits}-down.bmp"] = bmp(13, -7, bits, 0, rows(13, 7, bits), colors)
for bits in 16, 24, 32:
    made[f"bmp-{bits}.bmp"] = bmp(13, 7, bits, 0, rows(13, 7, bits))
    made[f"bmp-{bits}-down.bmp"] = bmp(13, -7, bits, 0, rows(13, 7, bits))
fields = {
    "16-565": (16, 40, (0xF800, 0x7E0, 0x1F)), "16-555": (16, 40, (0x7C00, 0x3E0, 0x1F)), "24": (24, 40, (0xFF0000, 0xFF00, 0xFF)),
    "32-bgrx": (32, 40, (0xFF0000, 0xFF00, 0xFF)), "32-xbgr": (32, 56, (0xFF000000, 0xFF0000, 0xFF00, 0)),
    "32-bgxr": (32, 56, (0xFF000000, 0xFF00, 0xFF, 0)), "32-abgr": (32, 56, (0xFF000000, 0xFF0000, 0xFF00, 0xFF)),
    "32-rgba": (32, 108, (0xFF, 0xFF00, 0xFF0000, 0xFF000000)), "32-bgra": (32, 124, (0xFF0000, 0xFF00, 0xFF, 0xFF000000)),
    "32-bgar": (32, 56, (0xFF000000, 0xFF00, 0xFF, 0xFF0000)), "32-none": (32, 56, (0, 0, 0, 0)),
    "32-rgba-52": (32, 52, (0xFF0000, 0xFF00, 0xFF)), "32-101010": (32, 56, (0x3FF00000, 0xFFC00, 0x3FF, 0)),
}
for name, (bits, header, masks) in fields.items():
    made[f"bmp-fields-{name}.bmp"] = bmp(13, 7, bits, 3, rows(13, 7, bits), header=header, masks=struct.pack(f"<{len(masks)}I", *masks))


def rle(width, height, bits, wild):
    """Runs and literals; a wild one has jumps, and rows that end early."""
    out = b""
    most = 255 if bits == 8 else 9
    for y in range(height):
        x = 0
        while x < width:
            n = min(rng.randrange(1, 12), width - x)
            if wild and rng.random() < 0.1:
                break
            if wild and rng.random() < 0.1 and y + 2 < height and x + 2 < width:
                out += bytes([0, 2, 1, 0])
                x += 1
            elif n >= 3 and rng.random() < 0.5:
                literal = noise(n if bits == 8 else (n + 1) // 2)
                out += bytes([0, n]) + literal + b"\0" * (len(literal) % 2)
                x += n
            else:
                out += bytes([n]) + noise(1)
                x += n
        out += b"\0\0"
    return out + b"\0\1"


for bits, compression in (8, 1), (4, 2):
    colors = noise(4 << bits)
    for wild in False, True:
        for n in range(3):
            name = f"bmp-rle{bits}" + "-wild" * wild + f"-{n}"
            made[name + ".bmp"] = bmp(29, 17, bits, compression, rle(29, 17, bits, wild), colors)
made["bmp-rle8-short.bmp"] = bmp(29, 17, 8, 1, rle(29, 9, 8, False), noise(1024))
made["bmp-index-beyond.bmp"] = bmp(13, 7, 8, 0, rows(13, 7, 8), noise(40))


# WebP: odd sizes, qualities, alpha in each way, frames.
for width, height in (1, 1), (2, 1), (1, 2), (2, 2), (3, 3), (16, 16), (17, 31), (40, 33), (65, 64):
    made[f"webp-{width}x{height}.webp"] = save(picture("RGB", width, height), "WEBP", quality=80)
    made[f"webp-alpha-{width}x{height}.webp"] = save(picture("RGBA", width, height), "WEBP", quality=60)
    made[f"webp-lossless-{width}x{height}.webp"] = save(picture("RGBA", width, height), "WEBP", lossless=True, exact=True)
for quality in 0, 30, 100:
    for method in 0, 4, 6:
        made[f"webp-q{quality}-m{method}.webp"] = save(picture("RGBA", 50, 37), "WEBP", quality=quality, method=method, alpha_quality=quality)
made["webp-lossless-rgb.webp"] = save(picture("RGB", 50, 37), "WEBP", lossless=True)
frames = [picture("RGBA", 40, 33) for _ in range(3)]
made["webp-frames.webp"] = save(frames[0], "WEBP", save_all=True, append_images=frames[1:])
made["webp-frames-lossless.webp"] = save(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=True)


def riff(chunks):
    body = b"WEBP" + b"".join(n + struct.pack("<I", len(b)) + b + b"\0" * (len(b) % 2) for n, b in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def u24(n):
    return struct.pack("<I", n)[:3]


lossy, lossless = made["webp-17x31.webp"][20:], made["webp-lossless-16x16.webp"][20:]
for name, flags in ("", 2), ("-alpha", 0x12):
    made[f"webp-frame-inside{name}.webp"] = riff([
        (b"VP8X", bytes([flags, 0, 0, 0]) + u24(39) + u24(49)), (b"ANIM", bytes(6)),
        (b"ANMF", u24(2) + u24(3) + u24(16) + u24(30) + u24(100) + b"\0" + b"VP8 " + struct.pack("<I", len(lossy)) + lossy + b"\0" * (len(lossy) % 2)),
        (b"ANMF", u24(2) + u24(3) + u24(15) + u24(15) + u24(100) + b"\0" + b"VP8L" + struct.pack("<I", len(lossless)) + lossless + b"\0" * (len(lossless) % 2)),
    ])
made["webp-alpha-flag-alone.webp"] = riff([(b"VP8X", b"\x10\0\0\0" + u24(16) + u24(30)), (b"VP8 ", lossy)])
made["webp-alpha-unannounced.webp"] = riff([(b"VP8X", bytes(4) + u24(15) + u24(15)), (b"VP8L", lossless)])
for way in 0, 1, 2, 3:
    made[f"webp-raw-alpha-{way}.webp"] = riff([(b"VP8X", b"\x10\0\0\0" + u24(16) + u24(30)), (b"ALPH", bytes([way << 2]) + noise(17 * 31)), (b"VP8 ", lossy)])


# What came to mind later.
made["gif-key-beyond-used.gif"] = gif((11, 7), [{"place": (0, 0, 11, 7), "key": 4, "most": 5}], noise(12))
made["png-alpha-before-palette.png"] = png(19, 11, 2, 3, extra=chunk(b"tRNS", noise(4)) + palette(4))
forgotten = bytearray(made["bmp-8.bmp"])
forgotten[10:14] = struct.pack("<I", 54)
made["bmp-8-palette-forgotten.bmp"] = bytes(forgotten)
jumps = bytes([0, 2, 20, 1, 15, 7, 0, 0]) + bytes([29, 3, 0, 0]) * 15
made["bmp-rle8-jump.bmp"] = bmp(29, 17, 8, 1, jumps + b"\0\1", noise(1024))


archive = io.BytesIO()
with tarfile.open(fileobj=archive, mode="w") as t:
    for name, data in sorted(made.items()):
        info = tarfile.TarInfo("raster/" + name)
        info.size = len(data)
        t.addfile(info, io.BytesIO(data))
with open("made.tar.gz", "wb") as f:
    with gzip.GzipFile(fileobj=f, mode="wb", mtime=0, filename="") as z:
        z.write(archive.getvalue())
