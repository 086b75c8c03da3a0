package parquet

import "tfr-build/sources/input"

// damaged returns the error of bytes that the format does not allow.
func damaged(format string, args ...any) error {
	return input.Damaged("PARQUET_DAMAGED", format, args...)
}

// unsupported returns the error of a valid feature of the format that is not supported.
func unsupported(format string, args ...any) error {
	return input.Mismatch("PARQUET_UNSUPPORTED", format, args...)
}
