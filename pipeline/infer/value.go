package infer

import (
	"math"
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources/jsonl"
)

// A value is what was seen in one place of JSON values, of all rows.
type value struct {
	met     int // how often there was something, null included
	nulls   int
	strings int
	ints    int
	floats  int // with a point or an exponent
	bools   int
	objects int
	lists   int
	beyond  int // numbers that no float holds

	low, high   float64
	least, most int      // elements of a list
	profile     *profile // of the strings
	elem        *value   // of lists
	keys        []string // of objects, as they were met
	fields      map[string]*value
	kept        int // different strings that are kept
}

// fieldsMost is how many keys of an object are kept. One with more is a map.
const fieldsMost = 10_000

// depthMost is how deep values are nested that are looked at.
const depthMost = 1000

func newValue(kept int) *value {
	return &value{low: math.Inf(1), high: math.Inf(-1), least: math.MaxInt, profile: newProfile(kept), kept: kept}
}

// there is how often there was a value.
func (v *value) there() int { return v.met - v.nulls }

// A taker takes values of JSON apart. It belongs to one goroutine.
type taker struct{ cells []*jsonl.CellScanner }

// take counts a value, whose objects are texts still; depth is how deep it stands.
func (t *taker) take(v *value, from *schema.Value, depth int) error {
	v.met++
	switch from.Kind {
	case schema.Missing:
		v.nulls++
	case schema.String, schema.Text:
		v.strings++
		v.profile.rows++
		v.profile.text(from.Text, 1)
	case schema.Bool:
		v.bools++
	case schema.Number:
		v.number(from.Text)
	case schema.List:
		v.lists++
		v.least, v.most = min(v.least, len(from.List)), max(v.most, len(from.List))
		if v.elem == nil {
			v.elem = newValue(v.kept)
		}
		for i := range from.List {
			if err := t.take(v.elem, &from.List[i], depth+1); err != nil {
				return err
			}
		}
	case schema.Object:
		return t.object(v, from.Text, depth)
	}
	return nil
}

func (v *value) number(text []byte) {
	x, err := strconv.ParseFloat(string(text), 64)
	_, isInt := schema.IsInteger(text)
	switch {
	case isInt:
		v.ints++
	case err != nil || !schema.IsFloat(text):
		v.beyond++
		return
	default:
		v.floats++
	}
	v.low, v.high = min(v.low, x), max(v.high, x)
}

// object takes the fields of an object, whose text is checked already.
func (t *taker) object(v *value, text []byte, depth int) error {
	v.objects++
	for len(t.cells) <= depth {
		t.cells = append(t.cells, jsonl.NewCellScanner(depthMost))
	}
	for key, raw := range members(text) {
		field := v.field(key)
		if field == nil {
			continue
		}
		val := schema.Value{Kind: schema.Object, Text: raw}
		if raw[0] != '{' {
			t.cells[depth].Reset()
			if err := t.cells[depth].Scan(raw, &val); err != nil {
				return err
			}
		}
		if err := t.take(field, &val, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// field is what is known of a key; nil where there are too many keys.
func (v *value) field(key string) *value {
	f := v.fields[key]
	if f == nil && len(v.keys) < fieldsMost {
		if v.fields == nil {
			v.fields = map[string]*value{}
		}
		kept := v.kept
		if len(v.keys) > 100 {
			kept = leastKept
		}
		f = newValue(kept)
		v.keys = append(v.keys, key)
		v.fields[key] = f
	}
	return f
}

// isMap reports whether an object has other keys in each row, so that its keys are
// data: no features can be made of them.
func (v *value) isMap() bool {
	if v.objects < 2 || len(v.keys) < 3 {
		return false
	}
	met := 0
	for _, f := range v.fields {
		met += f.met
	}
	const seldom = 3 // a key is there in one object of three, or less
	return met*seldom <= len(v.keys)*v.objects
}
