package sources

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestStepsInTheirOrder(t *testing.T) {
	dir := files(t, map[string]string{
		"in/train/a.csv": "uid,v\n1,x\n2,\n",
		"side.csv":       "key,color,v2\n1,red,9\n1,blue,8\n3,green,7\n",
		"one.jsonl":      "{\"user\": 1, \"deep\": {\"n\": [5, 6]}}\n{\"user\": 2}\n",
	})
	spec := csvSpec(dir, "in/**/*.csv")
	spec.Name = "land"
	spec.FromPath, _ = ParsePathPattern("{part}/{stem}.csv")
	spec.Rename = []Pair{{"uid", "user"}}
	spec.Set = []Pair{{"origin", "archive"}}
	many := csvSpec(dir, "side.csv").Table
	many.NullValues = []string{"green", "8"}
	spec.Join = []Join{
		{Kind: CSV, Table: many, Ours: "user", Theirs: "key", Many: true, Prefix: "s."},
		{Kind: JSONL, Table: jsonlSpec(dir, "one.jsonl").Table, Ours: "user", Theirs: "user"},
	}
	columns := []string{"user", "v", "part", "stem", "origin", "s.color", "s.v2", "deep.n", "@file", "@source"}
	s, l := mustBind(t, spec, columns...)
	wantRows(t, table(t, s, l, len(columns)),
		"1|x|train|a|archive|[red blue]|[9 -]|[5 6]|train/a.csv|land",
		"2|-|train|a|archive|[]|[]|-|train/a.csv|land")
	if got := strings.Join(s.Columns(), " "); got != "v part stem user origin s.color s.v2 deep" {
		t.Errorf("columns: %s", got)
	}
	if got := s.SideFiles(); len(got) != 2 {
		t.Errorf("side files: %v", got)
	}
	_, _, err := bind(spec, "uid") // renamed away
	wantError(t, err, `no column "uid"`)
}

func TestRenameTakesPathsAlong(t *testing.T) {
	dir := files(t, map[string]string{"a.jsonl": `{"a": {"x": [1, 2]}, "b": {"c": {"y": 3}}, "d.e": 4}` + "\n"})
	spec := jsonlSpec(dir, "a.jsonl")
	spec.Rename = []Pair{{"a", "b"}, {"b.c", "deep"}, {"d.e", "f"}, {"b", "a"}}
	columns := []string{"b.x", "deep.y", "f", "a.c.y"}
	s, l := mustBind(t, spec, columns...)
	wantRows(t, table(t, s, l, len(columns)), "[1 2]|3|4|3")
	spec.Rename = []Pair{{"a", "b"}}
	_, _, err := bind(spec, "a.x")
	wantError(t, err, `no column "a.x"`)
}

func TestClashes(t *testing.T) {
	dir := files(t, map[string]string{"a.csv": "x,y\n1,2\n", "side.csv": "x,y\n1,2\n1,3\n", "bad.csv": "x,z\n1\n"})
	with := func(change func(*Spec)) Spec {
		s := csvSpec(dir, "a.csv")
		change(&s)
		return s
	}
	side := func(file, theirs string) Join {
		return Join{Kind: CSV, Table: csvSpec(dir, file).Table, Ours: "x", Theirs: theirs}
	}
	for _, tt := range []struct {
		spec Spec
		want string
	}{
		{with(func(s *Spec) { s.Set = []Pair{{"x", "1"}} }), `column "x" comes from the csv itself and from set`},
		{with(func(s *Spec) { s.Rename = []Pair{{"x", "y"}} }), `column "y" comes from the csv itself and from rename`},
		{with(func(s *Spec) { s.Rename = []Pair{{"z", "y"}} }), `rename: no column "z"`},
		{with(func(s *Spec) { s.Join = []Join{side("side.csv", "x")} }), `column "y" comes from the csv itself and from join 1`},
		{with(func(s *Spec) { s.Join = []Join{side("side.csv", "w")} }), `side.csv: no column "w" to join on`},
		{with(func(s *Spec) { j := side("side.csv", "x"); j.Prefix = "p."; s.Join = []Join{j} }), `two rows with x "1", but a row can take only one`},
		{with(func(s *Spec) { s.Join = []Join{side("bad.csv", "x")} }), `bad.csv:2:2: 1 cell, but the header has 2`},
		{with(func(s *Spec) { s.Join = []Join{side("none.csv", "x")} }), `none.csv: no such file`},
		{with(func(s *Spec) {
			j := side("side.csv", "x")
			j.Ours, j.Prefix, j.Many = "p.y", "p.", true
			s.Join = []Join{j}
		}), `no column "p.y"`},
	} {
		_, _, err := bind(tt.spec, "x", "y")
		if err == nil {
			_, _, err = bind(tt.spec, "p.y", "z")
		}
		wantError(t, err, tt.want)
	}
	_, l := mustBind(t, with(func(s *Spec) { s.Rename = []Pair{{"x", "y"}, {"y", "x"}} }), "x", "y")
	if l.Slot("y") != 1 || l.Slot("z") != -1 {
		t.Errorf("slots %d, %d", l.Slot("y"), l.Slot("z"))
	}
}

