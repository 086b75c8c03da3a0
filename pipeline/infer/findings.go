package infer

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

// addFindings adds the keys that depend on rows.
func (d *draft) addFindings(s *summary) {
	d.notes = append(d.notes, s.notes...)
	if s.Invalid > 0 {
		why := " cannot be read; the first: " + s.Where + ": " + s.First.Message
		if s.First.Hint != "" {
			why += "; try " + s.First.Hint
		}
		d.allowErrors(loss{s.Invalid, s.Rows, "row", why})
	}
	const few = 100 // rows, of which one has several lines
	if n := s.joined.count; n > 0 && few*n <= s.Rows {
		d.note("%s of several lines, which quotes join, the first: %s. If these quotes are data: `quotes: none`.",
			plural.Of(n, "row"), &s.joined.first)
	}
	const several = 3
	if s.typ.NullWords && s.gaps.count >= several {
		d.note("Above %s are blank lines or comments, the first: %s. If they separate groups of rows, such as "+
			"sentences, number the groups in a column of their own: no column has them.",
			plural.Of(s.gaps.count, "row"), s.gaps.first.where)
	}
	d.noteRows(s)
	d.noteDocuments(s)
	d.noteArrays(s)
	d.addKeys(s.keys...)
	for i := range d.list {
		d.list[i].steps = append(d.list[i].steps, s.steps...)
	}
	d.addFeatures(s, true)
	d.equal = s.equal.lines(d.features)
	if d.needsSplit() {
		d.split = splitBy(fractions)
	}
	d.noteUnread(s)
	if s.partial {
		note := "init read only a part of the input: " + s.what + ", " + plural.Of(s.Rows, "row") +
			". Comments about rows are about these."
		if s.typ.Rows == input.Objects {
			note += " Keys that only others have are not here."
		}
		d.notes = append([]string{note}, d.notes...)
	}
}

// needsSplit reports whether no name says the splits.
func (d *draft) needsSplit() bool {
	return d.split == nil && !slices.ContainsFunc(d.list, func(t source) bool { return t.split != "" })
}

// splitBy returns the key split.
func splitBy(keys ...line) []line { return []line{bare("split:", keys...)} }

// fractions is the split of rows by chance.
var fractions = bare("fractions: {train: 80%, validation: 10%, test: 10%}")

// noteRows adds the number of rows to the comment of the files, if all rows were read.
func (d *draft) noteRows(s *summary) {
	if first := &d.list[0].keys[0]; len(d.list) == 1 && !s.partial && s.typ.Parts == nil &&
		s.typ.Rows != input.FileRows {
		first.note = joinNotes(first.note, plural.Of(s.Rows-s.Blank, "row"))
	}
}

// noteDocuments adds a comment if each file of a directory is one row that has lists of objects, or only objects.
func (d *draft) noteDocuments(s *summary) {
	files := 0
	for _, src := range s.opened {
		files += len(src.Listing().Paths)
	}
	hasRows := func(c *columnSummary) bool {
		return c.profile != nil && c.profile.lists > 0 && c.profile.elem.objects > 0
	}
	isOther := func(c *columnSummary) bool { return c.profile == nil || c.profile.objects == 0 }
	areRows := s.typ.Rows == input.Objects && files == s.Rows &&
		(slices.ContainsFunc(s.columns, hasRows) || !slices.ContainsFunc(s.columns, isOther))
	first := d.within
	if d.tree != nil && s.typ.Rows == input.FileRows && !s.typ.Images {
		first = store.Join(d.tree.dir, d.tree.names[0])
		r, err := d.types.recognize(d.System, first, false)
		areRows = err == nil && r.typ != nil && r.typ.Choose != nil && r.typ.Rows == input.Objects
	}
	if len(s.tables) > 0 {
		first = s.tables[0]
	}
	if d.within != "" && areRows {
		d.note("Each file is one row. `tfr-build init %s` looks for rows in it.", d.relative(first))
	}
}

// addFeatures adds the features. If own is true, the source belongs to the draft, and lists the
// words that mean missing. Otherwise each feature lists its own.
func (d *draft) addFeatures(s *summary, own bool) {
	if d.payload = s.payload != ""; d.payload {
		d.note("Records are taken as they are: %s.", s.payload)
		return
	}
	c := newChooser(s, own)
	if own && d.needsSplit() && s.splits != nil {
		d.useSplits(s.splits)
	} else if own && d.needsSplit() {
		d.split = c.chooseSplit()
		d.noteSplits(c)
	}
	var names []string
	for _, col := range s.columns {
		names, d.features = append(names, col.name), append(d.features, c.columnFeatures(col)...)
	}
	d.noteCase("columns", names)
	for i := range d.list {
		d.list[i].derive(c.derived)
	}
	if d.tree != nil && d.typ.Rows == input.FileRows {
		d.features = append(d.features, featuresOf(d.tree.with)...)
	} else if d.tree != nil {
		d.features = append(featuresOf(d.tree.with), d.features...)
	}
	if d.coco != nil {
		d.features = append(d.features, d.coco.features...)
	}
	d.features = allRanges(d.features, len(d.list) > 0 && slices.ContainsFunc(d.list[0].keys, func(l line) bool {
		return strings.HasPrefix(l.text, `columns: "`) // which names of a file never are: those are a list
	}))
	hasFeatures, hasInput := d.hasFeatures(), d.hasInput()
	for i := range d.features {
		f := &d.features[i]
		f.skipped = f.skipped && (hasFeatures || !f.isUsable) && (hasInput || !f.isName)
	}
	if own {
		d.addLoads(s)
		if s.typ.NullWords && len(c.nulls) > 0 {
			d.addKeys(entry("null_values: "+list(c.nulls), c.nullNote()))
		}
	}
	d.features = distinctKeys(d.features)
}

// hasFeatures reports whether a feature is not skipped.
func (d *draft) hasFeatures() bool {
	return slices.ContainsFunc(d.features, func(f feature) bool { return !f.skipped })
}

// hasInput reports whether a feature besides one or two labels is not skipped.
func (d *draft) hasInput() bool {
	labels := 0
	for _, f := range d.features {
		switch {
		case f.skipped:
		case f.spec.has("classes"), f.spec.String() == "int64", f.spec.String() == "bool":
			labels++
		default:
			return true
		}
	}
	return labels > 2
}

// distinctKeys gives features whose key another feature has a key of their own: the path of their column, or a number.
// A key is first of the column of that name.
func distinctKeys(list []feature) []feature {
	owner := map[string]int{}
	for i, f := range slices.Backward(list) {
		if f.key == f.from {
			owner[f.key] = i
		}
	}
	for i := range list {
		f := &list[i]
		key := f.key
		isTaken := func() bool { at, is := owner[key]; return is && at != i }
		if isTaken() && scalar(f.from) == f.from {
			key = strings.ReplaceAll(f.from, ".", "/")
		}
		for n := 2; isTaken(); n++ {
			key = fmt.Sprintf("%s_%d", f.key, n)
		}
		if f.key = key; f.from != "" {
			owner[key] = i
		}
	}
	return list
}
