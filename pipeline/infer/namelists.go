package infer

import (
	"bytes"
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// addDocuments adds a directory in which most files are documents. Others are their images and lists of their names.
func (f *findings) addDocuments(t *tree, images, lists, others []string) {
	found := newFileFinder(t.dir, t.names).addFiles(images)
	if best, rivals, ok := found.choose(); ok {
		c := found.take(best, nil)
		c.column, c.rivals = "image", rivals
		t.with = []*companion{c}
		if rivals == nil {
			images = without(images, c.files)
		}
	}
	f.addUnread(t.dir, slices.Concat(others, images))
	t.lists, t.unlisted = f.nameListsOf(t.dir, lists, t.names)
	if t.lists == nil && slices.ContainsFunc(lists, mainList.MatchString) {
		f.note(unusedLists)
	} else {
		f.addUnread(t.dir, slices.DeleteFunc(lists, mainList.MatchString))
	}
	f.trees = append(f.trees, *t)
}

// unusedLists is the comment on lists that the config does not use.
const unusedLists = "ImageSets/Main has the names in each split. To use them, make a source of each list and join " +
	"the documents: configs/voc.yaml does."

// mainList matches the lists that divide the documents.
var mainList = regexp.MustCompile(`(^|/)ImageSets/Main/(train|val|test)\.txt$`)

// isNameList reports whether a file has the names of documents in a split, as Pascal VOC has them.
func isNameList(name string) bool { return strings.Contains("/"+name, "/ImageSets/") }

// nameListsOf returns the paths of the lists of the splits in ImageSets/Main, and the number of documents in none of
// them. It returns none if a list has other lines than names of documents, or if two lists or two documents have the
// same name.
func (f *findings) nameListsOf(dir string, names, documents []string) (lists []string, rest int) {
	unused := map[string]bool{}
	for _, name := range documents {
		unused[stemOf(name)] = true
	}
	if len(unused) < len(documents) {
		return nil, 0 // the list may be of the other document
	}
	for _, name := range names {
		if !mainList.MatchString(name) {
			continue
		}
		data, err := f.ReadFile(store.Join(dir, name), maxRead)
		if err != nil {
			return nil, 0
		}
		for row := range bytes.Lines(data) {
			stem := string(bytes.TrimRight(row, "\r\n"))
			if !unused[stem] {
				return nil, 0
			}
			delete(unused, stem)
		}
		lists = append(lists, store.Join(dir, name))
	}
	return lists, len(unused)
}

// useNameLists returns the join of the lists of names, which say the splits.
func (d *draft) useNameLists(t *tree) []line {
	if len(t.lists) == 0 {
		return nil
	}
	column := d.types.lineType().name // of the lines
	var paths []string
	for _, path := range t.lists {
		paths = append(paths, d.relative(path))
	}
	if t.unlisted > 0 {
		note := "the lists lack " + share(t.unlisted, len(t.names), "document")
		d.split = []line{entry(`where: "!missing(split)"`, note)}
	}
	d.split = append(d.split, splitBy(entry("column: split", "of the lists of names"))...)
	table := entry(column+": {files: "+list(paths)+"}", "the names in each split")
	return []line{{text: "join:", items: [][]line{{table, bare(`from_path: "**/{split}.txt"`),
		bare("on: {stem: " + column + "}")}}}}
}
