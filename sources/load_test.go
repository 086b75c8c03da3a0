package sources

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/column"
)

func TestLoad(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"img/train/a.png": encodedImage(t, "png", 7, 3), "img/train/b.png": "no image",
		"secret.png": encodedImage(t, "png", 1, 1),
		"t.csv":      "set,id\ntrain,a\ntrain,b\ntrain,none\n..,secret\n/etc,passwd\ntrain,out\ntrain,up/../a\n,a\ntrain,.\n",
	})
	if err := os.Symlink(filepath.Join(dir, "secret.png"), filepath.Join(dir, "img/train/out.png")); err != nil {
		t.Fatal(err)
	}
	env, spec := below(dir), csvSpec("t.csv")
	spec.Load = Loads{{Name: "pic", Path: "{set}/{id}.png", Dir: "img", As: "image"}}
	s, l := mustBind(t, env, spec, "id", "pic.width", "pic.height", "pic.format")
	wantRows(t, table(t, s, l, 4), "a|7|3|PNG", "IMG_FORMAT", "NOT_FOUND", "PATH_ESCAPE", "PATH_ESCAPE", "PATH_ESCAPE",
		"NOT_FOUND", "MISSING", "NOT_FOUND")
	_, err := l.NewReader().Read(0, 0, []byte("train,b\n"))
	if bad, ok := errors.AsType[*schema.RowError](err); !ok || bad.At != -1 {
		t.Errorf("%v has a place in the row, where the file has none", err)
	}
	spec.Load[0].As = "bytes"
	s, l = mustBind(t, env, spec, "pic", "id")
	rows := table(t, s, l, 2)
	if rows[1] != "no image|b" || rows[3] != "PATH_ESCAPE" {
		t.Errorf("as bytes: %.60q", rows)
	}
	spec.Load[0].Dir = "none"
	_, l = mustBind(t, env, spec, "pic")
	_, err = l.NewReader().Read(0, 0, []byte("train,a\n"))
	wantError(t, err, "none: ")
}

func TestMissingColumnOfATemplate(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "id\n1\n"})
	spec := csvSpec("t.csv")
	spec.Load = Loads{{Name: "pic", Path: "{nope}.png", Dir: ".", As: "bytes"}}
	_, _, err := bind(below(dir), spec, "pic")
	wantError(t, err, `no column "nope"`)
}

// TestLoadedFilesOfAllKinds has names that are not regular files.
func TestLoadedFilesOfAllKinds(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "id\nloop\nfolder\npipe\n", "in/folder/x": ""})
	if err := errors.Join(os.Symlink("loop", filepath.Join(dir, "in/loop")),
		unix.Mkfifo(filepath.Join(dir, "in/pipe"), 0o666)); err != nil {
		t.Fatal(err)
	}
	spec := csvSpec("t.csv")
	spec.Load = Loads{{Name: "f", Path: "{id}", Dir: "in", As: "bytes"}}
	s, l := mustBind(t, below(dir), spec, "f")
	wantRows(t, table(t, s, l, 1), "NOT_FOUND", "NOT_REGULAR", "NOT_REGULAR")
	r := l.NewReader()
	defer r.Close()
	_, err := r.Read(0, 0, []byte("folder\n"))
	if bad, ok := errors.AsType[*schema.RowError](err); !ok || bad.Message != `"folder" is not a regular file` ||
		bad.Column != "f" {
		t.Errorf("%v", err)
	}
}

// TestAbsoluteNames names files by absolute paths. Some lead into the directory, in every way,
// and some do not.
func TestAbsoluteNames(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"real/in/a b": "one", "real/in/x/c": "two", "real/secret": "no",
		"real/inner": "no"})
	for at, to := range map[string]string{"link": "real/in", "other": "real", "real/in/out": "../secret",
		"direct": "real/in/x/c"} {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	const escapes, absent = "PATH_ESCAPE", "NOT_FOUND"
	for _, in := range []string{"real/in", "link", "other/in", "link/"} {
		for name, want := range map[string]string{
			"real/in/a b": "one", "link/a b": "one", "link/x/c": "two", "other/in/x/c": "two", "other/in//x/./c": "two",
			in + "/x/../a b": "one",
			"real/secret":    escapes, "real/inner": escapes, in + "/../secret": escapes, in + "/out": escapes,
			"real/in/../secret": escapes, "real/in2": escapes,
			in + "/none": absent, "other/in/none": absent, "direct": "two", in + "/x": "NOT_REGULAR",
			"/etc/passwd": escapes,
		} {
			if name[0] != '/' {
				name = dir + "/" + name
			}
			testenv.Put(t, filepath.Join(dir, "t.csv"), "id\n"+name+"\n")
			spec := csvSpec("t.csv")
			spec.Load = Loads{{Name: "f", Path: "{id}", Dir: in, As: "bytes"}}
			s, l := mustBind(t, below(dir), spec, "f")
			if got := table(t, s, l, 1); len(got) != 1 || got[0] != want {
				t.Errorf("%s in %s: %q, want %q", name, in, got, want)
			}
		}
	}
}

