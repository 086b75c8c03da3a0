package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// A shapedTable is a random table, a config that derives, filters and limits, and the
// program that does the same in pandas, line by line.
type shapedTable struct {
	Table   string   `json:"table"` // its file
	Lines   []string `json:"lines"` // v and b of each part: its value, and where there is none
	Where   string   `json:"where"` // the number of a part
	Derived []string `json:"derived"`
	Read    []string `json:"read"`  // the derived columns that where reads, and those that these read
	Limit   int      `json:"limit"` // -1 for none
	config  string
}

// A shapedAccount has the counts of the rows of a table.
type shapedAccount struct {
	Found, Written, Rejected int64
	Left                     map[string]int64
	Rows                     []string // each is its id and its derived columns
	noneLeft                 bool     // the build ended for want of a row that is not rejected
}

// TestShapingAgainstPandas holds derive, where and limit, with expressions drawn at
// random, against pandas: the same rows, the same values, the same account.
func TestShapingAgainstPandas(t *testing.T) {
	python := tftest.Python(t)
	dir := t.TempDir()
	cases := make([]shapedTable, testenv.Times(20, 300, 3000))
	accounts := make([]shapedAccount, len(cases))
	for i := range cases {
		cases[i] = drawShaped(t, dir, i)
		file := filepath.Join(dir, fmt.Sprint(i, ".yaml"))
		write(t, dir, filepath.Base(file), []byte(cases[i].config))
		output := filepath.Join(dir, fmt.Sprint("out", i))
		accounts[i] = buildShaped(t, file, output, len(cases[i].Derived))
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "cases.json", data)
	out, err := exec.Command(python, "testdata/shaping.py", filepath.Join(dir, "cases.json")).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want []shapedAccount
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	sum := shapedAccount{Left: map[string]int64{}}
	for i, got := range accounts {
		if got.noneLeft { // without a manifest, these are unknown
			got.Found, got.Left = want[i].Found, want[i].Left
		}
		if difference := got.difference(&want[i]); difference != "" {
			t.Fatalf("case %d, with pandas second: %s\n%s", i, difference, cases[i].config)
		}
		sum.Found, sum.Written, sum.Rejected = sum.Found+got.Found, sum.Written+got.Written, sum.Rejected+got.Rejected
		for rule, n := range got.Left {
			sum.Left[rule] += n
		}
	}
	t.Logf("%d tables: %d rows found, %d written, %d rejected, skipped %v", len(cases), sum.Found, sum.Written,
		sum.Rejected, sum.Left)
	if sum.Written < sum.Found/10 || sum.Rejected == 0 || sum.Left[dataset.SkippedByWhere] == 0 ||
		sum.Left[dataset.SkippedByLimit] == 0 {
		t.Error("a rule was not tried")
	}
}

// difference says how two accounts differ; empty where they are equal.
func (a *shapedAccount) difference(b *shapedAccount) string {
	switch {
	case a.Found != b.Found || a.Written != b.Written || a.Rejected != b.Rejected ||
		a.Left[dataset.SkippedByWhere] != b.Left[dataset.SkippedByWhere] ||
		a.Left[dataset.SkippedByLimit] != b.Left[dataset.SkippedByLimit]:
		return fmt.Sprintf("found %d and %d, written %d and %d, rejected %d and %d, skipped %v and %v",
			a.Found, b.Found, a.Written, b.Written, a.Rejected, b.Rejected, a.Left, b.Left)
	case !slices.Equal(a.Rows, b.Rows):
		for i := range a.Rows {
			if a.Rows[i] != b.Rows[i] {
				return fmt.Sprintf("row %d is %q and %q", i, a.Rows[i], b.Rows[i])
			}
		}
	}
	return ""
}

// buildShaped builds a dataset and reads it.
func buildShaped(t *testing.T, file, output string, derived int) shapedAccount {
	t.Helper()
	cfg, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = pipeline.Build(t.Context(), cfg, pipeline.Run{Output: output, Workers: 2, Memory: plenty})
	if tooMany, ok := errors.AsType[*pipeline.TooManyError](err); ok && tooMany.Every {
		a := shapedAccount{noneLeft: true}
		for _, n := range tooMany.Counts {
			a.Rejected += n
		}
		return a
	}
	if err != nil {
		t.Fatalf("building %s: %v", file, err)
	}
	return accountOf(t, output, derived)
}

