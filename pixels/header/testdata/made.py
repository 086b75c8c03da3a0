"""Writes made.tar.gz: small images of kinds that the other corpora lack.

usage: python made.py     (Pillow 13.0.0, in this folder)
"""
import gzip
import io
import struct
import tarfile
import zlib

from PIL import Image

made = {"LICENSE.txt": b"These files were made by made.py beside this archive and are in the public domain (CC0).\n"}


def save(image, format, **options):
    b = io.BytesIO()
    image.save(b, format, **options)
    return b.getvalue()


def picture(mode, width=13, height=9):
    im = Image.new("RGB", (width, height))
    im.putdata([(x * 19, y * 27, x * y) for y in range(height) for x in range(width)])
    return im.convert(mode)


def exif(orientation):
    e = Image.Exif()
    e[0x0112] = orientation
    return e


# JPEG: components, Adobe marker, EXIF, two pictures.
for mode in "L", "RGB", "CMYK":
    made[f"{mode}.jpg"] = save(picture(mode), "JPEG")
cmyk = made["CMYK.jpg"]
adobe = cmyk.index(b"Adobe")
for transform in 0, 1, 2:
    made[f"cmyk-transform-{transform}.jpg"] = cmyk[: adobe + 11] + bytes([transform]) + cmyk[adobe + 12 :]
made["cmyk-no-adobe.jpg"] = cmyk[: adobe - 4] + cmyk[adobe + 12 :]
for o in range(0, 10):
    made[f"orientation-{o}.jpg"] = save(picture("RGB"), "JPEG", exif=exif(o))
    made[f"orientation-{o}.png"] = save(picture("RGB"), "PNG", exif=exif(o))
    made[f"orientation-{o}.webp"] = save(picture("RGB"), "WEBP", exif=exif(o))
made["two.mpo"] = save(picture("RGB"), "MPO", save_all=True, append_images=[picture("RGB")])
xmp = b'<x:xmpmeta><rdf:Description tiff:Orientation="6"/></x:xmpmeta>'
made["orientation-in-xmp.jpg"] = save(picture("RGB"), "JPEG", xmp=xmp)


# EXIF as bytes, in both orders, whole and broken.
def tiff(order, kind=3, count=1, value=6, entries=1, tag=0x0112, offset=8, magic=42):
    e = {"II": "<", "MM": ">"}[order]
    field = struct.pack(e + "HH", value, 0) if kind == 3 else struct.pack(e + "I", value)
    return order.encode() + struct.pack(e + "HIHHHI", magic, offset, entries, tag, kind, count) + field + bytes(4)


def with_exif(data):
    jpeg = made["RGB.jpg"]
    body = b"Exif\0\0" + data
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


for order in "II", "MM":
    made[f"exif-{order}.jpg"] = with_exif(tiff(order))
    made[f"exif-{order}-long.jpg"] = with_exif(tiff(order, kind=4))
    made[f"exif-{order}-other-tag.jpg"] = with_exif(tiff(order, tag=0x0110))
    made[f"exif-{order}-many-entries.jpg"] = with_exif(tiff(order, entries=5))
    made[f"exif-{order}-offset-beyond.jpg"] = with_exif(tiff(order, offset=5000))
    made[f"exif-{order}-magic-41.jpg"] = with_exif(tiff(order, magic=41))
made["exif-empty.jpg"] = with_exif(b"")
made["exif-text.jpg"] = with_exif(b"this is no TIFF data")
plain, table = made["RGB.jpg"], made["RGB.jpg"].index(b"\xff\xc4")
segment = with_exif(tiff("II"))[2 : len(with_exif(tiff("II"))) - len(plain) + 2]
made["exif-behind-frame.jpg"] = plain[:table] + segment + plain[table:]


# PNG: all colors and depths, EXIF behind the pixels, animations.
def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(depth, color, before=b"", after=b""):
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    row = bytes(1 + (8 * depth * samples + 7) // 8)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 5, depth, color, 0, 0, 0)) + before
            + (chunk(b"PLTE", bytes(6)) if color == 3 else b"")
            + chunk(b"IDAT", zlib.compress(5 * row)) + after + chunk(b"IEND", b""))


for color, depths in {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}.items():
    for depth in depths:
        made[f"color-{color}-depth-{depth}.png"] = png(depth, color)
made["exif-before-pixels.png"] = png(8, 2, before=chunk(b"eXIf", tiff("MM")))
made["exif-behind-pixels.png"] = png(8, 2, after=chunk(b"eXIf", tiff("II")))
made["exif-with-prefix.png"] = png(8, 2, before=chunk(b"eXIf", b"Exif\0\0" + tiff("II")))
made["animated.png"] = save(picture("RGB"), "PNG", save_all=True, append_images=[picture("L").convert("RGB")])

# GIF: palettes of each kind.
made["palette.gif"] = save(picture("P"), "GIF")
made["grey.gif"] = save(picture("L"), "GIF")
made["animated.gif"] = save(picture("P"), "GIF", save_all=True, append_images=[picture("L")])


def gif(screen_palette, image_palette, frame=(0, 0, 2, 2)):
    def table(p):
        return bytes([0x80 if p else 0]), p or b""
    flags, colors = table(screen_palette)
    image_flags, image_colors = table(image_palette)
    return (b"GIF89a\2\0\2\0" + flags + b"\0\0" + colors + b"!\xf9\4\0\0\0\0\0" + b"," + struct.pack("<4H", *frame)
            + image_flags + image_colors + b"\2\3\x44\x02\x05\0;")


