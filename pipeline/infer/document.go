package infer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// An outline is what a JSON document has that may be rows: arrays of objects, and
// objects of objects that have a key in common.
type outline struct {
	path    []string
	members bool     // the rows are the members of an object
	size    int64    // bytes of it
	rows    int      // elements
	keys    []string // of the first of them that is an object
}

// An outliner reads a document for its outlines.
type outliner struct {
	ctx    context.Context
	tokens *json.Decoder
	found  []outline
}

// outlineDepth is how deep in objects rows are looked for.
const outlineDepth = 4

// outlines are those of a document; none of what is no JSON.
func outlines(ctx context.Context, sys *files.System, path string) ([]outline, error) {
	listed, err := sys.Stat(base(path), path)
	if err != nil {
		return nil, &input.Error{Path: path, Err: err}
	}
	in, err := compress.Open(sys, path, &listed)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := bufio.NewReaderSize(in, 1<<20)
	if mark, _ := r.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = r.Discard(len(mark))
	}
	o := &outliner{ctx: ctx, tokens: json.NewDecoder(r)}
	o.tokens.UseNumber()
	if _, _, err := o.value(nil); err != nil {
		return nil, context.Cause(ctx) // the source will say what is wrong
	}
	return o.found, nil
}

// value reads a value, and gives its first letter and the keys of an object.
func (o *outliner) value(path []string) (kind byte, keys []string, err error) {
	token, err := o.tokens.Token()
	if err != nil || o.ctx.Err() != nil {
		return 0, nil, fmt.Errorf("%w %w", err, o.ctx.Err())
	}
	switch token {
	case json.Delim('['):
		return '[', nil, o.array(path)
	case json.Delim('{'):
		keys, err = o.object(path)
		return '{', keys, err
	}
	return '"', nil, nil
}

// array reads an array after its bracket.
func (o *outliner) array(path []string) error {
	a := outline{path: path, size: -o.tokens.InputOffset()}
	objects := 0
	for ; o.tokens.More(); a.rows++ {
		kind, keys, err := o.value(append(slices.Clip(path), "*"))
		if err != nil {
			return err
		}
		if kind == '{' {
			objects++
		}
		if a.keys == nil {
			a.keys = keys
		}
	}
	_, err := o.tokens.Token()
	a.size += o.tokens.InputOffset()
	if a.rows > 0 && (objects == a.rows || len(path) == 0) && o.names(path) {
		o.found = append(o.found, a)
	}
	return err
}

// object reads an object after its brace.
func (o *outliner) object(path []string) (keys []string, err error) {
	a := outline{path: path, size: -o.tokens.InputOffset(), members: true}
	objects, common := 0, []string(nil)
	for ; o.tokens.More(); a.rows++ {
		token, err := o.tokens.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if len(keys) < mostKeysOutlined {
			keys = append(keys, key)
		}
		kind, inner, err := o.value(append(slices.Clip(path), key))
		if err != nil {
			return nil, err
		}
		if kind == '{' {
			objects++
		}
		if common == nil {
			common, a.keys = inner, inner
		}
		common = slices.DeleteFunc(slices.Clone(common), func(k string) bool { return !slices.Contains(inner, k) })
	}
	_, err = o.tokens.Token()
	a.size += o.tokens.InputOffset()
	const least = 3
	if objects == a.rows && a.rows >= least && len(common) > 0 && o.names(path) {
		o.found = append(o.found, a)
	}
	return keys, err
}

// mostKeysOutlined is how many keys of an object are looked at.
const mostKeysOutlined = 100

// names reports whether a config can name what stands at a path.
func (o *outliner) names(path []string) bool {
	return len(path) <= outlineDepth && !slices.ContainsFunc(path, func(step string) bool {
		return step == "" || step == "*" || strings.Contains(step, ".") || unusable(step) != ""
	})
}

// rowsOf are the rows of a document: its largest array of objects, or else its largest
// object of objects.
func rowsOf(found []outline) (best outline, ok bool) {
	for _, a := range found {
		if !ok || best.members && !a.members || best.members == a.members && a.size > best.size {
			best, ok = a, true
		}
	}
	return best, ok
}

// documents looks for the rows of JSON documents. A file with nothing of the kind may
// be one line of JSON lines.
func (d *draft) documents(ctx context.Context, list []found) error {
	found, err := outlines(ctx, d.System, list[0].path)
	if err != nil {
		return err
	}
	if c, ok := cocoOf(found); ok {
		d.coco = c
		return nil
	}
	best, ok := rowsOf(found)
	if !ok {
		if !list[0].sort.document {
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
			note += "; others are " + strings.Join(others, ", ")
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
