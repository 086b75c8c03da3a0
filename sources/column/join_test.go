package column

import (
	"slices"
	"testing"
)

func TestJoin(t *testing.T) {
	side := func(change func(*Joined)) []Joined {
		j := Joined{Ours: []string{"a"}, Theirs: []string{"id"}, Names: []string{"id", "x", "", "y", "x"}}
		change(&j)
		return []Joined{j}
	}
	for _, tt := range []test{
		{
			name: "columns", own: closed("a"), steps: Steps{Join: side(func(*Joined) {})}, names: "a x y",
			want: map[string]string{"x": "join 0 x", "y": "join 0 y", "id": "", "x.z": ""},
		},
		{
			name: "prefix and many", own: closed("a", "x"), names: "a x p.x p.y",
			steps: Steps{Join: side(func(j *Joined) { j.Prefix, j.Many = "p.", true })},
			want:  map[string]string{"p.x": "join 0 x, list", "x": "own x, nulls NA", "p.id": "", "y": ""},
		},
		{
			name: "clash", own: closed("a", "x"), steps: Steps{Join: side(func(*Joined) {})}, names: "a x y",
			faults: `join 0 x: clash: column "x" comes from the csv itself and from join 1`,
			want:   map[string]string{"x": "join 0 x"},
		},
		{
			name: "clash of two", own: closed("a"), names: "a x y p.x p.y",
			steps: Steps{Join: slices.Concat(side(func(*Joined) {}), side(func(j *Joined) { j.Prefix = "p." }),
				side(func(j *Joined) { j.Names = []string{"id", "y"} }))},
			faults: `join 2 y: clash: column "y" comes from join 1 and from join 3`,
			want:   map[string]string{"x": "join 0 x", "p.x": "join 1 x", "y": "join 2 y"},
		},
		{
			name: "on what is not there", own: closed("b"), steps: Steps{Join: side(func(*Joined) {})}, names: "b x y",
			faults: `join 0 a: lacking: no column "a" to join on`,
		},
		{
			name: "on its own column", own: closed("a"),
			steps:  Steps{Join: side(func(j *Joined) { j.Ours = []string{"x"} })},
			names:  "a x y",
			faults: `join 0 x: lacking: no column "x" to join on`,
		},
		{
			name: "on a column of the join before", own: closed("a"), names: "a x y q.x q.y",
			steps: Steps{Join: slices.Concat(side(func(*Joined) {}),
				side(func(j *Joined) { j.Ours, j.Prefix = []string{"x"}, "q." }))},
			want: map[string]string{"q.x": "join 1 x"},
		},
		{
			name: "on a list of the join before", own: closed("a"), names: "a x y q.x q.y",
			steps: Steps{Join: slices.Concat(side(func(j *Joined) { j.Many = true }),
				side(func(j *Joined) { j.Ours, j.Prefix = []string{"x"}, "q." }))},
			want: map[string]string{"q.x": "join 1 x, list"},
		},
		{
			name: "many on a list of the join before", own: closed("a"), names: "a x y q.x q.y",
			steps: Steps{Join: slices.Concat(side(func(j *Joined) { j.Many = true }),
				side(func(j *Joined) { j.Ours, j.Prefix, j.Many = []string{"x"}, "q.", true }))},
			faults: `join 1 x: unfit: the column "x" is a list, of join 1; a join with many takes one string of ` +
				`each row`,
		},
		{
			name: "on a path of all elements", own: nested(), names: "x y",
			steps: Steps{Join: side(func(j *Joined) { j.Ours = []string{"b.*.c"} })},
			want:  map[string]string{"x": "join 0 x, list"},
		},
		{
			name: "many on a path of all elements", own: nested(), names: "x y",
			steps: Steps{Join: side(func(j *Joined) { j.Ours, j.Many = []string{"b.*.c"}, true })},
			faults: `join 0 b.*.c: unfit: the column "b.*.c" is a list, since its path has a *; a join with many ` +
				`takes one string of each row`,
		},
		{
			name: "on a name with a *", own: closed("a.*"), names: "a.* x y",
			steps: Steps{Join: side(func(j *Joined) { j.Ours = []string{"a.*"} })},
		},
		{
			name: "on a content", own: NewSet(Column{Content: true}, "a"), names: "a x y",
			steps:  Steps{Join: side(func(*Joined) {})},
			faults: `join 0 a: unfit: the column "a" is the content of a file; a join takes one string of each row`,
		},
		{
			name: "on what set made", own: closed(), names: "a x y",
			steps: Steps{Set: pairs("a", "1"), Join: side(func(*Joined) {})},
		},
		{
			name: "on a path", own: nested(), names: "x y",
			steps: Steps{Join: side(func(j *Joined) { j.Ours = []string{"b.c"} })},
			want:  map[string]string{"x": "join 0 x", "z": "own z"},
		},
		{
			name: "paths into its columns", own: closed("a"), names: "a p.x p.y",
			steps: Steps{Join: side(func(j *Joined) { j.Prefix, j.Nested, j.Many = "p.", true, true })},
			want: map[string]string{
				"p.x": "join 0 x, list", "p.x.z": "join 0 x.z, list", "p.x.z.0": "join 0 x.z.0, list",
				"p.id.z": "", "p.z.x": "", "x.z": "", "p.": "", "p": "", "p..x": "",
			},
		},
		{
			name: "paths without a prefix", own: nested(), names: "x y",
			steps: Steps{Join: side(func(j *Joined) { j.Nested = true })},
			want:  map[string]string{"x.z": "join 0 x.z", "id.z": "own id.z", "b.c": "own b.c"},
		},
		{
			name: "paths of two", own: closed("a"), names: "a x y p.x p.y",
			steps: Steps{Join: slices.Concat(side(func(j *Joined) { j.Nested = true }),
				side(func(j *Joined) { j.Prefix, j.Nested = "p.", true }))},
			want: map[string]string{"x.z": "join 0 x.z", "p.x.z": "join 1 x.z"},
		},
		{
			name: "no path where it is flat", own: closed("a"), names: "a x y",
			steps: Steps{Join: side(func(*Joined) {})},
			want:  map[string]string{"x.z": ""},
		},
		{
			name: "a name with a dot", own: closed("a"), names: "a d.e x",
			steps: Steps{Join: side(func(j *Joined) { j.Names, j.Nested = []string{"id", "d.e", "x"}, true })},
			want:  map[string]string{"d.e": "join 0 d.e", "d": "", "x.d": "join 0 x.d"},
		},
		{
			name: "a path before a whole name", own: closed("a", "x.z"), names: "a x.z q.z p.x x y p.y",
			steps: Steps{
				FromPath: []string{"q.z", "p.x"}, Join: slices.Concat(side(func(j *Joined) { j.Nested = true }),
					side(func(j *Joined) { j.Prefix = "p." })),
			},
			faults: `join 1 p.x: clash: column "p.x" comes from from_path and from join 2`,
			want:   map[string]string{"x.z": "join 0 x.z", "q.z": "from_path 0 q.z", "p.x": "join 1 x"},
		},
		{
			name: "a table without columns", own: closed("a"), names: "a",
			steps: Steps{Join: side(func(j *Joined) { j.Names = []string{} })},
			want:  map[string]string{"x": ""},
		},
	} {
		t.Run(tt.name, tt.run)
	}
}

