package statistics

import (
	"encoding/binary"
	"slices"

	"tfr-build/message"
)

// A span is the content of a list, with the accumulator that counts it.
type span struct {
	acc     *accumulator
	content []byte
}

// The tags of the fields of messages. Both fields are of wire type 2: a size and that many bytes.
const (
	tag1 = 1<<3 | 2 // features, an entry, a key, the values of a list
	tag2 = 2<<3 | 2 // the value of an entry
)

// varintSize returns the size of the varint at the start of data.
func varintSize(data []byte) int {
	n := 1
	for data[n-1] >= 0x80 {
		n++
	}
	return n
}

// listContent returns the content of the list in an entry with the canonical encoding:
//
//	tag | size | tag | size | key | tag | size | tag of the list | size | content
func listContent(entry []byte, keySize int) []byte {
	at := 1 + varintSize(entry[1:]) + 1
	at += varintSize(entry[at:]) + keySize + 1
	at += varintSize(entry[at:])
	if at == len(entry) {
		return nil
	}
	return entry[at+1+varintSize(entry[at+1:]):]
}

// maxShortEntry is the maximum size of an entry whose sizes are varints of one byte.
const maxShortEntry = 2 + 0x7f

// prefixSize returns the number of bytes before the content of the list in a short entry.
func prefixSize(keySize int) int { return 8 + keySize }

// add counts the content of a list with the canonical encoding.
func (t *accumulator) add(content []byte) {
	switch {
	case len(content) == 0:
		t.lengths.add(0)
	case t.list == bytesList:
		if one := len(content) - 2; one < 0x80 && int(content[1]) == one {
			t.singleValued++
			var k stringKey
			k.set(content[2:])
			t.addString(&k)
			return
		}
		t.addRecord(t.addStrings(content))
	case t.list == floatList:
		t.addRecord(t.addFloats(packedNumbers(content)))
	case t.list == doubleList:
		t.addRecord(t.addDoubles(packedNumbers(content)))
	default:
		t.addRecord(t.addInts(packedNumbers(content)))
	}
}

// packedNumbers returns the packed numbers in the content of a list.
func packedNumbers(content []byte) []byte { return content[1+varintSize(content[1:]):] }

// addRecord counts a record with n values.
func (t *accumulator) addRecord(n int64) {
	if n == 1 {
		t.singleValued++
	} else {
		t.lengths.add(n)
	}
}

func (t *accumulator) addStrings(content []byte) (n int64) {
	for ; len(content) > 0; n++ {
		size, width := binary.Uvarint(content[1:])
		end := 1 + width + int(size)
		var k stringKey
		k.set(content[1+width : end])
		t.addString(&k)
		content = content[end:]
	}
	return n
}

func (t *accumulator) addFloats(packed []byte) (n int64) {
	for ; len(packed) >= 4; n++ {
		t.addNumber(float32Key(binary.LittleEndian.Uint32(packed)))
		packed = packed[4:]
	}
	return n
}

func (t *accumulator) addDoubles(packed []byte) (n int64) {
	for ; len(packed) >= 8; n++ {
		t.addNumber(binary.LittleEndian.Uint64(packed))
		packed = packed[8:]
	}
	return n
}

func (t *accumulator) addInts(packed []byte) (n int64) {
	for ; len(packed) > 0; n++ {
		if packed[0] < smallIntCount {
			t.addSmallInt(packed[0], 1)
			packed = packed[1:]
			continue
		}
		v, width := binary.Uvarint(packed)
		packed = packed[width:]
		if t.list == int32List { // protobuf parsers keep the lower half
			v = uint64(int32(v))
		}
		t.addNumber(v)
	}
	return n
}

// read counts a payload without known bounds.
func (c *Counter) read(payload []byte) {
	payload = slices.Clip(payload) // loops may not read beyond it
	if c.layout.kind != message.SequenceExample && c.collectSpans(payload) {
		for _, s := range c.spans {
			s.acc.add(s.content)
		}
		return
	}
	c.readSlow(payload)
}

