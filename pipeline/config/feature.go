package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
)

// Features are the features of the Example, in the order of the config.
type Features []Feature

// A Feature says how one key of the Example is made.
type Feature struct {
	Key string
	At  string // its path in the config: `features.image/encoded`

	IsImage bool // its column is the content of image files

	Type         string    `yaml:"type" is:"type" doc:"of the values"`
	From         From      `yaml:"from" doc:"a column, or a list of columns"`
	Value        *Constant `yaml:"value" doc:"a constant, instead of a column"`
	Classes      *Classes  `yaml:"classes" doc:"names whose numbers are stored"`
	Repeat       string    `yaml:"repeat" is:"column" doc:"a list column: the value as often as that has elements"`
	Shape        Shape     `yaml:"shape" doc:"how many values there are; -1 for any number"`
	Separator    string    `yaml:"separator" is:"text" doc:"splits a CSV cell"`
	Missing      Missing   `yaml:"missing" default:"error" doc:"what a missing value does"`
	NullValues   []string  `yaml:"null_values" empty:"ok" doc:"texts that mean missing, instead of the source's"`
	Encoding     string    `yaml:"encoding" enum:"base64 hex" doc:"of the text, into bytes"`
	IntFromFloat bool      `yaml:"int_from_float" default:"false" doc:"whether 180.0 is 180"`
	Nonfinite    string    `yaml:"nonfinite" default:"error" enum:"error allow" doc:"what nan, inf and -inf are"`
}

// From names the columns of a feature; none with a constant.
type From struct {
	Columns []string
	IsList  bool // written as a list: the values stand in a row
}

// A Shape is a list of lengths, the first of which may be -1 for any. Known is
// false where the config leaves it to what the column turns out to be: one
// value, or the list that a side table with many matches gives.
type Shape struct {
	Dims  []int
	Known bool
}

// A Constant is a value of the config.
type Constant struct {
	Text   string
	Type   string // of a feature that says none: int64, float, bool or bytes
	quoted bool
}

// Classes are names, or where they are.
type Classes struct {
	Names   []string `yaml:"names" doc:"the names, in the order of their numbers"`
	File    string   `yaml:"file" is:"path" doc:"a file with a name a line"`
	Auto    bool     // the sorted texts of all rows
	First   int64    `yaml:"first" default:"0" doc:"the number of the first name"`
	Unknown Unknown  `yaml:"unknown" default:"error" doc:"what a text that is no name is: an error, or this number"`
}

// Unknown is the number of a text that is no class; nil for an error.
type Unknown struct{ Number *int64 }

// Missing says what a missing value does.
type Missing struct {
	Form    string    // error, omit, default or empty_list
	Default *Constant `yaml:"default" doc:"stands for a missing value"`
}

func (l *Features) decode(p *parser, path string, n *node) {
	if n.kind != mappingNode {
		p.wants(path, n, "a mapping of features")
		return
	}
	for _, q := range n.pairs {
		sub := subPath(path, q.key)
		f := Feature{Key: q.key, At: sub}
		p.value(sub, q.value, reflect.ValueOf(&f).Elem(), "")
		if _, want, _ := textForm(q.key); want != "" || strings.ContainsRune(q.key, 0) {
			p.problem(Problem{Path: sub, Line: q.at.line, Col: q.at.col, Text: "found the key " + quoteValue(q.key) + "; want a text"})
		}
		*l = append(*l, f)
	}
}

func (f *Feature) decode(p *parser, path string, n *node) {
	v := reflect.ValueOf(f).Elem()
	if n.kind == mappingNode {
		p.fields(path, n, v)
		return
	}
	if !n.isScalar() || n.isNull() {
		p.wants(path, n, "a type, or a mapping")
		return
	}
	p.fields(path, &node{kind: mappingNode}, v)
	typeField, _ := v.Type().FieldByName("Type")
	f.Type = p.word(path, n, typeField.Tag)
}

