package statistics

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
	"tfr-build/schema"
)

// entry is a key with its values: []int64, []float32, []float64, []string or nil.
type entry struct {
	key    string
	values any
}

// field appends a field with bytes.
func field(dst []byte, number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, number, protowire.BytesType), content)
}

// listField returns the content of a Feature.
func listField(kind message.Kind, values any) []byte {
	var packed []byte
	var number protowire.Number
	switch v := values.(type) {
	case []string:
		var texts []byte
		for _, text := range v {
			texts = field(texts, 1, []byte(text))
		}
		return field(nil, 1, texts)
	case []float32:
		number = 2
		for _, x := range v {
			packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(x))
		}
	case []float64:
		number = 3
		for _, x := range v {
			packed = binary.LittleEndian.AppendUint64(packed, math.Float64bits(x))
		}
	case []int64:
		number = 3
		if kind == message.OFRecord {
			number = 5
		}
		for _, x := range v {
			packed = protowire.AppendVarint(packed, uint64(x))
		}
	default:
		return nil
	}
	if len(packed) == 0 {
		return field(nil, number, nil)
	}
	return field(nil, number, field(nil, 1, packed))
}

// record returns a payload with these entries, and the bounds of each.
func record(kind message.Kind, entries ...entry) (payload []byte, bounds []int32) {
	var body []byte
	bounds = []int32{0}
	for _, e := range entries {
		if e.values != nil {
			one := field(nil, 1, []byte(e.key))
			body = field(body, 1, field(one, 2, listField(kind, e.values)))
		}
		bounds = append(bounds, int32(len(body)))
	}
	if kind == message.OFRecord {
		return body, bounds
	}
	payload = field(nil, 1, body)
	for i := range bounds {
		bounds[i] += int32(len(payload) - len(body))
	}
	return payload, bounds
}

// testFields returns one field of each kind, and some unusual ones.
func testFields() []Feature {
	colors := []string{"red", "green", "blue"}
	return []Feature{
		{Key: "answer", List: message.Int64List, Kind: Class, First: 1, Classes: colors},
		{Key: "fare", List: message.FloatList, Kind: Number},
		{Key: "id", List: message.Int64List, Kind: Number},
		{Key: "ids", List: message.Int64List, Kind: Number},
		{Key: "note", List: message.BytesList, Kind: Text},
		{Key: "raw", List: message.BytesList, Kind: Bytes},
		{Key: "zone", List: message.BytesList, Kind: Text},
	}
}

// randomRecord returns a record of random values in all testFields.
func randomRecord(r *rand.Rand) ([]byte, []int32) {
	entries := []entry{
		{"answer", []int64{int64(1 + r.IntN(3))}},
		{"fare", []float32{float32(math.Round(r.ExpFloat64()*1000) / 100)}},
		{"id", []int64{int64(r.Uint64())}},
		{"ids", slices.Repeat([]int64{int64(r.IntN(90) - 30)}, r.IntN(4))},
		{"note", []string{fmt.Sprintf("note %d", r.IntN(3000))}},
		{"raw", []string{string(binary.AppendUvarint(nil, r.Uint64N(1<<20)))}},
		{"zone", []string{fmt.Sprintf("zone-%d", r.IntN(265))}},
	}
	switch r.IntN(20) {
	case 0:
		entries[r.IntN(len(entries))].values = nil
	case 1:
		entries[0].values = []int64{-7}
	case 2:
		entries[1].values = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -0.5, 0}
	}
	return record(message.Example, entries...)
}

// sortEntries puts entries in the order of their keys.
func sortEntries(entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
}

// A batchCounter counts records from one memory, as a worker has them.
type batchCounter struct {
	*Counter
	memory []byte
}

// add counts a record with its bounds.
func (c *batchCounter) add(payload []byte, bounds []int32) {
	if len(c.memory) > 1<<16 {
		c.forget()
	}
	start := len(c.memory)
	c.memory = append(c.memory, payload...)
	note(c.Counter, c.memory, func(i int) int { return start + int(bounds[i]) })
	c.AddNoted(c.memory, start)
}

// note stores the values of a record as an encoder does: one value in the row, all else as an entry.
func note(c *Counter, buf []byte, bound func(i int) int) {
	n := c.Noted()
	n.Slow = n.Slow[:0]
	for i := range c.fields {
		begin, end := bound(i), bound(i+1)
		_, f, ok := message.ReadEntry(c.layout.kind, buf[begin:end:end])
		if !ok || end-begin > 127 || listOf(f.List) != c.fields[i].list || !noteValue(&n.Row[i], &f, uint64(end)) {
			n.Slow = append(n.Slow, schema.SlowEntry{Field: i, Begin: begin, End: end})
		}
	}
}

func noteValue(to *uint64, f *message.Feature, end uint64) bool {
	switch values := 0; listOf(f.List) {
	case bytesList:
		for text := range f.Bytes() {
			*to = end<<32 | uint64(len(text))
			values++
		}
		return values == 1
	case floatList:
		for x := range f.Floats() {
			*to = uint64(math.Float32bits(float32(x)))
			values++
		}
		return values == 1
	case int64List:
		for x := range f.Ints() {
			*to = uint64(x)
			values++
		}
		return values == 1
	}
	return false
}

// forget overwrites the memory and uses it again.
func (c *batchCounter) forget() {
	c.Flush()
	for i := range c.memory {
		c.memory[i] = 0xff
	}
	c.memory = c.memory[:0]
}
