package infer

import (
	"path"
	"slices"
	"strings"
)

// addDocuments adds a directory in which most files are documents. Others are their images and lists of their names.
func (f *findings) addDocuments(t *tree, images, lists, others []string) {
	found := newFinder(t.dir, rowsOf(t.names)).addFiles(images)
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

// repeatedPaths returns the paths of values that are lists in some rows.
func (v *profile) repeatedPaths() map[string]bool {
	paths := map[string]bool{}
	var visit func(v *profile, path string)
	visit = func(v *profile, path string) {
		if v.elem != nil {
			paths[path] = true
			visit(v.elem, path)
		}
		for key, field := range v.fields {
			visit(field, path+"."+key)
		}
	}
	visit(v, "")
	return paths
}

// asList returns a value that is a list in some rows as a list. The scanner has its path.
func (t *reading) asList(raw []byte) []byte {
	if raw[0] == '[' || !t.repeated["."+strings.Join(t.keys, ".")] {
		return raw
	}
	return slices.Concat([]byte("["), raw, []byte("]"))
}
