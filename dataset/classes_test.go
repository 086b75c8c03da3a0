package dataset

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
)

// oddClasses are features with class names that need care in JSON and in Python.
func oddClasses() schema.Record {
	feature := func(key string, names ...string) schema.Feature {
		return schema.Feature{Key: key, Type: schema.Int64, Classes: &schema.Classes{Names: names, First: 3}}
	}
	return schema.Record{
		Features: []schema.Feature{
			feature("label", "a", "b\n", `"`, "  ü", "日本", "\xff", "ü\xe9\"\\\n\x00'", "b\"x\"", "<&>\u2028",
				`{"base64": "YQ=="}`),
			{Key: "plain", Type: schema.Int64},
			feature("odd \"key\"\n  ", "x"),
		},
		Sequence: []schema.Feature{feature("CLASSES = {", "first", "names"), feature("z")},
	}
}

func TestClassesOfManifest(t *testing.T) {
	record := oddClasses()
	m := exampleManifest()
	m.Classes = NewClassLists(&record)
	data, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range slices.Concat(record.Features, record.Sequence) {
		list, found := got.FindClasses(f.Key)
		if found != (f.Classes != nil) || found && (list.First != 3 || !slices.Equal(list.Names, f.Classes.Names)) {
			t.Errorf("%q has the classes %+v (%v) in\n%s", f.Key, list, found, data)
		}
	}
	if len(got.Classes) != 4 || got.Classes[0].Key != "CLASSES = {" {
		t.Errorf("the lists are %+v", got.Classes)
	}
	if !bytes.Contains(data, []byte(`"<&>\u2028",`)) || !bytes.Contains(data, []byte(`"base64": "/w=="`)) {
		t.Errorf("the manifest is\n%s", data)
	}
}

func TestClassesOfManifestRejected(t *testing.T) {
	m := exampleManifest()
	m.Classes = []ClassList{{Key: "a", Names: []string{"x"}}, {Key: "b", Names: []string{"\xff", "y"}, MultiHot: true}}
	data, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{`"key": "b"`, `"key": "a"`, "not in the order of their keys"},
		{`"x"`, `null`, "the manifest was edited"},
		{`"x"`, `7`, `class 0 of feature "a" is neither a string nor`},
		{`"/w=="`, `"/w="`, `class 0 of feature "b": illegal base64`},
		{`"/w=="`, `"/x=="`, "the manifest was edited"},
		{`"/w=="`, `"YQ=="`, "the manifest was edited"}, // a is UTF-8
		{`"base64": "/w=="`, `"Base64": "/w=="`, "the manifest was edited"},
		{`"first": 0`, `"first": "0"`, "cannot unmarshal"},
		{`"first": 0`, `"first": 9223372036854775807`,
			`classes of "b": 2 names from 9223372036854775807 on exceed int64`},
	} {
		edited := strings.Replace(string(data), c[0], c[1], -1)
		if _, err := ParseManifest([]byte(edited)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s for %s: %v; want %s", c[1], c[0], err, c[2])
		}
	}
	m.Classes[0].Names = nil
	if data, err = m.Bytes(); err != nil || !bytes.Contains(data, []byte(`"names": []`)) {
		t.Errorf("%v: no names are not an empty list in\n%s", err, data)
	}
	m.Classes[1].First = math.MaxInt64 - 1
	if _, err := m.Seal(); err != nil {
		t.Errorf("the last number of a class is the largest int64: %v", err)
	}
}

func TestClassesOfReader(t *testing.T) {
	record := oddClasses()
	script := readerScript(&Info{Name: "n", Version: "1.0.0", Record: record})
	for _, line := range []string{
		`    "label": {`, `        "first": 3,`, `            "b\n",`, `            "日本",`, `            b"\xff",`,
		`            b"\xc3\xbc\xe9\"\\\n\x00'",`, `    "odd \"key\"\n  ": {`,
	} {
		if !bytes.Contains(script, []byte("\n"+line+"\n")) {
			t.Errorf("the script has no line %s:\n%s", line, script)
		}
	}
}

func TestNewClassLists(t *testing.T) {
	record := oddClasses()
	var keys []string
	for _, c := range NewClassLists(&record) {
		keys = append(keys, c.Key)
	}
	if want := []string{"CLASSES = {", "label", "odd \"key\"\n  ", "z"}; !reflect.DeepEqual(keys, want) {
		t.Errorf("the keys are %q", keys)
	}
}
