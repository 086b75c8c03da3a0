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
	out    []byte // the members, without the contents that are moved
	moved  []content
	size   int // bytes of these
	// The longest value is moved. So are values that are before it, or after it, in the payload and in the members.
	payload []byte
	pivot   int // offset of the longest value in payload
	longest int
}

// A content is a value that moves within the caller's buffer, so that a large record is in memory only once.
type content struct {
	at, size int // in the payload
	cut      int // where it belongs in out
	to       int // offset in the record
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
	b.out, b.moved, b.size, b.longest = b.out[:0], b.moved[:0], 0, -1
	b.payload = dst[b.open:]
	b.key = fmt.Appendf(b.key[:0], "%016x", b.id)
	if b.sample == nil {
		b.find(b.payload)
		b.addMember(payloadName, b.payload, true)
	} else {
		b.addMembers(b.payload)
	}
	n := b.open + len(b.out) + b.size
	dst = slices.Grow(dst, max(0, n-len(dst)))[:n]
	b.move(dst[b.open:])
	return dst
}

// move makes a record of the payload that it begins with. First it moves the contents that move to lower offsets, from
// the first to the last, and then all others, from the last to the first: none overwrites another one.
func (b *Batch) move(record []byte) {
	for i := range b.moved {
		if c := &b.moved[i]; c.to < c.at {
			copy(record[c.to:], record[c.at:c.at+c.size])
		}
	}
	for i := range b.moved {
		if c := &b.moved[len(b.moved)-1-i]; c.to > c.at {
			copy(record[c.to:], record[c.at:c.at+c.size])
		}
	}
	at, cut := 0, 0
	for _, c := range b.moved {
		copy(record[at:], b.out[cut:c.cut])
		at, cut = c.to+c.size, c.cut
	}
	copy(record[at:], b.out[cut:])
}

// find finds the longest value of the record, which is a slice of the payload up to its capacity.
func (b *Batch) find(value []byte) {
	if len(value) > b.longest {
		b.pivot, b.longest = b.offsetOf(value), len(value)
	}
}

func (b *Batch) offsetOf(value []byte) int { return cap(b.payload) - cap(value) }

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
					b.find(content)
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

// addMember adds a member. Content that is a value of the payload may move there; other content is copied.
func (b *Batch) addMember(name string, value []byte, isValue bool) {
	b.name = append(append(append(b.name[:0], b.key...), '.'), name...)
	b.out = appendHeader(b.out, string(b.name), len(value))
	if !isValue || !b.addMoved(value) {
		b.out = append(b.out, value...)
	}
	b.out = appendPadding(b.out, len(value))
}

// addMoved reports whether a value moves: its order among the moved contents is the same in the payload.
func (b *Batch) addMoved(value []byte) bool {
	at, end := b.offsetOf(value), 0
	if n := len(b.moved); n > 0 {
		end = b.moved[n-1].at + b.moved[n-1].size
	}
	if len(value) == 0 || at < end || at > b.pivot && end <= b.pivot {
		return false
	}
	b.moved = append(b.moved, content{at, len(value), len(b.out), len(b.out) + b.size})
	b.size += len(value)
	return true
}
