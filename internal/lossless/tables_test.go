package lossless

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

var update = flag.Bool("update", false, "write the answers of testdata again")

// tablesVar is the environment variable with the directory of Python packages: see lab/tables.
const tablesVar = "TFR_TABLES"

// answersFile has an answer per line: the table of a package, and what init made of it.
const answersFile = "testdata/tables.jsonl"

// A tableAnswer says what init made of a table of a package.
type tableAnswer struct {
	Package string `json:"package"`
	File    string `json:"file"`
	SHA256  string `json:"sha256"`
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
	Config  string `json:"config"` // digest of the config without comments

	content []byte
}

// TestTables checks tables of Python packages, and compares the configs with the answers. It checks the tables in
// testdata/tables, or with TFR_TABLES the tables of all packages. -update writes the answers.
func TestTables(t *testing.T) {
	dir, all := os.LookupEnv(tablesVar)
	var tables []*tableAnswer
	if all {
		tables = packagedTables(t, dir)
		if len(tables) < 200 {
			t.Fatalf("%s has %d tables", dir, len(tables))
		}
	} else {
		tables = copiedTables(t)
	}
	answers := readAnswers(t)
	for i, table := range tables {
		if !all && (i+testenv.First(2, 6))%testenv.Times(6, 1, 1) != 0 {
			continue
		}
		t.Run(path.Base(table.File), func(t *testing.T) {
			if all {
				t.Parallel()
			}
			table.check(t)
			want := answers[table.SHA256]
			switch {
			case want == nil && !all:
				t.Fatalf("no answer in %s: run lab/tables", answersFile)
			case want == nil || *update:
			case table.Rows != want.Rows || table.Columns != want.Columns || table.Config != want.Config:
				t.Errorf("the answer is another one; look at the config, then -update accepts it:\nfound    "+
					"%+v\nexpected %+v", table.line(), want.line())
			}
		})
	}
	if *update {
		t.Cleanup(func() { updateAnswers(t, answers, tables, all) }) // after the parallel tests
	}
}

// updateAnswers writes all answers, or only the answers of the tables that were checked.
func updateAnswers(t *testing.T, answers map[string]*tableAnswer, tables []*tableAnswer, all bool) {
	t.Helper()
	if all {
		clear(answers)
	}
	for _, table := range tables {
		switch old := answers[table.SHA256]; {
		case table.Config == "": // it was not checked
		case all:
			answers[table.SHA256] = table
		case old != nil:
			old.Rows, old.Columns, old.Config = table.Rows, table.Columns, table.Config
		}
	}
	writeAnswers(t, answers)
}

func (a *tableAnswer) line() string {
	line, err := json.Marshal(a)
	if err != nil {
		panic(err) // it has only strings and numbers
	}
	return string(line)
}

func readAnswers(t *testing.T) map[string]*tableAnswer {
	t.Helper()
	text, err := os.ReadFile(answersFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	answers := map[string]*tableAnswer{}
	for line := range bytes.Lines(text) {
		var a tableAnswer
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		answers[a.SHA256] = &a
	}
	return answers
}

func writeAnswers(t *testing.T, answers map[string]*tableAnswer) {
	t.Helper()
	var list []*tableAnswer
	for _, a := range answers {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *tableAnswer) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.File, b.File))
	})
	var b strings.Builder
	for _, a := range list {
		b.WriteString(a.line() + "\n")
	}
	testenv.Put(t, answersFile, b.String())
}

// check checks the table and sets the answer.
func (a *tableAnswer) check(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	file := put(t, dir, path.Base(a.File), string(a.content))
	content := a.content
	if strings.HasSuffix(file, ".gz") {
		r := must(gzip.NewReader(bytes.NewReader(content)))
		content = must(io.ReadAll(r))
	}
	found := check(t, dir, []string{file}, tableRows(t, a.Package+"/"+a.File, file, content))
	sum := sha256.Sum256(withoutComments(found.Config))
	a.Rows, a.Columns, a.Config = found.Rows, found.Columns, hex.EncodeToString(sum[:8])
	if t.Failed() {
		t.Logf("%s", found.Config)
	}
}

// withoutComments returns the lines of a config without its comments.
func withoutComments(config []byte) (text []byte) {
	for line := range strings.Lines(string(config)) {
		if line, _ = cutComment(strings.TrimSuffix(line, "\n")); line != "" {
			text = append(text, line+"\n"...)
		}
	}
	return text
}

// headlessTables matches the tables without a header, and those whose names could be values: 2-9 and 10-19.
var headlessTables = regexp.MustCompile(`mlxtend/|sklearn/|unemployment09|E6_jmulti|vcd/Hospital`)

