package json

import (
	"encoding/json"
	"strconv"
	"strings"

	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// A level is an open object or array that the path leads through, or the container of the rows.
type level struct {
	closer byte     // } or ]
	steps  int      // number of steps of the path that lead to it
	isRows bool     // its elements are the rows
	lost   bool     // it cannot have rows: it is read only for the error message
	index  int      // index of the next element
	found  bool     // it has the value that the path names
	keys   []string // of an object; as many as a message may show
	arrays []string // keys whose value is an array
}

// Maximum number of keys of an object that a message may show, and their maximum length.
const (
	maxKeys = 1000
	longKey = 200
)

// maxKey is the maximum length of a key on the path, in bytes.
const maxKey = 64 << 10

func (c *cutter) top() *level { return &c.levels[len(c.levels)-1] }

// open opens the object or array at p that the path leads to.
func (c *cutter) open(window []byte, p int) (next int, ok bool) {
	l := level{closer: window[p] + 2, steps: c.steps, isRows: c.steps == len(c.path)} // } and ] come two after { and [
	isObject := window[p] == '{'
	switch {
	case !jsonl.BeginsValue(window[p]):
		c.failSyntax(window, p, c.expected())
		return p, false
	case !isObject && window[p] != '[', l.isRows && c.members && !isObject:
		c.failContainer(window, p)
		return p, false
	case l.isRows && !c.members && isObject:
		l.isRows, l.lost = false, true
	case !l.isRows && !isObject && !c.isIndex():
		c.failContainer(window, p)
		return p, false
	case len(c.levels) >= c.limits.Depth:
		c.failTooDeep(p)
		return p, false
	}
	c.levels = append(c.levels, l)
	c.state = atFirst
	return p + 1, true
}

// close closes the innermost level, whose closing bracket is at p.
func (c *cutter) close(p int) int {
	if l := c.top(); l.lost || !l.isRows && !l.found {
		c.failNoRows(l)
		return p
	}
	c.levels = c.levels[:len(c.levels)-1]
	if c.state = atNext; len(c.levels) == 0 {
		c.state = atEnd
	}
	return p + 1
}

// beginMember begins the element or member at p of the innermost level.
func (c *cutter) beginMember(window []byte, p int, atEOF bool) (next int, ok bool) {
	l := c.top()
	switch {
	case l.isRows && c.members && window[p] != '"':
		c.failSyntax(window, p, "a key in quotes")
		return p, false
	case l.isRows:
		c.state = inRow
		return p, true
	case l.closer == ']':
		named := 0
		if strconv.Itoa(l.index) == c.path[l.steps] {
			named = 1
		}
		l.index++
		return c.beginValue(window, p, atEOF, named)
	}
	return c.cutKey(window, p, atEOF)
}

// matchPath returns how many steps of the path a key of the innermost level matches: one, or all
// that are left, or 0.
func (c *cutter) matchPath(key string) int {
	l := c.top()
	rest := c.path[l.steps:]
	switch {
	case l.lost:
		return 0
	case key == strings.Join(rest, "."):
		return len(rest)
	case key == rest[0]:
		return 1
	}
	return 0
}

// addKey stores a key for messages.
func (l *level) addKey(key string, isArray bool) {
	if len(l.keys) == maxKeys || len(key) > longKey {
		return
	}
	l.keys = append(l.keys, key)
	if isArray {
		l.arrays = append(l.arrays, key)
	}
}

// beginValue begins the value at p of the innermost level. It matches that many steps of the path;
// with 0 steps the value is skipped.
func (c *cutter) beginValue(window []byte, p int, atEOF bool, steps int) (next int, ok bool) {
	if l := c.top(); steps > 0 {
		l.found, c.state, c.steps = true, atValue, l.steps+steps
		return p, true
	}
	c.skip.UTF8 = true
	c.skip.Begin(len(c.levels))
	return c.skipValue(window, p, atEOF)
}

// cutKey parses the key at p.
func (c *cutter) cutKey(window []byte, p int, atEOF bool) (next int, ok bool) {
	if window[p] != '"' {
		c.failSyntax(window, p, "a key in quotes")
		return p, false
	}
	c.skip.UTF8 = true
	c.skip.Begin(0)
	end, done, err := c.skip.Skip(window, p, atEOF)
	switch {
	case err != nil:
		c.fail(err)
	case end-p > maxKey:
		c.failLongKey(p)
	case done && json.Unmarshal(window[p:end], &c.name) == nil:
		if c.state = atColon; c.top().found && c.matchPath(c.name) > 0 {
			c.failTwice(p)
		}
		return end, true
	}
	return p, false
}

// beginKeyed begins the value at p that belongs to the last key.
func (c *cutter) beginKeyed(window []byte, p int, atEOF bool) (next int, ok bool) {
	c.top().addKey(c.name, window[p] == '[')
	return c.beginValue(window, p, atEOF, c.matchPath(c.name))
}

// isIndex reports whether the next step of the path may be an array index.
func (c *cutter) isIndex() bool {
	_, is := input.Index(c.path[c.steps])
	return is
}
