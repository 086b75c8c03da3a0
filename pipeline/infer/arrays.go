package infer

import (
	"archive/zip"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/arrays"
	"tfr-build/sources/column"
	"tfr-build/sources/compress"
	"tfr-build/sources/input"
)

// An arrayRef is an array: a file, or a member of an archive.
type arrayRef struct {
	path, member string
	column       string // name of its column
	split        string
	rows         int64
}

// ref returns the name of the array for a config.
func (u *arrayRef) ref(d *draft) string {
	name := d.relative(u.path)
	if u.member != "" || strings.Contains(name, "#") {
		name += "#" + u.member
	}
	return name
}

// addArraySources adds the sources of arrays. Arrays of the same length are columns of one source.
func (d *draft) addArraySources(ctx context.Context, all []found) error {
	var refs []arrayRef
	for _, f := range all {
		members, err := d.membersOf(&f)
		if err != nil {
			return err
		}
		for _, m := range members {
			u := arrayRef{path: f.path, member: m}
			name := m
			if m == "" {
				name = base(f.path)
			}
			u.column, u.split = columnOf(name), splitOf(name)
			if u.split == "" {
				u.split = f.split
			}
			if u.rows, err = d.rowsOf(ctx, &u); err != nil {
				return err
			}
			refs = append(refs, u)
		}
	}
	groups := bySplitAndLength(refs)
	for _, g := range groups {
		s := source{split: g[0].split}
		s.keys = append(s.keys, line{text: "columns:"})
		for i, u := range g {
			if u.rows != g[0].rows {
				return &input.FitError{Path: u.path, Text: fmt.Sprintf("%s has %s, but %s has %d: they are not columns of the same rows", u.name(), plural.Of(u.rows, "row"), g[0].name(), g[0].rows), Hint: "name arrays of one length"}
			}
			note := ""
			if i == 0 {
				note = plural.Of(u.rows, "row")
			}
			s.keys = append(s.keys, line{"  " + scalar(u.column) + ": " + scalar(u.ref(d)), note})
		}
		d.list = append(d.list, s)
	}
	if len(d.list) == 1 && d.list[0].split != "" {
		d.split, d.list[0].split = []line{{"split: " + d.list[0].split, "as the name says"}}, ""
	}
	seen := map[string]bool{}
	for i, g := range groups {
		if name := base(g[0].path); seen[name] {
			for k := range d.list[:i+1] {
				d.list[k].name = d.list[k].split
			}
		}
		seen[base(g[0].path)] = true
	}
	return nil
}

func (u *arrayRef) name() string {
	if u.member != "" {
		return base(u.path) + "#" + u.member
	}
	return base(u.path)
}

// bySplitAndLength groups arrays by the splits in their names, if all names have one.
func bySplitAndLength(refs []arrayRef) (groups [][]arrayRef) {
	if slices.ContainsFunc(refs, func(u arrayRef) bool { return u.split == "" }) {
		for i := range refs {
			refs[i].split = ""
		}
	}
	var splits []string
	for _, u := range refs {
		splits = append(splits, u.split)
	}
	splits = unique(splits)
	slices.SortStableFunc(splits, func(a, b string) int { return splitOrder(a) - splitOrder(b) })
	for _, split := range splits {
		var g []arrayRef
		seen := map[string]bool{}
		for _, u := range refs {
			if u.split != split {
				continue
			}
			for seen[u.column] {
				u.column += "_"
			}
			seen[u.column] = true
			g = append(g, u)
		}
		groups = append(groups, g)
	}
	return groups
}

