package framing

import "tfr-build/internal/tarfile"

// table returns the rows, the default first. Formats are detected in this order.
func table() []*Format {
	return []*Format{
		&tfRecord,
		&webDataset,
		&ofRecord,
		&arrayRecord,
		&bare,
	}
}

// DetectSize is the largest number of bytes that Begins of a row needs.
const DetectSize = tarfile.BlockSize