// TestLoadLists has rows that name lists of files: in JSON, in a cell, and as numbers. A list may be empty or missing.
func TestLoadLists(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"img/a.png": encodedImage(t, "png", 7, 3), "img/b.jpg": encodedImage(t, "jpeg", 4, 5), "n/1": "one",
		"n/2":   "two",
		"n/x;1": "x",
		"t.jsonl": `{"set": "img", "f": ["a.png", "b.jpg"]}` + "\n" + `{"set": "img", "f": []}` + "\n" +
			`{"set": "img", "f": null}` + "\n" + `{"set": "img"}` + "\n" +
			`{"set": "img", "f": ["b.jpg", "none"]}` + "\n" + `{"set": "img", "f": "b.jpg"}` + "\n",
		"t.csv":      "f\na.png;b.jpg\nb.jpg\n\"\"\na.png;\n",
		"n.jsonl":    `{"f": [2, 1.0, "1"], "g": "n"}` + "\n" + `{"f": [1, 2], "g": ["n"]}` + "\n",
		"both.jsonl": `{"f": ["a.png"]}` + "\n" + `{"f": "a.png"}` + "\n",
	})
	env, spec := below(dir), jsonlSpec("t.jsonl")
	spec.Load = Loads{{Name: "f", Path: "{set}/{f.*}", Dir: ".", As: "image"}}
	s, l := mustBind(t, env, spec, "f.width", "f.format", "f.*")
	wantRows(t, table(t, s, l, 3), "[7 4]|[PNG JPEG]|[a.png b.jpg]", "[]|[]|[]", "-|-|-", "-|-|-", "NOT_FOUND", "TYPE")

	spec = csvSpec("t.csv")
	spec.Load = Loads{{Name: "f", Path: "{f}", Dir: "img", As: "image", Separator: ";"}}
	s, l = mustBind(t, env, spec, "f.height")
	wantRows(t, table(t, s, l, 1), "[3 5]", "[5]", "[]", "MISSING")
	if c, _ := s.Columns().Find("f"); !c.List || !c.Image || c.Step != column.Load {
		t.Errorf("the column is %+v", c)
	}

	spec = jsonlSpec("n.jsonl")
	spec.Load = Loads{{Name: "x", Path: "{g}/{f}", Dir: ".", As: "bytes"}}
	s, l = mustBind(t, env, spec, "x")
	wantRows(t, table(t, s, l, 1), "NOT_FOUND", "TYPE")
	spec.Load[0].Path = "{g.*}/{f.*}"
	_, _, err := bind(env, spec, "x")
	wantError(t, err, `the column "f.*" is a list, and so is "g.*"; a path takes one list`)

	spec = jsonlSpec("both.jsonl") // the load has the name of the column, and rows decide
	spec.Load = Loads{{Name: "f", Path: "{f}", Dir: "img", As: "image"}}
	s, l = mustBind(t, env, spec, "f.width")
	wantRows(t, table(t, s, l, 1), "[7]", "7")
}

