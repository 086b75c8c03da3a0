package infer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A seen is what was found in the rows of a config's sources.
type seen struct {
	extent
	sys     *files.System
	kind    string
	columns []*columnSeen
	notes   []string // that stand at the top of the config
	folder  *folder  // of images and other files; else nil
	like    string   // the kind whose features those are, if it is not kind
	payload string   // why a record is taken whole; else empty
	blank   int      // lines of text that are empty
	label   string   // how messages call the input
	tables  []string // the paths of its files
}

// A columnSeen is what rows have under one name.
type columnSeen struct {
	name    string
	profile *profile // of texts without a type
	value   *value   // of values of JSON and of records
	record  *stored  // of the key of records
	kept    *kept    // of a column of Parquet
	array   string   // the type of an array, as its header says
	shape   []int    // and its shape
	image   *folder  // of images in samples of archives
	content string   // what there is to say of bytes that are no text, there
	lacking int      // rows without it, there
	out     string   // why nothing can be made of it; else empty
}

// look opens the sources of a config and looks at their rows.
func look(ctx context.Context, cfg *config.Config, sys *files.System, workers int) (*seen, error) {
	s := &seen{sys: sys, kind: cfg.Sources[0].Kind.Name}
	var opened []*sources.Source
	for i := range cfg.Sources {
		if name := cfg.Sources[i].Kind.Name; name != s.kind {
			return nil, &input.FitError{Text: fmt.Sprintf("the sources are of the kinds %s and %s", s.kind, name)}
		}
		src, err := open(ctx, cfg, sys, i, workers)
		if err != nil {
			return nil, err
		}
		opened = append(opened, src)
	}
	s.label, s.tables = opened[0].Listing().Label, opened[0].Listing().Paths
	switch s.kind {
	case "csv", "text":
		return s, s.cells(ctx, opened)
	case "jsonl", "json":
		return s, s.objects(ctx, opened)
	case "tfrecord":
		return s, s.records(ctx, opened)
	case "arrays":
		return s, s.arrays(opened)
	case "tar":
		return s, s.samples(ctx, opened)
	case "zip":
		return s, s.members(ctx, opened)
	case "parquet":
		return s, s.parquet(ctx, opened)
	}
	return s, s.files(ctx, cfg, opened)
}

// open opens a source as a build does.
func open(ctx context.Context, cfg *config.Config, sys *files.System, i, workers int) (*sources.Source, error) {
	env := &input.Env{
		Files:   sys,
		Resolve: cfg.Resolve, Workers: max(1, workers),
		Names: func(path string) ([]string, error) {
			return nil, &input.FitError{Path: path, Text: "class_per_file is not looked at"}
		},
		Limits: input.Limits{Record: int(cfg.Limits.Record), Columns: cfg.Limits.Columns, Depth: cfg.Limits.Depth, Pixels: cfg.Limits.Pixels},
	}
	src, err := sources.Open(ctx, cfg.Sources[i].Spec(), env)
	if err != nil {
		return nil, err
	}
	return src, src.ReadHeads(ctx, nil)
}

// mostKept is how many different texts are kept of all columns together, and
// leastKept of each.
const mostKept, leastKept = 400_000, mostClasses + 1

// cells looks at rows whose values are texts without a type.
func (s *seen) cells(ctx context.Context, opened []*sources.Source) error {
	names, err := s.common(opened)
	if err != nil {
		return err
	}
	most := min(10_000, max(leastKept, mostKept/max(1, len(names))))
	var slots []schema.Column
	var profiles []*profile
	for _, c := range s.columns {
		if c.out == "" {
			c.profile = newProfile(most)
			profiles = append(profiles, c.profile)
			slots = append(slots, schema.Column{Name: c.name})
		}
	}
	for _, src := range opened {
		nulls := make([][]string, len(names))
		for i, name := range names {
			nulls[i] = src.Nulls(name)
		}
		layout, err := src.Bind(slots)
		if err != nil {
			return err
		}
		err = rows(ctx, s.sys, src, layout, &s.extent, func(vals []schema.Value, _ []byte) {
			for i, p := range profiles {
				v := &vals[i]
				p.add(v.Text, !sources.IsMissing(nulls[i], v))
			}
		})
		if err != nil {
			return err
		}
	}
	if s.kind == "text" {
		s.blank = s.columns[0].profile.blanks()
	}
	return nil
}

// blanks takes the empty texts away, and says how many there were.
func (p *profile) blanks() int {
	n := p.missed[""]
	delete(p.missed, "")
	p.rows -= n
	return n
}

// common are the columns that every file has. The others are kept as what was left
// out. Files that have hardly one in common are not of one table.
func (s *seen) common(opened []*sources.Source) ([]string, error) {
	var all []string
	lacks := map[string]string{}
	for _, src := range opened {
		names, err := src.SampleNames(context.Background(), 0)
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	if all = unique(all); slices.Contains(all, "@0") { // the first cell; it stands behind those with names
		all = slices.Insert(slices.DeleteFunc(all, func(name string) bool { return name == "@0" }), 0, "@0")
	}
	names := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		why := unusable(name)
		if why != "" {
			lacks[name] = why
		}
		return why != ""
	})
	var first *input.FitError
	for _, src := range opened {
		var err error
		names, err = bindable(src, names, func(name string, fit *input.FitError) {
			if lacks[name] = "not in " + base(fit.Path); fit.Code == "CSV_DUP_HEADER" {
				lacks[name] = "two columns have this name; they go by their places"
				return
			}
			first = cmp.Or(first, fit)
		})
		if err != nil {
			return nil, err
		}
	}
	if first != nil && 2*len(names) < len(all) {
		return nil, &input.FitError{
			Path: first.Path, Code: input.MissingColumn,
			Text: fmt.Sprintf("no column %s: the files have %d of %d columns in common, and are not of one table", schema.Quote(first.Column), len(names), len(all)),
			Hint: "name the files of one table; join adds the columns of another one",
		}
	}
	for _, name := range all {
		s.columns = append(s.columns, &columnSeen{name: name, out: lacks[name]})
	}
	return names, nil
}

// bindable are those of the names that a source has as columns in each of its files;
// the others are told. It tries halves, since few are lacking.
func bindable(src *sources.Source, names []string, lacks func(name string, fit *input.FitError)) ([]string, error) {
	slots := make([]schema.Column, len(names))
	for i, name := range names {
		slots[i].Name = name
	}
	_, err := src.Bind(slots)
	if err == nil {
		return names, nil
	}
	fit := new(input.FitError)
	if !errors.As(err, &fit) {
		return nil, err
	}
	if len(names) == 1 {
		lacks(names[0], fit)
		return nil, nil
	}
	half := len(names) / 2
	one, err := bindable(src, names[:half], lacks)
	if err != nil {
		return nil, err
	}
	two, err := bindable(src, names[half:], lacks)
	return slices.Concat(one, two), err
}

// longestKey is how long a key of a config may be: YAML's have 1,024 characters at most,
// escapes and quotes counted.
const longestKey = 500

// unusable says why a config cannot name a column; empty where it can.
func unusable(name string) string {
	switch {
	case name == "":
		return "it has no name"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "a config cannot name a column with control characters"
	case len(name) > longestKey:
		return fmt.Sprintf("a config cannot name a column with more than %d bytes", longestKey)
	case rangeOf.MatchString(name):
		return "a config takes its name for a range"
	}
	return ""
}

// unique are texts without those that were there before.
func unique(texts []string) (list []string) {
	met := map[string]bool{}
	for _, s := range texts {
		if !met[s] {
			met[s] = true
			list = append(list, s)
		}
	}
	return list
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
