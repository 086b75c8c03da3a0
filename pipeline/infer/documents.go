package infer

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
)

// imageFiles are images with the names of documents, as in the layout of Pascal VOC, which has the
// directories Annotations, JPEGImages, and ImageSets.
type imageFiles struct {
	dir     string // absolute
	ext     string // as the names have it, with the dot
	lacking int    // documents without an image
	of      int    // documents
}

// addDocuments adds a directory in which most files are documents, or documents and their images. It
// reports whether it is one.
func (f *findings) addDocuments(dir string, names []string) bool {
	typ, images := f.types.documentType(), f.types.directoryType(true)
	var documents, pictures []string
	others := 0
	for _, name := range names {
		switch ext := lastExtension(name); {
		case slices.Contains(typ.Extensions, ext):
			documents = append(documents, name)
		case slices.Contains(images.allExtensions(), ext):
			pictures = append(pictures, name)
		case !auxiliaryFile.MatchString(base(name)) && !isNameList(name):
			others++
		}
	}
	if 2*len(documents) <= len(pictures) || 2*len(documents) <= others || f.typ != nil && f.typ != typ {
		return false
	}
	f.typ = typ
	t := tree{dir: dir, names: documents, images: imagesOf(dir, documents, pictures)}
	if common := path.Dir(documents[0]); common != "." && !slices.ContainsFunc(documents, func(name string) bool { return path.Dir(name) != common }) {
		t.dir = store.Join(dir, common)
		t.names = nil
		for _, name := range documents {
			t.names = append(t.names, base(name))
		}
	}
	t.lists = f.nameListsOf(dir, names, documents)
	f.trees = append(f.trees, t)
	if len(t.lists) == 0 && slices.ContainsFunc(names, isNameList) {
		f.notes = append(f.notes, unusedLists)
	}
	return true
}

// imagesOf returns the images that have the names of most documents, or nil.
func imagesOf(dir string, documents, pictures []string) *imageFiles {
	stems := map[string]bool{}
	for _, name := range documents {
		stems[stemOf(name)] = true
	}
	counts := map[imageFiles]int{}
	for _, name := range pictures {
		if stems[stemOf(name)] {
			counts[imageFiles{dir: store.Join(dir, path.Dir(name)), ext: path.Ext(name)}]++
		}
	}
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b imageFiles) int { return strings.Compare(a.dir+a.ext, b.dir+b.ext) })
	var best *imageFiles
	for i := range keys {
		k := &keys[i]
		k.of, k.lacking = len(stems), len(stems)-counts[*k]
		if 2*k.lacking < k.of && (best == nil || k.lacking < best.lacking) {
			best = k
		}
	}
	return best
}

func stemOf(name string) string { return strings.TrimSuffix(base(name), path.Ext(name)) }

// load returns the lines that load the images. A column has their names without the extension.
func (i *imageFiles) load(column string, relative func(string) string) []line {
	note := "each document has an image of its name"
	if i.lacking > 0 {
		note = fmt.Sprintf("%s of %d have no image of their name, and are invalid rows", plural.Of(i.lacking, "document"), i.of)
	}
	return []line{{"load:", ""}, {"  image: {path: " + quoted("{"+column+"}"+i.ext) + ", dir: " + scalar(relative(i.dir)) + "}", note}}
}

// repeatedPaths returns the paths of values that are lists in some rows.
func (v *value) repeatedPaths() map[string]bool {
	paths := map[string]bool{}
	var visit func(v *value, path string)
	visit = func(v *value, path string) {
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
func (t *valueScanner) asList(raw []byte) []byte {
	if raw[0] == '[' || !t.repeated["."+strings.Join(t.path, ".")] {
		return raw
	}
	return slices.Concat([]byte("["), raw, []byte("]"))
}
