package config

import (
	"slices"
	"strings"
)

// mostFilledIn is the length of the longest list that a hint repeats.
const mostFilledIn = 8

// filledIn returns a hint with the text of a node in place of VALUE.
func filledIn(help string, n *node) string {
	value := "…"
	switch {
	case n.kind == listNode && len(n.list) <= mostFilledIn && !slices.ContainsFunc(n.list, func(of *node) bool { return !of.isScalar() }):
		var list []string
		for _, of := range n.list {
			list = append(list, filledIn("VALUE", of))
		}
		value = "[" + strings.Join(list, ", ") + "]"
	case n.isScalar() && n.quoted:
		value = quoteValue(n.text)
	case n.isScalar() && !n.isNull() && isLine(n.text):
		value = cutNumber(withoutUser(n.text))
	}
	if n.isScalar() { // the hint has quotes already
		help = strings.ReplaceAll(help, `"{VALUE}"`, quoteValue("{"+n.text+"}"))
	}
	return strings.ReplaceAll(help, "VALUE", value)
}

// hasWord reports whether words, separated by spaces, contain word.
func hasWord(words, word string) bool {
	return word != "" && strings.Contains(words, word) && slices.Contains(strings.Fields(words), word)
}
