package schema

import (
	"slices"

	"tfr-build/message"
)

// This file has what an OFRecord does differently from an Example: it is the map of the features with
// nothing around it, numbers its lists in another way, and has more of them.

// ofrecordTags are the tags of the lists.
var ofrecordTags = map[message.List]byte{
	message.BytesList: tag1, message.FloatList: tag2, message.DoubleList: tag3, message.Int32List: tag4, message.Int64List: tag5,
}

// inOFRecord has the types that an OFRecord can store.
var inOFRecord = inLists(message.Int32List, storage{message.DoubleList, toDouble, 8})

// checkOFRecord returns an error if records may have no feature: such an OFRecord has no bytes, and
// cannot be read.
func checkOFRecord(r *Record) string {
	if slices.ContainsFunc(r.Features, Feature.isAlwaysPresent) {
		return ""
	}
	return "each feature may be missing, and an OFRecord without any cannot be read"
}

// isAlwaysPresent reports whether each record has f: f is never omitted, or is a constant that is
// not repeated once per element of another column.
func (f Feature) isAlwaysPresent() bool {
	return f.OnMissing != MissingOmit || f.Constant != nil && f.Repeat == ""
}
