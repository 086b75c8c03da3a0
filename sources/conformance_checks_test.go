package sources

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// check runs all checks. The first sample of a source type has the results for all hostile
// contents.
func (s *sample) check(t *testing.T, kind *Kind, first bool) {
	t.Run("rows", func(t *testing.T) {
		k := newKit(t, s)
		wantRows(t, k.conforms(), s.rows...)
		k.checkSeek()
		k.checkSide(kind)
		k.checkMetadata()
	})
	t.Run("goroutines", func(t *testing.T) { newKit(t, s).checkGoroutines() })
	t.Run("listed", func(t *testing.T) { newKit(t, s).checkListed() })
	t.Run("changed", func(t *testing.T) { s.checkChanged(t) })
	t.Run("compressed", func(t *testing.T) { s.checkCompressed(t) })
	t.Run("hostile", func(t *testing.T) { s.checkHostile(t, first) })
	t.Run("mutants", func(t *testing.T) { newKit(t, s).checkMutants() })
}

// conforms opens the input and checks that all ways to read it have the same result. It returns
// the rows, or the one error.
func (k *kit) conforms() []string {
	k.Helper()
	in, err := k.open(nil)
	if err != nil {
		return []string{k.clear(err)}
	}
	want, blank, err := k.sequential(in)
	if err != nil {
		fault := k.clear(err)
		if !in.Footprint().Streamed {
			if _, _, err := k.found(k.mustOpen(), 1+k.rng.IntN(30)); err == nil || k.clear(err) != fault {
				k.Errorf("rows that are found: %v, want %s", err, fault)
			}
		}
		return append(texts(in, want), fault)
	}
	if err := in.Recheck(); err != nil {
		k.Errorf("unchanged files: %v", err)
	}
	if !in.Footprint().Streamed {
		k.agree(want, blank)
	}
	return texts(in, want)
}

// agree checks that rows found in steps of any size equal want. It opens the input again, so that
// nothing from the sequential reading helps.
func (k *kit) agree(want []row, blank int) {
	k.Helper()
	in := k.mustOpen()
	size := 0
	for _, f := range in.Listing().Files {
		size = max(size, int(f.Size))
	}
	dense := testenv.Times(2, 50, 50)
	for step := 1 + size/500; step < size+2; step += 1 + size/500 + step/dense {
		got, b, err := k.found(in, step)
		if err != nil {
			k.Fatalf("steps of %d: %v", step, err)
		}
		if b != blank {
			k.Errorf("steps of %d: %d blank lines, want %d", step, b, blank)
		}
		if !slices.EqualFunc(got, want, sameRow) {
			k.Fatalf("steps of %d: rows\n got %+v\nwant %+v", step, got, want)
		}
	}
}

// sameRow compares a row read at its offset with the same row read in order. The former has no
// line.
func sameRow(a, b row) bool {
	if a.file != b.file || a.offset != b.offset || a.good != b.good {
		return false
	}
	code, _, _ := strings.Cut(b.what, "@")
	return a.what == b.what && (!a.good || a.size == b.size) || !a.good && a.what == code
}

// clear checks that err is one clear error of the input, or several missing columns. It returns
// the important part of it, of the first column if there are several.
func (k *kit) clear(err error) string {
	k.Helper()
	var fits *input.Mismatches
	if errors.As(err, &fits) {
		err = fits.Unwrap()[0]
	}
	var fault *input.Error
	var fit *input.MismatchError
	var bad *schema.RowError
	text := err.Error()
	switch {
	case errors.As(err, &bad), strings.Contains(text, "\n"), !strings.Contains(text, k.dir):
	case errors.As(err, &fit):
		return fmt.Sprintf("%d:%d %s", fit.Line, fit.Col, fit.Code)
	case errors.As(err, &fault):
		return "input " + fault.Code()
	}
	k.Errorf("no clear error of the input: %v (%T)", err, err)
	return ""
}

// checkSeek finds each row again and compares its content.
func (k *kit) checkSeek() {
	in := k.mustOpen()
	want, _, err := k.sequential(in)
	if err != nil {
		k.Fatal(err)
	}
	s, err := k.scanner(in, false)
	if err != nil {
		k.Fatal(err)
	}
	seek := func(file int, offset int64, use func(rec *input.Record)) error {
		rows, err := in.Rows(file)
		if err != nil {
			return err
		}
		defer rows.Close()
		rec, err := input.Seek(k.Context(), rows, in.Path(file), offset)
		if err == nil {
			use(rec)
		}
		return err
	}
	starts := map[row]bool{}
	for _, r := range want {
		starts[row{file: r.file, offset: r.offset}] = true
	}
	for _, r := range want {
		err := seek(r.file, r.offset, func(rec *input.Record) {
			what, bad := "", rec.Bad
			if bad == nil {
				_, what, bad, _ = k.scan(s, r.file, rec.Offset, rec.Raw)
			}
			if bad != nil {
				what = located(in, r.file, rec, bad)
			}
			if rec.Offset != r.offset || lineOf(rec) != r.line || what != r.what {
				k.Errorf("sought %+v, found %d:%d %s", r, rec.Offset, lineOf(rec), what)
			}
			for at := range rec.Raw {
				k.checkPosition(in, r.file, rec, &schema.RowError{At: at})
			}
		})
		if err != nil {
			k.Errorf("%+v: %v", r, err)
		}
		next := row{file: r.file, offset: r.offset + 1}
		err = seek(next.file, next.offset, func(*input.Record) {})
		if !starts[next] && (!errors.Is(err, files.ErrChanged) || k.clear(err) != "input INPUT_CHANGED") {
			k.Errorf("a row that is not there, at %d: %v", next.offset, err)
		}
	}
}