// collectSpans is a fast path: it collects the lists of a payload in c.spans without counting
// them. It returns false if the payload has a non-canonical encoding, an unknown key, or a key
// twice.
func (c *Counter) collectSpans(payload []byte) bool {
	c.number++
	c.spans = c.spans[:0]
	if c.layout.kind == message.Example && len(payload) > 0 {
		var rest []byte
		var ok bool
		if payload, rest, ok = cutField(payload, tag1); !ok || len(rest) > 0 {
			return false
		}
	}
	last := c.sentinel
	for len(payload) > 0 {
		if k := last.next; k != nil && k.number != c.number {
			if feature, rest, ok := k.cutEntry(payload); ok {
				if !c.addSpan(k, feature) {
					return false
				}
				k.number, payload, last = c.number, rest, k
				continue
			}
		}
		entry, rest, ok := cutField(payload, tag1)
		if !ok {
			return false
		}
		text, entry, ok := cutField(entry, tag1)
		if !ok {
			return false
		}
		feature, after, ok := cutField(entry, tag2)
		if !ok || len(after) > 0 {
			return false
		}
		if last.next == nil || last.next.text != string(text) {
			if last.next = c.keys[string(text)]; last.next == nil {
				return false
			}
		}
		last = last.next
		if last.number == c.number || !c.addSpan(last, feature) {
			return false
		}
		last.number = c.number
		payload = rest
	}
	return true
}

// cutEntry splits the first entry from entries. ok is false if it is not a short entry of this
// key.
func (k *key) cutEntry(entries []byte) (feature, rest []byte, ok bool) {
	begin := 2 + len(k.prefix)
	if len(entries) <= begin || entries[0] != tag1 || string(entries[2:begin]) != k.prefix {
		return nil, nil, false
	}
	end := 2 + int(entries[1])
	if end > min(maxShortEntry, len(entries)) || begin+1+int(entries[begin]) != end {
		return nil, nil, false
	}
	return entries[begin+1 : end], entries[end:], true
}

// addSpan appends the list of a feature to c.spans. It returns false if the feature needs the
// slow path.
func (c *Counter) addSpan(k *key, feature []byte) bool {
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
		if content, rest, ok = cutField(feature, byte(number<<3|2)); !ok || len(rest) > 0 || !isCanonical(known[number], content) {
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

// cutField splits the first field from a message. ok is false if it does not have this tag.
func cutField(data []byte, tag byte) (content, rest []byte, ok bool) {
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

// isCanonical reports whether the content of a list has the canonical encoding.
func isCanonical(l list, content []byte) bool {
	switch {
	case len(content) == 0:
		return true
	case len(content) == 3 && content[1] == 1: // often: one small integer
		return content[0] == tag1 && (l == bytesList || l != floatList && l != doubleList && content[2] < 0x80)
	}
	values, rest, ok := cutField(content, tag1)
	if l == bytesList {
		for ok && len(rest) > 0 {
			_, rest, ok = cutField(rest, tag1)
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

// readSlow counts any payload, and creates accumulators for new keys.
func (c *Counter) readSlow(payload []byte) {
	if len(c.others) > 2*maxKeys {
		c.trimKeys()
	}
	m := &c.message
	if err := m.Read(c.layout.kind, payload); err != nil || m.Kind == message.None {
		c.count.broken++
		return
	}
	for _, e := range m.Features {
		t := c.accumulator(e.Key, false, e.Value.List)
		t.addRecord(t.addFeature(e.Value))
	}
	for _, e := range m.Lists {
		c.addList(e.Key, e.Value)
	}
}

// addList counts a feature list. If the steps of a record have several types of lists, the record
// counts for each of them.
func (c *Counter) addList(text []byte, l message.FeatureList) {
	var counts [listCount]int64
	var seen [listCount]bool
	for step := range l.Steps() {
		of := listOf(step.List)
		seen[of] = true
		if of != noList {
			counts[of] += c.accumulator(text, true, step.List).addFeature(step)
		}
	}
	hasList := false
	for of := bytesList; of < listCount; of++ {
		if seen[of] {
			hasList = true
			c.accumulator(text, true, listNames[of]).addRecord(counts[of])
		}
	}
	if !hasList {
		c.accumulator(text, true, "").addRecord(0)
	}
}

// accumulator returns the accumulator of a key and a type of list, and creates it if necessary. A
// feature without a list belongs to the field of its key, if the layout has one.
func (c *Counter) accumulator(text []byte, steps bool, of message.List) *accumulator {
	keys := c.keys
	if steps {
		keys = c.steps
	}
	if k := keys[string(text)]; k != nil && k.lists[listOf(of)] != nil {
		return k.lists[listOf(of)]
	}
	n := name{string(text), steps, listOf(of)}
	k := c.key(n)
	t := &accumulator{column: column{shape: c.layout.unknownShape(n.list)}, name: n, field: -1}
	t.setCandidates(c.candidates)
	k.lists[n.list] = t
	c.others = append(c.others, t)
	return t
}

// addFeature counts the values of a feature, and returns how many it has.
func (t *accumulator) addFeature(f message.Feature) (n int64) {
	switch t.list {
	case noList:
	case bytesList:
		for text := range f.Bytes() {
			var k stringKey
			k.set(text)
			t.addString(&k)
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
