package infer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// A draft is a config while it is written.
type draft struct {
	*files.System
	name    string
	output  string
	dir     string // that it will stand in, absolute
	out     string // that the output will stand below, absolute
	workers int
	kind    string

	notes    []string // at the top
	list     []source
	split    []line // of all sources, but those that have their own
	features []feature
	payload  bool   // the records as they are, without features
	bad      []line // on_error
	lost     int    // percent of the rows that it leaves out
	rows     []line // of a JSON document, where they are
	coco     *coco  // its layout; else nil
}

// A source is one of a draft: the keys beside its kind, and those of the kind.
type source struct {
	name  string
	split string
	steps []line
	keys  []line
}

// has reports whether a key of the kind is written.
func (s *source) has(key string) bool {
	return slices.ContainsFunc(s.keys, func(l line) bool { return strings.HasPrefix(l.text, key+":") })
}

// sources writes what is certain before a row is read.
func (d *draft) sources(ctx context.Context, f *findings) error {
	d.kind, d.notes = f.kind, f.notes
	if len(f.trees) > 0 {
		return d.trees(f)
	}
	if f.kind == "arrays" {
		return d.arrays(ctx, f.files)
	}
	if f.kind == "json" {
		if err := d.documents(ctx, f.files); err != nil {
			return err
		}
	}
	groups := bySplit(f.files)
	named := clash(groups)
	for _, g := range groups {
		s := source{split: g[0].split}
		if named {
			s.name = cmp.Or(g[0].split, "data")
		}
		files, err := d.pattern(ctx, g)
		if err != nil {
			return err
		}
		s.keys = append(s.keys, files...)
		switch {
		case f.kind == "csv":
			if err := d.dialect(&s, g); err != nil {
				return err
			}
		case g[0].sort.framing == tfrecord.ArrayRecord:
			s.keys = append(s.keys, line{"format: array_record", "of Grain and tfds.data_source"})
		case g[0].sort.framing == tfrecord.OFRecord:
			s.keys = append(s.keys, line{"format: ofrecord", "records of OneFlow"})
		}
		if s.keys = append(s.keys, d.rows...); d.coco != nil {
			d.coco.write(&s)
		}
		d.list = append(d.list, s)
	}
	if len(d.list) == 1 && d.list[0].split != "" {
		d.split = []line{{"split: " + d.list[0].split, "as the name says"}}
		d.list[0].split = ""
	}
	return nil
}

// look parses what is written, and looks at the rows.
func (d *draft) look(ctx context.Context) (*seen, error) {
	s, err := d.again(ctx)
	if err != nil {
		return nil, err
	}
	if s.first != nil && s.first.Code == "UTF8_INVALID" && d.kind == "csv" { // further on than the beginning
		for i := range d.list {
			d.list[i].keys = append(d.list[i].keys, line{"encoding: latin-1", "a guess: " + s.where + " has bytes that are not UTF-8"})
		}
		s, err = d.again(ctx)
	}
	if err == nil && s.kind == "parquet" && s.pictured() != "" {
		for i := range d.list {
			d.list[i].keys = append(d.list[i].keys, line{"image: " + scalar(s.pictured()), "the column of the images"})
		}
		s, err = d.again(ctx)
	}
	if err == nil && s.bad > 0 && s.hashes == s.bad && !d.list[0].has("comment") {
		for i := range d.list {
			d.list[i].keys = append(d.list[i].keys, line{`comment: "#"`, plural.Of(s.hashes, "line") + " that begin so"})
		}
		s, err = d.again(ctx)
	}
	if err == nil && s.rows == s.bad && s.folder == nil && d.kind != "arrays" {
		err = s.noRows()
	}
	if err == nil && 100*s.bad > mostUnreadable*s.rows {
		err = s.unreadable()
	}
	if err == nil && d.coco != nil {
		err = d.coco.look(ctx, d)
	}
	return s, err
}

// place chooses the output: a folder that holds no input, and that no folder of input
// holds.
func (d *draft) place(f *findings) {
	for _, output := range []string{"out/" + d.name, "out/" + d.name + "_again", "../out/" + d.name, "../" + d.name + "_dataset"} {
		at := filepath.Join(d.out, output)
		d.output = d.relative(at)
		holds := slices.ContainsFunc(f.files, func(t found) bool { return within(t.path, at) })
		meets := slices.ContainsFunc(f.trees, func(t tree) bool { return within(t.dir, at) || within(at, t.dir) })
		if !holds && !meets {
			return
		}
	}
}

// again looks at the rows with what is written now.
func (d *draft) again(ctx context.Context) (*seen, error) {
	cfg, err := d.parse()
	if err != nil {
		return nil, err
	}
	return look(ctx, cfg, d.System, d.workers)
}

// noRows is the fault of an input without a row that can be used.
func (s *seen) noRows() error {
	if s.first != nil {
		return &input.FitError{Text: fmt.Sprintf("no row can be read; the first: %s: %s", s.where, s.first.Message), Hint: s.first.Hint, Code: s.first.Code}
	}
	return &input.FitError{Path: s.label, Text: "there is no row"}
}

// parse reads the text of the draft as a config. A feature that the config refuses is
// left out with what it says.
func (d *draft) parse() (*config.Config, error) {
	for {
		cfg, err := config.Parse(filepath.Join(d.dir, d.name+".yaml"), d.text(), func(string) (string, bool) { return "", false })
		var p *config.Problems
		if !errors.As(err, &p) || !d.refuse(p) {
			return cfg, err
		}
	}
}

