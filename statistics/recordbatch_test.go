package statistics

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/message"
)

// ambiguousValues returns lists whose encodings are easily mistaken for others.
func ambiguousValues(r *rand.Rand) (ints []int64, floats []float32, texts []string) {
	for range []int{1, 1, 1, 0, 2, 3}[r.IntN(6)] {
		ints = append(ints, int64(r.Uint64()>>r.IntN(64)))
		floats = append(floats, math.Float32frombits(r.Uint32()>>(r.IntN(2)*9)<<(r.IntN(2)*31)))
		// The bytes of a string may look like sizes: the end of several values looks like one
		// value.
		text := make([]byte, r.IntN(20))
		for i := range text {
			text[i] = byte(r.IntN(20))
		}
		texts = append(texts, string(text))
	}
	if r.IntN(4) == 0 {
		for i := range floats {
			floats[i] = []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(-1)), -1,
				-2}[r.IntN(6)]
		}
	}
	return ints, floats, texts
}

// alike are lists of strings whose entries end with the same bytes.
var alike = [][]string{{"a\n\x01b"}, {"a", "b"}, {"abc"}, {"\x03abc"}, {"\n\x03abc"}, {"\x05\n\x03abc"},
	{"\x04\x03abc"}, {""}, {"", ""}}

// gifReader takes a value that begins like a GIF for an image, whose width and height are its size.
var gifReader = ImageReader{
	Begins: func(value []byte) bool { return bytes.HasPrefix(value, []byte("GIF")) },
	Read: func(value []byte) ImageHeader {
		if !bytes.HasPrefix(value, []byte("GIF")) {
			return ImageHeader{}
		}
		return ImageHeader{Format: "gif", Colorspace: "RGB", Channels: 3, Width: len(value), Height: len(value)}
	},
}

// TestAddNoted counts unusual entries as the encoder notes them, and by parsing the records. The encoded
// summaries are equal. The lengths of keys make some entries short and others not; a sample has every
// third length.
func TestAddNoted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	classes := strings.Split(strings.Repeat("c,", 300), ",")
	for i, size := range []int{1, 2, 90, 101, 102, 103, 104, 110, 118, 119, 120, 121, 122, 130} {
		if i%testenv.Times(3, 1, 1) != 0 {
			continue
		}
		key := func(c string) string { return strings.Repeat(c, size) }
		l := NewLayout(message.Example, []Feature{
			{Key: key("a"), List: message.Int64List, Kind: Number},
			{Key: key("b"), List: message.Int64List, Kind: Class, First: 1, Classes: classes},
			{Key: key("c"), List: message.FloatList, Kind: Number},
			{Key: key("d"), List: message.BytesList, Kind: Text},
			{Key: key("e"), List: message.BytesList, Kind: Image},
			{Key: key("f"), List: message.BytesList},
		}, Options{Images: gifReader})
		candidates := &Candidates{map[name]*columnCandidates{}}
		for i := range 20 {
			candidates.make(l.fieldName(5)).addString(fmt.Appendf(nil, "zone %d", 50*i))
		}
		with, without := l.NewSummary(candidates), l.NewSummary(candidates)
		a, b := batchCounter{Counter: l.NewCounter()}, l.NewCounter()
		a.Begin(with)
		b.Begin(without)
		for i := range 3500 {
			ints, floats, texts := ambiguousValues(r)
			if i < 2*len(alike) {
				texts = alike[i%len(alike)]
			}
			small := make([]int64, len(ints))
			for i := range small {
				small[i] = r.Int64N(400)
			}
			numbered := fmt.Sprintf("%s %d", []string{"GIF89a é", "a text", "é", "zone"}[r.IntN(4)], r.IntN(1000))
			entries := []entry{{key("a"), ints}, {key("b"), small}, {key("c"), floats}, {key("d"), texts},
				{key("e"), texts[:min(1, len(texts))]}, {key("f"), []string{numbered}}}
			if r.IntN(3) == 0 {
				entries[r.IntN(len(entries))].values = nil
			}
			payload, bounds := record(message.Example, entries...)
			a.add(payload, bounds)
			b.Add(payload)
			if i%500 == 499 {
				a.End()
			}
		}
		a.End()
		b.End()
		for i := range l.fields {
			if !bytes.Equal(with.fields[i].appendBinary(nil), without.fields[i].appendBinary(nil)) {
				t.Errorf("keys of %d bytes: the field %d is counted in two ways", size, i)
			}
		}
		if n := with.fields[5].wide.images.formats[3]; n < 500 {
			t.Errorf("keys of %d bytes: %d images, expected about 875", size, n)
		}
	}
}