ramp, colors = bytes([0, 0, 0, 1, 1, 1]), bytes([9, 8, 7, 6, 5, 4])
made["no-palette.gif"] = gif(None, None)
made["ramp.gif"] = gif(ramp, None)
made["colors.gif"] = gif(colors, None)
made["colors-and-own-ramp.gif"] = gif(colors, ramp)
made["ramp-and-own-colors.gif"] = gif(ramp, colors)
made["own-colors.gif"] = gif(None, colors)


# BMP: header sizes, depths, compressions, palettes, bit fields.
def bmp(header, bits, compression=0, palette=b"", masks=(), colors=0, height=3):
    rows = abs(height) * ((5 * bits + 31) // 32 * 4)
    if header == 12:
        dib = struct.pack("<IHHHH", 12, 5, height, 1, bits)
    else:
        dib = struct.pack("<IiiHHIIiiII", 40, 5, height, 1, bits, compression, rows, 0, 0, colors, 0)
        dib = struct.pack("<I", header) + dib[4:] + (struct.pack(f"<{len(masks)}I", *masks) if masks else b"")
        dib += bytes(max(0, header - len(dib)))
    offset = 14 + len(dib) + len(palette)
    return b"BM" + struct.pack("<IHHI", offset + rows, 0, 0, offset) + dib + palette + bytes([255 if masks else 0]) * rows


def ramp_of(n, entry=4):
    return b"".join(bytes([i, i, i, 0][:entry]) for i in range(n))


black_white = bytes([0, 0, 0, 0, 255, 255, 255, 0])
for header in 40, 52, 56, 64, 108, 124:
    made[f"header-{header}.bmp"] = bmp(header, 24)
    made[f"header-{header}-grey.bmp"] = bmp(header, 8, palette=ramp_of(256))
made["os2.bmp"] = bmp(12, 24)
made["os2-grey.bmp"] = bmp(12, 8, palette=ramp_of(256, 3))
made["os2-colors.bmp"] = bmp(12, 8, palette=bytes(768))
made["top-down.bmp"] = bmp(40, 24, height=-3)
made["bits-1-black-white.bmp"] = bmp(40, 1, palette=black_white)
made["bits-1-white-black.bmp"] = bmp(40, 1, palette=black_white[4:] + black_white[:4])
made["bits-4-grey.bmp"] = bmp(40, 4, palette=ramp_of(16))
made["bits-4-colors.bmp"] = bmp(40, 4, palette=bytes(range(64)))
made["bits-8-two-colors.bmp"] = bmp(40, 8, palette=black_white, colors=2)
made["bits-8-grey-5.bmp"] = bmp(40, 8, palette=ramp_of(5), colors=5)
made["bits-16.bmp"] = bmp(40, 16)
made["bits-32.bmp"] = bmp(40, 32)
made["bits-2.bmp"] = bmp(40, 2, palette=bytes(16))
made["rle-8.bmp"] = bmp(40, 8, compression=1, palette=bytes(1024))
made["rle-4.bmp"] = bmp(40, 4, compression=2, palette=bytes(64))
made["jpeg-inside.bmp"] = bmp(40, 24, compression=4)
bgr, bgra = (0xFF0000, 0xFF00, 0xFF), (0xFF0000, 0xFF00, 0xFF, 0xFF000000)
made["fields-32-v3.bmp"] = bmp(40, 32, compression=3, masks=bgr)
made["fields-32-v5-no-alpha.bmp"] = bmp(124, 32, compression=3, masks=bgr + (0,))
made["fields-32-v5-alpha.bmp"] = bmp(124, 32, compression=3, masks=bgra)
made["fields-32-v5-empty.bmp"] = bmp(124, 32, compression=3, masks=(0, 0, 0, 0))
made["fields-32-52-alpha.bmp"] = bmp(52, 32, compression=3, masks=bgr)
made["fields-32-56-alpha.bmp"] = bmp(56, 32, compression=3, masks=bgra)
made["fields-16-565.bmp"] = bmp(40, 16, compression=3, masks=(0xF800, 0x7E0, 0x1F))
made["fields-24.bmp"] = bmp(40, 24, compression=3, masks=bgr)
made["fields-8.bmp"] = bmp(40, 8, compression=3, palette=bytes(1024))

# WebP: alpha, animation, EXIF without its flag.
for mode in "RGB", "RGBA":
    for lossless in False, True:
        made[f"{mode}-{'lossless' if lossless else 'lossy'}.webp"] = save(
            picture(mode) if mode == "RGB" else Image.new("RGBA", (7, 5), (9, 8, 7, 6)), "WEBP", lossless=lossless)
made["animated.webp"] = save(picture("RGB"), "WEBP", save_all=True, append_images=[picture("L").convert("RGB")])
made["animated-alpha.webp"] = save(Image.new("RGBA", (7, 5), (9, 8, 7, 6)), "WEBP", save_all=True,
                                   append_images=[Image.new("RGBA", (7, 5), (1, 2, 3, 4))])
flagged = made["orientation-6.webp"]
made["exif-without-flag.webp"] = flagged[:20] + bytes([flagged[20] & ~8]) + flagged[21:]

archive = io.BytesIO()
with tarfile.open(fileobj=archive, mode="w") as tar:
    for name, data in sorted(made.items()):
        info = tarfile.TarInfo("made/" + name)
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
with open("made.tar.gz", "wb") as f:
    f.write(gzip.compress(archive.getvalue(), mtime=0))
