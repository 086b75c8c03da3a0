package markup

import "tfr-build/sources/input"

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{Reads: "directories of XML documents", Noun: "XML document", Rows: input.Objects}
}
