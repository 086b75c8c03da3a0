package spill

import (
	"bytes"
	"fmt"
	"testing"

	"tfr-build/pipeline/rows"
)

// TestBatchesHaveBounds adds rows until a batch is full: it keeps its rows and exceeds neither
// limit.
func TestBatchesHaveBounds(t *testing.T) {
	x := newExchange(2)
	for _, size := range []int{0, 1, 100, batchText / 4, batchText} {
		b := x.newBatch(nil, 7)
		room := cap(b.text)
		text := bytes.Repeat([]byte("x"), size)
		n := 0
		for ; b.add(&rows.Row{File: 7, Offset: int64(3 * n), Data: text}); n++ {
			copy(text, fmt.Sprint(n+1)) // the memory is used again
		}
		want := batchRows
		if size > 0 {
			want = min(want, batchText/size)
		}
		if n != want || len(b.rows) != n || cap(b.text) != room {
			t.Fatalf("%d rows of %d bytes, want %d; room for %d of %d", n, size, want, cap(b.text), room)
		}
		for i, of := range b.rows {
			got := b.text[of.end-size : of.end]
			if first := fmt.Sprint(i); of.offset != int64(3*i) || i > 0 && size >= len(first) &&
				!bytes.HasPrefix(got, []byte(first)) {
				t.Fatalf("row %d is %.8q at %d", i, got, of.offset)
			}
		}
		x.spare <- b
	}
}

// TestExchange passes batches while there is room, and reuses a free one.
func TestExchange(t *testing.T) {
	x := newExchange(3)
	if b := x.newBatch(nil, 1); len(x.spare) > 0 || cap(x.full) != 3 || b.file != 1 {
		t.Errorf("%d spare, room for %d, %+v", len(x.spare), cap(x.full), b.file)
	}
	used := x.newBatch(nil, 1)
	used.add(&rows.Row{Data: []byte("text")})
	x.spare <- used
	if b := x.newBatch(nil, 2); b != used || b.file != 2 || len(b.rows)+len(b.text) > 0 {
		t.Errorf("%+v", b)
	}
}
