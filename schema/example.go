package schema

import (
	"encoding/binary"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// This file is what the package knows of the message tf.train.Example: which
// list holds a type, and the bytes around and within the lists. The package
// comment draws them. example_short.go is the quick way to the same bytes.

// maxExample is the largest Example, in bytes, that TensorFlow reads.
const maxExample = 1<<31 - 1

// Tags of the wire format. All fields of an Example are length-delimited.
const (
	tag1 = 1<<3 | byte(protowire.BytesType) // Example.features, Features.feature, an entry's key, a list's values, Feature.bytes_list
	tag2 = 2<<3 | byte(protowire.BytesType) // an entry's value, Feature.float_list
	tag3 = 3<<3 | byte(protowire.BytesType) // Feature.int64_list
)

var listTags = map[message.List]byte{message.BytesList: tag1, message.FloatList: tag2, message.Int64List: tag3}

// An entry is the bytes around the values of one feature:
//
//	0a ENTRY  0a n key  12 FEATURE  tag LIST  …
//
// ENTRY, FEATURE and LIST are the sizes of what follows each.
type entry struct {
	key []byte // 0a n key
	tag byte   // of the list
}

func newEntry(key string, list message.List) entry {
	return entry{
		key: protowire.AppendString([]byte{tag1}, key),
		tag: listTags[list],
	}
}

// appendOpening appends an entry up to its list of n bytes.
func (x *entry) appendOpening(dst []byte, n int) []byte {
	feature := 1 + protowire.SizeBytes(n)
	size := len(x.key) + 1 + protowire.SizeBytes(feature)
	dst = protowire.AppendVarint(append(dst, tag1), uint64(size))
	dst = append(dst, x.key...)
	dst = protowire.AppendVarint(append(dst, tag2), uint64(feature))
	return protowire.AppendVarint(append(dst, x.tag), uint64(n))
}

// appendOne appends the entry of one text of any size.
func (x *entry) appendOne(dst, text []byte) []byte {
	dst = x.appendOpening(dst, 1+protowire.SizeBytes(len(text)))
	return appendText(dst, text)
}

// appendEntry appends the entry of the values in list.
func (x *entry) appendEntry(dst, list []byte) []byte {
	if x.tag == tag1 || len(list) == 0 {
		return append(x.appendOpening(dst, len(list)), list...)
	}
	// Packed numbers are one length-delimited field, as a single text is.
	return x.appendOne(dst, list)
}

// appendInt appends an integer as an int64_list packs it.
func appendInt(list []byte, x uint64) []byte { return protowire.AppendVarint(list, x) }

// appendFloat appends the bits of a float32 as a float_list packs it.
func appendFloat(list []byte, float uint32) []byte { return protowire.AppendFixed32(list, float) }

// appendText appends a text as a bytes_list has it.
func appendText(list, text []byte) []byte {
	return append(appendTextSize(list, len(text)), text...)
}

// appendTextSize appends what comes before a text of n bytes.
func appendTextSize(list []byte, n int) []byte {
	return protowire.AppendVarint(append(list, tag1), uint64(n))
}

// close puts the size of the features that end at buf[n] before them and
// returns where the Example ends.
func (e *Encoder) close(buf []byte, start, n int) ([]byte, int) {
	from := start + 1 + e.width
	size := n - from
	if width := protowire.SizeVarint(uint64(size)); width != e.width {
		to := start + 1 + width
		buf = room(buf, n, to-from)
		copy(buf[to:], buf[from:n])
		// Rows are much alike: the next one is likely to need this width, too.
		e.width, n = width, to+size
	}
	buf[start] = tag1
	binary.PutUvarint(buf[start+1:], uint64(size))
	return buf, n
}

func tooLarge(size int) *RowError {
	return &RowError{
		Code:    "LIMIT_RECORD",
		At:      -1,
		Message: fmt.Sprintf("an Example of %d bytes; TensorFlow reads less than 2 GiB", size),
	}
}
