package infer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/pipeline/config"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A draft is a config that is being written.
type draft struct {
	*findings
	name      string
	output    string
	dir       string // absolute directory of the config
	outputDir string // absolute directory that output is relative to

	list     []source
	split    []line // split of the sources that do not have their own
	features []feature
	payload  bool   // the records become the payload as they are, without features
	equal    []line // commented keys about equal rows
	onError  []line // lines of on_error
	lost     int    // percentage of the rows that it may skip
	coco     *coco  // COCO's layout; nil for other documents
	images   []*imageColumn
	tree     *tree // the first directory whose files are rows; nil for tables

	keepSizes bool // no commented key makes the images one size
}

// A source is a source of a draft: the keys of its source type, and the others.
type source struct {
	name  string
	split string
	steps []line
	keys  []line

	files     []found
	fileLines int                       // how many of the keys name the files
	arrays    map[string][]input.Option // in a document
}

// bySplit returns a source for each array of a document, if their names are splits.
func (s source) bySplit() (list []source) {
	names := sortedKeys(s.arrays)
	if len(names) < 2 || s.split != "" || len(filter(names, isSplitWord)) < len(names) {
		return []source{s}
	}
	for _, name := range names {
		of := s
		of.split, of.keys = splitOf(name), slices.Concat(s.keys[:s.fileLines], optionLines(s.arrays[name]))
		list = append(list, of)
	}
	return list
}

// addSources adds the sources, with the keys that do not depend on rows.
func (d *draft) addSources(ctx context.Context) error {
	if len(d.trees) > 0 {
		d.tree = &d.trees[0]
		return d.addTreeSources()
	}
	all, keysOf := d.files, d.filePattern
	if d.typ.Parts != nil {
		var err error
		if all, err = d.listParts(ctx, d.files); err != nil {
			return err
		}
		keysOf = d.columnLines
	}
	d.resolveSplits(all)
	groups, err := d.apart(ctx, byForm(d.typ, all))
	if err != nil {
		return err
	}
	for i, g := range groups {
		s := source{split: g[0].split, files: g}
		files, err := keysOf(ctx, g)
		if err != nil {
			return err
		}
		s.keys, s.fileLines = files, len(files)
		if err := d.addChoice(ctx, &s, g, i == 0); err != nil {
			return err
		}
		path, err := d.pathColumns(ctx, s)
		if err != nil {
			return err
		}
		s.steps = append(path, s.steps...)
		d.list = append(d.list, s.bySplit()...)
	}
	d.nameSources()
	if d.typ == d.types.lineType() {
		d.noteParallel(pathsOf(all))
	}
	if len(d.list) == 1 && d.list[0].split != "" {
		d.split, d.list[0].split = []line{entry("split: "+d.list[0].split, "as the name says")}, ""
	}
	return nil
}

// pathColumns returns the step that makes columns of the paths of a source, which may be commented. Partitions that the
// first file has as columns get another name.
func (d *draft) pathColumns(ctx context.Context, s source) ([]line, error) {
	keys, note := partitionKeys(s.files), "the directories are partitions"
	switch pattern := namePattern(s.files); {
	case d.typ.Parts != nil, len(keys) == 0 && pattern == "":
		return nil, nil
	case len(keys) == 0:
		return []line{entry(commentedPath+quoted(pattern), "would make these parts of the paths columns")}, nil
	}
	first, err := d.filePattern(ctx, s.files[:1])
	if err != nil {
		return nil, err
	}
	s.keys = slices.Concat(first, s.keys[s.fileLines:])
	src, err := d.openAlone(ctx, s)
	if err != nil {
		return nil, err
	}
	names, err := src.SampleNames(ctx, namesMost)
	for i, key := range keys {
		if name, _, _ := strings.Cut(key, "="); slices.Contains(names, name) {
			keys[i], note = name+"={"+name+"_path}", note+"; files have a column "+shown(name)+", too"
		}
	}
	return []line{entry("from_path: "+quoted("**/"+strings.Join(keys, "/")+"/*"), note)}, err
}

// apart divides documents in COCO's layout, whose images have IDs of their own in each.
func (d *draft) apart(ctx context.Context, groups [][]found) (list [][]found, err error) {
	for _, g := range groups {
		is := false
		if len(g) > 1 {
			if is, err = d.isCOCO(ctx, g[0]); err != nil {
				return nil, err
			}
		}
		switch {
		case !is:
			list = append(list, g)
		case len(g) > mostArchives:
			return nil, &input.MismatchError{Path: g[0].path, Hint: "name some of them, or make one document of all",
				Text: fmt.Sprintf("is one of %d documents in COCO's layout with IDs of their own; init writes a "+
					"source of each for at most %d", len(g), mostArchives)}
		default:
			list = slices.AppendSeq(list, slices.Chunk(g, 1))
		}
	}
	return list, nil
}

