package rows

import (
	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// A splitMap maps the strings of a column to splits.
type splitMap struct {
	texts   map[string]uint8
	unknown uint8 // split of all other strings; order.NoSplit if they are an error
}

func newSplitMap(splits *Splits, m *config.SplitMap) *splitMap {
	made := &splitMap{texts: make(map[string]uint8, len(m.Values)), unknown: order.NoSplit}
	for _, v := range m.Values {
		made.texts[v.Text] = splits.Number(v.Split)
	}
	if m.Unknown != "" {
		made.unknown = splits.Number(m.Unknown)
	}
	return made
}

// split returns the split of a string. An unknown string is a *schema.RowError unless the map has
// a split for unknown strings.
func (m *splitMap) split(text []byte) (uint8, error) {
	split, known := m.texts[string(text)]
	if known || m.unknown != order.NoSplit {
		if !known {
			split = m.unknown
		}
		return split, nil
	}
	found := schema.Quote(text)
	return order.NoSplit, &schema.RowError{Code: "MAP_UNKNOWN", Found: found,
		Message: found + " is not one of the " + plural.Of(len(m.texts), "string") + " of split.map"}
}
