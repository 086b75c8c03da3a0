package rows

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/strata"
	"tfr-build/schema"
	"tfr-build/sources"
)

// Strata numbers the values of the columns that `stratify` names, in the order in which they are
// found, and has the decision which row is in which split. Goroutines may share it.
type Strata struct {
	cfg         *config.Config
	populations []strata.Population

	mu      sync.Mutex
	numbers map[string]uint32 // by the key of the value
	values  strata.Values     // by number
	text    int               // size of all values in bytes

	decision *strata.Decision // nil until all rows are known
}

// A Stratum is what the decision needs to know of a row.
type Stratum struct {
	Number uint32 // of the value, from 1; 0 if the split of the row is known without it
	Point  uint64
}

// newStrata returns the strata of a config; nil if no split is stratified.
func newStrata(cfg *config.Config) *Strata {
	s := &Strata{cfg: cfg, numbers: map[string]uint32{}}
	splits := newSplits(cfg)
	for i := range cfg.Sources {
		of := &cfg.Sources[i].Split
		if of.Stratify != "" && s.populationOf(of) < 0 {
			s.populations = append(s.populations, newPopulation(splits, of))
		}
	}
	if len(s.populations) == 0 {
		return nil
	}
	return s
}

func newPopulation(splits *Splits, of *config.Split) strata.Population {
	p := strata.Population{Path: of.At, Column: of.Stratify, By: of.By != ""}
	for _, name := range of.Names() {
		p.Splits = append(p.Splits, splits.Number(name))
	}
	for i := 1; i < of.FoldCount(); i++ {
		p.Cuts = append(p.Cuts, strata.Cut{Part: uint64(i), Of: uint64(of.FoldCount())})
	}
	sum := uint64(0)
	for _, f := range of.Fractions[:max(0, len(of.Fractions)-1)] {
		sum += f.Share
		p.Cuts = append(p.Cuts, strata.Cut{Part: sum, Of: config.FullShare})
	}
	return p
}

// populationOf returns the number of the population of the sources with a split, or -1.
func (s *Strata) populationOf(of *config.Split) int {
	return slices.IndexFunc(s.populations, func(p strata.Population) bool { return p.Path == of.At })
}

// Values returns the values by number.
func (s *Strata) Values() strata.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.values)
}

