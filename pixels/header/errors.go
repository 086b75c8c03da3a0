package header

import (
	"tfr-build/schema"
)

// NewError returns a *schema.RowError with a code. at is the offset of the error in the file.
func NewError(code string, at int, format string, args ...any) error {
	return schema.RowErrorf(code, at, format, args...)
}

// Truncated returns the error of a file that ends too early.
func Truncated(at int, format string, args ...any) error {
	return NewError("IMG_TRUNCATED", at, format, args...)
}

// Corrupt returns the error of a file that violates its format.
func Corrupt(at int, format string, args ...any) error {
	return NewError("IMG_CORRUPT", at, format, args...)
}

// Unsupported returns the error of a file that common decoders cannot read.
func Unsupported(at int, format string, args ...any) error {
	return NewError("IMG_UNSUPPORTED", at, format, args...)
}
