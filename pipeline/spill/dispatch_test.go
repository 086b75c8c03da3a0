package spill

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// A watched file counts its reads.
type watched struct {
	file
	reads atomic.Int64
}

func (w *watched) ReadAt(b []byte, off int64) (int, error) {
	w.reads.Add(1)
	return w.file.ReadAt(b, off)
}

// dispatching returns a dispatcher of rows in so many buckets, one per partition, with blocks of
// ten rows. The offset of the row with rank i is i*7.
func dispatching(t *testing.T, to *watched, n, buckets int) *dispatcher {
	t.Helper()
	size := int64(n * 7)
	e := entries{set: inOrder(t, size), mode: order.Source, header: 14}
	run := &runWriter{to: to}
	g := newGatherer(e, equalRanges(buckets, 0, uint64(size), byKey), run, 100_000)
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
		row := rows.Row{Offset: int64(i * 7), Data: fmt.Appendf(nil, "row %d%s", i, strings.Repeat("x", i%50))}
		if err := g.put(uint64(row.Offset), &row, &rows.Pending{}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.flush(); err != nil {
		t.Fatal(err)
	}
	s := &Spill{entries: e, merged: &Merged{}, Limit: 1}
	s.store = runSet{[]storedRun{{Part{Segments: run.segments, Splits: []uint8{0}}, to}}, g.totals}
	d := s.newDispatcher(1, 2)
	for _, p := range s.store.parts(0, buckets, 1) {
		d.parts = append(d.parts, plannedPart{partition: p, isNeeded: true})
	}
	if len(d.parts) != buckets {
		t.Fatalf("%d parts", len(d.parts))
	}
	s.Limit = 1 << 20
	d.most[0] = n
	shard := &task.Shard{Ranks: order.Range{To: n}}
	for from := 0; from < n; from += 10 {
		d.blocks[0] = append(d.blocks[0], task.Block{Shard: shard, Rows: order.Range{From: from, To: min(from+10, n)}})
	}
	return d
}

// TestPartitionsLoadDuringWriting writes the first block only when the second partition is being
// read. All rows must arrive in order.
func TestPartitionsLoadDuringWriting(t *testing.T) {
	to := &watched{}
	d := dispatching(t, to, 2345, 9)
	first := int64(2 * len(d.s.store.runs[0].Segments)) // reads per partition: the index and the entries
	next := 0
	d.assign = func(b *task.Block, done func()) error {
		defer done()
		if next == 0 {
			for wait := time.Now(); to.reads.Load() <= first; time.Sleep(time.Millisecond) {
				if time.Since(wait) > 10*time.Second {
					return errors.New("no other part is loaded while blocks are handed out")
				}
			}
		}
		if b.Rows.From != next {
			t.Errorf("ranks from %d follow %d", b.Rows.From, next)
		}
		for _, r := range b.Ranks.Append(nil, b.Rows.From, b.Rows.To) {
			want := fmt.Sprintf("row %d%s", next, strings.Repeat("x", next%50))
			if r.Offset != int64(next*7) || string(r.Data) != want {
				t.Fatalf("rank %d: %q at %d", next, r.Data, r.Offset)
			}
			next++
		}
		return nil
	}
	if err := d.run(t.Context()); err != nil || next != 2345 {
		t.Errorf("%d rows, %v", next, err)
	}
}

// TestDispatchEnds checks that dispatching ends with the error of the receiver, of a spill file,
// or of the context.
func TestDispatchEnds(t *testing.T) {
	errTaken, errStop := errors.New("nobody takes it"), errors.New("stop")
	for _, want := range []error{errTaken, errDamaged, errStop} {
		to := &watched{}
		d := dispatching(t, to, 2345, 9)
		ctx, cancel := context.WithCancelCause(t.Context())
		taken := 0
		d.assign = func(_ *task.Block, done func()) error {
			switch taken++; {
			case taken > 30 && want == errTaken:
				return errTaken
			case taken > 30 && want == errStop:
				cancel(errStop)
			}
			done()
			return nil
		}
		if want == errDamaged {
			to.data[len(to.data)/2] ^= 1
		}
		if err := d.run(ctx); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		cancel(nil)
	}
}

// TestDispatchPanics checks that a panic of the receiver or of loading becomes an error: a process
// that dies of it would leave its files behind.
func TestDispatchPanics(t *testing.T) {
	for _, giving := range []bool{true, false} {
		d := dispatching(t, &watched{}, 2345, 9)
		d.assign = func(_ *task.Block, done func()) error {
			done()
			if giving {
				panic("a mistake")
			}
			return nil
		}
		if !giving {
			d.parts[4].partition = nil
		}
		if err := d.run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
			t.Errorf("giving: %t: %v", giving, err)
		}
	}
}
