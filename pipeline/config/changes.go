package config

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// mostChanges is how many changes are listed.
const mostChanges = 5

// maxCompared is the size of the largest canonical text that is compared, in bytes.
const maxCompared = 1 << 20

// ChangesOf lists the keys whose values differ between two canonical texts:
// `sample: 50% → 60%; seed: 1 → 2; and 3 more`. It is empty if a text is not YAML or
// larger than 1 MiB.
func ChangesOf(before, now []byte) string {
	if max(len(before), len(now)) > maxCompared {
		return ""
	}
	var old, current yaml.Node
	if yaml.Unmarshal(before, &old) != nil || yaml.Unmarshal(now, &current) != nil || len(old.Content) == 0 || len(current.Content) == 0 {
		return ""
	}
	list := changes(nil, "", old.Content[0], current.Content[0])
	if n := len(list) - mostChanges; n > 0 {
		list = append(list[:mostChanges], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(list, "; ")
}

// changes adds to list what differs between two values at path, of which one may be nil.
func changes(list []string, path string, old, now *yaml.Node) []string {
	if old == nil || now == nil || old.Kind != now.Kind {
		return append(list, path+": "+valueText(old)+" → "+valueText(now))
	}
	switch {
	case old.Kind == yaml.MappingNode:
		return keyChanges(list, path, old, now)
	case old.Kind == yaml.SequenceNode && len(old.Content) == len(now.Content):
		for i := range old.Content {
			list = changes(list, fmt.Sprintf("%s[%d]", path, i), old.Content[i], now.Content[i])
		}
	case old.Kind == yaml.SequenceNode || old.Value != now.Value:
		list = append(list, path+": "+valueText(old)+" → "+valueText(now))
	}
	return list
}

// keyChanges is changes for two mappings. Canonical texts have their keys in one order,
// but for names that the config gives.
func keyChanges(list []string, path string, old, now *yaml.Node) []string {
	before, names := valuesByKey(old)
	after, added := valuesByKey(now)
	for _, name := range added {
		if before[name] == nil {
			names = append(names, name)
		}
	}
	for _, name := range names {
		list = changes(list, subPath(path, name), before[name], after[name])
	}
	return list
}

// valuesByKey returns the values of a mapping, and its keys in their order.
func valuesByKey(n *yaml.Node) (values map[string]*yaml.Node, names []string) {
	values = map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		values[name] = n.Content[i+1]
		names = append(names, name)
	}
	return values, names
}

// valueText returns a value for a message: a mapping as {…}, a long list as the number of
// its values.
func valueText(n *yaml.Node) string {
	const most = 40
	switch {
	case n == nil:
		return "unset"
	case n.Kind == yaml.MappingNode:
		return "{…}"
	case n.Kind == yaml.SequenceNode:
		return listText(n)
	case len(n.Value) > most || n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return schema.Quote(n.Value)
	}
	return n.Value
}

// listText returns a list of a few short scalars as it is; of another only how many
// values it has.
func listText(n *yaml.Node) string {
	const most = 60
	var texts []string
	for _, value := range n.Content {
		if value.Kind != yaml.ScalarNode {
			return plural.Of(len(n.Content), "value")
		}
		texts = append(texts, valueText(value))
	}
	if text := "[" + strings.Join(texts, ", ") + "]"; len(text) <= most {
		return text
	}
	return plural.Of(len(n.Content), "value")
}