// accountOf reads a dataset.
func accountOf(t *testing.T, output string, derived int) shapedAccount {
	t.Helper()
	source := manifest(t, output).Sources[0]
	a := shapedAccount{Found: source.Found, Written: source.Written, Left: source.Skipped}
	for _, n := range source.Rejected {
		a.Rejected += n
	}
	for _, payload := range payloads(t, output)["train"] {
		features := example(t, payload)
		row := strconv.FormatInt(features["id"].GetInt64List().GetValue()[0], 10)
		for i := range derived {
			switch f := features[fmt.Sprint("d", i)]; {
			case f.GetInt64List() != nil:
				row += fmt.Sprint(" ", f.GetInt64List().GetValue()[0])
			case f.GetFloatList() != nil:
				row += " " + strconv.FormatFloat(float64(f.GetFloatList().GetValue()[0]), 'e', 9, 64)
			default:
				row += fmt.Sprintf(" %x", f.GetBytesList().GetValue()[0])
			}
		}
		a.Rows = append(a.Rows, row)
	}
	return a
}

// drawShaped draws a table and what is done with it.
func drawShaped(t *testing.T, dir string, n int) shapedTable {
	d := shaper{Rand: rand.New(rand.NewPCG(uint64(n), 9))}
	c := shapedTable{Table: fmt.Sprint(n, ".csv"), Limit: -1}
	kind := "csv"
	if n%2 == 1 {
		c.Table, kind = fmt.Sprint(n, ".jsonl"), "jsonl"
	}
	write(t, dir, c.Table, d.table(kind, 30+d.IntN(60)))
	c.config = "name: shaped\noutput: out\nsource: {" + kind + ": {files: " + c.Table +
		"}}\norder: source\nshards: 1\nstatistics: false\non_error: skip\nmax_errors: 100%\nallow_empty: true\n"
	features := "features:\n  id: int64\n"
	derive, texts := "derive:\n", []string{}
	for i := range d.IntN(4) {
		name, of, kind := fmt.Sprint("d", i), part{}, ""
		switch d.IntN(3) {
		case 0:
			of, kind = d.ints(3), "int64"
		case 1:
			of, kind = d.floats(3), "float"
		default:
			of, kind = d.texts(3), "string"
		}
		// A missing value is not a fault of a column that is just another, but of a feature.
		of.text = of.typed(map[string]string{"int64": "int", "float": "float", "string": "text"}[kind])
		derive += "  " + name + ": {expr: '" + of.text + "', type: " + kind + "}\n"
		features += "  " + name + ": {}\n"
		c.Derived, texts = append(c.Derived, of.id), append(texts, of.text)
		of.text, of.cell = name, false
		d.derived = append(d.derived, derivedPart{of, kind})
	}
	if len(c.Derived) > 0 {
		c.config += derive
	}
	where := d.bools(4)
	c.Where = where.id
	// A derived column is computed before it is requested, and a row invalid if it cannot be.
	read := where.text
	for i, text := range slices.Backward(texts) {
		if strings.Contains(read, fmt.Sprint("d", i)) {
			c.Read = append(c.Read, c.Derived[i])
			read += text
		}
	}
	c.config += "where: '" + where.text + "'\n"
	if d.IntN(2) == 0 {
		c.Limit = 1 + d.IntN(30)
		c.config += fmt.Sprint("limit: {train: ", c.Limit, "}\n")
	}
	c.config += features
	c.Lines = d.lines
	c.Table = filepath.Join(dir, c.Table)
	return c
}

// A shaper draws expressions, in our language and in Python.
type shaper struct {
	*rand.Rand
	lines   []string
	derived []derivedPart
}

// A part is a part of an expression: its text, and the number of its variables in
// Python. A cell has no type until it has a partner.
type part struct {
	text string
	id   string
	cell bool
}

type derivedPart struct {
	part
	kind string
}

