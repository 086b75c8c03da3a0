package infer

import (
	"context"
	"slices"
	"strings"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// An outline is a part of a JSON document that may be rows. It is an array of objects, or an object
// of objects with a key in common.
type outline struct {
	path    []string
	members bool     // the rows are the members of an object
	size    int64    // size in bytes
	rows    int      // number of elements
	keys    []string // keys of the first element that is an object
}

// outlineDepth is the largest depth of objects in which rows are searched. At most mostKeysOutlined
// keys of an object are kept, and at most mostOutlined outlines.
const (
	outlineDepth     = 4
	mostKeysOutlined = 100
	mostOutlined     = 1000
)

// An outliner reads a document and collects its outlines.
type outliner struct {
	text  jsonText
	found []outline
}

// findOutlines returns the outlines of a document. It returns none if the text is not JSON.
func findOutlines(ctx context.Context, sys *files.System, path string) ([]outline, error) {
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
	if _, _, err := o.readValue(nil); err != nil {
		return nil, context.Cause(ctx) // opening the source will report the error
	}
	return o.found, nil
}

// readValue reads a value. It returns its first byte and, for an object, the keys.
func (o *outliner) readValue(path []string) (first byte, keys []string, err error) {
	first, err = o.text.peek()
	switch {
	case err != nil:
	case first == '[' && len(path) <= outlineDepth:
		err = o.readArray(path)
	case first == '{' && len(path) <= outlineDepth:
		keys, err = o.readObject(path)
	default:
		keys, err = o.readKeys(first)
	}
	return first, keys, err
}

// readKeys moves past a value that begins with first. It returns the keys of an object.
func (o *outliner) readKeys(first byte) (keys []string, err error) {
	if first != '{' {
		return nil, o.text.skipValue()
	}
	err = o.text.readObject(func(key string) error {
		keys = withKey(keys, key)
		return o.text.skipValue()
	})
	return keys, err
}

func withKey(keys []string, key string) []string {
	if len(keys) < mostKeysOutlined {
		keys = append(keys, key)
	}
	return keys
}

// readArray reads an array. It does not search inside the elements, as a config cannot name those.
func (o *outliner) readArray(path []string) error {
	a := outline{path: path, size: -o.text.offset()}
	objects := 0
	err := o.text.readArray(func(first byte) (err error) {
		if a.rows++; first == '{' {
			objects++
		}
		if a.keys == nil {
			a.keys, err = o.readKeys(first)
			return err
		}
		return o.text.skipValue()
	})
	if a.size += o.text.offset(); a.rows > 0 && (objects == a.rows || len(path) == 0) {
		o.add(a)
	}
	return err
}

// readObject reads an object.
func (o *outliner) readObject(path []string) (keys []string, err error) {
	a := outline{path: path, size: -o.text.offset(), members: true}
	objects, common := 0, []string(nil)
	err = o.text.readObject(func(key string) error {
		keys = withKey(keys, key)
		first, inner, err := o.readValue(append(slices.Clip(path), key))
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
		o.add(a)
	}
	return keys, err
}

// add adds an outline. It keeps at most mostOutlined, the largest ones.
func (o *outliner) add(a outline) {
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

// isNamed reports whether a config can name the value at a path.
func isNamed(path []string) bool {
	return !slices.ContainsFunc(path, func(step string) bool {
		return step == "" || strings.Contains(step, ".") || unusable(step) != ""
	})
}
