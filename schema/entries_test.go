package schema

import (
	"math"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/schema/date"
)

// TestNoted compares records with what their encoder notes. Between two bounds is the entry of a key, or
// nothing if the record does not have the key. The number of bytes of the record's size changes between records.
func TestNoted(t *testing.T) {
	text := func(s string) Value { return Value{Kind: Text, Text: []byte(s)} }
	features := []Feature{
		{Key: "n", Type: Int64, Columns: []string{"n"}, OnMissing: MissingOmit},
		{Key: "x", Type: Float, Columns: []string{"x"}},
		{Key: "t", Type: StringType, Columns: []string{"t"}},
		{Key: "l", Type: Int64, Columns: []string{"l"}, Shape: []int{-1, -1}, OnMissing: MissingOmit},
		{Key: "m", Type: Int64, Columns: []string{"m"}, Shape: []int{-1}, Separator: ";"},
		{Key: "c", Type: Int64, Columns: []string{"t"}, OnMissing: MissingOmit,
			Classes: &Classes{Names: []string{"aaa"}, Unknown: new(int64(-1))}},
		{Key: "d", Type: Int64, Columns: []string{"d"}, Date: &Date{Format: "%Y-%m-%d", Unit: date.Seconds}},
		{Key: "f", Type: Float64, Columns: []string{"x"}},
		{Key: "o", Type: Float, Columns: []string{"o"}, Thousands: ","},
	}
	nested := Value{Kind: List, List: []Value{{Kind: List, List: []Value{{Kind: Number, Text: []byte("1")}}},
		{Kind: List}}}
	for _, m := range []Message{ExampleMessage, OFRecordMessage} {
		s, err := Compile(Record{Message: m, Features: features})
		if err != nil {
			t.Fatal(err)
		}
		e := s.NewEncoder()
		entries := s.Entries()
		noted := Noted{Row: make([]uint64, len(entries)), Bounds: make([]uint32, len(entries)+1)}
		e.Note(&noted)
		for i, size := range []int{3, 200, 5, 20_000, 0} {
			row := map[string]Value{"n": text("7"), "x": text("0.5"), "t": text(strings.Repeat("a", size)), "l": nested,
				"m": text("1;2"), "d": text("2026-11-29"), "o": text("1,250.5")}
			if i%2 == 1 {
				row["n"], row["l"] = Value{}, Value{}
			}
			vals := make([]Value, len(s.Columns()))
			for k, c := range s.Columns() {
				vals[k] = row[c.Name]
			}
			prefix := []byte("before")
			buf, err := e.Append(prefix, vals)
			if err != nil {
				t.Fatal(err)
			}
			checkBounds(t, buf, len(prefix), noted.Bounds, entries, m)
			checkNoted(t, buf, &noted, m)
		}
	}
}

// checkBounds compares the entries of a record with the entries of the decoded message.
func checkBounds(t *testing.T, buf []byte, start int, bounds []uint32, entries []Entry, m Message) {
	t.Helper()
	kind, at := message.Example, start
	if m == OFRecordMessage {
		kind = message.OFRecord
	} else {
		for at++; buf[at]&0x80 != 0; at++ { // the size of the features
		}
		at++
	}
	if int(bounds[0]) != at {
		t.Fatalf("the entries begin at %d, said %d", at, bounds[0])
	}
	there := map[string]message.List{}
	message.Each(kind, buf[start:], func(key []byte, f message.Feature) { there[string(key)] = f.List })
	for i, x := range entries {
		end := int(bounds[i+1])
		list, found := there[x.Key]
		switch {
		case found != (end > at):
			t.Fatalf("%s: its entry is %d … %d; in the record: %v", x.Key, at, end, found)
		case found && list != x.List:
			t.Fatalf("%s: %s; it holds %s", x.Key, x.List, list)
		case found && !strings.Contains(string(buf[at:end]), x.Key):
			t.Fatalf("%s: not in %q", x.Key, buf[at:end])
		}
		at = end
	}
	if at != len(buf) {
		t.Fatalf("the entries end at %d of %d", at, len(buf))
	}
}

// checkNoted compares what was noted for a record with its entries.
func checkNoted(t *testing.T, buf []byte, noted *Noted, m Message) {
	t.Helper()
	slow := noted.Slow
	for i, word := range noted.Row {
		begin, end := noted.Bounds[i], noted.Bounds[i+1]
		if len(slow) > 0 && slow[0].Field == i {
			if slow[0].Begin != int(begin) || slow[0].End != int(end) {
				t.Fatalf("entry %d of %d to %d is noted as %+v", i, begin, end, slow[0])
			}
			slow = slow[1:]
			continue
		}
		_, f, ok := message.ReadEntry(m.Kind(), buf[begin:end])
		var words []uint64
		switch f.List {
		case message.BytesList:
			for value := range f.Bytes() {
				words = append(words, uint64(end)<<32|uint64(len(value)))
			}
		case message.FloatList:
			for x := range f.Floats() {
				words = append(words, uint64(math.Float32bits(x)))
			}
		case message.DoubleList:
			for x := range f.Doubles() {
				words = append(words, math.Float64bits(x))
			}
		default:
			for x := range f.Ints() {
				words = append(words, uint64(x))
			}
		}
		if !ok || len(words) != 1 || words[0] != word {
			t.Fatalf("entry %d has %x, noted is %x", i, words, word)
		}
	}
	if len(slow) > 0 {
		t.Fatalf("noted without an entry: %+v", slow)
	}
}