// Add returns the number of a value, from 1, and adds a new value. Too many values are an error of
// the config.
func (s *Strata) Add(v strata.Value) (uint32, error) {
	key := string(appendKey(nil, v.Population, v.Missing, []byte(v.Text)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.numbers[key]; n > 0 {
		return n, nil
	}
	p := &s.populations[v.Population]
	switch {
	case s.decision != nil:
		return 0, fmt.Errorf("internal error: the value %s of column %q has no decision", schema.Quote([]byte(v.Text)), p.Column)
	case len(s.values) == strata.Max:
		problem := s.cfg.Problem(p.Path+".stratify", "column %q has more than %d values", p.Column, strata.Max)
		problem.List[0].Hint = "name a column with few values, such as a class"
		return 0, problem
	case s.text+len(v.Text) > strata.MaxText:
		return 0, s.cfg.Problem(p.Path+".stratify", "column %q has more than %d bytes of values", p.Column, strata.MaxText)
	}
	s.values, s.text = append(s.values, v), s.text+len(v.Text)
	s.numbers[key] = uint32(len(s.values))
	return uint32(len(s.values)), nil
}

// appendKey appends a string that differs for each stratum.
func appendKey(dst []byte, population int, missing bool, text []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(population))
	if missing {
		return append(dst, 0)
	}
	return append(append(dst, 1), text...)
}

// Decide divides all rows. Their strata are the numbers of values, from 0.
func (s *Strata) Decide(rows strata.Ranges) error {
	d, err := strata.Decide(s.populations, s.Values(), rows)
	s.decision = d
	return err
}

// Decision returns the decision; nil until all rows are known.
func (s *Strata) Decision() *strata.Decision { return s.decision }

// Restore sets the values and the decision, as a stopped build or another process stored them.
func (s *Strata) Restore(d *strata.Decision) error {
	if err := d.Check(s.populations); err != nil {
		return err
	}
	s.Forget()
	for i := range d.Strata {
		if _, err := s.Add(d.Strata[i].Value); err != nil {
			return err
		}
	}
	s.decision = d
	return nil
}

// Forget removes all values and the decision.
func (s *Strata) Forget() {
	s.numbers, s.values, s.text, s.decision = map[string]uint32{}, nil, 0, nil
}

// Split returns the split of a row that has a stratum, after the decision.
func (s *Strata) Split(of Stratum) uint8 {
	stratum := of.Number - 1
	return s.populations[s.decision.Strata[stratum].Population].Splits[s.decision.Place(stratum, of.Point)]
}

// First returns the first split of the population of a row that has a stratum: the split that Choose
// returns before the decision.
func (s *Strata) First(of Stratum) uint8 {
	return s.populations[s.values[of.Number-1].Population].Splits[0]
}

// EachMoved calls visit with the number of rows of each stratum whose split is not the first one.
func (s *Strata) EachMoved(visit func(from, to uint8, rows int)) {
	for i := range s.decision.Strata {
		of := &s.decision.Strata[i]
		splits := s.populations[of.Population].Splits
		for k, n := range of.Splits[1:] {
			visit(splits[0], splits[k+1], n)
		}
	}
}

// Stratified reports whether the splits of the source's rows depend on other rows.
func (src *Source) Stratified() bool { return src.Config.Split.Stratify != "" }

// FirstSplit returns the first split of a stratified source.
func (src *Source) FirstSplit() uint8 { return src.decider.first }

// A strataCache has the numbers of values that one goroutine has seen, to avoid the lock.
type strataCache struct {
	numbers map[string]uint32
	key     []byte
}

// number returns the number of a value, from 1, and adds a new value.
func (c *strataCache) number(s *Strata, population int, missing bool, text []byte) (uint32, error) {
	c.key = appendKey(c.key[:0], population, missing, text)
	if n := c.numbers[string(c.key)]; n > 0 {
		return n, nil
	}
	n, err := s.Add(strata.Value{Population: population, Missing: missing, Text: string(text)})
	if err == nil && len(c.key) <= maxKnownText {
		c.numbers[string(c.key)] = n
	}
	return n, err
}

// Stratum returns the stratum of the row that Choose read last. Its Number is 0 if the source is
// not stratified, or Choose skipped the row or returned an error. Until all rows are known, the split
// of a row with a stratum is the first split of its source.
func (c *Chooser) Stratum() Stratum { return c.stratum }

// stratify returns the split of a row of a stratified source, and sets its stratum.
func (c *Chooser) stratify(src *Source, vals []schema.Value, address uint64) (uint8, error) {
	d := src.decider
	of := Stratum{Point: order.SplitPoint(address)}
	if d.split != nil {
		text, err := d.split.text(vals)
		if err != nil {
			return order.NoSplit, err
		}
		of.Point = order.HashText(text)
	}
	var text []byte
	missing := sources.IsMissing(d.strata.nulls, &vals[d.strata.slot])
	if !missing {
		var err error
		if text, err = d.strata.text(vals); err != nil {
			return order.NoSplit, err
		}
	}
	var err error
	if of.Number, err = c.strata.number(c.set.Strata, d.population, missing, text); err != nil {
		return order.NoSplit, err
	}
	c.stratum = of
	if c.set.Strata.decision == nil {
		return d.first, nil
	}
	return c.set.Strata.Split(of), nil
}

// maxFewNames is the largest number of values with few rows that a warning names.
const maxFewNames = 10

// Stratified describes how the rows of stratified sources are divided.
func (s *Set) Stratified() []plan.Stratified {
	if s.Strata == nil || s.Strata.decision == nil {
		return nil
	}
	list := make([]plan.Stratified, len(s.Strata.populations))
	for i := range list {
		list[i] = s.describe(i)
	}
	return list
}

// describe describes how the rows of a population are divided.
func (s *Set) describe(population int) plan.Stratified {
	p := &s.Strata.populations[population]
	d := plan.Stratified{Path: p.Path, Column: p.Column}
	if p.By && len(s.Strata.populations) > 1 {
		d.Shared = s.Strata.decision.Shared
	}
	for _, n := range p.Splits {
		d.Splits = append(d.Splits, s.Splits.Name(n))
	}
	var all []*strata.Stratum
	for i := range s.Strata.decision.Strata {
		if of := &s.Strata.decision.Strata[i]; of.Population == population && of.Rows > 0 {
			all = append(all, of)
		}
	}
	d.Strata = len(all)
	slices.SortFunc(all, func(a, b *strata.Stratum) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), a.Compare(&b.Value)) })
	for i, of := range all {
		isFew := of.Rows < len(p.Splits)
		if isFew {
			d.Few++
		}
		if !s.Config.Statistics.Values {
			continue
		}
		if isFew && len(d.FewNames) < maxFewNames {
			d.FewNames = append(d.FewNames, valueText(&of.Value))
		}
		if i < plan.MaxShown {
			d.Values = append(d.Values, plan.Stratum{Value: valueText(&of.Value), Rows: of.Splits})
		}
	}
	return d
}

// valueText returns a value for people: a quoted string, which may be shortened, or the word missing.
func valueText(v *strata.Value) string {
	if v.Missing {
		return "missing"
	}
	return schema.Quote(v.Text)
}
