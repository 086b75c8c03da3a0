package report

import (
	"slices"
	"strconv"
	"strings"

	"tfr-build/message"
	"tfr-build/statistics"
)

// labelKeys are the features that say what an image shows, and of which file it is.
type labelKeys struct {
	class string // empty: none
	first int64  // the number of the first class
	names []string
	file  string
}

// fileParts are the last parts of the keys of names of files.
var fileParts = []string{"filename", "file_name", "path", "file", "image_path", "image_file"}

// findLabels looks for them among the features of a document: the class is the feature by, or
// else the first feature with one class per record.
func findLabels(d *statistics.Document, by string) (keys labelKeys) {
	for i := range d.Features {
		f := &d.Features[i]
		isOne := !f.Steps && !slices.ContainsFunc(f.Splits, func(v statistics.Values) bool { return v.Most > 1 })
		isClass := f.Kind == statistics.Class && len(f.Classes) > 1
		switch {
		case !isOne:
		case f.Key == by && (isClass || f.Kind == statistics.Text), by == "" && keys.class == "" && isClass:
			keys.class, keys.first, keys.names = f.Key, f.First, f.Classes
		case keys.file == "" && f.Kind == statistics.Text && slices.Contains(fileParts, lastPart(f.Key)):
			keys.file = f.Key
		}
	}
	return keys
}

// lastPart is what follows the last / of a key or a path.
func lastPart(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// A label is what a record says of its image.
type label struct {
	keys        labelKeys
	class, file string
}

// add takes the values of a feature, if it is one of these.
func (l *label) add(key string, f message.Feature) {
	switch {
	case key == "":
	case key == l.keys.class && f.List == message.BytesList:
		l.class = firstText(f)
	case key == l.keys.class && f.List == message.Int64List:
		for n := range f.Ints() {
			l.class = l.keys.nameOf(n)
			break
		}
	case key == l.keys.file && f.List == message.BytesList:
		l.file = firstText(f)
	}
}

// nameOf is the name of the class that has a number.
func (k *labelKeys) nameOf(n int64) string {
	if i := n - k.first; i >= 0 && i < int64(len(k.names)) {
		return k.names[i]
	}
	return strconv.FormatInt(n, 10)
}

func firstText(f message.Feature) string {
	for b := range f.Bytes() {
		return string(b)
	}
	return ""
}
