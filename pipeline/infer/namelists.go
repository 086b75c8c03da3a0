package infer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
)

// A nameList is a file with the names of the documents in a split, one per line, as Pascal VOC has them.
type nameList struct {
	path  string // absolute
	split string
	names int
}

// unusedLists is the comment on lists that the config does not use.
const unusedLists = "ImageSets/Main has the names in each split. To use them, make a source of each list and join the documents: configs/voc.yaml does."

// isNameList reports whether a file has the names of documents in a split.
func isNameList(name string) bool {
	return strings.HasPrefix(name, "ImageSets/") || strings.Contains(name, "/ImageSets/")
}

// nameListsOf returns the lists of the splits in ImageSets/Main. It returns none if a list has other lines
// than names of documents, or if two lists or two documents have the same name.
func (f *findings) nameListsOf(dir string, names, documents []string) (lists []nameList) {
	unused := map[string]bool{}
	for _, name := range documents {
		if unused[stemOf(name)] {
			return nil // the list may be of the other document
		}
		unused[stemOf(name)] = true
	}
	for _, split := range []string{"train", "val", "test"} {
		isList := func(name string) bool { return isNameList(name) && strings.HasSuffix(name, "/Main/"+split+".txt") }
		at := slices.IndexFunc(names, isList)
		if at < 0 {
			continue
		}
		l := nameList{path: store.Join(dir, names[at]), split: split}
		data, err := f.sys.ReadFile(l.path, maxRead)
		if err != nil || slices.ContainsFunc(names[at+1:], isList) {
			return nil
		}
		for row := range bytes.Lines(data) {
			stem := string(bytes.TrimRight(row, "\r\n"))
			if !unused[stem] {
				return nil
			}
			delete(unused, stem)
			l.names++
		}
		if l.names > 0 {
			lists = append(lists, l)
		}
	}
	if len(lists) > 0 && len(unused) > 0 {
		f.notes = append(f.notes, fmt.Sprintf("The lists in ImageSets/Main lack %d of %s: no split has these.", len(unused), plural.Of(len(documents), "document")))
	}
	return lists
}

// useNameLists makes the names in the lists the rows, to which their documents are joined.
func (d *draft) useNameLists() {
	switch {
	case d.tree == nil || len(d.tree.lists) == 0:
		return
	case len(d.list) != 1 || len(d.onError) > 0 || slices.ContainsFunc(d.tree.with, (*companion).followsRows): // an invalid document is an invalid row, but no lookup table has one
		d.notes = append(d.notes, unusedLists)
		return
	}
	lines := d.types.lineType()
	column := lines.name // of the lines
	document := line{d.typ.name + ": {" + d.list[0].flat() + "}", "the document of each name"}
	table := lookup{line: document, on: "{" + column + ": stem}"}
	steps := block("join:", table.lines())
	for _, c := range d.tree.with {
		c.key = column
	}
	steps = append(steps, d.stepsOf(d.tree.with, "", "")...)
	if at := slices.IndexFunc(d.list[0].steps, func(l line) bool { return l.text == "load:" }); len(d.images) > 0 && at >= 0 {
		steps = append(steps, d.list[0].steps[at:]...)
	}
	d.typ, d.list, d.split = lines, nil, nil
	for _, l := range d.tree.lists {
		keys := []line{{"files: " + scalar(d.relative(l.path)), plural.Of(l.names, "name")}}
		d.list = append(d.list, source{split: l.split, keys: keys, steps: steps})
	}
	if len(d.list) == 1 {
		d.split = []line{{text: "split: " + d.list[0].split}}
		d.list[0].split = ""
	}
}
