package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
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
	for name, text := range map[string]string{
		"csv.yaml":        tableConfig("csv", "table.csv", 2),
		"csv-sha256.yaml": tableConfig("csv", "table.csv", 2) + "digest: sha256\n",
		"jsonl.yaml":      tableConfig("jsonl", "table.jsonl", 2),
		"large.yaml":      tableConfig("csv", "large.csv", 2),
	} {
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
	fmt.Fprintf(os.Stderr, "making %s.csv, %d rows\n", name, rows)
	if err := b.writeTables(name, rows); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o644)
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

// A trip is a row: numbers as their texts, which both tables have.
type trip struct {
	id                 int
	company, district  string
	miles, price, tips string
	riders             int
	card               bool
	remark             string
}

var remarkWords = strings.Fields("after the rain we took a long way round by river and hill, past old mills, to see boats come in from sea")

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
	fmt.Fprintf(w, "%d,%s,%s,%s,%s,%d,%t,%s,%s\n", t.id, t.company, t.miles, t.price, t.tips, t.riders, t.card, t.district, remark)
}

func (t *trip) writeJSON(w *bufio.Writer) {
	fmt.Fprintf(w, `{"trip": %d, "company": %q, "miles": %s, "price": %s, "tips": %s, "riders": %d, "card": %t, "district": %q, "remark": %q}`+"\n",
		t.id, t.company, t.miles, t.price, t.tips, t.riders, t.card, t.district, t.remark)
}
