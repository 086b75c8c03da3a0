package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
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
	listed, err := sys.Stat(path[strings.LastIndexByte(path, '/')+1:], path)
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
	isVIA := slices.Contains(common, "filename") && slices.Contains(common, "regions") // of one or two images
	if a.size += o.text.offset(); objects == a.rows && (a.rows >= least || isVIA) && len(common) > 0 {
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
		return step == "" || strings.Contains(step, ".") || input.NameProblem(step) != ""
	})
}

// A jsonText is a JSON document that is read once, in blocks. It skips values as fast as a build.
type jsonText struct {
	ctx    context.Context
	in     io.Reader
	window []byte // the block in memory
	p      int    // offset of the next byte in the window
	before int64  // number of bytes before the window
	atEOF  bool
	value  jsonl.Skipper
}

// jsonWindow is the size of a block in bytes. A key must fit into a block.
const jsonWindow = 1 << 20

// deepest is the largest depth of a document. A build rejects deeper ones, too.
const deepest = 1000

// errNoJSON says that a document is not JSON, or has a key that does not fit into a block.
var errNoJSON = errors.New("no JSON")

func (t *jsonText) open(ctx context.Context, in io.Reader) {
	*t = jsonText{ctx: ctx, in: in, window: make([]byte, 0, jsonWindow), value: jsonl.Skipper{Depth: deepest}}
	if t.readMore() == nil && bytes.HasPrefix(t.window, []byte("\xef\xbb\xbf")) {
		t.p = 3
	}
}

// offset returns the offset of the next byte in the document.
func (t *jsonText) offset() int64 { return t.before + int64(t.p) }

// readMore reads on, and keeps the rest of the window.
func (t *jsonText) readMore() error {
	t.before += int64(t.p)
	t.window = t.window[:copy(t.window, t.window[t.p:])]
	t.p = 0
	if err := context.Cause(t.ctx); err != nil {
		return err
	}
	if t.atEOF || len(t.window) == cap(t.window) {
		return errNoJSON // it ends too early, or has a key that is longer than a window
	}
	n, err := io.ReadFull(t.in, t.window[len(t.window):cap(t.window)])
	t.window = t.window[:len(t.window)+n]
	if t.atEOF = err == io.EOF || err == io.ErrUnexpectedEOF; t.atEOF {
		return nil
	}
	return err
}

// peek returns the next byte that is not space, without moving past it.
func (t *jsonText) peek() (byte, error) {
	for {
		for ; t.p < len(t.window); t.p++ {
			if c := t.window[t.p]; c > ' ' {
				return c, nil
			}
		}
		if err := t.readMore(); err != nil {
			return 0, err
		}
	}
}

// expect moves past the next byte that is not space, which must be c.
func (t *jsonText) expect(c byte) error {
	found, err := t.peek()
	if err == nil && found != c {
		err = errNoJSON
	}
	t.p++
	return err
}

// skipValue moves past a value.
func (t *jsonText) skipValue() error {
	t.value.Begin(0)
	for {
		end, done, err := t.value.Skip(t.window, t.p, t.atEOF)
		t.p = end
		if err != nil || done {
			return err
		}
		if err := t.readMore(); err != nil {
			return err
		}
	}
}

// readKey reads a key.
func (t *jsonText) readKey() (key string, err error) {
	if _, err := t.peek(); err != nil {
		return "", err
	}
	for {
		if n := keyLength(t.window[t.p:]); n > 0 {
			err = json.Unmarshal(t.window[t.p:t.p+n], &key)
			t.p += n
			return key, err
		}
		if err := t.readMore(); err != nil {
			return "", err
		}
	}
}

// keyLength returns the length of the key that text begins with, including its quotes; 0 if the key
// has no end.
func keyLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// readArray reads an array. It calls each with the first byte of an element; each reads the
// element.
func (t *jsonText) readArray(each func(first byte) error) error {
	return t.readList('[', func() error {
		first, err := t.peek()
		if err != nil {
			return err
		}
		return each(first)
	})
}

// readObject reads an object. It calls each with the key of a member; each reads the value.
func (t *jsonText) readObject(each func(key string) error) error {
	return t.readList('{', func() error {
		key, err := t.readKey()
		if err != nil {
			return err
		}
		if err := t.expect(':'); err != nil {
			return err
		}
		return each(key)
	})
}

// readList reads an array or an object that begins with a bracket.
func (t *jsonText) readList(bracket byte, each func() error) error {
	closer := bracket + 2 // } and ] are two after { and [ in ASCII
	if err := t.expect(bracket); err != nil {
		return err
	}
	if c, err := t.peek(); err != nil || c == closer {
		t.p++
		return err
	}
	for {
		if err := each(); err != nil {
			return err
		}
		if c, err := t.peek(); err != nil || c == closer {
			t.p++
			return err
		}
		if err := t.expect(','); err != nil {
			return err
		}
	}
}
