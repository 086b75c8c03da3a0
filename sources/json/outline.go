package json

import (
	"bufio"
	"bytes"
	"cmp"
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
// keys of an object are kept, and about mostOutlined outlines.
const (
	outlineDepth     = 4
	mostKeysOutlined = 100
	mostOutlined     = 1000
)

// jsonWindow is the size of a block in bytes. A key must fit into a block.
const jsonWindow = 1 << 20

// deepest is the largest depth of a document. A build rejects deeper ones, too.
const deepest = 1000

// errNoJSON says that a document is not JSON, or has a key that does not fit into a block.
var errNoJSON = errors.New("no JSON")

// An outliner reads a JSON document once, in blocks, and collects its outlines. It skips values as fast as a build.
type outliner struct {
	ctx   context.Context
	in    *bufio.Reader
	at    int64 // offset of the next byte
	value jsonl.Skipper
	found []outline
}

// findOutlines returns the outlines of a document, and its size. It returns none if the text is not JSON.
func findOutlines(ctx context.Context, sys *files.System, path string) (found []outline, size int64, err error) {
	in, err := compress.OpenPath(sys, path)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	o := outliner{ctx: ctx, in: bufio.NewReaderSize(in, jsonWindow), value: jsonl.Skipper{Depth: deepest}}
	const bom = "\xef\xbb\xbf"
	if head, _ := o.in.Peek(len(bom)); string(head) == bom {
		o.discard(len(bom))
	}
	if _, _, err := o.readValue(nil, outlineDepth+1); err != nil {
		return nil, 0, context.Cause(ctx) // opening the source will report the error
	}
	return o.found, o.at, nil
}

// readValue reads a value and collects the outlines on so many levels. It returns its first byte and, for an object,
// the keys. It does not search inside the elements of arrays, as a config cannot name those.
func (o *outliner) readValue(path []string, levels int) (first byte, keys []string, err error) {
	first, err = o.peek()
	isArray := first == '['
	if err != nil || levels < 0 || first != '{' && (!isArray || levels == 0) {
		return first, nil, cmp.Or(err, o.skipValue())
	}
	a := outline{path: path, size: -o.at, members: !isArray}
	objects, common := 0, []string(nil)
	err = o.readList(first, func(key string) error {
		inside, within := path, levels-1
		switch {
		case !isArray:
			inside = append(slices.Clip(path), key)
			if len(keys) < mostKeysOutlined {
				keys = append(keys, key)
			}
		case a.keys == nil:
			within = 0
		default:
			within = -1
		}
		first, inner, err := o.readValue(inside, within)
		if first == '{' {
			objects++
		}
		if a.rows++; a.rows == 1 || isArray && a.keys == nil {
			common, a.keys = slices.Clone(inner), inner
		}
		common = slices.DeleteFunc(common, func(k string) bool { return !slices.Contains(inner, k) })
		return err
	})
	const least = 3
	isVIA := slices.Contains(common, "filename") && slices.Contains(common, "regions") // of one or two images
	isRows := objects == a.rows && len(common) > 0 && (a.rows >= least || isVIA)
	if isArray {
		isRows = a.rows > 0 && (objects == a.rows || len(path) == 0)
	}
	if a.size += o.at; isRows && levels > 0 && isNamed(path) {
		o.found = append(o.found, a)
	}
	if len(o.found) > 2*mostOutlined {
		slices.SortStableFunc(o.found, func(a, b outline) int { return cmp.Compare(b.size, a.size) })
		o.found = o.found[:mostOutlined]
	}
	return first, keys, err
}

// isNamed reports whether a config can name the value at a path.
func isNamed(path []string) bool {
	return !slices.ContainsFunc(path, func(step string) bool {
		return step == "" || strings.Contains(step, ".") || input.NameProblem(step) != ""
	})
}

// window returns the bytes in memory, which are at least n unless there is an error.
func (o *outliner) window(n int) ([]byte, error) {
	_, err := o.in.Peek(n)
	window, _ := o.in.Peek(o.in.Buffered()) // which are there
	return window, cmp.Or(err, context.Cause(o.ctx))
}

func (o *outliner) discard(n int) {
	_, _ = o.in.Discard(n) // they are in memory, or a later read fails
	o.at += int64(n)
}

// peek returns the next byte that is not space, without moving past it.
func (o *outliner) peek() (byte, error) {
	for {
		window, err := o.window(1)
		if err != nil {
			return 0, err
		}
		if window[0] > ' ' {
			return window[0], nil
		}
		o.discard(1)
	}
}

// expect moves past the next byte that is not space, which must be c.
func (o *outliner) expect(c byte) error {
	found, err := o.peek()
	if err == nil && found != c {
		err = errNoJSON
	}
	o.discard(1)
	return err
}

// skipValue moves past a value.
func (o *outliner) skipValue() error {
	o.value.Begin(0)
	for n := 1; ; {
		window, err := o.window(n)
		end, done, bad := o.value.Skip(window, 0, err == io.EOF)
		if o.discard(end); done {
			return nil
		}
		if err = cmp.Or(err, bad); err != nil {
			return err
		}
		n = len(window) - end + 1
	}
}

// readKey reads a key and the colon after it.
func (o *outliner) readKey() (key string, err error) {
	for n := 1; ; {
		window, err := o.window(n)
		d := json.NewDecoder(bytes.NewReader(window))
		if d.Decode(&key) == nil {
			o.discard(int(d.InputOffset()))
			return key, o.expect(':')
		}
		if err != nil {
			return "", err
		}
		n = len(window) + 1
	}
}

// readList reads an array or an object that begins with a bracket. each reads an element, or the value of a key.
func (o *outliner) readList(bracket byte, each func(key string) error) error {
	closer := bracket + 2 // } and ] are two after { and [ in ASCII
	if err := o.expect(bracket); err != nil {
		return err
	}
	for i := 0; ; i++ {
		c, err := o.peek()
		if err != nil || c == closer {
			o.discard(1)
			return err
		}
		if i > 0 {
			err = o.expect(',')
		}
		key := ""
		if err == nil && bracket == '{' {
			key, err = o.readKey()
		}
		if err == nil {
			err = each(key)
		}
		if err != nil {
			return err
		}
	}
}
