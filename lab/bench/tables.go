package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var columns = []string{"trip", "company", "miles", "price", "tips", "riders", "card", "district", "remark"}

// tableConfig is the config of a table with these columns.
func tableConfig(kind, file string, shards int) string {
	return fmt.Sprintf(`name: trips
output: out
source:
  %s: {files: %s}
features:
  trip: int64
  company: bytes
  miles: float
  price: float
  tips: float
  riders: int64
  card: bool
  district: bytes
  remark: bytes
shards: %d
`, kind, file, shards)
}

// configs writes the configs of the tables.
func (b *bench) configs() error {
	texts := map[string]string{
		"csv-sha256.yaml": tableConfig("csv", "table.csv", 2) + "digest: sha256\n",
		"large.yaml":      tableConfig("csv", "large.csv", 2),
	}
	for _, kind := range []string{"csv", "jsonl", "parquet"} {
		texts[kind+".yaml"] = tableConfig(kind, "table."+kind, 2)
		texts[kind+"-bare.yaml"] = tableConfig(kind, "table."+kind, 2) + "statistics: false\n"
	}
	for name, text := range texts {
		if err := b.write(name, text); err != nil {
			return err
		}
	}
	return nil
}

// makeTable writes a table of so many rows as CSV, and the first as JSON lines
// too, unless they are there.
func (b *bench) makeTable(name string, rows int) error {
	if err := b.configs(); err != nil {
		return err
	}
	mark := b.path(fmt.Sprintf("%s.%d", name, rows))
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	others, err := filepath.Glob(b.path(name + ".[0-9]*"))
	if err != nil {
		return err
	}
	for _, other := range others { // of another number of rows, which goes now
		if err := os.Remove(other); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "making %s.csv, %d rows\n", name, rows)
	if err := b.writeTables(name, rows); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o644)
}

// makeParquet makes the table, and a Parquet file of it.
func (b *bench) makeParquet() error {
	if err := b.makeTable("table", b.rows); err != nil {
		return err
	}
	name := fmt.Sprintf("table-%d.parquet", b.rows)
	if err := b.makeFileBy(name, scriptBy(b.peerPython(peers), "make_parquet.py", b.path("table.csv"))); err != nil {
		return err
	}
	if err := os.RemoveAll(b.path("table.parquet")); err != nil {
		return err
	}
	return os.Link(b.path(name), b.path("table.parquet"))
}

// makeFileBy has a command make the file that its last argument will name, unless it is
// there.
func (b *bench) makeFileBy(name string, args []string) error {
	path := b.path(name)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, "making", name)
	if output, err := exec.Command(args[0], append(args[1:], path+".new")...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, output)
	}
	return os.Rename(path+".new", path)
}

// makeTutorial makes a table of the four features of TensorFlow's tutorial, and the
// environment of its contender.
func (b *bench) makeTutorial() error {
	if err := b.makePeers(peers); err != nil {
		return err
	}
	name := fmt.Sprintf("tutorial-%d.csv", b.rows)
	configs := map[string]string{"tutorial.yaml": "name: tutorial\noutput: out\nsource:\n  csv: {files: " + name +
		"}\nfeatures:\n" +
		"  feature0: bool\n  feature1: int64\n  feature2: bytes\n  feature3: float\nshards: 1\n"}
	return b.makeOnce(name, configs, func(w io.Writer) error {
		r := rand.New(rand.NewPCG(4, 4))
		fmt.Fprintln(w, "feature0,feature1,feature2,feature3")
		for range b.rows {
			n := r.IntN(5)
			word := []string{"cat", "dog", "chicken", "horse", "goat"}[n]
			if _, err := fmt.Fprintf(w, "%t,%d,%s,%.6f\n", r.IntN(2) == 0, n, word, r.NormFloat64()); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *bench) writeTables(name string, rows int) error {
	csv, err := os.Create(b.path(name + ".csv"))
	if err != nil {
		return err
	}
	defer csv.Close()
	lines := csv
	if name == "table" {
		if lines, err = os.Create(b.path(name + ".jsonl")); err != nil {
			return err
		}
		defer lines.Close()
	}
	c, j := bufio.NewWriterSize(csv, 1<<20), bufio.NewWriterSize(lines, 1<<20)
	fmt.Fprintln(c, strings.Join(columns, ","))
	r := rand.New(rand.NewPCG(2, 9))
	for i := range rows {
		t := newTrip(r, i)
		t.writeCSV(c)
		if lines != csv {
			t.writeJSON(j)
		}
	}
	if err := c.Flush(); err != nil {
		return err
	}
	return j.Flush()
}

// A trip is a row: numbers as strings, which both tables have.
type trip struct {
	id                 int
	company, district  string
	miles, price, tips string
	riders             int
	card               bool
	remark             string
}

var remarkWords = strings.Fields("after the rain we took a long way round by river and hill, past old mills, to see " +
	"boats come in from sea")

func newTrip(r *rand.Rand, i int) trip {
	t := trip{
		id:       i,
		company:  []string{"ANT", "BEE", "FLY"}[r.IntN(3)],
		district: fmt.Sprintf("ward-%d", 1+r.IntN(300)),
		miles:    fmt.Sprintf("%.2f", r.ExpFloat64()*4),
		price:    fmt.Sprintf("%.2f", 3+r.Float64()*80),
		tips:     fmt.Sprintf("%.4f", r.Float64()*16),
		riders:   1 + r.IntN(6),
		card:     r.IntN(2) == 0,
	}
	words := make([]string, 3+r.IntN(14))
	for w := range words {
		words[w] = remarkWords[r.IntN(len(remarkWords))]
	}
	t.remark = strings.Trim(strings.Join(words, " "), ",")
	if i%10 != 0 {
		t.remark = strings.ReplaceAll(t.remark, ",", "") // a tenth of them need quotes
	} else {
		t.remark += `, he said "well"`
	}
	return t
}

func (t *trip) writeCSV(w *bufio.Writer) {
	remark := t.remark
	if strings.ContainsAny(remark, `,"`) {
		remark = `"` + strings.ReplaceAll(remark, `"`, `""`) + `"`
	}
	fmt.Fprintf(w, "%d,%s,%s,%s,%s,%d,%t,%s,%s\n", t.id, t.company, t.miles, t.price, t.tips, t.riders,
		t.card, t.district, remark)
}

func (t *trip) writeJSON(w *bufio.Writer) {
	fmt.Fprintf(
		w, `{"trip": %d, "company": %q, "miles": %s, "price": %s, "tips": %s, "riders": %d, "card": %t, `+
			`"district": %q, "remark": %q}`+"\n",
		t.id, t.company, t.miles, t.price, t.tips, t.riders, t.card, t.district, t.remark)
}
