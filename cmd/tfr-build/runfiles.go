package main

import (
	"path/filepath"

	"tfr-build/internal/store"
	"tfr-build/pipeline"
)

// An aside is the files that a build writes about itself; empty names are none.
type aside struct{ depfile, metrics, runReport string }

// list is those that a build guards as it guards no depfile.
func (a *aside) list() (list []pipeline.Aside) {
	for _, f := range []pipeline.Aside{{What: "the file of metrics", Path: a.metrics}, {What: "the report of the run", Path: a.runReport}} {
		if f.Path != "" {
			list = append(list, f)
		}
	}
	return list
}

// check refuses files that are one file, and files of others that would be replaced,
// before the run has done anything.
func (a *aside) check() error {
	files := []struct{ flag, path string }{{"depfile", a.depfile}, {"metrics", a.metrics}, {"run-report", a.runReport}}
	for i, f := range files {
		for _, other := range files[:i] {
			if f.path != "" && other.path != "" && filepath.Clean(f.path) == filepath.Clean(other.path) {
				return usagef("", "build: -%s and -%s name the same file", other.flag, f.flag)
			}
		}
	}
	if a.runReport != "" {
		if err := checkPage(a.runReport); err != nil {
			return err
		}
	}
	if a.metrics != "" {
		_, err := metricsFile(a.metrics).Check(store.OS())
		return err
	}
	return nil
}
