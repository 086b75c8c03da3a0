package json

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/lines"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "JSON", Noun: "JSON document", Rows: input.Objects, ImageDepth: 2,
		Recognize: recognize, Choose: chooseOptions, Object: objectOf,
	}
}

// recognize recognizes documents by their names. Several documents in a directory are refused,
// since each is likely to be one row.
func recognize(h *input.FileHead) (m input.Match) {
	if !jsonl.IsDocument(h) {
		return m
	}
	m.Certainty, m.Detail = input.Written, jsonl.AreLines(h)
	if first := firstOfSeveral(h.Bytes); first != "" {
		m.Problem = "several JSON documents, one after the other; jq -c '" + first +
			"' OLD > NEW.jsonl makes each row a line"
	}
	if h.Several {
		m.Problem = "JSON of several lines"
	}
	return m
}

// firstOfSeveral returns the jq expression of the rows of documents that a file has one after the other: objects, or
// arrays of rows. It is empty if the beginning of the file has only one document.
func firstOfSeveral(head []byte) string {
	d := json.NewDecoder(bytes.NewReader(head[lines.First(head):]))
	var first json.RawMessage
	if d.Decode(&first) != nil || !d.More() {
		return ""
	}
	if first[0] == '[' {
		return ".[]"
	}
	return "."
}

// objectOf returns the object that a row is read as.
func objectOf(o input.Options, row []byte) []byte {
	keys, head := o.(*Options).Keys, "{"
	if keys == "" && row[0] == '{' {
		return row
	}
	if keys != "" {
		at := jsonl.ValueAt(row)
		head += strconv.Quote(keys) + ":" + strings.TrimRight(string(row[:at]), ": \t\r\n")
		row = row[at:]
	}
	rest, isObject := bytes.CutPrefix(row, []byte("{"))
	if !isObject {
		rest = fmt.Appendf(nil, "%q: %s}", jsonl.ValueColumn, row)
	}
	if keys != "" && len(bytes.TrimSpace(rest)) > 1 {
		head += ", "
	}
	return append([]byte(head), rest...)
}

// chooseOptions finds the rows of documents in some of them, as one may have none. A single line without such rows is
// of the type of JSON lines.
func chooseOptions(ctx context.Context, g *input.FileGroup) (*input.Choice, error) {
	o, err := findOutlines(ctx, g.System, g.Paths[0])
	if err != nil {
		return nil, err
	}
	for _, path := range g.Paths[1:min(len(g.Paths), mostOutlinedFiles)] {
		if o.at > enoughOutlined {
			break
		}
		other, err := findOutlines(ctx, g.System, path)
		if err != nil {
			return nil, err
		}
		o.merge(other)
	}
	if layout := cocoOf(o.found); layout != nil {
		return layout, nil
	}
	choice := new(input.Choice)
	lists, table := namedLists(o.found)
	what := "of lists, with their names elsewhere"
	if table == "" {
		table, what = o.table, "by columns, as pandas writes it"
	}
	if table != "" {
		choice.Note = "If this is a table " + what + ": `python3 -c 'import json, sys; t = json.load(sys.stdin); " +
			"[print(json.dumps(r)) for r in " + table + "]' < OLD > NEW.jsonl` writes its rows."
	}
	best, ok := bestOutline(o.found)
	isLine := g.Matches[0].Detail.(bool)
	if lists.size > best.size && (ok || !isLine) {
		best, ok = lists, true
	}
	if ok {
		choice.Options, choice.Arrays = best.options(o.found, o.at), best.arrays(o.found)
	} else if o.alike == mostKeysOutlined {
		choice.Options = []input.Option{{Name: "keys", Value: "key", Note: "each key is a row, with its value"}}
	} else if isLine {
		if choice.Type = "jsonl"; o.alike >= least && table == "" {
			choice.Note = "If each key is a row, with its value: write `json:` in place of `jsonl:`, and `keys: key` " +
				"below it, and take `features` out: `check` prints the features."
		}
	}
	return choice, nil
}

// bestOutline returns the most likely rows of a document: its largest array of objects, unless that is a small part of
// the largest object of objects, such as the boxes of one image, or small next to it; otherwise that object.
func bestOutline(found []outline) (best outline, ok bool) {
	var array, object outline
	for _, a := range found {
		of := &array
		if a.members {
			of = &object
		}
		if a.size > of.size && !a.few {
			*of = a
		}
	}
	n, part := len(object.path), int64(10)
	if isInside := len(array.path) > n && slices.Equal(array.path[:n], object.path); isInside {
		part = 2
	}
	if part*array.size < object.size || array.size == 0 {
		return object, object.size > 0
	}
	return array, true
}

