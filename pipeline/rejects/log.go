// Package rejects says what becomes of rows that cannot be used: the first ends
// the run, or they are left out within a budget and set aside in a file.
//
//	row that cannot be used ─Log.Add─► on_error: fail            the run stops writing; rows before it are
//	                            │                                still read, for the first of all to be known
//	                            └────► on_error: skip, quarantine  counted against the budget, kept with its
//	                                                             shard as a locator and a code
//	at the end: locators, sorted ─Reader─► each row read again ─► message with its line ─► a line of the file
//
// A reject is kept as 32 bytes. What is wrong with it is found again at the end,
// in the one way that gives the same message whatever the way of the build.
package rejects

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"tfr-build/order"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
)

// ErrBudget says that more rows are rejected than the config allows.
var ErrBudget = errors.New("more rows are rejected than max_errors allows")

// A Log is what a run knows of the rows that it cannot use. It is safe for
// concurrent use.
type Log struct {
	tolerant bool
	count    atomic.Int64
	budget   atomic.Int64 // more rejects end the run; negative while it is not known
	failed   atomic.Bool  // a row ended the run: nothing is written any more

	mu      sync.Mutex
	first   order.Place // the first bad row that is known, in source order
	onFail  func()
	without []Reject // rows without a split, which are in no shard
}

// NewLog returns a log. tolerant says that rows that cannot be used are left out.
func NewLog(tolerant bool) *Log {
	l := &Log{tolerant: tolerant}
	l.budget.Store(-1)
	return l
}

// Tolerant reports whether rows that cannot be used are left out.
func (l *Log) Tolerant() bool { return l.tolerant }

// Add notes a row that cannot be used for err, and gives it to keep where it is
// left out; other errors it gives back.
func (l *Log) Add(at order.Place, err error, keep func(Reject)) error {
	var bad *schema.RowError
	switch {
	case !errors.As(err, &bad):
		return err
	case !l.tolerant:
		l.fail(at)
		return nil
	}
	keep(Reject{at, bad.Code})
	return l.spend(1)
}

// AddWithout is Add for a row without a split.
func (l *Log) AddWithout(at order.Place, err error) error {
	return l.Add(at, err, func(r Reject) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.without = append(l.without, r)
	})
}

// spend counts rejects against the budget.
func (l *Log) spend(n int64) error {
	count, budget := l.count.Add(n), l.budget.Load()
	if budget >= 0 && count > budget {
		return ErrBudget
	}
	return nil
}

// SetBudget says how many rows may be left out, once the number of rows is known.
// Those that were left out before count.
func (l *Log) SetBudget(n uint64) error {
	l.budget.Store(int64(min(n, 1<<62)))
	return l.spend(0)
}

// Budget is how many rows may be left out.
func (l *Log) Budget() int64 { return l.budget.Load() }

// Resume counts rejects of shards that a stopped run finished.
func (l *Log) Resume(n int) error { return l.spend(int64(n)) }

// Without are the rejects without a split.
func (l *Log) Without() []Reject {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.without)
}

// SetWithout makes the rejects without a split those that a stopped run found, and
// forgets all others.
func (l *Log) SetWithout(list []Reject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.without = list
	l.count.Store(int64(len(list)))
}

// fail notes the row that ends the run, if it is the first.
func (l *Log) fail(p order.Place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := rows.Row{File: p.File, Offset: p.Offset}
	if !l.failed.Load() || r.Before(l.first) {
		l.first = p
	}
	l.failed.Store(true)
	if l.onFail != nil {
		l.onFail()
	}
}

// OnFail has stop called when a row ends the run, or at once if one has.
func (l *Log) OnFail(stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onFail = stop
	if l.failed.Load() {
		stop()
	}
}

// Failed reports whether a row ended the run.
func (l *Log) Failed() bool { return l.failed.Load() }

// Matters reports whether a row stands before all rows that are known to end the
// run: it may be the one that is reported.
func (l *Log) Matters(r *rows.Row) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return r.Before(l.first)
}

// First is the first row that ends the run.
func (l *Log) First() Reject {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Reject{Place: l.first}
}
