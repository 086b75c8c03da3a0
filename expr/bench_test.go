package expr

import (
	"fmt"
	"strconv"
	"syscall"
	"testing"

	"tfr-build/schema"
)

// rides are rows of three columns, like a table of taxi rides: cells of CSV, or values of JSON.
func rides(kind, text schema.Kind) [][]schema.Value {
	rows := make([][]schema.Value, 1024)
	for i := range rows {
		buf := make([]byte, 0, 64) // room behind the texts, as there is in a file
		buf = strconv.AppendFloat(buf, float64(i*7919%10000)/100, 'f', 2, 64)
		fare := buf[:len(buf):64]
		n := len(buf)
		buf = strconv.AppendInt(buf, int64(i%7), 10)
		passengers := buf[n:len(buf):64]
		n = len(buf)
		buf = append(buf, []string{"CMT", "VTS", "DDS"}[i%3]...)
		rows[i] = []schema.Value{{Kind: kind, Text: fare}, {Kind: kind, Text: passengers},
			{Kind: text, Text: buf[n:len(buf):64]}}
	}
	return rows
}

// busy returns the processor time of the process in nanoseconds. On a machine with other work it is
// more accurate than the clock.
func busy(b *testing.B) int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// BenchmarkWhere evaluates a condition on three columns: ns per row; each row reads all three.
func BenchmarkWhere(b *testing.B) {
	for _, source := range []struct {
		name         string
		number, text schema.Kind
	}{{"cells", schema.Text, schema.Text}, {"json", schema.Number, schema.String}} {
		for i, text := range []string{
			`fare >= 0 && passengers < 7 && vendor in ["CMT", "VTS"]`,
			`fare * 2 > passengers + 1 && vendor != "DDS"`,
			`fare / (passengers + 1) > 2.5 ? vendor == "CMT" : fare < 50`,
		} {
			p, err := Compile(text, func(string) (Type, bool) { return Dynamic, true })
			if err != nil {
				b.Fatal(err)
			}
			slots := []int{0, 1, 2}
			e, rows := p.Bind(slots, nil), rides(source.number, source.text)
			b.Run(fmt.Sprintf("%s/%d", source.name, i), func(b *testing.B) {
				b.ReportAllocs()
				before := busy(b)
				for i := 0; b.Loop(); i++ {
					if _, err := e.Bool(rows[i&1023]); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(busy(b)-before)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
