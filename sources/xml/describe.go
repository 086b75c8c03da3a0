package markup

import "tfr-build/sources/input"

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{Reads: "XML", Noun: "XML document", Rows: input.Objects}
}
