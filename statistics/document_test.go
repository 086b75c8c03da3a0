package statistics

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/message"
)

// TestCounts compares all statistics of a few records with known values.
func TestCounts(t *testing.T) {
	fields := []Feature{
		{Key: "label", List: message.Int64List, Kind: Class, Classes: []string{"cat", "dog"}},
		{Key: "size", List: message.FloatList, Kind: Number},
		{Key: "text", List: message.BytesList, Kind: Text},
	}
	l := NewLayout(message.Example, fields, Options{Values: true, Top: 2})
	var payloads [][]byte
	for _, entries := range [][]entry{
		{{"label", []int64{0}}, {"size", []float32{0.1, 2}}, {"text", []string{"x"}}},
		{{"label", []int64{1}}, {"size", []float32{float32(math.NaN()), float32(math.Inf(-1))}},
			{"text", []string{"\xff", "x", ""}}},
		{{"label", []int64{1}}, {"size", []float32{}}, {"text", nil}},
		{{"label", []int64{7}}, {"size", []float32{-0.1}}, {"text", []string{"b", "b", "b"}}},
	} {
		payload, _ := record(message.Example, entries...)
		payloads = append(payloads, payload)
	}
	d := l.Document([]SplitSummary{{"train", l.counted(nil, payloads...)}, {"test", l.NewSummary(nil)}})
	for i, want := range []string{
		"present 4 missing 0 count 4 least 1 most 1 distinct 3 top [{dog false 2} {cat false 1}] other 1 classes [1 " +
			"2] unknown 1",
		"present 4 missing 0 count 5 least 0 most 2 distinct 5 top [{NaN false 1} {-Inf false 1}] other 3 classes [] " +
			"unknown 0",
		"present 3 missing 1 count 7 least 1 most 3 distinct 4 top [{b false 3} {x false 2}] other 2 classes [] " +
			"unknown 0",
	} {
		v := d.Features[i].Splits[0]
		got := fmt.Sprintf("present %d missing %d count %d least %d most %d distinct %d top %v other %d classes %v "+
			"unknown %d",
			v.Present, v.Missing, v.Count, v.Least, v.Most, v.Distinct, v.Top, v.Other, v.ByClass, v.Unknown)
		if got != want {
			t.Errorf("%s:\n%s, expected\n%s", d.Features[i].Key, got, want)
		}
	}
	size := d.Features[1].Splits[0].Numbers
	if size.Finite != 3 || size.NaN != 1 || size.NegInf != 1 || size.Min != "-0.1" || size.Max != "2" {
		t.Errorf("numbers %+v", size)
	}
	text := d.Features[2].Splits[0]
	if text.NotUTF8 != 1 || text.Empty != 1 || text.Sizes.Max != "1" {
		t.Errorf("texts %+v", text)
	}
	for _, f := range d.Features {
		if v := f.Splits[1]; v.Present != 0 || v.Count != 0 || v.Distinct != 0 || len(v.Top) > 0 {
			t.Errorf("%s of no records: %+v", f.Key, v)
		}
	}
	if d := NewLayout(message.Example, fields, Options{}).Document([]SplitSummary{{"train",
		l.counted(nil, payloads...)}}); d.Features[0].Splits[0].Top == nil || d.Features[2].Splits[0].Top != nil {
		t.Error("without values, classes alone have frequent ones")
	}
}

// TestCandidates counts frequent values among many: the candidates of a sample, and again the
// candidates of the Document.
func TestCandidates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var payloads [][]byte
	counts := map[string]int64{}
	for range 20000 {
		n := int64(r.ExpFloat64() * 2000)
		text := fmt.Sprint("t", int64(r.ExpFloat64()*1500))
		counts[text]++
		payload, _ := record(message.Example, entry{"n", []int64{n}}, entry{"t", []string{text}},
			entry{"x", []float32{float32(n) / 8}})
		payloads = append(payloads, payload)
	}
	l := NewLayout(message.Example, nil, Options{Values: true})
	candidates := l.Candidates(payloads[:SampleRecords])
	parsed, err := ParseCandidates(candidates.AppendBinary(nil))
	if err != nil {
		t.Fatal(err)
	}
	d := l.Document([]SplitSummary{{"train", l.counted(parsed, payloads...)}})
	for _, f := range d.Features {
		v := f.Splits[0]
		if f.Key == "x" {
			if !v.Estimated || v.Top != nil || v.Other != v.Count {
				t.Errorf("floats of many values: %+v, %d others", v.Top, v.Other)
			}
			continue
		}
		if !v.Estimated || len(v.Top) != defaultTop || v.Top[0].Count < v.Top[19].Count || v.Top[19].Count == 0 {
			t.Errorf("%s: %+v", f.Key, v.Top)
		}
	}
	for _, top := range d.Features[1].Splits[0].Top {
		if counts[top.Value] != top.Count {
			t.Errorf("%q is counted %d times, expected %d", top.Value, top.Count, counts[top.Value])
		}
	}
	slices.Reverse(payloads)
	again := l.Document([]SplitSummary{{"train", l.counted(l.CandidatesOf(d, 0), payloads...)}})
	if !bytes.Equal(again.Append(nil), d.Append(nil)) {
		t.Error("with the candidates of the document, the document is another")
	}
}