// checkSide opens the sample as a lookup table.
func (k *kit) checkSide(kind *Kind) {
	if k.env.Side = kind.SideDoc != ""; k.env.Side {
		wantRows(k.T, k.conforms(), k.rows...)
	}
	k.env.Side = false
}

// checkMetadata checks the metadata of an input.
func (k *kit) checkMetadata() {
	in := k.mustOpen()
	l := in.Listing()
	names, _, err := columnNames(k.Context(), in, -1)
	if err != nil {
		k.Fatal(err)
	}
	for _, c := range k.columns {
		if top, _, _ := strings.Cut(c, "."); !slices.Contains(names, c) && !slices.Contains(names, top) {
			k.Errorf("column %q is none of %q", c, names)
		}
		if _, ok := in.Columns().Find(c); !ok {
			k.Errorf("column %q is not found", c)
		}
	}
	if len(l.Files) != len(k.files) || l.Label == "" || len(l.Inputs) == 0 {
		k.Errorf("listing %+v", l)
	}
	for i, f := range l.Files {
		if !strings.HasSuffix(in.Path(i), f.Name) || in.Address(i).Source != "" {
			k.Errorf("file %+v: at %s, address %+v", f, in.Path(i), in.Address(i))
		}
	}
	if len(in.Remarks(0)) != 0 || !l.Sized && !k.named && !k.inside &&
		(len(in.Remarks(2)) == 0 || !strings.HasPrefix(in.Remarks(2)[0].Text, cmp.Or(k.blank, "2 blank lines"))) {
		k.Errorf("remarks %q, %q", in.Remarks(0), in.Remarks(2))
	}
}

// checkGoroutines reads the same input in several goroutines, in both ways.
func (k *kit) checkGoroutines() {
	in := k.mustOpen()
	want, _, err := k.sequential(in)
	if err != nil {
		k.Fatal(err)
	}
	mapped := !in.Footprint().Streamed
	if mapped {
		search, err := in.Find(16)
		if err != nil {
			k.Fatal(err)
		}
		defer in.Release()
		for i := range search.Steps() {
			search.Step(i)
		}
		for file := range in.Listing().Files {
			search.Finish(file)
		}
	}
	var wg sync.WaitGroup
	for n := range 6 {
		wg.Go(func() {
			own := *k // which has a source of random numbers that is another's
			own.rng = rand.New(rand.NewPCG(uint64(n), 0))
			var got []row
			var err error
			if mapped && n%2 == 0 {
				got = slices.Clone(want)
				err = own.atRandom(in, got)
			} else {
				got, _, err = own.sequential(in)
			}
			if err != nil || !slices.EqualFunc(got, want, sameRow) {
				k.Errorf("rows %+v, %v; want %+v", got, err, want)
			}
			if err := in.Recheck(); err != nil {
				k.Error(err)
			}
		})
	}
	wg.Wait()
}

// checkListed opens the input with an earlier listing: a newer file is not included.
func (k *kit) checkListed() {
	in := k.mustOpen()
	want, _, err := k.sequential(in)
	if err != nil {
		k.Fatal(err)
	}
	listed := *in.Listing()
	testenv.Put(k.T, filepath.Join(k.dir, filepath.Dir(k.first), "0-late-"+filepath.Base(k.first)), k.files[k.first])
	again, err := k.open(&listed)
	if err != nil {
		k.Fatal(err)
	}
	got, _, err := k.sequential(again)
	if err != nil || !slices.Equal(got, want) {
		k.Errorf("rows\n got %+v\nwant %+v; %v", got, want, err)
	}
	if fmt.Sprint(again.Listing()) != fmt.Sprint(in.Listing()) || !slices.Equal(texts(again, got), k.rows) {
		k.Errorf("listing %v, want %v", again.Listing(), in.Listing())
	}
	if again.Footprint() != in.Footprint() {
		k.Errorf("footprint %+v, want %+v", again.Footprint(), in.Footprint())
	}
	if !again.Footprint().Streamed {
		if got, _, err := k.found(again, 7); err != nil || !slices.EqualFunc(got, want, sameRow) {
			k.Errorf("found\n got %+v\nwant %+v; %v", got, want, err)
		}
	}
	if late, err := k.open(nil); err == nil && !k.named && len(late.Listing().Files) != len(in.Listing().Files)+1 {
		k.Error("the file that came later is not seen by a listing either")
	}
}