// tableRows reads a table of a package: the largest array of a document of JSON, or a table whose
// header is as people write it.
func tableRows(t *testing.T, name, file string, content []byte) []Row {
	t.Helper()
	if strings.Contains(path.Base(name), "json") {
		document, err := readJSON(bytes.TrimPrefix(content, []byte("\ufeff")))
		if err != nil {
			t.Fatal(err)
		}
		return rowsOf(file, largest(document))
	}
	header, _, _ := strings.Cut(strings.TrimRight(string(content), "\r\n"), "\n")
	d := Dialect{Delimiter: ',', Trim: strings.Contains(header, ", ")}
	for _, delimiter := range []byte(" ;\t") {
		if strings.Contains(header, string(delimiter)) && !strings.Contains(header, ",") {
			d.Delimiter = delimiter
		}
	}
	if headlessTables.MatchString(name) {
		first, _, err := cutRow(header, d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range first {
			d.Columns = append(d.Columns, fmt.Sprintf("c%d", i))
		}
	}
	rows, err := ReadTable(file, string(content), d)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// largest returns the largest array of objects in a document.
func largest(v any) (found []any) {
	switch v := v.(type) {
	case Object:
		for _, m := range v {
			if list := largest(m.Value); len(list) > len(found) {
				found = list
			}
		}
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].(Object); ok {
				return v
			}
		}
	}
	return found
}

// copiedTables returns the tables of testdata.
func copiedTables(t *testing.T) (tables []*tableAnswer) {
	t.Helper()
	files, err := filepath.Glob("testdata/tables/*.csv")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tables = add(tables, "", file, content)
	}
	return tables
}

var (
	tableName = regexp.MustCompile(`\.(csv|csv\.gz|json|geojson|geojson\.gz)$`)
	// noTable matches files that are not tables, and tables that are not written as RFC 4180 says.
	noTable = regexp.MustCompile(
		`(^|/)(\._|tests?/|templates/|static/|share/)|labextension|dist-info/|/src/|manifest|package(-lock)?\.json|` +
			`description|` +
			`datasets?(_info)?\.(csv|json)|geographic_boundaries|sklearn/datasets/data/.*[a-z]\.csv$|sprint\.csv|` +
			`friendship\.csv|sna\.ex\.csv`)
)

const mostTable = 1 << 20

// add adds a table, if it is one, and not there yet.
func add(tables []*tableAnswer, pkg, name string, content []byte) []*tableAnswer {
	sum := sha256.Sum256(content)
	a := &tableAnswer{Package: pkg, File: name, SHA256: hex.EncodeToString(sum[:]), content: content}
	if !tableName.MatchString(name) || noTable.MatchString(name) || len(content) > mostTable ||
		slices.ContainsFunc(tables, func(b *tableAnswer) bool { return b.SHA256 == a.SHA256 }) {
		return tables
	}
	return append(tables, a)
}

// packagedTables returns the tables of the packages in a directory.
func packagedTables(t *testing.T, dir string) (tables []*tableAnswer) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		parts := strings.Split(f.Name(), "-")
		if len(parts) < 2 {
			continue
		}
		pkg := parts[0] + " " + strings.TrimSuffix(parts[1], ".tar.gz")
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		names, contents := unpacked(t, f.Name(), data)
		step := 1
		for i, name := range names {
			if path.Base(name) == "resources.tar.gz" { // all tables of pydataset
				names, contents = unpacked(t, name, contents[i])
				step = 6
				break
			}
		}
		var own []*tableAnswer
		for i, name := range names {
			own = add(own, pkg, name, contents[i])
		}
		for i := 0; i < len(own); i += step {
			tables = add(tables, pkg, own[i].File, own[i].content)
		}
	}
	return tables
}

// unpacked returns the files of an archive.
func unpacked(t *testing.T, name string, data []byte) (names []string, contents [][]byte) {
	t.Helper()
	if !strings.HasSuffix(name, ".tar.gz") {
		r := must(zip.NewReader(bytes.NewReader(data), int64(len(data))))
		for _, f := range r.File {
			names, contents = append(names, f.Name), append(contents, must(io.ReadAll(must(f.Open()))))
		}
		return names, contents
	}
	r := tar.NewReader(must(gzip.NewReader(bytes.NewReader(data))))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names, contents
		}
		if err != nil {
			t.Fatal(err)
		}
		names, contents = append(names, path.Clean(h.Name)), append(contents, must(io.ReadAll(r)))
	}
}