// nameSources gives the sources names if files of different ones have the same name.
func (d *draft) nameSources() {
	of, isNamed := map[string]int{}, false
	for i, s := range d.list {
		for _, f := range s.files {
			was, ok := of[base(f.path)]
			isNamed, of[base(f.path)] = isNamed || ok && was != i, i
		}
	}
	seen := map[string]bool{}
	for i := range d.list {
		if s := &d.list[i]; isNamed {
			if s.name = cmp.Or(s.split, "data"); seen[s.name] {
				s.name = fmt.Sprintf("%s_%d", s.name, i+1)
			}
			seen[s.name] = true
		}
	}
}

// noteParallel adds a comment on text files that may be parallel, as in two languages: files of one split, with equal
// numbers in their names, have as many lines.
func (d *draft) noteParallel(paths []string) {
	const most, least, few, mostCounted = 8, 10, 3, 8 << 20
	groups := map[string][]string{}
	for _, p := range paths[:min(len(paths), lookedMost)] {
		key := splitOf(p) + fmt.Sprint(digits.FindAllString(p, -1))
		groups[key] = append(groups[key], p)
	}
	lines := func(path string) int {
		data, err := d.ReadFile(path, mostCounted)
		switch n := bytes.Count(data, []byte("\n")); {
		case err != nil: // all files of a group may be larger
			return -1
		case n < least || !isText(data):
			return 0
		default:
			return n
		}
	}
	keys := sortedKeys(groups)
	for _, key := range keys[:min(len(keys), few)] {
		g := groups[key]
		if len(g) < 2 || len(g) > most {
			continue
		}
		n := lines(g[0])
		if n == 0 || slices.ContainsFunc(g[1:], func(p string) bool { return lines(p) != n }) {
			continue
		}
		for i := range g {
			g[i] = d.relative(g[i])
		}
		d.note("If %s and %s belong together line by line, as in two languages: `paste %s > %s.tsv` makes a row "+
			"of each line.", shown(g[0]), shown(g[1]), strings.Join(g, " "), cmp.Or(splitOf(key), "rows"))
		return
	}
}

// divide makes a source of the files that have the same columns, if files lack columns of others, so that no column is
// lost. It reports whether it did.
func (d *draft) divide(ctx context.Context, lacking []string) (bool, error) {
	const mostFiles, mostSources = 32, 8
	var list []source
	if len(lacking) == 0 || d.typ.Parts != nil {
		return false, nil
	}
	withFiles := func(of source, files []found) (source, error) {
		keys, err := d.filePattern(ctx, files)
		if err == nil {
			of.files, of.keys, of.fileLines = files, slices.Concat(keys, of.keys[of.fileLines:]), len(keys)
		}
		return of, err
	}
	for _, all := range d.list {
		at := map[string]int{} // by the columns that the files lack
		for _, f := range all.files {
			one, err := withFiles(all, []found{f})
			if err != nil || len(all.files) > mostFiles {
				return false, err
			}
			has, err := d.columnsOf(ctx, one, lacking)
			if err != nil {
				return false, err
			}
			lacks := without(lacking, has)
			key := strings.Join(lacks, "\n")
			if _, known := at[key]; !known {
				var derived []line
				for _, name := range lacks {
					derived = append(derived, entry(scalar(name)+`: "null"`, "other files have this column"))
				}
				one.derive(derived)
				at[key], one.files = len(list), nil
				list = append(list, one)
			}
			list[at[key]].files = append(list[at[key]].files, f)
		}
	}
	if len(list) > mostSources {
		return false, nil
	}
	for i, of := range list {
		var err error
		if list[i], err = withFiles(of, of.files); err != nil {
			return false, err
		}
	}
	d.list = list
	d.nameSources()
	return true, nil
}

// derive adds columns to those that the source derives.
func (s *source) derive(columns []line) {
	i := slices.IndexFunc(s.steps, func(l line) bool { return l.text == "derive:" })
	if i < 0 {
		i, s.steps = len(s.steps), append(slices.Clip(s.steps), bare("derive:"))
	}
	s.steps[i].below = append(slices.Clip(s.steps[i].below), columns...)
}

// columnsOf returns the columns of a list that a source has.
func (d *draft) columnsOf(ctx context.Context, s source, names []string) ([]string, error) {
	src, err := d.openAlone(ctx, s)
	if err != nil {
		return nil, err
	}
	return bindable(src, names, func(string, *input.MismatchError) {})
}

// openAlone opens a source as it would be without others.
func (d *draft) openAlone(ctx context.Context, s source) (*sources.Source, error) {
	cfg, err := d.of(d.typ, s).parse()
	if err != nil {
		return nil, err
	}
	return d.openSource(ctx, cfg, 0)
}

