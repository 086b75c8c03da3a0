package csv

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"tfr-build/schema"
)

// benchRows is the size of the benchmarks' file: large enough to be out of
// the caches, as records in random order are.
const benchRows = 300_000

// trips makes a file of nine columns, about 88 bytes a row; every tenth row
// has a quoted cell with doubled quotes.
func trips(rows int) []byte {
	r := rand.New(rand.NewPCG(7, 7))
	words := strings.Fields("the quick brown fox jumps over a lazy dog while many small birds sing of rain and light")
	var b bytes.Buffer
	b.WriteString("id,vendor,distance,fare,tip,passengers,paid,zone,note\n")
	for i := range rows {
		var note []string
		for range 3 + r.IntN(12) {
			note = append(note, words[r.IntN(len(words))])
		}
		text := strings.Join(note, " ")
		if i%10 == 0 {
			text = `"` + strings.ReplaceAll(text, " of ", ", of ") + `, ""so"""`
		}
		fmt.Fprintf(&b, "%d,%s,%.2f,%.2f,%.4f,%d,%v,zone-%d,%s\n", i, []string{"CMT", "VTS", "DDS"}[r.IntN(3)],
			r.ExpFloat64()*3.3, 2.5+r.Float64()*77.5, r.Float64()*15, 1+r.IntN(6), r.IntN(2) == 0, 1+r.IntN(265), text)
	}
	return b.Bytes()
}

// benchData is the file that CSV_BENCH names, else one made here.
func benchData(b *testing.B) []byte {
	b.Helper()
	if name := os.Getenv("CSV_BENCH"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	return trips(benchRows)
}

// benchChunks scans and stitches all of data, in chunks of 1 MiB.
func benchChunks(f Format, data []byte, chunks []Chunk) (int, []Chunk) {
	const size = 1 << 20
	h, _, _ := f.Start(data[:size], false)
	n := 0
	for lo := h.First; lo < len(data); lo += size {
		if n == len(chunks) {
			chunks = append(chunks, Chunk{})
		}
		f.Scan(data, lo, min(lo+size, len(data)), &chunks[n])
		n++
	}
	found, _, _ := f.Stitch(data, h.First, false, chunks[:n])
	return found, chunks
}

func reportRow(b *testing.B, rows int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
}

func BenchmarkChunks(b *testing.B) {
	data := benchData(b)
	quoted := quoteAll(data[:min(len(data), 30<<20)])
	crlf := bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
	utf8 := bytes.ReplaceAll(data, []byte("o"), []byte("ö"))
	for _, c := range []struct {
		name string
		data []byte
	}{{"trips", data}, {"noquotes", bytes.ReplaceAll(data, []byte{'"'}, []byte{'-'})}, {"crlf", crlf}, {"utf8", utf8},
		{"allquoted", quoted}} {
		b.Run(c.name, func(b *testing.B) {
			var chunks []Chunk
			rows, chunks := benchChunks(plain, c.data, chunks)
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				_, chunks = benchChunks(plain, c.data, chunks)
			}
			reportRow(b, rows)
		})
	}
}

// quoteAll writes every cell of a file in quotes.
func quoteAll(data []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		if bytes.IndexByte(line, '"') < 0 && line[len(line)-1] == '\n' {
			line = line[:len(line)-1]
			out.WriteString(`"` + string(bytes.ReplaceAll(line, []byte(","), []byte(`","`))) + "\"\n")
		}
	}
	return out.Bytes()
}

// BenchmarkCutter cuts serially, line by line.
func BenchmarkCutter(b *testing.B) {
	data := benchData(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		rows = 0
		c := plain.NewCutter(false)
		for at := 0; at < len(data); {
			n, _, _, _ := c.Next(data[at:min(at+1<<16, len(data))], true)
			at += n
			rows++
		}
	}
	reportRow(b, rows)
}

// BenchmarkScanner reads all cells of records in random order and in file order. As in a build,
// records in random order are touched ahead; touch measures only that.
func BenchmarkScanner(b *testing.B) {
	data := benchData(b)
	starts, _ := cutChunks(plain, data, bytes.IndexByte(data, '\n')+1, false, 1<<20)
	cells, vals := allCells(9), make([]schema.Value, 9)
	run := func(b *testing.B, f Format, order []int, cells []int32) {
		s := f.NewScanner()
		b.ReportAllocs()
		b.SetBytes(int64(len(data)))
		var touched byte
		for b.Loop() {
			for i, at := range order {
				if i%16 == 0 {
					for _, next := range order[min(i+16, len(order)):min(i+32, len(order))] {
						touched += data[next] + data[min(next+64, len(data)-1)] + data[min(next+112, len(data)-1)]
					}
				}
				if cells == nil {
					continue
				}
				if _, err := s.Scan(data[at:], cells, vals, 0); err != nil {
					b.Fatal(err)
				}
			}
		}
		reportRow(b, len(order))
		_ = touched
	}
	shuffled := append([]int(nil), starts...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled),
		func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	b.Run("sequential", func(b *testing.B) { run(b, plain, starts, cells) })
	b.Run("random", func(b *testing.B) { run(b, plain, shuffled, cells) })
	b.Run("random/touch", func(b *testing.B) { run(b, plain, shuffled, nil) })
	b.Run("random/three", func(b *testing.B) { run(b, plain, shuffled, []int32{0, -1, 1, -1, -1, -1, -1, 2, -1}) })
	trim := plain
	trim.Trim = true
	b.Run("sequential/trim", func(b *testing.B) { run(b, trim, starts, cells) })
}
