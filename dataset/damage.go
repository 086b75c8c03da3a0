package dataset

import (
	"fmt"
	"strconv"
	"strings"
)

// Unknown is an unknown record number, offset, or number of lost records.
const Unknown = -1

// A DamageError describes a damaged file of a dataset.
type DamageError struct {
	File    string // relative to the dataset's directory, or as the caller named it
	Record  int64  // the first damaged record, from 0; or Unknown
	Offset  int64  // offset of that record in the decompressed file; or Unknown
	Feature string // the key of the invalid feature; or empty
	Reason  string // what was found and what was expected
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

func fileDamage(name, format string, args ...any) *DamageError {
	return recordDamage(name, Unknown, Unknown, format, args...)
}

func recordDamage(name string, record, offset int64, format string, args ...any) *DamageError {
	return &DamageError{File: name, Record: record, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}
