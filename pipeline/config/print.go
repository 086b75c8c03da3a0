package config

import (
	"regexp"
	"strconv"
	"strings"
)

// appendYAML appends n as YAML in block style. A string is only written without quotes if it cannot
// be read as another type. No library does this: the text is hashed, so it must not change with a
// library's version.
func (n *node) appendYAML(dst []byte, indent int) []byte {
	switch {
	case n.kind == mappingNode:
		for i, q := range n.pairs {
			if i > 0 {
				dst = appendIndent(dst, indent)
			}
			dst = append(append(dst, yamlText(q.key)...), ':')
			dst = q.value.appendBelow(dst, indent+2)
		}
	case n.kind == listNode:
		for i, e := range n.list {
			if i > 0 {
				dst = appendIndent(dst, indent)
			}
			dst = append(dst, "- "...)
			dst = e.appendYAML(dst, indent+2)
		}
		for i, s := range n.strings {
			if i > 0 {
				dst = appendIndent(dst, indent)
			}
			dst = append(append(append(dst, "- "...), yamlText(s)...), '\n')
		}
	case n.quoted:
		dst = append(append(dst, yamlText(n.text)...), '\n')
	default:
		dst = append(append(dst, n.text...), '\n')
	}
	return dst
}

// appendBelow appends the value of a key.
func (n *node) appendBelow(dst []byte, indent int) []byte {
	switch {
	case n.kind == scalarNode:
		return n.appendYAML(append(dst, ' '), indent)
	case len(n.pairs)+len(n.list)+len(n.strings) > 0:
		return n.appendYAML(appendIndent(append(dst, '\n'), indent), indent)
	case n.kind == listNode:
		return append(dst, " []\n"...)
	}
	return append(dst, " {}\n"...)
}

func appendIndent(dst []byte, indent int) []byte {
	for range indent {
		dst = append(dst, ' ')
	}
	return dst
}

var (
	plainRule = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./-]*$`)
	nullWord  = regexp.MustCompile(`^(?i:null)$`)
)

// yamlText returns a string for YAML, quoted if necessary. Its dollar signs are doubled, as the
// loader would expand them.
func yamlText(s string) string {
	if plainRule.MatchString(s) && !oldBool.MatchString(s) && !nullWord.MatchString(s) {
		return s
	}
	return strings.ReplaceAll(strconv.Quote(s), "$", "$$")
}