// table is a table of columns i and j of ints, f of floats, g of floats that may be
// missing or, in CSV, no numbers, s and t of texts, m of texts that may be missing, and b of bools.
func (d *shaper) table(kind string, rows int) []byte {
	out := ""
	if kind == "csv" {
		out = "id,i,j,f,g,s,t,m,b\n"
	}
	texts := []string{"taxi", "Taxi", "a b", " pad ", "é12", "12", "x", "DDS"}
	for id := range rows {
		i, j := d.IntN(41)-20, d.IntN(7)-3
		f, g := strconv.FormatFloat(float64(d.IntN(161)-80)/4, 'f', 2, 64),
			strconv.FormatFloat(float64(d.IntN(41)-20)/8, 'f', 3, 64)
		s, t, m, b := d.one(texts...), d.one(texts...), d.one(texts...), d.one("true", "false")
		missingG, missingM := d.IntN(4) == 0, d.IntN(3) == 0
		if kind == "csv" {
			switch {
			case missingG:
				g = ""
			case d.IntN(20) == 0:
				g = "n/a"
			}
			if missingM {
				m = ""
			}
			out += fmt.Sprintln(strings.Join([]string{strconv.Itoa(id), strconv.Itoa(i), strconv.Itoa(j), f, g,
				s, t, m, b}, ","))
			continue
		}
		m = strconv.Quote(m)
		if missingG {
			g = "null"
		}
		if missingM {
			m = "null"
		}
		out += fmt.Sprintf(`{"id": %d, "i": %d, "j": %d, "f": %s, "g": %s, "s": %q, "t": %q, "m": %s, "b": %s}`+"\n",
			id, i, j, f, g, s, t, m, b)
	}
	return []byte(out)
}

func (d *shaper) one(of ...string) string { return of[d.IntN(len(of))] }

func (d *shaper) leaf(depth int) bool { return depth <= 0 || d.IntN(4) == 0 }

// make notes a part: how its value is made in Python, and beyond that of its parts
// where it has none.
func (d *shaper) make(text, value, bad string, of ...part) part {
	id := strconv.Itoa(len(d.lines))
	bads := []string{"(" + bad + ")"}
	for i, p := range of {
		value = strings.ReplaceAll(value, "$"+strconv.Itoa(i), "v["+p.id+"]")
		bads[0] = strings.ReplaceAll(bads[0], "$"+strconv.Itoa(i), "v["+p.id+"]")
		bads = append(bads, "b["+p.id+"]")
	}
	d.lines = append(d.lines, "("+value+", "+strings.Join(bads, " | ")+")")
	return part{text: text, id: id}
}

// choice is a part of which one of two is computed.
func (d *shaper) choice(text, value string, when, yes, no part) part {
	id := strconv.Itoa(len(d.lines))
	value = strings.NewReplacer("$0", "v["+when.id+"]", "$1", "v["+yes.id+"]", "$2", "v["+no.id+"]").Replace(value)
	d.lines = append(d.lines, fmt.Sprintf("(%s, b[%s] | np.where(v[%s], b[%s], b[%s]))", value, when.id,
		when.id, yes.id, no.id))
	return part{text: text, id: id, cell: yes.cell || no.cell}
}

func (d *shaper) condition(yes, no part, depth int) part {
	when := d.bools(depth - 1)
	return d.choice("("+when.text+" ? "+yes.text+" : "+no.text+")", "np.where($0, $1, $2)", when, yes, no)
}

// column is a column, or a derived one of a kind.
func (d *shaper) column(kind string, names ...string) part {
	for _, p := range d.derived {
		if p.kind == kind && d.IntN(3) == 0 {
			return p.part
		}
	}
	name := d.one(names...)
	p := d.make(name, "df['"+name+"'].to_numpy()", "missing(df['"+name+"']) | dirty['"+name+"']")
	p.cell = true
	return p
}

// literal is a value that is written, in both languages alike.
func (d *shaper) literal(text string) part {
	return d.make(text, "np.full(len(df), "+text+", dtype=kind("+text+"))", "False")
}

