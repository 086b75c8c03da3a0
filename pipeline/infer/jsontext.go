package infer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"tfr-build/sources/jsonl"
)

// A jsonText is a JSON document that is read once, in pieces. What is nobody's concern
// in it is passed as fast as a build passes it.
type jsonText struct {
	ctx    context.Context
	in     io.Reader
	window []byte // that was read
	p      int    // what comes next in it
	passed int64  // bytes before the window
	atEOF  bool
	value  jsonl.Skipper
}

// jsonWindow is how much is read at once; a key has room in it.
const jsonWindow = 1 << 20

// deepest is how deep a document is nested at most: beyond, a build would refuse it,
// too.
const deepest = 1000

// errNoJSON says that a document is no JSON, or that none of it could be understood.
var errNoJSON = errors.New("no JSON")

func (t *jsonText) open(ctx context.Context, in io.Reader) {
	*t = jsonText{ctx: ctx, in: in, window: make([]byte, 0, jsonWindow), value: jsonl.Skipper{Depth: deepest}}
	if t.more() == nil && bytes.HasPrefix(t.window, []byte("\xef\xbb\xbf")) {
		t.p = 3
	}
}

// offset is where in the document the next byte stands.
func (t *jsonText) offset() int64 { return t.passed + int64(t.p) }

// more reads on, behind what of the window is not passed yet.
func (t *jsonText) more() error {
	t.passed += int64(t.p)
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

// peek gives the next byte that is no space, and stays there.
func (t *jsonText) peek() (byte, error) {
	for {
		for ; t.p < len(t.window); t.p++ {
			if c := t.window[t.p]; c > ' ' {
				return c, nil
			}
		}
		if err := t.more(); err != nil {
			return 0, err
		}
	}
}

// pass passes the next byte that is no space, which is to be c.
func (t *jsonText) pass(c byte) error {
	found, err := t.peek()
	if err == nil && found != c {
		err = errNoJSON
	}
	t.p++
	return err
}

// skip passes a value.
func (t *jsonText) skip() error {
	t.value.Begin(0)
	for {
		end, done, err := t.value.Skip(t.window, t.p, t.atEOF)
		t.p = end
		if err != nil || done {
			return err
		}
		if err := t.more(); err != nil {
			return err
		}
	}
}

// key passes a key.
func (t *jsonText) key() (key string, err error) {
	if _, err := t.peek(); err != nil {
		return "", err
	}
	for {
		if n := keyLength(t.window[t.p:]); n > 0 {
			err = json.Unmarshal(t.window[t.p:t.p+n], &key)
			t.p += n
			return key, err
		}
		if err := t.more(); err != nil {
			return "", err
		}
	}
}

// keyLength is that of the key that text begins with, its quotes counted; 0 where it has
// no end.
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

// elements passes an array, whose elements each passes, told what they begin with.
func (t *jsonText) elements(each func(first byte) error) error {
	return t.list('[', func() error {
		first, err := t.peek()
		if err != nil {
			return err
		}
		return each(first)
	})
}

// members passes an object, of whose members each passes the values.
func (t *jsonText) members(each func(key string) error) error {
	return t.list('{', func() error {
		key, err := t.key()
		if err != nil {
			return err
		}
		if err := t.pass(':'); err != nil {
			return err
		}
		return each(key)
	})
}

// list passes an array or an object that begins with a bracket.
func (t *jsonText) list(bracket byte, each func() error) error {
	closer := bracket + 2 // } and ] come two after { and [
	if err := t.pass(bracket); err != nil {
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
		if err := t.pass(','); err != nil {
			return err
		}
	}
}
