// Package rejects handles invalid rows: they make the build fail, or the build skips them within a
// budget and writes them to a file.
//
//	invalid row ─Log.Add─► on_error: fail              counted by kind of error; the build stops writing
//	                 └───► on_error: skip, quarantine  counted against the budget; its locator and code are
//	                                                   stored with its shard. Beyond the budget: counted,
//	                                                   and the build stops writing
//	at the end: locators, sorted ─Reader─► each row read again ─► message with its line ─► an error, or a
//	                                                                                      line of the file
//
// A build that stops writing continues to read. So its final message covers all rows and does not
// depend on the number of workers.
//
// A reject takes few bytes, see [List]. The end of the build finds its message again by reading its file
// from the beginning, so that each build prints the same message.
package rejects

import (
	"errors"
	"maps"
	"sync"
	"sync/atomic"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
)

// A Log has the invalid rows of a build. Goroutines may use it at the same time.
type Log struct {
	tolerant bool
	count    atomic.Int64
	budget   atomic.Int64 // a higher count fails the build; negative until it is known
	failed   atomic.Bool  // invalid rows fail the build: nothing more is written

	mu      sync.Mutex
	onFail  func()
	without List   // rejects without a split, which no shard stores
	kinds   groups // errors by kind, with on_error: fail
	excess  excess // rejects beyond the budget
}

// NewLog returns an empty log. tolerant says that the build skips invalid rows.
func NewLog(tolerant bool) *Log {
	l := &Log{tolerant: tolerant, kinds: groups{}}
	l.budget.Store(-1)
	return l
}

// Tolerant reports whether the build skips invalid rows.
func (l *Log) Tolerant() bool { return l.tolerant }

// Errors calls visit for each error of a row.
type Errors func(visit func(*schema.RowError))

// Add adds an invalid row. err is its first error. If the build skips the row, Add calls keep,
// which must store the reject. Add returns err if it is not a *schema.RowError; otherwise nil.
func (l *Log) Add(at order.Position, err error, errs Errors, keep func(Reject)) error {
	var bad *schema.RowError
	cause := causeOf(err)
	switch {
	case !errors.As(err, &bad):
		return err
	case !l.tolerant:
		l.count.Add(1)
		errs(func(bad *schema.RowError) { l.fail(at, bad, cause) })
	case l.failed.Load():
		l.exceed(Reject{at, bad.Code, cause})
	default:
		keep(Reject{at, bad.Code, cause})
		l.spend(1)
	}
	return nil
}

// causeOf returns the cause of an error, as Reject has it.
func causeOf(err error) *rows.GroupCause {
	if of, ok := errors.AsType[*rows.GroupError](err); ok {
		return &of.Cause
	}
	return nil
}

// AddOne is Add for a row with only one error.
func (l *Log) AddOne(at order.Position, err error, keep func(Reject)) error {
	one := func(visit func(*schema.RowError)) {
		var bad *schema.RowError
		errors.As(err, &bad)
		visit(bad)
	}
	return l.Add(at, err, one, keep)
}

// AddWithout is Add for a row without a split, which has only one error.
func (l *Log) AddWithout(at order.Position, err error) error {
	return l.AddOne(at, err, func(r Reject) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.without.Add(r)
	})
}

// spend counts n rejects against the budget.
func (l *Log) spend(n int64) {
	count, budget := l.count.Add(n), l.budget.Load()
	if budget >= 0 && count > budget {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.stop()
	}
}

// SetBudget sets the number of rejects that the build allows, once the number of rows is known.
// Earlier rejects count.
func (l *Log) SetBudget(n uint64) {
	l.budget.Store(int64(min(n, 1<<62)))
	l.spend(0)
}

// Budget returns the number of rejects that the build allows; negative until it is known.
func (l *Log) Budget() int64 { return l.budget.Load() }

// Resume counts the rejects of shards that a stopped build finished.
func (l *Log) Resume(n int64) { l.spend(n) }

// Count returns the number of invalid rows until now.
func (l *Log) Count() int64 { return l.count.Load() }

// Without returns the rejects without a split.
func (l *Log) Without() *List {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.without.clone()
}

// WithoutRuns returns the rejects without a split as runs. Later rejects are in further runs.
func (l *Log) WithoutRuns() [][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.without.Runs()
}

// SetWithout sets the rejects without a split to those that scans found, maybe of a stopped build.
func (l *Log) SetWithout(list *List) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count.Add(list.Len() - l.without.Len())
	l.without = *list
}

// fail adds an error of a row that makes the build fail.
func (l *Log) fail(at order.Position, bad *schema.RowError, cause *rows.GroupCause) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kinds.add(at, bad, cause)
	l.stop()
}

// exceed adds a reject beyond the budget.
func (l *Log) exceed(r Reject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.excess.add(r, l.Budget()+1)
}

// stop ends the writing. The caller must lock mu.
func (l *Log) stop() {
	if l.failed.Swap(true) || l.onFail == nil {
		return
	}
	l.onFail()
}

// OnFail sets the function to call when invalid rows make the build fail. It calls stop at once if
// they have.
func (l *Log) OnFail(stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onFail = stop
	if l.failed.Load() {
		stop()
	}
}

// Failed reports whether invalid rows made the build fail.
func (l *Log) Failed() bool { return l.failed.Load() }

// Kinds returns the errors that made the build fail, grouped by kind, in source order. It is empty
// if the build skips invalid rows.
func (l *Log) Kinds() []Group {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kinds.sorted()
}

// OverBudget returns the first rejects beyond the budget, in no order: enough that together with the
// stored rejects they exceed the budget. counts has all rejects beyond the budget by code.
func (l *Log) OverBudget() (first *List, counts map[string]int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.excess.first.clone(), maps.Clone(l.excess.counts)
}