func (d *shaper) ints(depth int) part {
	if d.leaf(depth) {
		if d.IntN(2) == 0 {
			return d.column("int64", "i", "j")
		}
		return d.literal(d.one("0", "1", "2", "-3", "10"))
	}
	a := d.ints(depth - 1)
	switch d.IntN(10) {
	case 0:
		b := d.ints(depth - 1)
		return d.make("("+a.text+" + "+b.text+")", "$0 + $1", "False", a, b)
	case 1:
		b := d.ints(depth - 1)
		return d.make("("+a.text+" - "+b.text+")", "$0 - $1", "False", a, b)
	case 2:
		return d.make(a.text+" * 3", "$0 * 3", "False", a).grouped()
	case 3:
		b := d.ints(depth - 1)
		return d.make("("+a.text+" % "+b.text+")", "np.fmod($0, np.where($1 == 0, 1, $1))", "$1 == 0", a, b)
	case 4:
		s := d.texts(depth - 1)
		return d.make("size("+s.text+")", "texts($0).str.len().to_numpy()", "False", s)
	case 5:
		return d.make("abs("+a.text+")", "np.abs($0)", "False", a)
	case 6:
		b := d.ints(depth - 1)
		name := d.one("min", "max")
		return d.make(name+"("+a.text+", "+b.text+")", "np."+name+"imum($0, $1)", "False", a, b)
	case 7:
		f := d.floats(depth - 1)
		return d.make("int("+f.text+")", "np.trunc(np.where(np.abs($0) < 1e15, $0, 0)).astype(np.int64)",
			"~(np.abs($0) < 1e15)", f)
	case 8:
		b := d.bools(depth - 1)
		return d.make("int("+b.typed("== true")+")", "$0.astype(np.int64)", "False", b)
	}
	return d.condition(a, d.ints(depth-1), depth)
}

// grouped has parentheses.
func (p part) grouped() part {
	p.text = "(" + p.text + ")"
	return p
}

// typed is the text of a part with what gives a cell its type: a function, or what
// follows it.
func (p part) typed(with string) string {
	switch {
	case !p.cell:
		return p.text
	case strings.HasPrefix(with, "="):
		return p.text + " " + with
	}
	return with + "(" + p.text + ")"
}

func (d *shaper) floats(depth int) part {
	if d.leaf(depth) {
		if d.IntN(2) == 0 {
			return d.column("float", "f", "g")
		}
		return d.literal(d.one("0.5", "1.0", "-2.25", "100.0", "0.1"))
	}
	a := d.floats(depth - 1)
	switch d.IntN(9) {
	case 0, 1, 2:
		b := d.floats(depth - 1)
		sign := d.one("+", "-", "*")
		return d.make("("+a.text+" "+sign+" "+b.text+")", "$0 "+sign+" $1", "False", a, b)
	case 3:
		b := d.floats(depth - 1)
		return d.make("("+a.text+" / "+b.text+")", "$0 / np.where($1 == 0, 1, $1)", "$1 == 0", a, b)
	case 4:
		x, y := d.ints(depth-1), d.ints(depth-1)
		return d.make("("+x.text+" / "+y.text+")", "$0 / np.where($1 == 0, 1, $1)", "$1 == 0", x, y)
	case 5:
		name := d.one("floor", "ceil", "abs")
		return d.make(name+"("+a.text+")", "np."+name+"($0)", "False", a)
	case 6:
		return d.make("round("+a.text+")", "rounded($0)", "False", a)
	case 7:
		return d.make("sqrt("+a.text+")", "np.sqrt(np.where($0 < 0, 0, $0))", "$0 < 0", a)
	}
	return d.condition(a, d.floats(depth-1), depth)
}

func (d *shaper) texts(depth int) part {
	if d.leaf(depth) {
		if d.IntN(3) > 0 {
			return d.column("string", "s", "t", "m")
		}
		return d.literal(d.one(`"x"`, `"Taxi"`, `"é "`, `"-"`))
	}
	a := d.texts(depth - 1)
	switch d.IntN(6) {
	case 0:
		b := d.texts(depth - 1)
		return d.make("("+a.typed("text")+" + "+b.typed("text")+")", "(texts($0) + texts($1)).to_numpy(dtype=object)",
			"False", a, b)
	case 1:
		name := d.one("lower lower", "upper upper", "trim strip")
		ours, theirs, _ := strings.Cut(name, " ")
		return d.make(ours+"("+a.text+")", "texts($0).str."+theirs+"().to_numpy(dtype=object)", "False", a)
	case 2:
		i := d.ints(depth - 1)
		return d.make("text("+i.text+")", "pd.Series($0).astype(str).to_numpy(dtype=object)", "False", i)
	case 3:
		from, length := d.IntN(3), d.IntN(4)
		return d.make(fmt.Sprintf("substr(%s, %d, %d)", a.text, from, length),
			fmt.Sprintf("texts($0).str.slice(%d, %d).to_numpy(dtype=object)", from, from+length), "False", a)
	case 4:
		return d.make("substr("+a.text+", -2)", "texts($0).str.slice(-2).to_numpy(dtype=object)", "False", a)
	}
	return d.condition(a, d.texts(depth-1), depth)
}

