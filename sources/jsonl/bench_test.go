package jsonl

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// trips makes rows of nine keys, about 180 bytes each.
func trips(rows int) []byte {
	words := []string{"light", "lazy", "quick", "many", "fox", "small", "while", "of", "and", "the"}
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for i := range rows {
		note := ""
		for j := range 2 + r.IntN(8) {
			if j > 0 {
				note += " "
			}
			note += words[r.IntN(len(words))]
		}
		if r.IntN(20) == 0 {
			note += `, \"so\"`
		}
		b = fmt.Appendf(
			b, `{"id": %d, "vendor": "%s", "distance": %.2f, "fare": %.2f, "tip": %.4f, "passengers": %d, "paid": `+
				`%t, "zone": "zone-%d", "note": "%s"}`+"\n",
			i, []string{"CMT", "VTS", "DDS"}[r.IntN(3)], r.Float64()*10, r.Float64()*60, r.Float64()*9,
			1+r.IntN(6), r.IntN(2) == 0, r.IntN(260), note)
	}
	return b
}

var tripColumns = []string{"id", "vendor", "distance", "fare", "tip", "passengers", "paid", "zone", "note"}

func perRow(b *testing.B, rows int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkCut(b *testing.B) {
	const rows = 50_000
	data := trips(rows)
	b.SetBytes(int64(len(data)))
	c := lines.Chunk{Rule: rule(ample.Record)}
	for b.Loop() {
		for lo := 0; lo < len(data); lo += 1 << 20 {
			c.Cut(data, lo, min(lo+1<<20, len(data)))
		}
	}
	perRow(b, rows)
}

func BenchmarkScan(b *testing.B) {
	const rows = 10_000
	for _, bench := range []struct {
		name    string
		columns []string
	}{
		{"nine of nine", tripColumns},
		{"two of nine", []string{"fare", "zone"}},
	} {
		b.Run(bench.name, func(b *testing.B) { benchScan(b, trips(rows), rows, bench.columns, false) })
	}
	b.Run("checking UTF-8", func(b *testing.B) { benchScan(b, trips(rows), rows, tripColumns, true) })
}

func BenchmarkScanNested(b *testing.B) {
	row := `{"image": "a.jpg", "size": {"h": 480, "w": 640}, "boxes": [{"id": 1, "bbox": [1.5, 2.5, 30, 40], ` +
		`"label": "cat"}, {"id": 2, "bbox": [0, 2.5, 3, 4], "label": "dog"}]}` + "\n"
	const rows = 1000
	var data []byte
	for range rows {
		data = append(data, row...)
	}
	b.Run("used", func(b *testing.B) {
		benchScan(b, data, rows, []string{"image", "size.h", "boxes.*.bbox.0", "boxes.*.label"}, false)
	})
	b.Run("skipped", func(b *testing.B) { benchScan(b, data, rows, []string{"image"}, false) })
}

func benchScan(b *testing.B, data []byte, rows int, columns []string, checkUTF8 bool) {
	p, err := Compile(bound(columns...), Limits{Limits: ample})
	if err != nil {
		b.Fatal(err)
	}
	s := p.NewScanner()
	vals := make([]schema.Value, len(columns))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for at := 0; at < len(data); {
			n, err := s.Scan(data[at:], vals, checkUTF8)
			if err != nil {
				b.Fatal(err)
			}
			at += n
		}
	}
	perRow(b, rows)
}
