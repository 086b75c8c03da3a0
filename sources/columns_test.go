package sources

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// TestOrderOfSteps reads rows with a column of each step: from_path, rename, set, and joins.
func TestOrderOfSteps(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"in/train/a.csv": "uid,v\n1,x\n2,\n",
		"side.csv":       "key,color,v2\n1,red,9\n1,blue,8\n3,green,7\n",
		"one.jsonl":      "{\"user\": 1, \"deep\": {\"n\": [5, 6]}}\n{\"user\": 2}\n",
	})
	env, spec := below(dir), csvSpec("in/**/*.csv")
	spec.Name = "land"
	spec.FromPath = "{part}/{stem}.csv"
	spec.Rename = Pairs{{Key: "uid", Value: "user"}}
	spec.Set = Pairs{{Key: "origin", Value: "archive"}}
	many := csvOptions("side.csv")
	many.NullValues = []string{"green", "8"}
	spec.Join = []Join{
		{Kind: Chosen{"csv", many}, On: On{{"user", "key"}}, Many: Many{Allowed: true}, Prefix: "s."},
		{Kind: Chosen{"jsonl", jsonlOptions("one.jsonl")}, On: On{{"user", "user"}}},
	}
	columns := []string{"user", "v", "part", "stem", "origin", "s.color", "s.v2", "deep.n", "@file", "@source"}
	s, l := mustBind(t, env, spec, columns...)
	wantRows(t, table(t, s, l, len(columns)),
		"1|x|train|a|archive|[red blue]|[9 -]|[5 6]|train/a.csv|land",
		"2|-|train|a|archive|[]|[]|-|train/a.csv|land")
	if got := strings.Join(s.Columns().Names(), " "); got != "v part stem user origin s.color s.v2 deep" {
		t.Errorf("columns: %s", got)
	}
	if got := s.SideFiles(); len(got) != 2 {
		t.Errorf("side files: %v", got)
	}
	_, _, err := bind(env, spec, "uid") // renamed away
	wantError(t, err, `no column "uid"`)
}

// TestRenameAppliesToPaths renames objects of JSON rows, and reads paths below the new names.
func TestRenameAppliesToPaths(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.jsonl": `{"a": {"x": [1, 2]}, "b": {"c": {"y": 3}}, "d.e": 4}` +
		"\n"})
	env, spec := below(dir), jsonlSpec("a.jsonl")
	spec.Rename = Pairs{{Key: "a", Value: "b"}, {Key: "b.c", Value: "deep"}, {Key: "d.e", Value: "f"},
		{Key: "b", Value: "a"}}
	columns := []string{"b.x", "deep.y", "f", "a.c.y"}
	s, l := mustBind(t, env, spec, columns...)
	wantRows(t, table(t, s, l, len(columns)), "[1 2]|3|4|3")
	spec.Rename = Pairs{{Key: "a", Value: "b"}}
	_, _, err := bind(env, spec, "a.x")
	wantError(t, err, `no column "a.x"`)
}

// TestColumnConflicts checks the errors of columns that two steps make, or that do not exist.
func TestColumnConflicts(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "x,y\n1,2\n", "side.csv": "x,y\n1,2\n1,3\n",
		"bad.csv": "x,z\n1\n"})
	env := below(dir)
	with := func(change func(*Spec)) *Spec {
		s := csvSpec("a.csv")
		change(s)
		return s
	}
	side := func(file, theirs string) Join {
		return Join{Kind: Chosen{"csv", csvOptions(file)}, On: On{{"x", theirs}}}
	}
	for _, tt := range []struct {
		spec *Spec
		want string
	}{
		{with(func(s *Spec) {
			s.Set = Pairs{{Key: "x", Value: "1"}}
		}), `column "x" comes from the csv itself and from set`},
		{with(func(s *Spec) { s.Rename = Pairs{{Key: "x", Value: "y"}} }),
			`column "y" comes from the csv itself and from rename`},
		{with(func(s *Spec) { s.Rename = Pairs{{Key: "z", Value: "y"}} }), `no column "z" to rename; found: x, y`},
		{with(func(s *Spec) { s.Join = []Join{side("side.csv", "x")} }),
			`column "y" comes from the csv itself and from join 1`},
		{with(func(s *Spec) { s.Join = []Join{side("side.csv", "w")} }), `side.csv: no column "w" to join on`},
		{with(func(s *Spec) { j := side("side.csv", "x"); j.Prefix = "p."; s.Join = []Join{j} }),
			`side.csv:3:1: a second row with x "1", but a row can take only one; the first is `},
		{with(func(s *Spec) { s.Join = []Join{side("bad.csv", "x")} }), `bad.csv:2:2: 1 cell, but the header has 2`},
		{with(func(s *Spec) { s.Join = []Join{side("none.csv", "x")} }), `none.csv: no such file`},
		{with(func(s *Spec) { s.Join = []Join{side("bad.csv", "xx")} }),
			`bad.csv: no column "xx" to join on; did you mean "x"?; found: x, `},
		{with(func(s *Spec) {
			j := side("side.csv", "x")
			j.On[0].Ours, j.Prefix, j.Many = "p.y", "p.", Many{Allowed: true}
			s.Join = []Join{j}
		}), `join 1 needs the column "p.y", which only join 1 makes`},
	} {
		_, _, err := bind(env, tt.spec, "x", "y")
		if err == nil {
			_, _, err = bind(env, tt.spec, "p.y", "z")
		}
		wantError(t, err, tt.want)
	}
	_, l := mustBind(t, env, with(func(s *Spec) { s.Rename = Pairs{{Key: "x", Value: "y"}, {Key: "y", Value: "x"}} }),
		"x", "y")
	if l.Slot("y") != 1 || l.Slot("z") != -1 {
		t.Errorf("slots %d, %d", l.Slot("y"), l.Slot("z"))
	}
}

