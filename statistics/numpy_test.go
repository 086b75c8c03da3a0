package statistics

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/message"
)

// distributions returns features and a function that draws their values.
func distributions(r *rand.Rand) (fields []Feature, value func(i int) any) {
	type column struct {
		field Feature
		value func() any
	}
	number := func(key string, list message.List, value func() any) column {
		return column{Feature{Key: key, List: list, Kind: Number}, value}
	}
	float := func(key string, value func() float64) column {
		return number(key, message.FloatList, func() any { return []float32{float32(value())} })
	}
	double := func(key string, value func() float64) column {
		return number(key, message.DoubleList, func() any { return []float64{value()} })
	}
	integer := func(key string, value func() int64) column {
		return number(key, message.Int64List, func() any { return []int64{value()} })
	}
	text := func(key string, value func() string) column {
		return column{Feature{Key: key, List: message.BytesList, Kind: Text}, func() any { return []string{value()} }}
	}
	columns := []column{
		{Feature{Key: "class", List: message.Int64List, Kind: Class, First: 1, Classes: []string{"a", "b", "c"}},
			func() any { return []int64{r.Int64N(5)} }},
		float("constant", func() float64 { return 2.5 }),
		double("exponential", r.ExpFloat64),
		double("extreme", func() float64 {
			return math.Ldexp(r.Float64()-0.5, r.IntN(1900)-1000)
		}),
		float("few", func() float64 { return float64(r.IntN(200))/4 - 20 }),
		double("halves", func() float64 { return math.Ldexp(float64(r.IntN(3)-1), r.IntN(1000)-500) }),
		integer("integers", func() int64 { return r.Int64N(100000) - 20000 }),
		integer("large", func() int64 { return int64(r.Uint64()) }),
		double("normal", func() float64 { return 10 + 3*r.NormFloat64() }),
		float("odd", func() float64 {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, r.NormFloat64(), math.Copysign(0, -1)}[r.IntN(6)]
		}),
		integer("skewed", func() int64 { return int64(math.Exp(20 * r.Float64())) }),
		integer("small", func() int64 { return r.Int64N(7) }),
		float("standard", r.NormFloat64),
		text("text", func() string { return fmt.Sprintf("é %d", int(math.Exp(12*r.Float64()))) }),
		float("uniform", func() float64 { return r.Float64()*40 - 8 }),
		text("word", func() string { return "wordwordwordwordword"[:r.IntN(20)] + fmt.Sprint(r.IntN(20)) }),
	}
	for _, c := range columns {
		fields = append(fields, c.field)
	}
	return fields, func(i int) any { return columns[i].value() }
}

// TestNumPy compares all statistics with NumPy's.
func TestNumPy(t *testing.T) {
	tftest.Python(t)
	r := rand.New(rand.NewPCG(7, uint64(testenv.Times(7, 8, 9))))
	dir := t.TempDir()
	fields, value := distributions(r)
	l := NewLayout(message.OFRecord, fields, Options{Values: true})
	var splits []SplitSummary
	for name, records := range map[string]int{"train": 20000, "test": 3000} { // in any order
		files := make([][]byte, len(fields))
		texts := make([][]string, len(fields))
		var payloads [][]byte
		for range records {
			entries := make([]entry, len(fields))
			for i, f := range fields {
				entries[i] = entry{f.Key, value(i)}
				switch v := entries[i].values.(type) {
				case []float32:
					files[i] = binary.LittleEndian.AppendUint32(files[i], math.Float32bits(v[0]))
				case []float64:
					files[i] = binary.LittleEndian.AppendUint64(files[i], math.Float64bits(v[0]))
				case []int64:
					files[i] = binary.LittleEndian.AppendUint64(files[i], uint64(v[0]))
				case []string:
					texts[i] = append(texts[i], v[0])
				}
			}
			payload, _ := record(message.OFRecord, entries...)
			payloads = append(payloads, payload)
		}
		for i, f := range fields {
			end := map[message.List]string{message.FloatList: "f4", message.DoubleList: "f8", message.Int64List: "i8",
				message.BytesList: "json"}[f.List]
			content := files[i]
			if f.List == message.BytesList {
				content, _ = json.Marshal(texts[i])
			}
			if err := os.WriteFile(filepath.Join(dir, name+"."+f.Key+"."+end), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		candidates := l.Candidates(payloads[:SampleRecords])
		s, c := l.NewSummary(candidates), l.NewCounter()
		c.Begin(s)
		for i, payload := range payloads {
			c.Add(payload)
			if i%4096 == 4095 {
				c.End()
			}
		}
		c.End()
		splits = append(splits, SplitSummary{name, s})
	}
	if err := os.WriteFile(filepath.Join(dir, "document.json"), l.Document(splits).Append(nil), 0o644); err != nil {
		t.Fatal(err)
	}
	tftest.Run(t, "testdata/compare.py", dir)
}
