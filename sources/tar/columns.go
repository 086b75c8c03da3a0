package tar

import (
	"context"
	"slices"
	"strings"

	"tfr-build/internal/tarfile"
	"tfr-build/pixels/convert"
	imageheader "tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// The columns that come from the key of a row.
const (
	keyColumn   = "key"   // the complete key: train/cat/0001
	stemColumn  = "stem"  // its last element: 0001
	classColumn = "class" // its first directory: train
)

// isImage reports whether members with an extension are images, such as jpg and seg.png.
func isImage(ext string) bool {
	return imageheader.IsExtension(ext[strings.LastIndexByte(ext, '.')+1:])
}

// numbers are the extensions whose content is a number in WebDataset, with white space around it.
var numbers = []string{"class", "cls", "cls2", "count", "id", "index", "inx"}

// extensionOf returns a column without the dot that may be in front of it: .key is the member
// with the extension key.
func extensionOf(name string) string { return strings.TrimPrefix(name, ".") }

// cutFact splits the column of an image's metadata into extension and name: jpg.height.
func (o *Options) cutFact(name string) (ext, fact string, ok bool) {
	for _, c := range images.Columns(&convert.Spec{}) {
		if ext, ok = strings.CutSuffix(name, c.Name); !ok || c.Name == "" || ext == "" || !isImage(ext) {
			continue
		}
		if strings.HasPrefix(c.Name, ".source.") && o.conversion(ext) == nil {
			continue
		}
		return ext, c.Name, true
	}
	return "", "", false
}

// cutPath splits the column of a path in a JSON member into extension and path: json.caption,
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

// likelyColumn returns the column with a name that rows may have, as far as its extension shows
// it.
func (o *Options) likelyColumn(name string) (column.Column, bool) {
	name = extensionOf(name)
	ext, fact, ok := o.cutFact(name)
	if !ok && (name == "" || !isImage(name)) {
		return column.Column{}, false
	}
	if !ok {
		ext = name
	}
	list := images.Columns(o.conversion(ext))
	c := list[slices.IndexFunc(list, func(c column.Column) bool { return c.Name == fact })]
	c.Name, c.From = ext+fact, "the archives"
	return c, true
}

// Names returns the columns of the key, and the extensions of the first limit rows with the keys
// of JSON members. If limit is negative, it reads all rows. The result all reports whether it has
// read all rows.
func (in *tarInput) Names(ctx context.Context, limit int) (names []string, all bool, err error) {
	return input.RowNames(ctx, in, limit, []string{keyColumn, stemColumn, classColumn}, in.rowNames)
}

// rowNames returns the columns of a row's members.
func (in *tarInput) rowNames(rec *input.Record) (names []string) {
	g := newGrouper(in.limits)
	g.Partial = true
	g.Visit = func(m *tarfile.Member, content []byte) *schema.RowError {
		ext := string(m.Ext)
		if slices.Contains([]string{keyColumn, stemColumn, classColumn}, ext) {
			ext = "." + ext
		}
		names = append(names, ext)
		if ext == "json" || strings.HasSuffix(ext, ".json") {
			for _, key := range input.ObjectKeys(content) {
				names = append(names, ext+"."+key)
			}
		}
		return nil
	}
	g.Start(&tarfile.Mapped{Data: rec.Raw})
	_, _ = g.Next() // rec is valid
	return names
}
