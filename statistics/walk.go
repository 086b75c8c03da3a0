package statistics

import (
	"encoding/binary"
	"slices"

	"tfr-build/message"
)

// A span is the content of a list that belongs to a tally.
type span struct {
	tally   *tally
	content []byte
}

// The bytes that begin the fields of messages: their numbers, and that bytes follow.
const (
	tag1 = 1<<3 | 2 // features, an entry, a key, a value of a list
	tag2 = 2<<3 | 2 // the value of an entry
)

// sizeSize is how many bytes a varint has.
func sizeSize(data []byte) int {
	n := 1
	for data[n-1] >= 0x80 {
		n++
	}
	return n
}

// listIn is what the list of an entry holds, which is spelled as protobuf writes it:
//
//	tag | size | tag | size | key | tag | size | tag of the list | size | content
func listIn(entry []byte, keySize int) []byte {
	at := 1 + sizeSize(entry[1:]) + 1
	at += sizeSize(entry[at:]) + keySize + 1
	at += sizeSize(entry[at:])
	if at == len(entry) {
		return nil
	}
	return entry[at+1+sizeSize(entry[at+1:]):]
}

// shortEntry is how long an entry may be whose sizes have one byte each.
const shortEntry = 2 + 0x7f

// prefixSize is how many bytes stand before the content of the list in such an entry.
func prefixSize(keySize int) int { return 8 + keySize }

// add counts the content of a list, which is spelled as protobuf writes it.
func (t *tally) add(content []byte) {
	switch {
	case len(content) == 0:
		t.records.add(0)
	case t.list == bytesList:
		if one := len(content) - 2; one < 0x80 && int(content[1]) == one {
			t.ones++
			var k textKey
			k.set(content[2:])
			t.addText(&k)
			return
		}
		t.addRecord(t.addTexts(content))
	case t.list == floatList:
		t.addRecord(t.addFloats(packedIn(content)))
	case t.list == doubleList:
		t.addRecord(t.addDoubles(packedIn(content)))
	default:
		t.addRecord(t.addInts(packedIn(content)))
	}
}

// packedIn are the numbers of a list.
func packedIn(content []byte) []byte { return content[1+sizeSize(content[1:]):] }

// addRecord counts a record that has n values.
func (t *tally) addRecord(n int64) {
	if n == 1 {
		t.ones++
	} else {
		t.records.add(n)
	}
}

func (t *tally) addTexts(content []byte) (n int64) {
	for ; len(content) > 0; n++ {
		size, width := binary.Uvarint(content[1:])
		end := 1 + width + int(size)
		var k textKey
		k.set(content[1+width : end])
		t.addText(&k)
		content = content[end:]
	}
	return n
}

func (t *tally) addFloats(packed []byte) (n int64) {
	for ; len(packed) >= 4; n++ {
		t.addNumber(singleBits(binary.LittleEndian.Uint32(packed)))
		packed = packed[4:]
	}
	return n
}

func (t *tally) addDoubles(packed []byte) (n int64) {
	for ; len(packed) >= 8; n++ {
		t.addNumber(binary.LittleEndian.Uint64(packed))
		packed = packed[8:]
	}
	return n
}

func (t *tally) addInts(packed []byte) (n int64) {
	for ; len(packed) > 0; n++ {
		if packed[0] < leastInts {
			t.addFew(packed[0], 1)
			packed = packed[1:]
			continue
		}
		v, width := binary.Uvarint(packed)
		packed = packed[width:]
		if t.list == int32List { // protobuf keeps the lower half
			v = uint64(int32(v))
		}
		t.addNumber(v)
	}
	return n
}

// read counts a payload of which nothing is known.
func (c *Counter) read(payload []byte) {
	payload = slices.Clip(payload) // nothing behind it is read
	if c.layout.kind != message.SequenceExample && c.walk(payload) {
		for _, s := range c.spans {
			s.tally.add(s.content)
		}
		return
	}
	c.readSlowly(payload)
}

// walk finds the lists of a payload that is spelled as protobuf writes it, whose
// keys are known and stand there once. It counts nothing.
func (c *Counter) walk(payload []byte) bool {
	c.number++
	c.spans = c.spans[:0]
	if c.layout.kind == message.Example && len(payload) > 0 {
		var rest []byte
		var ok bool
		if payload, rest, ok = cut(payload, tag1); !ok || len(rest) > 0 {
			return false
		}
	}
	last := c.last
	for len(payload) > 0 {
		if k := last.next; k != nil && k.number != c.number {
			if feature, rest, ok := k.cut(payload); ok {
				if !c.span(k, feature) {
					return false
				}
				k.number, payload, last = c.number, rest, k
				continue
			}
		}
		entry, rest, ok := cut(payload, tag1)
		if !ok {
			return false
		}
		text, entry, ok := cut(entry, tag1)
		if !ok {
			return false
		}
		feature, after, ok := cut(entry, tag2)
		if !ok || len(after) > 0 {
			return false
		}
		if last.next == nil || last.next.text != string(text) {
			if last.next = c.keys[string(text)]; last.next == nil {
				return false
			}
		}
		last = last.next
		if last.number == c.number || !c.span(last, feature) {
			return false
		}
		last.number = c.number
		payload = rest
	}
	return true
}

