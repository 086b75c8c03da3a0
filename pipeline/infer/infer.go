// Package infer inspects files and writes a config for them, as a person would write it. A comment
// explains each choice:
//
//	c, err := infer.Inspect(ctx, []string{"penguins"}, infer.Options{Dir: "."})
//	os.Stdout.Write(c.Text)
//
// The package names no source type and has no readers of its own. A source type describes itself by an
// input.Description: it recognizes files and chooses options. The package first writes the source,
// which does not depend on rows, and then opens it like a build:
//
//	paths ─survey─► files of one type ─draft─► source: …          type, options, splits in names
//	                                             │ config.Parse, sources.Open
//	                                             ▼
//	                        all rows, or a sample ─profile─► the values of each column
//	                                             │ chooser
//	                                             ▼
//	                        features: …  split: …  null_values: …
//
// The rules are in docs/reference/init.md.
package infer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Options are the locations of a config and its files.
type Options struct {
	System  *files.System // file system of the files; nil for the local one
	Dir     string        // directory of the config
	Out     string        // directory that the output is relative to; empty for Dir
	Workers int           // number of goroutines that list directories
}

// A Config is the text of a config.
type Config struct {
	Name string // name of the dataset
	Text []byte
}

// Inspect inspects the files at paths, which may be patterns, and writes the config of a dataset of
// them.
func Inspect(ctx context.Context, paths []string, opt Options) (*Config, error) {
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, err
	}
	sys := new(files.System) // a copy, which keeps the listings of the directories
	if opt.System != nil {
		*sys = *opt.System
	}
	if paths, err = operands(ctx, sys, paths); err != nil {
		return nil, err
	}
	f := &findings{System: sys, types: describeTypes(), workers: opt.Workers}
	c, err := f.inspect(ctx, paths, dir, opt)
	return c, f.advise(err)
}

// advise adds what to try next to an error that does not say it.
func (f *findings) advise(err error) error {
	fit, bad := new(input.MismatchError), new(input.Error)
	switch {
	case errors.As(err, &fit) && fit.Hint == "" && fit.Code != "":
		fit.Hint = explained(fit.Code)
	case errors.As(err, &bad) && bad.Code() != "" && bad.Code() != "NOT_FOUND":
		if bad.Advice = explained(bad.Code()); f.within != "" && bad.Path != f.within {
			bad.Advice += "; to leave the file out, name the others, or move it to another directory"
		}
	}
	return err
}

// explained says where the fix for an error code is.
func explained(code string) string { return "tfr-build explain " + code + " says what to do" }

// inspect writes the config of a dataset of the files at absolute paths.
func (f *findings) inspect(ctx context.Context, paths []string, dir string, opt Options) (*Config, error) {
	if err := f.survey(ctx, paths); err != nil {
		return nil, err
	}
	out, err := filepath.Abs(cmp.Or(opt.Out, dir))
	if err != nil {
		return nil, err
	}
	d := &draft{findings: f, dir: dir, outputDir: out}
	d.name = d.nameOf(commonDir(paths))
	if err := d.checkNames(); err != nil {
		return nil, err
	}
	d.chooseOutput()
	if err := d.addSources(ctx); err != nil {
		return nil, err
	}
	s, err := d.inspect(ctx)
	if err != nil {
		return nil, err
	}
	d.addFindings(s)
	d.checkConvert()
	if !d.payload && !d.hasFeatures() {
		return nil, &input.MismatchError{Path: s.label, Text: nothing(d.features)}
	}
	if _, err := d.parse(); err != nil {
		return nil, fmt.Errorf("the config that was made of %s is faulty, which is a mistake in tfr-build: %w",
			paths[0], err)
	}
	return &Config{Name: d.name, Text: d.text()}, nil
}

// nothing returns the text of an error if no column can be a feature, with the first reasons.
func nothing(features []feature) string {
	const most = 3
	text := "no column can be a feature as it is"
	for i, f := range features[:min(len(features), most)] {
		text += []string{": ", "; ", "; "}[i] + schema.Quote(f.key) + ", skipped: " + f.note
	}
	return text
}

// Features inspects the sources of a config, and returns the block `features` that Look would write
// for them.
func Features(ctx context.Context, cfg *config.Config, sys *files.System, workers int) (string, error) {
	d := &draft{findings: &findings{System: sys, types: describeTypes(), workers: workers}}
	d.typ = d.types.find(cfg.Sources[0].Kind.Name)
	s, err := d.open(ctx, cfg)
	if err != nil {
		return "", err
	}
	p := new(configText)
	d.addFeatures(s, false)
	d.writeFeatures(p)
	return p.String(), nil
}

// nameOf returns the name of a dataset made from an absolute path.
func (d *draft) nameOf(path string) string {
	base := strings.ToLower(store.Base(path))
	if isDir, err := d.IsDir(path); err == nil && !isDir {
		base, _, _ = strings.Cut(strings.TrimLeft(base, "."), ".")
	}
	name := strings.Trim(notInNames.ReplaceAllString(base, "_"), "_")
	if name != "" && name[0] <= '9' {
		name = "data_" + name
	}
	return cmp.Or(strings.TrimRight(name[:min(len(name), 100)], "_"), "data")
}

// commonDir returns the path, or for several paths the directory that contains all of them.
func commonDir(paths []string) string {
	dir := paths[0]
	for _, p := range paths {
		for !within(p, dir) {
			dir = store.Dir(dir)
		}
	}
	return dir
}

// within reports whether a path is a directory or is inside it.
func within(path, dir string) bool {
	return path == dir || dir == "." || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// share returns words such as "3 of 40 rows".
func share(n, all int, noun string) string {
	return fmt.Sprintf("%d of %s", n, plural.Of(all, noun))
}
