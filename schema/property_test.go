package schema_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"tfr-build/schema"
	"tfr-build/schema/tfpb"
)

// A maker makes random features and random values, most of which fit.
type maker struct {
	*rand.Rand
	extra string // a text that some values have
}

func (m maker) one(of ...string) string { return of[m.IntN(len(of))] }

func (m maker) chance(n int) bool { return m.IntN(n) == 0 }

var types = []schema.Type{
	schema.Int64, schema.Int8, schema.Int16, schema.Int32, schema.Uint8, schema.Uint16, schema.Uint32, schema.Uint64,
	schema.BoolType, schema.Float, schema.BytesType, schema.StringType,
}

func (m maker) feature(key string) schema.Feature {
	f := schema.Feature{Key: key, Type: types[m.IntN(len(types))], Columns: []string{m.one("a", "b", "c")}}
	switch m.IntN(8) {
	case 0:
		f.Shape = [][]int{{-1}, {2}, {1}, {2, 3}, {-1, 2}, {1, 1}, {2, 1, 2}}[m.IntN(7)]
	case 1:
		f.Shape, f.Separator = [][]int{{-1}, {3}, {-1, 2}}[m.IntN(3)], m.one(";", "||")
	case 2:
		f.Columns, f.Shape = []string{"a", "b"}, [][]int{{2}, {-1}, {1, 2}, {-1, 2}}[m.IntN(4)]
	case 3:
		f.Repeat, f.Shape = m.one("a", "b", "list"), [][]int{{-1}, {2}}[m.IntN(2)]
	}
	if m.chance(4) {
		f.NullValues = []string{"NA", m.one("-", "7", "red")}
	}
	switch {
	case f.Type == schema.Int64 && m.chance(2):
		f.Classes = m.classes()
	case f.Type.IsInteger():
		f.IntFromFloat = m.chance(3)
	case f.Type == schema.Float:
		f.AllowNonfinite = m.chance(3)
	case f.Type == schema.BytesType && m.chance(3):
		f.Encoding = schema.Base64 + schema.Encoding(m.IntN(2))
	}
	m.setMissing(&f)
	if len(f.Columns) == 1 && f.Separator == "" && (f.Shape == nil || f.Repeat != "") && m.chance(8) {
		v := m.fitting(f)
		f.Columns, f.Constant, f.Default = nil, &v, nil
		if f.OnMissing == schema.MissingDefault {
			f.OnMissing = schema.MissingOmit
		}
	}
	return f
}

func (m maker) setMissing(f *schema.Feature) {
	f.OnMissing = schema.OnMissing(m.IntN(4))
	switch {
	case f.OnMissing == schema.MissingEmptyList && (len(f.Shape) != 1 || f.Shape[0] != -1):
		f.OnMissing = schema.MissingOmit
	case f.OnMissing == schema.MissingDefault:
		v := m.fitting(*f)
		f.Default = &v
	}
}

func (m maker) classes() *schema.Classes {
	c := &schema.Classes{Names: []string{"red", "green", "blue", "7"}, First: int64(m.IntN(3)) - 1}
	if m.chance(2) {
		for i := range 40 {
			c.Names = append(c.Names, fmt.Sprint("colour", i))
		}
	}
	if m.chance(3) {
		other := int64(-5)
		c.Unknown = &other
	}
	return c
}

// fitting makes a text that f can be made of.
func (m maker) fitting(f schema.Feature) schema.Value {
	s := strings.ToValidUTF8(m.text(), "?")
	switch {
	case f.Classes != nil:
		s = m.one("red", "green", "blue", "7")
	case f.Type.IsInteger() || f.Type == schema.BoolType:
		s = m.one("0", "1")
	case f.Type == schema.Float:
		s = m.one("0", "-1.5", "1e-3", "3.14159265358979")
	case f.Encoding == schema.Base64:
		s = base64.StdEncoding.EncodeToString([]byte(s))
	case f.Encoding == schema.Hex:
		s = hex.EncodeToString([]byte(s))
	}
	return text(s)
}

// suiting makes the value of a column of f, of the right form.
func (m maker) suiting(f schema.Feature) schema.Value {
	if len(f.Columns) != 1 || f.Repeat != "" || len(f.Shape) == 0 || f.Separator != "" && m.chance(4) {
		return m.fitting(f)
	}
	inner := schema.Value{Kind: schema.List}
	n := f.Shape[0]
	if n < 0 {
		n = m.IntN(4)
	}
	f.Shape = f.Shape[1:]
	if f.Separator == "" {
		for range n {
			inner.List = append(inner.List, m.suiting(f))
		}
		return inner
	}
	if len(f.Shape) > 0 {
		n *= f.Shape[0]
	}
	var parts []string
	for range n {
		parts = append(parts, string(m.fitting(f).Text))
	}
	return text(strings.Join(parts, f.Separator))
}

func (m maker) text() string {
	switch m.IntN(6) {
	case 0:
		return strings.Repeat("é", m.IntN(100))
	case 1:
		return strings.Repeat("x", m.IntN(1<<m.IntN(18)))
	}
	return m.one("goat", "", "red", "NA", m.extra)
}

