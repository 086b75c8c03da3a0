package column

import (
	"fmt"
	"strings"
	"testing"
)

// Sets as source types make them.
func closed(names ...string) *Set {
	return NewSet(Column{From: "the csv itself", Nulls: []string{"NA"}}, names...)
}

func open(names ...string) *Set {
	s := closed(names...)
	s.Open = true
	return s
}

func nested() *Set {
	s := NewSet(Column{})
	s.Open, s.Nested, s.Lists = true, true, true
	return s
}

func tree() *Set {
	return NewSet(Column{From: "the directory"}, "path", "stem").Add(Column{From: "the directory", Weak: true}, "class")
}

// pairs returns pairs of keys and their values.
func pairs(list ...string) (all []Pair) {
	for i := 0; i < len(list); i += 2 {
		all = append(all, Pair{Key: list[i], Value: list[i+1]})
	}
	return all
}

// origin describes where a column comes from; it is empty if the column does not exist.
func origin(s *Set, name string) string {
	c, ok := s.Find(name)
	if !ok {
		return ""
	}
	text := stepNames[c.Step]
	if c.Step == FromPath || c.Step == Constant || c.Step >= Join {
		text += fmt.Sprint(" ", c.Index)
	}
	text += " " + c.Name
	for _, flag := range []struct {
		set  bool
		name string
	}{{c.List, "list"}, {c.Content, "content"}, {c.Image, "image"}, {c.Weak, "weak"},
		{c.Nulls != nil, "nulls " + strings.Join(c.Nulls, ",")}, {c.Type != "", c.Type}} {
		if flag.set {
			text += ", " + flag.name
		}
	}
	return text
}

var stepNames = [...]string{"own", "from_path", "set", "@file", "@source", "@split", "@offset", "@id", "join", "load"}

// A test is the result of steps on a set.
type test struct {
	name   string
	own    *Set
	steps  Steps
	faults string            // in their order
	want   map[string]string // where columns come from
	names  string            // in their order
}

func (tt *test) run(t *testing.T) {
	before := fmt.Sprintf("%+v", tt.own)
	var faults []string
	got := Derive(tt.own, &tt.steps, func(f Problem) {
		kind := [...]string{"clash", "fixed", "lacking", "unfit"}[f.Kind]
		step := stepNames[f.Step]
		if f.Rename {
			step = "rename"
		}
		if (f.Kind == NotFound) != (f.Names != nil) {
			t.Errorf("names of what is there: %+v", f)
		}
		faults = append(faults, fmt.Sprintf("%s %d %s: %s: %s", step, f.Index, f.Column, kind, f.Text))
	})
	if text := strings.Join(faults, "; "); text != tt.faults {
		t.Errorf("faults\n got %s\nwant %s", text, tt.faults)
	}
	for name, want := range tt.want {
		if text := origin(got, name); text != want {
			t.Errorf("column %s: %q, want %q", name, text, want)
		}
	}
	if text := strings.Join(got.Names(), " "); text != tt.names {
		t.Errorf("names %q, want %q", text, tt.names)
	}
	if after := fmt.Sprintf("%+v", tt.own); after != before {
		t.Errorf("the kind's own set became %s, and was %s", after, before)
	}
}

func TestColumnsOfSources(t *testing.T) {
	for _, tt := range []test{
		{
			name: "closed", own: closed("a", "b", "a", ""), names: "a b",
			want: map[string]string{"a": "own a, nulls NA", "b": "own b, nulls NA", "c": "", "a.x": "", "": "",
				"@file": "@file @file", "@source": "@source @source", "@split": "@split @split", "@x": ""},
		},
		{
			name: "open", own: open("a"), names: "a",
			want: map[string]string{"a": "own a, nulls NA", "c": "own c, nulls NA", "c.x": "own c.x, nulls NA"},
		},
		{name: "nested", own: nested(), want: map[string]string{"a": "own a", "a.b": "own a.b",
			"@file": "@file @file"}},
		{name: "a tree", own: tree(), names: "path stem class",
			want: map[string]string{"path": "own path", "class": "own class, weak"}},
		{
			name: "an image", own: NewSet(Column{}).Add(Image(nil, false)[0], "image").Add(Image(nil, false)[3],
				"image.height"),
			names: "image image.height",
			want: map[string]string{"image": "own image, content, image, bytes",
				"image.height": "own image.height, int64"},
		},
	} {
		t.Run(tt.name, tt.run)
	}
}

func TestFromPath(t *testing.T) {
	for _, tt := range []test{
		{
			name: "columns", own: closed("a"), steps: Steps{FromPath: []string{"part", "stem"}}, names: "a part stem",
			want: map[string]string{"part": "from_path 0 part", "stem": "from_path 1 stem", "a": "own a, nulls NA"},
		},
		{
			name: "takes the place of the weak class", own: tree(), steps: Steps{FromPath: []string{"split", "class"}},
			names: "path stem class split",
			want:  map[string]string{"class": "from_path 1 class", "split": "from_path 0 split"},
		},
		{
			name: "clashes with the others", own: tree(), steps: Steps{FromPath: []string{"stem"}},
			names:  "path stem class",
			faults: `from_path 0 stem: clash: column "stem" comes from the directory and from from_path`,
			want:   map[string]string{"stem": "from_path 0 stem"},
		},
		{
			name: "clashes with the class of a table", own: closed("class"), steps: Steps{FromPath: []string{"class"}},
			names:  "class",
			faults: `from_path 0 class: clash: column "class" comes from the csv itself and from from_path`,
		},
	} {
		t.Run(tt.name, tt.run)
	}
}