// TestBatchMemoryReuse reuses the memory of records after Flush: no counter may read it later.
func TestBatchMemoryReuse(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	l := NewLayout(message.Example, testFields(), Options{Values: true})
	with, without := l.NewSummary(nil), l.NewSummary(nil)
	a, b := batchCounter{Counter: l.NewCounter()}, l.NewCounter()
	a.Begin(with)
	b.Begin(without)
	for range 2000 {
		payload, bounds := randomRecord(r)
		a.add(payload, bounds)
		b.Add(payload)
		if r.IntN(100) == 0 {
			a.forget()
		}
	}
	a.End()
	b.End()
	if !bytes.Equal(with.AppendBinary(nil), without.AppendBinary(nil)) {
		t.Error("what is counted in packs differs")
	}
}

// TestUncountedStringsAreDropped counts strings for several summaries with one counter. Each summary has as
// many distinct strings as a table can store, so strings of the one before must be dropped.
func TestUncountedStringsAreDropped(t *testing.T) {
	l := NewLayout(message.Example, []Feature{{Key: "a", List: message.BytesList}}, Options{Values: true})
	c := batchCounter{Counter: l.NewCounter()}
	for round, format := range []string{"text %d", "another %d", "%064d"} {
		s, other, once := l.NewSummary(nil), l.NewSummary(nil), batchCounter{Counter: l.NewCounter()}
		c.Begin(s)
		once.Begin(other)
		for i := range 2 * maxTableValues {
			payload, bounds := record(message.Example,
				entry{"a", []string{fmt.Sprintf(format, i%(maxTableValues-round))}})
			c.add(payload, bounds)
			once.add(payload, bounds)
		}
		c.End()
		once.End()
		if s.fields[0].wide != nil || len(s.fields[0].strings.slots) != maxTableValues-round {
			t.Errorf("round %d: %d texts are not counted one by one", round, maxTableValues-round)
		}
		if !bytes.Equal(s.AppendBinary(nil), other.AppendBinary(nil)) {
			t.Errorf("round %d: a counter that was used before counts otherwise", round)
		}
	}
}

// TestSizes counts strings of all sizes up to 300, as ASCII and with one byte that is not ASCII
// at each position, as Text and as bytes of an unknown kind.
func TestSizes(t *testing.T) {
	l := NewLayout(message.Example, []Feature{{Key: "a", List: message.BytesList},
		{Key: "b", List: message.BytesList, Kind: Text}}, Options{})
	with, without := l.NewSummary(nil), l.NewSummary(nil)
	a, b := batchCounter{Counter: l.NewCounter()}, l.NewCounter()
	a.Begin(with)
	b.Begin(without)
	for size := range 300 {
		for at := -1; at < size; at++ {
			text := bytes.Repeat([]byte{'x'}, size)
			if at >= 0 {
				text[at] = 0xe9
			}
			payload, bounds := record(message.Example, entry{"a", []string{string(text)}},
				entry{"b", []string{string(text)}})
			a.add(payload, bounds)
			b.Add(payload)
		}
	}
	a.End()
	b.End()
	if !bytes.Equal(with.AppendBinary(nil), without.AppendBinary(nil)) {
		t.Error("texts are counted in two ways")
	}
	if got := with.fields[1].wide.notUTF8; got != 299*300/2 {
		t.Errorf("%d texts are not UTF-8, expected %d", got, 299*300/2)
	}
}

// TestAddNumbers counts numbers in slices and one by one; the results are equal.
func TestAddNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for _, of := range []list{int64List, floatList, doubleList} {
		some, each := newLogHistogram(of), newLogHistogram(of)
		for range 100 {
			keys := make([]uint64, r.IntN(100))
			for i := range keys {
				switch _, floats, _ := ambiguousValues(r); {
				case of == int64List:
					keys[i] = uint64(int64(r.Uint64()) >> r.IntN(64))
				case of == floatList && len(floats) > 0:
					keys[i] = floatKey(float64(floats[0]))
				case of == doubleList:
					keys[i] = floatKey(math.Float64frombits(r.Uint64()))
				}
			}
			if of == int64List {
				some.addInts(keys)
			} else if of == floatList {
				some.addFloat32s(keys)
			} else {
				some.addFloats(keys)
			}
			for _, key := range keys {
				if of == int64List {
					each.addInt(int64(key), 1)
				} else {
					each.addFloat(math.Float64frombits(key), 1)
				}
			}
			for i := range some.buckets { // the counts of sub-buckets overflow now and then
				if p := r.IntN(subBuckets); some.buckets[i].subBuckets[p] > 0 {
					some.buckets[i].addCount(uint64(p), math.MaxUint32)
					at := each.bucket(uint(some.keys[i]))
					at.addCount(uint64(p), math.MaxUint32)
				}
			}
		}
		if !bytes.Equal(some.appendBinary(nil), each.appendBinary(nil)) {
			t.Errorf("%s: the histograms differ", listNames[of])
		}
	}
}