// refuse leaves out the features that have problems; it reports whether there is one.
func (d *draft) refuse(p *config.Problems) (some bool) {
	for i := range d.features {
		f := &d.features[i]
		at := "features." + f.key
		for _, q := range p.List {
			if !f.out && (q.Path == at || strings.HasPrefix(q.Path, at+".")) {
				*f = f.left(f.spec, q.Text)
				some = true
			}
		}
	}
	return some
}

// complete adds what rows tell.
func (d *draft) complete(s *seen) {
	d.notes = append(d.notes, s.notes...)
	if s.part {
		note := "Not all was looked at: " + s.what + ", " + plural.Of(s.rows, "row") + ". What is said of rows is said of these."
		d.notes = append([]string{note}, d.notes...)
	}
	if s.bad > 0 {
		d.lose(s.bad, s.rows, share(s.bad, s.rows, "row")+" cannot be read; the first: "+s.where+": "+s.first.Message)
	}
	if s.blank > 0 {
		for i := range d.list {
			d.list[i].keys = append(d.list[i].keys, line{"skip_blank: true", plural.Of(s.blank, "line") + " of " + fmt.Sprint(s.rows) + " without text"})
		}
	}
	d.count(s)
	d.choose(s, true)
	hasOwn := slices.ContainsFunc(d.list, func(t source) bool { return t.split != "" })
	if !hasOwn && d.split == nil {
		d.split = []line{{text: "split:"}, {text: "  fractions: {train: 80%, validation: 10%, test: 10%}"}}
	}
}

// lose has a build leave out rows, since so many of those that were looked at cannot be
// used.
func (d *draft) lose(bad, rows int, note string) {
	if len(d.bad) > 0 {
		note = joined(d.bad[0].note, note)
	}
	d.bad = []line{{"on_error: quarantine", note}}
	if d.lost += 100 * bad / rows; d.lost > 0 {
		d.bad = append(d.bad, line{text: fmt.Sprintf("max_errors: %d%%", min(100, 2*d.lost+1))})
	}
}

// count says behind the files how many rows there are, where all were read.
func (d *draft) count(s *seen) {
	if s.folder != nil {
		if convert, ok := s.folder.convert(); ok && s.kind == "images" {
			for i := range d.list {
				d.list[i].keys = append(d.list[i].keys, convert)
			}
		}
		return
	}
	if first := &d.list[0].keys[0]; len(d.list) == 1 && !s.part && s.rows > 0 {
		first.note = joined(first.note, plural.Of(s.rows, "row"))
	}
}

// choose makes the features. own says that the source is the draft's, which takes the
// words that mean missing; else each feature has them.
func (d *draft) choose(s *seen, own bool) {
	if s.folder != nil {
		d.features = s.folder.features(cmp.Or(s.like, s.kind))
		return
	}
	if d.payload = s.payload != ""; d.payload {
		d.notes = append(d.notes, "Records are taken as they are: "+s.payload+".")
		return
	}
	c := newChooser(s)
	for _, col := range s.columns {
		d.features = append(d.features, c.column(col, own)...)
	}
	if d.coco != nil {
		for i := range d.features {
			if f := &d.features[i]; f.spare == aName && f.key == "file_name" {
				f.out, f.note = false, strings.TrimPrefix(f.note, "left out: ")
			}
		}
		d.features = append(d.features, d.coco.features()...)
	}
	d.features = ranges(distinctKeys(d.features))
	for _, why := range []spare{aName, aConstant} {
		d.take(why)
	}
	if own {
		if p := s.pictures(); p != nil {
			d.load(p)
			d.features = distinctKeys(d.features)
		}
		d.splitBy(c)
		if s.kind == "csv" && len(c.nulls) > 0 {
			for i := range d.list {
				d.list[i].keys = append(d.list[i].keys, line{"null_values: " + list(c.nulls), c.nullNote()})
			}
		}
	}
}

// take takes the features that were left out for a reason, where all are left out.
func (d *draft) take(why spare) {
	if slices.ContainsFunc(d.features, func(f feature) bool { return !f.out }) {
		return
	}
	for i := range d.features {
		if f := &d.features[i]; f.spare == why {
			f.out, f.note = false, strings.TrimPrefix(f.note, "left out: ")
		}
	}
}

// splitBy says how rows are split, where a column decides.
func (d *draft) splitBy(c *chooser) {
	switch {
	case d.split != nil:
	case c.split != "":
		d.split = []line{{"split:", ""}, {"  column: " + scalar(c.split), "its values name the splits"}}
	case c.by != "":
		p := c.profileOf(c.by)
		note := fmt.Sprintf("%s in %s: keeps what is of one together", plural.Of(len(p.tally.order), "value"), plural.Of(p.rows, "row"))
		if p.tally.over {
			note = "more than " + note
		}
		d.split = []line{{"split:", ""}, {"  fractions: {train: 80%, validation: 10%, test: 10%}", ""}, {"  by: " + scalar(c.by), note}}
	}
}

// distinctKeys gives features of one key others.
func distinctKeys(list []feature) []feature {
	met := map[string]bool{}
	for i := range list {
		f := &list[i]
		if !f.out && met[f.key] {
			*f = f.left(f.spec, "another feature has this key")
		}
		met[f.key] = met[f.key] || !f.out
	}
	return list
}
