package images

import (
	"tfr-build/pixels/header"
	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	d := &input.Description{
		Reads: "directories of images", Noun: "image", Rows: input.FileRows, Directory: true, Images: true,
		MoreExtensions: header.TIFF.Extensions(),
		Recognize:      func(h *input.FileHead) input.Match { return input.Begins.If(header.Begins(h.Bytes)) },
	}
	for _, f := range header.Formats() {
		if f != header.TIFF {
			d.Extensions = append(d.Extensions, f.Extensions()...)
		}
	}
	return d
}