func picture(t *testing.T, format string, width, height int) string {
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

func TestImageColumns(t *testing.T) {
	dir := files(t, map[string]string{
		"cat/1.jpg": picture(t, "jpeg", 3, 2), "cat/lies.jpg": picture(t, "png", 5, 4),
		"dog/x/2.jpeg": "no image", "top.png": picture(t, "png", 1, 1),
	})
	columns := []string{"image.format", "image.width", "image.height", "image.channels", "image.colorspace", "image.orientation", "path", "filename", "stem", "class"}
	s, l := mustBind(t, imagesSpec(dir), columns...)
	wantRows(t, table(t, s, l, len(columns)),
		"JPEG|3|2|3|RGB|1|cat/1.jpg|1.jpg|1|cat",
		"PNG|5|4|4|RGB|1|cat/lies.jpg|lies.jpg|lies|cat",
		"IMG_FORMAT",
		"PNG|1|1|3|RGB|1|top.png|top.png|top|-")
	spec := imagesSpec(dir)
	spec.RefuseMismatch = true
	spec.FromPath, _ = ParsePathPattern("{class}/{n}.jpg")
	s, l = mustBind(t, spec, "class", "n")
	wantRows(t, table(t, s, l, 2), "cat|1", "FORMAT_MISMATCH", "IMG_FORMAT", "PATH_PATTERN")
	spec = imagesSpec(dir)
	spec.HasClasses, spec.Classes = true, []string{"a", "b", "c", "d"}
	s, l = mustBind(t, spec, "class")
	wantRows(t, table(t, s, l, 1), "a", "b", "IMG_FORMAT", "d")
	spec.Limits.Record = 70
	s, l = mustBind(t, spec, "class")
	wantRows(t, table(t, s, l, 1), "LIMIT_RECORD", "LIMIT_RECORD", "IMG_FORMAT", "LIMIT_RECORD")
}

func TestNotesAndFacts(t *testing.T) {
	dir := files(t, map[string]string{"a/1.jpg": picture(t, "jpeg", 3, 2), "a/2.jpg": picture(t, "png", 5, 4)})
	_, l := mustBind(t, imagesSpec(dir), "image")
	r := l.NewReader()
	defer r.Close()
	for i := range 2 {
		if _, err := r.Read(i, nil); err != nil {
			t.Fatal(err)
		}
	}
	seen := r.Seen["image"]
	if !seen.Formats["JPEG"] || !seen.Formats["PNG"] || !seen.Channels[3] || !seen.Channels[4] || len(seen.Colorspaces) != 1 {
		t.Errorf("seen %+v", seen)
	}
	if len(r.Notes) != 1 {
		t.Errorf("notes %v", r.Notes)
	}
	for note, noted := range r.Notes {
		if note.Code != "FORMAT_MISMATCH" || noted != (Noted{1, "a/2.jpg"}) {
			t.Errorf("%v: %v", note, noted)
		}
	}
	if both := (Noted{1, "b"}).Add(Noted{2, "a"}); both != (Noted{3, "a"}) {
		t.Errorf("together %v", both)
	}
}

func TestLoad(t *testing.T) {
	dir := files(t, map[string]string{
		"img/train/a.png": picture(t, "png", 7, 3), "img/train/b.png": "no image", "secret.png": picture(t, "png", 1, 1),
		"t.csv": "set,id\ntrain,a\ntrain,b\ntrain,none\n..,secret\n/etc,passwd\ntrain,out\ntrain,up/../a\n,a\ntrain,.\n",
	})
	if err := os.Symlink(filepath.Join(dir, "secret.png"), filepath.Join(dir, "img/train/out.png")); err != nil {
		t.Fatal(err)
	}
	spec := csvSpec(dir, "t.csv")
	path, err := ParseTemplate("{set}/{id}.png")
	if err != nil {
		t.Fatal(err)
	}
	spec.Load = []Load{{Name: "pic", Path: path, Dir: filepath.Join(dir, "img"), Image: true}}
	s, l := mustBind(t, spec, "id", "pic.width", "pic.height", "pic.format")
	wantRows(t, table(t, s, l, 4), "a|7|3|PNG", "IMG_FORMAT", "NOT_FOUND", "PATH_ESCAPE", "PATH_ESCAPE", "PATH_ESCAPE", "NOT_FOUND", "MISSING", "NOT_FOUND")
	spec.Load[0].Image = false
	s, l = mustBind(t, spec, "pic", "id")
	rows := table(t, s, l, 2)
	if rows[1] != "no image|b" || rows[3] != "PATH_ESCAPE" {
		t.Errorf("as bytes: %.60q", rows)
	}
	spec.Load[0].Dir = filepath.Join(dir, "none")
	_, l = mustBind(t, spec, "pic")
	_, err = l.NewReader().Read(0, []byte("train,a\n"))
	wantError(t, err, "none: ")
}

func TestMissingColumnOfATemplate(t *testing.T) {
	dir := files(t, map[string]string{"t.csv": "id\n1\n"})
	spec := csvSpec(dir, "t.csv")
	path, _ := ParseTemplate("{nope}.png")
	spec.Load = []Load{{Name: "pic", Path: path, Dir: dir}}
	_, _, err := bind(spec, "pic")
	wantError(t, err, `no column "nope"`)
}
