package spill

import (
	"context"
	"encoding/json"
	"fmt"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/task"
)

// A Catalogue is what the pass that made the runs learned, for a run of the
// program that resumes with them.
type Catalogue struct {
	Splits  []string            `json:"splits"` // by number, as entries have it
	Codes   []string            `json:"codes"`  // of bad rows, by number
	Sources []plan.Source       `json:"sources"`
	Without string              `json:"without"` // rejects without a split
	Counted []plan.Counted      `json:"counted"` // by number of the split
	Runs    []Run               `json:"runs"`
	Classes map[string][][]byte `json:"classes,omitempty"` // names need not be UTF-8
}

// A Run is one run of a Catalogue.
type Run struct {
	Bytes int64 `json:"bytes"`
	Rows  []int `json:"rows"` // by split
}

func (s *Spill) catalogue() *Catalogue {
	c := &Catalogue{
		Splits: s.Set.Splits.Names(), Codes: s.codes.names, Sources: s.sources,
		Without: string(rejects.Append(nil, s.Log.Without())), Classes: plan.EncodeNames(s.classes),
	}
	for i := range s.splits {
		c.Counted = append(c.Counted, s.splits[i].Counted)
	}
	for _, r := range s.runs.runs {
		c.Runs = append(c.Runs, Run{r.bytes, r.rows})
	}
	return c
}

func (c *Catalogue) encode() ([]byte, error) {
	text, err := json.Marshal(c)
	if err != nil {
		err = fmt.Errorf("encoding what the runs hold: %w", err)
	}
	return text, err
}

// restore makes s what it was after the pass that note is of.
func (s *Spill) restore(note []byte) error {
	var c Catalogue
	if err := json.Unmarshal(note, &c); err != nil {
		return fmt.Errorf("decoding what the runs hold: %w", err)
	}
	if len(c.Sources) != len(s.Set.Sources) || !s.Set.Splits.Restore(c.Splits) {
		return fmt.Errorf("the runs are of %d sources and %d splits", len(c.Sources), len(c.Splits))
	}
	without, err := rejects.Parse([]byte(c.Without), s.Set.Files())
	if err != nil {
		return err
	}
	s.Log.SetWithout(without)
	s.codes.names, s.sources, s.classes = c.Codes, c.Sources, plan.DecodeNames(c.Classes)
	s.splits = nil
	for _, of := range c.Counted {
		s.splits = append(s.splits, counted{Counted: of})
	}
	s.runs = &partition{s: s}
	for _, of := range c.Runs {
		s.runs.runs = append(s.runs.runs, &run{bytes: of.Bytes, rows: of.Rows})
	}
	return nil
}

// forget makes s what it was before a pass.
func (s *Spill) forget() {
	s.Set.Splits.Forget()
	s.Log.SetWithout(nil)
	s.codes.names, s.sources, s.classes, s.splits, s.runs, s.held = nil, nil, nil, nil, nil, nil
}

// Reopen takes the runs of a stopped run; ok is false where they have to be made
// again. planned plans for what the catalogue says was found; runs that no unfinished shard
// needs are not opened.
func (s *Spill) Reopen(ctx context.Context, planned func(found []plan.Source) (*task.Work, error)) (ok bool, err error) {
	files, _, err := s.Stage.ReopenRuns(ctx, func(note []byte) (needed []bool, err error) {
		if err := s.restore(note); err != nil {
			return nil, err
		}
		work, err := planned(s.sources)
		if err != nil {
			return nil, err
		}
		for _, h := range s.hold(work) {
			needed = append(needed, h.shards.Load() > 0)
		}
		return needed, nil
	})
	if files == nil || err != nil {
		s.forget()
		return false, err
	}
	for i, f := range files {
		s.runs.runs[i].file = f
	}
	return true, nil
}
