package json

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/lines"
)

// An outline is a part of a JSON document that may be rows. It is an array of objects, or an object
// of objects with a key in common.
type outline struct {
	path    []string
	members bool     // the rows are the members of an object
	few     bool     // the members are too few to be rows unless others are; or the elements are lists or strings
	count   int      // number of elements or members
	width   int      // number of elements in the first element, if all are lists; 0 for others
	size    int64    // size in bytes
	keys    []string // keys of the first element that is an object
	others  []string // paths of a few other values, in the objects around it
}

// outlineDepth is the largest depth of objects in which rows are searched. At most mostKeysOutlined
// keys of an object are kept, and about mostOutlined outlines.
const (
	outlineDepth     = 4
	mostKeysOutlined = 100
	mostOutlined     = 1000
)

// mostNamed is the largest number of other values in a document that a comment names.
const mostNamed = 10

// least is the smallest number of members of an object that are rows, unless others say so.
const least = 3

// At most mostOutlinedFiles documents of a source are outlined, and none after enoughOutlined bytes.
const mostOutlinedFiles, enoughOutlined = 40, 32 << 20

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
	table string // the Python expression of the rows, if the document may be a table by columns; empty otherwise
	alike int    // members of the document of one kind, if all are; at most mostKeysOutlined
}

// A content is what a value has in it.
type content struct {
	first   byte     // of its text
	keys    []string // of an object; at most mostKeysOutlined
	size    int      // number of elements or members
	objects int      // those that are objects
	lists   int      // those that are lists
	texts   int      // those that are strings
}

