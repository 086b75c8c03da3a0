package lossless

import (
	"strings"
	"testing"
)

// TestLossIsFound changes the rows of a table after it is read, and expects the fault.
func TestLossIsFound(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,name,ratio,ok,day,kind,note\n")
	for i := range 60 {
		day := "2024-01-0" + string(rune('1'+i%9))
		kind := []string{"red", "blue", "NA"}[min(2, i%20)%3]
		b.WriteString(strings.Join([]string{padded(i+1, 1), "some words " + padded(i*7, 2), padded(i, 1) + ".25",
			[]string{"true", "false"}[i%2], day, kind, "x"}, ",") + "\n")
	}
	text := b.String()
	cell := func(row int, column, text string) func([]Row) []Row {
		return func(rows []Row) []Row {
			for i, m := range rows[row].Value {
				if m.Key == column {
					rows[row].Value[i].Value = Cell{Text: text}
				}
			}
			return rows
		}
	}
	for _, tt := range []struct {
		name   string
		change func([]Row) []Row
		want   string
	}{
		{"nothing", func(rows []Row) []Row { return rows }, ""},
		{"an integer", cell(3, "id", "99"), "id, row 4: 4 for"},
		{"a string", cell(3, "name", "some words"), "name, row 4: "},
		{"a float", cell(3, "ratio", "3.5"), "ratio, row 4: 3.25 for"},
		{"a bool", cell(3, "ok", "true"), "ok, row 4: 0 for"},
		{"a date", cell(3, "day", "2024-01-30"), "day, row 4: the date 19726 for"},
		{"a class", cell(20, "kind", "blue"), "kind, row 21: "},
		{"a value in a commented line", cell(3, "note", "y"), `with all commented features: note, row 4: "x" for "y"`},
		{"a missing value", cell(3, "ratio", ""), "ratio, row 4: 3.25 for"},
		{"a row", func(rows []Row) []Row { return rows[1:] }, "59 rows, and 60 records with 0 rejects"},
		{"a column", func(rows []Row) []Row {
			rows[0].Value = append(rows[0].Value, Member{"more", Cell{Text: "1"}})
			return rows
		}, `the column "more" is in no line`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := put(t, dir, "t.csv", text)
			a, err := Check(t.Context(), dir, []string{file},
				tt.change(must(ReadTable(file, text, Dialect{Delimiter: ','}))))
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && len(a.Faults) == 0 {
				return
			}
			if len(a.Faults) != 1 || !strings.Contains(a.Faults[0], tt.want) {
				t.Errorf("the faults are %q, expected %q\n%s", a.Faults, tt.want, a.Config)
			}
		})
	}
}

// TestUncommentedLines checks which lines of a config count as commented lines of a config.
func TestUncommentedLines(t *testing.T) {
	const text = `# The names are in two directories: write one of them.
name: t
source:
  csv:
    files: t.csv  # 3 rows
    # delimiter: tab  # if the cells have commas
# note: this is a sentence, with a colon
features:
  a: int64
  # b c: string  # skipped: one value
  # "d: e": {type: string, from: x}  # skipped: names
  # columns of the kind f are left out: they are empty
`
	w, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	lines, configs := w.uncommented()
	var got []string
	for _, i := range lines {
		got = append(got, strings.TrimSpace(w.lines[i]))
	}
	want := []string{"# delimiter: tab  # if the cells have commas", "# b c: string  # skipped: one value",
		`# "d: e": {type: string, from: x}  # skipped: names`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the lines are %q, expected %q", got, want)
	}
	if !strings.Contains(string(configs[0]), "\n    delimiter: tab  # if") ||
		!strings.Contains(string(configs[1]), "\n  b c: string  #") {
		t.Errorf("%s\n%s", configs[0], configs[1])
	}
}
