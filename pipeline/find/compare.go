package find

import (
	"context"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/rows"
)

// A part is some rows of a chunk, which one worker compares at a time.
type part struct {
	chunk    *order.Chunk
	from, to int
}

// Number of rows in a part. There are few if each row is a file.
const (
	partRows  = 16 << 10
	partFiles = 64
)

// compare calls Compare with the rows of chunks.
func (f *Finder) compare(ctx context.Context, chunks []order.Chunk) error {
	var parts []part
	all := 0
	for i := range chunks {
		size := partRows
		if chunks[i].Files {
			size = partFiles
		}
		n := len(chunks[i].Starts)
		for from := 0; from < n; from += size {
			parts = append(parts, part{&chunks[i], from, min(from+size, n)})
		}
		all += n
	}
	return f.Compare(ctx, int64(all), func(visit func(worker int, r *rows.Row) error) error {
		f.Pool.Progress.Start(pool.ComparingRows, int64(len(parts)))
		return f.Pool.Each(ctx, len(parts), func(worker, i int) error {
			p := &parts[i]
			err := f.eachRow(p.chunk, p.from, p.to, func(_ int, r *rows.Row) error { return visit(worker, r) })
			f.Pool.Progress.Done(1, 0)
			return err
		})
	})
}
