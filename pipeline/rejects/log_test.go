package rejects

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/schema"
)

// bad returns the error of an invalid row.
func bad(code, feature, found string) *schema.RowError {
	return &schema.RowError{Code: code, Feature: feature, Message: "m", Found: found}
}

// add adds a row with errors to a log. It returns the rejects that the log had stored.
func add(t *testing.T, l *Log, offset int64, errs ...*schema.RowError) (kept []Reject) {
	t.Helper()
	each := func(visit func(*schema.RowError)) {
		for _, e := range errs {
			visit(e)
		}
	}
	if err := l.Add(order.Position{Offset: offset}, errs[0], each, func(r Reject) {
		kept = append(kept, r)
	}); err != nil {
		t.Fatal(err)
	}
	return kept
}

// TestBudget adds rejects below and beyond the budget: writing stops with the first beyond it, and
// all are counted.
func TestBudget(t *testing.T) {
	l := NewLog(true)
	stops := 0
	l.OnFail(func() { stops++ })
	for i := range 3 {
		if kept := add(t, l, int64(i), bad("A", "", "")); len(kept) != 1 || l.Failed() {
			t.Fatalf("reject %d before the budget is known: %v, failed %v", i, kept, l.Failed())
		}
	}
	l.SetBudget(4)
	add(t, l, 3, bad("A", "", ""))
	if l.Failed() {
		t.Fatal("4 rejects exceed a budget of 4")
	}
	if kept := add(t, l, 4, bad("B", "", "")); len(kept) != 1 || !l.Failed() || stops != 1 {
		t.Errorf("the fifth: %v, failed %v, stopped %d times", kept, l.Failed(), stops)
	}
	if kept := add(t, l, 5, bad("B", "", "")); kept != nil || stops != 1 {
		t.Errorf("the sixth is stored: %v; stopped %d times", kept, stops)
	}
	first, counts := l.OverBudget()
	if list := slices.Collect(first.All()); len(list) != 1 || list[0].Offset != 5 || fmt.Sprint(counts) != "map[B:1]" ||
		l.Count() != 5 {
		t.Errorf("beyond the budget: %v, %v; %d before", first, counts, l.Count())
	}
	want := "6 rows cannot be used, where max_errors allows 4: A 4, B 2 [MAX_ERRORS]"
	if err := l.TooMany(map[string]int64{"B": 2, "A": 4}, false); err.Error() != want {
		t.Errorf("%v; expected %s", err, want)
	}
}

// TestBudgetThatEarlierRejectsExceed sets a budget below the number of rejects, and resumes a build
// with more rejects than its budget.
func TestBudgetThatEarlierRejectsExceed(t *testing.T) {
	l := NewLog(true)
	if err := l.AddWithout(order.Position{Offset: 7}, bad("A", "", "")); err != nil {
		t.Fatal(err)
	}
	l.SetBudget(0)
	stopped := false
	if l.OnFail(func() { stopped = true }); !l.Failed() || !stopped {
		t.Errorf("failed %v, stopped %v", l.Failed(), stopped)
	}
	if list := slices.Collect(l.Without().All()); len(list) != 1 ||
		*list[0] != (Reject{Position: order.Position{Offset: 7}, Code: "A"}) {
		t.Errorf("without a split: %v", list)
	}
	l = NewLog(true)
	l.SetWithout(NewList(Reject{}, Reject{}))
	l.SetBudget(5)
	if l.Resume(3); l.Failed() {
		t.Error("5 rejects of a stopped build exceed a budget of 5")
	}
	if l.Resume(1); !l.Failed() {
		t.Error("6 rejects of a stopped build do not exceed a budget of 5")
	}
}

// TestErrorsAreGrouped adds errors in two orders, from several goroutines: the groups are the same,
// sorted by their first rows, with the lowest values.
func TestErrorsAreGrouped(t *testing.T) {
	type row struct {
		offset int64
		errs   []*schema.RowError
	}
	var list []row
	for i := range 40 {
		list = append(list, row{int64(100 + i), []*schema.RowError{bad("INT_SYNTAX", "x", fmt.Sprintf("v%02d", i%9))}})
	}
	list = append(list, row{50, []*schema.RowError{bad("CSV_RAGGED", "", ""), bad("INT_SYNTAX", "y", "q")}},
		row{60, []*schema.RowError{bad("CSV_RAGGED", "", "")}})
	var texts []string
	for _, backward := range []bool{false, true} {
		l := NewLog(false)
		l.SetBudget(1000)
		var group sync.WaitGroup
		for i := range list {
			r := list[i]
			if backward {
				r = list[len(list)-1-i]
			}
			group.Go(func() { add(t, l, r.offset, r.errs...) })
		}
		group.Wait()
		var b strings.Builder
		for _, g := range l.Kinds() {
			fmt.Fprintf(&b, "%s %s %d: %d%s\n", g.Kind.Code, g.Kind.Feature, g.First.Offset, g.Rows, g.Text())
		}
		texts = append(texts, b.String())
		if !l.Failed() || l.Count() != int64(len(list)) {
			t.Errorf("failed %v, counted %d of %d rows", l.Failed(), l.Count(), len(list))
		}
	}
	want := "CSV_RAGGED  50: 2; the first of 2 such rows\n" +
		"INT_SYNTAX y 50: 1\n" +
		"INT_SYNTAX x 100: 40; the first of 40 such rows, with v00 (5), v01 (5), v02 (5), v03 (5), v04 (4), and " +
		"others\n"
	if texts[0] != want || texts[1] != want {
		t.Errorf("%s\n%s\nexpected\n%s", texts[0], texts[1], want)
	}
}

// TestOtherErrorsAreReturned checks that an error that is not of a row is not counted.
func TestOtherErrorsAreReturned(t *testing.T) {
	l := NewLog(true)
	if err := l.Add(order.Position{}, io.ErrUnexpectedEOF, nil, nil); !errors.Is(err, io.ErrUnexpectedEOF) ||
		l.Count() > 0 {
		t.Errorf("%v, and %d rows", err, l.Count())
	}
}

// TestFirstRejectsBeyondTheBudget checks that the first rejects beyond a budget are known, however many follow.
func TestFirstRejectsBeyondTheBudget(t *testing.T) {
	var e excess
	for i := range 10_000 {
		e.add(Reject{Position: order.Position{Offset: int64(i * 7919 % 10_000)}, Code: "A"}, 5)
	}
	if e.first.Len() > 1010 || e.counts["A"] != 10_000 {
		t.Errorf("%d are stored, %d counted", e.first.Len(), e.counts["A"])
	}
	i := int64(0)
	for r := range e.first.FirstOf(5).All() {
		if r.Offset != i {
			t.Errorf("number %d is %d", i, r.Offset)
		}
		i++
	}
}

// TestQuarantineHint checks when a build suggests to quarantine the rows that made it fail.
func TestQuarantineHint(t *testing.T) {
	for _, test := range []struct {
		rows, all int64
		few       bool
	}{{0, 1000, false}, {10, 1000, true}, {11, 1000, false}, {1, 99, false}} {
		if err := Few(test.rows, test.all); (err != nil) != test.few {
			t.Errorf("%d of %d: %v", test.rows, test.all, err)
		}
	}
}
