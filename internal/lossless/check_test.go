package lossless

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/infer"
	"tfr-build/tfrecord"
)

// namesLoss matches comments about numbers that a float32 changes.
var namesLoss = regexp.MustCompile(`2\^24|16777216|16,777,216|float32|digits`)

// An Answer is what init wrote for an input, and what is wrong with it.
type Answer struct {
	Config  []byte
	Rows    int
	Columns int
	Faults  []string // empty if the dataset has all values
}

func (a *Answer) fault(format string, args ...any) {
	const most = 40
	if text := fmt.Sprintf(format, args...); len(a.Faults) < most && !slices.Contains(a.Faults, text) {
		a.Faults = append(a.Faults, text)
	}
}

// Check writes the config for the inputs at paths, builds it, and compares the records with the
// rows. It writes into dir.
func Check(ctx context.Context, dir string, paths []string, rows []Row) (*Answer, error) {
	a := &Answer{Rows: len(rows)}
	columns := columnsOf(rows)
	a.Columns = len(columns)
	c, err := infer.Inspect(ctx, paths, infer.Options{Dir: dir, Workers: 1})
	if err != nil {
		a.fault("init: %v", err)
		return a, nil
	}
	a.Config = c.Text
	w, err := parse(c.Text)
	if err != nil {
		return nil, err
	}
	a.checkCoverage(w, columns)
	if !a.check(ctx, dir, c.Text, "the config") {
		return a, nil
	}
	a.compare(ctx, dir, w, c.Text, rows, "")
	lines, configs := w.uncommented()
	valid := map[int]bool{}
	for i, line := range lines {
		if a.check(ctx, dir, configs[i], fmt.Sprintf("with the line %q", strings.TrimSpace(w.lines[line]))) {
			for _, f := range w.features {
				if f.line == line {
					valid[line] = true
				}
			}
		}
	}
	if len(valid) > 0 && len(a.Faults) == 0 {
		text := w.with(func(line int) bool { return valid[line] })
		if w, err = parse(text); err != nil {
			return nil, err
		}
		a.compare(ctx, dir, w, text, rows, "with all commented features: ")
	}
	return a, nil
}

var run = pipeline.Run{Workers: 1, Memory: pipeline.MinMemory}

// check reports whether check accepts a config.
func (a *Answer) check(ctx context.Context, dir string, text []byte, what string) bool {
	file := filepath.Join(dir, "check.yaml")
	err := os.WriteFile(file, text, 0o600)
	if err == nil {
		var cfg *config.Config
		if cfg, err = config.Load(file); err == nil {
			err = pipeline.Check(ctx, cfg, run)
		}
	}
	if err != nil {
		a.fault("%s: %v", what, err)
	}
	return err == nil
}

// columnsOf returns the paths of all values of rows, without positions in lists.
func columnsOf(rows []Row) (columns []string) {
	seen := map[string]bool{}
	var walk func(path, prefix string, v any)
	walk = func(path, prefix string, v any) {
		switch v := v.(type) {
		case Object:
			for _, m := range v {
				if m.Key == Text {
					walk(path, prefix, m.Value)
				} else {
					walk(prefix+m.Key, prefix+m.Key+".", m.Value)
				}
			}
			return
		case []any:
			for _, e := range v {
				walk(path, prefix, e)
			}
			return
		case nil:
			return
		}
		if !seen[path] {
			seen[path] = true
			columns = append(columns, path)
		}
	}
	for _, r := range rows {
		walk("", "", r.Value)
	}
	return columns
}

var position = regexp.MustCompile(`\.(\*|\d+)(\.|$)`)

// bare returns a path without positions in lists.
func bare(path string) string {
	for position.MatchString(path) {
		path = position.ReplaceAllString(path, "$2")
	}
	return path
}

// checkCoverage finds columns that no line of the config names.
func (a *Answer) checkCoverage(w *written, columns []string) {
	named := map[string]bool{}
	for _, f := range w.features {
		for _, name := range f.from {
			named[name], named[bare(name)] = true, true
		}
	}
	for _, m := range append(w.sources, map[string]any{"split": w.split}) {
		if split, ok := m["split"].(map[string]any); ok {
			named[fmt.Sprint(split["column"])] = true
		}
		for _, kind := range m {
			if options, ok := kind.(map[string]any); ok {
				named[fmt.Sprint(options["keys"])] = true
			}
		}
	}
	for _, key := range joinKeys(w.sources) {
		named[key] = true
	}
	var comments strings.Builder
	for _, line := range w.lines {
		if m := comment.FindStringSubmatch(line); m != nil {
			comments.WriteString(m[2] + "\n")
		}
	}
	inJSON := func(column string) bool {
		return slices.ContainsFunc(w.features, func(f feature) bool {
			return f.isJSON && strings.HasPrefix(column+".", bare(f.from[0])+".")
		})
	}
	for _, column := range columns {
		if inJSON(column) {
			continue
		}
		if !named[column] && !named[bare(column)] && !inComment(comments.String(), column) {
			a.fault("the column %q is in no line", column)
		}
	}
}