// findOutlines finds the outlines of a document. It finds none if the text is not JSON.
func findOutlines(ctx context.Context, sys *files.System, path string) (*outliner, error) {
	in, err := compress.OpenPath(sys, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	o := &outliner{ctx: ctx, in: bufio.NewReaderSize(in, jsonWindow), value: jsonl.Skipper{Depth: deepest}}
	head, _ := o.in.Peek(len(lines.BOM))
	o.discard(lines.First(head))
	if _, err := o.readValue(nil, outlineDepth+1); err != nil {
		return &outliner{}, context.Cause(ctx) // opening the source will report the error
	}
	return o, nil
}

// merge adds the outlines of another document: an array may be empty in the first one.
func (o *outliner) merge(other *outliner) {
	for _, a := range other.found {
		isSame := func(b outline) bool { return a.members == b.members && slices.Equal(a.path, b.path) }
		if i := slices.IndexFunc(o.found, isSame); i >= 0 {
			o.found[i].size += a.size
		} else if len(o.found) < mostOutlined {
			o.found = append(o.found, a)
		}
	}
	o.at += other.at
}

// readValue reads a value and collects the outlines on so many levels. It does not search inside the elements of
// arrays, as a config cannot name those.
func (o *outliner) readValue(path []string, levels int) (v content, err error) {
	v.first, err = o.peek()
	isArray := v.first == '['
	if err != nil || levels < 0 || v.first != '{' && (!isArray || levels == 0) {
		return v, cmp.Or(err, o.skipValue())
	}
	a, from := outline{path: path, size: -o.at, members: !isArray}, len(o.found)
	var common []string
	var all []content // members of the document
	err = o.readList(v.first, func(key string) error {
		inside, within := path, levels-1
		switch {
		case isArray && v.size == 0: // no config can name what is in it
			inside, within = append(slices.Clip(path), ""), min(within, 1)
		case !isArray:
			inside = append(slices.Clip(path), key)
			if len(v.keys) < mostKeysOutlined {
				v.keys = append(v.keys, key)
			}
		case a.keys == nil:
			within = 0
		default:
			within = -1
		}
		inner, err := o.readValue(inside, within)
		switch inner.first {
		case '{':
			v.objects++
		case '[':
			v.lists++
		case '"':
			v.texts++
		}
		if v.size == 0 {
			a.width = inner.size
		}
		if v.size++; v.size == 1 || isArray && a.keys == nil {
			common, a.keys = slices.Clone(inner.keys), inner.keys
		}
		common = slices.DeleteFunc(common, func(k string) bool { return !slices.Contains(inner.keys, k) })
		if len(path) == 0 && !isArray && len(all) < mostKeysOutlined {
			all = append(all, inner)
		}
		return err
	})
	if len(path) == 0 {
		o.table = tableRows(all)
		isOther := func(v content) bool { return jsonl.KindOf(v.first) != jsonl.KindOf(all[0].first) }
		if o.alike = len(all); slices.ContainsFunc(all, isOther) {
			o.alike = 0
		}
	}
	for i := range o.found[min(from, len(o.found)):] {
		inside := &o.found[from+i]
		for _, key := range v.keys {
			if len(inside.path) <= len(path) || !slices.Equal(inside.path[:len(path)], path) {
				break // there were too many
			}
			if key != inside.path[len(path)] && len(inside.others) <= mostNamed {
				inside.others = append(inside.others, strings.Join(append(slices.Clip(path), key), "."))
			}
		}
	}
	isVIA := slices.Contains(common, "filename") && slices.Contains(common, "regions") // of one or two images
	isRows := v.objects == v.size && len(common) > 0
	if a.few = v.size < least && !isVIA && !areCounted(v.keys); isArray {
		isRows = v.size > 0 && (max(v.objects, v.lists, v.texts) == v.size || len(path) == 0)
		a.few = v.objects < v.size && len(path) > 0
	}
	if a.count = v.size; v.lists < v.size {
		a.width = 0
	}
	if a.size += o.at; isRows && levels > 0 && isNamed(path) {
		o.found = append(o.found, a)
	}
	if len(o.found) > 2*mostOutlined {
		slices.SortStableFunc(o.found, func(a, b outline) int { return cmp.Compare(b.size, a.size) })
		o.found = o.found[:mostOutlined]
	}
	return v, err
}

// tableRows returns the Python expression of the rows of a document t, if its members may be the columns of a table, as
// pandas writes it: lists of one length, or objects whose keys are the numbers of rows. It is empty for others.
func tableRows(members []content) string {
	areLists, areObjects := len(members) > 1, len(members) > 0
	for _, v := range members {
		areLists = areLists && v.first == '[' && v.size == members[0].size && v.objects == 0
		areObjects = areObjects && v.first == '{' && areCounted(v.keys) && v.objects == 0
	}
	switch {
	case areLists:
		return "(dict(zip(t, r)) for r in zip(*t.values()))"
	case areObjects:
		return "(dict(zip(t, r)) for r in zip(*(c.values() for c in t.values())))"
	}
	return ""
}

// namedLists returns the largest array of lists that may be rows, as another one has as many names; and the Python
// expression of the rows of the document t.
func namedLists(found []outline) (lists outline, table string) {
	for _, a := range found {
		for _, names := range found {
			i := slices.IndexFunc(nameKeys, func(key string) bool { return slices.Contains(names.keys, key) })
			if a.width == 0 || a.size <= lists.size || names.members || names.count != a.width || names.width > 0 ||
				i < 0 && !names.few {
				continue
			}
			of := names.expression()
			if i >= 0 {
				of = fmt.Sprintf("[c[%q] for c in %s]", nameKeys[i], of)
			}
			lists, table = a, "(dict(zip("+of+", r)) for r in "+a.expression()+")"
		}
	}
	return lists, table
}

// nameKeys are the keys of objects that describe columns, for the names of these.
var nameKeys = []string{"name", "id", "label", "title"}

// expression returns the Python expression of an outline in the document t.
func (a *outline) expression() string {
	text := "t"
	for _, step := range a.path {
		text += "[" + strings.ReplaceAll(strconv.Quote(step), "'", `\x27`) + "]"
	}
	return text
}

// areCounted reports whether keys are the numbers from 0 on, as pandas numbers rows.
func areCounted(keys []string) bool {
	for i, key := range keys {
		if key != strconv.Itoa(i) {
			return false
		}
	}
	return len(keys) > 0
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
