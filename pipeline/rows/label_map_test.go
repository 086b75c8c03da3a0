package rows

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// labelMaps are label maps with two classes, the first one with the id 1 and the name cat.
var labelMaps = []string{
	"item {\n  id: 1\n  name: 'cat'\n}\nitem {\n  id: 2\n  name: 'd og'\n}\n",
	"# made by hand\nitem: { name: \"d og\"; id: 2, } item < id: 0x1 name: 'c' \"at\" # two strings\n>",
	"item{display_name:'Cat' name:'cat' id:01 keypoints{id:5 label:\"nose\"}keypoints<id:6 label:'{'>}\r\nitem { " +
		"id: 2 name: 'd\\x20og' }",
	"item { id: 1 name: \"cat\" ancestor_ids: [3, 4] descendant_ids: 5 frequency: RARE }\titem{id:2 name:'d\\040og' " +
		"instance_count:-1}",
	"item: [{ id: 2 name: 'd\\u0020og' }, { id: 1 name: 'c\\141t' }];",
}

// readMap reads a label map, whose ids begin with first, from a file map.pbtxt.
func readMap(t testing.TB, text string, first int64) ([]string, error) {
	path := filepath.Join(t.TempDir(), "map.pbtxt")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return newClasses(&config.Config{}, nil).readNames(&config.Classes{File: path, First: first})
}

func TestLabelMap(t *testing.T) {
	for _, text := range labelMaps {
		if names, err := readMap(t, text, 1); err != nil || !slices.Equal(names, []string{"cat", "d og"}) {
			t.Errorf("%s: %q, %v", text, names, err)
		}
	}
	for _, c := range []struct {
		text  string
		first int64
		want  string
	}{
		{`item { id: 1 name: 'a\'b\"c\\d\te\303\251\u00e9🐱 #' }`, 1, "a'b\"c\\d\teéé🐱 #"},
		{`item { id: 7 name: "x" }`, 7, "x"},
		{`item { name: "background" id: 0 } item { id: 1 name: "x" }`, 0, "background"},
		{`item { id: 2147483647 name: "x" display_name: "y" }`, 2147483647, "x"},
	} {
		if names, err := readMap(t, c.text, c.first); err != nil || names[0] != c.want {
			t.Errorf("%s: %q, %v", c.text, names, err)
		}
	}
}

