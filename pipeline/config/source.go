package config

import "reflect"

// A Source is a set of rows of one kind.
type Source struct {
	At string // its path in the config: `source`, `sources[0]`

	Name     string `yaml:"name" is:"line" doc:"part of the addresses of its rows"`
	Kind     Kind   `kinds:"source"`
	FromPath string `yaml:"from_path" is:"pathpattern" doc:"columns out of the file's relative path"`
	Steps
}

// Steps are what a source does besides its kind. A config's own are those of
// every source that has none of that name.
type Steps struct {
	Split  Split  `yaml:"split" doc:"the split of the rows"`
	Rename Pairs  `yaml:"rename" doc:"columns and their other names"`
	Set    Pairs  `yaml:"set" doc:"columns that hold the same text in every row"`
	Join   []Join `yaml:"join" doc:"side tables whose columns are added"`
	Load   Loads  `yaml:"load" doc:"files that the row names"`
}

// A Pair is a key and its text.
type Pair struct {
	Key, Value string
	At         string // its path in the config
}

// Pairs are a mapping of texts, in the order of the file.
type Pairs []Pair

// A Join adds the columns of a side table.
type Join struct {
	At string // its path in the config: `join[0]`, `sources[1].join[0]`

	Kind   Kind   `kinds:"side"`
	On     On     `yaml:"on" required:"yes" doc:"the column joined on, or ours and theirs"`
	Many   bool   `yaml:"many" default:"false" doc:"whether a row may have many matches; its columns are lists then"`
	Prefix string `yaml:"prefix" is:"line" doc:"put before the names of its columns"`
}

// On names the column of the row and that of the side table.
type On struct{ Ours, Theirs string }

// A Loaded is a file that the row names.
type Loaded struct {
	Name string // the column, and with Image the prefix of the facts' columns
	At   string // its path in the config: `load.image`

	Path string `yaml:"path" is:"template" required:"yes" doc:"the path below dir, with columns in braces"`
	Dir  string `yaml:"dir" is:"path" required:"yes" doc:"the folder that the file stays inside"`
	As   string `yaml:"as" default:"image" enum:"image bytes" doc:"an image with its facts, or just the content"`
}

// Loads are the files that a row names, in the order of the config.
type Loads []Loaded

func decodePairs(d *decoder, at spot, l *Pairs) {
	if at.kind != mappingNode {
		d.expected(at, "a mapping of texts")
		return
	}
	*l = Pairs{} // not nil: an empty one keeps the config's away
	for _, q := range at.pairs {
		sub := d.entry(at, q)
		if s, ok := d.text(sub, "a text"); ok {
			checkColumnName(d, sub.path, q)
			*l = append(*l, Pair{q.key, s, sub.path})
		}
	}
}

// checkColumnName checks a name that stands as a key.
func checkColumnName(d *decoder, path string, q pair) {
	if !isLine(q.key) {
		d.faultAt(q.at, path, "", "found the name %s; expected %s", quoteValue(q.key), lineWords)
	}
}

func encodePairs(_ encoder, l Pairs) *node {
	return entries(l, func(q Pair) (string, *node) { return q.Key, textNode(q.Value) })
}

func pairsSchema(*generator) object { return mappingOf(scalar()) }

func decodeOn(d *decoder, at spot, o *On) {
	if at.kind != mappingNode {
		s, ok := d.text(at, "a column, or ours: theirs")
		if ok && s == "" {
			d.bad(at.path, `found ""; expected a column`)
		}
		*o = On{s, s}
		return
	}
	if len(at.pairs) != 1 {
		d.bad(at.path, "found %d pairs; expected one, ours: theirs", len(at.pairs))
		return
	}
	theirs, ok := d.text(d.entry(at, at.pairs[0]), "a column of the side table")
	*o = On{at.pairs[0].key, theirs}
	if ok && (o.Ours == "" || o.Theirs == "") {
		d.bad(at.path, "found an empty name; expected the names of two columns")
	}
}

func encodeOn(_ encoder, o On) *node {
	if o.Ours == o.Theirs {
		return textNode(o.Ours)
	}
	n := &node{kind: mappingNode}
	n.add(o.Ours, textNode(o.Theirs))
	return n
}

func onSchema(*generator) object { return anyOf(scalar(), mappingOf(scalar())) }

func decodeLoads(d *decoder, at spot, l *Loads) {
	if at.kind != mappingNode {
		d.expected(at, "a mapping of columns to files")
		return
	}
	*l = Loads{} // not nil: an empty one keeps the config's away
	for _, q := range at.pairs {
		load := Loaded{Name: q.key}
		sub := d.entry(at, q)
		d.value(sub, reflect.ValueOf(&load).Elem())
		checkColumnName(d, sub.path, q)
		*l = append(*l, load)
	}
}

func encodeLoads(e encoder, l Loads) *node {
	return entries(l, func(load Loaded) (string, *node) { return load.Name, e.fields(reflect.ValueOf(load)) })
}

func loadsSchema(g *generator) object { return mappingOf(g.ref(reflect.TypeFor[Loaded]())) }
