package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// TestRenamed names the module in each kind of file, next to the program, which has the
// same name and keeps it.
func TestRenamed(t *testing.T) {
	r := newRenamer("tool", "code.example/a/tool")
	for _, c := range []struct{ name, text, want string }{
		{"a.go", "package a\n\nimport (\n\t\"tool/order\"\n)\n",
			"package a\n\nimport (\n\t\"code.example/a/tool/order\"\n)\n"},
		{"a.go", "package a\n\n// See [tool/jpeg.Header].\nconst s = \"tool\" + \"cmd/tool/main.go\"\n",
			"package a\n\n// See [code.example/a/tool/jpeg.Header].\nconst s = \"tool\" + \"cmd/tool/main.go\"\n"},
		{"a.pb.go", "package a\n\nconst s = \"B\\x10Z\\x0etool/schema/pbb\\x06proto3\"\n",
			"package a\n\nconst s = \"B\\x1fZ\\x1dcode.example/a/tool/schema/pbb\\x06proto3\"\n"},
		{"go.mod", "module tool/beam\n\nrequire tool v0.0.0\n\nreplace tool => ../tool\n",
			"module code.example/a/tool/beam\n\nrequire code.example/a/tool v0.0.0\n\nreplace code.example/a/tool => " +
				"../tool\n"},
		{"a.proto", `option go_package = "tool/schema/tfpb";`,
			`option go_package = "code.example/a/tool/schema/tfpb";`},
		{".golangci.yml", "allow: [$gostd, tool/order]\nlocal-prefixes: [tool]\n- pkg: tool/sink\n",
			"allow: [$gostd, code.example/a/tool/order]\nlocal-prefixes: [code.example/a/tool]\n- pkg: " +
				"code.example/a/tool/sink\n"},
		{"check", "-filter '^tool' ./cmd/tool", "-filter '^code.example/a/tool' ./cmd/tool"},
		{"coverage", `$2 ~ "^tool/(sink|dataset)$"`, `$2 ~ "^code.example/a/tool/(sink|dataset)$"`},
	} {
		found, err := r.renamed(c.name, []byte(c.text))
		if err != nil || string(found) != c.want {
			t.Errorf("%s: found %v\n%s\nexpected\n%s", c.name, err, found, c.want)
		}
	}
}

// TestProfileIsRenamed looks into the compiler's profile of this project.
func TestProfileIsRenamed(t *testing.T) {
	data, err := os.ReadFile("../../cmd/tfr-build/tfr-build.pgo")
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "tfr-build/", "code.example/a/tool/"
	changed, err := newRenamer(strings.TrimSuffix(from, "/"), strings.TrimSuffix(to, "/")).renamed("a.pgo", data)
	if err != nil {
		t.Fatal(err)
	}
	before, after, left := functionsOf(t, data, from), functionsOf(t, changed, to), functionsOf(t, changed, from)
	if before == 0 || after != before || left != 0 {
		t.Errorf("%d functions of %s became %d of %s, and %d are left", before, from, after, to, left)
	}
}

// functionsOf returns how many functions of a profile are of packages of a module.
func functionsOf(t *testing.T, data []byte, module string) (n int) {
	t.Helper()
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Function {
		if strings.HasPrefix(f.Name, module) && strings.HasPrefix(f.SystemName, module) {
			n++
		}
	}
	return n
}
