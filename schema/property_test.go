package schema_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/schema/date"
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
	schema.BoolType, schema.Float, schema.Float64, schema.BytesType, schema.StringType, schema.Float16, schema.Bfloat16,
}

// target returns the message of a feature, and whether it is in a feature list.
type target struct {
	steps bool // in a feature list
}

func (m maker) feature(key string, at target) schema.Feature {
	f := schema.Feature{Key: key, Type: types[m.IntN(len(types))], Columns: []string{m.one("a", "b", "c")}}
	isText := f.Type == schema.BytesType || f.Type == schema.StringType
	switch {
	case f.Type == schema.Float16 || f.Type == schema.Bfloat16 || !isText && m.chance(8):
		f.Raw = m.chance(2)
		f.Tensor = !f.Raw
	case m.chance(12):
		f.Tensor = true
	}
	if at.steps {
		m.setSteps(&f)
	} else {
		m.setList(&f)
	}
	if m.chance(4) {
		f.NullValues = []string{"NA", m.one("-", "7", "red")}
	}
	switch {
	case f.Type == schema.Int64 && m.chance(2):
		f.Classes = m.classes()
		f.IntFromFloat = f.Classes.Numbers && m.chance(3)
	case f.Type == schema.Int64 && m.chance(3):
		f.Date = &schema.Date{Format: "%Y-%m-%d", Unit: date.Days}
	case f.Type.IsInteger():
		f.IntFromFloat = m.chance(3)
	case f.Type.IsFloat():
		f.AllowNonfinite = m.chance(3)
	case f.Type == schema.BytesType && m.chance(3):
		f.Encoding = schema.Base64 + schema.Encoding(m.IntN(2))
	}
	if f.Encoding == schema.Plain && f.Separator == "" && m.chance(8) {
		f.Encoding = schema.JSON
	}
	if f.Classes == nil && f.Date == nil && (f.Encoding == schema.Plain || f.Encoding == schema.JSON) && m.chance(8) {
		values := []schema.Value{m.fitting(f), m.fitting(f), m.fitting(f), m.fitting(f)}
		f.Map = &schema.Map{Strings: []string{"yes", "no", m.one("", "7")}, Values: values[:3]}
		if m.chance(3) {
			f.Map.Unknown = &values[3]
		}
	}
	m.setMissing(&f, at)
	m.setPad(&f, at)
	if m.setMultiHot(&f, at) {
		return f
	}
	isConstant := len(f.Columns) == 1 && f.Separator == "" && f.Encoding != schema.JSON && f.Map == nil &&
		(f.Shape == nil && !at.steps || f.Repeat != "") && m.chance(8)
	if isConstant && (!at.steps || f.Shape == nil) {
		v := m.fitting(f)
		f.Columns, f.Constant, f.Default, f.OnMissing, f.NullValues = nil, &v, nil, schema.MissingError, nil
	}
	return f
}

// setSteps chooses the source of the steps of a feature list.
func (m maker) setSteps(f *schema.Feature) {
	switch m.IntN(6) {
	case 0:
		f.Shape = [][]int{{-1}, {2}, {2, 2}, {-1, 2}}[m.IntN(4)]
	case 1:
		f.Separator = m.one(";", "||")
	case 2:
		f.Columns = []string{"a", "b"}
	case 3:
		f.Repeat = m.one("a", "b", "list")
	}
}

// setList chooses the shape of a feature, and the source of its values.
func (m maker) setList(f *schema.Feature) {
	switch m.IntN(9) {
	case 0:
		f.Shape = [][]int{{-1}, {2}, {1}, {2, 3}, {-1, 2}, {1, 1}, {2, 1, 2}}[m.IntN(7)]
	case 1:
		f.Shape, f.Separator = [][]int{{-1}, {3}, {-1, 2}}[m.IntN(3)], m.one(";", "||")
	case 2:
		f.Columns, f.Shape = []string{"a", "b"}, [][]int{{2}, {-1}, {1, 2}, {-1, 2}}[m.IntN(4)]
	case 3:
		f.Repeat, f.Shape = m.one("a", "b", "list"), [][]int{{-1}, {2}}[m.IntN(2)]
	case 4:
		if !f.Tensor && !f.Raw {
			f.Shape = [][]int{{-1, -1}, {-1, -1, 2}, {-1, -1, -1}}[m.IntN(3)]
		}
	}
}

