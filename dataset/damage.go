package dataset

import (
	"fmt"
	"strconv"
	"strings"
)

// Unknown is a number that cannot be told: of a record, an offset, or
// of records that are lost.
const Unknown = -1

// A DamageError says what in a dataset is not as it was written.
type DamageError struct {
	File    string // relative to the dataset's directory; or as named by the caller
	Record  int64  // the record from which on it is damaged, from 0; or Unknown
	Offset  int64  // where that record begins, in the decompressed file; or Unknown
	Feature string // the key in the Example that is not as it should be; or empty
	Reason  string // what was found, and what should be there
}

func (e *DamageError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	b.WriteString(": ")
	if e.Record != Unknown {
		fmt.Fprintf(&b, "record %d at byte %d: ", e.Record, e.Offset)
	}
	if e.Feature != "" {
		b.WriteString("feature " + strconv.Quote(e.Feature) + ": ")
	}
	b.WriteString(e.Reason)
	return b.String()
}

func wholeFile(name, format string, args ...any) *DamageError {
	return recordDamage(name, Unknown, Unknown, format, args...)
}

func recordDamage(name string, record, offset int64, format string, args ...any) *DamageError {
	return &DamageError{File: name, Record: record, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}
