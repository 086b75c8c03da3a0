package framing

import "tfr-build/arrayrecord"

// table returns the rows, the default first. Formats are detected in this order.
func table() []*Format {
	return []*Format{
		&tfRecord,
		&ofRecord,
		&arrayRecord,
		&bare,
	}
}

// DetectSize is the largest number of bytes that Begins of a row needs.
const DetectSize = arrayrecord.SignatureSize
