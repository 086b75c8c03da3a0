package statistics

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// counted counts payloads in one block.
func (l *Layout) counted(candidates *Candidates, payloads ...[]byte) *Summary {
	c, s := l.NewCounter(), l.NewSummary(candidates)
	c.Begin(s)
	for _, payload := range payloads {
		c.Add(payload)
	}
	c.End()
	return s
}

// unusualPayloads returns messages that protobuf parsers read but common writers do not write,
// and payloads that are not messages.
func unusualPayloads() [][]byte {
	usual, _ := record(message.Example, entry{"a", []int64{1, -1}}, entry{"b", []string{"x", ""}},
		entry{"c", []float32{1, 2}})
	twice, _ := record(message.Example, entry{"a", []int64{1}}, entry{"a", []int64{2}})
	backwards, _ := record(message.Example, entry{"c", []float32{1}}, entry{"a", []int64{1 << 40}})
	other, _ := record(message.Example, entry{"a", []string{"text"}}, entry{"z", []float32{0}})
	empty, _ := record(message.Example, entry{"a", []int64{}}, entry{"b", []string{}})
	loose := field(nil, 3, protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 7))
	unpacked := field(nil, 1, field(nil, 1, field(field(nil, 1, []byte("a")), 2, loose)))
	noList := field(nil, 1, field(nil, 1, field(field(nil, 1, []byte("a")), 2, nil)))
	noValue := field(nil, 1, field(nil, 1, field(nil, 1, []byte("a"))))
	noKey := field(nil, 1, field(nil, 1, field(nil, 2, loose)))
	twoLists := field(nil, 1, field(nil, 1, field(field(nil, 1, []byte("a")), 2,
		append(bytes.Clone(loose), field(nil, 1, nil)...))))
	badKey, _ := record(message.Example, entry{"\xff", []int64{1}})
	long := append([]byte{0x0a, 0x80 | byte(len(usual)-2), 0x00}, usual[2:]...)
	endless := field(nil, 1, field(nil, 1, field(field(nil, 1, []byte("a")), 2,
		field(nil, 3, field(nil, 1, bytes.Repeat([]byte{0xff}, 11))))))
	return [][]byte{
		usual, twice, backwards, other, empty, unpacked, noList, noValue, noKey, twoLists, badKey, long, endless,
		nil, {0}, {0x0a}, {0x0a, 0}, []byte("no message"), append(bytes.Clone(usual), usual...), usual[:len(usual)-1],
	}
}

// TestRoundTrip counts payloads, and reads their summary and their document again.
func TestRoundTrip(t *testing.T) {
	for _, fields := range [][]Feature{nil,
		{{Key: "a", List: message.Int64List, Kind: Class, Classes: []string{"0", "1"}},
			{Key: "b", List: message.BytesList, Kind: Text}}} {
		l := NewLayout(message.Example, fields, Options{Values: true})
		for i, payload := range unusualPayloads() {
			checkRoundTrip(t, l, payload)
			if t.Failed() {
				t.Fatalf("payload %d: %x", i, payload)
			}
		}
	}
}

// checkRoundTrip counts a payload twice, the second time with known keys. The summary and the
// document are equal after they are read again.
func checkRoundTrip(t *testing.T, l *Layout, payload []byte) {
	t.Helper()
	a := l.counted(nil, payload, payload)
	got := a.AppendBinary(nil)
	parsed, err := l.ParseSummary(got, nil)
	if err != nil || !bytes.Equal(parsed.AppendBinary(nil), got) {
		t.Errorf("the summary is not read again: %v", err)
	}
	d := l.Document([]SplitSummary{{"train", a}, {"empty", l.NewSummary(nil)}})
	text := d.Append(nil)
	again, err := ParseDocument(text)
	if err != nil || !bytes.Equal(again.Append(nil), text) {
		t.Errorf("the document is not read again: %v", err)
	}
}

func FuzzAdd(f *testing.F) {
	for _, payload := range unusualPayloads() {
		f.Add(byte(0), payload)
	}
	payload, _ := record(message.OFRecord, entry{"a", []float64{math.NaN()}}, entry{"b", []int64{3}})
	f.Add(byte(2), payload)
	sequence := field(nil, 2, field(nil, 1, field(field(nil, 1, []byte("s")), 2,
		field(nil, 1, listField(message.Example, []int64{1, 2})))))
	f.Add(byte(1), sequence)
	f.Fuzz(func(t *testing.T, kind byte, payload []byte) {
		kinds := []message.Kind{message.Example, message.SequenceExample, message.OFRecord}
		l := NewLayout(kinds[int(kind)%len(kinds)], nil, Options{Values: true})
		checkRoundTrip(t, l, payload)
	})
}

