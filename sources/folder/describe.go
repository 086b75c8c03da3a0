package folder

import "tfr-build/sources/input"

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{Reads: "directories of other files", Noun: "other file", Rows: input.FileRows,
		Directory: true}
}