// arrays returns the options for the arrays in the object that has the rows, by their keys.
func (a *outline) arrays(found []outline) map[string][]input.Option {
	all := map[string][]input.Option{}
	isOf := func(other *outline) bool {
		last := len(a.path) - 1
		return last >= 0 && len(other.path) == len(a.path) && !other.members && !other.few &&
			slices.Equal(other.path[:last], a.path[:last])
	}
	names := othersOf(found, isOf)
	for _, name := range names {
		all[name[strings.LastIndexByte(name, '.')+1:]] = []input.Option{{Name: "rows", Value: name,
			Note: strings.TrimPrefix(a.apart(names), "; ")}}
	}
	return all
}

// apart names the values next to the rows, other than some that are named.
func (a *outline) apart(named []string) string {
	list := slices.DeleteFunc(slices.Clone(a.others), func(name string) bool {
		return slices.ContainsFunc(named, func(other string) bool { return strings.HasPrefix(other+".", name+".") })
	})
	return enumerate("; not in the rows: ", list)
}

// enumerate returns a few of the names, if any, with words before them.
func enumerate(words string, names []string) string {
	if len(names) > mostNamed {
		names = append(slices.Clip(names[:mostNamed]), "…")
	}
	if len(names) == 0 {
		return ""
	}
	return words + strings.Join(names, ", ")
}

// options returns the options for the rows of an outline, which is one of those that were found in a document.
func (a *outline) options(found []outline, size int64) (list []input.Option) {
	if len(a.path) > 0 {
		list = append(list, input.Option{Name: "rows", Value: strings.Join(a.path, "."), Note: a.describe(found, size)})
	}
	if a.members {
		name := "key"
		for slices.Contains(a.keys, name) {
			name += "_"
		}
		list = append(list, input.Option{Name: "keys", Value: name, Note: "the rows are an object"})
	}
	return list
}

// describe says why an outline has the rows and, if they are less than half of the document, how much. It names a few
// of the others, and values next to it.
func (a *outline) describe(found []outline, size int64) string {
	note := "the largest array of objects"
	switch {
	case a.members:
		note = "an object of objects"
	case a.width > 0:
		note = "the largest array of lists"
	}
	if 2*a.size < size {
		note += fmt.Sprintf(", %.2g %% of the document", 100*float64(a.size)/float64(size))
	}
	others := othersOf(found, func(other *outline) bool {
		n := min(len(other.path), len(a.path))
		isKey := func(key string) bool { return slices.Contains(a.keys, key) }
		isRows := !other.few || other.width > 0 || slices.ContainsFunc(other.keys, isKey)
		return isRows && !slices.Equal(other.path[:n], a.path[:n])
	})
	return note + enumerate("; others are ", others) + a.apart(others)
}

// othersOf returns the paths of the outlines with a property.
func othersOf(found []outline, is func(other *outline) bool) (others []string) {
	for i := range found {
		if is(&found[i]) {
			others = append(others, strings.Join(found[i].path, "."))
		}
	}
	return others
}

// cocoOf returns the options for a document in COCO's layout; nil for others.
func cocoOf(found []outline) *input.Choice {
	has := func(name string, keys ...string) bool {
		i := slices.IndexFunc(found, func(a outline) bool { return !a.members && slices.Equal(a.path, []string{name}) })
		return i >= 0 && !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(found[i].keys, k) })
	}
	isOfImages := has("annotations", "id", "image_id", "category_id") || has("annotations", "id", "image_id", "caption")
	if !has("images", "id", "file_name") || !isOfImages {
		return nil
	}
	others := othersOf(found, func(other *outline) bool {
		known := []string{"images", "annotations", "categories"}
		return !other.few && !slices.Contains(known, strings.Join(other.path, "."))
	})
	note := "COCO's layout: a record is an image" + enumerate("; others are ", others)
	rows := func(name, note string) []input.Option { return []input.Option{{Name: "rows", Value: name, Note: note}} }
	c := &input.Choice{
		Options: rows("images", note),
		Joins: []input.TableJoin{{
			Options: append(rows("annotations", ""), input.Option{Name: "mixed", Value: "empty"}),
			Note:    "the objects on it",
			Ours:    "id", Theirs: "image_id", Many: true, Prefix: "objects.",
		}},
		COCO: &input.COCO{Objects: rows("annotations", "")},
	}
	if has("categories", "id", "name") {
		c.COCO.Categories = rows("categories", "")
		c.Joins = append(c.Joins, input.TableJoin{
			Options: c.COCO.Categories, Note: "of each object",
			Ours: "objects.category_id", Theirs: "id", Prefix: "category.",
		})
	}
	return c
}