func (m maker) setMissing(f *schema.Feature, at target) {
	f.OnMissing = schema.OnMissing(m.IntN(4))
	switch {
	case f.OnMissing == schema.MissingEmptyList && !at.steps && !f.IsRagged() &&
		(len(f.Shape) != 1 || f.Shape[0] != -1):
		f.OnMissing = schema.MissingOmit
	case f.OnMissing == schema.MissingDefault:
		v := m.fitting(*f)
		f.Default = &v
	}
}

// setPad makes a feature whose lists may be padded or cut.
func (m maker) setPad(f *schema.Feature, at target) {
	if len(f.Shape) != 1 || f.Shape[0] < 1 || len(f.Columns) > 1 && !at.steps || m.chance(2) {
		return
	}
	if f.Truncate = m.chance(2); !f.Truncate || m.chance(2) {
		v := m.fitting(*f)
		f.Pad = &v
	}
}

// setMultiHot makes a vector with a place for each class. It reports whether it does.
func (m maker) setMultiHot(f *schema.Feature, at target) bool {
	plain := f.Encoding == schema.Plain || f.Encoding == schema.JSON
	if f.Type != schema.Int64 && f.Type != schema.Float || f.Date != nil || f.Map != nil || !plain || f.Repeat != "" ||
		f.IsRagged() || f.AllowNonfinite || at.steps && f.Separator != "" || m.chance(2) {
		return false
	}
	if f.MultiHot = f.Classes; f.MultiHot == nil {
		f.MultiHot, f.IntFromFloat = m.classes(), false
	}
	f.Classes, f.Pad, f.Truncate, f.Shape = nil, nil, false, []int{len(f.MultiHot.Names)}
	f.Default = nil
	m.setMissing(f, at)
	if f.OnMissing == schema.MissingDefault && at.steps {
		f.OnMissing, f.Default = schema.MissingError, nil
	}
	return true
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
	c.Numbers = m.chance(3)
	return c
}

// fitting returns a string that is valid for f.
func (m maker) fitting(f schema.Feature) schema.Value {
	s := strings.ToValidUTF8(m.text(), "?")
	if f.MultiHot != nil {
		f.Classes = f.MultiHot
	}
	switch {
	case f.Map != nil:
		s = m.one("yes", "no")
	case f.Classes != nil && f.Classes.Numbers:
		s = m.one("1", "2")
	case f.Classes != nil:
		s = m.one("red", "green", "blue", "7")
	case f.Date != nil:
		s = m.one("2024-02-29", "1969-12-31")
	case f.Type.IsInteger() || f.Type == schema.BoolType:
		s = m.one("0", "1")
	case f.Type.IsFloat():
		s = m.one("0", "-1.5", "1e-3", "3.14159265358979")
	case f.Encoding == schema.Base64:
		s = base64.StdEncoding.EncodeToString([]byte(s))
	case f.Encoding == schema.Hex:
		s = hex.EncodeToString([]byte(s))
	}
	return text(s)
}

