package lossless

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
)

// A column is one column of a table, with values that are easily misread.
type column struct {
	name  string
	cells []string // repeated up to the number of rows; {i} is the number of the row
	odd   []string // the last cells, once
	want  string   // the beginning of the line of the feature, without its key
}

const columnRows = 300

func (c *column) texts() []string {
	list := make([]string, columnRows)
	for i := range list {
		text := c.cells[i%len(c.cells)]
		if n := columnRows - i; n <= len(c.odd) {
			text = c.odd[len(c.odd)-n]
		}
		text = strings.ReplaceAll(text, "{i}", fmt.Sprint(i))
		text = strings.ReplaceAll(text, "{iii}", fmt.Sprintf("%03d", i))
		list[i] = text
	}
	return list
}

var columns = []column{
	{"ids of 19 digits", []string{"1250180000000000{iii}"}, nil, "int64"},
	{"ids of 19 digits and 1.25E+18", []string{"1250180000000000{iii}"},
		[]string{"1.25018E+18", "1.25018E+18", "1.25018E+18"}, "string"},
	{"ids of 20 digits", []string{"12501800000000000{iii}"}, nil, "string"},
	{"2^24+1 and a decimal", []string{"16777217", "20000001", "{i}"}, []string{"0.5"}, "string"},
	{"small integers and a decimal", []string{"{i}"}, []string{"0.5"}, "float"},
	{"leading zeros", []string{"00{iii}"}, nil, "string"},
	{"leading zeros and others", []string{"0{iii}", "1{iii}"}, nil, "string"},
	{"genes", []string{"1e5", "12e4", "3e{i}", "45"}, nil, "string"},
	{"genes and words", []string{"Sept2", "1e5", "MARCH{i}"}, nil, "string"},
	{"hex", []string{"12e4", "0a{iii}", "ff{iii}", "00{iii}"}, nil, "string"},
	{"hex with 0x", []string{"0x1f", "0x{i}"}, nil, "string"},
	{"countries", []string{"NA", "DE", "FR", "US", "ZA", "ZW"}, nil, "{classes: [DE, FR, NA, US, ZA, ZW]}"},
	{"countries, few of NA", append(strings.Fields(strings.Repeat("AE AO BE BU CA DE DI FR GB ", 3)), "NA"), nil,
		"{classes: [AE, AO, BE, BU, CA, DE, DI, FR, GB, NA]"},
	{"quoted NA", []string{`"NA"`, "red", "green", "blue", "red", "green", "blue", "red", "green", "blue",
		"red", "green", "blue", "red", "green", "blue", "red", "green", "blue", "red", "green", "blue", "red"}, nil,
		"{classes: [NA, blue, green, red]}"},
	{"numbers and NA", []string{"{i}", "7", "NA"}, nil, "{type: int64, missing: omit}"},
	{"numbers and k.A.", []string{"{i}", "7", "8", "k.A."}, nil, ""},
	{"numbers and n.v.", []string{"{i}", "7", "8", "n.v."}, nil, ""},
	{"numbers and a dash", []string{"{i}", "7", "8", "-"}, nil, "{type: int64, missing: omit}"},
	{"numbers and a dot", []string{"{i}", "7", "8", "."}, nil, ""},
	{"numbers and -999", []string{"{i}", "7", "8", "-999"}, nil, "int64"},
	{"numbers and 9999", []string{"1.5", "7", "8", "9999"}, nil, "float"},
	{"words and a dash", append(strings.Fields(strings.Repeat("a b c ", 9)), "-"), nil, "{classes: "},
	{"words and None", append(strings.Fields(strings.Repeat("a b c ", 9)), "None"), nil, "{classes: "},
	{"words and nan", append(strings.Fields(strings.Repeat("a b c ", 9)), "nan"), nil, "{classes: "},
	{"words and null, quoted", append(strings.Fields(strings.Repeat("a b c ", 9)), `"null"`), nil,
		`{classes: [a, b, c, "null"]}`},
	{"yes and no", []string{"yes", "no", "no"}, nil, "{type: bool, map: "},
	{"Y and N", []string{"Y", "N", "N"}, nil, "{type: bool, map: "},
	{"0 and 1", []string{"0", "1", "1"}, nil, "int64"},
	{"TRUE and FALSE", []string{"TRUE", "FALSE", "FALSE"}, nil, "bool"},
	{"true, false and unknown", []string{"true", "false", "unknown"}, nil, "{classes: ["},
	{"true and 1", []string{"true", "false", "1", "0"}, nil, ""},
	{"versions", []string{"1.10", "1.2", "1.9", "1.1"}, nil,
		"string          # 4 different values, which would become 3 numbers as float32"},
	{"many versions", []string{"1.10", "1.{i}", "2.{i}0"}, nil, "string "},
	{"versions of three", []string{"1.10.{i}", "1.2.{i}"}, nil, "string"},
	{"prices", []string{"1.10", "2.20", "3.{i}"}, nil, ""},
	{"times", []string{"12:30", "08:{i}", "23:59"}, nil, "string"},
	{"durations", []string{"1:02:{iii}", "PT{i}S", "2h {i}m"}, nil, "string"},
	{"phones", []string{"+49 30 1234{iii}", "+49891234{iii}"}, nil, "string"},
	{"phones with a plus only", []string{"+49891234{iii}"}, nil, "string"},
	{"zip codes", []string{"01067", "10115", "80331"}, nil, `{classes: [`},
	{"zip codes of the US", []string{"02{iii}", "90{iii}", "10{iii}-1234"}, nil, "string"},
	{"addresses of IPv4", []string{"10.0.0.{i}", "192.168.1.{i}"}, nil, "string"},
	{"percentages", []string{"{i}%", "12.5%"}, nil, "string"},
	{"dollars", []string{"$1,2{iii}.00", "$9.50", "${i}"}, nil, "string"},
	{"euros", []string{"1.{iii},56 €", "{i},00 €"}, nil, "string"},
	{"a decimal comma", []string{"1,5", "2,{i}", "3,05"}, nil, ""},
	{"German numbers", []string{"1.{iii},56", "{i},5"}, nil, `{type: float, thousands: ".", decimal: ","}`},
	{"scientific", []string{"1e-3", "2.5E+04", "-{i}e-2"}, nil, "float"},
	{"large floats", []string{"1e300", "2e{i}"}, nil, "string"},
	{"17 digits", []string{"0.{iii}12345678901234", "3.14159265358979"}, nil, "float"},
	{"8 digits", []string{"719241.93", "{i}.5"}, nil, "float"},
	{"degrees", []string{"40.97{iii}5", "{i}.5"}, nil, "float"},
	{"thousands and cents", []string{"8,871,912.18", "3,{iii}.5"}, nil, `{type: float, thousands: ","}`},
	{"codes that become equal", []string{"900000.{iii}"}, nil, "string"},
	{"integers and one word", []string{"{i}"}, []string{"unknown"}, ""},
	{"integers and one typing error", []string{"{i}"}, []string{"1O"}, ""},
	{"a unit", []string{"{i} kg", "12 kg"}, nil, "string"},
	{"dates", []string{"2024-01-31", "2023-12-{i}"}, nil, ""},
	{"dates of ISO", []string{"2024-01-31", "2023-11-05"}, nil, `{date: "%Y-%m-%d", unit: days}`},
	{"dates of ISO with time", []string{"2024-01-31T10:11:12", "2023-11-05T23:59:59"}, nil, "{date: "},
	{"dates with microseconds", []string{"2024-01-31 10:11:12.000123", "2023-11-05 23:59:59.5"}, nil, "{date: "},
	{"dates with an offset", []string{"2024-01-31T10:11:12+01:00", "2023-11-05T23:59:59Z"}, nil, "{date: rfc3339"},
	{"dates of Germany", []string{"31.1.2024", "5.11.2023"}, nil, `{date: "%d.%m.%Y"`},
	{"dates of the US", []string{"01/31/2024", "11/05/2023"}, nil, `{date: "%m/%d/%Y"`},
	{"ambiguous dates", []string{"01/02/2024", "11/05/2023"}, nil, ""},
	{"dates with month names", []string{"31 Jan 2024", "5 Nov 2023"}, nil, "{date: "},
	{"stocks' dates", []string{"Jan 1 2000", "Feb 1 2000"}, nil, ""},
	{"dates without marks", []string{"20240131", "20231105"}, nil, ""},
	{"months", []string{"2024-01", "2023-12"}, nil, ""},
	{"years", []string{"1999", "2024", "2003"}, nil, "int64"},
	{"dates and one 0000-00-00", []string{"2024-01-31", "2023-11-05"}, []string{"0000-00-00"}, ""},
	{"epoch seconds", []string{"1700000{iii}"}, nil, "int64"},
	{"epoch milliseconds", []string{"1700000000{iii}"}, nil, "int64"},
	{"epoch with a decimal", []string{"1700000{iii}.25"}, nil, ""},
	{"JSON objects", []string{`{"a": {i}}`, `{"a": 2, "b": "x"}`}, nil, "string"},
	{"JSON lists", []string{`[{i}, 2]`, `[3, 4]`}, nil, "{type: int64, shape: [2], encoding: json}"},
	{"JSON lists of large numbers", []string{`[16777217, 2.5]`, `[3, 4]`}, nil, ""},
	{"lists of Python", []string{`['a', 'b{i}']`, `['c']`}, nil, "string"},
	{"lists of commas", []string{"red, green", "blue", "green, blue"}, nil, "{classes: ["},
	{"names with commas", []string{"Smith, John {i}", "Doe, Jane {i}"}, nil, "string"},
	{"lists with empty elements", []string{"a;;b", "b;a", "a;b;"}, nil, ""},
	{"lists with spaces", []string{"a; b", "b ;a", "a;b"}, nil, ""},
	{"an empty column", []string{""}, nil, ""},
	{"a constant", []string{"x"}, nil, "string"},
	{"one missing", []string{"{i}"}, []string{""}, "{type: int64, missing: omit}"},
	{"one missing word", []string{"a", "b"}, []string{""}, "{classes: [a, b], missing: omit}"},
	{"one present", []string{""}, []string{"7"}, ""},
	{"spaces around", []string{" a ", "b", " c"}, nil, ""},
	{"spaces around numbers", []string{" 1 ", "2", " 3"}, nil, ""},
	{"cases", []string{"Cat", "cat", "dog", "CAT"}, nil, "{classes: [CAT, Cat, cat, dog]}"},
	{"Unicode", []string{"é", "e\u0301", "日本", "𝒳", "a\u00a0b"}, nil, "{classes: "},
	{"emoji", []string{"🙂 {i}", "👩‍👩‍👧 {i}"}, nil, "string"},
	{"long strings", []string{strings.Repeat("long {i} ", 2000)}, nil, "string"},
	{"lines in cells", []string{"a\nb {i}", "c\r\nd {i}"}, nil, "string"},
	{"quotes in cells", []string{`say "a" {i}`, `"`, `""`}, nil, "string"},
	{"base64", []string{"aGVsbG8gd29ybGQ={i}", "aGVsbG8="}, nil, "string"},
	{"base64 of texts", []string{"aGVsbG8=", "d29ybGQ=", "Zm9vYmFy"}, nil, "{classes: "},
	{"paths", []string{"/data/a/{i}.png", "b/{i}.jpg"}, nil, "string"},
	{"paths of Windows", []string{`C:\data\{i}.png`, `D:\x\{i}`}, nil, "string"},
	{"URLs", []string{"https://example.com/{i}?a=b#c"}, nil, "string"},
	{"mails", []string{"a{i}@example.com"}, nil, "string"},
	{"UUIDs", []string{"01234567-89ab-cdef-0123-456789abc{iii}"}, nil, "string"},
	{"infinities", []string{"1.5", "inf", "-inf", "nan"}, nil, "{type: float"},
	{"a minus zero", []string{"-0", "1", "2"}, nil, ""},
	{"a plus", []string{"+1", "2", "3"}, nil, ""},
	{"negative in brackets", []string{"(1.50)", "2.50"}, nil, ""},
	{"a minus of typography", []string{"−1", "2", "−{i}"}, nil, ""},
	{"fractions", []string{"1/2", "3/4", "{i}/5"}, nil, "string"},
	{"scores", []string{"3-1", "2-{i}"}, nil, "string"},
	{"ranges of ages", []string{"18-24", "25-34", "65+"}, nil, "{classes: "},
	{"underscores in numbers", []string{"1_000", "2_{iii}"}, nil, "string"},
	{"Booleans of Python", []string{"True", "False", "None"}, nil, ""},
	{"coordinates", []string{"52.{iii}0123,13.{iii}5"}, nil, ""},
	{"points of WKT", []string{"POINT (1 {i})"}, nil, "string"},
	{"formulas", []string{"=A{i}+1", "@x", "#REF!", "# {i}"}, nil, "string"},
	{"null of YAML", []string{"~", "null", "yes", "1", "a: b", "- c"}, nil, ""},
	{"German words for missing", []string{"1,5", "2,25", "3,{i}", "k.A."}, nil, ""},
	{"int64's ends", []string{"9223372036854775807", "-9223372036854775808", "{i}"}, nil, "int64"},
	{"beyond int64", []string{"9223372036854775808", "{i}"}, nil, "string"},
	{"a dot at the end", []string{"1.", "2.", "{i}."}, nil, ""},
	{"a dot at the beginning", []string{".5", ".25"}, nil, "float"},
	{"thousands", []string{"1,{iii}", "12,345,678"}, nil, `{type: int64, thousands: ","}`},
	{"one thousand", []string{"1,{iii}", "999"}, nil, "string"},
}