// TestTwoSplits counts blocks of two splits with different candidates in turn, with one counter.
func TestTwoSplits(t *testing.T) {
	l := NewLayout(message.Example, nil, Options{Values: true})
	var payloads [2][][]byte
	var candidates [2]*Candidates
	var want [2][]byte
	for split := range payloads {
		for i := range 6000 {
			payload, _ := record(message.Example, entry{"n", []int64{int64(i % (2000 + 500*split))}},
				entry{"t", []string{fmt.Sprint(i % 50 * (i % 70) * (1 + split))}})
			payloads[split] = append(payloads[split], payload)
		}
		candidates[split] = l.Candidates(payloads[split][:300+700*split])
		candidates[split].make(name{key: "n", list: int64List}).addNumber(uint64(split))
		if split == 1 {
			candidates[split].make(name{key: "n", list: int64List}).addNumber(uint64(7))
		}
		want[split] = l.counted(candidates[split], payloads[split]...).AppendBinary(nil)
	}
	sums := [2]*Summary{l.NewSummary(candidates[0]), l.NewSummary(candidates[1])}
	c := l.NewCounter()
	for block := range 4 {
		for split := range payloads {
			c.Begin(sums[split])
			for _, payload := range payloads[split][block*1500 : (block+1)*1500] {
				c.Add(payload)
			}
			c.End()
		}
	}
	for split, s := range sums {
		if !bytes.Equal(s.AppendBinary(nil), want[split]) {
			t.Errorf("split %d is counted otherwise", split)
		}
	}
}

// TestOtherRecords counts records that are not an Example.
func TestOtherRecords(t *testing.T) {
	list := func(values any) []byte { return field(nil, 1, listField(message.Example, values)) }
	steps := append(list([]int64{1, 2}), list([]int64{3})...)
	sequence := field(nil, 2, field(nil, 1, field(field(nil, 1, []byte("s")), 2, steps)))
	l := NewLayout(message.SequenceExample, []Feature{{Key: "s", List: message.Int64List, Kind: Number, Steps: true}},
		Options{Values: true})
	d := l.Document([]SplitSummary{{"train", l.counted(nil, sequence, nil)}})
	if v := d.Features[0].Splits[0]; v.Present != 1 || v.Missing != 1 || v.Count != 3 || v.Most != 3 ||
		v.Numbers.Max != "3" || !d.Features[0].Steps {
		t.Errorf("a feature list: %+v", v)
	}

	l = NewLayout(message.Example, nil, Options{Values: true})
	c, s := l.NewCounter(), l.NewSummary(nil)
	c.Begin(s)
	c.AddJSON([]byte(`{"features":{"feature":{"a":{"int64List":{"value":["5"]}}}}}`))
	c.AddJSON([]byte(`{"features":`))
	c.End()
	d = l.Document([]SplitSummary{{"train", s}})
	if d.Splits[0].Records != 2 || d.Splits[0].Broken != 1 || d.Features[0].Splits[0].Numbers.Min != "5" {
		t.Errorf("JSON: %+v %+v", d.Splits, d.Features)
	}

	l = NewLayout(message.None, []Feature{{List: message.BytesList, Kind: Text}}, Options{Values: true})
	c, s = l.NewCounter(), l.NewSummary(nil)
	c.Begin(s)
	c.AddValue([]byte("goat"))
	c.AddValue([]byte(strings.Repeat("goat", 1000)))
	c.End()
	d = l.Document([]SplitSummary{{"train", s}})
	if v := d.Features[0].Splits[0]; d.Splits[0].Bytes != 4004 || v.Count != 2 || v.Sizes.Max != "4000" {
		t.Errorf("values: %+v %+v", d.Splits, v)
	}
}
