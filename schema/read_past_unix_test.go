//go:build unix

package schema

import (
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"

	"tfr-build/internal/guardtest"
	"tfr-build/internal/testenv"
)

// TestNothingReadsPastStrings encodes and parses strings whose capacity continues in memory that cannot
// be read.
func TestNothingReadsPastStrings(t *testing.T) {
	memory := guardtest.New(t, os.Getpagesize())
	var text string
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			t.Fatalf("%q: %v", text, fault)
		}
	}()
	var encoders []*Encoder
	for _, of := range []Type{Int64, Uint64, Float, Float64, BoolType, BytesType, StringType} {
		feature := Feature{Key: "x", Columns: []string{"x"}, Type: of}
		list := feature
		list.Shape = []int{-1}
		for _, feature := range []Feature{feature, list} {
			s, err := Compile(Record{Features: []Feature{feature}})
			if err != nil {
				t.Fatal(err)
			}
			encoders = append(encoders, s.NewEncoder())
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, text = range fastStrings(r, testenv.Times(200, 20_000, 2_000_000)) {
		at := memory.Last(len(text))
		copy(at, text)
		ReadNumber(at)
		ReadBool(at)
		for _, kind := range []Kind{Text, String, Number, Bool} {
			for _, e := range encoders {
				_, _ = e.Append(nil, []Value{{Kind: kind, Text: at}}) // most strings are invalid
			}
		}
	}
}