// cut cuts the entry of the key off, if it is short and stands there.
func (k *key) cut(entries []byte) (feature, rest []byte, ok bool) {
	begin := 2 + len(k.prefix)
	if len(entries) <= begin || entries[0] != tag1 || string(entries[2:begin]) != k.prefix {
		return nil, nil, false
	}
	end := 2 + int(entries[1])
	if end > min(shortEntry, len(entries)) || begin+1+int(entries[begin]) != end {
		return nil, nil, false
	}
	return entries[begin+1 : end], entries[end:], true
}

// span notes the list that a feature has.
func (c *Counter) span(k *key, feature []byte) bool {
	l := noList
	var content []byte
	if len(feature) > 0 {
		number := int(feature[0] >> 3)
		known := listsOf(c.layout.kind)
		if number == 0 || number >= len(known) {
			return false
		}
		var rest []byte
		var ok bool
		if content, rest, ok = cut(feature, byte(number<<3|2)); !ok || len(rest) > 0 || !isPlain(known[number], content) {
			return false
		}
		l = known[number]
	}
	t := k.lists[l]
	if t == nil {
		return false
	}
	c.spans = append(c.spans, span{t, content})
	return true
}

// cut cuts the field that begins with a tag off a message.
func cut(data []byte, tag byte) (content, rest []byte, ok bool) {
	if len(data) < 2 || data[0] != tag {
		return nil, nil, false
	}
	size, at := uint64(data[1]), 2
	if size >= 0x80 {
		var n int
		if size, n = binary.Uvarint(data[1:]); n <= 0 {
			return nil, nil, false
		}
		at = 1 + n
	}
	if size > uint64(len(data)-at) {
		return nil, nil, false
	}
	end := at + int(size)
	return data[at:end], data[end:], true
}

// isPlain reports whether the content of a list can be counted as it stands.
func isPlain(l list, content []byte) bool {
	switch {
	case len(content) == 0:
		return true
	case len(content) == 3 && content[1] == 1: // a small integer, most often
		return content[0] == tag1 && (l == bytesList || l != floatList && l != doubleList && content[2] < 0x80)
	}
	values, rest, ok := cut(content, tag1)
	if l == bytesList {
		for ok && len(rest) > 0 {
			_, rest, ok = cut(rest, tag1)
		}
		return ok
	}
	if !ok || len(rest) > 0 {
		return false
	}
	switch l {
	case floatList:
		return len(values)%4 == 0
	case doubleList:
		return len(values)%8 == 0
	}
	return areVarints(values)
}

func areVarints(packed []byte) bool {
	for len(packed) > 0 {
		if packed[0] < 0x80 {
			packed = packed[1:]
			continue
		}
		_, n := binary.Uvarint(packed)
		if n <= 0 {
			return false
		}
		packed = packed[n:]
	}
	return true
}

// readSlowly counts any payload, and gets to know its keys.
func (c *Counter) readSlowly(payload []byte) {
	if len(c.others) > 2*mostKeys {
		c.cutKeys()
	}
	m := &c.message
	if err := m.Read(c.layout.kind, payload); err != nil || m.Kind == message.None {
		c.count.broken++
		return
	}
	for _, e := range m.Features {
		t := c.tally(e.Key, false, e.Value.List)
		t.addRecord(t.feature(e.Value))
	}
	for _, e := range m.Lists {
		c.addList(e.Key, e.Value)
	}
}

// addList counts a feature list. A record whose steps have several kinds of lists
// is counted with each.
func (c *Counter) addList(text []byte, l message.FeatureList) {
	var counts [lists]int64
	var seen [lists]bool
	for step := range l.Steps() {
		of := listOf(step.List)
		seen[of] = true
		if of != noList {
			counts[of] += c.tally(text, true, step.List).feature(step)
		}
	}
	hasList := false
	for of := bytesList; of < lists; of++ {
		if seen[of] {
			hasList = true
			c.tally(text, true, listNames[of]).addRecord(counts[of])
		}
	}
	if !hasList {
		c.tally(text, true, "").addRecord(0)
	}
}

// tally is that of a key and a list. A feature that has no list belongs to that of
// its field, if there is one.
func (c *Counter) tally(text []byte, steps bool, of message.List) *tally {
	keys := c.keys
	if steps {
		keys = c.steps
	}
	if k := keys[string(text)]; k != nil && k.lists[listOf(of)] != nil {
		return k.lists[listOf(of)]
	}
	n := name{string(text), steps, listOf(of)}
	k := c.key(n)
	t := &tally{column: column{shape: unknownShape(n.list)}, name: n, field: -1}
	t.use(c.candidates)
	k.lists[n.list] = t
	c.others = append(c.others, t)
	return t
}

// feature counts the values of a feature.
func (t *tally) feature(f message.Feature) (n int64) {
	switch t.list {
	case noList:
	case bytesList:
		for text := range f.Bytes() {
			var k textKey
			k.set(text)
			t.addText(&k)
			n++
		}
	case int64List, int32List:
		for v := range f.Ints() {
			t.addNumber(uint64(v))
			n++
		}
	default:
		eachNumber(f, t.list, func(key uint64) {
			t.addNumber(key)
			n++
		})
	}
	return n
}
