package infer

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// addDocuments adds a directory in which most files are documents, or documents and their images. It
// reports whether it is one.
func (f *findings) addDocuments(dir string, names []string) bool {
	typ, imageType := f.types.documentType(), f.types.directoryType(true)
	var documents, pictures []string
	var others []string
	for _, name := range names {
		switch ext := lastExtension(name); {
		case slices.Contains(typ.Extensions, ext):
			documents = append(documents, name)
		case slices.Contains(imageType.allExtensions(), ext):
			pictures = append(pictures, name)
		case !auxiliaryFile.MatchString(base(name)) && !isNameList(name):
			others = append(others, name)
		}
	}
	if 2*len(documents) <= len(pictures) || 2*len(documents) <= len(others) || f.typ != nil && f.typ != typ {
		return false
	}
	f.typ = typ
	t := tree{dir: dir, names: documents}
	images := newFinder(dir, rowsOf(documents)).addFiles(pictures)
	switch best, rivals, ok := images.choose(); {
	case len(rivals) > 0:
		t.why = fmt.Sprintf("Images with the names of documents are at several places, such as %s and %s: none is loaded. "+
			"`load: {image: {path: \"{stem}%s\", dir: DIRECTORY}}` loads the images of one directory.",
			shown(best.of(images.rows[0]).dir), shown(rivals[0].of(images.rows[0]).dir), best.end)
	case ok:
		found := images.take(best, nil)
		found.column = "image"
		t.with = []*companion{found}
		isLoaded := map[string]bool{}
		for _, name := range found.files {
			isLoaded[name] = true
		}
		others = append(others, slices.DeleteFunc(pictures, func(name string) bool { return isLoaded[name] })...)
	}
	if common := path.Dir(documents[0]); common != "." && !slices.ContainsFunc(documents, func(name string) bool { return path.Dir(name) != common }) {
		t.dir = store.Join(dir, common)
		t.names = nil
		for _, name := range documents {
			t.names = append(t.names, base(name))
		}
	}
	f.noteUnread(others)
	t.lists, t.unlisted = f.nameListsOf(dir, names, documents)
	f.trees = append(f.trees, t)
	if len(t.lists) == 0 && slices.ContainsFunc(names, isNameList) {
		f.notes = append(f.notes, unusedLists)
	}
	return true
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