// encodedImage returns an image file.
func encodedImage(t *testing.T, format string, width, height int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	m.Set(0, 0, color.White)
	var b bytes.Buffer
	var err error
	if format == "png" {
		err = png.Encode(&b, m)
	} else {
		err = jpeg.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestImageColumns reads the columns of image files, also with from_path, names per file, and a limit.
func TestImageColumns(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"cat/1.jpg": encodedImage(t, "jpeg", 3, 2), "cat/lies.jpg": encodedImage(t, "png", 5, 4),
		"dog/x/2.jpeg": "no image", "top.png": encodedImage(t, "png", 1, 1),
	})
	columns := []string{"image.format", "image.width", "image.height", "image.channels", "image.colorspace",
		"image.orientation", "path", "filename", "stem", "class"}
	env := below(dir)
	s, l := mustBind(t, env, imagesSpec(), columns...)
	wantRows(t, table(t, s, l, len(columns)),
		"JPEG|3|2|3|RGB|1|cat/1.jpg|1.jpg|1|cat",
		"PNG|5|4|4|RGB|1|cat/lies.jpg|lies.jpg|lies|cat",
		"IMG_FORMAT",
		"PNG|1|1|3|RGB|1|top.png|top.png|top|-")
	o := imagesOptions()
	o.FormatMismatch = "error"
	spec := &Spec{Kind: Chosen{"images", o}, FromPath: "{class}/{n}.jpg"}
	s, l = mustBind(t, env, spec, "class", "n")
	wantRows(t, table(t, s, l, 2), "cat|1", "FORMAT_MISMATCH", "IMG_FORMAT", "PATH_PATTERN")
	o = imagesOptions()
	o.ClassPerFile = "classes.txt"
	env.Names = func(path string) ([]string, error) {
		if path != "classes.txt" {
			t.Errorf("the names of %q", path)
		}
		return []string{"a", "b", "c", "d"}, nil
	}
	spec = &Spec{Kind: Chosen{"images", o}}
	s, l = mustBind(t, env, spec, "class")
	wantRows(t, table(t, s, l, 1), "a", "b", "IMG_FORMAT", "d")
	env.Limits.Record = 70
	s, l = mustBind(t, env, spec, "class")
	wantRows(t, table(t, s, l, 1), "LIMIT_RECORD", "LIMIT_RECORD", "IMG_FORMAT", "LIMIT_RECORD")
}

// TestExcludeHint checks that the hint excludes the files that from_path does not match, unless they
// are many or a name looks like a pattern.
func TestExcludeHint(t *testing.T) {
	for _, test := range []struct {
		unmatched []string
		want      string
	}{
		{[]string{"README"}, "exclude: [README]"},
		{[]string{"README", "docs/a b.md", "imdb.vocab"}, "exclude: [README, docs/a b.md, imdb.vocab]"},
		{[]string{"README", "[1].md"}, ""},
		{[]string{"1", "2", "3", "4", "5", "6", "7", "8"}, "exclude: [1, 2, 3, 4, 5, 6, 7, 8]"},
		{[]string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, ""},
	} {
		files := map[string]string{"pos/1.txt": "good"}
		for _, name := range test.unmatched {
			files[name] = "no text"
		}
		spec := &Spec{Kind: Chosen{"folder", directoryOptions()}, FromPath: "{class}/{n}.txt"}
		s, l := mustBind(t, below(testenv.Directory(t, files)), spec, "class")
		r := l.NewReader()
		defer r.Close()
		for i, f := range s.Listing().Files {
			_, err := r.Read(i, 0, nil)
			bad, isBad := errors.AsType[*schema.RowError](err)
			if isBad == (f.Name == "pos/1.txt") || isBad && bad.Hint != test.want {
				t.Errorf("%q, %s: found %+v, expected the hint %q", test.unmatched, f.Name, err, test.want)
			}
		}
	}
}

// TestWarningsAndImageMetadata reads a JPEG and a PNG named jpg: the warning has the second one.
func TestWarningsAndImageMetadata(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.jpg": encodedImage(t, "jpeg", 3, 2),
		"a/2.jpg": encodedImage(t, "png", 5, 4)})
	_, l := mustBind(t, below(dir), imagesSpec(), "image")
	r := l.NewReader()
	defer r.Close()
	for i := range 2 {
		if _, err := r.Read(i, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	seen := r.Observed.Images("image")
	if !seen.Formats["JPEG"] || !seen.Formats["PNG"] || !seen.Channels[3] || !seen.Channels[4] ||
		len(seen.Colorspaces) != 1 {
		t.Errorf("seen %+v", seen)
	}
	if len(r.Observed.Warnings()) != 1 {
		t.Errorf("warnings %v", r.Observed.Warnings())
	}
	for warning, rows := range r.Observed.Warnings() {
		if warning.Code != "FORMAT_MISMATCH" || rows != (input.WarnedRows{Count: 1, Example: "a/2.jpg"}) {
			t.Errorf("%v: %v", warning, rows)
		}
	}
}
