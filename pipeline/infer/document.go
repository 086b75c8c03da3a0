package infer

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// bestOutline returns the most likely rows of a document: its largest array of objects, otherwise
// its largest object of objects.
func bestOutline(found []outline) (best outline, ok bool) {
	for _, a := range found {
		if !ok || best.members && !a.members || best.members == a.members && a.size > best.size {
			best, ok = a, true
		}
	}
	return best, ok
}

// mostOthers is the largest number of other arrays that a note names.
const mostOthers = 10

// findRows finds the rows of JSON documents. A file without such rows may be a single line of JSON
// lines.
func (d *draft) findRows(ctx context.Context, list []found) error {
	found, err := findOutlines(ctx, d.System, list[0].path)
	if err != nil {
		return err
	}
	if c, ok := cocoOf(found); ok {
		d.coco = c
		return nil
	}
	best, ok := bestOutline(found)
	if !ok {
		if !list[0].fileType.document {
			d.kind = "jsonl"
		}
		return nil
	}
	var others []string
	for _, a := range found {
		if !slices.Equal(a.path, best.path) && !a.members {
			others = append(others, strings.Join(a.path, "."))
		}
	}
	if len(best.path) > 0 {
		note := "the largest array of objects"
		if best.members {
			note = "an object of objects"
		}
		if len(others) > 0 {
			note += "; others are " + strings.Join(others[:min(len(others), mostOthers)], ", ")
		}
		if more := len(others) - mostOthers; more > 0 {
			note += fmt.Sprintf(" and %d more", more)
		}
		d.rows = append(d.rows, line{"rows: " + scalar(strings.Join(best.path, ".")), note})
	}
	if best.members {
		name := "key"
		for slices.Contains(best.keys, name) {
			name += "_"
		}
		d.rows = append(d.rows, line{"keys: " + name, "the rows are an object"})
	}
	return nil
}
