package schema

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// A layout is what stands around the values of one feature:
//
//	0a ENTRY  0a n key  12 FEATURE  kind LIST  …
//
// ENTRY, FEATURE and LIST are the sizes of what follows each.
type layout struct {
	key  []byte // 0a n key
	kind byte   // the tag of the list
}

func newLayout(key string, kind ListKind) layout {
	return layout{
		key:  protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), key),
		kind: byte(kind)<<3 | byte(protowire.BytesType),
	}
}

// appendOpening appends an entry up to its list of n bytes.
func (l *layout) appendOpening(dst []byte, n int) []byte {
	feature := 1 + protowire.SizeBytes(n)
	entry := len(l.key) + 1 + protowire.SizeBytes(feature)
	dst = protowire.AppendVarint(append(dst, tag1), uint64(entry))
	dst = append(dst, l.key...)
	dst = protowire.AppendVarint(append(dst, tag2), uint64(feature))
	return protowire.AppendVarint(append(dst, l.kind), uint64(n))
}

// appendText appends the entry of one text of any size.
func (l *layout) appendText(dst, text []byte) []byte {
	dst = l.appendOpening(dst, 1+protowire.SizeBytes(len(text)))
	return protowire.AppendBytes(append(dst, tag1), text)
}

// appendEntry appends the entry of values as they stand in their list: numbers
// packed, texts each with tag and size.
func (l *layout) appendEntry(dst, values []byte) []byte {
	if l.kind == byte(BytesList)<<3|byte(protowire.BytesType) || len(values) == 0 {
		return append(l.appendOpening(dst, len(values)), values...)
	}
	return l.appendText(dst, values)
}
