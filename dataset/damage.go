package dataset

import (
	"fmt"
	"strings"
)

// Unknown stands in a DamageError for a record or offset that cannot be told.
const Unknown = -1

// A DamageError says what in a dataset is not as it was written.
type DamageError struct {
	File   string // relative to the dataset's directory; or as named by the caller
	Record int64  // the record from which on it is damaged, from 0; or Unknown
	Offset int64  // where that record begins, in the decompressed file; or Unknown
	Reason string // what was found, and what should be there
}

func (e *DamageError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	b.WriteString(": ")
	if e.Record != Unknown {
		fmt.Fprintf(&b, "record %d at byte %d: ", e.Record, e.Offset)
	}
	b.WriteString(e.Reason)
	return b.String()
}

func wholeFile(name, format string, args ...any) *DamageError {
	return &DamageError{File: name, Record: Unknown, Offset: Unknown, Reason: fmt.Sprintf(format, args...)}
}
