package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"tfr-build/dataset"
	"tfr-build/dataset/page"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline"
	"tfr-build/report"
	"tfr-build/sink"
	"tfr-build/sources/input"
)

var reportCommand = &command{
	name: "report", about: "make the page about a dataset again",
	most: 1, operand: value{name: "DIR", kind: dirValue}, prints: true, run: makeReport,
	flags: []string{"against", "o", "workers", "retry", "log-format"},
	usage: `usage: tfr-build report [flags] DIR

Prints the report of the finished dataset in DIR as HTML: one file that opens
in a browser and loads nothing. The dataset has it as _tfr/report.html; on a
terminal, without -o, report prints that path. With -against the report also
says what changed since another version: records, features, drift, config.

flags:
  -against DIR          say what changed since the dataset in DIR
  -o OUT                write to OUT; a page that is there is replaced
                        (standard output)
  -workers N            read N files at once (the CPUs there are)
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -log-format FORMAT    text, or json: an object a line, of messages (text)
`,
}

func makeReport(ctx context.Context, c *call) error {
	if len(c.operands) == 0 {
		return usagef("tfr-build help report", "report: of which dataset? Name its folder")
	}
	fsys := reached(ctx, c, nil)
	defer fsys.Close()
	if _, err := fsys.Stat(c.operands[0]); err != nil {
		return &input.Error{Path: c.operands[0], Err: err}
	}
	if f, ok := c.stdout.w.(*os.File); ok && c.out == "" && isTerminal(f) {
		return c.tellReport(fsys, c.operands[0])
	}
	isFile := c.out != "" && c.out != standard
	if isFile {
		if err := checkPage(c.out); err != nil {
			return err
		}
	}
	data, err := pageOf(ctx, fsys, c.operands[0], &c.options, nil)
	if err != nil {
		return reading(c.operands[0], err)
	}
	if !isFile {
		_, err = c.stdout.Write(data)
		return err
	}
	if err := replaceFile(c.out, data); err != nil {
		return &asideError{c.out, err}
	}
	return nil
}

// tellReport says on a terminal, which shows no HTML, where the report of a dataset is.
func (c *call) tellReport(fsys vfs.FS, dir string) error {
	if _, err := dataset.OpenDataset(fsys, dir); err != nil {
		return reading(dir, err)
	}
	path := vfs.Join(dir, report.Name)
	if _, err := fsys.Stat(path); err != nil || c.against != "" {
		return usagef("-o FILE writes it to a file", "report: a terminal does not show HTML")
	}
	fmt.Fprintf(c.stdout, "report: %s\n-o FILE writes it to a file\n", printable(c.log.path(path)))
	return nil
}

// pageOf is the page about a dataset, and about the run that made it where there was
// one.
func pageOf(ctx context.Context, fsys vfs.FS, dir string, o *options, run *report.Run) ([]byte, error) {
	p, err := page.Of(ctx, dir, page.Options{Shows: pipeline.DatasetShows, Against: o.against, Workers: o.workers, FS: fsys})
	if err != nil {
		return nil, err
	}
	if p.Run = run; run != nil {
		p.Version = programVersion()
	}
	return report.Append(nil, p)
}

// checkPage refuses a place for a page where there is another file, or that is in a
// dataset.
func checkPage(path string) error {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "_tfr", "manifest.json")); err == nil {
			return usagef("", "%s lies inside the dataset %s, whose files are all in its manifest", path, dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	page := sink.Beside{Path: path, What: "a report", Ours: report.IsPage}
	_, err := page.Check(vfs.OS())
	return err
}