// TestUnusualPayloads counts the content of the unusual payloads.
func TestUnusualPayloads(t *testing.T) {
	l := NewLayout(message.Example, []Feature{{Key: "a", List: message.Int64List, Kind: Number}}, Options{Values: true})
	d := l.Document([]SplitSummary{{"train", l.counted(nil, unusualPayloads()...)}})
	if got, want := d.Splits[0].Broken, int64(6); got != want {
		t.Errorf("%d broken records, expected %d", got, want)
	}
	a := d.Features[slices.IndexFunc(d.Features, func(f Feature) bool { return f.Key == "a" })].Splits[0]
	if a.Others != 2 || a.Present+a.Missing+a.Others != 20 {
		t.Errorf("%d present, %d missing, %d in another list", a.Present, a.Missing, a.Others)
	}
}

// TestDamage changes each byte of an encoded summary, and fixes its digest. ParseSummary has to
// reject it without a panic.
func TestDamage(t *testing.T) {
	l := NewLayout(message.Example, testFields(), Options{Values: true})
	r := rand.New(rand.NewPCG(3, 4))
	var payloads [][]byte
	for range 1500 {
		payload, _ := randomRecord(r)
		payloads = append(payloads, payload)
	}
	data := l.counted(nil, payloads...).AppendBinary(nil)
	for n := range 500 {
		at := r.IntN(len(data))
		damaged := bytes.Clone(data)
		damaged[at] ^= byte(1 + r.IntN(255))
		if _, err := l.ParseSummary(damaged, nil); err == nil {
			t.Fatalf("byte %d is changed, and that is not seen", at)
		}
		body := damaged[:len(damaged)-8]
		if n%2 == 0 {
			body = body[:r.IntN(len(body))]
		}
		signed := binary.LittleEndian.AppendUint64(bytes.Clone(body), xxh3.Hash(body))
		if s, err := l.ParseSummary(signed, nil); err == nil {
			l.Document([]SplitSummary{{"train", s}}).Append(nil)
		}
	}
	if _, err := NewLayout(message.Example, testFields()[1:], Options{}).ParseSummary(data, nil); err == nil {
		t.Error("a summary of another layout is taken")
	}
}

// TestHostileNames counts keys, classes, and strings that are markup, control characters, or not
// UTF-8.
func TestHostileNames(t *testing.T) {
	names := []string{"<script>alert(1)</script>", "\"'&", "\x00\x1b[31m", "é\u2028", strings.Repeat("k", 300), ""}
	var entries []entry
	var fields []Feature
	for i, key := range names {
		entries = append(entries, entry{key, []string{names[i], "\xff\xfe", strings.Repeat("é", 100)}})
		fields = append(fields, Feature{Key: key, List: message.BytesList, Kind: Text})
	}
	sortEntries(entries)
	slices.SortFunc(fields, func(a, b Feature) int { return strings.Compare(a.Key, b.Key) })
	payload, bounds := record(message.Example, entries...)
	l := NewLayout(message.Example, fields, Options{Values: true})
	c, s := batchCounter{Counter: l.NewCounter()}, l.NewSummary(nil)
	c.Begin(s)
	c.add(payload, bounds)
	c.End()
	if !bytes.Equal(s.AppendBinary(nil), l.counted(nil, payload).AppendBinary(nil)) {
		t.Error("counted with bounds and without, it is not the same")
	}
	d := l.Document([]SplitSummary{{"train", s}})
	for _, f := range d.Features {
		for _, top := range f.Splits[0].Top {
			if len(top.Value) > maxShown || strings.Contains(top.Value, "\xff") {
				t.Errorf("%q shows %q", f.Key, top.Value)
			}
		}
		if f.Splits[0].NotUTF8 != 1 {
			t.Errorf("%q: %d texts are not UTF-8, expected 1", f.Key, f.Splits[0].NotUTF8)
		}
	}
	if text := d.Append(nil); bytes.Contains(text, []byte("<script")) || bytes.Contains(text, []byte{0x1b}) {
		t.Errorf("the JSON has raw markup or controls:\n%s", text)
	}
}

// TestLarge counts 10,000 features, a million classes, and more keys than the limit.
func TestLarge(t *testing.T) {
	var fields []Feature
	var entries []entry
	for i := range 10000 {
		key := fmt.Sprintf("f%05d", i)
		fields = append(fields, Feature{Key: key, List: message.FloatList, Kind: Number})
		entries = append(entries, entry{key, []float32{float32(i)}})
	}
	classes := make([]string, 1_000_000)
	fields = append(fields, Feature{Key: "label", List: message.Int64List, Kind: Class, Classes: classes})
	entries = append(entries, entry{"label", []int64{999_999}})
	payload, bounds := record(message.Example, entries...)
	l := NewLayout(message.Example, fields, Options{Values: true})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, s := batchCounter{Counter: l.NewCounter()}, l.NewSummary(nil)
	c.Begin(s)
	for range 3 {
		c.add(payload, bounds)
	}
	c.End()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d bytes of memory", used)
	}
	if size := len(s.AppendBinary(nil)); size > 1<<20 {
		t.Errorf("the summary has %d bytes", size)
	}
	d := l.Document([]SplitSummary{{"train", s}, {"test", l.NewSummary(nil)}})
	if got := d.Features[10000].Splits[0].ByClass[999_999]; got != 3 {
		t.Errorf("the last class occurs %d times, expected 3", got)
	}
}