// TestErrorsOfListedFiles has files of lists that cannot be used: errors have the element, and its offset if it is in
// the row itself.
func TestErrorsOfListedFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"img/a.png": encodedImage(t, "png", 7, 3), "img/b.png": "no image", "t.csv": "f\na.png;b.png\na.png;none\n",
		"more.csv": "f,g\na.png;none,a.png\na.png;none,none\n",
	})
	for _, tt := range []struct {
		row  string
		join []Join
		path string
		want schema.RowError
	}{
		{"a.png;b.png\n", nil, "{f}", schema.RowError{Code: "IMG_FORMAT", At: 6,
			Message: `element 1: "b.png": no image: `}},
		{"a.png;none\n", nil, "{f}", schema.RowError{Code: "NOT_FOUND", At: 6,
			Message: `element 1: "none" is not in `}},
		{"a.png;none\n", []Join{{Kind: Chosen{"csv", csvOptions("more.csv")}, On: On{{"f", "f"}},
			Many: Many{Allowed: true}}},
			"{g}", schema.RowError{Code: "NOT_FOUND", At: -1, Message: `element 1: "none" is not in `}},
	} {
		spec := csvSpec("t.csv")
		spec.Join = tt.join
		spec.Load = Loads{{Name: "pic", Path: tt.path, Dir: "img", As: "image"}}
		if tt.join == nil {
			spec.Load[0].Separator = ";"
		}
		_, l := mustBind(t, below(dir), spec, "pic")
		_, err := l.NewReader().Read(0, 2, []byte(tt.row))
		bad, ok := errors.AsType[*schema.RowError](err)
		if !ok || bad.Code != tt.want.Code || bad.At != tt.want.At || bad.Column != "pic" ||
			!strings.HasPrefix(bad.Message, tt.want.Message) {
			t.Errorf("%s: %+v", tt.want.Message, bad)
		}
	}
}

// TestLoadsOfKeys has loads with the name of a key of the first rows. Only a load whose path needs the key may
// replace it.
func TestLoadsOfKeys(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.jsonl": `{"f": "a", "g": "b"}` + "\n"})
	for _, tt := range []struct {
		load   Load
		rename Pairs
		want   string // error
	}{
		{Load{Name: "f", Path: "{f}"}, nil, ""},
		{Load{Name: "f", Path: "{f.*}"}, nil, ""},
		{Load{Name: "new", Path: "{f}"}, nil, ""},
		{Load{Name: "g", Path: "{f}"}, nil, `column "g" comes from the source itself and from load.g`},
		{Load{Name: "g", Path: "{f}"}, Pairs{{Key: "g", Value: "h"}}, ""},
	} {
		spec := jsonlSpec("t.jsonl")
		tt.load.Dir, tt.load.As, spec.Rename = ".", "bytes", tt.rename
		spec.Load = Loads{tt.load}
		s, l := mustBind(t, below(dir), spec, tt.load.Name)
		_, err := s.Sample(t.Context(), l)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: %v, want %q", tt.load, err, tt.want)
		}
	}
}

// TestStepsWithKeys has steps that add columns with and without the name of a key of the first rows.
func TestStepsWithKeys(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"t.jsonl": `{"f": "a", "g": "b"}` + "\n", "more.csv": "f,g\na,joined\n",
	})
	join := Join{Kind: Chosen{"csv", csvOptions("more.csv")}, On: On{{"f", "f"}}}
	prefixed := join
	prefixed.Prefix = "more_"
	for want, steps := range map[string]Spec{
		"set":     {Set: Pairs{{Key: "g", Value: "1"}}},
		"derive":  {Derive: Derives{{Name: "g", Expr: "f"}}},
		"rename":  {Rename: Pairs{{Key: "f", Value: "g"}}},
		"join 1":  {Join: []Join{join}},
		"":        {Set: Pairs{{Key: "h", Value: "1"}}, Join: []Join{prefixed}},
		"nothing": {},
	} {
		spec := jsonlSpec("t.jsonl")
		spec.Set, spec.Derive, spec.Rename, spec.Join = steps.Set, steps.Derive, steps.Rename, steps.Join
		s, l := mustBind(t, below(dir), spec, "g")
		_, err := s.Sample(t.Context(), l)
		if want == "" || want == "nothing" {
			if err != nil {
				t.Errorf("%+v: %v", steps, err)
			}
		} else if text := `column "g" comes from the source itself and from ` + want; err == nil ||
			!strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
}

// TestReplacedColumns has a load that replaces the column of its path: other steps see the column that they need.
func TestReplacedColumns(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"img/a": "content", "t.csv": "f\na\n", "more.csv": "f,x\na,joined\n"})
	spec := csvSpec("t.csv")
	spec.Join = []Join{{Kind: Chosen{"csv", csvOptions("more.csv")}, On: On{{"f", "f"}}}}
	spec.Load = Loads{{Name: "f", Path: "{f}", Dir: "img", As: "bytes"},
		{Name: "g", Path: "{f}", Dir: "img", As: "bytes"}}
	spec.Derive = Derives{{Name: "n", Expr: "size(f)"}}
	s, l := mustBind(t, below(dir), spec, "x", "g", "f")
	wantRows(t, table(t, s, l, 3), "joined|content|content")
}
