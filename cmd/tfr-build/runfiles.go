package main

import (
	"path/filepath"

	"tfr-build/internal/store"
	"tfr-build/pipeline"
)

// runFiles are the files that a build writes about itself; an empty name means that the file is not
// written.
type runFiles struct{ depfile, metrics, runReport string }

// guarded returns the files that must not be in the output, and must not replace an input. A build
// checks the depfile separately.
func (a *runFiles) guarded() (list []pipeline.RunFile) {
	for _, f := range []pipeline.RunFile{{What: "the file of metrics", Path: a.metrics}, {What: "the report of the run", Path: a.runReport}} {
		if f.Path != "" {
			list = append(list, f)
		}
	}
	return list
}

// check returns an error if two of the files are the same, or if a file of another program would be
// replaced. It is called before the run changes anything.
func (a *runFiles) check() error {
	files := []struct{ flag, path string }{{"depfile", a.depfile}, {"metrics", a.metrics}, {"run-report", a.runReport}}
	for i, f := range files {
		for _, other := range files[:i] {
			if f.path != "" && other.path != "" && filepath.Clean(f.path) == filepath.Clean(other.path) {
				return usagef("", "build: -%s and -%s name the same file", other.flag, f.flag)
			}
		}
	}
	if a.runReport != "" {
		if err := checkReportPath(a.runReport); err != nil {
			return err
		}
	}
	if a.metrics != "" {
		_, err := metricsFile(a.metrics).Check(store.OS())
		return err
	}
	return nil
}
