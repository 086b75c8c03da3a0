// Package rejects says what becomes of rows that cannot be used: they end the run,
// or are left out within a budget and set aside in a file.
//
//	row that cannot be used ─Log.Add─► on_error: fail            tallied by its kinds; the run stops writing
//	                            └────► on_error: skip, quarantine  counted against the budget, kept with its
//	                                                             shard as a locator and a code; beyond the
//	                                                             budget counted, and the run stops writing
//	at the end: locators, sorted ─Reader─► each row read again ─► message with its line ─► an error, or a line
//	                                                                                      of the file
//
// A run that stops writing reads on: what it says at the end is of all rows, and so
// the same whatever its workers did.
//
// A reject is kept as 32 bytes. What is wrong with it is found again at the end,
// in the one way that gives the same message whatever the way of the build.
package rejects

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"tfr-build/order"
	"tfr-build/schema"
)

// A Log is what a run knows of the rows that it cannot use. It is safe for
// concurrent use.
type Log struct {
	tolerant bool
	count    atomic.Int64
	budget   atomic.Int64 // more rejects end the run; negative while it is not known
	failed   atomic.Bool  // rows end the run: nothing is written any more

	mu      sync.Mutex
	onFail  func()
	without []Reject // rows without a split, which are in no shard
	kinds   tallies  // of what ends the run, where no row may be left out
	beyond  beyond   // the budget
}

// NewLog returns a log. tolerant says that rows that cannot be used are left out.
func NewLog(tolerant bool) *Log {
	l := &Log{tolerant: tolerant, kinds: tallies{}}
	l.budget.Store(-1)
	return l
}

// Tolerant reports whether rows that cannot be used are left out.
func (l *Log) Tolerant() bool { return l.tolerant }

// Faults calls visit for all that is wrong with a row.
type Faults func(visit func(*schema.RowError))

// Add notes a row that cannot be used for err, the first of its faults, and gives
// it to keep where it is left out; other errors it gives back.
func (l *Log) Add(at order.Place, err error, faults Faults, keep func(Reject)) error {
	var bad *schema.RowError
	switch {
	case !errors.As(err, &bad):
		return err
	case !l.tolerant:
		l.count.Add(1)
		faults(func(bad *schema.RowError) { l.fail(at, bad) })
	case l.failed.Load():
		l.exceed(Reject{at, bad.Code})
	default:
		keep(Reject{at, bad.Code})
		l.spend(1)
	}
	return nil
}

// AddWithout is Add for a row without a split, which has one fault.
func (l *Log) AddWithout(at order.Place, err error) error {
	one := func(visit func(*schema.RowError)) {
		var bad *schema.RowError
		errors.As(err, &bad)
		visit(bad)
	}
	return l.Add(at, err, one, func(r Reject) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.without = append(l.without, r)
	})
}

// spend counts rejects against the budget.
func (l *Log) spend(n int64) {
	count, budget := l.count.Add(n), l.budget.Load()
	if budget >= 0 && count > budget {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.stop()
	}
}

// SetBudget says how many rows may be left out, once the number of rows is known.
// Those that were left out before count.
func (l *Log) SetBudget(n uint64) {
	l.budget.Store(int64(min(n, 1<<62)))
	l.spend(0)
}

// Budget is how many rows may be left out.
func (l *Log) Budget() int64 { return l.budget.Load() }

// Resume counts rejects of shards that a stopped run finished.
func (l *Log) Resume(n int) { l.spend(int64(n)) }

// Count is how many rows that cannot be used were met.
func (l *Log) Count() int64 { return l.count.Load() }

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

// fail notes a fault of a row that ends the run.
func (l *Log) fail(at order.Place, bad *schema.RowError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kinds.add(at, bad)
	l.stop()
}

// exceed notes a reject beyond the budget.
func (l *Log) exceed(r Reject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.beyond.add(r, l.Budget()+1)
}

// stop ends the writing.
func (l *Log) stop() {
	if l.failed.Swap(true) || l.onFail == nil {
		return
	}
	l.onFail()
}

// OnFail has stop called when rows end the run, or at once if some have.
func (l *Log) OnFail(stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onFail = stop
	if l.failed.Load() {
		stop()
	}
}

// Failed reports whether rows end the run.
func (l *Log) Failed() bool { return l.failed.Load() }

// Kinds are what ends the run, where no row may be left out, in source order.
func (l *Log) Kinds() []Tally {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kinds.sorted()
}

// Beyond are the first of the rejects beyond the budget, so many that with those
// that were kept there is one more than it allows, and all of them by code.
func (l *Log) Beyond() (first []Reject, counts map[string]int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.beyond.first), maps.Clone(l.beyond.counts)
}