func (d *shaper) bools(depth int) part {
	if depth <= 0 {
		if d.IntN(3) > 0 {
			return d.column("bool", "b")
		}
		text := d.one("true", "false")
		return d.make(text, "np.full(len(df), "+map[string]string{"true": "True", "false": "False"}[text]+")", "False")
	}
	compare := d.one("==", "!=", "<", "<=", ">", ">=")
	switch d.IntN(13) {
	case 0, 1:
		a, b := d.ints(depth-1), d.ints(depth-1)
		return d.make("("+a.typed("int")+" "+compare+" "+b.typed("int")+")", "$0 "+compare+" $1", "False", a, b)
	case 2, 3:
		a, b := d.floats(depth-1), d.floats(depth-1)
		return d.make("("+a.typed("float")+" "+compare+" "+b.typed("float")+")", "$0 "+compare+" $1", "False", a, b)
	case 4:
		a, b := d.texts(depth-1), d.texts(depth-1)
		return d.make("("+a.typed("text")+" "+compare+" "+b.typed("text")+")",
			"(texts($0) "+compare+" texts($1)).to_numpy(dtype=bool)", "False", a, b)
	case 5:
		a, b := d.bools(depth-1), d.bools(depth-1)
		no := d.make("false", "np.full(len(df), False)", "False")
		return d.choice("("+a.text+" && "+b.text+")", "$0 & $1", a, b, no)
	case 6:
		a, b := d.bools(depth-1), d.bools(depth-1)
		yes := d.make("true", "np.full(len(df), True)", "False")
		return d.choice("("+a.text+" || "+b.text+")", "$0 | $2", a, yes, b)
	case 7:
		a := d.bools(depth - 1)
		return d.make("!"+a.text, "~$0", "False", a)
	case 8:
		name := d.one("g", "m")
		return d.make(d.one("missing("+name+")", "("+name+" == null)", "(null == "+name+")"),
			"missing(df['"+name+"']) & ~dirty['"+name+"']", "False")
	case 9: // a missing value is equal to none
		name, value := d.one("g 0.5", `m "x"`), ""
		name, value, _ = strings.Cut(name, " ")
		if d.IntN(2) == 0 {
			return d.make("("+name+" == "+value+")", "(df['"+name+"'] == "+value+").fillna(False).to_numpy(dtype=bool)",
				"dirty['"+name+"']")
		}
		return d.make("("+name+" != "+value+")", "~(df['"+name+"'] == "+value+").fillna(False).to_numpy(dtype=bool)",
			"dirty['"+name+"']")
	case 10:
		a := d.texts(depth - 1)
		return d.make("("+a.text+` in ["taxi", "x", "a b", "12"])`,
			`texts($0).isin(["taxi", "x", "a b", "12"]).to_numpy()`, "False", a)
	case 11:
		a := d.texts(depth - 1)
		name := d.one(`contains(%s, "a") contains("a",regex=False)`, `starts_with(%s, "T") startswith("T")`,
			`ends_with(%s, "i") endswith("i")`, `matches(%s, r"^[a-z]+\d*$") contains(r"^[a-z]+[0-9]*\Z")`)
		at := strings.LastIndexByte(name, ' ')
		return d.make(fmt.Sprintf(name[:at], a.text), "texts($0).str."+name[at+1:]+".to_numpy(dtype=bool)", "False", a)
	}
	a, b := d.bools(depth-1), d.bools(depth-1)
	return d.condition(a, b, depth)
}