func (f *From) decode(p *parser, path string, n *node) {
	if n.kind == listNode {
		f.IsList = true
		f.Columns, _ = p.texts(path, n, false)
	} else if s, ok := p.text(path, n, "a column, or a list of columns"); ok {
		f.Columns = []string{s}
	}
	if slices.Contains(f.Columns, "") {
		p.bad(path, `found ""; want the name of a column`)
	}
}

func (c *Constant) decode(p *parser, path string, n *node) {
	if !n.isScalar() || n.isNull() {
		p.wants(path, n, "a single value")
		return
	}
	*c = Constant{Text: n.text, quoted: n.quoted}
}

func (c *Classes) decode(p *parser, path string, n *node) {
	switch {
	case n.kind == mappingNode:
		p.fields(path, n, reflect.ValueOf(c).Elem())
		switch {
		case n.has("names") && n.has("file"):
			p.bad(path+".file", "names and file exclude each other")
		case !n.has("names") && !n.has("file") && p.fineInside(path):
			p.bad(path, "want names, or the file that holds them")
		}
		p.classNames(path+".names", c.Names)
	case n.kind == listNode:
		c.Names, _ = p.texts(path, n, false)
		p.classNames(path, c.Names)
	case n.text == "auto" && n.isScalar():
		c.Auto = true
	default:
		c.File = p.word(path, n, `is:"path"`)
	}
}

func (p *parser) classNames(path string, names []string) {
	first := map[string]int{}
	for i, name := range names {
		sub := path + "[" + strconv.Itoa(i) + "]"
		j, twice := first[name]
		switch {
		case twice:
			p.bad(sub, "the class %s stands twice; it is number %d already", quoteValue(name), j)
		case name == "" || strings.ContainsAny(name, "\r\n"):
			p.bad(sub, "found %s; want a class of one line", quoteValue(name))
		default:
			first[name] = i
		}
	}
}

func (u *Unknown) decode(p *parser, path string, n *node) {
	if n.isScalar() && n.text == "error" {
		return
	}
	if n.isScalar() && !n.isNull() && !wholeNumber.MatchString(n.text) && !floatNumber.MatchString(n.text) {
		p.wants(path, n, "error, or a whole number")
		return
	}
	number := p.between(path, n, -1<<63, 1<<63-1)
	u.Number = &number
}

func (s *Shape) decode(p *parser, path string, n *node) {
	if n.kind != listNode {
		p.wants(path, n, "a list of lengths, as in [4] or [-1]")
		return
	}
	*s = Shape{Dims: []int{}, Known: true}
	values := int64(1)
	for i, e := range n.list {
		sub := path + "[" + strconv.Itoa(i) + "]"
		p.places[sub] = e.place
		d := p.between(sub, e, -1, 1<<31-1)
		switch {
		case !p.fine(sub):
		case d == 0:
			p.bad(sub, "found 0; want a length of at least 1, or -1 for any")
		case d < 0 && i > 0:
			p.bad(sub, "found -1; only the first length may be any")
		case d > 0:
			values = min(values*d, 1<<32)
		}
		s.Dims = append(s.Dims, int(d))
	}
	if len(s.Dims) > 32 || values > 1<<31-1 {
		p.bad(path, "found more than %d values; want fewer", 1<<31-1)
	}
}

var missingWords = []string{"error", "omit", "empty_list"}

func (m *Missing) decode(p *parser, path string, n *node) {
	want := "error, omit, empty_list or {default: …}"
	if n.kind != mappingNode {
		s, ok := p.text(path, n, want)
		if ok && !slices.Contains(missingWords, s) {
			p.hinted(path, didYouMean(nearest.Of(s, missingWords)), "found %s; want %s", quoteValue(s), want)
		}
		m.Form = s
		return
	}
	m.Form = "default"
	p.fields(path, n, reflect.ValueOf(m).Elem())
	if m.Default == nil && len(n.pairs) == 0 {
		p.bad(path, "found an empty mapping; want %s", want)
	}
}
