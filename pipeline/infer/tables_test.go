package infer_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/infer"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A tableCase is a table that init reads. want has the columns and the rows as a person reads the table, with
// bars between cells; or the beginning of the error. has is text of the config.
type tableCase struct{ name, file, text, want, has string }

// readTable returns the columns and the rows that the sources of a config have.
func readTable(t *testing.T, dir string, c *infer.Config) string {
	t.Helper()
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"), c.Text, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Text)
	}
	var b strings.Builder
	for i := range cfg.Sources {
		env := &input.Env{Resolve: cfg.Resolve, Workers: 1, Limits: input.Limits{Record: 1 << 20, Columns: 100_000}}
		src, err := sources.Open(t.Context(), cfg.Sources[i].Spec(), env)
		if err == nil {
			err = src.ReadHeads(t.Context(), nil)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, c.Text)
		}
		names, err := src.SampleNames(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(names) < 100 { // each alone, as two columns may have the name
			names = slices.DeleteFunc(names, func(name string) bool {
				_, err := src.Bind([]schema.Column{{Name: name}})
				return err != nil
			})
		}
		if at := slices.Index(names, "@0"); at > 0 {
			names = slices.Insert(slices.Delete(names, at, at+1), 0, "@0")
		}
		var columns []schema.Column
		for _, name := range names {
			columns = append(columns, schema.Column{Name: name})
		}
		layout, err := src.Bind(columns)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			b.WriteString(strings.Join(names, "|") + "\n")
		}
		r := layout.NewReader()
		for file := range src.Listing().Files {
			err := input.EachRow(t.Context(), src, file, func(rec *input.Record) error {
				vals, err := r.Read(file, rec.Offset, rec.Raw)
				if rec.Bad != nil || err != nil {
					return nil // init says how many
				}
				for i := range vals {
					if i > 0 {
						b.WriteByte('|')
					}
					b.Write(vals[i].Text)
				}
				b.WriteByte('\n')
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		r.Close()
	}
	return b.String()
}

// TestTables runs init on tables of many forms. The records have each row and each cell, and the config can be built.
func TestTables(t *testing.T) {
	for i, tt := range tables {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range splitFiles(tt.file, tt.text) {
				files[name] = text
			}
			dir := testenv.Directory(t, files)
			var paths []string
			for name := range files {
				paths = append(paths, filepath.Join(dir, name))
			}
			slices.Sort(paths)
			c, err := infer.Inspect(t.Context(), paths, infer.Options{Dir: dir, Workers: 1})
			if err != nil {
				got := strings.ReplaceAll(err.Error(), dir+"/", "")
				if fit := new(input.MismatchError); errors.As(err, &fit) && fit.Hint != "" {
					got += "; " + fit.Hint
				}
				if tt.has != "" || !strings.HasPrefix(got, tt.want) {
					t.Fatalf("found %v\nexpected %s", got, tt.want)
				}
				return
			}
			if got := readTable(t, dir, c); got != tt.want {
				t.Errorf("found\n%s\nexpected\n%s\n%s", got, tt.want, c.Text)
			}
			if !strings.Contains(string(c.Text), tt.has) {
				t.Errorf("no %q in\n%s", tt.has, c.Text)
			}
			if i%testenv.Times(12, 1, 1) == 0 {
				works(t, dir, c)
			}
		})
	}
}

