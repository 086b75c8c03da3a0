package infer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"tfr-build/sources/jsonl"
)

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
