package schema

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// This file encodes the bytes around and within the lists of a tf.train.Example and of similar
// messages. The package comment has a diagram of them. features_fast.go has the fast path to the
// same bytes; storage.go maps types to lists.

// Tags of the wire format, by field number. All these fields are length-delimited.
const (
	// Example.features, Features.feature, an entry's key, a list's values, Feature.bytes_list
	tag1 = 1<<3 | byte(protowire.BytesType)
	tag2 = 2<<3 | byte(protowire.BytesType) // an entry's value, Feature.float_list, SequenceExample.feature_lists
	tag3 = 3<<3 | byte(protowire.BytesType) // Feature.int64_list; in an OFRecord double_list
	tag4 = 4<<3 | byte(protowire.BytesType) // Feature.int32_list in an OFRecord
	tag5 = 5<<3 | byte(protowire.BytesType) // Feature.int64_list in an OFRecord
)

var listTags = map[message.List]byte{message.BytesList: tag1, message.FloatList: tag2, message.Int64List: tag3}

// An entry has the bytes around the values of one feature:
//
//	0a ENTRY  0a n key  12 FEATURE  tag LIST  …
//
// ENTRY, FEATURE, and LIST are the sizes of the bytes that follow them. A step of a feature list
// has no key:
//
//	0a FEATURE  tag LIST  …
type entry struct {
	key []byte // 0a n key; nil for a step
	tag byte   // of the list
}

func newEntry(key string, tag byte) entry {
	return entry{key: protowire.AppendString([]byte{tag1}, key), tag: tag}
}

// A StoredList has the values of a feature as an Example stores them: bytes each by [AppendBytes], and numbers packed.
type StoredList struct {
	Key    string
	List   message.List
	Values []byte
	Texts  [][]byte // more values of bytes, which may be large
}

// sizeOfTexts returns the size of strings in a bytes_list.
func sizeOfTexts(texts [][]byte) (size int) {
	for _, text := range texts {
		size += 1 + protowire.SizeBytes(len(text))
	}
	return size
}

// AppendExample appends an Example with a feature for each list, in the order of their keys. It sorts the lists.
func AppendExample(dst []byte, lists []StoredList) []byte {
	slices.SortFunc(lists, func(a, b StoredList) int { return cmp.Compare(a.Key, b.Key) })
	entries, size := make([]entry, len(lists)), 0
	for i, l := range lists {
		entries[i] = newEntry(l.Key, listTags[l.List])
		size += entries[i].size(len(l.Values) + sizeOfTexts(l.Texts))
	}
	dst = slices.Grow(dst, 1+protowire.SizeBytes(size))
	dst = protowire.AppendVarint(append(dst, tag1), uint64(size))
	for i, l := range lists {
		if l.Texts == nil {
			dst = entries[i].appendEntry(dst, l.Values)
			continue
		}
		dst = append(entries[i].appendOpening(dst, len(l.Values)+sizeOfTexts(l.Texts)), l.Values...)
		for _, text := range l.Texts {
			dst = AppendBytes(dst, text)
		}
	}
	return dst
}

// size returns the size of the entry of n bytes of values, with its own tag and size.
func (x *entry) size(n int) int {
	if x.tag != tag1 && n > 0 {
		n = 1 + protowire.SizeBytes(n)
	}
	return 1 + protowire.SizeBytes(len(x.key)+1+protowire.SizeBytes(1+protowire.SizeBytes(n)))
}

// appendOpening appends an entry up to the start of its list of n bytes. It makes room for the list, and for
// the rest of a record that is mostly this list: if large records outgrew their memory, they would be in memory twice.
func (x *entry) appendOpening(dst []byte, n int) []byte {
	if cap(dst)-len(dst) < n {
		dst = slices.Grow(dst, n+n/16)
	}
	feature := 1 + protowire.SizeBytes(n)
	dst = append(dst, tag1)
	if x.key != nil {
		dst = protowire.AppendVarint(dst, uint64(len(x.key)+1+protowire.SizeBytes(feature)))
		dst = append(append(dst, x.key...), tag2)
	}
	dst = protowire.AppendVarint(dst, uint64(feature))
	return protowire.AppendVarint(append(dst, x.tag), uint64(n))
}

// appendBytes appends the entry of a list with one bytes value.
func (x *entry) appendBytes(dst, text []byte) []byte {
	dst = x.appendOpening(dst, 1+protowire.SizeBytes(len(text)))
	return AppendBytes(dst, text)
}

// appendEntry appends the entry of the values in list.
func (x *entry) appendEntry(dst, list []byte) []byte {
	if x.tag == tag1 || len(list) == 0 {
		return append(x.appendOpening(dst, len(list)), list...)
	}
	// Packed numbers are encoded like one bytes value: as one length-delimited field.
	return x.appendBytes(dst, list)
}

// AppendBytes appends one value of a bytes_list.
func AppendBytes(list, text []byte) []byte {
	return append(appendStringSize(list, tag1, len(text)), text...)
}

// appendStringSize appends the tag and the size of a string of n bytes.
func appendStringSize(list []byte, tag byte, n int) []byte {
	return protowire.AppendVarint(append(list, tag), uint64(n))
}