func TestRename(t *testing.T) {
	for _, tt := range []test{
		{
			name: "away", own: closed("a", "b"), steps: Steps{Rename: pairs("a", "c")}, names: "b c",
			want: map[string]string{"a": "", "b": "own b, nulls NA", "c": "own a, nulls NA", "c.x": ""},
		},
		{
			name: "all at once", own: closed("a", "b"), steps: Steps{Rename: pairs("a", "b", "b", "a")},
			names: "b a",
			want:  map[string]string{"a": "own b, nulls NA", "b": "own a, nulls NA"},
		},
		{
			name: "onto another", own: closed("a", "b"), steps: Steps{Rename: pairs("a", "b")}, names: "b",
			faults: `rename 0 b: clash: column "b" comes from the csv itself and from rename`,
		},
		{
			name: "two onto one", own: closed("a", "b"), steps: Steps{Rename: pairs("a", "c", "b", "c")},
			names:  "c",
			faults: `rename 1 c: clash: column "c" comes from rename and from rename`,
		},
		{
			name: "what is not there", own: closed("a"), steps: Steps{Rename: pairs("x", "y")}, names: "a y",
			faults: `rename 0 x: lacking: no column "x" to rename`,
		},
		{
			name: "a column that cannot be renamed", own: closed("a"), steps: Steps{Rename: pairs("@file", "y")},
			names:  "a y",
			faults: "rename 0 @file: fixed: @file keeps its name",
		},
		{
			name: "onto what every source has", own: closed("a"), steps: Steps{Rename: pairs("a", "@file")},
			names:  "@file",
			faults: `rename 0 @file: clash: column "@file" comes from every source and from rename`,
		},
		{
			name: "in an open set", own: open("a"), steps: Steps{Rename: pairs("x", "y")}, names: "a y",
			want: map[string]string{"x": "", "y": "own x, nulls NA", "z": "own z, nulls NA", "y.b": "own y.b, nulls NA",
				"x.b": "own x.b, nulls NA"},
		},
		{
			name: "takes paths along", own: nested(), steps: Steps{Rename: pairs("a", "b")}, names: "b",
			want: map[string]string{"a": "", "a.x": "", "a.x.y": "", "b": "own a", "b.x": "own a.x",
				"b.x.y": "own a.x.y", "ab.x": "own ab.x"},
		},
		{
			name: "of a path", own: nested(), steps: Steps{Rename: pairs("b.c", "deep", "d.e", "f")},
			names: "deep f",
			want: map[string]string{"b": "own b", "b.c": "", "b.c.y": "", "b.d": "own b.d", "deep.y": "own b.c.y",
				"f": "own d.e", "f.x": "own d.e.x"},
		},
		{
			name: "of a path and what it is in", own: nested(),
			steps: Steps{Rename: pairs("a", "b", "b.c", "deep", "b", "a")}, names: "b deep a",
			want: map[string]string{"b.x": "own a.x", "deep.y": "own b.c.y", "a.c.y": "own b.c.y", "b.c": "",
				"a.x": "own b.x"},
		},
		{
			name: "of a piece of the path", own: nested(),
			steps: Steps{FromPath: []string{"p"}, Rename: pairs("p", "q")},
			names: "q",
			want:  map[string]string{"p": "", "q": "from_path 0 p"},
		},
		{
			name: "to the name of a piece of the path", own: closed("a"), names: "q p",
			steps: Steps{FromPath: []string{"p"}, Rename: pairs("p", "q", "a", "p")},
			want:  map[string]string{"q": "from_path 0 p, nulls NA", "p": "own a"},
		},
		{
			name: "without rows", own: func() *Set { s := closed(); s.NoRows = true; return s }(), names: "y",
			steps:  Steps{Rename: pairs("x", "y")},
			faults: `rename 0 x: lacking: no column "x" to rename`,
			want:   map[string]string{"z": "own z, nulls NA"},
		},
		{
			name: "makes room", own: closed("a"), names: "b a",
			steps: Steps{Rename: pairs("a", "b"), Set: pairs("a", "1")},
			want:  map[string]string{"a": "set 0 a", "b": "own a, nulls NA"},
		},
	} {
		t.Run(tt.name, tt.run)
	}
}

func TestSet(t *testing.T) {
	for _, tt := range []test{
		{
			name: "constants", own: closed("a"), steps: Steps{Set: pairs("b", "1", "c", "2")}, names: "a b c",
			want: map[string]string{"b": "set 0 b", "c": "set 1 c"},
		},
		{
			name: "clashes", own: closed("a"), names: "@split p r a",
			steps: Steps{FromPath: []string{"p"}, Rename: pairs("a", "r"),
				Set: pairs("p", "1", "r", "2", "a", "3", "@split", "4")},
			faults: `set 0 p: clash: column "p" comes from from_path and from set; set 1 r: clash: column "r" comes ` +
				`from rename and from set; set 3 @split: clash: column "@split" comes from every source and from set`,
		},
		{
			name: "before what only rows tell", own: nested(), steps: Steps{Set: pairs("a", "1")}, names: "a",
			want: map[string]string{"a": "set 0 a", "a.x": "own a.x"},
		},
	} {
		t.Run(tt.name, tt.run)
	}
}