// suiting returns a value of the right form for a column of f.
func (m maker) suiting(f schema.Feature) schema.Value {
	if len(f.Columns) != 1 || f.Repeat != "" || len(f.Shape) == 0 || f.Separator != "" && m.chance(4) {
		return m.fitting(f)
	}
	if f.MultiHot != nil {
		f.Shape = []int{-1}
	}
	if f.Separator == "" && m.chance(4) {
		return m.array(m.IntN(9))
	}
	inner := schema.Value{Kind: schema.List}
	n := f.Shape[0]
	if n < 0 || f.Pad != nil || f.Truncate {
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
	return m.one("goat", "", "red", "NA", "2024-2-29", "2023-02-29", m.extra)
}

func (m maker) number() string {
	switch m.IntN(6) {
	case 0:
		return strconv.FormatInt(int64(m.Uint64())>>m.IntN(64), 10)
	case 1:
		return strconv.FormatUint(m.Uint64(), 10)
	case 2:
		return m.one("-0", "0", "7", "-1", "127", "128", "255", "256", "-129", "9223372036854775807",
			"9223372036854775808", "-9223372036854775808", "-9223372036854775809")
	case 3:
		return strconv.FormatFloat(m.NormFloat64()*100, 'f', m.IntN(8), 64)
	case 4:
		return strconv.FormatFloat(m.NormFloat64()*100, 'e', m.IntN(20), 64)
	}
	return m.one("180.0", "1.8e2", "1800e-1", "1.5", "1e40", "1e-50", "0.0", "1e30", "123456789012345678901234567890",
		"9223372036854775807.0", "9223372036854775808.0")
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
		return text(m.one("+5", "007", "-", "+", ".", "1.", ".5", "-.5e1", "1e", "0x10", "1_0", "TRUE", "False", "nan",
			"-Inf", "+infinity", "1e400", "\xff", "Z29hdA==", "Z29hdA", "676f", "67g", "3.5e38"))
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
	if m.chance(8) {
		return m.array(m.IntN(5))
	}
	if m.chance(16) {
		return schema.Value{Kind: schema.List, Elem: schema.BytesType, List: m.list(0)}
	}
	return m.scalar()
}

// array returns n numbers of one type.
func (m maker) array(n int) schema.Value {
	elems := []schema.Type{
		schema.BoolType, schema.Uint8, schema.Int8, schema.Uint16, schema.Int16, schema.Uint32, schema.Int32,
		schema.Uint64, schema.Int64,
		schema.Float, schema.Float64, schema.Float16, schema.Bfloat16,
	}
	v := schema.Value{Kind: schema.Array, Elem: elems[m.IntN(len(elems))]}
	small := m.chance(2)
	for range n {
		x := m.Uint64() >> m.IntN(64)
		if small {
			x = m.Uint64N(3)
		}
		switch v.Elem {
		case schema.BoolType:
			v.Text = append(v.Text, byte(x&1))
		case schema.Uint8, schema.Int8:
			v.Text = append(v.Text, byte(x))
		case schema.Uint16, schema.Int16:
			v.Text = binary.LittleEndian.AppendUint16(v.Text, uint16(x))
		case schema.Uint32, schema.Int32:
			v.Text = binary.LittleEndian.AppendUint32(v.Text, uint32(x))
		case schema.Uint64, schema.Int64:
			v.Text = binary.LittleEndian.AppendUint64(v.Text, x)
		default:
			v.Text = m.appendFloat(v.Text, v.Elem, x, small)
		}
	}
	return v
}

// appendFloat appends a float. All nans have the bits that most processors produce.
func (m maker) appendFloat(data []byte, t schema.Type, x uint64, small bool) []byte {
	f := m.NormFloat64() * float64(x)
	if small {
		f = []float64{0, 1, -2.5, 180, math.Inf(-1), math.NaN(), 1e-50, 70000, -1 << 53}[m.IntN(9)]
	}
	switch t {
	case schema.Float:
		if math.IsNaN(f) {
			return binary.LittleEndian.AppendUint32(data, 0x7fc00000)
		}
		return binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(f)))
	case schema.Float64:
		if math.IsNaN(f) {
			return binary.LittleEndian.AppendUint64(data, 0x7ff8000000000000)
		}
		return binary.LittleEndian.AppendUint64(data, math.Float64bits(f))
	}
	bits := uint16(m.Uint64())
	if math.IsNaN(float16Values(t)(bits)) {
		bits = nonfinite(t, math.NaN()).(uint16)
	}
	return binary.LittleEndian.AppendUint16(data, bits)
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
		case depth > 0 && kind == 2 && m.chance(3):
			list[i] = m.array(m.IntN(4))
		default:
			list[i] = m.scalar()
		}
	}
	return list
}

