package config

import (
	"cmp"
	_ "embed" // hints.txt
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
)

//go:embed hints.txt
var hintsText string

// A hint is a line of hints.txt.
type hint struct{ words, help string }

// hints are the lines of hints.txt below each heading, such as "in csv" or "of type".
var hints = sync.OnceValue(func() map[string][]hint {
	all := map[string][]hint{}
	var headings []string
	for line := range strings.SplitSeq(hintsText, "\n") {
		words, help, isHint := strings.Cut(line, " > ")
		kind, names, _ := strings.Cut(line, " ")
		switch {
		case isHint:
			for _, heading := range headings {
				all[heading] = append(all[heading], hint{words, help})
			}
		case kind == "in" || kind == "of":
			headings = nil
			for _, name := range strings.Fields(names) {
				headings = append(headings, kind+" "+name)
			}
		}
	}
	return all
})

// hintOf returns the hint for the first of words below a heading; empty if it has none.
func hintOf(heading string, words ...string) string {
	for _, row := range hints()[heading] {
		for _, word := range strings.Fields(row.words) {
			if slices.Contains(words, word) {
				return row.help
			}
		}
	}
	return ""
}

// headingOf returns the heading of the keys of a struct.
func headingOf(in reflect.Type) string {
	for _, kind := range sources.Kinds {
		if reflect.TypeOf(kind.New()).Elem() == in {
			return "in " + kind.Name
		}
	}
	name := strings.ToLower(in.Name())
	return "in " + cmp.Or(map[string]string{"document": "config", "rowlimit": "limit", "spec": "convert"}[name], name)
}

// keyHelp returns the hint for a key that a struct does not have, and the key that was probably
// meant.
func keyHelp(d *decoder, in reflect.Type, q pair, names []string) (help, meant string) {
	if help = hintOf(headingOf(in), q.key); help != "" {
		if key, _, _ := strings.Cut(help, ":"); slices.Contains(names, key) { // the hint is text to paste
			meant = key
		}
		if folds, err := strconv.Atoi(q.value.text); meant == "folds" && (err != nil || folds < 2 || folds > 100) {
			return "folds: 5", meant
		}
		return filledIn(help, q.value), meant
	}
	if in == reflect.TypeFor[Source]() && slices.Contains([]string{"type", "kind", "format"}, q.key) {
		return typeAsKey(q.value), ""
	}
	for _, row := range hints()["in any"] {
		if slices.Contains(strings.Fields(row.words), q.key) {
			for meant := range strings.SplitSeq(row.help, "|") {
				if slices.Contains(names, meant) {
					return nearest.DidYouMean(meant), meant
				}
			}
		}
	}
	if meant = nearest.Of(q.key, names); meant != "" {
		return nearest.DidYouMean(meant), meant
	}
	if _, isType := schema.ParseType(q.value.text); isType && in == reflect.TypeFor[document]() {
		return "if it is a feature, indent it below features", ""
	}
	return elsewhere(d, q.key), ""
}

// wordHelp returns the hint for a value of a key; empty if no hint is known.
func wordHelp(key string, n *node) string {
	words := []string{"WORD", strings.ToLower(n.text)}
	switch {
	case n.isScalar() && n.isNull() && n.text == "":
		return "" // no value
	case n.kind == listNode:
		words = []string{"LIST"}
	case n.kind == mappingNode:
		words = []string{"MAPPING"}
	case looksLikeNumber(n):
		words[0] = "NUMBER"
	case sizeForm.MatchString(n.text):
		words[0] = "SIZE"
	case !n.quoted && oldBool.MatchString(n.text):
		words[0] = "BOOL"
	case strings.Contains(n.text, "{"):
		words = append(words, "TEMPLATE")
	case strings.Contains(n.text, ":") && !strings.Contains(n.text, "://"):
		words = append(words, "COLON")
	}
	help := hintOf("of "+key, words...)
	if help != "" && !strings.Contains(help, " ") {
		help = key + ": " + help
	}
	return filledIn(help, n)
}

// suggest gives problems of a value the hint for a common mistake of its key. It checks the
// problems from index from on.
func (f *collector) suggest(at spot, key string, from int) {
	for i := from; i < len(f.list); i++ {
		q := &f.list[i]
		if q.Path != at.path {
			continue
		}
		words := at.field.words()
		help := wordHelp(key, at.node)
		if word, ok := strings.CutPrefix(help, key+": "); ok && len(words) > 0 {
			if word, _, _ = strings.Cut(word, ";"); !slices.Contains(words, word) {
				continue // a key of the same name in another mapping
			}
		}
		q.Hint = cmp.Or(help, q.Hint)
	}
}

// mostFilledIn is the length of the longest list that a hint repeats.
const mostFilledIn = 8

// filledIn returns a hint with the text of a node in place of VALUE.
func filledIn(help string, n *node) string {
	if !strings.Contains(help, "VALUE") {
		return help
	}
	value := "…"
	switch {
	case n.kind == listNode && len(n.list) <= mostFilledIn &&
		!slices.ContainsFunc(n.list, func(of *node) bool { return !of.isScalar() }):
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

// typeAsKey returns the hint for a source whose type is written as a value.
func typeAsKey(value *node) string {
	kind := "csv"
	if value.isScalar() {
		if name := strings.ToLower(value.text); kindIndex(name) >= 0 {
			kind = name
		}
	}
	options := "FILE"
	switch kind {
	case "images", "folder", "xml":
		options = "DIR"
	case "arrays":
		options = "{columns: {COLUMN: FILE}}"
	}
	return "name the type as a key: source: {" + kind + ": " + options + "}"
}

// elsewhere returns the hint for a key that other mappings of a config have.
func elsewhere(d *decoder, key string) string {
	owners := ownersOfKeys(d)[key]
	if len(owners) == 0 || len(owners) > 3 {
		return ""
	}
	return key + " is a key of " + plural.OneOf(owners)
}

// keyOwners has, for each key, the paths of the mappings that have it.
type keyOwners map[string][]string

func ownersOfKeys(d *decoder) keyOwners {
	owners := keyOwners{}
	owners.add(d, reflect.TypeFor[document](), "", map[reflect.Type]bool{})
	return owners
}

// add adds the keys of a struct at a path, and of the structs inside it.
func (o keyOwners) add(d *decoder, t reflect.Type, path string, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	for _, f := range d.fieldsOf(t) {
		o[f.key] = append(o[f.key], cmp.Or(path, "the top level"))
	}
	for _, f := range d.fieldsOf(t) {
		if f.key == "sources" { // a list of the same keys as source
			continue
		}
		of, inside := f.of, strings.TrimPrefix(path+"."+f.key, ".")
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			if _, isMapping := d.forms[of].(mapping); isMapping {
				inside += ".NAME"
			}
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct {
			o.add(d, of, inside, seen)
		}
	}
}
