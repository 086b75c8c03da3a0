package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tfr-build/statistics"
)

// features returns the features that differ or drift. Features that differ come first, then the
// largest drift.
func features(old, new *statistics.Document) []Feature {
	type name struct {
		key   string
		steps bool
	}
	before := map[name]*statistics.Feature{}
	for i := range old.Features {
		f := &old.Features[i]
		before[name{f.Key, f.Steps}] = f
	}
	list := []Feature{}
	for i := range new.Features {
		f := &new.Features[i]
		n := name{f.Key, f.Steps}
		was := before[n]
		delete(before, n)
		if d := feature(old, new, was, f); d.Differs || len(d.Drift) > 0 {
			list = append(list, d)
		}
	}
	for i := range old.Features {
		f := &old.Features[i]
		if before[name{f.Key, f.Steps}] != nil {
			list = append(list, feature(old, new, f, nil))
		}
	}
	slices.SortStableFunc(list, func(a, b Feature) int {
		return cmp.Or(-compare(a.Differs, b.Differs), cmp.Compare(b.Worst(), a.Worst()), cmp.Compare(a.Key, b.Key))
	})
	return list
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Worst returns the largest drift of all splits.
func (f *Feature) Worst() (most float64) {
	for _, d := range f.Drift {
		most = max(most, d.Divergence)
	}
	return most
}

// Note returns a short text of all differences except the type and the drift.
func (f *Feature) Note() string {
	var parts []string
	for _, c := range []struct {
		names []string
		what  string
	}{{f.Added, "new"}, {f.Removed, "gone"}, {f.Moved, "with another number"}} {
		if len(c.names) > 0 {
			parts = append(parts, fmt.Sprintf("classes %s: %d", c.what, len(c.names)))
		}
	}
	if f.Old != nil && f.New != nil && (f.Old.Least != f.New.Least || f.Old.Most != f.New.Most) {
		parts = append(parts, fmt.Sprintf("values a record: %d to %d before, %d to %d now", f.Old.Least, f.Old.Most,
			f.New.Least, f.New.Most))
	}
	return strings.Join(parts, "; ")
}

// feature compares a feature with its old version. One of the two may be nil.
func feature(oldIn, newIn *statistics.Document, old, new *statistics.Feature) Feature {
	f := Feature{Old: shapeOf(old), New: shapeOf(new)}
	if old == nil || new == nil {
		one := cmp.Or(old, new)
		f.Key, f.Steps, f.Differs = one.Key, one.Steps, true
		return f
	}
	f.Key, f.Steps = new.Key, new.Steps
	f.compareClasses(old, new)
	f.Differs = f.Old.List != f.New.List || f.Old.Kind != f.New.Kind || f.Old.Least != f.New.Least ||
		f.Old.Most != f.New.Most ||
		len(f.Added)+len(f.Removed)+len(f.Moved) > 0
	for i, s := range newIn.Splits {
		was := slices.IndexFunc(oldIn.Splits, func(o statistics.Split) bool { return o.Name == s.Name })
		if was < 0 || was >= len(old.Splits) || i >= len(new.Splits) || f.Old.List != f.New.List {
			continue
		}
		if d := drift(old, new, old.Splits[was], new.Splits[i]); d > 0 {
			f.Drift = append(f.Drift, Drift{s.Name, d})
		}
	}
	return f
}

// shapeOf returns the shape of a feature in all splits.
func shapeOf(f *statistics.Feature) *Shape {
	if f == nil {
		return nil
	}
	s := &Shape{List: string(f.List), Kind: f.Kind, Classes: len(f.Classes)}
	isFirst := true
	for _, v := range f.Splits {
		s.Missing += v.Missing
		if v.Present == 0 {
			continue
		}
		if isFirst || v.Least < s.Least {
			s.Least = v.Least
		}
		s.Most, isFirst = max(s.Most, v.Most), false
	}
	return s
}

// compareClasses compares the names and the numbers of classes.
func (f *Feature) compareClasses(old, new *statistics.Feature) {
	numbers := map[string]int64{}
	for i, name := range old.Classes {
		numbers[name] = old.First + int64(i)
	}
	kept := map[string]bool{}
	add := func(list *[]string, name string) {
		if len(*list) < maxClasses {
			*list = append(*list, name)
		}
	}
	for i, name := range new.Classes {
		number, known := numbers[name]
		kept[name] = true
		switch {
		case !known:
			add(&f.Added, name)
		case number != new.First+int64(i):
			add(&f.Moved, name)
		}
	}
	for _, name := range old.Classes {
		if !kept[name] {
			add(&f.Removed, name)
		}
	}
}
