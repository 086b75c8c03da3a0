package infer

import (
	"path"
	"strings"
)

// addDocuments adds a directory in which most files are documents. Others are their images and lists of their names.
func (f *findings) addDocuments(t *tree, images, lists, others []string) {
	found := newFileFinder(t.dir, t.names).addFiles(images)
	if best, rivals, ok := found.choose(); ok {
		c := found.take(best, nil)
		c.column, c.rivals = "image", rivals
		t.with = []*companion{c}
		if rivals == nil {
			others = append(others, without(images, c.files)...)
		}
	}
	f.addUnread(t.dir, others)
	if t.lists, t.unlisted = f.nameListsOf(t.dir, lists, t.names); t.lists == nil && lists != nil {
		f.notes = append(f.notes, unusedLists)
	}
	f.trees = append(f.trees, *t)
}

func stemOf(name string) string { return strings.TrimSuffix(base(name), path.Ext(name)) }
