package infer

import (
	"context"
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

// outlineDepth is how deep in objects rows are looked for, mostKeysOutlined how many
// keys of an object are looked at, and mostOutlined how many outlines are kept.
const (
	outlineDepth     = 4
	mostKeysOutlined = 100
	mostOutlined     = 1000
)

// An outliner reads a document for its outlines.
type outliner struct {
	text  jsonText
	found []outline
}

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
	var o outliner
	o.text.open(ctx, in)
	if _, _, err := o.value(nil); err != nil {
		return nil, context.Cause(ctx) // the source will say what is wrong
	}
	return o.found, nil
}

// value reads a value, and gives its first letter and the keys of an object.
func (o *outliner) value(path []string) (first byte, keys []string, err error) {
	first, err = o.text.peek()
	switch {
	case err != nil:
	case first == '[' && len(path) <= outlineDepth:
		err = o.array(path)
	case first == '{' && len(path) <= outlineDepth:
		keys, err = o.object(path)
	default:
		keys, err = o.keysOf(first)
	}
	return first, keys, err
}

// keysOf are the keys of the value that begins with first, which is passed: those of an
// object.
func (o *outliner) keysOf(first byte) (keys []string, err error) {
	if first != '{' {
		return nil, o.text.skip()
	}
	err = o.text.members(func(key string) error {
		keys = withKey(keys, key)
		return o.text.skip()
	})
	return keys, err
}

func withKey(keys []string, key string) []string {
	if len(keys) < mostKeysOutlined {
		keys = append(keys, key)
	}
	return keys
}

// array reads an array. What is in its elements no config names.
func (o *outliner) array(path []string) error {
	a := outline{path: path, size: -o.text.offset()}
	objects := 0
	err := o.text.elements(func(first byte) (err error) {
		if a.rows++; first == '{' {
			objects++
		}
		if a.keys == nil {
			a.keys, err = o.keysOf(first)
			return err
		}
		return o.text.skip()
	})
	if a.size += o.text.offset(); a.rows > 0 && (objects == a.rows || len(path) == 0) {
		o.keep(a)
	}
	return err
}

// object reads an object.
func (o *outliner) object(path []string) (keys []string, err error) {
	a := outline{path: path, size: -o.text.offset(), members: true}
	objects, common := 0, []string(nil)
	err = o.text.members(func(key string) error {
		keys = withKey(keys, key)
		first, inner, err := o.value(append(slices.Clip(path), key))
		if first == '{' {
			objects++
		}
		if a.rows++; a.rows == 1 {
			common, a.keys = slices.Clone(inner), inner
		}
		common = slices.DeleteFunc(common, func(k string) bool { return !slices.Contains(inner, k) })
		return err
	})
	const least = 3
	if a.size += o.text.offset(); objects == a.rows && a.rows >= least && len(common) > 0 {
		o.keep(a)
	}
	return keys, err
}

// keep keeps an outline; where there are too many, the largest ones.
func (o *outliner) keep(a outline) {
	if !isNamed(a.path) {
		return
	}
	if len(o.found) == mostOutlined {
		least := 0
		for i := range o.found {
			if o.found[i].size < o.found[least].size {
				least = i
			}
		}
		if a.size <= o.found[least].size {
			return
		}
		o.found = slices.Delete(o.found, least, least+1)
	}
	o.found = append(o.found, a)
}

// isNamed reports whether a config can name what stands at a path.
func isNamed(path []string) bool {
	return !slices.ContainsFunc(path, func(step string) bool {
		return step == "" || strings.Contains(step, ".") || unusable(step) != ""
	})
}
