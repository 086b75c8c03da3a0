package rows

import (
	"tfr-build/internal/plural"
	"tfr-build/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// A splitMap gives the texts of a column the splits that they stand for.
type splitMap struct {
	texts   map[string]uint8
	unknown uint8 // of every other text; order.NoSplit where that is an error
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

// split is the split that a text stands for.
func (m *splitMap) split(text []byte) (uint8, error) {
	split, there := m.texts[string(text)]
	if there || m.unknown != order.NoSplit {
		if !there {
			split = m.unknown
		}
		return split, nil
	}
	found := schema.Quote(text)
	return order.NoSplit, &schema.RowError{Code: "MAP_UNKNOWN", Found: found, Message: found + " is not one of the " + plural.Of(len(m.texts), "text") + " of split.map"}
}
