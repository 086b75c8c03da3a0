package plan

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/sources/input"
)

// Format is the version of the plan's format.
const Format = 2

// SameRows reports whether two plans have the same rows in the same shards.
func (p *Plan) SameRows(q *Plan) bool {
	a, b := *p, *q
	a.Classes, b.Classes = nil, nil
	return reflect.DeepEqual(&a, &b)
}

// SameInput reports whether two plans of a job have the same numbers of rows and the same samples.
// This holds for plans of the same input, no matter how its rows were counted.
func (p *Plan) SameInput(q *Plan) bool {
	return slices.EqualFunc(p.Sources, q.Sources, func(a, b Source) bool { return a.equal(&b) }) &&
		slices.EqualFunc(p.Splits, q.Splits, func(a, b Split) bool {
			return a.Name == b.Name && a.Rows == b.Rows && a.Shards == b.Shards && a.Each == b.Each &&
				bytes.Equal(a.Candidates, b.Candidates)
		})
}

// Parse reads the result of EncodeWith for a plan, and returns the listings, too.
func Parse(text []byte) (p *Plan, list []*input.Listing, err error) {
	p = new(Plan)
	if list, err = ParseWith(text, p); err == nil {
		err = p.Check()
	}
	return p, list, err
}

// Check returns an error if a stored plan has values that no build plans.
func (p *Plan) Check() error {
	if p.Format != Format {
		return fmt.Errorf("the plan has format %d; this program knows %d", p.Format, Format)
	}
	for i := range p.Splits {
		if s := &p.Splits[i]; s.Kept != nil && min(s.Kept.Shards, s.Kept.Rows) < 0 {
			return errors.New("a split of the plan keeps fewer shards or rows than none")
		} else if s.Rows < 0 || s.Shards < 1 && (s.Rows > 0 || s.kept() < 1) || s.Each < 0 || s.Each > 0 &&
			s.Shards != order.ShardsOfSize(uint64(s.Rows), uint64(s.Each)) || s.Threads < 0 || s.Threads > 0 &&
			s.Shards%s.Threads != 0 {
			return errors.New("a split of the plan has no shard, or not as many for each thread")
		}
	}
	return nil
}
