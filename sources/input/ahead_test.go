package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tfr-build/sources/files"
)

// slowFiles are files of two rows each. The first takes until others are being opened, too. It counts the open ones.
type slowFiles struct {
	Input
	listing      Listing
	bad          map[int]error // errors of files that cannot be opened
	first        int           // how many files are being opened when the first one is open
	begun        chan struct{} // closed when so many are
	open, opened atomic.Int32
	most         atomic.Int32
}

func (s *slowFiles) Listing() *Listing { return &s.listing }

func (s *slowFiles) Rows(file int) (Rows, error) {
	if int(s.opened.Add(1)) == s.first {
		close(s.begun)
	}
	if file == 0 {
		<-s.begun
	}
	if err := s.bad[file]; err != nil {
		return nil, err
	}
	n := s.open.Add(1)
	for most := s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
	}
	return &slowRows{s: s, file: file}, nil
}

type slowRows struct {
	s    *slowFiles
	file int
	rows int
}

func (r *slowRows) Next() (*Record, error) {
	if r.rows == 2 || r.file%5 == 4 { // each fifth file is empty
		return nil, io.EOF
	}
	r.rows++
	return &Record{Raw: fmt.Appendf(nil, "%d.%d", r.file, r.rows)}, nil
}

func (r *slowRows) Blank() int { return 0 }

func (r *slowRows) Close() error {
	r.s.open.Add(-1)
	return nil
}

// TestAllRows reads files that are opened ahead: the rows are in order, the first error in their order is returned, few
// files are open at once, large ones are opened alone, and all are closed.
func TestAllRows(t *testing.T) {
	const n = 100
	failed := errors.New("failed")
	for name, test := range map[string]struct {
		size  func(file int) int64
		bad   map[int]error
		visit int // the row whose visit fails
		want  error
		files int   // whose rows are visited
		first int   // how many are opened at once at first
		max   int32 // how many may be open at once
	}{
		"small": {files: n, first: maxOpening, max: maxOpening + 1},
		"large": {size: func(int) int64 { return openingFile + 1 }, files: n, first: 1, max: 1},
		"together": {size: func(int) int64 { return openingFile }, files: n, first: openingBytes / openingFile,
			max: openingBytes/openingFile + 1},
		"mixed": {size: func(file int) int64 { return int64(file%2) << 40 }, files: n, first: 1, max: 2},
		"unreadable": {bad: map[int]error{60: failed, 50: io.ErrUnexpectedEOF, 55: failed}, want: io.ErrUnexpectedEOF,
			files: 50, first: 2, max: maxOpening + 1},
		"first": {bad: map[int]error{0: failed}, want: failed, first: 2, max: maxOpening + 1},
		"visit": {bad: map[int]error{51: io.ErrUnexpectedEOF}, visit: 80, want: failed, files: 50, first: 2,
			max: maxOpening + 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := &slowFiles{bad: test.bad, first: test.first, begun: make(chan struct{})}
			for i := range n {
				f := files.File{}
				if test.size != nil {
					f.Size = test.size(i)
				}
				s.listing.Files = append(s.listing.Files, f)
			}
			var got, want []string
			for file := range test.files {
				if file%5 != 4 {
					want = append(want, fmt.Sprintf("%d %[1]d.1", file), fmt.Sprintf("%d %[1]d.2", file))
				}
			}
			_, err := AllRows(context.Background(), s, func(file int, rec *Record) error {
				got = append(got, fmt.Sprintf("%d %s", file, rec.Raw))
				if len(got) == test.visit {
					return failed
				}
				return nil
			})
			if err != test.want || !slices.Equal(got, want) {
				t.Errorf("error %v, rows %s; want %v, %s", err, strings.Join(got, ", "), test.want,
					strings.Join(want, ", "))
			}
			if most := s.most.Load(); most > test.max {
				t.Errorf("%d files are open at once; want at most %d", most, test.max)
			}
			if open := s.open.Load(); open != 0 {
				t.Errorf("%d files are still open", open)
			}
			if opened := int(s.opened.Load()); opened > test.files+1+maxOpening {
				t.Errorf("%d files were opened for %d", opened, test.files)
			}
		})
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	s := &slowFiles{listing: Listing{Files: make([]files.File, n)}, first: 1, begun: make(chan struct{})}
	cancel(failed)
	if _, err := AllRows(ctx, s, func(int, *Record) error { return nil }); err != failed || s.open.Load() != 0 {
		t.Errorf("canceled: error %v, %d files are open", err, s.open.Load())
	}
}
