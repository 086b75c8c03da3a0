package schema

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// fastStrings are strings around all limits of appendFast.
func fastStrings(r *rand.Rand, n int) []string {
	texts := []string{
		"", "-", ".", "-.", "0", "-0", "00", "007", "1.", ".5", "-.5", "-0.0", "+5", "1e3", "nan", "1 2",
		"1..2", "12-3", "1-",
		"true", "false", "TRUE", "False", "tru", "truex", "falsy", "falsex", "\x54rue", "\x14rue", "\xff", "é",
		"127", "128", "-128", "-129", "255", "256", "12345678", "-12345678", "123456789", "268435455", "268435456",
		"9223372036854775807", "-9223372036854775808", "9223372036854775808", "1234.567", "-1234.567", "12345.678",
		"-73.98215", "40.7619019",
	}
	for size := range 140 {
		texts = append(texts, strings.Repeat("ab", 70)[:size])
	}
	for range n {
		x := r.Uint64() >> r.IntN(64)
		text := strconv.FormatInt(int64(x)-int64(x&1)*2*int64(x), 10)
		if at := r.IntN(len(text) + 1); r.IntN(2) == 0 {
			text = text[:at] + string(".-e0x"[r.IntN(5)]) + text[at:]
		}
		texts = append(texts, text)
	}
	return texts
}

// TestFastPath encodes strings on the fast path, if it accepts them, and on the slow path: as features,
// and as steps of feature lists. The bytes are the same.
func TestFastPath(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	texts := fastStrings(r, testenv.Times(40, 20_000, 2_000_000))
	for _, feature := range []Feature{
		{Type: Int64}, {Type: Int8}, {Type: Uint8}, {Type: Uint64}, {Type: Int64, IntFromFloat: true}, {Type: BoolType},
		{Type: Float}, {Type: Float, NullValues: []string{"NA", "-0"}}, {Type: BytesType}, {Type: StringType},
		{Type: BytesType, NullValues: []string{"true"}},
	} {
		feature.Key, feature.Columns = "x", []string{"x"}
		s, err := Compile(Record{Features: []Feature{feature}})
		if err != nil {
			t.Fatal(err)
		}
		sequence, err := Compile(Record{Message: SequenceMessage, Sequence: []Feature{feature}})
		if err != nil {
			t.Fatal(err)
		}
		e, general := newFeatureEncoder(s, newGatherer(s)), newGatherer(s)
		e.noted = &Noted{Row: make([]uint64, 1), Bounds: make([]uint32, 2)}
		steps, list := listEncoder{newGatherer(sequence)}, &sequence.lists[0]
		var taken [2]int
		for _, text := range texts {
			for _, kind := range []Kind{Text, String, Number} {
				v := Value{Kind: kind, Text: []byte(text)}
				for i, fields := range [][]fastField{s.fastFields, list.fast} {
					_, next := appendFast(make([]byte, fastRoom), 0, fields, []Value{v}, nil, nil)
					taken[i] += next
				}
				got, err := e.append(nil, 0, 0, []Value{v})
				want, wantErr := general.appendField(nil, &s.fields[0], []Value{v})
				if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
					t.Fatalf("%+v of %d:%q:\n got %x, %v\nwant %x, %v", feature, kind, text, got, err, want, wantErr)
				}
				if err == nil {
					checkNoted(t, got, e.noted, ExampleMessage)
				}
				steps.values.pos.path = steps.values.pos.path[:0] // an error leaves it
				got, _, rowErr := steps.appendSteps(nil, list, &Value{Kind: List, List: []Value{v}})
				want, wantErr = steps.appendStep(nil, list, &v)
				if rowErr == nil && !bytes.Equal(got, want) || (rowErr == nil) != (wantErr == nil) {
					t.Fatalf("a step of %+v of %d:%q:\n got %x, %v\nwant %x, %v", feature, kind, text, got, rowErr,
						want, wantErr)
				}
			}
		}
		if taken[0] == 0 || taken[1] == 0 {
			t.Errorf("%+v: nothing goes the quick way: %d", feature, taken)
		}
	}
}

// FuzzFastPath compares both paths for a string.
func FuzzFastPath(f *testing.F) {
	f.Add("1.5", uint8(0))
	f.Add("-12345678", uint8(3))
	types := []Type{Int64, Uint8, Float, BoolType, BytesType, StringType}
	var schemas []*Schema
	for _, of := range types {
		s, err := Compile(Record{Features: []Feature{{Key: "x", Columns: []string{"x"}, Type: of}}})
		if err != nil {
			f.Fatal(err)
		}
		schemas = append(schemas, s)
	}
	f.Fuzz(func(t *testing.T, text string, i uint8) {
		s := schemas[int(i)%len(schemas)]
		v := Value{Kind: Text, Text: []byte(text)}
		e := newFeatureEncoder(s, newGatherer(s))
		got, gotErr := e.append(nil, 0, 0, []Value{v})
		want, wantErr := newGatherer(s).appendField(nil, &s.fields[0], []Value{v})
		if !bytes.Equal(got, want) || (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%v of %q: got %x, %v; want %x, %v", types[int(i)%len(types)], text, got, gotErr, want, wantErr)
		}
	})
}