func (m maker) number() string {
	switch m.IntN(6) {
	case 0:
		return strconv.FormatInt(int64(m.Uint64())>>m.IntN(64), 10)
	case 1:
		return strconv.FormatUint(m.Uint64(), 10)
	case 2:
		return m.one("-0", "0", "7", "-1", "127", "128", "255", "256", "-129", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809")
	case 3:
		return strconv.FormatFloat(m.NormFloat64()*100, 'f', m.IntN(8), 64)
	case 4:
		return strconv.FormatFloat(m.NormFloat64()*100, 'e', m.IntN(20), 64)
	}
	return m.one("180.0", "1.8e2", "1800e-1", "1.5", "1e40", "1e-50", "0.0", "1e30", "123456789012345678901234567890", "9223372036854775807.0", "9223372036854775808.0")
}

func (m maker) scalar() schema.Value {
	switch m.IntN(10) {
	case 0:
		return schema.Value{}
	case 1:
		return schema.Value{Kind: schema.Bool, Text: []byte(m.one("true", "false"))}
	case 2:
		return schema.Value{Kind: schema.Bytes, Text: []byte(m.text() + m.one("\xff", ""))}
	case 3, 4:
		return schema.Value{Kind: schema.Number, Text: []byte(m.number())}
	case 5:
		return schema.Value{Kind: schema.String, Text: []byte(m.one(m.text(), m.number(), "NaN"))}
	case 6:
		return text(m.one("+5", "007", "-", "+", ".", "1.", ".5", "-.5e1", "1e", "0x10", "1_0", "TRUE", "False", "nan", "-Inf", "+infinity", "1e400", "\xff", "Z29hdA==", "Z29hdA", "676f", "67g", "3.5e38"))
	case 7:
		return text(m.text())
	}
	return text(m.number())
}

func (m maker) value() schema.Value {
	switch m.IntN(6) {
	case 0:
		return schema.Value{Kind: schema.List, List: m.list(2)}
	case 1:
		var parts []string
		for range m.IntN(5) {
			parts = append(parts, string(m.scalar().Text))
		}
		return text(strings.Join(parts, m.one(";", "||")))
	}
	return m.scalar()
}

func (m maker) list(depth int) []schema.Value {
	list := make([]schema.Value, m.IntN(4))
	kind := m.IntN(3)
	for i := range list {
		switch {
		case depth > 0 && kind == 0 && !m.chance(8):
			list[i] = schema.Value{Kind: schema.List, List: m.list(depth - 1)}
		case kind == 1:
			list[i] = schema.Value{Kind: schema.Number, Text: []byte("1")}
		default:
			list[i] = m.scalar()
		}
	}
	return list
}

// checkRow compares what the encoder makes of random rows with the oracle.
func checkRows(t *testing.T, m maker, rows int) (good int) {
	features := make([]schema.Feature, 1+m.IntN(4))
	for i := range features {
		features[i] = m.feature(fmt.Sprint(m.one("a/", "key", "é", "", strings.Repeat("long", 10)), i))
	}
	s, err := schema.Compile(features)
	if err != nil {
		t.Fatalf("%v\n%+v", err, features)
	}
	e := s.NewEncoder()
	for range rows {
		vals := make([]schema.Value, len(s.Columns()))
		for i := range vals {
			if vals[i] = m.value(); m.chance(4) {
				continue
			}
			for _, f := range features {
				if slices.Contains(f.Columns, s.Columns()[i].Name) {
					vals[i] = m.suiting(f)
				}
			}
		}
		want, wantErr := oracle(features, s.Columns(), vals)
		before := make([]byte, m.IntN(5), 5+m.IntN(200))
		got, gotErr := e.Append(before, vals)
		if describe(gotErr) != describe(wantErr) || !bytes.Equal(got[len(before):], want) {
			t.Fatalf("columns %v, values %v\nencoder %x, %v\noracle  %x, %v\n%+v", s.Columns(), vals, got[len(before):], gotErr, want, wantErr, features)
		}
		if gotErr == nil {
			good++
			if err := proto.Unmarshal(got[len(before):], &tfpb.Example{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return good
}

func describe(err error) string {
	var row *schema.RowError
	var code fault
	switch {
	case err == nil:
		return "no error"
	case errors.As(err, &row):
		return row.Code
	case errors.As(err, &code):
		return string(code)
	}
	return err.Error()
}

func TestAppendEqualsProtobuf(t *testing.T) {
	const schemas, rows = 4000, 20
	good := 0
	for seed := range uint64(schemas) {
		good += checkRows(t, maker{rand.New(rand.NewPCG(seed, 1)), "x"}, rows)
	}
	if good < schemas*rows/4 {
		t.Errorf("only %d of %d rows were good: the test says little", good, schemas*rows)
	}
	t.Logf("%d good rows", good)
}

func FuzzAppend(f *testing.F) {
	for i, s := range []string{"", "1", "-0", "1.5", "1e3", "007", "nan", "Z29hdA==", "676f6174", "\xff", "a;b", "16777217", "2.5e-45", "0.00000000000000000000000000000000000001"} {
		f.Add(uint64(i), s)
	}
	f.Fuzz(func(t *testing.T, seed uint64, s string) {
		if hugeExponent.MatchString(s) {
			return // the oracle's big numbers would take for ever
		}
		checkRows(t, maker{rand.New(rand.NewPCG(seed, 2)), s}, 10)
	})
}
