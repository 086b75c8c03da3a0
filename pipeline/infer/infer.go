// Package infer looks at files and writes the config that a person would have
// written for them, with what each choice goes by as a comment:
//
//	c, err := infer.Look(ctx, []string{"penguins.csv"}, infer.Options{Dir: "."})
//	os.Stdout.Write(c.Text)
//
// It has no reader of its own. What is certain before a row is read, the source, is
// written first, and opened as a build would open it:
//
//	paths ─survey─► files of one kind ─draft─► source: …          the kind, the delimiter, the splits of names
//	                                             │ config.Parse, sources.Open
//	                                             ▼
//	                        rows, all of them or a sample ─profile─► what each column holds
//	                                             │ choose
//	                                             ▼
//	                        features: …  split: …  null_values: …
//
// The rules are in docs/reference/init.md.
package infer

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Options say how a config is written.
type Options struct {
	System  *files.System // where the files are; nil for the local file system
	Dir     string        // the folder that the config will stand in
	Out     string        // the folder that the output will stand below; empty for Dir
	Workers int           // that list folders
}

// A Config is the text of a config.
type Config struct {
	Name string // of the dataset
	Text []byte
}

// Look looks at what stands at paths, which may be patterns, and writes the config of a
// dataset of that.
func Look(ctx context.Context, paths []string, opt Options) (*Config, error) {
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, err
	}
	if paths, err = operands(ctx, opt.System, paths); err != nil {
		return nil, err
	}
	found, err := survey(ctx, opt.System, paths)
	if err != nil {
		return nil, err
	}
	out, err := filepath.Abs(cmp.Or(opt.Out, dir))
	if err != nil {
		return nil, err
	}
	d := &draft{System: opt.System, dir: dir, out: out, workers: opt.Workers}
	d.name = d.nameOf(common(paths))
	if err := found.checkNames(d.relative); err != nil {
		return nil, err
	}
	if err := d.sources(ctx, found); err != nil {
		return nil, err
	}
	d.place(found)
	s, err := d.look(ctx)
	if err != nil {
		return nil, err
	}
	d.complete(s)
	if !d.payload && !slices.ContainsFunc(d.features, func(f feature) bool { return !f.out }) {
		return nil, &input.FitError{Path: s.label, Text: nothing(d.features)}
	}
	if _, err := d.parse(); err != nil {
		return nil, fmt.Errorf("the config that was made of %s is faulty, which is a mistake in tfr-build: %w", paths[0], err)
	}
	return &Config{Name: d.name, Text: d.text()}, nil
}

// nothing says why no column is a feature: the first reasons.
func nothing(features []feature) string {
	const most = 3
	text := "no column can be a feature as it is"
	for i, f := range features[:min(len(features), most)] {
		text += []string{": ", "; ", "; "}[i] + schema.Quote(f.key) + ", " + f.note
	}
	return text
}

// Features looks at the sources of a config, and writes the block `features` that
// Look would have written for them.
func Features(ctx context.Context, cfg *config.Config, sys *files.System, workers int) (string, error) {
	s, err := look(ctx, cfg, sys, workers)
	if err != nil {
		return "", err
	}
	d := &draft{}
	p := new(page)
	d.choose(s, false)
	d.writeFeatures(p)
	return p.String(), nil
}

// nameOf is the name of a dataset of what stands at path.
func (d *draft) nameOf(path string) string {
	if abs, err := store.Abs(path); err == nil {
		path = abs
	}
	base := strings.ToLower(store.Base(path))
	if isDir, err := d.IsDir(path); err == nil && !isDir {
		base, _, _ = strings.Cut(strings.TrimLeft(base, "."), ".")
	}
	var b strings.Builder
	for _, r := range base {
		if r < 'a' || r > 'z' { // the others are data_1, or _
			if b.Len() == 0 && r >= '0' && r <= '9' {
				b.WriteString("data_")
			}
			if r < '0' || r > '9' {
				r = '_'
			}
		}
		b.WriteRune(r)
	}
	name := strings.Trim(b.String(), "_")
	for strings.Contains(name, "__") {
		name = strings.ReplaceAll(name, "__", "_")
	}
	if name == "" {
		return "data"
	}
	return strings.TrimRight(name[:min(len(name), 100)], "_")
}

// common is the path, or of several the folder that holds all of them.
func common(paths []string) string {
	folder := paths[0]
	for _, p := range paths[1:] {
		abs, err := store.Abs(folder)
		other, fault := store.Abs(p)
		if err != nil || fault != nil {
			return paths[0]
		}
		for folder = abs; !within(other, folder); {
			folder = store.Dir(folder)
		}
	}
	return folder
}

// within reports whether a path is a folder or lies in it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// share is so many of all, in words.
func share[N int | int64](n, all N, noun string) string {
	return fmt.Sprintf("%d of %s", n, plural.Of(all, noun))
}
