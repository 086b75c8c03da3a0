package sources

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/sources/input"
)

// A keyFinder is the keys of objects of rows: below each key, those of the object
// that is its value.
type keyFinder map[string]keyFinder

// maxKeyed is how long a row may be whose keys are taken, and maxKeys how many are
// taken of one object.
const maxKeyed, maxKeys = 1 << 20, 1000

// keysOf are the keys of the first rows of an input whose columns only rows tell, as
// far as they can be read: of JSON those of objects within objects, too.
func keysOf(in input.Input) keyFinder {
	all := keyFinder{}
	if !in.Columns().Open {
		return all
	}
	if !in.Columns().Nested {
		names, _, _ := columnNames(context.Background(), in, sampledRows) // as below
		for _, n := range names {
			all[n] = keyFinder{}
		}
		return all
	}
	valueOf := func(row []byte) []byte { return row }
	if members, ok := in.(interface{ Value(row []byte) []byte }); ok {
		valueOf = members.Value
	}
	_, _ = firstRows(context.Background(), in, func(_ int, rec *input.Record) error { // what cannot be read proposes nothing
		var row map[string]any
		if rec.Bad == nil && len(rec.Raw) <= maxKeyed && json.Unmarshal(valueOf(rec.Raw), &row) == nil {
			all.add(row)
		}
		return nil
	})
	return all
}

func (k keyFinder) add(value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if k[key] == nil && len(k) < maxKeys {
				k[key] = keyFinder{}
			}
			if below := k[key]; below != nil {
				below.add(v[key])
			}
		}
	case []any:
		if k["*"] == nil {
			k["*"] = keyFinder{}
		}
		for _, e := range v {
			k["*"].add(e)
		}
	}
}

// nearest is the path of keys that is nearest to name, key by key; empty where
// there is none.
func (k keyFinder) nearest(name string) string {
	if _, there := k[name]; there {
		return name
	}
	var path []string
	for step := range strings.SplitSeq(name, ".") {
		next := step
		if _, err := strconv.Atoi(step); err == nil && k["*"] != nil {
			step = "*" // an element by its number is as good as each
		}
		if k[step] == nil {
			if step = nearest.Of(step, slices.Sorted(maps.Keys(k))); step == "" {
				return ""
			}
			next = step
		}
		path = append(path, next)
		k = k[step]
	}
	return strings.Join(path, ".")
}
