package infer_test

import (
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/infer"
)

var update = flag.Bool("update", false, "write the configs of testdata anew")

// written returns the config that Look writes for paths, in a directory.
func written(t *testing.T, dir string, paths ...string) *infer.Config {
	t.Helper()
	c, err := infer.Inspect(t.Context(), paths, infer.Options{Dir: dir, Workers: 1})
	if err != nil {
		t.Fatalf("%s: %v", paths, err)
	}
	return c
}

// worksIn has works check the configs of an exhaustive run. TestCases and TestConfigsOfTestdata build
// some in each run.
func worksIn(t *testing.T, dir string, c *infer.Config) {
	t.Helper()
	if testenv.Exhaustive() {
		works(t, dir, c)
	}
}

// works checks that check, try, and a build accept a config.
func works(t *testing.T, dir string, c *infer.Config) {
	t.Helper()
	file := filepath.Join(dir, c.Name+".yaml")
	testenv.Put(t, file, string(c.Text))
	cfg, err := config.Load(file)
	if err != nil {
		t.Errorf("%v\n%s", err, c.Text)
		return
	}
	run := pipeline.Run{Workers: 1, Memory: pipeline.MinMemory}
	if err := pipeline.Check(t.Context(), cfg, run); err != nil {
		t.Errorf("check: %v\n%s", err, c.Text)
	}
	shown := 0
	err = pipeline.Try(t.Context(), cfg, run, 5, func(pipeline.Example) error { shown++; return nil })
	if err != nil || shown == 0 {
		t.Errorf("try: %d Examples, %v\n%s", shown, err, c.Text)
	}
	run.Output = filepath.Join(t.TempDir(), c.Name)
	if _, err := pipeline.Build(t.Context(), cfg, run); err != nil {
		t.Errorf("build: %v\n%s", err, c.Text)
	}
}

// TestConfigsOfTestdata writes a config for each table and directory of testdata, and for the
// files in testdata of this package. check and try accept all of them. A sample has every
// twelfth.
func TestConfigsOfTestdata(t *testing.T) {
	paths := []string{
		"../../testdata/penguins/penguins.csv", "../../testdata/penguins/penguins_raw.csv", "../../testdata/tutorial",
		"../../testdata/tutorial/observations.csv", "../../testdata/gsm8k", "../../testdata/gsm8k/test.jsonl",
		"../../testdata/photos", "../../testdata/records", "../../testdata/digits", "../../testdata/othermodule",
		"../../testdata/taxi/yellow_tripdata.parquet",
	}
	own, err := filepath.Glob("testdata/in/*")
	if err != nil || len(own) == 0 {
		t.Fatal(own, err)
	}
	paths = append(paths, "testdata/in/birds/birds.csv")
	for i, path := range append(paths, own...) {
		if i%testenv.Times(12, 1, 1) != 0 {
			continue
		}
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			abs, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			works(t, dir, written(t, dir, abs))
		})
	}
}

// TestGolden compares configs of the main shapes with golden files.
func TestGolden(t *testing.T) {
	for _, name := range []string{"penguins/penguins.csv", "penguins/penguins_raw.csv", "tutorial", "gsm8k", "photos",
		"records", "digits"} {
		golden(t, filepath.Join("..", "..", "testdata", name), strings.ReplaceAll(name, "/", "_"))
	}
	golden(t, "testdata/in/birds/birds.csv", "birds_table")
	own, err := filepath.Glob("testdata/in/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range own {
		golden(t, path, filepath.Base(path))
	}
}

