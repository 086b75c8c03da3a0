package config

import (
	"fmt"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// mostChanges is the largest number of changes that are listed.
const mostChanges = 5

// maxCompared is the size of the largest canonical text that is compared, in bytes.
const maxCompared = 1 << 20

// ChangesOf lists the keys whose values differ between two canonical configs: `sample: 50% → 60%;
// seed: 1 → 2; and 3 more`. It is empty if one is not a config, or is larger than 1 MiB.
func ChangesOf(before, now []byte) string {
	if max(len(before), len(now)) > maxCompared {
		return ""
	}
	noVariables := func(string) (string, bool) { return "", false }
	old, current := parseTree(newCollector(), noVariables, before), parseTree(newCollector(), noVariables, now)
	if old == nil || current == nil {
		return ""
	}
	list := changes(nil, "", old, current)
	if n := len(list) - mostChanges; n > 0 {
		list = append(list[:mostChanges], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(list, "; ")
}

// changes appends the differences between two values at path to list. One of the values may be nil.
func changes(list []string, path string, old, now *node) []string {
	if old == nil || now == nil || old.kind != now.kind {
		return append(list, path+": "+valueText(old)+" → "+valueText(now))
	}
	switch {
	case old.kind == mappingNode:
		return keyChanges(list, path, old, now)
	case old.kind == listNode && len(old.list) == len(now.list):
		for i := range old.list {
			list = changes(list, fmt.Sprintf("%s[%d]", path, i), old.list[i], now.list[i])
		}
	case old.kind == listNode || old.text != now.text:
		list = append(list, path+": "+valueText(old)+" → "+valueText(now))
	}
	return list
}

// keyChanges appends the differences between two mappings to list.
func keyChanges(list []string, path string, old, now *node) []string {
	before, after := valuesByKey(old), valuesByKey(now)
	for _, p := range old.pairs {
		list = changes(list, subPath(path, p.key), p.value, after[p.key])
	}
	for _, p := range now.pairs {
		if before[p.key] == nil {
			list = changes(list, subPath(path, p.key), nil, p.value)
		}
	}
	return list
}

func valuesByKey(mapping *node) map[string]*node {
	values := make(map[string]*node, len(mapping.pairs))
	for _, p := range mapping.pairs {
		values[p.key] = p.value
	}
	return values
}

// valueText returns a value for a message: a mapping as {…}, and a long list as its number of
// values.
func valueText(n *node) string {
	const most = 40
	switch {
	case n == nil:
		return "unset"
	case n.kind == mappingNode:
		return "{…}"
	case n.kind == listNode:
		return listText(n)
	case n.quoted || len(n.text) > most:
		return schema.Quote(n.text)
	}
	return n.text
}

// listText returns a short list of scalars as it is, and any other list as its number of values.
func listText(n *node) string {
	const most = 60
	var texts []string
	for _, value := range n.list {
		if !value.isScalar() {
			return plural.Of(len(n.list), "value")
		}
		texts = append(texts, valueText(value))
	}
	if text := "[" + strings.Join(texts, ", ") + "]"; len(text) <= most {
		return text
	}
	return plural.Of(len(n.list), "value")
}