// addChoice adds the options that the source type chooses for the files of a source.
func (d *draft) addChoice(ctx context.Context, s *source, g []found, first bool) error {
	typ := g[0].typ
	d.notes = append(d.notes, g[0].match.Notes...)
	if typ.Choose == nil {
		return nil
	}
	choice, err := d.choose(ctx, g...)
	if err != nil {
		return err
	}
	if choice.Type != "" {
		typ = d.types.find(choice.Type)
	}
	if !first && typ != d.typ {
		return mixed(g[0].path, typ.name, d.typ.name)
	}
	d.typ = typ
	s.addJoins(typ.name, choice.Joins)
	if s.arrays = choice.Arrays; choice.Note != "" {
		d.notes = append(d.notes, choice.Note)
	}
	s.keys = append(s.keys, optionLines(choice.Options)...)
	if choice.COCO != nil {
		d.coco = &coco{COCO: choice.COCO, from: typ}
	}
	return nil
}

// optionLines returns the lines of options.
func optionLines(list []input.Option) (lines []line) {
	for _, o := range list {
		lines = append(lines, entry(o.Name+": "+valueText(o.Value), o.Note))
	}
	return lines
}

// valueText returns the value of an option as it is written in a config.
func valueText(value any) string {
	switch v := value.(type) {
	case string:
		return scalar(v)
	case []string:
		return list(v)
	}
	return fmt.Sprint(value)
}

// addJoins adds the joins of tables in the files of a source, which must have the keys of its
// files.
func (s *source) addJoins(typ string, joins []input.TableJoin) {
	join := bare("join:")
	for _, j := range joins {
		table := typ + ": " + flat(slices.Concat(s.keys, optionLines(j.Options)))
		many := ""
		if j.Many {
			many = "true"
		}
		join.items = append(join.items, []line{entry(table, j.Note), bare("on: {" + j.Ours + ": " + j.Theirs + "}"),
			bare("many: " + many), bare("prefix: " + j.Prefix)})
	}
	s.steps = append(s.steps, join)
}

// inspect parses the draft, and inspects the rows. It fixes the draft if the rows show a mistake.
func (d *draft) inspect(ctx context.Context) (*summary, error) {
	s, err := d.inspectOnce(ctx)
	for reread := true; err == nil && reread; {
		if reread = d.revise(s); !reread {
			reread, err = d.divide(ctx, s.lacking)
		}
		if reread {
			s, err = d.inspectOnce(ctx)
		}
	}
	if err == nil {
		err = s.rowsError()
	}
	if err == nil && d.coco != nil {
		err = d.coco.inspect(ctx, d)
	}
	if err == nil {
		err = d.findImages(ctx, s)
	}
	return s, err
}

// revise adds an option that the rows show to be necessary. It reports whether the option changes
// the rows.
func (d *draft) revise(s *summary) bool {
	if d.typ.Revise == nil {
		return false
	}
	if len(s.columns) > 0 && strings.HasPrefix(s.columns[0].name, "#") {
		s.Hashes++ // the names
	}
	s.Images, s.Has = s.imageColumn(), func(key string) bool { return has(d.list[0].keys, key) }
	r := d.typ.Revise(&s.Reading)
	if r == nil {
		return false
	}
	d.addKeys(optionLines([]input.Option{r.Option})...)
	return r.Reread
}

// addKeys adds keys to all sources.
func (d *draft) addKeys(keys ...line) {
	for i := range d.list {
		d.list[i].keys = append(d.list[i].keys, keys...)
	}
}

// chooseOutput chooses an output directory that contains no input, and is not inside a directory of
// input.
func (d *draft) chooseOutput() {
	for _, output := range []string{"out/" + d.name, "out/" + d.name + "_again", "../out/" + d.name,
		"../" + d.name + "_dataset"} {
		at := filepath.Join(d.outputDir, output)
		d.output = d.relative(at)
		holds := slices.ContainsFunc(d.files, func(t found) bool { return within(t.path, at) })
		meets := slices.ContainsFunc(d.trees, func(t tree) bool { return within(t.dir, at) || within(at, t.dir) })
		if !holds && !meets {
			return
		}
	}
}

// inspectOnce inspects the rows with the current draft.
func (d *draft) inspectOnce(ctx context.Context) (*summary, error) {
	cfg, err := d.parse()
	if err != nil {
		return nil, err
	}
	return d.open(ctx, cfg)
}

// parse parses the text of the draft as a config. It skips each feature that the config rejects,
// with the reason.
func (d *draft) parse() (*config.Config, error) {
	for {
		cfg, err := d.parseText(d.text())
		var p *config.Problems
		if !errors.As(err, &p) || !d.skipInvalid(p) {
			return cfg, err
		}
	}
}

// parseText parses a config that is near its files.
func (d *draft) parseText(text []byte) (*config.Config, error) {
	return config.Parse(filepath.Join(d.dir, d.name+".yaml"), text, func(string) (string, bool) { return "", false })
}

// skipInvalid skips the features that have problems. It reports whether it skipped any.
func (d *draft) skipInvalid(p *config.Problems) (some bool) {
	for i := range d.features {
		f := &d.features[i]
		at := "features." + f.key
		for _, q := range p.List {
			if !f.skipped && (q.Path == at || strings.HasPrefix(q.Path, at+".")) {
				*f = f.asComment(q.Text)
				some = true
			}
		}
	}
	return some
}