// TestJoinOfUnknownColumns opens the set if only files have a table's columns.
func TestJoinOfUnknownColumns(t *testing.T) {
	none := func(Problem) { t.Error("a fault") }
	for _, tt := range []struct {
		join                Joined
		nested, lists, many bool
	}{
		{Joined{Ours: []string{"a"}}, false, false, false},
		{Joined{Ours: []string{"a"}, Many: true}, false, true, true},
		{Joined{Ours: []string{"a"}, Many: true, Prefix: "x"}, false, true, true},
		{Joined{Ours: []string{"a"}, Many: true, Prefix: "x."}, false, true, false},
		{Joined{Ours: []string{"a"}, Nested: true}, true, true, false},
	} {
		s := Derive(closed("a"), &Steps{Join: []Joined{tt.join}}, none)
		if !s.Open || s.Nested != tt.nested || s.Lists != tt.lists || s.MayBeMany("x") != tt.many {
			t.Errorf("%+v: %+v", tt.join, s)
		}
		if _, ok := s.Find("x"); !ok {
			t.Errorf("%+v: a column of the table is not found", tt.join)
		}
	}
	joins := []Joined{{Ours: []string{"a"}, Many: true, Prefix: "o."}, {Ours: []string{"o.c"}, Prefix: "x."},
		{Ours: []string{"a"}, Prefix: "y."}}
	if s := Derive(closed("a"), &Steps{Join: joins}, none); !s.MayBeMany("x.d") || s.MayBeMany("y.d") {
		t.Error("a join on a column of a join with many has lists, too, and no other join")
	}
	if s := Derive(closed("a"), &Steps{Join: []Joined{{Ours: []string{"a"}, Names: []string{"x"}, Many: true}}},
		none); s.Open || s.MayBeMany("x") {
		t.Errorf("known columns opened the set: %+v", s)
	}
}

