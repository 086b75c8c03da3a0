package tar

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// The columns that the key of a row gives.
const (
	keyColumn   = "key"   // all of it: train/cat/0001
	stemColumn  = "stem"  // its last element: 0001
	classColumn = "class" // its first folder: train
)

var imageExtensions = []string{"bmp", "gif", "jpeg", "jpg", "png", "webp"}

// isImage reports whether a member with an extension is taken for an image: jpg, and
// so is seg.png.
func isImage(ext string) bool {
	return slices.Contains(imageExtensions, ext[strings.LastIndexByte(ext, '.')+1:])
}

// numbers are extensions whose content is a number for WebDataset, whatever white
// space is around it.
var numbers = []string{"class", "cls", "cls2", "count", "id", "index", "inx"}

// extensionOf is a column without the dot that may be in front of it: .key is the
// member with the extension key.
func extensionOf(name string) string { return strings.TrimPrefix(name, ".") }

// cutFact cuts the fact of an image from the name of its column: jpg.height.
func cutFact(name string) (ext, fact string, ok bool) {
	for _, c := range images.Columns(nil) {
		if ext, ok = strings.CutSuffix(name, c.Name); ok && c.Name != "" && ext != "" && isImage(ext) {
			return ext, c.Name, true
		}
	}
	return "", "", false
}

// cutPath cuts a path in a member of JSON from the name of its column: json.caption,
// meta.json.boxes.0.
func cutPath(name string) (ext, path string, ok bool) {
	if rest, is := strings.CutPrefix(name, "json."); is {
		return "json", rest, rest != ""
	}
	if at := strings.Index(name, ".json."); at > 0 {
		return name[:at+5], name[at+6:], at+6 < len(name)
	}
	return "", "", false
}

// like is what the extension tells of a column that rows may have.
func like(name string) (column.Column, bool) {
	name = extensionOf(name)
	ext, fact, ok := cutFact(name)
	if !ok && (name == "" || !isImage(name)) {
		return column.Column{}, false
	}
	if !ok {
		ext = name
	}
	list := images.Columns(nil)
	c := list[slices.IndexFunc(list, func(c column.Column) bool { return c.Name == fact })]
	c.Name, c.From = ext+fact, "the archives"
	return c, true
}

// Names are the columns of the key, and the extensions of the first rows with the keys
// of JSON; and whether these are all rows. All are read where most is negative.
func (in *tarInput) Names(ctx context.Context, most int) (names []string, all bool, err error) {
	return input.RowNames(ctx, in, most, []string{keyColumn, stemColumn, classColumn}, in.names)
}

// names are those of a row's members.
func (in *tarInput) names(rec *input.Record) (names []string) {
	if rec.Bad != nil {
		return nil
	}
	g := grouper{limits: in.limits, partial: true}
	g.visit = func(content []byte) *schema.RowError {
		ext := string(g.w.member.ext)
		if slices.Contains([]string{keyColumn, stemColumn, classColumn}, ext) {
			ext = "." + ext
		}
		names = append(names, ext)
		if ext == "json" || strings.HasSuffix(ext, ".json") {
			var keys map[string]json.RawMessage
			if json.Unmarshal(content, &keys) == nil {
				for _, key := range slices.Sorted(maps.Keys(keys)) {
					names = append(names, ext+"."+key)
				}
			}
		}
		return nil
	}
	g.start(&mapped{data: rec.Raw})
	_, _ = g.next() // a row that is good
	return names
}
