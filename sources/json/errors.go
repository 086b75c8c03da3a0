package json

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// fail stores the error of the document.
func (c *cutter) fail(err error) {
	bad, ok := errors.AsType[*schema.RowError](err)
	if ok && bad.Code == "LIMIT_DEPTH" {
		c.failTooDeep(bad.At)
		return
	}
	c.bad = bad
}

// failSyntax stores an error that says what was found at p and what was expected.
func (c *cutter) failSyntax(window []byte, p int, expected string) {
	c.fail(jsonl.Syntax(window, p, expected))
	if c.state == atEnd && c.bad.At < len(window) && window[p] == '{' {
		c.bad.Hint = "the source type jsonl reads files with one object per line"
	}
}

// expected describes what may come next.
func (c *cutter) expected() string {
	object := len(c.levels) > 0 && c.top().closer == '}'
	switch {
	case c.state == atEnd:
		return "the end of the file"
	case c.state == atColon:
		return "a colon after the key"
	case c.state == atNext && object:
		return "a comma or }"
	case c.state == atNext:
		return "a comma or ]"
	case object && c.state != atKeyed && c.state != atValue:
		return "a key in quotes"
	}
	return "a value"
}

func (c *cutter) failTooDeep(p int) {
	c.bad = schema.RowErrorf("LIMIT_DEPTH", p, "nested more than limits.depth, %d", c.limits.Depth)
}

func (c *cutter) failLongKey(p int) {
	c.bad = schema.RowErrorf("LIMIT_RECORD", p, "a key of more than %d bytes", maxKey)
}

// failTwice stores the error that the path leads to two values, the second by the key at p.
func (c *cutter) failTwice(p int) {
	c.bad = schema.RowErrorf("JSON_DUP_KEY", p, "a second key %s on the path to the rows, %s", schema.Quote(c.name),
		schema.Quote(c.rows))
}

// describePath describes the value that the first steps of the path lead to.
func (c *cutter) describePath(steps int) string {
	if steps == 0 {
		return "the document"
	}
	return schema.Quote(strings.Join(c.path[:steps], "."))
}

// failContainer stores the error that the path leads to the value at p, which cannot have rows in
// it.
func (c *cutter) failContainer(window []byte, p int) {
	found, hint := jsonl.KindOf(window[p]), ""
	expected := "an array of rows"
	switch rest := c.path[c.steps:]; {
	case len(rest) > 0 && window[p] == '[':
		expected = fmt.Sprintf("an object with the key %s, or the number of an element", schema.Quote(rest[0]))
	case len(rest) > 0:
		expected = "an object with the key " + schema.Quote(rest[0])
	case c.members:
		expected = "an object, of whose keys `keys` makes a column"
		if window[p] == '[' {
			hint = "remove keys"
		}
	}
	c.bad = &schema.RowError{Code: "JSON_NO_ROWS", At: p, Hint: hint,
		Message: fmt.Sprintf("%s is %s; expected %s", c.describePath(c.steps), found, expected)}
}

// failNoRows stores the error that a level has no rows, after it was read to its end.
func (c *cutter) failNoRows(l *level) {
	c.bad = &schema.RowError{Code: "JSON_NO_ROWS", At: -1}
	switch {
	case l.lost:
		c.bad.Message = c.describePath(l.steps) + " is an object; expected an array of rows"
		switch len(l.arrays) {
		case 0:
			c.bad.Hint = "keys: NAME, where its values are the rows"
		case 1:
			c.bad.Hint = "rows: " + strings.Join(append(slices.Clone(c.path), l.arrays[0]), ".")
			fallthrough
		default:
			c.bad.Message += "; arrays in it: " + input.NameList(l.arrays)
		}
	case l.closer == ']':
		c.bad.Message = fmt.Sprintf("%s has %s, and no element %s", c.describePath(l.steps),
			plural.Of(l.index, "element"), c.path[l.steps])
	default:
		rest := strings.Join(c.path[l.steps:], ".")
		c.bad.Message = fmt.Sprintf("%s has no key %s", c.describePath(l.steps), schema.Quote(c.path[l.steps]))
		if near := nearest.Of(c.path[l.steps], l.keys); near != "" {
			c.bad.Message += fmt.Sprintf("; did you mean %s?", schema.Quote(near))
		} else if near := nearest.Of(rest, l.keys); near != "" {
			c.bad.Message += fmt.Sprintf("; did you mean %s?", schema.Quote(near))
		}
		c.bad.Message += "; found: " + input.NameList(l.keys)
	}
}
