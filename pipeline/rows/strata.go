package rows

import (
	"cmp"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/strata"
	"tfr-build/schema"
)

// Strata numbers the values of the columns that `stratify` names, in the order in which they are
// found, and has the decision which row is in which split. Goroutines may share it.
type Strata struct {
	populations []strata.Population
	valueNumbers
	kept     []strata.Stratum // of the dataset of `append`, whose values have the first numbers
	decision *strata.Decision // nil until all rows are known
}

// A Stratum is what the decision needs to know of a row.
type Stratum struct {
	Number uint32 // of the value, from 1; 0 if the split of the row is known without it
	Point  uint64
}

// newStrata returns the strata of a config; nil if no split is stratified. kept is the result of Encode of the dataset
// of `append`.
func newStrata(cfg *config.Config, splits *Splits, kept []byte) (*Strata, error) {
	s := &Strata{valueNumbers: valueNumbers{cfg: cfg}}
	for i := range cfg.Sources {
		of := &cfg.Sources[i].Split
		if of.Stratify != "" && s.populationOf(of) < 0 {
			p := newPopulation(splits, of)
			p.By = p.By || cfg.Group != nil // a group has a record for each window
			s.populations = append(s.populations, p)
			s.columns = append(s.columns, valueColumn{of.At + ".stratify", of.Stratify})
		}
	}
	if len(s.populations) == 0 {
		return nil, nil
	}
	if kept == nil {
		return s, nil
	}
	var err error
	s.kept, err = strata.Parse(kept, s.populations)
	s.Forget()
	return s, err
}

// Keeps reports whether some strata have cuts before their rows are known.
func (s *Strata) Keeps() bool { return s.kept != nil }

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

// Decide divides all rows. Their strata are the numbers of values, from 0.
func (s *Strata) Decide(rows strata.Ranges) error {
	d, err := strata.Decide(s.populations, s.Values(), s.kept, rows)
	s.decision, s.closed = d, true
	return err
}

// Encode returns what a later version needs that gets more rows; nil without stratified splits.
func (s *Strata) Encode() ([]byte, error) {
	if s == nil {
		return nil, nil
	}
	return s.decision.Encode()
}

// Decision returns the decision; nil until all rows are known.
func (s *Strata) Decision() *strata.Decision { return s.decision }

// Restore sets the values and the decision, as a stopped build or another process stored them.
func (s *Strata) Restore(d *strata.Decision) error {
	if err := d.Check(s.populations); err != nil {
		return err
	}
	s.forget()
	for i := range d.Strata {
		if _, err := s.add(d.Strata[i].Value); err != nil {
			return err
		}
	}
	s.decision, s.closed = d, true
	return nil
}

// Forget removes the decision, and all values that the dataset of `append` does not have.
func (s *Strata) Forget() {
	s.forget()
	for i := range s.kept {
		s.put(s.kept[i].Value)
	}
	s.decision = nil
}

// Split returns the split of a row that has a stratum, after the decision.
func (s *Strata) Split(of Stratum) uint8 {
	stratum := of.Number - 1
	return s.populations[s.decision.Strata[stratum].Population].Splits[s.decision.SplitOf(stratum, of.Point)]
}

// First returns the first split of the population of a row that has a stratum: the split that Choose
// returns before the decision.
func (s *Strata) First(of Stratum) uint8 {
	return s.populations[s.list[of.Number-1].Population].Splits[0]
}

// EachMoved calls visit with the number of new rows of each stratum whose split is not the first one.
func (s *Strata) EachMoved(visit func(from, to uint8, rows int)) {
	for i := range s.decision.Strata {
		of := &s.decision.Strata[i]
		splits := s.populations[of.Population].Splits
		for k, n := range of.Splits[1:] {
			if i < len(s.kept) {
				n -= s.kept[i].Splits[k+1]
			}
			visit(splits[0], splits[k+1], n)
		}
	}
}

// Stratified reports whether the splits of the source's rows depend on other rows.
func (src *Source) Stratified() bool { return src.Config.Split.Stratify != "" }

// FirstSplit returns the first split of a stratified source.
func (src *Source) FirstSplit() uint8 { return src.decider.first }

// stratify sets the stratum of a row, and its split.
func (c *Chooser) stratify(s *sourceChooser) (string, error) {
	d, of := s.decider, Stratum{Point: order.SplitPoint(c.id)}
	if d.split != nil {
		text, err := d.split.text(c.vals)
		if err != nil {
			return "", err
		}
		of.Point = order.HashText(text)
	}
	missing, text, err := d.strata.optional(c.vals)
	if err != nil {
		return "", err
	}
	if of.Number, err = c.strata.number(&c.set.Strata.valueNumbers, d.population, missing, text); err != nil {
		return "", err
	}
	if c.facts.Stratum, c.facts.Split = of, d.first; c.set.Strata.decision != nil {
		c.facts.Split = c.set.Strata.Split(of)
	}
	return "", nil
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
	d := plan.Stratified{Path: p.Path}
	d.Column = p.Column
	if p.By && len(s.Strata.populations) > 1 {
		d.Shared = s.Strata.decision.Shared
	}
	for i := range s.Config.Sources {
		if of := &s.Config.Sources[i].Split; of.At == p.Path {
			d.By = of.By
		}
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
	slices.SortFunc(all, func(a, b *strata.Stratum) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows),
			a.Compare(&b.Value))
	})
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
			d.Values = append(d.Values, dataset.Stratum{Value: valueText(&of.Value)})
			for _, n := range of.Splits {
				d.Values[i].Rows = append(d.Values[i].Rows, int64(n))
			}
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