// membersOf returns the names of the arrays in an archive. For other files it is one empty name.
func (d *draft) membersOf(f *found) ([]string, error) {
	if !f.fileType.npz {
		return []string{""}, nil
	}
	listed, err := d.Stat(base(f.path), f.path)
	if err != nil {
		return nil, &input.Error{Path: f.path, Err: err}
	}
	file, err := d.Open(f.path, &listed)
	if err != nil {
		return nil, &input.Error{Path: f.path, Err: err}
	}
	defer file.Close()
	z, err := zip.NewReader(file, listed.Size)
	if err != nil {
		return nil, &input.Error{Path: f.path, Err: err}
	}
	var list []string
	for _, m := range z.File {
		name := strings.TrimSuffix(m.Name, ".npy")
		switch {
		case strings.HasSuffix(m.Name, "/"):
		case strings.HasSuffix(name, "#"):
			d.notes = append(d.notes, fmt.Sprintf("The member %s of %s is left out: a config cannot name a member that ends with a #.", shown(name), base(f.path)))
		default:
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return nil, &input.FitError{Path: f.path, Text: "is an archive without an array"}
	}
	return list, nil
}

// rowsOf returns the number of rows of an array.
func (d *draft) rowsOf(ctx context.Context, u *arrayRef) (int64, error) {
	ref := u.path
	if u.member != "" || strings.Contains(ref, "#") {
		ref += "#" + u.member
	}
	o := &arrays.Options{Columns: input.ColumnFiles{{Column: "x", File: ref}}}
	in, err := o.Open(ctx, &input.Env{Files: d.System, Resolve: func(p string) string { return p }, Limits: input.Limits{Record: 1<<31 - 1}})
	if err == nil {
		err = in.ReadHeads(ctx)
	}
	if err != nil {
		return 0, err
	}
	return in.Address(0).Size, nil
}

// fileMarks matches words in the names of arrays that say how they are stored, not what they hold.
var fileMarks = regexp.MustCompile(`^(idx\d*|ubyte|npy|arr)$`)

// nameWords matches the words of a name, with their numbers.
var nameWords = regexp.MustCompile(`[A-Za-z0-9]+`)

// columnOf returns a column name from the name of an array: `train-images-idx3-ubyte` holds images.
func columnOf(name string) string {
	name = compress.AddressName(name)
	name = strings.TrimSuffix(name, path.Ext(name))
	words := nameWords.FindAllString(name, -1)
	words = slices.DeleteFunc(words, func(w string) bool {
		w = strings.ToLower(w)
		return fileMarks.MatchString(w) || isSplitWord(w) || w == "t10k"
	})
	if len(words) == 0 {
		return "data"
	}
	return strings.Join(words, "_")
}

// inspectArrays reads the types and shapes in the headers of arrays. It reads no values.
func (s *summary) inspectArrays(opened []*sources.Source) error {
	first := opened[0].Columns()
	for _, name := range first.Names() {
		c := &columnSummary{name: name}
		what, _ := first.Known(name)
		c.array, c.shape = what.Type, what.Shape
		for _, src := range opened[1:] {
			other, ok := src.Columns().Known(name)
			switch {
			case !ok:
				c.skipReason = "not in " + base(src.Listing().Label)
			case other.Type != what.Type || !slices.Equal(other.Shape, what.Shape):
				c.skipReason = fmt.Sprintf("it is %s in one split and %s in another", describe(&what), describe(&other))
			}
		}
		s.columns = append(s.columns, c)
	}
	return nil
}

func describe(c *column.Column) string {
	if len(c.Shape) == 0 {
		return c.Type
	}
	return c.Type + " of " + schema.ShapeText(c.Shape)
}

// arrayFeature returns the feature of an array.
func (c *chooser) arrayFeature(col *columnSummary) feature {
	f := feature{key: col.name, note: "as the header says"}
	if len(col.shape) > 0 {
		f.note = col.array + " of " + strings.ReplaceAll(strings.Trim(schema.ShapeText(col.shape), "[]"), ", ", " x ")
	}
	var s spec
	s.add("type", col.array)
	switch {
	case col.array == "uint8" && len(col.shape) > 1:
		s.add("raw", "true")
		f.note += ": a byte a pixel, for tf.io.decode_raw"
	case col.array == "float16":
		s.add("tensor", "true")
		f.note += ": for tf.io.parse_tensor"
	case col.array == "float64":
		s.keys = []string{"type: float"}
		f.note += ", as float32; {type: float64, tensor: true} would keep all bits"
	}
	f.spec = s.String()
	return f
}