func golden(t *testing.T, path, name string) {
	t.Helper()
	got := string(written(t, ".", path).Text)
	file := filepath.Join("testdata", "want", strings.TrimSuffix(name, filepath.Ext(name))+".yaml")
	if *update {
		testenv.Put(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s\ngo test ./pipeline/infer -update writes %s", name, got, want, file)
	}
}

// TestOddNames has columns with names that YAML, a config, or a terminal would misread. check and
// try accept the config.
func TestOddNames(t *testing.T) {
	names := []string{
		"plain", "<script>alert(1)</script>", "a: b", "- x", "#c", "a #b", "yes", "null", "~", "'q'", `d"q`,
		"*a", "&a", "!t",
		"%d", "`b`", "[l", "{m}", "{a: b}",
		"${HOME}", "$$", "$x", "p{0..3}", "@at", "|", ">", "?", "? k", "1", "1.5", "0x1", " lead", "trail ",
		"a,b", "a\nb", "a\tb", "Ü", "日本", "\u202eturned", "\u00a0", "",
		"same", "same", "from", "type", "=", "<<", "a.b", "a.*.b", "\\", "a\\n", strings.Repeat("long ", 60),
		"\ufeff", "é",
		":", "a:", "-", "---", "...",
	}
	var csv strings.Builder
	for i, name := range names {
		if i > 0 {
			csv.WriteByte(',')
		}
		csv.WriteString(`"` + strings.ReplaceAll(name, `"`, `""`) + `"`)
	}
	csv.WriteByte('\n')
	for row := range 40 {
		for i := range names {
			if i > 0 {
				csv.WriteByte(',')
			}
			csv.WriteString(`"` + strings.ReplaceAll(names[(i+row)%len(names)], `"`, `""`) + `"`)
		}
		csv.WriteByte('\n')
	}
	dir := testenv.Directory(t, map[string]string{"odd.csv": csv.String()})
	c := written(t, dir, filepath.Join(dir, "odd.csv"))
	works(t, dir, c)
	if n := strings.Count(string(c.Text), "\n  "); n < len(names) {
		t.Errorf("%d lines for %d columns\n%s", n, len(names), c.Text)
	}
}

// worksConverted has works check a config with the line that makes images one size, if it has one.
func worksConverted(t *testing.T, dir string, c *infer.Config) (has bool) {
	t.Helper()
	text := strings.ReplaceAll(string(c.Text), "# convert:", "convert:")
	if has = text != string(c.Text); has {
		works(t, dir, &infer.Config{Name: c.Name, Text: []byte(text)})
	}
	return has
}

// TestConvertIsGood checks that the line that makes images one size is valid.
func TestConvertIsGood(t *testing.T) {
	paths := []string{"testdata/in/pets", "../../testdata/photos"}
	for _, path := range paths[:testenv.Times(1, 2, 2)] {
		abs, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		c := written(t, dir, abs)
		if !worksConverted(t, dir, c) {
			t.Errorf("no convert:\n%s", c.Text)
		}
	}
}

// TestClassesThatDifferByCase checks the warning. The project has no such directories, as some file
// systems cannot have them.
func TestClassesThatDifferByCase(t *testing.T) {
	pets := filepath.Join(t.TempDir(), "pets")
	for from, to := range map[string]string{"bird": "Cat", "cat": "cat", "dog": "dog"} {
		if err := os.CopyFS(filepath.Join(pets, to), os.DirFS("testdata/in/pets/train/"+from)); err != nil {
			t.Fatal(err)
		}
	}
	c := written(t, t.TempDir(), pets)
	for _, want := range []string{"# The classes \"Cat\" and \"cat\" differ by case only: are they one?\n",
		"classes: [Cat, cat, dog]"} {
		if !strings.Contains(string(c.Text), want) {
			t.Errorf("%q is not in\n%s", want, c.Text)
		}
	}
}

// TestHeader checks when the first row is treated as data, and the comments.
func TestHeader(t *testing.T) {
	data := "3.5,setosa\n4.5,setosa\n5.5,virginica\n"
	for _, tt := range []struct{ name, csv, want string }{
		{"names", "size,kind\n" + data, ""},
		{"data", data, "header: false"},
		{"names that are numbers", "kind,2019,2020\na,1,2\nb,3,4\nc,5,6\n", "header: true "},
		{"names that count", "0,1,2\n1,2,3\n4,5,6\n7,8,9\n", "header: true "},
		{"one number", "size,7\n1,a\n2,b\n", "header: true "},
		{"all numbers", "5,1,7\n1,2,3\n4,5,6\n", "header: false"},
		{"a name among numbers", "5,size\n1,2\n3,4\n5,6\n", "header: true "},
		{"texts", "a,b\nc,d\ne,f\n", "header: true "},
	} {
		dir := testenv.Directory(t, map[string]string{"t.csv": tt.csv})
		c := written(t, dir, filepath.Join(dir, "t.csv"))
		if says := strings.Contains(string(c.Text), "header:"); says != (tt.want != "") ||
			!strings.Contains(string(c.Text), tt.want) {
			t.Errorf("%s: want %q\n%s", tt.name, tt.want, c.Text)
		}
		if m := withoutRows.FindStringSubmatch(string(c.Text)); m != nil {
			text := strings.Replace(string(c.Text), m[0], "c: "+m[1], 1) + "on_error: quarantine\n" + m[2] + "\n"
			worksIn(t, dir, &infer.Config{Name: c.Name, Text: []byte(text)})
		}
		worksIn(t, dir, c)
	}
}

// withoutRows matches a comment on a few odd values, with the keys that build the other rows.
var withoutRows = regexp.MustCompile(`c: .*without these rows: ({.*}), on_error: quarantine, and (max_errors: \d+%)`)

// TestColumn checks the rules with a column of each type.
func TestColumn(t *testing.T) {
	repeat := func(n int, texts ...string) (all []string) {
		for i := range n {
			all = append(all, texts[i%len(texts)])
		}
		return all
	}
	counted := func(n int, form string) (all []string) {
		for i := range n {
			all = append(all, strings.ReplaceAll(form, "N", strings.Repeat("i", i)))
		}
		return all
	}
	numbered := func(n int) (all []string) {
		for i := range n {
			all = append(all, strconv.Itoa(i))
		}
		return all
	}
	const unread = "c: string             # numbers with marks that no key reads, it seems: "
	const unclear = "c: string             # numbers, it seems: "
	const either = `; to read them: {type: int64, thousands: ","} or {type: float, decimal: ","}`
	for _, tt := range []struct {
		name  string
		cells []string
		want  string
	}{
		{"integers", repeat(30, "1", "-2", "+3"), "c: int64 "},
		{"leading zeros", repeat(30, "007", "12"), `c: {classes: ["007", "12"]}`},
		{"leading zeros before a point", repeat(30, "038.9", "250.1", "401"),
			"c: string             # 10 numbers with leading zeros, so these are names; "},
		{"leading zeros, many", counted(30, "0N7"), "c: string "},
		{"ids", repeat(30, "1250180000000000001", "1250180000000000002"), "c: int64 "},
		{"ids and one that a spreadsheet wrote", append(repeat(30, "1250180000000000001", "1250180000000000002"),
			"1.25018E+18"),
			"c: string             # 30 whole numbers of more than 7 digits, which a float would change, the first: " +
				"t.csv:2: \"1250180000000000001\"; 1 with a point or an exponent, the first: t.csv:32: " +
				"\"1.25018E+18\"\n"},
		{"whole numbers that pandas wrote", repeat(30, "324158001.0", "324158002.0"),
			"c: {type: int64, int_from_float: true} "},
		{"one fraction among large numbers", append(repeat(30, "1.5", "2.25"), "18288157"),
			"c: float              # 1.5 to 18288157; float32 changes 1 number, the first: t.csv:32: " +
				"\"18288157\"; string would keep the digits\n"},
		{"numbers that become one", repeat(30, "1700000000.25", "1700000000.5", "1700000000.75"),
			"c: string             # 3 different values, which would become 1 number as float32\n"},
		{"versions", repeat(30, "1.1", "1.10", "1.2"),
			"c: string             # 3 different values, which would become 2 numbers as float32\n"},
		{"versions that stay different", repeat(30, "3.8", "3.9", "3.10"),
			"c: float              # 3.1 to 3.9; the decimals end in 0 in 10 rows, but their number varies, " +
				"the first: t.csv:4: \"3.10\"; versions are type: string\n"},
		{"codes with an E", repeat(30, "3E2", "1E5", "12E4"),
			"c: string             # 30 with a point or an exponent, the first: t.csv:2: \"3E2\"\n"},
		{"exponents as R writes them", repeat(30, "3e+02", "1e+05"), "c: float "},
		{"lists of Python", repeat(30, "['War']", "['War', 'Drama']", "['Drama', 'Action']"),
			`c: {classes: ["['Drama', 'Action']", "['War', 'Drama']", "['War']"]}`},
		{"phone numbers", repeat(30, "+49 30 123400", "+49 891234"), "c: {classes: "},
		{"one odd value", append(repeat(30, "1", "2"), "1O"), "c: {classes: [\"1\", \"1O\", \"2\"]}"},
		{"one odd value, all different", append(numbered(30), "1O"),
			"c: string             # 31 different strings, the longest has 2 bytes; 1 of 31 differ, the first: " +
				"t.csv:32: \"1O\"; without these rows: {type: int64}, on_error: quarantine, and max_errors: 7%\n"},
		{"a minus behind a number", append(numbered(30), "87-"),
			"c: string             # 31 different strings, the longest has 3 bytes; numbers with parentheses or " +
				"a minus behind; to read them: derive: {c_number: 'int(ends_with("},
		{"a minus behind a number, and a word", append(numbered(30), "87-", "k.A."),
			"c: string             # 32 different strings, the longest has 4 bytes\n"},
		{"whole numbers beyond a float, and a word",
			append(repeat(30, "13195812247735943965", "13195812247735943967"), "x"),
			"c: {classes: [\"13195812247735943965\", \"13195812247735943967\", x]}  # 3 values; the rarest, \"x\", " +
				"in 1 row\n"},
		{"leading zeros before a comma", repeat(30, "+0106,5", "-0012,5", "+0031,7"), "c: {classes: ["},
		{"names of images with a slash", counted(30, "/a/bN.jpg"),
			"c: string             # 30 different strings, the longest has 37 bytes; names of images, it seems: " +
				"load needs a part of each, such as substr(NAME, 1) or split(NAME, '/')[2]\n"},
		{"a date after another string", append([]string{"20d"}, repeat(30, "2024-01-31", "2024-02-01")...),
			"c: string             # 3 different strings, the longest has 10 bytes; 1 of 31 differ, the first: " +
				"t.csv:2: \"20d\"; without these rows: {date: \"%Y-%m-%d\", unit: days}"},
		{"an unknown word for missing", append(numbered(30), "k.A.", "k.A."),
			"c: string             # 31 different strings, the longest has 4 bytes; 2 of 32 differ, the first: " +
				"t.csv:32: \"k.A.\"; if it means missing: {type: int64, null_values: [k.A.], missing: omit}\n"},
		{"decimal commas and an unknown word", append(repeat(30, "1,5", "2,25"), "k.A."),
			"c: {classes: [\"1,5\", \"2,25\", k.A.]}"},
		{"one odd date", append(repeat(10, "2024-01-31", "2024-02-01"), "0000-00-00"),
			"c: string             # 3 different strings, the longest has 10 bytes; 1 of 11 differ, the first: " +
				"t.csv:12: \"0000-00-00\"; without these rows: {date: \"%Y-%m-%d\", unit: days}, on_error: " +
				"quarantine, and max_errors: 19%\n"},
		{"codes of countries", append(repeat(60, "DE", "FR"), "NA"), "c: {classes: [DE, FR, NA]}"},
		{"beyond 64 bits", repeat(30, "9223372036854775808", "1"), "c: string "},
		{"floats", repeat(30, "1", "2.5", "1e3"), "c: float "},
		{"more than a float holds", repeat(12, "1e300", "1"), "c: string "},
		{"infinities", repeat(30, "1", "inf"), "c: {type: float, nonfinite: allow}"},
		{"numbers and a word", append(repeat(30, "1", "NA"), "-"), "c: {type: int64, missing: omit}"},
		{"numbers and any word", append(repeat(30, "1", "2"), "many"), `c: {classes: ["1", "2", many]}`},
		{"a rare word", append(repeat(60, "red", "blue"), "None"), "c: {classes: [blue, red], missing: omit}"},
		{"a frequent word", repeat(60, "red", "blue", "None"), "c: {classes: [None, blue, red]}"},
		{"bools", repeat(30, "True", "false"), "c: bool "},
		{"yes and no", repeat(30, "Yes", "No"), `c: {type: bool, map: {"Yes": true, "No": false}}`},
		{"no and yes", repeat(30, "n", "Y"), `c: {type: bool, map: {"Y": true, "n": false}}`},
		{"images in base64", repeat(2, base64.StdEncoding.EncodeToString([]byte(makeImage(t, ".png", "8x6")))),
			"# c: {type: bytes, encoding: base64}  # skipped: one value in every row: \"…\"\n"},
		{"classes", repeat(30, "a", "b", "c"), "c: {classes: [a, b, c]}"},
		{"too few rows for classes", repeat(29, "a", "b", "c"), "c: string "},
		{"long classes", repeat(30, strings.Repeat("x", 65), "b"), "c: string "},
		{"dates", repeat(40, "2024-01-01", "2024-01-02"), `c: {date: "%Y-%m-%d", unit: days}`},
		{"dates with two digits of the year", repeat(40, "2/8/14", "11/26/23"),
			`c: {date: "%m/%d/%y", unit: days}  # "2/8/14" to "11/26/23"; years from 69 are 19.., others 20..` + "\n"},
		{"dates in one word", repeat(40, "5JAN2023", "17FEB2023"), `c: {date: "%d%b%Y", unit: days}`},
		{"one value", repeat(30, "a"), "# c: string "},
		{"one number", repeat(30, "1"), "# c: int64 "},
		{"nothing", repeat(30, ""), "# c: {type: string, missing: omit} "},
		{"names", counted(30, "nN"), "c: string "},
		{"sentences", counted(30, "a longer text N"), "c: string "},
		{"words in a list", repeat(60, "a|b", "b", "b|c", "a|c"), `c: {classes: [a, b, c], separator: "|"}`},
		{"numbers in a list", repeat(30, "1 2 3", "4"), `c: {type: int64, separator: " "}`},
		{"lists of JSON", repeat(30, "[1, 2]", "[3, 4]"), "c: {type: int64, shape: [2], encoding: json}"},
		{"ragged lists of JSON", repeat(30, "[[1, 2], [3]]", "[]"),
			"c: {type: int64, shape: [-1, -1], encoding: json}"},
		{"decimal commas", repeat(30, "1,5", "2,25"), "c: string "},
		{"decimal commas with zeros", repeat(30, "1,05", "2,25"), "c: string "},
		{"decimal commas and exponents", repeat(30, "1,5E+03", "2,25"), "c: string "},
		{"thousands", repeat(30, "1,299.00", "999.00", "12"),
			`c: {type: float, thousands: ","}  # numbers with marks: "1,299.00"` + "\n"},
		{"thousands of millions", repeat(30, "4,014,314", "-1,000"),
			`c: {type: int64, thousands: ","}  # numbers with marks: "4,014,314"` + "\n"},
		{"thousands of Germany", repeat(30, "1.299,00", "999,00"),
			`c: {type: float, thousands: ".", decimal: ","}  # numbers with marks: "1.299,00"` + "\n"},
		{"thousands with spaces", repeat(30, "4 014 314", "12"),
			`c: {type: int64, thousands: " "}  # numbers with marks: "4 014 314"` + "\n"},
		{"thousands with narrow spaces", repeat(30, "4\u202f014,5", "12,5"),
			`c: {type: float, thousands: " ", decimal: ","}  # numbers with marks: "4\u202f014,5"` + "\n"},
		{"thousands of Switzerland", repeat(30, "1'299.05", "3.50"),
			`c: {type: float, thousands: "'"}  # numbers with marks: "1'299.05"` + "\n"},
		{"thousands of India", repeat(30, "12,34,567", "1,000.5"), unread + `"12,34,567"` + "\n"},
		{"thousands of a currency", repeat(30, "$1,299.00", "$9.50"), `c: {classes: ["$1,299.00", "$9.50"]}`},
		{"thousands and a missing word", append(repeat(30, "1,299", "12"), "NA", "NA", "NA"),
			"c: {type: string, missing: omit} "},
		{"thousands, all different", []string{"1,000", "2,000", "3,000", "4,000", "5,000", "6,000", "7,000",
			"8,000", "9,000", "1,001"}, unclear + `"1,000"` + either + "\n"},
		{"thousands and plain numbers", repeat(30, "1.299,50", "850", "12,5", "-3"),
			`c: {type: float, thousands: ".", decimal: ","}`},
		{"thousands and a plain float that they exclude", repeat(30, "1.299,50", "12.5"), "c: string "},
		{"thousands beyond 64 bits", repeat(30, "9,223,372,036,854,775,808", "1"), `c: {type: float, thousands: ","}`},
		{"a space between thousands", repeat(30, "4 014", "12"),
			unclear + `"4 014"; to read them: {type: int64, thousands: " "}` + "\n"},
		{"thousands or lists", repeat(30, "100,200", "300,400"),
			unclear + `"100,200"` + either + `; if these are lists: {type: int64, separator: ","}` + "\n"},
		{"thousands or lists, some missing", append(repeat(30, "100,200", "300,400"), "", "NA"),
			"c: {type: string, missing: omit}  # numbers, it seems: \"100,200\"; to read them: {type: int64, " +
				"thousands: \",\", missing: omit} or {type: float, decimal: \",\", missing: omit}; if these are " +
				"lists: {type: int64, separator: \",\", missing: empty_list}; 2 of 32 rows missing (\"NA\", empty)\n"},
		{"nines and a word for missing", append(repeat(30, "1.5", "2.5", "3.25"), "NA", "-999", "-999"),
			"c: {type: float, missing: omit}  # -999 to 3.25; if -999 in 2 rows means missing: null_values: " +
				"[NA, \"-999\"], missing: omit; 1 of 33 rows missing (\"NA\")\n"},
		{"lists with commas", repeat(30, "100,200", "300,40,5"), `c: {type: int64, separator: ","}`},
		{"lists of pairs", repeat(30, "1.5,2.5", "3.5,4.25"), `c: {type: float, separator: ","}`},
		{"lists with spaces", repeat(30, "100 200", "300 40"), `c: {type: int64, separator: " "}`},
		{"lists of three digits", repeat(30, "100 200 100 200 100 200 100 200 100 200 100", "1"),
			`c: {type: int64, separator: " "}`},
		{"empty texts", repeat(30, `""`, "a", "b"), "c: {classes: [a, b], missing: omit}"},
	} {
		var csv strings.Builder
		csv.WriteString("n;c;d\n")
		for i, cell := range tt.cells {
			fmt.Fprintf(&csv, "some text of words;%s;%d\n", cell, i)
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": csv.String()})
		c := written(t, dir, filepath.Join(dir, "t.csv"))
		if !strings.Contains(string(c.Text), "\n  "+tt.want) {
			t.Errorf("%s: want %q\n%s", tt.name, tt.want, c.Text)
		}
		if m := withoutRows.FindStringSubmatch(string(c.Text)); m != nil {
			text := strings.Replace(string(c.Text), m[0], "c: "+m[1], 1) + "on_error: quarantine\n" + m[2] + "\n"
			worksIn(t, dir, &infer.Config{Name: c.Name, Text: []byte(text)})
		}
	}
}

// TestOutput checks that the output does not overlap the input.
func TestOutput(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"out/t/part.csv": "a,b\n1,2\n3,4\n"})
	c := written(t, dir, filepath.Join(dir, "out", "t"))
	works(t, dir, c)
	if !strings.Contains(string(c.Text), "\noutput: out/t_again\n") {
		t.Errorf("%s", c.Text)
	}
	pets := filepath.Join(t.TempDir(), "pets")
	if err := os.CopyFS(pets, os.DirFS("testdata/in/pets")); err != nil {
		t.Fatal(err)
	}
	c = written(t, pets, pets)
	testenv.Put(t, filepath.Join(pets, "pets.yaml"), string(c.Text))
	cfg, err := config.Load(filepath.Join(pets, "pets.yaml"))
	if err == nil {
		err = pipeline.Check(t.Context(), cfg, pipeline.Run{Workers: 1, Memory: pipeline.MinMemory})
	}
	if err != nil || !strings.Contains(string(c.Text), "\noutput: ../out/pets\n") {
		t.Errorf("%v\n%s", err, c.Text)
	}
	c = written(t, dir, "testdata/in/pets/train", "testdata/in/pets/test")
	if c.Name != "pets" {
		t.Errorf("%s", c.Name)
	}
}

// TestNoUsableColumns checks the reasons if no column can be a feature.
func TestNoUsableColumns(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.csv")
	testenv.Put(t, file, "a,b\n,\n,\n")
	_, err := infer.Inspect(t.Context(), []string{file}, infer.Options{Dir: dir, Workers: 1})
	if want := `no column can be a feature as it is: "a", skipped: `; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
