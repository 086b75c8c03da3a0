package webdataset

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"tfr-build/message"
	"tfr-build/pixels/header"
	"tfr-build/schema"
)

// payloadName is the name of the only member of records without a Sample: the payload.
const payloadName = "pb"

// A Batch turns the Examples in a buffer into members. It must be used by one goroutine.
type Batch struct {
	sample Sample
	values map[string]*message.Feature // by key, of all members
	order  [][]*message.Feature        // the same, by member
	open   int                         // offset of the record
	id     uint64
	key    []byte
	name   []byte // of a member
	json   []byte
	out    []byte // the members, without content
	cut    int    // where content belongs in out
	// content is the longest content: it is moved only once, within the buffer of the caller.
	content []byte
	longest int
}

// NewBatch returns a Batch for records that are stored as a Sample says; nil for any payloads.
func NewBatch(s Sample) *Batch {
	b := &Batch{sample: s, values: map[string]*message.Feature{}}
	for i := range s {
		var values []*message.Feature
		for k := range s[i].Features {
			v := new(message.Feature)
			b.values[s[i].Features[k].Key] = v
			values = append(values, v)
		}
		b.order = append(b.order, values)
	}
	return b
}

// Begin begins a record with a row ID. The caller then appends its Example, and calls End.
func (b *Batch) Begin(dst []byte, id uint64) []byte {
	b.open, b.id = len(dst), id
	return dst
}

// Cancel removes the record that was begun last and has not ended.
func (b *Batch) Cancel(dst []byte) []byte { return dst[:b.open] }

// Seal does nothing: records are complete after End.
func (b *Batch) Seal([]byte) {}

// Reset does nothing.
func (b *Batch) Reset() {}

// End replaces the Example of the record that was begun last by its members.
func (b *Batch) End(dst []byte) []byte {
	b.out, b.cut, b.content, b.longest = b.out[:0], 0, nil, 0
	payload := dst[b.open:]
	b.key = fmt.Appendf(b.key[:0], "%016x", b.id)
	if b.sample == nil {
		b.addMember(payloadName, payload, true)
	} else {
		b.addMembers(payload)
	}
	from := b.open + b.cut
	n := from + len(b.content)
	dst = slices.Grow(dst[:b.open], len(b.out)+len(b.content))[:n] // content may be in its bytes
	copy(dst[from:], b.content)
	copy(dst[b.open:], b.out[:b.cut])
	return append(dst, b.out[b.cut:]...)
}

// addMembers adds the members of an Example.
func (b *Batch) addMembers(payload []byte) {
	for _, v := range b.values {
		*v = message.Feature{}
	}
	message.Each(schema.DefaultMessage.Kind(), payload, func(key []byte, v message.Feature) {
		if to := b.values[string(key)]; to != nil {
			*to = v
			if v.List == message.BytesList {
				for content := range v.Bytes() {
					b.longest = max(b.longest, len(content))
				}
			}
		}
	})
	for i := range b.sample {
		b.add(&b.sample[i], b.order[i])
	}
}

// add adds a member, or one for each of several values.
func (b *Batch) add(m *Member, values []*message.Feature) {
	f, v := &m.Features[0], values[0]
	switch {
	case m.As == Object:
		b.json = appendObject(b.json[:0], m, values)
		b.addMember(m.Name, b.json, false)
	case v.List == "":
	case m.As == Key:
		for key := range v.Bytes() {
			b.key = append(b.key[:0], key...)
		}
	case m.As == Number:
		for n := range v.Ints() {
			b.json = strconv.AppendInt(b.json[:0], n, 10)
			b.addMember(m.Name, b.json, false)
		}
	case m.As == Array:
		b.json = appendArray(b.json[:0], f, v)
		b.addMember(m.Name, b.json, false)
	default:
		i := 0
		for content := range v.Bytes() {
			b.addMember(m.nameOf(f, content, i), content, true)
			i++
		}
	}
}

// nameOf returns the name of the member for value i of a feature.
func (m *Member) nameOf(f *Feature, content []byte, i int) string {
	name := m.Name
	if name == "" {
		name = imageName(content)
	}
	if f.isList() {
		name = strconv.Itoa(i) + "." + name
	}
	return name
}

// unknownImage is the name of an image in a format without a name.
const unknownImage = "img"

func imageName(content []byte) string {
	if format := header.Sniff(content); format != 0 {
		return format.Extensions()[0]
	}
	return unknownImage
}

// imageNames returns the names of images: those that imageName returns, and the other extensions of their formats.
var imageNames = sync.OnceValue(func() []string {
	list := []string{unknownImage}
	for _, format := range header.Formats() {
		list = append(list, format.Extensions()...)
	}
	return list
})

// addMember adds a member. The longest content of all values is not copied.
func (b *Batch) addMember(name string, content []byte, isValue bool) {
	b.name = append(append(append(b.name[:0], b.key...), '.'), name...)
	b.out = appendHeader(b.out, string(b.name), len(content))
	if isValue && b.content == nil && len(content) >= b.longest {
		b.cut, b.content = len(b.out), content
	} else {
		b.out = append(b.out, content...)
	}
	b.out = appendPadding(b.out, len(content))
}