// TestManyKeys counts more keys than the limit. The order of records does not change which keys
// are kept.
func TestManyKeys(t *testing.T) {
	l := NewLayout(message.Example, nil, Options{})
	var payloads [][]byte
	for i := range 5 {
		var entries []entry
		for k := range maxKeys / 2 {
			entries = append(entries, entry{fmt.Sprintf("%d-%d", k, i), []int64{}})
		}
		payload, _ := record(message.Example, entries...)
		payloads = append(payloads, payload)
	}
	a := l.counted(nil, payloads...).AppendBinary(nil)
	slices.Reverse(payloads)
	b := l.NewSummary(nil)
	for _, payload := range payloads {
		b.Merge(l.counted(nil, payload))
	}
	if !bytes.Equal(a, b.AppendBinary(nil)) {
		t.Error("in another order, other keys stay")
	}
	if !b.hasMoreKeys || len(b.others) != maxKeys {
		t.Errorf("%d keys, expected %d", len(b.others), maxKeys)
	}
}

// memory returns the size of a column in bytes, without the classes.
func (c *column) memory() int {
	n := 240 + 16*cap(c.numbers.slots) + 2*cap(c.strings.index) + 32*cap(c.strings.slots) + cap(c.strings.data)
	if c.wide != nil {
		n += 4280 + 8*cap(c.wide.candidateCounts) + 2*cap(c.wide.numbers.index) + 560*cap(c.wide.numbers.buckets)
	}
	return n
}

// TestMemory compares the memory of worst-case columns with the formula of the package comment.
func TestMemory(t *testing.T) {
	layout := NewLayout(message.Example, nil, Options{})
	sketch := func(index, buckets int) int { return 240 + 4280 + index + 560*(buckets*5/4+4) }
	for _, c := range []struct {
		name  string
		list  list
		most  int
		value func(i int) uint64
	}{
		{"1,024 integers", int64List, 240 + 32768, func(i int) uint64 { return uint64(i) % 1024 }},
		{"integers of all sizes", int64List, sketch(256, 128),
			func(i int) uint64 { return uint64(int64(i%2*2-1)<<(i%64)) + uint64(i) }},
		{"floats of all exponents", floatList, sketch(1120, 556), func(i int) uint64 {
			return floatKey(float64(math.Float32frombits(uint32(i) * 0x9e3779b9)))
		}},
		{"doubles of all exponents", doubleList, sketch(8192, 4094), func(i int) uint64 {
			return floatKey(math.Float64frombits(uint64(i) * hashMultiplier))
		}},
	} {
		column := column{shape: layout.unknownShape(c.list)}
		for i := range 100_000 {
			column.addNumber(c.value(i), 1, nil)
		}
		if got := column.memory(); got > c.most {
			t.Errorf("%s take %d bytes, expected at most %d", c.name, got, c.most)
		}
	}
	texts := column{shape: layout.unknownShape(bytesList)}
	for i := range 255 {
		var k stringKey
		k.set(fmt.Appendf(nil, "%0256d", i))
		texts.addString(&k, 1, nil)
	}
	if got := texts.memory(); texts.wide != nil || got > 240+196608 {
		t.Errorf("texts take %d bytes, expected at most %d", got, 240+196608)
	}
}

// TestHugeIntegers counts integers that differ although their float64s are equal. A uint64 of a
// dataset is stored as a negative number.
func TestHugeIntegers(t *testing.T) {
	l := NewLayout(message.Example, nil, Options{Values: true})
	for _, values := range [][]int64{{-1 << 63}, {-1}, {-1 << 63, 1<<63 - 1}, {-1 << 63, 0, 5}, {1<<53 + 1, 1<<53 + 2},
		{-1 << 63, -1<<63 + 1}} {
		counter, summary := l.NewCounter(), l.NewSummary(nil)
		counter.Begin(summary)
		for _, v := range values {
			payload, _ := record(message.Example, entry{"n", []int64{v}})
			counter.Add(payload)
		}
		counter.End()
		v := l.Document([]SplitSummary{{"train", summary}}).Features[0].Splits[0]
		total := int64(0)
		for _, bin := range v.Numbers.Histogram {
			total += bin.Count
		}
		if total != int64(len(values)) || len(v.Numbers.Histogram) > bins {
			t.Errorf("%d: %d of them in %d bins", values, total, len(v.Numbers.Histogram))
		}
	}
}