func TestLoad(t *testing.T) {
	file := []Column{Content()}
	picture := Image([]int{-1}, false)
	for _, tt := range []test{
		{
			name: "an image", own: closed("a"),
			names: "a pic pic.pixels pic.format pic.height pic.width pic.channels pic.colorspace pic.orientation " +
				"pic.sha256",
			steps: Steps{Load: []LoadedFile{{Name: "pic", Needs: []string{"a"}, Columns: picture}}},
			want: map[string]string{
				"pic":             "load 0 pic, content, image, nulls NA, bytes",
				"pic.format":      "load 0 pic.format, nulls NA, bytes",
				"pic.width":       "load 0 pic.width, nulls NA, int64",
				"pic.orientation": "load 0 pic.orientation, nulls NA, int64", "pic.none": "", "format": "",
			},
		},
		{
			name: "bytes", own: closed("a"), names: "a b f",
			steps: Steps{Load: []LoadedFile{{Name: "b", Columns: file},
				{Name: "f", Needs: []string{"a", "@file"}, Columns: file}}},
			want: map[string]string{"f": "load 1 f, content, nulls NA, bytes", "f.width": ""},
		},
		{
			name: "a path of what is not there", own: closed("a"), names: "a f",
			steps:  Steps{Load: []LoadedFile{{Name: "f", Needs: []string{"a", "x"}, Columns: file}}},
			faults: `load 0 x: lacking: no column "x"`,
		},
		{
			name: "a path of another load", own: closed("a"), names: "a f g",
			steps: Steps{Load: []LoadedFile{{Name: "f", Columns: file},
				{Name: "g", Needs: []string{"f"}, Columns: file}}},
			faults: `load 1 f: lacking: column "f" comes from load.f; a path takes columns that no load makes`,
		},
		{
			name: "a path of a joined column", own: closed("a"), names: "a x f",
			steps: Steps{Join: []Joined{{Ours: []string{"a"}, Names: []string{"x"}, Nested: true}},
				Load: []LoadedFile{{Name: "f", Needs: []string{"x", "x.y"}, Columns: file}}},
		},
		{
			name: "clashes", own: closed("a", "pic.width"),
			names: "a pic.width pic pic.pixels pic.format pic.height pic.channels pic.colorspace pic.orientation " +
				"pic.sha256",
			steps:  Steps{Load: []LoadedFile{{Name: "pic", Columns: picture}}},
			faults: `load 0 pic.width: clash: column "pic.width" comes from the csv itself and from load.pic`,
		},
	} {
		t.Run(tt.name, tt.run)
	}
}

// TestStepsAreSorted orders the steps.
func TestStepsAreSorted(t *testing.T) {
	for _, tt := range []struct {
		c     Column
		step  Step
		index int
		want  bool
	}{
		{Column{Step: Own}, Join, 0, true},
		{Column{Step: Constant, Index: 5}, Join, 0, true},
		{Column{Step: Split}, Join, 0, true},
		{Column{Step: Join, Index: 0}, Join, 0, false},
		{Column{Step: Join, Index: 0}, Join, 1, true},
		{Column{Step: Join, Index: 2}, Join, 1, false},
		{Column{Step: Join, Index: 2}, Load, 0, true},
		{Column{Step: Load, Index: 0}, Load, 0, false},
	} {
		if got := tt.c.Before(tt.step, tt.index); got != tt.want {
			t.Errorf("%+v before step %d %d: %t", tt.c, tt.step, tt.index, got)
		}
	}
}

func TestKnownColumns(t *testing.T) {
	s := Derive(nested(), &Steps{Set: pairs("a", "1")}, func(f Problem) { t.Errorf("%+v", f) })
	if c, ok := s.Known("a"); !ok || c.Step != Constant {
		t.Errorf("a: %+v, %t", c, ok)
	}
	if _, ok := s.Known("b"); ok {
		t.Error("b is known, though only rows tell")
	}
}
