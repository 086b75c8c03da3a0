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

// A keyTree has the keys of the objects of rows. Below each key it has the keys of the object
// that is its value.
type keyTree map[string]keyTree

// Rows longer than maxKeyedRow bytes are not parsed, and at most maxKeys keys of an object are
// kept.
const maxKeyedRow, maxKeys = 1 << 20, 1000

// readKeys returns the keys of the first rows of an input whose columns only rows have. It skips
// invalid rows. For JSON it includes the keys of nested objects.
func readKeys(in input.Input) keyTree {
	all := keyTree{}
	if !in.Columns().Open {
		return all
	}
	if !in.Columns().Nested {
		names, _, _ := columnNames(context.Background(), in, sampleRows) // without names nothing is suggested
		for _, n := range names {
			all[n] = keyTree{}
		}
		return all
	}
	valueOf := func(row []byte) []byte { return row }
	if members, ok := in.(interface{ Value(row []byte) []byte }); ok {
		valueOf = members.Value
	}
	// Rows that cannot be read give no suggestion. The limits on rows and bytes end this, not the run's context.
	_, _, _ = input.FirstRows(context.Background(), in, sampleRows, sampleBytes, func(_ int, rec *input.Record) error {
		var row map[string]any
		if rec.Bad == nil && len(rec.Raw) <= maxKeyedRow && json.Unmarshal(valueOf(rec.Raw), &row) == nil {
			all.add(row)
		}
		return nil
	})
	return all
}

func (k keyTree) add(value any) {
	switch v := value.(type) {
	case map[string]any:
		// A map has no order. Sorted, the same keys are kept in each run, and so is the suggestion.
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if k[key] == nil && len(k) < maxKeys {
				k[key] = keyTree{}
			}
			if below := k[key]; below != nil {
				below.add(v[key])
			}
		}
	case []any:
		if k["*"] == nil {
			k["*"] = keyTree{}
		}
		for _, e := range v {
			k["*"].add(e)
		}
	}
}

// belowMembers returns the keys of all members of an object.
func (k keyTree) belowMembers() keyTree {
	all := keyTree{}
	// Members may have the same key with other keys below it. The last member by name provides these.
	for _, key := range slices.Sorted(maps.Keys(k)) {
		maps.Copy(all, k[key])
	}
	return all
}

// nearest returns the path of keys that is nearest to name, key by key. It is empty if none is
// near.
func (k keyTree) nearest(name string) string {
	if _, ok := k[name]; ok { // a key with points takes precedence over a path, as in rows
		return name
	}
	var path []string
	for step := range strings.SplitSeq(name, ".") {
		next := step
		if _, err := strconv.Atoi(step); err == nil && k["*"] != nil {
			step = "*" // all elements have the same keys
		}
		if step == "*" && k["*"] == nil {
			k = keyTree{"*": k.belowMembers()} // a * is also each member of an object
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
