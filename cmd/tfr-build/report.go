package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"tfr-build/dataset"
	"tfr-build/dataset/page"
	"tfr-build/internal/store"
	"tfr-build/internal/version"
	"tfr-build/pipeline"
	"tfr-build/report"
	"tfr-build/sink"
	"tfr-build/sources/input"
)

var reportCommand = &command{
	name: "report", meant: "html", group: lookGroup, about: "print the HTML report of a dataset again",
	least: 1, most: 1, needs: "a dataset", operand: directory, prints: true, run: makeReport,
	flags: "output against open workers retry log-format",
	means: map[string]flagMeaning{"output": {oneFile,
		"write the report to FILE and replace an existing report (default: standard output)"}},
	synopsis: []string{"report [flags] DIR"},
	text: `Prints the report of the dataset in DIR: one HTML file that needs no network.
The dataset has the same report in _tfr/report.html; on a terminal, without -o,
the command prints that path. --open opens it, or FILE, in a browser. With
--against, the report also shows what changed since another version: records,
features, drift, and config.`,
}

func makeReport(ctx context.Context, c *call) error {
	from := openStorage(ctx, c, nil)
	defer from.Close()
	if _, err := from.Stat(c.operands[0]); err != nil {
		return &input.Error{Path: c.operands[0], Err: err}
	}
	switch {
	case c.Output != "":
	case c.open:
		path, err := reportFile(c, from, c.operands[0])
		if err != nil {
			return err
		}
		return openInBrowser(ctx, path)
	case isTerminal(c.stdout.w):
		path, err := reportFile(c, from, c.operands[0])
		if err == nil {
			fmt.Fprintf(c.stdout, "report: %s\n--open opens it, -o FILE writes it to a file\n", c.shown(path))
		}
		return err
	}
	isFile := c.Output != "" && c.Output != standard
	if c.open && !isFile {
		return usagef("-o FILE writes it to a file", "report: a browser does not open standard output")
	}
	if isFile {
		if err := checkReportPath(c.Output); err != nil {
			return err
		}
	}
	data, err := renderReport(ctx, from, c.operands[0], &c.options, nil)
	if err != nil {
		return asInputError(c.operands[0], err)
	}
	if !isFile {
		_, err = c.stdout.Write(data)
		return err
	}
	if err = replaceFile(c.Output, data); err == nil && c.open {
		err = openInBrowser(ctx, c.Output)
	}
	return err
}

// reportFile returns the path of the report of a dataset, for users who do not need the HTML
// printed.
func reportFile(c *call, from *store.Storage, dir string) (string, error) {
	if _, err := dataset.OpenDataset(from, dir); err != nil {
		return "", asInputError(dir, err)
	}
	path := store.Join(dir, report.Name)
	if _, err := from.Stat(path); err != nil || c.against != "" || c.open && !from.IsLocal(path) {
		return "", usagef("-o FILE writes it to a file", "report: the dataset has no file with this report")
	}
	return path, nil
}

// renderReport returns the report of a dataset, and of the run that made it if run is not nil.
func renderReport(ctx context.Context, from *store.Storage, dir string, o *options, run *report.Run) ([]byte, error) {
	p, err := page.Of(ctx, dir, page.Options{Shows: pipeline.DatasetShows, Record: pipeline.DatasetRecord,
		Against: o.against, Workers: o.Workers, Store: from})
	if err != nil {
		return nil, err
	}
	if p.Run = run; run != nil {
		p.Version = version.Program()
	}
	return report.Append(nil, p)
}

// checkReportPath returns an error if another file would be replaced by a report, or if path is in
// a dataset.
func checkReportPath(path string) error {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "_tfr", "manifest.json")); err == nil {
			return usagef("", "%s is inside the dataset %s, whose files are all in its manifest", path, dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	page := sink.Sidecar{Path: path, What: "a report", IsOwn: report.IsPage}
	_, err := page.Check(store.OS())
	return err
}
