package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// The first rows of each source stand for the dataset in commands that write nothing. They
// are converted as a build converts rows, with a log of their own, and what a build of them
// would end with is the error of the command.
type first struct {
	*job
	found []plan.Source // what was looked at, by source
	all   bool          // there are no other rows
	last  []*rows.Turn  // by split, the last row within its limit; nil where it has all
	named bool          // the names of classes are known

	mu       sync.Mutex
	rejected []rejects.Reject
	facts    rows.Facts // of the rows that were encoded
	encoded  int64
	splits   [rows.LeftOut]plan.Split // of these rows
	names    imageNames               // in these rows
}

// judgeFirst converts the first rows of each source, says how many they were, and returns
// the error of a build of these rows. t is what has shown some of them; nil for none.
func judgeFirst(ctx context.Context, j *job, t *try) (*first, error) {
	own := *j
	own.log = rejects.NewLog(j.log.Tolerant())
	f := &first{job: &own, found: make([]plan.Source, len(j.set.Sources)), all: true, named: t != nil, facts: rows.NewFacts()}
	if err := f.choose(ctx); err != nil {
		return nil, err
	}
	if err := f.counted(f.found); err != nil {
		return nil, err
	}
	err := f.encode(ctx)
	if err != nil && !errors.Is(err, errBadRow) {
		return nil, err
	}
	if err := f.verdict(ctx, t); err != nil {
		return nil, err
	}
	for _, loss := range describe.Losses(&f.facts, f.encoded) {
		j.run.warn(f.lookedAt() + ": " + loss)
	}
	j.run.warnAll(f.names.warnings())
	j.run.inform("looked at " + f.lookedAt())
	if text := describe.Missing(&f.facts, f.encoded); text != "" {
		j.run.inform(text)
	}
	return f, nil
}

// smallShards warns as a plan does where all rows were looked at.
func (f *first) smallShards() []string {
	names := f.set.Splits.Names()
	if !f.all || len(names) > len(f.splits) {
		return nil
	}
	p := &plan.Plan{Splits: f.splits[:len(names)]}
	for i, name := range names {
		p.Splits[i].Name = name
	}
	return p.SmallShards(f.cfg)
}

// lookedAt says how many rows were looked at.
func (f *first) lookedAt() string {
	n := int64(0)
	for _, src := range f.found {
		n += src.Found
	}
	text := plural.Of(n, "row")
	switch {
	case f.all && n == 1:
		return "the only row"
	case f.all:
		return "all " + text
	case len(f.found) > 1:
		return "the first rows of each source, " + text
	}
	return "the first " + text
}

// each calls visit for the first rows of all sources, on all workers.
func (f *first) each(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	for i, src := range f.set.Sources {
		var list []rows.Row
		all, err := src.FirstRows(ctx, func(file int, rec *input.Record) error {
			r := rows.Of(src.First+file, rec)
			r.Data = bytes.Clone(r.Data)
			list = append(list, r)
			return nil
		})
		if err != nil {
			return err
		}
		f.all, f.found[i].Found = f.all && all, int64(len(list))
		err = f.pool.Each(ctx, len(list), func(worker, i int) error { return visit(worker, &list[i]) })
		if err != nil {
			return err
		}
	}
	return nil
}

// choose has all rows chosen: those without a split are rejected, and which rows the limits
// of the splits leave is known.
func (f *first) choose(ctx context.Context) error {
	choosers, done := f.choosers()
	defer done()
	var mu sync.Mutex
	var splits [rows.LeftOut + 1][]rows.Turn
	err := f.each(ctx, func(worker int, r *rows.Row) error {
		split, key, err := choosers[worker].Choose(r)
		switch {
		case err != nil:
			return f.log.AddWithout(r.Place(), err)
		case split == rows.LeftOut || len(f.cfg.Limit) == 0:
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		splits[split] = append(splits[split], rows.TurnOf(f.set, r, key))
		return nil
	})
	f.last = make([]*rows.Turn, len(splits))
	for split, list := range splits {
		if len(list) == 0 {
			continue
		}
		if most, limited := f.set.Splits.Limit(f.cfg.Limit, uint8(split)); limited && most < int64(len(list)) {
			slices.SortFunc(list, rows.Turn.Compare)
			f.last[split] = &list[most-1]
		}
	}
	return err
}

// choosers are one for each worker.
func (f *first) choosers() (list []*rows.Chooser, done func()) {
	for range f.pool.Size() {
		list = append(list, f.set.NewChooser())
	}
	return list, func() {
		for _, c := range list {
			c.Close()
		}
	}
}

// Classes are known where they were collected of all rows.
func (f *first) Classes() (names map[string][]string, ok bool) { return nil, f.named }

// Each calls visit for every row that has a split and is within its limit.
func (f *first) Each(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	choosers, done := f.choosers()
	defer done()
	return f.each(ctx, func(worker int, r *rows.Row) error {
		split, key, err := choosers[worker].Choose(r)
		var bad *schema.RowError
		switch {
		case errors.As(err, &bad), err == nil && split == rows.LeftOut:
			return nil // which choose has noted
		case err != nil:
			return err
		}
		if last := f.last[split]; last != nil && rows.TurnOf(f.set, r, key).Compare(*last) > 0 {
			return nil
		}
		r.Split = split
		return visit(worker, r)
	})
}

// encode encodes all rows that a build would write.
func (f *first) encode(ctx context.Context) error {
	names, err := f.collect(ctx, f)
	if err == nil && len(names) > 0 {
		err = f.set.SetClasses(names)
	}
	if err != nil {
		return err
	}
	encoders, bufs := make([]*rows.Encoder, f.pool.Size()), make([][]byte, f.pool.Size())
	for i := range encoders {
		encoders[i] = f.set.NewEncoder()
		defer encoders[i].Close()
	}
	err = f.Each(ctx, func(worker int, r *rows.Row) (err error) {
		if bufs[worker], err = encoders[worker].Append(bufs[worker][:0], r); err != nil {
			return f.log.Add(r.Place(), err, encoders[worker].Faults, f.reject)
		}
		f.count(r.Split, bufs[worker])
		return nil
	})
	for _, e := range encoders {
		e.TakeFacts(&f.facts)
	}
	return err
}

// count counts a record of a split.
func (f *first) count(split uint8, payload []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.encoded++
	s := &f.splits[split]
	s.Rows++
	s.Bytes += uint64(len(payload))
	f.names.look(payload)
}

func (f *first) reject(r rejects.Reject) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rejected = append(f.rejected, r)
}

// verdict is what a build of the rows would end with.
func (f *first) verdict(ctx context.Context, t *try) error {
	if f.log.Failed() && !f.log.Tolerant() {
		told, err := f.reader().Kinds(ctx, f.log.Kinds())
		return cmp.Or(err, told)
	}
	list, counts := f.account(slices.Concat(f.log.Without(), f.rejected))
	if len(list) == 0 {
		return nil
	}
	one, err := f.reader().First(ctx, list)
	switch {
	case err != nil:
		return err
	case f.log.Failed():
		return errors.Join(f.log.TooMany(counts, false), one)
	case f.encoded == 0:
		return errors.Join(rejects.NoneLeft(counts), one)
	case t == nil || t.told == 0:
		f.run.badRow(one)
		f.run.warn((&Rejected{Counts: counts}).Text())
	}
	return nil
}
