package infer_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/message"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// unitReading matches a comment on numbers with a unit: the entry of derive, and the line of a feature.
var unitReading = regexp.MustCompile(`numbers with .*; to read them: derive: \{(.*)\}, and (.*?\})`)

// TestNumbersWithUnits uses the lines in the comments on numbers with a unit. The records have the numbers.
func TestNumbersWithUnits(t *testing.T) {
	for _, tt := range []struct{ name, cells, want string }{
		{"p", "$1,234.50;$9.50", `"floatList":{"value":[1234.5]}`},
		{"p q", "€ 0.5;€ 9", `"floatList":{"value":[0.5]}`},
		{"it's", "12.5%;7%", `"floatList":{"value":[12.5]}`},
		{"size", "12 KB;-9 KB", `"int64List":{"value":["12"]}`},
		{"eu", "1.234,5 €;;7,25 €", `"floatList":{"value":[1234.5]}`},
		{"eu", "EUR 12;EUR 9", `"int64List":{"value":["12"]}`},
		{"either", "$1,234;$2,345", `"int64List":{"value":["1234"]}`},
		{"account", "(1.50);10.25;7;", `"floatList":{"value":[-1.5]}`},
		{"account it's", "(1,001.50);7.00", `"floatList":{"value":[-1001.5]}`},
		{"whole", "(1);3;4", `"int64List":{"value":["-1"]}`},
		{"behind", "5-;3;4", `"int64List":{"value":["-5"]}`},
		{"behind", "1.234,50-;3,25;", `"floatList":{"value":[-1234.5]}`},
		{"q json", "5;-3;", `"int64List":{"value":["5"]}`},
		{"a.b json", "2.5;3", `"floatList":{"value":[2.5]}`},

		{"two", "$12;€9", ""},
		{"years", "(1999);note", ""},
		{"most", "5%;6%;7%;8", ""},
		{"codes", "A12;A13", ""},
		{"both", "$5k;$6k", ""},
		{"names json", "5;x", ""},
		{"zeros json", "05;6.5", ""},
		{"wide json", "13195812247735943965;7.5", ""},
	} {
		cells := strings.Split(tt.cells, ";")
		name, isJSON := strings.CutSuffix(tt.name, " json")
		file, table, row := "t.csv", "n|"+name+"|m\n", "a b|%s|1\n"
		if isJSON {
			file, table = "t.jsonl", ""
			row = `{"n":"a b",` + strings.Replace(strconv.Quote(name), ".", `":{"`, 1) + `:"%s"` +
				strings.Repeat("}", 1+strings.Count(name, ".")) + "\n"
		}
		for i := range 6 * len(cells) {
			table += strings.Replace(row, "%s", cells[i%len(cells)], 1)
		}
		if isJSON { // a string without text is not a number
			table = strings.ReplaceAll(table, `""`, "null")
		}
		dir := testenv.Directory(t, map[string]string{file: table})
		c := written(t, dir, filepath.Join(dir, file))
		m := unitReading.FindStringSubmatch(string(c.Text))
		if m == nil || tt.want == "" {
			if (m == nil) != (tt.want == "") {
				t.Errorf("%s: found %q in\n%s", tt.cells, m, c.Text)
			}
			continue
		}
		text := strings.Replace(string(c.Text), "split:\n", "  derive:\n    "+m[1]+"\nsplit:\n", 1) + "  " + m[2] + "\n"
		file = filepath.Join(dir, "c.yaml")
		testenv.Put(t, file, text)
		cfg, err := config.Load(file)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		var got strings.Builder
		err = pipeline.Try(t.Context(), cfg, pipeline.Run{Workers: 1, Memory: pipeline.MinMemory}, 6*len(cells),
			func(e pipeline.Example) error {
				var m message.Message
				err := m.Read(message.Example, e.Payload)
				got.Write(m.AppendJSON(nil))
				return err
			})
		if err != nil || !strings.Contains(got.String(), tt.want) {
			t.Errorf("%s: %v: no %s in %s\n%s", tt.cells, err, tt.want, got.String(), text)
		}
	}
}
