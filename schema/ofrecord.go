package schema

import (
	"slices"

	"tfr-build/message"
)

// This file has what an OFRecord does differently from an Example: it is the map of the features with
// nothing around it, numbers its lists in another way, and has more of them.

// ofrecordTags are the tags of the lists.
var ofrecordTags = map[message.List]byte{
	message.BytesList: tag1, message.FloatList: tag2, message.DoubleList: tag3, message.Int32List: tag4,
	message.Int64List: tag5,
}

// inOFRecord has the types that an OFRecord can store.
var inOFRecord = inLists(message.Int32List, storage{message.DoubleList, toDouble, 8})

// checkOFRecord reports that records may have no feature: such an OFRecord has no bytes, and cannot be read.
func checkOFRecord(r *Record, c *reporter) {
	if !slices.ContainsFunc(r.Features, func(f Feature) bool { return f.OnMissing != MissingOmit }) {
		c.reportWithHint("features", "a constant in each record: {value: 1}",
			"all features may be missing; OneFlow reads no OFRecord without any feature")
	}
}
