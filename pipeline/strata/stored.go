package strata

import (
	"encoding/json"
	"fmt"
	"slices"
)

// A stored is a stratum as JSON, whose value need not be UTF-8.
type stored struct {
	Population int     `json:"population,omitempty"`
	Missing    bool    `json:"missing,omitempty"`
	Value      []byte  `json:"value,omitempty"`
	Rows       []int   `json:"rows"` // by the position of the split in its population
	Begins     []Begin `json:"begins"`
}

// Encode returns the strata in the order of their values, for a dataset that has more rows of them.
func (d *Decision) Encode() ([]byte, error) {
	list := make([]stored, 0, len(d.Strata))
	strata := slices.Clone(d.Strata)
	slices.SortFunc(strata, func(a, b Stratum) int { return a.Compare(&b.Value) })
	for i := range strata {
		s := &strata[i]
		list = append(list, stored{s.Population, s.Missing, []byte(s.Text), s.Splits, s.Begins})
	}
	return json.Marshal(list)
}

// Parse reads the result of Encode.
func Parse(text []byte, populations []Population) ([]Stratum, error) {
	var list []stored
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("the strata are damaged: %w", err)
	}
	d := Decision{Groups: make([][]Begin, len(populations))}
	for i := range list {
		of := &list[i]
		s := Stratum{Value: Value{of.Population, of.Missing, string(of.Value)}, Splits: of.Rows, Begins: of.Begins}
		for _, n := range of.Rows {
			s.Rows += n
		}
		d.Strata = append(d.Strata, s)
	}
	return d.Strata, d.Check(populations)
}
