"""Writes the index of a TFRecord file as tfrecord.tools.tfrecord2idx does, of the PyPI
package tfrecord 1.14.6, by its steps: python3 index.py FILE INDEX"""

import struct
import sys

with open(sys.argv[1], "rb") as file, open(sys.argv[2], "w") as index:
    while True:
        begin = file.tell()
        length = file.read(8)
        if not length:
            break
        file.read(4)
        file.read(struct.unpack("q", length)[0])
        file.read(4)
        index.write(str(begin) + " " + str(file.tell() - begin) + "\n")
