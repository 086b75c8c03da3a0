package diff

import (
	"fmt"
	"math"
	"testing"

	"tfr-build/message"
	"tfr-build/statistics"
)

// documentOf counts numbers of one feature of one split.
func documentOf(numbers []float64) *statistics.Document {
	layout := statistics.NewLayout(message.Example,
		[]statistics.Feature{{Key: "x", List: message.FloatList, Kind: statistics.Number}},
		statistics.Options{Values: true})
	counter, summary := layout.NewCounter(), layout.NewSummary(nil)
	counter.Begin(summary)
	var p message.Parser
	for _, x := range numbers {
		payload, _, err := p.Parse(nil, fmt.Appendf(nil, `{"features":{"feature":{"x":{"floatList":{"value":[%g]}}}}}`,
			float32(x)))
		if err != nil {
			panic(err)
		}
		counter.Add(payload)
	}
	counter.End()
	return layout.Document([]statistics.SplitSummary{{Name: "train", Summary: summary}})
}

func TestDriftOfNumbers(t *testing.T) {
	spread := func(from, to float64) (list []float64) {
		for i := range 5000 {
			list = append(list, from+(to-from)*float64(i)/5000)
		}
		return list
	}
	for _, c := range []struct {
		old, new    []float64
		least, most float64
	}{
		{spread(0, 10), spread(0, 10), 0, 0},
		{spread(0, 10), spread(0, 10.1), 0.0001, 0.02},
		{spread(0, 10), spread(5, 15), 0.4, 0.6}, // half is common
		{spread(0, 10), spread(100, 110), 0.99, 1},
		{spread(0, 10), spread(0, 1e30), 0.5, 1},
		{[]float64{1, 2}, []float64{1, 2}, 0, 0},
		{[]float64{1, 2}, []float64{3, 4}, 1, 1},
		{[]float64{7}, spread(0, 10), 0.8, 1},
	} {
		got := 0.0
		if list := features(documentOf(c.old), documentOf(c.new)); len(list) > 0 {
			got = list[0].Drift[0].Divergence
		}
		back := 0.0
		if list := features(documentOf(c.new), documentOf(c.old)); len(list) > 0 {
			back = list[0].Drift[0].Divergence
		}
		if got < c.least || got > c.most || math.Abs(got-back) > 0.01 {
			t.Errorf("from %v… to %v…: %v, and back %v; want %v to %v", c.old[0], c.new[0], got, back, c.least, c.most)
		}
	}
}

func TestFeatures(t *testing.T) {
	class := func(first int64, counts []int64, names ...string) statistics.Feature {
		v := statistics.Values{Present: 10, Count: 10, Least: 1, Most: 1, ByClass: counts}
		for i, n := range counts {
			v.Top = append(v.Top, statistics.Top{Value: names[i], Count: n})
		}
		return statistics.Feature{Key: "k", List: message.Int64List, Kind: statistics.Class, First: first,
			Classes: names, Splits: []statistics.Values{v}}
	}
	document := func(list ...statistics.Feature) *statistics.Document {
		return &statistics.Document{Splits: []statistics.Split{{Name: "train"}}, Features: list}
	}
	number := statistics.Feature{Key: "n", List: message.Int64List, Kind: statistics.Number,
		Splits: []statistics.Values{{Present: 1, Least: 1, Most: 3}}}
	wider := number
	wider.Splits = []statistics.Values{{Present: 1, Least: 1, Most: 4}}
	was := class(0, []int64{5, 5}, "a", "b")
	if got := features(document(was, number), document(was, number)); len(got) != 0 {
		t.Errorf("equal ones: %+v", got)
	}
	got := features(document(was, number), document(class(1, []int64{5, 4, 1}, "a", "b", "c"), wider))
	if len(got) != 2 || !got[0].Differs || len(got[0].Added) != 1 || len(got[0].Moved) != 2 || len(got[0].Drift) != 1 ||
		got[1].Key != "n" || !got[1].Differs {
		t.Errorf("%+v", got)
	}
	got = features(document(was), document(number))
	if len(got) != 2 || got[0].New != nil || got[1].Old != nil || !got[0].Differs || !got[1].Differs {
		t.Errorf("another one: %+v", got)
	}
	// Classes are compared by name, in any order.
	got = features(document(was), document(class(0, []int64{5, 5}, "b", "a")))
	if len(got) != 1 || len(got[0].Moved) != 2 || len(got[0].Drift) != 0 {
		t.Errorf("turned around: %+v", got)
	}
}
