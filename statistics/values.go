package statistics

import (
	"maps"
	"slices"
)

// ByValue returns the feature as a Class feature. If it has classes, they stay. Otherwise the
// most frequent values of all splits become its classes, sorted. All other values count as
// Unknown.
func (f *Feature) ByValue() Feature {
	if f.Kind == Class && len(f.Classes) > 0 {
		return *f
	}
	number := map[string]int{}
	for i := range f.Splits {
		for _, t := range f.Splits[i].Top {
			number[t.Value] = 0
		}
	}
	g := *f
	g.Kind, g.First, g.Classes = Class, 0, slices.Sorted(maps.Keys(number))
	for i, name := range g.Classes {
		number[name] = i
	}
	g.Splits = slices.Clone(f.Splits)
	for i := range g.Splits {
		v := &g.Splits[i]
		v.ByClass, v.Unknown = make([]int64, len(g.Classes)), v.Other
		for _, t := range v.Top {
			v.ByClass[number[t.Value]] += t.Count
		}
	}
	return g
}