// joinKeys returns the columns of the tables of joins that rows have, too.
func joinKeys(sources []map[string]any) (keys []string) {
	for _, s := range sources {
		joins, ok := s["join"].([]any)
		if !ok {
			joins = []any{s["join"]}
		}
		for _, j := range joins {
			j, _ := j.(map[string]any)
			prefix, _ := j["prefix"].(string)
			on, _ := j["on"].(map[string]any)
			for _, theirs := range on {
				keys = append(keys, prefix+fmt.Sprint(theirs))
			}
		}
	}
	return keys
}

// skipped matches comments on columns that cannot be features.
var skipped = regexp.MustCompile(`^("(?:[^"\\]|\\.)*") is skipped`)

// inComment reports whether a comment begins with a path above the column, or names the column in
// quotes.
func inComment(comments, column string) bool {
	if strings.Contains(comments, fmt.Sprintf("%q", column)) {
		return true
	}
	for line := range strings.Lines(comments) {
		key, _, ok := strings.Cut(line, ":")
		key = strings.Trim(strings.ReplaceAll(key, "/", "."), `"'`)
		if m := skipped.FindStringSubmatch(line); m != nil {
			path, err := strconv.Unquote(m[1])
			key, ok = bare(path), err == nil
		}
		if ok && (key == column || strings.HasPrefix(column, key+".")) {
			return true
		}
	}
	return false
}

// The features that say which row a record is of.
const sourceKey, fileKey, offsetKey = "lossless_source", "lossless_file", "lossless_offset"

const marks = `  ` + sourceKey + `: {from: "@source", type: string}
  ` + fileKey + `: {from: "@file", type: string}
  ` + offsetKey + `: {from: "@offset", type: int64}
`

// A record is what a dataset has for a row.
type record struct {
	source string
	file   string
	offset int64
	values map[string][]any
	reject string // why the row is in no record
}

// compare builds a config and compares the records with the rows.
func (a *Answer) compare(ctx context.Context, dir string, w *written, text []byte, rows []Row, what string) {
	if w.payload {
		return
	}
	block := "features:"
	if slices.ContainsFunc(w.lines, func(line string) bool { return strings.HasPrefix(line, "sequence:") }) {
		block = "sequence:"
	}
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		b.Write(line)
		if bytes.HasPrefix(line, []byte(block)) {
			b.WriteString(marks)
		}
	}
	records, classes, err := build(ctx, dir, b.Bytes())
	if err != nil {
		a.fault("%sbuild: %v", what, err)
		return
	}
	rejected := 0
	for _, r := range records {
		if r.reject != "" {
			rejected++
		}
	}
	if rejected > 0 && !strings.Contains(string(text), fmt.Sprintf("%d", rejected)) {
		a.fault("%s%d rows are rejected, and no comment has the number: %s", what, rejected,
			records[slices.IndexFunc(records, func(r record) bool { return r.reject != "" })].reject)
	}
	if len(records) != len(rows) {
		a.fault("%s%d rows, and %d records with %d rejects", what, len(rows), len(records), rejected)
		return
	}
	if rows, records, err = pair(rows, records); err != nil {
		a.fault("%s%v", what, err)
		return
	}
	var null []string
	trim := false
	for _, s := range w.sources {
		for _, kind := range s {
			if options, ok := kind.(map[string]any); ok {
				null = append(null, stringsOf(options["null_values"])...)
				trim = trim || options["trim"] == true
			}
		}
	}
	for _, f := range w.features {
		if f.commented || strings.HasPrefix(f.key, "lossless_") {
			continue
		}
		c := comparer{feature: f, null: append(stringsOf(f.spec["null_values"]), null...), trim: trim}
		if own, ok := classes[f.key]; ok {
			c.classes, c.first = own.Names, own.First
		}
		a.compareFeature(&c, rows, records, what)
	}
}

func (a *Answer) compareFeature(c *comparer, rows []Row, records []record, what string) {
	known := false
	for i, r := range rows {
		if records[i].reject != "" {
			continue
		}
		var want []any
		for _, name := range c.from {
			v := at(r.Value, strings.Split(name, "."))
			if _, is := v.(missing); !is {
				known = true
			}
			want = append(want, v)
		}
		if !known {
			continue
		}
		var v any = want
		if len(want) == 1 {
			v = want[0]
		}
		stored := records[i].values[c.key]
		if flat, ok := records[i].values[c.key+"/ragged_flat_values"]; ok {
			stored = flat
		}
		if text := c.compare(v, stored); text != "" {
			a.fault("%s%s, row %d: %s", what, c.key, i+1, text)
			return
		}
	}
	if c.merges() {
		a.fault("%s%s: %d different numbers are %d as float32, and no comment says so", what, c.key, len(c.numbers),
			len(c.floats))
	}
}

func stringsOf(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			list = append(list, fmt.Sprint(e))
		}
	}
	return list
}

