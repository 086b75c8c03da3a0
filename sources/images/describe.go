package images

import (
	"tfr-build/pixels/header"
	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "directories of images", Noun: "image", Rows: input.FileRows, Directory: true, Images: true,
		Extensions: header.Extensions(),
		Recognize: func(h *input.FileHead) (m input.Match) {
			if header.Begins(h.Bytes) {
				m.Certainty = input.Begins
			}
			return m
		},
	}
}
