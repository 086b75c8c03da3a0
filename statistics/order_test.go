package statistics

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/message"
)

// TestOrderDoesNotMatter counts the same records in random orders, with random counters, as
// an encoder notes them and by parsing. The encoded summaries are equal.
func TestOrderDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const records = 3000
	var payloads [][]byte
	var bounds [][]int32
	for range records {
		payload, at := randomRecord(r)
		payloads, bounds = append(payloads, payload), append(bounds, at)
	}
	l := NewLayout(message.Example, testFields(), Options{Values: true})
	candidates := l.Candidates(payloads[:SampleRecords])
	whole := l.NewSummary(candidates)
	counter := batchCounter{Counter: l.NewCounter()}
	counter.Begin(whole)
	for i := range payloads {
		counter.add(payloads[i], bounds[i])
	}
	counter.End()
	want := whole.AppendBinary(nil)
	wantText := l.Document([]SplitSummary{{"train", whole}}).Append(nil)

	for round := range testenv.Times(4, 100, 1000) {
		sums := make([]*Summary, 1+r.IntN(4))
		for i := range sums {
			sums[i] = l.NewSummary(candidates)
		}
		counters := make([]batchCounter, 1+r.IntN(3))
		for i := range counters {
			counters[i].Counter = l.NewCounter()
			counters[i].Begin(sums[r.IntN(len(sums))])
		}
		left := 0
		for n, i := range r.Perm(records) {
			c := &counters[r.IntN(len(counters))]
			if r.IntN(2) == 0 {
				c.add(payloads[i], bounds[i])
			} else {
				c.Add(payloads[i])
			}
			if left--; left < 0 || n == records-1 {
				left = r.IntN(600)
				for i := range counters {
					counters[i].End()
					counters[i].Begin(sums[r.IntN(len(sums))])
				}
			}
		}
		total := l.NewSummary(candidates)
		for _, s := range sums {
			parsed, err := l.ParseSummary(s.AppendBinary(nil), candidates)
			if err != nil {
				t.Fatal(err)
			}
			total.Merge(parsed)
		}
		if got := total.AppendBinary(nil); !bytes.Equal(got, want) {
			for i, f := range l.fields {
				a, b := whole.fields[i].appendBinary(nil), total.fields[i].appendBinary(nil)
				if !bytes.Equal(a, b) {
					t.Errorf("%s: %d bytes, expected %d", f.Key, len(b), len(a))
				}
			}
			t.Fatalf("round %d: %d bytes differ from the %d expected", round, len(got), len(want))
		}
		if got := l.Document([]SplitSummary{{"train", total}}).Append(nil); !bytes.Equal(got, wantText) {
			t.Fatalf("round %d: the documents differ", round)
		}
	}
}

// TestFewerClasses reads the summary of a layout with the first classes alone, and adds records of all classes to it.
func TestFewerClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	fewer := testFields()
	fewer[0].Classes = fewer[0].Classes[:2]
	was, l := NewLayout(message.Example, fewer, Options{Values: true}), NewLayout(message.Example, testFields(),
		Options{Values: true})
	for _, n := range []int{0, 1, 3000} {
		var old, added [][]byte
		for range n {
			payload, _ := randomRecord(r)
			added = append(added, payload)
			if payload, _ := record(message.Example, entry{"answer", []int64{int64(r.IntN(3))}},
				entry{"note", []string{fmt.Sprint("note ", r.IntN(3000))}}); r.IntN(9) > 0 {
				old = append(old, payload)
			}
		}
		candidates := was.Candidates(old[:min(len(old), SampleRecords)])
		total, err := l.ParseFewer(was.counted(candidates, old...).AppendBinary(nil), candidates, func(f *Feature) int {
			return min(2, len(f.Classes))
		})
		if err != nil {
			t.Fatal(err)
		}
		total.Merge(l.counted(candidates, added...))
		if want := l.counted(candidates, slices.Concat(old, added)...); !bytes.Equal(total.AppendBinary(nil),
			want.AppendBinary(nil)) {
			t.Errorf("%d records: %s\nwant %s", n, l.Document([]SplitSummary{{"train", total}}).Append(nil),
				l.Document([]SplitSummary{{"train", want}}).Append(nil))
		}
		if _, err := l.ParseFewer(was.counted(candidates, old...).AppendBinary(nil), candidates, func(f *Feature) int {
			return len(f.Classes)
		}); err == nil {
			t.Error("a summary of fewer classes is taken for one of all")
		}
	}
}

// TestCounterOfTwoSummaries counts for two summaries in turn with one counter. A wide column in one may not
// change the encoded summary of the other.
func TestCounterOfTwoSummaries(t *testing.T) {
	l := NewLayout(message.Example, []Feature{{Key: "n", List: message.Int64List}, {Key: "t", List: message.BytesList}},
		Options{Values: true})
	add := func(c *batchCounter, differ, n int) {
		for i := range n {
			c.add(record(message.Example, entry{"n", []int64{int64(1000 + i%differ)}},
				entry{"t", []string{fmt.Sprintf("text %d", i%differ)}}))
		}
	}
	for _, differ := range []int{maxTableValues, maxTableValues + 1} {
		for _, n := range []int{50, 1<<13 + maxBatchRecords} {
			wide, s, once := l.NewSummary(nil), l.NewSummary(nil), l.NewSummary(nil)
			c, other := batchCounter{Counter: l.NewCounter()}, batchCounter{Counter: l.NewCounter()}
			other.Begin(once)
			for range 2 {
				c.Begin(wide)
				add(&c, 2*maxTableValues, 3*maxTableValues)
				c.End()
				c.Begin(s)
				for range 2 {
					add(&c, differ, n)
					c.End()
					add(&other, differ, n)
				}
			}
			other.End()
			for i := range l.fields {
				if !bytes.Equal(s.fields[i].appendBinary(nil), once.fields[i].appendBinary(nil)) {
					t.Errorf("%d values, %d of them differ: the field %d is counted otherwise", 4*n, differ, i)
				}
			}
		}
	}
}

// TestParts counts records in parts. Once a part needs a sketch, the next has one from its first value. The
// merged parts are encoded as one summary of all records.
func TestParts(t *testing.T) {
	l := NewLayout(message.Example, []Feature{{Key: "n", List: message.Int64List}, {Key: "t", List: message.BytesList}},
		Options{Values: true})
	for _, differ := range []int{maxTableValues, maxTableValues + 1} {
		whole, once := l.NewSummary(nil), l.NewSummary(nil)
		c, other := batchCounter{Counter: l.NewCounter()}, batchCounter{Counter: l.NewCounter()}
		other.Begin(once)
		for _, n := range []int{10, differ, 10} {
			part := whole.NewPart()
			c.Begin(part)
			for i := range n {
				payload, bounds := record(message.Example, entry{"n", []int64{int64(1000 + i)}},
					entry{"t", []string{fmt.Sprint("text ", i)}})
				c.add(payload, bounds)
				other.add(payload, bounds)
			}
			c.End()
			for i := range part.fields {
				if isWide := part.fields[i].wide != nil; isWide != (whole.areWide[i].Load() &&
					differ > maxTableValues) {
					t.Errorf("%d of %d values in a part: its field %d has a sketch: %t", n, differ, i, isWide)
				}
			}
			whole.Merge(part)
		}
		other.End()
		if !bytes.Equal(whole.AppendBinary(nil), once.AppendBinary(nil)) {
			t.Errorf("%d values in parts are counted otherwise", differ)
		}
	}
}