// record returns a random record.
func (m maker) record() schema.Record {
	r := schema.Record{Message: []schema.Message{schema.ExampleMessage, schema.SequenceMessage,
		schema.OFRecordMessage}[m.IntN(3)], Free: m.chance(3)}
	key := func(i int) string {
		return fmt.Sprint(m.one("a/", "key", "é", "", strings.Repeat("long", 10)), i)
	}
	n := 1 + m.IntN(4)
	if r.Message == schema.SequenceMessage {
		for i := range 1 + m.IntN(3) {
			r.Sequence = append(r.Sequence, m.feature(key(10+i), target{steps: true}))
		}
		n = m.IntN(3)
	}
	for i := range n {
		r.Features = append(r.Features, m.feature(key(i), target{}))
	}
	if r.Message == schema.OFRecordMessage {
		r.Features = append(r.Features, schema.Feature{Key: "there", Type: schema.Int8, Constant: ptr(text("-3"))})
	}
	return r
}

// checkRows compares the encoder with the oracle for random rows.
func checkRows(t *testing.T, m maker, rows int) (good int) {
	r := m.record()
	s, err := schema.Compile(r)
	if err != nil {
		t.Fatalf("%v\n%+v", err, r)
	}
	e := s.NewEncoder()
	for range rows {
		vals := make([]schema.Value, len(s.Columns()))
		for i := range vals {
			if vals[i] = m.value(); m.chance(4) {
				continue
			}
			for _, f := range r.Features {
				if slices.Contains(f.Columns, s.Columns()[i].Name) {
					vals[i] = m.suiting(f)
				}
			}
			for _, f := range r.Sequence {
				if slices.Contains(f.Columns, s.Columns()[i].Name) {
					vals[i] = m.stepsFor(f)
				}
			}
		}
		want, wantErr := oracle(s.Record(), s.Columns(), vals)
		before := make([]byte, m.IntN(5), 5+m.IntN(200))
		got, gotErr := e.Append(before, vals)
		if describe(gotErr) != describe(wantErr) || !bytes.Equal(got[len(before):], want) {
			t.Fatalf("columns %v, values %s\nencoder %x, %v\noracle  %x, %v\n%+v", s.Columns(), shown(vals),
				got[len(before):], gotErr, want, wantErr, r)
		}
		if gotErr == nil {
			good++
			if r.Message == schema.ExampleMessage {
				if err := proto.Unmarshal(got[len(before):], &tfpb.Example{}); err != nil {
					t.Fatal(err)
				}
				checkJSON(t, r, vals, got[len(before):])
			}
		}
	}
	return good
}

// stepsFor returns a value of the right form for a column of a feature list.
func (m maker) stepsFor(f schema.Feature) schema.Value {
	step := f
	step.Separator = ""
	const steps = 2 // so that lists are of one length
	switch {
	case len(f.Columns) > 1 || f.Repeat != "":
		return m.suiting(step)
	case f.Separator != "":
		return text(string(m.fitting(f).Text) + f.Separator + string(m.fitting(f).Text))
	case m.chance(8):
		return m.array(steps * max(1, oracleSize(f.Shape)))
	}
	v := schema.Value{Kind: schema.List}
	for range steps {
		step.Columns, step.Repeat = []string{"step"}, ""
		v.List = append(v.List, m.suiting(step))
	}
	return v
}

// shown returns values as a message has them.
func shown(vals []schema.Value) string {
	var parts []string
	for _, v := range vals {
		part := fmt.Sprintf("%d:%.40q", v.Kind, v.Text)
		if v.Kind == schema.List {
			part = "(" + shown(v.List) + ")"
		}
		if v.Elem != 0 {
			part += v.Elem.String()
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
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
	const rows = 20
	schemas := testenv.Times(300, 2500, 100000)
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
	for i, s := range []string{"", "1", "-0", "1.5", "1e3", "007", "nan", "Z29hdA==", "676f6174", "\xff", "a;b",
		"16777217", "2.5e-45", "0.00000000000000000000000000000000000001"} {
		f.Add(uint64(i), s)
	}
	f.Fuzz(func(t *testing.T, seed uint64, s string) {
		if hugeExponent.MatchString(s) {
			return // the oracle's big numbers would take for ever
		}
		checkRows(t, maker{rand.New(rand.NewPCG(seed, 2)), s}, 10)
	})
}