// wide returns a table of 10,000 columns.
func wide(delimiter string) string {
	var b strings.Builder
	for row := range 4 {
		for i := range 10_000 {
			if i > 0 {
				b.WriteString(delimiter)
			}
			if row == 0 {
				b.WriteString("name")
			}
			b.WriteString(strconv.Itoa(i))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// splitFiles returns the files of a case: one, or those whose names are in lines such as `=== b.csv`.
func splitFiles(name, text string) map[string]string {
	files := map[string]string{}
	for i, part := range strings.Split(text, "=== ") {
		if i > 0 {
			name, part, _ = strings.Cut(part, "\n")
		}
		if files[name] += part; part == "" {
			delete(files, name)
		}
	}
	return files
}

// numbered returns the numbers from 0 to 39 in a format.
func numbered(format string) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// sixRows returns six rows with numbers in a format.
func sixRows(format string) string {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, format, []any{i + 1, 10 * i}[:strings.Count(format, "%")]...)
	}
	return b.String()
}

var tables = []tableCase{
	{"plain", "t.csv", "id,x\n1,a\n2,b\n", "id|x\n1|a\n2|b\n", ""},
	{"blanks after commas, no header", "t.data",
		"39, State-gov, 0, 0\n50, Private, 2, 0\n38, Private, 0, 7\n39, Local, 1, 0\n41, Private, 0, 0\n42, Private, " +
			"0, 0\n",
		"c0|c1|c2|c3\n39|State-gov|0|0\n50|Private|2|0\n38|Private|0|7\n39|Local|1|0\n41|Private|0|0\n42|Private|0|0\n",
		"header: false"},
	{"a line above rows without a header", "t.csv",
		"|1x3 Cross validator\n25, Private, <=50K.\n30, Local, <=50K.\n31, Private, >50K.\n32, Private, >50K.\n",
		"c0|c1|c2\n25|Private|<=50K.\n30|Local|<=50K.\n31|Private|>50K.\n32|Private|>50K.\n",
		`line 1 is "|1x3 Cross validator"`},
	{"two files that begin in different ways", "", "=== a.csv\n1,x\n2,y\n3,x\n=== b.csv\n|title\n4,x\n5,y\n6,x\n7,x\n",
		"c0|c1\n1|x\n2|y\n3|x\n4|x\n5|y\n6|x\n7|x\n", "  - csv:\n      files: b.csv"},
	{"a header above fields with blanks", "t.txt",
		"Code  Name          Temp\n1     San Francisco 12.5\n2     New York       3.0\n3     Los Angeles   18.2\n" +
			"4     St Louis       9.1\n",
		"text\nCode  Name          Temp\n1     San Francisco 12.5\n2     New York       3.0\n3     Los Angeles   " +
			"18.2\n4     St Louis       9.1\n", ""},
	{"ARFF with a byte order mark", "t.csv", "\ufeff@relation x\n@attribute a {x, y}\n@data\nx\n",
		"t.csv: looks like an ARFF table; awk ", ""},
	{"equal rows, one without a line end", "t.csv", "a,b\nx,1\ny,2\nx,1\nz,3\nx,1", "a|b\nx|1\ny|2\nx|1\nz|3\nx|1\n",
		"keeps one of each: 2 of 5 rows"},
	{"a bare quote far behind", "t.csv", "a,b\n" + strings.Repeat("x,some words\n", 9000) + "5\",y\n",
		"a|b\n" + strings.Repeat("x|some words\n", 9000), "does not begin with one; try quotes: none\n"},
	{"indented words", "t.csv", "label, v\nTotal, 5\n  Male, 3\nTotal, 7\n", "label|v\nTotal|5\nMale|3\nTotal|7\n",
		`words too, the first in line 3: "Male"`},
	{"single quotes and blanks", "t.txt", "id name v\n1 'X J1' 1.5\n2 'X J2' 2.5\n3 'X J3' 3.5\n",
		`t.txt: looks like a table in single quotes, with delimiters inside: "'X J1'"; python3 -c 'import `, ""},
	{"single quotes", "t.csv", "id,place,n\n1,'Portland, OR',1\n2,'Erie',2\n3,'Dover, DE',3\n",
		`t.csv: looks like a table in single quotes, with delimiters inside: "'Portland, OR'"; python3 -c 'import ` +
			`csv, `, ""},
	{"ARFF", "t.arff", "% of Weka\n\n@RELATION t\n@attribute n NUMERIC\n@attribute k {a, b}\n\n@data\n1.5,a\n2.5,b\n",
		`t.arff: looks like an ARFF table; awk 'tolower($1) == "@attribute"`, ""},
	{"one quote of many rows escaped by a backslash", "t.dat",
		numbered("%d,\"n\",\"a b\"\n") + "9,\"n\\\"\",\"a\"\n" + numbered("%d,\"n\",\"c\"\n"),
		"t.dat: looks like a table with quotes escaped by backslashes, first in line 41; python3 -c ", ""},
	{"quotes escaped in both ways", "t.csv", numbered("\"%d\",\"t \\\"x\\\"\",\"a, with \"\"q\"\"\"\n"),
		"t.csv: looks like a table with quotes escaped by backslashes, first in line 1; python3 -c ", ""},
	{"apostrophes", "t.csv", "id,word\n1,'tis\n2,'n'\n3,\"so,'x, y',z\"\n4,d\n5,e\n",
		"id|word\n1|'tis\n2|'n'\n3|so,'x, y',z\n4|d\n5|e\n", ""},
	{"nines with a point", "t.csv", "t\n-99.9\n12.5\n-99.9\n9\n15\n", "t\n-99.9\n12.5\n-99.9\n9\n15\n",
		`if -99.9 in 2 rows means missing: null_values: ["-99.9"], missing: omit`},
	{"a name as of a column of every source", "t.csv", "n,@file\n1,a\n2,b\n", "n\n1\n2\n", `# "@file" is skipped `},
	{"a name as of a run", "t.csv", "f,f1,f2,f3,f4,f5,f6,f7,f8,f_2\n0,1,2,3,4,5,6,7,8,7\n1,2,3,4,5,6,7,8,9,9\n",
		"f|f1|f2|f3|f4|f5|f6|f7|f8|f_2\n0|1|2|3|4|5|6|7|8|7\n1|2|3|4|5|6|7|8|9|9\n", "\n  f_2: int64 "},
	{"a name as of a column without one", "t.csv", "x,x,,column_2\n1,a,b,c\n2,d,e,f\n",
		"x|x_2|column_2_2|column_2\n1|a|b|c\n2|d|e|f\n", "columns: [x, x_2, column_2_2, column_2]"},
	{"nines", "t.csv", "t,age,year\n-999,1,1999\n12,99,1990\n-999,99,1999\n9,80,1989\n15,7,1970\n",
		"t|age|year\n-999|1|1999\n12|99|1990\n-999|99|1999\n9|80|1989\n15|7|1970\n",
		"t: int64              # -999 to 15; if -999 in 2 rows means missing: null_values: [\"-999\"], missing: " +
			"omit\n  age: int64            # 1 to 99\n"},
	{"nines of pandas", "t.csv", "t\n-99.0\n12.5\n-99.0\n9.0\n15.0\n", "t\n-99.0\n12.5\n-99.0\n9.0\n15.0\n",
		"if -99.0 in 2 rows means missing: null_values: [\"-99.0\"], missing: omit"},
	{"two files with other delimiters", "", "=== a.csv\nid,k\n1,x\n2,y\n=== b.csv\nid;k\n3;x\n4;y\n",
		"id|k\n1|x\n2|y\n3|x\n4|y\n", `delimiter: ";"`},
	{"two files, and preambles of other lengths", "",
		"=== a.csv\n# one\nid,k\n1,x\n2,y\n=== b.csv\n# one\n# two\nid,k\n3,x\n4,y\n",
		"id|k\n1|x\n2|y\n3|x\n4|y\n", `comment: "#"`},
	{"two files, one of one row", "", "=== a.txt\n1 0.5 0.5 0.2 0.3\n0 0.5 0.5 0.2 0.3\n=== b.txt\n2 0.5 0.5 0.2 0.1\n",
		"c0|c1|c2|c3|c4\n1|0.5|0.5|0.2|0.3\n0|0.5|0.5|0.2|0.3\n2|0.5|0.5|0.2|0.1\n", "delimiter: whitespace"},
	{"a preamble with the commas of the table", "t.csv",
		"# note 0,a,b\n# note 1,a,b\n# note 2,a,b\nid,x,y\n1,2,p\n2,3,q\n", "id|x|y\n1|2|p\n2|3|q\n", "skip_lines: 3"},
	{"one line of preamble with the commas of the table", "t.csv", "# note 0,a,b\nid,x,y\n1,2,p\n2,3,q\n",
		"id|x|y\n1|2|p\n2|3|q\n", "skip_lines: 1"},
	{"a preamble and rows that begin with its mark", "t.csv", "# tags\n# of 2024\ntag,n\n#go,1\nrust,2\n#c,3\n",
		"tag|n\n#go|1\nrust|2\n#c|3\n", "skip_lines: 2"},
	{"rows that begin with #, and a comment", "t.csv",
		"tag,n\n#go,1\nrust,2\n# half\n#c,3\n" + strings.Repeat("x,1\n", 30),
		"tag|n\n#go|1\nrust|2\n#c|3\n" + strings.Repeat("x|1\n", 30), "on_error: quarantine"},
	{"a table of words whose first rows begin with #", "t.csv",
		"#happy,joy\n#sad,sorrow\nfine,okay\n#mad,anger\nwell,good\nbad,worse\nnice,great\n",
		"#happy|joy\n#sad|sorrow\nfine|okay\n#mad|anger\nwell|good\nbad|worse\nnice|great\n", ""},
	{"a header that begins with #", "t.tsv", "#chrom\tstart\nchr1\t5\nchr2\t9\n", "chrom|start\nchr1|5\nchr2|9\n", ""},
	{"a header that begins with #, and comments", "t.tsv", "#chrom\tstart\nchr1\t5\nchr2\t9\n# end\n",
		"chrom|start\nchr1|5\nchr2|9\n", ""},
	{"numpy's header", "t.txt", "# x y z\n1.0 2.0 3.0\n4.0 5.0 6.0\n", "x|y|z\n1.0|2.0|3.0\n4.0|5.0|6.0\n", ""},
	{"sep", "t.csv", "sep=;\nid;name;price\n1;a;1,5\n2;b;2,75\n", "id|name|price\n1|a|1,5\n2|b|2,75\n",
		`"sep=;" is not a row`},
	{"sep of a comma in a file of semicolons", "t.csv", "sep=,\nid,name\n1,a;b\n2,c;d\n", "id|name\n1|a;b\n2|c;d\n",
		""},
	{"a title with delimiters", "t.csv", "Bericht 2024;;\nid;name;preis\n1;a;1,5\n2;b;2,75\n",
		"id|name|preis\n1|a|1,5\n2|b|2,75\n", `line 1 is "Bericht 2024;;"`},
	{"a title, a blank row, and a header of words", "t.csv",
		"Bericht 2024;;\n;;\nname;ort;art\na;Ulm;x y\nb;Bonn;z\nc;Köln;w\n",
		"name|ort|art\na|Ulm|x y\nb|Bonn|z\nc|Köln|w\n", ""},
	{"rows with empty cells, no header", "t.csv", numbered("user%d,\n"),
		"c0|c1\n" + numbered("user%d|\n"), "header: false"},
	{"a first row with empty cells", "t.csv", "alice,,,\n" + numbered("user%d,x y,CH,z\n"),
		"c0|c1|c2|c3\nalice|||\n" + numbered("user%d|x y|CH|z\n"), "header: false"},
	{"an empty cell in a row of words", "t.csv", "eva;\nbob;rome\njoe;rome\ndan;bonn\n",
		"c0|c1\neva|\nbob|rome\njoe|rome\ndan|bonn\n",
		"header: false"},
	{"a first row that begins with a mark", "t.csv", ";-) nice one,joy\n" + numbered("text %d,anger\nmore,joy\n"),
		"c0|c1\n;-) nice one|joy\n" + numbered("text %d|anger\nmore|joy\n"), "header: false"},
	{"a first row that begins with a mark and a blank", "t.csv", "* wow,joy\n" + numbered("text %d,anger\nmore,joy\n"),
		"c0|c1\n* wow|joy\n" + numbered("text %d|anger\nmore|joy\n"), "header: false"},
	{"a title of one cell above words", "t.csv", "Report,,\nname,city,job\neva,Ulm,cook\nbob,Bonn,cook\njoe,Rome,vet\n",
		"c0|c1|c2\nReport||\nname|city|job\neva|Ulm|cook\nbob|Bonn|cook\njoe|Rome|vet\n",
		"a title needs skip_lines: 1"},
	{"a first row that begins with #", "t.csv", "#blessed,joy\n" + numbered("text %d,anger\nmore,joy\n"),
		"c0|c1\n#blessed|joy\n" + numbered("text %d|anger\nmore|joy\n"), "header: false"},
	{"one word in all cells of a row", "t.csv", "a,b\nmissing,missing\n" + numbered("%[1]d,%[1]d\n"),
		"a|b\nmissing|missing\n" + numbered("%[1]d|%[1]d\n"), "if it means missing"},
	{"an error of a spreadsheet in all cells", "t.csv", "a,b\n#DIV/0!,#DIV/0!\n" + numbered("%[1]d,%[1]d\n"),
		"a|b\n#DIV/0!|#DIV/0!\n" + numbered("%[1]d|%[1]d\n"), ""},
	{"a title with empty cells above quoted names", "t.csv", "\"Report\",\"Grades\",\n\n" +
		"\"name\",\"id\",\"n\",\"year\",\"z\"\n" + numbered("\"Smith, J%[1]d\",\"%[1]d\",\"A\",\"3\",\"5\"\n") +
		"\"Source: school, 2024\"\n",
		"name|id|n|year|z\n" + numbered("Smith, J%[1]d|%[1]d|A|3|5\n"), "on_error: quarantine"},
	{"points between thousands", "t.csv", "b;q;n\n" + numbered("1.234,56;7,5;1.1%02d\n"),
		"b|q|n\n" + numbered("1.234,56|7,5|1.1%02d\n"), `n: string`},
	{"points between thousands, it seems", "t.csv", "k,n\n" + numbered("a,1.1%02d\nb,980\n"),
		"k|n\n" + numbered("a|1.1%02d\nb|980\n"),
		`if points are between thousands: {type: int64, thousands: ".", decimal: ","}`},
	{"words that mean missing, in other columns", "t.csv", "n,q\nNA,x\n" + numbered("%d,\"\"\n"),
		"n|q\nNA|x\n" + numbered("%d|\n"), `# "" in "q", "NA" in "n"`},
	{"no value but \\N", "t.csv", "n,k\n" + numbered("%d,\\N\n"), "n|k\n" + numbered("%d|\\N\n"),
		"no value in any row"},
	{"objects in cells", "t.csv", "n;k\n" + numbered(`%d;"[{""a"": 1, ""b"": 2}, {""a"": %[1]d}]"`+"\n"),
		"n|k\n" + numbered(`%d|[{"a": 1, "b": 2}, {"a": %[1]d}]`+"\n"),
		"# lists of JSON that no key reads; it has 80 objects"},
	{"names and units in comments", "t.txt", "#YY MM WDIR\n#yr mo degT\n" + numbered("2020 %d 1.5\n"),
		"YY|MM|WDIR\n" + numbered("2020|%d|1.5\n"), "line 2 has units, it seems"},
	{"names and equal units in comments", "t.txt", "# T u v\n# K m/s m/s\n" + numbered("%d 1.5 7\n"),
		"T|u|v\n" + numbered("%d|1.5|7\n"), "line 2 has units, it seems"},
	{"a sentence above names in comments", "t.txt", "# written by Eva\n# T u v\n" + numbered("%d 1.5 7\n"),
		"T|u|v\n" + numbered("%d|1.5|7\n"), "of line 2"},
	{"names of images elsewhere", "t.csv", "filename,t\n" + numbered("/x/a%d.jpg,a word %[1]d\n"),
		"filename|t\n" + numbered("/x/a%d.jpg|a word %[1]d\n"), "\n  filename: string "},
	{"lines that all have a delimiter", "access.log", numbered("GET /%d HTTP \"-\" (Win98; I ;Nav)\n"),
		"text\n" + numbered("GET /%d HTTP \"-\" (Win98; I ;Nav)\n"), "text: string"},
	{"a preamble", "t.csv", "Report of a station\nfrom 2024\n\ncity,n,x\nA,1,2\nB,2,3\nC,3,4\nD,4,5\n",
		"city|n|x\nA|1|2\nB|2|3\nC|3|4\nD|4|5\n", "skip_lines: 3"},
	{"delimiters at the end of rows only", "t.csv", "id,v\n1,a,\n2,b,\n", "id|v|rest\n1|a|\n2|b|\n",
		"and one for the delimiter at the end of each row"},
	{"delimiters at the end of the header only", "t.csv", "id,v,\n1,a\n2,b\n", "id|v\n1|a\n2|b\n", ""},
	{"delimiters at the end of all lines", "t.csv", "id,v,\n1,a,\n2,b,\n", "id|v|@2\n1|a|\n2|b|\n", ""},
	{"names of rows, as R writes them", "t.txt",
		"\"mpg\" \"cyl\"\n\"Mazda RX4\" 21 6\n\"Datsun 710\" 22.8 4\n\"Valiant\" 18.1 6\n",
		"row|mpg|cyl\nMazda RX4|21|6\nDatsun 710|22.8|4\nValiant|18.1|6\n", "all different"},
	{"a byte order mark and a quoted header", "t.csv", "\ufeff\"id\",\"na\"\"me\"\r\n1,x\r\n2,y\r\n",
		"id|na\"me\n1|x\n2|y\n", ""},
	{"CR alone", "t.csv", "id,v\r1,a\r2,b\r", "t.csv:1:5: lines end with CR alone", ""},
	{"CR alone, no header", "t.csv", "1,2\r3,4\r5,6\r",
		"t.csv: no row can be read; the first: t.csv:1:4: lines end with CR alone", ""},
	{"columns of one name", "t.csv", "id,id,v\n1,2,3\n4,5,6\n", "id|id_2|v\n1|2|3\n4|5|6\n",
		"several columns are called"},
	{"groups above names that are not distinct", "t.csv", "A,,B,\nx,y,x,y\n1,2,3,4\n5,6,7,8\n2,3,4,5\n3,4,5,6\n",
		"A x|A y|B x|B y\n1|2|3|4\n5|6|7|8\n2|3|4|5\n3|4|5|6\n", "groups of columns are above the names"},
	{"a title above columns of one name", "t.csv", "Sales,,,\nx,x,u,v\n1,2,3,4\n5,6,7,8\n2,3,4,5\n3,4,5,6\n",
		"x|x_2|u|v\n1|2|3|4\n5|6|7|8\n2|3|4|5\n3|4|5|6\n", `line 1 is "Sales,,,"; the names`},
	{"an index", "t.csv", ",a,b\n0,x,5\n1,y,6\n", "@0|a|b\n0|x|5\n1|y|6\n", ""},
	{"commas in the last cell", "t.txt",
		"377,117,463,117,465,130,378,130,Genaxis\n493,115,519,115,519,131,493,131,$5,000\n374,155,409,155,409,170,374,170," +
			"a, \"b\", c\n",
		"c0|c1|c2|c3|c4|c5|c6|c7|c8\n377|117|463|117|465|130|378|130|Genaxis\n493|115|519|115|519|131|493|131|$5,000\n" +
			"374|155|409|155|409|170|374|170|a, \"b\", c\n", "rest: c8"},
	{"commas in the last cell below a header", "t.csv", "x,y,text\n1,2,hello\n3,4,hello, you\n5,6,a, b, c\n",
		"x|y|text\n1|2|hello\n3|4|hello, you\n5|6|a, b, c\n", "rest: text"},
	{"commas in a cell that is not the last", "t.csv", "x,text,y\n1,hello,2\n3,hello, you,4\n",
		"t.csv: found 1 of 2 rows that cannot be read", ""},
	{"two files, commas in the last cell of one", "",
		"=== a.txt\n1,2,3,4,x\n5,6,7,8,y\n=== b.txt\n1,2,3,4,x, z\n5,6,7,8,y\n",
		"c0|c1|c2|c3|c4\n1|2|3|4|x\n5|6|7|8|y\n1|2|3|4|x, z\n5|6|7|8|y\n", "files: \"*.txt\""},
	{"KITTI", "000001.txt", "Truck 0.00 0 -1.57 599.41 156.40\nCar 0.00 0 1.85 387.63 181.54\n",
		"c0|c1|c2|c3|c4|c5\nTruck|0.00|0|-1.57|599.41|156.40\nCar|0.00|0|1.85|387.63|181.54\n",
		"delimiter: whitespace"},
	{"blanks that align", "housing.data", " 0.00632  18.00   2.310  0\n 0.02731   0.00   7.070  0\n",
		"c0|c1|c2|c3\n0.00632|18.00|2.310|0\n0.02731|0.00|7.070|0\n", ""},
	{"some double tabs", "seeds.txt",
		"15.26\t14.84\t0.871\t1\n14.88\t\t14.57\t0.8811\t1\n14.29\t14.09\t0.905\t1\n13.84\t13.94\t0.8955\t1\n" +
			"13.5\t13.1\t0.8\t1\n13.6\t13.2\t0.8\t2\n",
		"c0|c1|c2|c3\n15.26|14.84|0.871|1\n14.88|14.57|0.8811|1\n14.29|14.09|0.905|1\n13.84|13.94|0.8955|1\n" +
			"13.5|13.1|0.8|1\n13.6|13.2|0.8|2\n", ""},
	{"colons", "ratings.dat", "1::1193::5::978300760\n1::661::3::978302109\n2::914::3::978301968\n",
		"c0|c1|c2|c3\n1|1193|5|978300760\n1|661|3|978302109\n2|914|3|978301968\n", `delimiter: "::"`},
	{"colons and pipes", "movies.dat",
		"1::Toy Story (1995)::Animation|Comedy\n2::Jumanji (1995)::Adventure|Fantasy\n3::Heat " +
			"(1995)::Action|Crime\n4::Waiting (1995)::Comedy|Drama\n5::Father (1995)::Comedy|War\n6::X " +
			"(1995)::Action|War\n",
		"c0|c1|c2\n1|Toy Story (1995)|Animation|Comedy\n2|Jumanji (1995)|Adventure|Fantasy\n3|Heat " +
			"(1995)|Action|Crime\n4|Waiting (1995)|Comedy|Drama\n5|Father (1995)|Comedy|War\n6|X (1995)|Action|War\n",
		""},
	{"tildes", "t.csv", "id~v\n1~a,b\n2~c\n", "id|v\n1|a,b\n2|c\n", ""},
	{"carets", "t.csv", "id^v\n1^a\n2^c\n", "id|v\n1|a\n2|c\n", ""},
	{"bars", "t.csv", "id|v\n1|a\n2|c\n", "id|v\n1|a\n2|c\n", ""},
	{"Hive", "000000_0", "1\x01a\x015.5\n2\x01b\x016.5\n3\x01c\x017.5\n", "c0|c1|c2\n1|a|5.5\n2|b|6.5\n3|c|7.5\n", ""},
	{"quoted numbers", "t.csv", "\"id\",\"x\"\n\"1\",\"2.5\"\n\"2\",\"3.5\"\n", "id|x\n1|2.5\n2|3.5\n", ""},
	{"quoted numbers, no header", "t.csv", "\"1\",\"2.5\"\n\"2\",\"3.5\"\n\"3\",\"1.5\"\n",
		"c0|c1\n1|2.5\n2|3.5\n3|1.5\n", ""},
	{"decimal commas", "t.csv", "a;b\n1,5;2,5\n2,5;3,5\n", "a|b\n1,5|2,5\n2,5|3,5\n", `delimiter: ";"`},
	{"decimal commas, no header", "t.csv", "1,5;2,5;3,5\n2,5;3,5;4,5\n2,0;3,1;4,1\n",
		"c0|c1|c2\n1,5|2,5|3,5\n2,5|3,5|4,5\n2,0|3,1|4,1\n", `delimiter: ";"`},
	{"units", "t.csv", "time,temp,wind\ns,°C,m/s\n0,20,1\n1,21,2\n2,22,3\n", "time|temp|wind\n0|20|1\n1|21|2\n2|22|3\n",
		"line 2 has units"},
	{"units, and what is aggregated, below a title of more cells", "t.dat",
		"\"TOA5\",\"CR1000\",\"CR1000\",\"12345\"\n\"TIME\",\"RH\",\"T\"\n\"TS\",\"%\",\"C\"\n\"\",\"Avg\",\"Smp\"\n" +
			sixRows("\"2023-01-%02d\",%d,2.5\n"),
		"TIME|RH|T\n" + sixRows("2023-01-%02d|%d|2.5\n"),
		`line 3 has units or other words: "\"TS\",\"%\",\"C\""; ` +
			`line 4 has units or other words: "\"\",\"Avg\",\"Smp\""`},
	{"widths of columns of words", "t.txt",
		"# a\n# b c\nsite\tday\tflow\tcode\n5s\t20d\t14n\t10s\n" + sixRows("USGS\t2023-01-%02d\t%d\tA\n"),
		"site|day|flow|code\n" + sixRows("USGS|2023-01-%02d|%d|A\n"),
		`2 lines with # in front; line 4 has types: "5s\t20d\t14n\t10s"`},
	{"types of columns of words", "t.tsv",
		"id\tn\ttags\nUInt64\tNullable(UInt8)\tArray(String)\n" + sixRows("%d\t%d\t['a']\n"),
		"id|n|tags\n" + sixRows("%d|%d|['a']\n"), "line 2 has types"},
	{"words that are types, and a word", "t.tsv", "id\tn\ttag\nint\tint\tx\n" + sixRows("%d\t%d\ty\n"),
		"id|n|tag\nint|int|x\n" + sixRows("%d|%d|y\n"), ""},
	{"names on two levels, and the name of the index", "t.csv",
		"Price,Close,Close\nTicker,AAPL,MSFT\nDate,,\n" + sixRows("2023-01-%02d,%d,2.5\n"),
		"Date|Close AAPL|Close MSFT\n" + sixRows("2023-01-%02d|%d|2.5\n"),
		`line 2 has units or other words: "Ticker,AAPL,MSFT"; line 3 has the name of the first column: "Date,,"`},
	{"the name of the index", "t.csv", "kind,a,b\nday,,\n" + sixRows("2023-01-%02d,%d,2.5\n"),
		"day|a|b\n" + sixRows("2023-01-%02d|%d|2.5\n"), `line 2 has the name of the first column: "day,,"`},
	{"a row without values among others", "t.csv",
		"kind,a,b\nday,,\n" + sixRows("2023-01-%02d,%d,2.5\n") + "2023-02-01,,\n",
		"kind|a|b\nday||\n" + sixRows("2023-01-%02d|%d|2.5\n") + "2023-02-01||\n", ""},
	{"a title above groups of columns", "t.csv",
		"Report,,\nday,temp,temp\n,min,max\n" + sixRows("2023-01-%02d,%d,2.5\n"),
		"day|temp min|temp max\n" + sixRows("2023-01-%02d|%d|2.5\n"),
		`the header is below; line 1 is "Report,,"; line 3 has`},
	{"a count above aligned columns", "t.txt", "6\nid x y\n" + sixRows("%03d.jpg  %d  7\n"),
		"id|x|y\n" + sixRows("%03d.jpg|%d|7\n"), `line 1 is "6"`},
	{"a count above names without the first", "t.txt", "6\nx y width\n" + sixRows("%03d.jpg    %3d  7 12\n"),
		"row|x|y|width\n" + sixRows("%03d.jpg|%d|7|12\n"), `line 1 is "6"`},
	{"sentences with # above aligned columns", "t.txt",
		"#Image CLASS SPECIES BREED ID\n#ID: 1:37 Class ids\n" + sixRows("cat_%d %d 1 2\n"),
		"c0|c1|c2|c3\n" + sixRows("cat_%d|%d|1|2\n"), "2 lines with # in front"},
	{"numbers with a blank behind, and signs", "t.tsv", "geo\t2019 \t2020 \n" + sixRows("A%d\t%d.5 \t: \n"),
		"geo|2019|2020\n" + sixRows("A%d|%d.5|:\n"), "trim: true"},
	{"signs with a blank behind", "t.tsv", "a\tb\n" + sixRows("A%d\tx%d\n") + "B\t: \n",
		"a|b\n" + sixRows("A%d|x%d\n") + "B|: \n", ""},
	{"keys, blanks, and texts", "t.txt", numbered("100%d-7 some, text\n"), "text\n" + numbered("100%d-7 some, text\n"),
		`The first 39 lines have different keys`},
	{"keys, and lines with CRLF", "t.txt", numbered("100%d-7 some, text\r\n"),
		"text\n" + numbered("100%d-7 some, text\n"), `such as "1000-7 some, text". To make`},
	{"keys of two forms", "t.txt", numbered("100%d-7 some, text\n") + "a b\nc d\n",
		"text\n" + numbered("100%d-7 some, text\n") + "a b\nc d\n", "name: t\n"},
	{"units, and columns without one", "t.csv",
		"day,station,rain,high\n,,mm,degC\n2024-01-01,A,0.5,9.8\n2024-01-02,A,0.7,8.2\n2024-01-03,B,0.1,8.5\n" +
			"2024-01-04,B,0.2,8.1\n",
		"day|station|rain|high\n2024-01-01|A|0.5|9.8\n2024-01-02|A|0.7|8.2\n2024-01-03|B|0.1|8.5\n2024-01-04|B|0.2|8.1\n",
		"line 2 has units"},
	{"units, and columns of one name", "t.csv",
		"day,station,rain,rain\n,,mm,in\n2024-01-01,A,0.5,9.8\n2024-01-02,A,0.7,8.2\n2024-01-03,B,0.1,8.5\n" +
			"2024-01-04,B,0.2,8.1\n",
		"day|station|rain mm|rain " +
			"in\n2024-01-01|A|0.5|9.8\n2024-01-02|A|0.7|8.2\n2024-01-03|B|0.1|8.5\n2024-01-04|B|0.2|8.1\n",
		"# of line 1\n"},
	{"a title, groups of columns, and notes", "t.csv",
		"Unemployment\n\n,2019,,2020,\nRegion,Q1,Q2,Q1,Q2\n" + strings.Repeat("A,3.1,4.5,5.2,6.0\n", 9) +
			"\nSource: Office, 2020\nNote: provisional\n",
		"Region|2019 Q1|2019 Q2|2020 Q1|2020 Q2\n" + strings.Repeat("A|3.1|4.5|5.2|6.0\n", 9), "# of lines 3 and 4\n"},
	{"a first row without numbers below equal names", "t.csv",
		"k,x,x\nA,none yet,none\nB,0.5,9.8\nC,0.7,8.2\nD,0.1,8.5\nE,0.2,8.1\n",
		"k|x|x_2\nA|none yet|none\nB|0.5|9.8\nC|0.7|8.2\nD|0.1|8.5\nE|0.2|8.1\n", ""},
	{"a first row without a name and numbers", "t.csv",
		"name,rain,high\n,none yet,soon\nA,0.5,9.8\n,0.7,8.2\nB,0.1,8.5\nC,0.2,8.1\n",
		"name|rain|high\n|none yet|soon\nA|0.5|9.8\n|0.7|8.2\nB|0.1|8.5\nC|0.2|8.1\n", ""},
	{"aligned numbers, a tab, and a name", "auto-mpg.data",
		"18.0   8   307.0      130.0\t\"chevrolet malibu\"\n15.0   8   350.0      165.0\t\"buick 320\"\n18.0   8   " +
			"318.0      ?\t\"plymouth\"\n16.0   8   304.0      150.0\t\"amc rebel\"\n17.0   8   302.0      " +
			"140.0\t\"ford\"\n15.0   8   429.0      198.0\t\"ford galaxie\"\n",
		"c0|c1|c2|c3|c4\n18.0|8|307.0|130.0|chevrolet malibu\n15.0|8|350.0|165.0|buick " +
			"320\n18.0|8|318.0|?|plymouth\n16.0|8|304.0|150.0|amc " +
			"rebel\n17.0|8|302.0|140.0|ford\n15.0|8|429.0|198.0|ford galaxie\n", "delimiter: whitespace"},
	{"a row without numbers", "t.csv", "name,age\nBob,unknown\nAnn,3\nEve,4\nTom,5\n",
		"name|age\nBob|unknown\nAnn|3\nEve|4\nTom|5\n", ""},
	{"comments at the end", "t.csv", "id,v\n1,a\n2,b\n# end of file\n# 2 rows\n", "id|v\n1|a\n2|b\n", `comment: "#"`},
	{"totals at the end", "t.csv", "id,v\n1,5\n2,6\nTotal,11\n", "id|v\n1|5\n2|6\nTotal|11\n", ""},
	{"empty lines at the end", "t.csv", "id,v\n1,5\n2,6\n\n\n\n", "id|v\n1|5\n2|6\n", ""},
	{"no line end", "t.csv", "id,v\n1,5\n2,6", "id|v\n1|5\n2|6\n", ""},
	{"one column", "t.csv", "id\n1\n2\n", "id\n1\n2\n", ""},
	{"one column, no header", "t.csv", "5\n7\n5\n", "c0\n5\n7\n5\n", "header: false"},
	{"one column of words", "t.csv", "red\nblue\nred\nred\n", "c0\nred\nblue\nred\nred\n", "header: false"},
	{"header only", "t.csv", "id,v\n", "t.csv: it has no rows", ""},
	{"one row", "t.csv", "id,v\n1,a\n", "id|v\n1|a\n", ""},
	{"one row, no header", "t.csv", "1,2.5,a\n", "c0|c1|c2\n1|2.5|a\n", "header: false"},
	{"the header again", "t.csv", "id,v\n1,a\n2,b\nid,v\n3,c\n4,d\n", "id|v\n1|a\n2|b\nid|v\n3|c\n4|d\n",
		`line 4 repeats it, and is a row; where: id !=`},
	{"a second table", "t.csv", "id,v\n1,a\n2,b\n\nx,y,z\n1,2,3\n4,5,6\n", "t.csv: found", ""},
	{"no table below a title", "t.csv", "title\n\nalpha;beta;gamma\n\"x;1\n\"y;2\n\"z;3\n",
		"t.csv: found 4 of 5 rows that cannot be read, expected at most 5 %; the first: t.csv:2:1: blank line in a " +
			"file of one column [MISSING]; remove the line, or write \"\" for an empty cell; init tried " +
			`the delimiters , tab ; | :: ~ ^ \x01 and whitespace, quotes as syntax and as data, and a table below ` +
			"up to 100 lines; rows must have equal numbers of cells: quote cells with delimiters, add empty ones to " +
			"short rows, and remove lines that are not rows", ""},
	{"equal words in all rows", "t.data", "p,x,s,n\ne,x,s,y\ne,b,s,w\np,x,y,w\ne,x,s,g\ne,x,y,y\n",
		"c0|c1|c2|c3\np|x|s|n\ne|x|s|y\ne|b|s|w\np|x|y|w\ne|x|s|g\ne|x|y|y\n", "header: false"},
	{"words", "t.csv", "first,last\nAnna,Schmidt\nBob,Meyer\n", "first|last\nAnna|Schmidt\nBob|Meyer\n",
		"no column tells it from a row; if the first row is data: header: false, and columns: [c0, c1]"},
	{"an odd first row", "t.csv", "unknown,Bob,5\n7,Ann,3\n8,Eve,2\n9,Tom,1\nunknown,Kim,2\n",
		"c0|c1|c2\nunknown|Bob|5\n7|Ann|3\n8|Eve|2\n9|Tom|1\nunknown|Kim|2\n", ""},
	{"years", "t.csv", "city,2019,2020\nA,1,2\nB,3,4\n", "city|2019|2020\nA|1|2\nB|3|4\n", "2019 is an odd name"},
	{"no number in the first row and another", "t.csv", ",old,new\n1,a,b\n2,c,d\n,e,f\n4,g,h\n",
		"c0|c1|c2\n|old|new\n1|a|b\n2|c|d\n|e|f\n4|g|h\n", "like line 4, it has no number in a column of numbers"},
	{"line breaks in cells, each line of which has the delimiters of a row", "t.csv",
		"q,a\n" + sixRows("What %d?,\"It's %d.\n\"\"More\"\", or less.\"\n"),
		"q|a\n" + sixRows("What %d?|It's %d.\n\"More\", or less.\n"), "quotes: rfc4180     # 6 rows with line breaks"},
	{"a quote in two lines of tokens", "t.tsv", "w\ttag\na\tN\n\"\tQ\nb\tN\n\"\tQ\nc\tN\n",
		"w|tag\na|N\n\"|Q\nb|N\n\"|Q\nc|N\n", "if they are syntax, take this line out"},
	{"quotes around the words of two rows", "t.tsv", "id\tt\n1\tx\n2\t\"a\n3\tb\"\n4\tx\n5\tx\n6\tx\n",
		"id|t\n1|x\n2|\"a\n3|b\"\n4|x\n5|x\n6|x\n", "quotes: none"},
	{"words that mean missing, and another, above numbers", "t.csv", "a,b\nN/A,ERR\n" + numbered("%[1]d,%[1]d.5\n"),
		"a|b\nN/A|ERR\n" + numbered("%[1]d|%[1]d.5\n"), "if it means missing: {type: float, null_values: [ERR]"},
	{"an invalid line above rows", "t.bed", "track d=\"x y\"\n" + sixRows("chr%d\t%d\n"), "c0|c1\n" +
		sixRows("chr%d|%d\n"), `line 1 is "track d=`},
	{"numbered names of a wide table", "t.csv", "id,1,2\n" + sixRows("g%d,0.5,0.%d\n"),
		"id|1|2\n" + sixRows("g%d|0.5|0.%d\n"), "1 is an odd name"},
	{"no-break spaces between thousands", "t.csv", "n\n18\u00a0682\n7\u00a0001\n", "n\n18\u00a0682\n7\u00a0001\n",
		`to read them: {type: int64, thousands: " "}`},
	{"classes, and a word that may be one", "t.csv", "n,k\nNA,NA\n" + numbered("%[1]d,a\n%[1]d,b\n"),
		"n|k\nNA|NA\n" + numbered("%[1]d|a\n%[1]d|b\n"), "null_values: [], classes: [a, b, NA]"},
	{"empty lists of JSON", "t.csv", "n,k\n" + numbered("%d,[]\n"), "n|k\n" + numbered("%d|[]\n"),
		"# k: {type: string, shape: [-1], encoding: json}"},
	{"sentences of tokens between blank lines", "t.tsv", "w\tt\n" + sixRows("\na%d\tb%d\nc\td\n"),
		"w|t\n" + sixRows("a%d|b%d\nc|d\n"), "Above 5 rows are blank lines or comments, the first: t.tsv:6."},
	{"a column of numbers that has the name", "t.csv", "p,p_number\n" + sixRows("$%d.5,%d\n"),
		"p|p_number\n" + sixRows("$%d.5|%d\n"), "derive: {p_number_: "},
	{"an owner in one word, and equal rows", "t.csv", "userid,v\n" + numbered("%[1]d,1\n%[1]d,2\n%[1]d,2\n"),
		"userid|v\n" + numbered("%[1]d|1\n%[1]d|2\n%[1]d|2\n"), `it does not compare "userid"`},
	{"numbers of classes", "t.csv", "label_id,v\n" + numbered("%[1]d,1\n%[1]d,2\n"),
		"label_id|v\n" + numbered("%[1]d|1\n%[1]d|2\n"), "10%}\nfeatures:"},
	{"few subjects", "t.csv", "subject_id,trial\n1,1\n1,2\n1,3\n2,1\n2,2\n2,3\n",
		"subject_id|trial\n1|1\n1|2\n1|3\n2|1\n2|2\n2|3\n", "# by: subject_id"},
	{"statements of SQL", "t.sql", "CREATE TABLE t (a int, b text);\nINSERT INTO t VALUES (0,'x, 0');\n" +
		"INSERT INTO t VALUES (1,'x, 1');\n", "text\nCREATE TABLE t (a int, b text);\nINSERT INTO t VALUES (0,'x, " +
		"0');\nINSERT INTO t VALUES (1,'x, 1');\n", ""},
	{"a pointer of Git LFS", "t.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n",
		"t.csv: looks like a pointer of Git LFS", ""},
	{"blanks after each cell, in a table without other signs", "t.csv", "a,b\n" + sixRows("%d ,x%d \n"),
		"a|b\n" + sixRows("%d|x%d\n"), "words too, the first in line 2"},
	{"points and commas before decimals", "t.csv", "a;b\n" + sixRows("x;%d.5\ny;%d,5\n"),
		"a|b\n" + sixRows("x|%d.5\ny|%d,5\n"), "with a point and others with a comma, it seems: no key reads both"},
	{"pairs of fractions, and numbers", "t.csv", "a;b\n" + sixRows("x;%d.5\ny;%d.5,2.5\n"),
		"a|b\n" + sixRows("x|%d.5\ny|%d.5,2.5\n"), `b: {type: float, separator: ","}`},
	{"a row in another encoding than the others", "null.txt", numbered("Zo\u00eb %d\n") + "Ren\xe9\n",
		"text\n" + numbered("Zo\u00eb %d\n"), "try iconv for these rows alone"},
	{"a name that YAML reads as no value", "null.csv", "a,b\n1,2\n3,4\n", "a|b\n1|2\n3|4\n", `name: "null"`},
	{"quotes that no cell needs", "t.csv", "a|b\n" + numbered("%d|x\n") + "5|\"y\"\n", "a|b\n" + numbered("%d|x\n") +
		"5|y\n", "1 row with quotes that no cell needs"},
	{"ARFF with names in quotes", "t.arff", "@relation t\n@attribute 'my n' numeric\n@data\n1.5\n",
		"t.arff: looks like an ARFF table with names in quotes or sparse rows; Weka writes it as CSV", ""},
	{"escapes of COPY", "t.tsv", "a\tb\n" + sixRows("%d\tx\\ty\n%d\t\\N\n"), "a|b\n" + sixRows("%d|x\\ty\n%d|\\N\n"),
		"other backslashes, such as of PostgreSQL's COPY, stay in the values"},
	{"a comma in each cell of the last column", "t.csv", "id,day,city\n" + sixRows("%d,2024-01-02,Rome, I%d\n"),
		"id|day|city\n" + sixRows("%d|2024-01-02|Rome, I%d\n"), "rest: city"},
	{"sentences with commas, below words", "t.csv", "id,k,text\n" + sixRows("%d,b,so what\n%d,a,so, well, then\n"),
		"id|k|text\n" + sixRows("%d|b|so what\n%d|a|so, well, then\n"), "rest: text"},
	{"quotes as data", "t.tsv", "size\tn\n12\"\t1\n24\"\t2\n", "size|n\n12\"|1\n24\"|2\n", "quotes: none"},
	{"some quotes as data", "t.csv", "size,n\n12\",1\n\"a,b\",2\n" + strings.Repeat("x,1\n", 40),
		"size|n\na,b|2\n" + strings.Repeat("x|1\n", 40), "on_error: quarantine"},
	{"blanks before quotes", "t.csv", "name, city, zip\n\"Doe, John\", \"Ulm\", 1\n\"Roe, Ann\", \"Bonn\", 2\n",
		"name|city|zip\nDoe, John|Ulm|1\nRoe, Ann|Bonn|2\n", ""},
	{"padded numbers", "t.csv", "a,b\nx,  5\ny, 12\nz,105\n", "a|b\nx|5\ny|12\nz|105\n", "trim: true"},
	{"blanks in words", "t.csv", "a,b\n x ,1\nx,2\n", "a|b\n x |1\nx|2\n", ""},
	{"Windows-1252", "t.csv", "name,price\nCaf\xe9,5\x80\n",
		"t.csv: looks like text with the byte 0x80 in line 2, which is not UTF-8, UTF-16, or Latin-1; iconv -f " +
			"WINDOWS-1252", ""},
	{"Latin-1", "t.csv", "name,price\nCaf\xe9,5\nK\xf6ln,6\n", "name|price\nCafé|5\nKöln|6\n",
		"a guess: the byte 0xe9 in line 2 is not UTF-8"},
	{"Shift-JIS", "t.csv", "name,n\n\x93\x8c\x8b\x9e,1\n", "t.csv: looks like text with the byte 0x93 in line 2", ""},
	{"GBK", "t.csv", "name,n\n\xb1\xb1\xbe\xa9,1\n", "t.csv: looks like text with the byte", ""},
	{"Latin-2", "t.csv", "name,n\nTom\xb9ek,1\n", "t.csv: looks like text with the byte 0xb9 in line 2", ""},
	{"one invalid byte in UTF-8", "t.csv", "name,n\n" + strings.Repeat("Köln,1\n", 40) + "K\xf6ln,2\n",
		"name|n\n" + strings.Repeat("Köln|1\n", 40), "on_error: quarantine"},
	{"UTF-16 without a mark", "t.csv", "i\x00d\x00,\x00v\x00\n\x001\x00,\x00a\x00\n\x00", "id|v\n1|a\n",
		"encoding: utf-16le"},
	{"a NUL byte", "t.csv", "id,v\n1,a\x00b\n", "t.csv: looks like text with a NUL byte in line 2; tr -d", ""},
	{"Big5", "t.csv", "\xbds\xb8\xb9,n\n1,2\n", "t.csv: looks like text with the byte 0xbd in line 1", ""},
	{"Latin-1 signs", "t.csv", "name,n\n\xbfQu\xe9?,5 \xb5m\n\xabEt\xe9\xbb,20 \xb0C\n",
		"name|n\n¿Qué?|5 µm\n«Eté»|20 °C\n", "encoding: latin-1"},
	{"rows that begin with #, from the first on", "t.csv", "#one,1\n#two,0\nthree,1\nfour,1\n",
		"c0|c1\n#one|1\n#two|0\nthree|1\nfour|1\n", "header: false"},
	{"a row of words and numbers alone", "t.csv", "1,a,b,c\n", "c0|c1|c2|c3\n1|a|b|c\n", "header: false"},
	{"words above numbers that other rows have", "car.data",
		"high,3,more\nlow,2,4\nhigh,2,2\nlow,5,more\nlow,4,2\nhigh,3,4\n",
		"c0|c1|c2\nhigh|3|more\nlow|2|4\nhigh|2|2\nlow|5|more\nlow|4|2\nhigh|3|4\n", "header: false"},
	{"a series of pandas", "t.csv", ",0\n0,5.1\n1,4.2\n", "@0|0\n0|5.1\n1|4.2\n", "0 is an odd name"},
	{"tabs and bars", "names.dmp", "1\t|\tall\t|\n2\t|\tBacteria\t|\n6\t|\tAzo " +
		"x\t|\n7\t|\tA\t|\n8\t|\tB\t|\n9\t|\tC\t|\n",
		"c0|c1|c2\n1|all|\n2|Bacteria|\n6|Azo x|\n7|A|\n8|B|\n9|C|\n", "trim: true"},
	{"measured values that are words", "t.csv", "site,x,y\nA,n/d,n/d\nB,1,2\nC,3,4\nD,4,5\n",
		"site|x|y\nA|n/d|n/d\nB|1|2\nC|3|4\nD|4|5\n", ""},
	{"VCF", "t.vcf", "##fileformat=VCFv4.2\n##source=x\n#CHROM\tPOS\tID\n1\t100\trs1\n1\t200\trs2\n",
		"CHROM|POS|ID\n1|100|rs1\n1|200|rs2\n", "of line 3"},
	{"line breaks in cells", "t.csv", "id,text\n1,\"a\nb\"\n2,\"c,\nd\"\n3,e\n", "id|text\n1|a\nb\n2|c,\nd\n3|e\n", ""},
	{"an open quote", "t.csv", "id,text\n1,\"abc\n2,d\n3,e\n", "id|text\n1|\"abc\n2|d\n3|e\n",
		"quotes are invalid in 1 row, first in line 2"},
	{"many columns", "t.dat", wide(";"), wide("|"), "delimiter: \";\""},
	{"years, one of them missing", "t.csv", "city,2019,,2021\nA,1,2,3\nA,3,,4\n",
		"city|2019|2021|@2\nA|1|3|2\nA|3|4|\n", "2019 is an odd name"},
	{"years below years", "t.csv", "2020,2021\n2022,2023\n2024,2025\n", "c0|c1\n2020|2021\n2022|2023\n2024|2025\n", ""},
	{"years and a number like a year", "t.csv", "Country,1990,1991\nA,1995,7\nB,1,2\n",
		"Country|1990|1991\nA|1995|7\nB|1|2\n", ""},
	{"a line of blanks", "t.csv", "   \nid,v\n1,a\n2,b\n", "id|v\n1|a\n2|b\n", "skip_lines: 1"},
	{"quotes as data, and cells in quotes", "t.tsv", "q1\tq2\n\"Hello\" he said\tyes\n\"quoted\"\tno\nplain\tno\n",
		"q1|q2\n\"Hello\" he said|yes\n\"quoted\"|no\nplain|no\n", "quotes: none"},
	{"JSON in cells", "t.tsv", "id\tjson\n1\t{\"a\": 1, \"b\": 2}\n2\t{\"a\": 3, \"b\": 4}\n",
		"id|json\n1|{\"a\": 1, \"b\": 2}\n2|{\"a\": 3, \"b\": 4}\n", "quotes: none"},
	{"quotes of another kind", "t.csv", "id,t\n1,'a,b'\n2,'c'\n", "id|t\n1|'a,b'\n2|'c'\n", "rest: t"},
	{"an index above semicolons", "t.csv", ";a;b\n0;x;5\n1;y;6\n", "@0|a|b\n0|x|5\n1|y|6\n", ""},
	{"an index above words", "t.csv", "\"\",\"use\",\"kind\"\n\"1\",\"a\",\"x y\"\n\"2\",\"b\",\"x y\"\n",
		"@0|use|kind\n1|a|x y\n2|b|x y\n", ""},
	{"an index of two columns", "t.csv", "\"\",Content\nV1,Do you?\nV2,Have you?\nV3,Are you?\nV4,Is it?\n",
		"@0|Content\nV1|Do you?\nV2|Have you?\nV3|Are you?\nV4|Is it?\n", ""},
	{"an index and numbers that rise", "t.csv", ",16.5,16.75,17.25\n71,0,1,2\n72,20,30,17\n",
		"@0|16.5|16.75|17.25\n71|0|1|2\n72|20|30|17\n", "16.5 is an odd name"},
	{"rows of other lengths above most", "t.dat", "id\tn  m\tk\na\t1\t2\t3\nb\t1  2\t3\nc\t4\t5\t6\nd\t4\t5\t6\n",
		"id|n|m|k\na|1|2|3\nb|1|2|3\nc|4|5|6\nd|4|5|6\n", ""},
	{"stars above the table", "t.csv", "****\n*** x\nid,v\n1,a\n2,b\n", "id|v\n1|a\n2|b\n", "skip_lines: 2"},
	{"stars alone", "t.txt", "***\n*** x\n", "text\n***\n*** x\n", ""},
	{"padded numbers in quotes", "t.csv", "a,b\nx,\"5 \"\ny,\"12 \"\n", "a|b\nx|5 \ny|12 \n", ""},
	{"codes, no header", "t.csv", "C73,lima x\nB8,oscar y\nA20,red z\n", "c0|c1\nC73|lima x\nB8|oscar y\nA20|red z\n",
		"as others below"},
	{"codes of letters, no header", "t.tsv", "AD\tAndorra\nAF\tAfrica\nAG\tAntigua & X\nAI\tAnguilla\nAL\tAlbania\n",
		"c0|c1\nAD|Andorra\nAF|Africa\nAG|Antigua & X\nAI|Anguilla\nAL|Albania\n", `"AD" is a code, as all below`},
	{"codes of letters, and names in the last comment", "t.tsv",
		"# ISO\n#code\tname\n#\nAD\tAndorra\nAF\tAfrica\nAG\tAntigua & X\nAI\tAnguilla\nAL\tAlbania\n",
		"code|name\nAD|Andorra\nAF|Africa\nAG|Antigua & X\nAI|Anguilla\nAL|Albania\n", "of line 2"},
	{"words, and names in the last comment", "t.tsv", "# of Eva\n#first\tlast\nEva\tMay\nTom\tRoe\n",
		"first|last\nEva|May\nTom|Roe\n", "of line 2"},
	{"hexadecimal codes, and a comment", "t.txt",
		"# of Eva\n# @missing: 0..FF; None\n00..7F; Latin x\n80..FF; Latin-1\nA1..B2; Xa y\n" +
			"C0..D0; Z\nD1..EF; Q\nF0..FE; P\n",
		"c0|c1\n00..7F|Latin x\n80..FF|Latin-1\nA1..B2|Xa y\nC0..D0|Z\nD1..EF|Q\nF0..FE|P\n", `"00..7F" is a code`},
	{"names above codes", "t.csv", "ID,Name\nAD,Andorra\nAF,Africa\nAG,Antigua\nAI,Anguilla\nAL,Albania\n",
		"ID|Name\nAD|Andorra\nAF|Africa\nAG|Antigua\nAI|Anguilla\nAL|Albania\n", ""},
	{"names of another case above codes", "t.csv",
		"CD,NAME\nAD,Andorra\nAF,Africa\nAG,Antigua\nAI,Anguilla\nAL,Albania\n",
		"CD|NAME\nAD|Andorra\nAF|Africa\nAG|Antigua\nAI|Anguilla\nAL|Albania\n", ""},
	{"names above codes that repeat", "t.csv", "ORG,DST\nUAX,JFK\nJFK,LAX\nUAX,LAX\nJFK,LAX\nJFK,UAX\n",
		"ORG|DST\nUAX|JFK\nJFK|LAX\nUAX|LAX\nJFK|LAX\nJFK|UAX\n", ""},
	{"a name above hashes", "t.csv", "MD5,X\n0A1B2C,A\n1A1B2C,B\n2A1B2C,C\n3A1B2C,D\n4A1B2C,EF\n",
		"MD5|X\n0A1B2C|A\n1A1B2C|B\n2A1B2C|C\n3A1B2C|D\n4A1B2C|EF\n", ""},
	{"a name with a number above longer text", "t.csv", "address1,city\n12 Main St,Ulm\n7 Oak Rd,Bonn\n",
		"address1|city\n12 Main St|Ulm\n7 Oak Rd|Bonn\n", ""},
	{"a first row without numbers, like others", "t.csv", "a b,,\nc d,,51\ne f,6,98\ng h,,21\n",
		"c0|c1|c2\na b||\nc d||51\ne f|6|98\ng h||21\n", "header: false"},
	{"missing in the first cell", "t.csv", ",5,343.7,400.5\n75,58,22.2,1.5\n,80,462.0,2.5\n",
		"c0|c1|c2|c3\n|5|343.7|400.5\n75|58|22.2|1.5\n|80|462.0|2.5\n", "header: false"},
	{"booleans", "t.csv", "true,a b\nfalse,c d\n", "c0|c1\ntrue|a b\nfalse|c d\n", "header: false"},
	{"a number among words", "t.csv", "x y,0,p q\nz w,,r s\n", "c0|c1|c2\nx y|0|p q\nz w||r s\n", "header: false"},
	{"commas in all cells", "t.csv", "delta, x~395~gamma\nnorth, y~611~kiwi\n",
		"c0|c1|c2\ndelta, x|395|gamma\nnorth, y|611|kiwi\n", `delimiter: "~"`},
	{"commas in more cells", "t.csv", "true::a, b::c, d\nfalse::e, f::g, h\n",
		"c0|c1|c2\ntrue|a, b|c, d\nfalse|e, f|g, h\n", `delimiter: "::"`},
	{"commas in sentences, and bars", "t.csv",
		"LJ1|Printing, in|Printing, in full\nLJ2|Being, a|Being, an\nLJ3|As, x|As, y\n",
		"c0|c1|c2\nLJ1|Printing, in|Printing, in full\nLJ2|Being, a|Being, an\nLJ3|As, x|As, y\n", `delimiter: "|"`},
	{"commas in sentences, tabs, and quotes", "t.token", numbered("1.jpg#%d\tA man , %[1]d \"old\" .\n"),
		"c0|c1\n" + numbered("1.jpg#%d|A man , %[1]d \"old\" .\n"), "delimiter: tab"},
	{"lines with a comma in quotes", "access.log", numbered("10.0.0.%d - - \"GET /%[1]d?x=1,2 HTTP\" 2%[1]d\n"),
		"text\n" + numbered("10.0.0.%d - - \"GET /%[1]d?x=1,2 HTTP\" 2%[1]d\n"), ""},
	{"commas in quotes, and another delimiter", "t.csv", "\"pear, east\"~\"1\"~\"x\"\n", "c0|c1|c2\npear, east|1|x\n",
		`delimiter: "~"`},
	{"a title above two rows", "t.csv", "Report of north\nid,level\n20,9\n30,8\n", "id|level\n20|9\n30|8\n",
		"skip_lines: 1"},
	{"rows of seven cells", "t.dat", "a;C4;x;y z;B1;p;q r\nb;C8;x;y w;C0;p;q s\nc;C9;x;z z;A7;q;r s\n",
		"c0|c1|c2|c3|c4|c5|c6\na|C4|x|y z|B1|p|q r\nb|C8|x|y w|C0|p|q s\nc|C9|x|z z|A7|q|r s\n", ""},
	{"one column with blanks", "t.csv", "phone\n+49 30 123\n+49 40 456\n", "phone\n+49 30 123\n+49 40 456\n", ""},
	{"one short row of four", "t.csv", "a;b;c\n1;2\n3;4;5\n6;7;8\n", "t.csv: found 1 of 3 rows that cannot be read",
		""},
	{"text", "t.txt", "One, two and three.\nFour, five and six.\n", "text\nOne, two and three.\nFour, five and six.\n",
		""},
}
