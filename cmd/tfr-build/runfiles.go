package main

import (
	"path/filepath"

	"tfr-build/internal/store"
	"tfr-build/pipeline"
)

// runFiles returns the files about the run that must not be in the output, and must not replace an input. A
// build checks the depfile separately.
func (o *options) runFiles() (list []pipeline.RunFile) {
	for _, f := range []pipeline.RunFile{{What: "the file of metrics", Path: o.metrics},
		{What: "the report of the run", Path: o.runReport}} {
		if f.Path != "" {
			list = append(list, f)
		}
	}
	return list
}

// checkRunFiles returns an error if two of the files about the run are the same, or if a file of another
// program would be replaced. It is called before the run changes anything.
func (o *options) checkRunFiles() error {
	files := []struct{ flag, path string }{{"depfile", o.Depfile}, {"metrics", o.metrics}, {"run-report", o.runReport}}
	for i, f := range files {
		for _, other := range files[:i] {
			if f.path != "" && other.path != "" && filepath.Clean(f.path) == filepath.Clean(other.path) {
				return usagef("", "build: -%s and -%s name the same file", other.flag, f.flag)
			}
		}
	}
	if o.runReport != "" {
		if err := checkReportPath(o.runReport); err != nil {
			return err
		}
	}
	if o.metrics != "" {
		_, err := metricsFile(o.metrics).Check(store.OS())
		return err
	}
	return nil
}