// forms are the ways to write a column.
var forms = map[string]func(t *testing.T, dir string, texts []string) (file string, rows []Row){
	"csv":     asCSV,
	"jsonl":   asLines,
	"xml":     asXML,
	"parquet": asParquet,
}

// TestColumns checks that each value of each column is in the records, and the type of cells.
func TestColumns(t *testing.T) {
	for i, c := range columns {
		if (i+testenv.First(0, 12))%testenv.Times(12, 1, 1) != 0 {
			continue
		}
		for form, write := range forms {
			t.Run(c.name+"/"+form, func(t *testing.T) {
				dir := t.TempDir()
				file, rows := write(t, dir, c.texts())
				a := check(t, dir, []string{file}, rows)
				line := ""
				for l := range strings.Lines(string(a.Config)) {
					if s, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(l), "# "), "cell: "); ok {
						line = s
					}
				}
				if form == "csv" && !strings.HasPrefix(line, c.want) {
					t.Errorf("found %sexpected %s", line, c.want)
				}
				t.Log(strings.TrimSpace(line))
			})
		}
	}
}

// check checks an input and reports the faults.
func check(t *testing.T, dir string, paths []string, rows []Row) *Answer {
	t.Helper()
	a, err := Check(t.Context(), dir, paths, rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Faults {
		t.Error(strings.ReplaceAll(f, dir, "DIR"))
	}
	return a
}

// sentence is the text of the column next to c, which is a string in any case.
func sentence(i int) string { return fmt.Sprintf("some text of words %d", i*7919%1000) }

// asCSV writes cells as they are, and in quotes if they have to be.
func asCSV(t *testing.T, dir string, texts []string) (string, []Row) {
	var b strings.Builder
	b.WriteString("words,cell\n")
	for i, text := range texts {
		isQuoted := len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"'
		if !isQuoted && strings.ContainsAny(text, "\",\r\n") {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		fmt.Fprintf(&b, "%s,%s\n", sentence(i), text)
	}
	file := put(t, dir, "t.csv", b.String())
	return file, must(ReadTable(file, b.String(), Dialect{Delimiter: ','}))
}

// asLines writes strings of JSON.
func asLines(t *testing.T, dir string, texts []string) (string, []Row) {
	var b strings.Builder
	for i, text := range texts {
		line, err := json.Marshal(map[string]any{"words": sentence(i), "cell": text})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	file := put(t, dir, "t.jsonl", b.String())
	return file, must(ReadLines(file, []byte(b.String())))
}

// asXML writes elements of one document.
func asXML(t *testing.T, dir string, texts []string) (string, []Row) {
	var b bytes.Buffer
	var rows []Row
	file := filepath.Join(dir, "t.xml")
	b.WriteString("<rows>\n")
	for i, text := range texts {
		from := b.Len()
		b.WriteString("<row><words>" + sentence(i) + "</words><cell>")
		if err := xml.EscapeText(&b, []byte(text)); err != nil {
			t.Fatal(err)
		}
		b.WriteString("</cell></row>\n")
		rows = append(rows, must(ReadXML(file, b.Bytes()[from:])))
	}
	b.WriteString("</rows>\n")
	put(t, dir, "t.xml", b.String())
	return file, rows
}

func asParquet(t *testing.T, dir string, texts []string) (string, []Row) {
	var sentences []string
	var rows []Row
	file := filepath.Join(dir, "t.parquet")
	for i, text := range texts {
		sentences = append(sentences, sentence(i))
		rows = append(rows, Row{File: file, Value: object("words", sentence(i), "cell", text)})
	}
	put(t, dir, "t.parquet", string(parquettest.File(len(texts), parquettest.Column{Name: "words", Values: sentences},
		parquettest.Column{Name: "cell", Values: texts})))
	return file, rows
}