// TestBadLabelMaps checks the errors of bad label maps, and that each has a hint.
func TestBadLabelMaps(t *testing.T) {
	const one = "item { id: 1 name: 'a' }\n"
	for _, c := range []struct{ text, want string }{
		{"", `:1:1: not a label map: no items`},
		{"# nothing\n", `:1:1: not a label map: no items`},
		{"cat\ndog\n", `:2:1: not a label map: found "dog"; expected : or {`},
		{"items { }", `:1:1: not a label map: found items; expected item { … }`},
		{one + "  $", `:2:3: not a label map: found "$"; expected a field`},
		{one + "};", `:2:1: not a label map: found "}"; expected a field`},
		{"item [", `:1:7: not a label map: the text ends too early; expected : or {`},
		{"item: 'x'", `:1:1: not a label map: found item; expected item { … }`},
		{one + "item {\n  id: 2", `:3:8: not a label map: the text ends too early; expected a field`},
		{one + "item {\n  id: 2 name: 'b' >", `:3:19: not a label map: found ">"; expected a field`},
		{"item { id: 1 nmae: 'a' }", `:1:14: not a label map: unknown field nmae; expected name`},
		{"item { [a.b/c]: 1 }", `:1:8: not a label map: found "["; expected a field`},
		{"item { id: 1 }", `:1:1: found ""; expected a name of one line`},
		{"item { id: 1 display_name: 'a' }", `:1:1: found ""; expected a name of one line`},
		{one + " item { name: 'b' }", `:2:2: found ""; expected an id from 0`},
		{"item { id: 1.5 name: 'a' }", `:1:8: found "1.5"; expected an id from 0`},
		{"item { id: 2147483648 name: 'a' }", `:1:8: found "2147483648"; expected an id from 0 to 2147483647`},
		{"item { id: '1' name: 'a' }", `:1:8: found "1"; expected an id`},
		{"item { id: {} name: 'a' }", `:1:8: found ""; expected an id`},
		{"item { id: -1 name: 'a' }", `:1:8: found "-1"; expected an id`},
		{"item { id: 1 id: 2 name: 'a' }", `:1:14: the item has two fields id`},
		{"item { id: 1 name: 'b' name: 'a' }", `:1:24: the item has two fields name`},
		{"item { id: 1 name: cat }", `:1:14: found "cat"; expected a name of one line in quotes`},
		{"item { id: 1 name 'cat' }", `:1:19: not a label map: found "'cat'"; expected : or {`},
		{"item { id: 1 name: '' }", `:1:14: found ""; expected a name of one line`},
		{"item { id: 1 name: 'a\nb' }", `:1:20: not a label map: a string that does not end in its line`},
		{"item { id: 1 name: 'a }", `:1:20: not a label map: a string that does not end in its line`},
		{"item { id: 1 name: 'a\\q' }",
			`:1:20: not a label map: a string that does not end in its line, or has an unknown escape`},
		{"item { id: 1 name: 'a\\nb' }", `:1:14: found "a\nb"; expected a name of one line`},
		{"item { id: 1 name: 'a\\xff' }", `:1:14: found "a\xff"; expected a name of one line`},
		{"item { id: 1 name: 'a\xff' }", `:1:22: not a label map: the text is not UTF-8`},
		{one + "item { id: 0 name: 'cat' }", `:2:1: "cat" has the id 0; expected at least 1`},
		{"item { id: 2 name: 'a' }", `:1:1: no item has the id 1`},
		{one + "item { id: 1 name: 'b' }", `:2:1: "a" and "b" have the id 1`},
		{one + "item { id: 2 name: 'a' }", `:2:1: "a" has the ids 1 and 2`},
		{"item { id: 4 name: 'd' }\n" + one + "item { id: 2 name: 'b' }", `:3:1: no item has the id 3`},
	} {
		_, err := readMap(t, c.text, 1)
		bad, ok := errors.AsType[*input.MismatchError](err)
		if !ok || !strings.Contains(err.Error(), "map.pbtxt"+c.want) || bad.Hint == "" {
			t.Errorf("%q: %v; expected %s, and a hint", c.text, err, c.want)
		}
	}
	_, err := readMap(t, one+"item { id: 3 name: 'c' } item { id: 12 name: 'l' }", 1)
	const missing = `item { id: 2 name: "2" } item { id: 4 name: "4" } item { id: 5 name: "5" }`
	bad, ok := errors.AsType[*input.MismatchError](err)
	if !ok || !strings.HasPrefix(bad.Hint, missing) || !strings.HasSuffix(bad.Hint, `"10" }`) {
		t.Errorf("%v, with the hint of %+v; expected %s", err, bad, missing)
	}
}

// TestHostileLabelMaps checks that large files take little time, and no stack.
func TestHostileLabelMaps(t *testing.T) {
	for _, part := range []string{
		"item{", "item{a{", "item{keypoints{a:[{", "'", "item{name:''", "#", " ", "item{}", "\x00", "[a.b/", "item:[",
		"item{keypoints:[",
		"item{id:1 name:'a'}", "item{id:1 name:'a' ", `"\`,
	} {
		if _, err := readMap(t, strings.Repeat(part, maxLabelMap/16/len(part)), 1); err == nil {
			t.Errorf("%s: no error", part)
		}
	}
	if _, err := readMap(t, strings.Repeat(" ", maxLabelMap+1), 1); err == nil ||
		!strings.Contains(err.Error(), "4194305 bytes of names; expected at most 4194304") {
		t.Errorf("a large file: %v", err)
	}
}