// pair returns the rows and their records in one order: that of the files, and of the rows in each.
func pair(rows []Row, records []record) ([]Row, []record, error) {
	byFile := map[string][]Row{}
	for _, r := range rows {
		byFile[r.File] = append(byFile[r.File], r)
	}
	groups := map[string][]record{}
	for _, r := range records {
		name := r.source + "\x00" + r.file
		groups[name] = append(groups[name], r)
	}
	rows, records = nil, nil
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		source, file, _ := strings.Cut(name, "\x00")
		group := groups[name]
		slices.SortStableFunc(group, func(x, y record) int { return cmp.Compare(x.offset, y.offset) })
		var found []string
		for path := range byFile {
			if path == file || strings.HasSuffix(path, "/"+file) {
				found = append(found, path)
			}
		}
		if len(found) > 1 { // the name of a source is that of its directory
			found = slices.DeleteFunc(found, func(path string) bool {
				return !slices.Contains(strings.Split(path, "/"),
					source)
			})
		}
		if len(found) != 1 || len(byFile[found[0]]) != len(group) {
			return nil, nil, fmt.Errorf("%d records are of %s in %s, which are the files %v", len(group), file,
				source, found)
		}
		rows, records = append(rows, byFile[found[0]]...), append(records, group...)
		delete(byFile, found[0])
	}
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		return nil, nil, fmt.Errorf("no record is of %s", path)
	}
	return rows, records, nil
}

// build builds a config, and returns the records and rejects of all splits.
func build(ctx context.Context, dir string, text []byte) (records []record, classes map[string]dataset.ClassList,
	err error) {
	file, output := filepath.Join(dir, "build.yaml"), filepath.Join(dir, "out")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, nil, err
	}
	cfg, err := config.Load(file)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(output), os.RemoveAll(output+".rejects.jsonl")) }()
	r := run
	r.Output = output
	if _, err := pipeline.Build(ctx, cfg, r); err != nil {
		return nil, nil, err
	}
	if classes, err = readClasses(output); err != nil {
		return nil, nil, err
	}
	if rejects, err := os.ReadFile(output + ".rejects.jsonl"); err == nil {
		for line := range bytes.Lines(rejects) {
			var r struct {
				Name    string
				File    string
				Offset  int64
				Message string
			}
			if err := json.Unmarshal(line, &r); err != nil {
				return nil, nil, err
			}
			records = append(records, record{source: r.Name, file: r.File, offset: r.Offset, reject: r.Message})
		}
	}
	shards, err := filepath.Glob(filepath.Join(output, "*-?????-of-?????*"))
	if err != nil {
		return nil, nil, err
	}
	for _, shard := range shards {
		if records, err = readShard(records, shard); err != nil {
			return nil, nil, err
		}
	}
	return records, classes, nil
}

func readClasses(output string) (map[string]dataset.ClassList, error) {
	text, err := os.ReadFile(filepath.Join(output, "_tfr", "manifest.json"))
	if err != nil {
		return nil, err
	}
	var manifest struct{ Classes []dataset.ClassList }
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, err
	}
	classes := map[string]dataset.ClassList{}
	for _, c := range manifest.Classes {
		classes[c.Key] = c
	}
	return classes, nil
}

func readShard(records []record, shard string) ([]record, error) {
	f, err := os.Open(shard)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := tfrecord.NewReader(f, tfrecord.Options{})
	for {
		payload, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		records = append(records, readRecord(payload)...)
	}
}

// readRecord returns the values of an Example, or of each step of a SequenceExample.
func readRecord(payload []byte) []record {
	context := map[string][]any{}
	var steps []record
	message.Walk(message.KindOf(payload), payload, func(key []byte, f message.Feature) {
		context[string(key)] = valuesOf(f)
	}, func(key []byte, l message.FeatureList) {
		i := 0
		for f := range l.Steps() {
			if i == len(steps) {
				steps = append(steps, record{values: map[string][]any{}})
			}
			steps[i].values[string(key)] = valuesOf(f)
			i++
		}
	})
	if steps == nil {
		steps = []record{{values: map[string][]any{}}}
	}
	for i := range steps {
		for key, list := range context {
			steps[i].values[key] = list
		}
		if source := steps[i].values[sourceKey]; len(source) == 1 {
			steps[i].source = string(source[0].([]byte))
		}
		if file := steps[i].values[fileKey]; len(file) == 1 {
			steps[i].file = string(file[0].([]byte))
		}
		if offset := steps[i].values[offsetKey]; len(offset) == 1 {
			steps[i].offset = offset[0].(int64)
		}
	}
	return steps
}

func valuesOf(f message.Feature) (list []any) {
	switch f.List {
	case message.BytesList:
		for b := range f.Bytes() {
			list = append(list, slices.Clone(b))
		}
	case message.FloatList:
		for x := range f.Floats() {
			list = append(list, x)
		}
	case message.Int64List:
		for x := range f.Ints() {
			list = append(list, x)
		}
	}
	return list
}
