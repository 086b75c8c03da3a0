package json

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/table"
)

var limits = input.Limits{Record: 1 << 20, Depth: 100, Columns: 100}

// cutterOf returns a cutter of documents with rows at a path. With keys they are members of an
// object.
func cutterOf(rows string, keys bool, record int) *cutter {
	in := &documentInput{options: &Options{Rows: rows}, limits: jsonl.Limits{Limits: limits}}
	in.limits.Record = record
	if rows != "." {
		in.path = strings.Split(rows, ".")
	}
	if keys {
		in.options.Keys = "k"
	}
	return in.newCutter()
}

// A piece is a row of a document.
type piece struct {
	at   int
	text string
	bad  string
}

// cut cuts a document with windows that grow by step bytes; 0 is all at once. The error's position
// is in the document.
func cut(c *cutter, data []byte, step int) (rows []piece, fault *schema.RowError) {
	if step == 0 {
		step = len(data)
	}
	at, hi := 0, min(step, len(data))
	for {
		n, kind, bad, more := c.Next(data[at:hi], hi == len(data))
		switch {
		case more && hi == len(data):
			return rows, &schema.RowError{Message: "the cutter wants more than there is"}
		case more:
			hi = min(hi+step, len(data))
			continue
		case n == 0:
			if fault = c.FileError(); fault != nil && fault.At >= 0 {
				fault.At += at
			}
			return rows, fault
		}
		if kind == table.Row {
			p := piece{at: at, text: string(data[at : at+n])}
			if bad != nil {
				p.bad, p.text = bad.Code, ""
			}
			rows = append(rows, p)
		}
		at += n
		hi = max(hi, at)
	}
}

// open opens the documents of a directory.
func open(t testing.TB, dir string, o *Options) input.Input {
	t.Helper()
	in, err := o.Open(t.Context(), &input.Env{Limits: limits,
		Resolve: func(p string) string { return filepath.Join(dir, p) }})
	if err == nil {
		err = in.ReadHeads(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// of opens one document.
func of(t testing.TB, text string, o Options) input.Input {
	o.Files.Patterns = []string{"t.json"}
	return open(t, testenv.Directory(t, map[string]string{"t.json": text}), &o)
}

// each calls visit for the rows of the first file, one after another.
func each(in input.Input, visit func(*input.Record) error) (rows int, err error) {
	list, err := in.Rows(0)
	if err != nil {
		return 0, err
	}
	defer list.Close()
	for {
		rec, err := list.Next()
		if err == nil {
			rows++
			err = visit(rec)
		}
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
	}
}
