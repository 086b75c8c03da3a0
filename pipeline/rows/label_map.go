package rows

import (
	"errors"
	"fmt"
	"math"
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
	items, err := textformat.Parse(text)
	switch {
	case err != nil:
		return nil, err
	case len(items) == 0:
		return nil, failAt(0, "", "no items")
	}
	ids, names := map[string]int64{}, map[int64]string{}
	for _, item := range items {
		name, id, err := labelMapItem(item)
		other, isKnown := ids[name]
		at := item.Offset
		switch _, isUsed := names[id]; {
		case err != nil:
			return nil, err
		case isKnown:
			return nil, failAt(at, fmt.Sprintf("name: %q", name+" 2"), "%q has the ids %d and %d", name, other, id)
		case isUsed:
			return nil, failAt(at, fmt.Sprintf("id: %d", first+int64(len(items))), "%q and %q have the id %d",
				names[id], name, id)
		case id < first:
			return nil, failAt(at, fmt.Sprintf("first: %d", id), "%q has the id %d; expected at least %d",
				name, id, first)
		}
		ids[name], names[id] = id, name
	}
	var list, missing []string
	gap := int64(math.MaxInt64)
	for id := first; len(list) < len(items) && len(missing) < 8; id++ {
		if name, ok := names[id]; ok {
			list = append(list, name)
		} else { // the name is the one with which get_label_map_dict of the Object Detection API fills a gap
			missing, gap = append(missing, fmt.Sprintf("item { id: %d name: \"%[1]d\" }", id)), min(gap, id)
		}
	}
	if missing != nil {
		return nil, failAt(items[len(items)-1].Offset, strings.Join(missing, " "), "no item has the id %d", gap)
	}
	return list, nil
}

// labelMapItem returns the class of an item.
func labelMapItem(item textformat.Field) (name string, id int64, err error) {
	if item.Name != "item" || item.Fields == nil {
		return "", 0, failAt(item.Offset, "", "found %s; expected item { … }", item.Name)
	}
	fields := map[string]textformat.Field{"name": {Offset: item.Offset}, "id": {Offset: item.Offset}}
	for _, f := range item.Fields {
		switch f.Name {
		case "name", "id":
			if fields[f.Name].Text != "" {
				return "", 0, failAt(f.Offset, "remove one", "the item has two fields %s", f.Name)
			}
		case "display_name", "keypoints", "ancestor_ids", "descendant_ids", "frequency", "instance_count":
		default:
			return "", 0, failAt(f.Offset, "", "unknown field %s; expected name, id, or display_name", f.Name)
		}
		fields[f.Name] = f
	}
	f := fields["name"]
	if name = f.Text; !f.String || name == "" || !utf8.ValidString(name) || strings.ContainsAny(name, "\r\n") {
		return "", 0, failAt(f.Offset, `name: "cat"`, "found %q; expected a name of one line in quotes", name)
	}
	f = fields["id"]
	if id, err = strconv.ParseInt(f.Text, 0, 32); f.String || err != nil || id < 0 {
		return "", 0, failAt(f.Offset, "id: 1", "found %q; expected an id from 0 to 2147483647", f.Text)
	}
	return name, id, nil
}

func failAt(offset int, hint, format string, args ...any) error {
	return &textformat.Error{Offset: offset, Text: fmt.Sprintf(format, args...), Hint: hint}
}
