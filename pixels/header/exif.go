package header

import "bytes"

var exifPrefix = []byte("Exif\x00\x00")

// readEXIF reads the orientation from EXIF data, with or without the prefix that it has in a
// JPEG. Broken data becomes a warning.
func (f *Info) readEXIF(data []byte) {
	// Some writers repeat the prefix, or add it in formats without a prefix.
	d := readDirectory(bytes.TrimPrefix(bytes.TrimPrefix(data, exifPrefix), exifPrefix))
	if d.err != nil {
		f.Warnings.Add(BadEXIF)
	}
	f.readOrientation(&d)
}
