package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"tfr-build/order"
)

// A partsNote is what the pass that made the parts learned, for a run that goes
// on with them.
type partsNote struct {
	Splits  []string      `json:"splits"` // by number
	Codes   []string      `json:"codes"`  // of bad rows in the parts, by number
	Sources []sourceTally `json:"sources"`
	Without string        `json:"without"` // rejects without a split
	Sizes   []splitNote   `json:"sizes"`   // by split
	Parts   []partNote    `json:"parts"`

	// Classes are the names that were collected, by feature; nil until they are.
	Classes map[string][][]byte `json:"classes,omitempty"`
}

type splitNote struct {
	Rows   int    `json:"rows"`
	Tables int    `json:"tables"`
	Trees  uint64 `json:"trees"`
	Record uint64 `json:"record"`
	Raw    uint64 `json:"raw"`
}

type partNote struct {
	Bytes int64 `json:"bytes"`
	Rows  []int `json:"rows"` // by split
}

// learned says what the pass learned.
func (p *parting) learned() ([]byte, error) {
	j := p.j
	n := partsNote{Splits: j.splits.names, Codes: j.codes.names, Sources: j.tally.sources, Without: string(appendRejects(nil, j.rejects.without))}
	for i := range p.splits {
		s := &p.splits[i]
		n.Sizes = append(n.Sizes, splitNote{s.rows, s.tables, s.trees, s.mean.record, s.mean.raw})
	}
	for _, part := range p.parts.parts {
		n.Parts = append(n.Parts, partNote{part.bytes, part.rows})
	}
	if auto := j.autoClasses(); len(auto) > 0 && !j.noNames() {
		n.Classes = map[string][][]byte{}
		for _, f := range auto {
			for _, name := range j.names[f.Key] {
				n.Classes[f.Key] = append(n.Classes[f.Key], []byte(name))
			}
		}
	}
	text, err := json.Marshal(&n)
	if err != nil {
		err = fmt.Errorf("encoding what the parts hold: %w", err)
	}
	return text, err
}

// recall makes p what it was after the pass that note is of.
func (p *parting) recall(note []byte) error {
	j := p.j
	var n partsNote
	if err := json.Unmarshal(note, &n); err != nil {
		return fmt.Errorf("decoding what the parts hold: %w", err)
	}
	if len(n.Sources) != len(j.sources) || len(n.Splits) < len(j.splits.names) {
		return fmt.Errorf("the parts are of %d sources and %d splits", len(n.Sources), len(n.Splits))
	}
	without, err := parseRejects([]byte(n.Without), len(j.files))
	if err != nil {
		return err
	}
	j.splits.names, j.codes.names, j.tally.sources, j.rejects.without = n.Splits, n.Codes, n.Sources, without
	j.rejects.count.Store(int64(len(without)))
	for _, s := range n.Sizes {
		p.splits = append(p.splits, partedSplit{rows: s.Rows, tables: s.Tables, trees: s.Trees, mean: rowSize{s.Record, s.Raw}})
	}
	for _, f := range j.autoClasses() {
		j.names[f.Key] = nil
		for _, name := range n.Classes[f.Key] {
			j.names[f.Key] = append(j.names[f.Key], string(name))
		}
	}
	p.parts = &partition{j: j}
	for _, of := range n.Parts {
		p.parts.parts = append(p.parts.parts, &part{bytes: of.Bytes, rows: of.Rows})
	}
	return nil
}

// reopen takes up the parts of a stopped run; ok is false where they have to be
// made again.
func (p *parting) reopen(ctx context.Context) (plans []*splitPlan, ok bool, err error) {
	files, _, err := p.j.stage.ReopenRuns(ctx, func(note []byte) (needed []bool, err error) {
		if err := p.recall(note); err != nil {
			return nil, err
		}
		if plans, err = p.plan(); err != nil {
			return nil, err
		}
		for _, h := range p.hold(plans) {
			needed = append(needed, h.shards.Load() > 0 || p.j.noNames())
		}
		return needed, nil
	})
	if files == nil || err != nil {
		p.j.forget()
		return nil, false, err
	}
	for i, f := range files {
		p.parts.parts[i].file = f
	}
	return plans, true, nil
}

// forget makes the job what it was before a pass over the rows.
func (j *job) forget() {
	j.splits, j.codes.names = newSplits(j.cfg), nil
	j.tally.sources = make([]sourceTally, len(j.sources))
	j.rejects.without = nil
	j.rejects.count.Store(0)
	for _, f := range j.autoClasses() {
		delete(j.names, f.Key)
	}
}

// A held part stays until all shards that hold rows of it are finished: a run
// that goes on with this one needs it for those that are not.
type held struct {
	part   *part
	end    []int        // by split: the rank after the last of its rows
	shards atomic.Int64 // that are not finished
}

// hold finds the shards that each part holds rows of.
func (p *parting) hold(plans []*splitPlan) []*held {
	if p.held != nil {
		return p.held
	}
	list := make([]*held, len(p.parts.parts))
	end := make([]int, len(p.j.splits.names))
	for i, part := range p.parts.parts {
		from := append([]int(nil), end...)
		for s, n := range part.rows {
			end[s] += n
		}
		list[i] = &held{part: part, end: append([]int(nil), end...)}
		for _, plan := range plans {
			rows := order.Range{From: from[plan.number], To: end[plan.number]}
			list[i].holdFor(plan, rows)
		}
	}
	p.held = list
	return list
}

// holdFor has the shards of a split that hold some of its rows keep h.
func (h *held) holdFor(plan *splitPlan, rows order.Range) {
	for k, r := range order.Cut(plan.rows, plan.shards) {
		if sh := plan.files[k]; !sh.kept && r.From < rows.To && rows.From < r.To {
			sh.holds = append(sh.holds, h)
			h.shards.Add(1)
		}
	}
}

// release gives up the parts that no other shard needs.
func (s *shard) release() error {
	for _, h := range s.holds {
		if h.shards.Add(-1) > 0 {
			continue
		}
		if err := h.part.remove(); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a part that is not gone already.
func (p *part) remove() error {
	if p.file == nil {
		return nil
	}
	return p.file.Remove()
}

// codes are the codes of bad rows by number, from 1, as parts hold them.
type codes struct {
	mu    sync.Mutex
	names []string
}

func (c *codes) number(code string) byte {
	if code == "" {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.names, code)
	if i < 0 {
		i = len(c.names)
		c.names = append(c.names, code)
	}
	return byte(i + 1)
}

func (c *codes) name(number byte) string {
	if number == 0 {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names[number-1]
}
