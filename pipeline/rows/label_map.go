package rows

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/excerpt"
	"tfr-build/internal/textformat"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// maxLabelMap is the largest size of a label map in bytes. In memory, it takes up to 50 times as many.
const maxLabelMap = 4 << 20

// A labelItem is a class of a label map.
type labelItem struct {
	name   string
	id     int64
	offset int // in the file
}

// readLabelMap reads the label map of a feature: a StringIntLabelMap of the Object Detection API, in
// protobuf's text format. It returns the names in the order of their ids, which begin with of.First.
func (c *Classes) readLabelMap(of *config.Classes) ([]string, error) {
	full := c.cfg.Resolve(of.File)
	text, err := c.readText(full, maxLabelMap)
	if err != nil {
		return nil, err
	}
	names, err := labelMapNames(string(text), of.First)
	if at, ok := errors.AsType[*textformat.Error](err); ok {
		before := string(text[:at.Offset])
		bad := &input.MismatchError{Path: full, Line: strings.Count(before, "\n") + 1, Text: at.Text, Hint: at.Hint}
		bad.Col, bad.Excerpt = len(before)-strings.LastIndexByte(before, '\n'), excerpt.At(text, at.Offset, 0)
		if at.Hint == "" {
			bad.Text, bad.Hint = "not a label map: "+at.Text, `item { id: 1 name: "cat" }`
		}
		return nil, bad
	}
	c.lines[of.File] = names
	return names, nil
}

// labelMapNames returns the names of a label map in the order of their ids, which begin with first. An error is
// a *textformat.Error.
func labelMapNames(text string, first int64) ([]string, error) {
	fields, err := textformat.Parse(text)
	if err != nil {
		return nil, err
	}
	items := make([]labelItem, len(fields))
	known := map[string]int64{} // ids by name
	for i, f := range fields {
		if items[i], err = newLabelItem(f); err != nil {
			return nil, err
		}
		name, id := items[i].name, items[i].id
		if other, isKnown := known[name]; isKnown {
			return nil, failAt(f.Offset, fmt.Sprintf("name: %q", name+" 2"), "%q has the ids %d and %d", name, other, id)
		}
		known[name] = id
	}
	if len(items) == 0 {
		return nil, failAt(0, "", "no items")
	}
	slices.SortStableFunc(items, func(a, b labelItem) int { return cmp.Compare(a.id, b.id) })
	names := make([]string, len(items))
	for i, item := range items {
		switch next := first + int64(i); {
		case item.id != next && i == 0:
			return nil, failAt(item.offset, fmt.Sprintf("first: %d", item.id), "the first id is %d; expected %d", item.id, next)
		case item.id < next:
			free := fmt.Sprintf("id: %d", items[len(items)-1].id+1)
			return nil, failAt(item.offset, free, "%q and %q have the id %d", names[i-1], item.name, item.id)
		case item.id > next:
			return nil, failAt(item.offset, missingItems(items[i-1:]), "no item has the id %d", next)
		}
		names[i] = item.name
	}
	return names, nil
}

// missingItems returns items for the first missing ids. Their names are their ids, as the function
// get_label_map_dict of the Object Detection API fills gaps.
func missingItems(items []labelItem) string {
	const most = 8
	var list []string
	for i := 1; i < len(items); i++ {
		for id := items[i-1].id + 1; id < items[i].id; id++ {
			if len(list) == most {
				return strings.Join(list, " ") + " …"
			}
			list = append(list, fmt.Sprintf("item { id: %d name: \"%[1]d\" }", id))
		}
	}
	return strings.Join(list, " ")
}

// newLabelItem returns the class of a field.
func newLabelItem(f textformat.Field) (labelItem, error) {
	item := labelItem{id: -1, offset: f.Offset}
	if f.Name != "item" || f.Fields == nil {
		return item, failAt(f.Offset, "", "found %s; expected item { … }", f.Name)
	}
	seen := map[string]bool{}
	for _, value := range f.Fields {
		isOne := false
		switch value.Name {
		case "name":
			isOne, item.name = true, value.Text
			if !value.String || value.Text == "" || !utf8.ValidString(value.Text) || strings.ContainsAny(value.Text, "\r\n") {
				return item, failAt(value.Offset, `name: "cat"`, "found %q; expected a name of one line in quotes", value.Text)
			}
		case "id":
			id, err := strconv.ParseInt(value.Text, 0, 32)
			if isOne, item.id = true, id; value.String || err != nil || id < 0 {
				return item, failAt(value.Offset, "id: 1", "found %q; expected an id from 0 to 2147483647", value.Text)
			}
		case "display_name", "keypoints", "ancestor_ids", "descendant_ids", "frequency", "instance_count":
		default:
			return item, failAt(value.Offset, "", "unknown field %s; expected name, id, or display_name", value.Name)
		}
		if isOne && seen[value.Name] {
			return item, failAt(value.Offset, "remove one", "the item has two fields %s", value.Name)
		}
		seen[value.Name] = true
	}
	if !seen["name"] || !seen["id"] {
		return item, failAt(f.Offset, "", "the item has no name, or no id")
	}
	return item, nil
}

func failAt(offset int, hint, format string, args ...any) error {
	return &textformat.Error{Offset: offset, Text: fmt.Sprintf(format, args...), Hint: hint}
}
