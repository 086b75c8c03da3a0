package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

const mib = 1 << 20

// An excess is an input that has too much of something, and what a run of it
// may take.
type excess struct {
	name   string
	config string
	flags  []string
	lay    func(dir string) error
	says   string // how the line of the result begins
	code   string // of the row that cannot be used; empty where all can
	mapped string // the file that is in memory besides
	limit  int64
}

const memoryWorkers = 2

// memoryBase is what the program allows itself in addition to the input and the rows.
const memoryBase = (32 + 4*memoryWorkers) * mib

// recordLimit is how long a row may be where the config does not say.
const recordLimit = 64 * mib

// memory compares the most memory of runs with excessive inputs with what the
// program says of itself.
func (t *torture) memory(ctx context.Context, c *count) error {
	c.note("%-40s %8s %8s", "memory beyond the mapped input, MiB", "most", "limit")
	for _, e := range t.excesses() {
		if err := t.exceed(ctx, c, &e); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return nil
}

func (t *torture) excesses() []excess {
	long := max(2*recordLimit, int64(float64(1<<30)*t.scale))
	files, columns := t.times(1_000_000), t.times(100_000)
	lines := jobHead + "source:\n  jsonl: {files: rows.jsonl}\n" + tableFeatures + oneBad
	table := jobHead + "source:\n  csv: {files: rows.csv}\n" + tableFeatures + oneBad
	layLine := func(dir string) error { return layLong(dir, "rows.jsonl", "", `{"id":1,"x":2,"text":"`, `"}`, long) }
	layField := func(dir string) error { return layLong(dir, "rows.csv", "id,x,text\n", `1,2,"`, `"`, long) }
	const rows = "built out train=2000 "
	short := t.times(60_000_000)
	records := int64(3 * memoryWorkers * recordLimit)
	spilled := records + 3*recordLimit + 64_000_000
	little := []string{"-memory", "64MB"}
	return []excess{
		{"a JSON line of " + size(long), lines, nil, layLine, rows, "LIMIT_RECORD", "rows.jsonl", memoryBase + records},
		{"the same, -memory 64MB", lines, little, layLine, rows, "LIMIT_RECORD", "", memoryBase + spilled},
		{"a quoted CSV field of " + size(long), table, nil, layField, rows, "LIMIT_RECORD", "rows.csv",
			memoryBase + records},
		{"the same, -memory 64MB", table, little, layField, rows, "LIMIT_RECORD", "", memoryBase + spilled},
		{"a JPEG header of 65,535 x 65,535", photoConfig, nil, layHuge, "built out train=10 ", "LIMIT_PIXELS", "",
			memoryBase},
		{fmt.Sprintf("a directory of %d files", files), directoryConfig, nil,
			func(dir string) error { return layMany(dir, files) },
			fmt.Sprintf("built out train=%d ", files), "", "", memoryBase + int64(files*(12+listed))},
		{fmt.Sprintf("%d short rows", short), shortConfig, []string{"-memory", "100GB"},
			func(dir string) error { return layShort(dir, short) },
			fmt.Sprintf("built out train=%d ", short), "", "rows.csv", memoryBase + 12*int64(short)},
		{"the same, -memory 64MB", shortConfig, little, func(dir string) error { return layShort(dir, short) },
			fmt.Sprintf("built out train=%d ", short), "", "", memoryBase + 64_000_000},
		{fmt.Sprintf("a CSV of %d columns", columns), wideConfig, nil,
			func(dir string) error { return layWide(dir, columns) },
			fmt.Sprintf("built out train=%d ", wideRows), "", "rows.csv", memoryBase + int64(columns)*column},
	}
}

const (
	listed = 300 + 2*len("0/0000000.txt") // what a file of a listing may take with its name
	column = 400                          // what a column may take
)

const (
	oneBad      = "on_error: quarantine\nmax_errors: 1\n"
	photoConfig = jobHead +
		"source:\n  images: {dir: in}\nfeatures:\n  image: {from: image}\n  label: {from: class, classes: auto}\n" +
		oneBad
	directoryConfig = jobHead + "source:\n  folder: {dir: in, extensions: [txt]}\nfeatures:\n  text: {from: content}\n"
	shortConfig     = jobHead + "source:\n  csv: {files: rows.csv}\nfeatures: {id: int64, x: int64}\n"
	wideConfig      = jobHead + "source:\n  csv: {files: rows.csv}\nfeatures: {c0: int64, c1: int64}\n"
)

func size(n int64) string { return fmt.Sprintf("%d MiB", n/mib) }

// exceed runs one of them.
func (t *torture) exceed(ctx context.Context, c *count, e *excess) error {
	dir := filepath.Join(t.dir, "excess")
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	config := filepath.Join(dir, "job.yaml")
	if err := errors.Join(os.WriteFile(config, []byte(e.config), 0o666), e.lay(dir)); err != nil {
		return err
	}
	args := append([]string{"-C", dir, t.program, "job.yaml", "-workers", fmt.Sprint(memoryWorkers)}, e.flags...)
	o, err := run(ctx, "env", args...)
	if err != nil {
		return err
	}
	c.add("runs", 1)
	if o.code != 0 || !strings.HasPrefix(o.stdout, e.says) || !strings.Contains(o.stderr, e.code) {
		c.fail("%s: %v, expected %q and %q", e.name, o, e.says, e.code)
	}
	most := o.memory
	if e.mapped != "" {
		info, err := os.Stat(filepath.Join(dir, e.mapped))
		if err != nil {
			return err
		}
		most -= info.Size()
	}
	c.note("  %-38s %8.1f %8.1f, %.1f s", e.name, float64(most)/mib, float64(e.limit)/mib, o.took.Seconds())
	if most > e.limit {
		c.fail("%s: %.1f MiB, expected at most %.1f", e.name, float64(most)/mib, float64(e.limit)/mib)
	}
	return nil
}

// layLong writes a table of 2,000 short rows, with one of n bytes among them.
func layLong(dir, file, head, begin, end string, n int64) error {
	return layFile(filepath.Join(dir, file), func(w io.Writer) {
		piece := strings.Repeat("long and ", 1<<16)
		io.WriteString(w, head)
		for i := range 2_000 {
			if i == 1_000 {
				io.WriteString(w, begin)
				for left := n; left > 0; left -= int64(len(piece)) {
					io.WriteString(w, piece)
				}
				io.WriteString(w, end+"\n")
			}
			io.WriteString(w, begin+"short"+end+"\n")
		}
	})
}

// layShort writes a table of n rows that are short and, in stretches, not quite as
// short: no one knows from some how many there are.
func layShort(dir string, n int) error {
	return layFile(filepath.Join(dir, "rows.csv"), func(w io.Writer) {
		io.WriteString(w, "id,x\n")
		for i := range n {
			id := int64(i % 1000)
			if i>>16%3 == 0 {
				id += 1e12
			}
			fmt.Fprintf(w, "%d,%d\n", id, i%7) // the writer keeps its error
		}
	})
}

// layHuge writes ten images and the header of one that is too large.
func layHuge(dir string) error {
	class := filepath.Join(dir, "in", "class")
	if err := os.MkdirAll(class, 0o777); err != nil {
		return err
	}
	for i := range 10 {
		err := layFile(filepath.Join(class, fmt.Sprintf("%d.png", i)), func(w io.Writer) {
			_ = png.Encode(w, noise(rand.New(rand.NewPCG(1, uint64(i))))) // the writer keeps its error
		})
		if err != nil {
			return err
		}
	}
	const huge = "\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" +
		"\x00\xff\xd9"
	return os.WriteFile(filepath.Join(class, "huge.jpg"), []byte(huge), 0o666)
}

func layMany(dir string, n int) error {
	const inADirectory = 1_000_000
	for i := range n {
		directory := filepath.Join(dir, "in", fmt.Sprint(i/inADirectory))
		if i%inADirectory == 0 {
			if err := os.MkdirAll(directory, 0o777); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(directory, fmt.Sprintf("%07d.txt", i)), []byte(text(i)),
			0o666); err != nil {
			return err
		}
	}
	return nil
}

// wideRows is how many rows a wide table has.
const wideRows = 200

func layWide(dir string, columns int) error {
	return layFile(filepath.Join(dir, "rows.csv"), func(w io.Writer) {
		for i := range columns - 1 {
			fmt.Fprintf(w, "c%d,", i)
		}
		fmt.Fprintln(w, "end")
		for range wideRows {
			io.WriteString(w, strings.Repeat("1,", columns-1)+"1\n")
		}
	})
}
