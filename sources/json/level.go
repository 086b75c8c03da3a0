package document

import (
	"encoding/json"
	"strconv"
	"strings"

	"tfr-build/sources/jsonl"
)

// A level is an object or an array that the path leads through, or that of the rows.
type level struct {
	closer byte     // } or ]
	steps  int      // of the path that lead to it
	isRows bool     // its elements are the rows
	lost   bool     // there are no rows in it: it is read to tell what there is
	index  int      // the number of its next element
	found  bool     // what the path names
	keys   []string // of an object, as far as a message shows them
	arrays []string // of these, those whose value is an array
}

// most is how many keys of an object a message may show, and how long one is.
const (
	mostKeys = 1000
	longKey  = 200
)

// tokenMost is how long a key on the path may be.
const tokenMost = 64 << 10

func (c *cutter) top() *level { return &c.levels[len(c.levels)-1] }

// open opens the value at p that the path leads to.
func (c *cutter) open(window []byte, p int) (next int, ok bool) {
	l := level{closer: window[p] + 2, steps: c.steps, isRows: c.steps == len(c.path)} // } and ] come two after { and [
	isObject := window[p] == '{'
	switch {
	case !jsonl.BeginsValue(window[p]):
		c.syntax(window, p, c.expected())
		return p, false
	case !isObject && window[p] != '[', l.isRows && c.members && !isObject:
		c.noContainer(window, p)
		return p, false
	case l.isRows && !c.members && isObject:
		l.isRows, l.lost = false, true
	case !l.isRows && !isObject && !isIndex(c.path[c.steps]):
		c.noContainer(window, p)
		return p, false
	case len(c.levels) >= c.limits.Depth:
		c.tooDeep(p)
		return p, false
	}
	c.levels = append(c.levels, l)
	c.state = atFirst
	return p + 1, true
}

// close closes the innermost level, whose bracket is at p.
func (c *cutter) close(p int) int {
	if l := c.top(); l.lost || !l.isRows && !l.found {
		c.noRows(l)
		return p
	}
	c.levels = c.levels[:len(c.levels)-1]
	if c.state = atNext; len(c.levels) == 0 {
		c.state = atEnd
	}
	return p + 1
}

// member begins the element or the member at p of the innermost level.
func (c *cutter) member(window []byte, p int, atEOF bool) (next int, ok bool) {
	l := c.top()
	switch {
	case l.isRows && c.members && window[p] != '"':
		c.syntax(window, p, "a key in quotes")
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
		return c.value(window, p, atEOF, named)
	}
	return c.key(window, p, atEOF)
}

// names is how many steps of the path a key of the innermost level is: one, or all
// that are left; 0 where the path names another.
func (c *cutter) names(key string) int {
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

// note keeps a key for messages.
func (l *level) note(key string, isArray bool) {
	if len(l.keys) == mostKeys || len(key) > longKey {
		return
	}
	l.keys = append(l.keys, key)
	if isArray {
		l.arrays = append(l.arrays, key)
	}
}

// value goes on with the value at p of the innermost level: one to which so many
// steps of the path lead, or one beside it.
func (c *cutter) value(window []byte, p int, atEOF bool, steps int) (next int, ok bool) {
	if l := c.top(); steps > 0 {
		l.found, c.state, c.steps = true, atValue, l.steps+steps
		return p, true
	}
	c.skip.UTF8 = true
	c.skip.Begin(len(c.levels))
	return c.beside(window, p, atEOF)
}

// key passes the key at p.
func (c *cutter) key(window []byte, p int, atEOF bool) (next int, ok bool) {
	if window[p] != '"' {
		c.syntax(window, p, "a key in quotes")
		return p, false
	}
	c.skip.UTF8 = true
	c.skip.Begin(0)
	end, done, err := c.skip.Skip(window, p, atEOF)
	switch {
	case err != nil:
		c.fail(err)
	case end-p > tokenMost:
		c.longKey(p)
	case done && json.Unmarshal(window[p:end], &c.name) == nil:
		if c.state = atColon; c.top().found && c.names(c.name) > 0 {
			c.twice(p)
		}
		return end, true
	}
	return p, false
}

// keyed goes on with the value at p of the key that was passed.
func (c *cutter) keyed(window []byte, p int, atEOF bool) (next int, ok bool) {
	c.top().note(c.name, window[p] == '[')
	return c.value(window, p, atEOF, c.names(c.name))
}

// isIndex reports whether a step of a path may be the number of an element.
func isIndex(step string) bool {
	n, err := strconv.Atoi(step)
	return err == nil && n >= 0 && strconv.Itoa(n) == step
}
