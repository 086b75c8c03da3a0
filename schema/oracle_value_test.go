package schema_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tfr-build/schema"
)

func oracleValue(f schema.Feature, v schema.Value) (any, error) {
	text := string(v.Text)
	switch {
	case v.Kind == schema.Array:
		elems := expand(f, v).List
		if len(elems) != 1 {
			return nil, fault("SHAPE")
		}
		return oracleValue(f, elems[0])
	case v.Kind == schema.Missing || v.Kind == schema.Object:
		return nil, fault("TYPE")
	case v.Kind == schema.List:
		return nil, fault("SHAPE")
	case f.Map != nil:
		if v.Kind == schema.Bytes {
			return nil, fault("TYPE")
		}
		m := f.Map
		f.Map = nil
		if i := slices.Index(m.Strings, text); i >= 0 {
			return oracleValue(f, m.Values[i])
		}
		if m.Unknown != nil {
			return oracleValue(f, *m.Unknown)
		}
		return nil, fault("MAP_UNKNOWN")
	case f.Date != nil:
		return oracleDate(v)
	case f.Classes != nil && f.Classes.Numbers && v.Kind != schema.String && v.Kind != schema.Bytes:
		return oracleClassNumber(f, v)
	case f.Classes != nil && !f.Classes.Numbers:
		if v.Kind == schema.Bytes {
			return nil, fault("TYPE")
		}
		if i := slices.Index(f.Classes.Names, text); i >= 0 {
			return f.Classes.First + int64(i), nil
		}
		if f.Classes.Unknown != nil {
			return *f.Classes.Unknown, nil
		}
		return nil, fault("LABEL_UNKNOWN")
	case f.Type.IsFloat():
		return oracleFloat(f, v)
	case f.Type == schema.BytesType || f.Type == schema.StringType:
		return oracleBytes(f, v)
	case v.Kind == schema.String || v.Kind == schema.Bytes:
		return nil, fault("TYPE")
	case f.Type == schema.BoolType:
		if x := slices.Index([]string{"0", "1", "false", "true"}, strings.ToLower(text)); x >= 0 {
			return int64(x % 2), nil
		}
		return nil, fault("BOOL_SYNTAX")
	case v.Kind == schema.Bool:
		return map[string]int64{"true": 1, "false": 0}[text], nil
	}
	return oracleInt(f, text)
}

var (
	intSyntax     = regexp.MustCompile(`^[-+]?[0-9]+$`)
	decimalSyntax = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
	hugeExponent  = regexp.MustCompile(`[eE][-+]?0*[1-9][0-9]{3,}$`)
)

func oracleInt(f schema.Feature, text string) (any, error) {
	if !intSyntax.MatchString(text) && !(f.IntFromFloat && decimalSyntax.MatchString(text)) {
		return nil, fault("INT_SYNTAX")
	}
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fault("INT_SYNTAX")
	}
	lowest := map[schema.Type]int64{schema.Int64: math.MinInt64, schema.Int32: -1 << 31, schema.Int16: -1 << 15,
		schema.Int8: -1 << 7}[f.Type]
	highest := map[schema.Type]int64{schema.Int64: math.MaxInt64, schema.Int32: 1<<31 - 1, schema.Int16: 1<<15 - 1,
		schema.Int8:   1<<7 - 1,
		schema.Uint64: math.MaxInt64, schema.Uint32: 1<<32 - 1, schema.Uint16: 1<<16 - 1,
		schema.Uint8: 1<<8 - 1}[f.Type]
	if whole := new(big.Rat).SetUint64(math.MaxUint64); f.Type == schema.Uint64 && (f.Tensor || f.Raw) && x.IsInt() {
		if x.Sign() < 0 || x.Cmp(whole) > 0 {
			return nil, fault("INT_RANGE")
		}
		return int64(x.Num().Uint64()), nil
	}
	switch {
	case !x.IsInt():
		return nil, fault("INT_SYNTAX")
	case x.Cmp(new(big.Rat).SetInt64(lowest)) < 0 || x.Cmp(new(big.Rat).SetInt64(highest)) > 0:
		return nil, fault("INT_RANGE")
	}
	return x.Num().Int64(), nil
}

// nonfinite returns x, which is not finite, as a value of type t.
func nonfinite(t schema.Type, x float64) any {
	switch {
	case t == schema.Float16 || t == schema.Bfloat16:
	case math.IsNaN(x):
		return math.Float64frombits(0x7ff8000000000000) // Go's has other bits
	default:
		return x
	}
	bits := map[schema.Type]uint16{schema.Float16: 0x7c00, schema.Bfloat16: 0x7f80}[t]
	switch {
	case math.IsNaN(x):
		return bits | bits>>1&^bits
	case x < 0:
		return bits | 1<<15
	}
	return bits
}

func oracleClassNumber(f schema.Feature, v schema.Value) (any, error) {
	plain := f
	plain.Classes = nil
	x, err := oracleValue(plain, v)
	if err != nil && err != error(fault("INT_RANGE")) {
		return nil, err
	}
	if n, ok := x.(int64); ok && f.Classes.First <= n && n < f.Classes.First+int64(len(f.Classes.Names)) {
		return n, nil
	}
	if f.Classes.Unknown != nil {
		return *f.Classes.Unknown, nil
	}
	return nil, fault("LABEL_RANGE")
}

func oracleFloat(f schema.Feature, v schema.Value) (any, error) {
	text := string(v.Text)
	if v.Kind == schema.Text || v.Kind == schema.String {
		word := strings.ToLower(strings.TrimLeft(text, "+-"))
		signs := len(text) - len(word)
		if word == "nan" && signs == 0 || (word == "inf" || word == "infinity") && signs <= 1 {
			if !f.AllowNonfinite {
				return nil, fault("FLOAT_NONFINITE")
			}
			x, _ := strconv.ParseFloat(text, 64)
			return nonfinite(f.Type, x), nil
		}
	}
	if v.Kind != schema.Text && v.Kind != schema.Number {
		return nil, fault("TYPE")
	}
	if !decimalSyntax.MatchString(text) {
		return nil, fault("FLOAT_SYNTAX")
	}
	switch {
	case f.Type == schema.Float16 || f.Type == schema.Bfloat16:
		return oracleFloat16(f.Type, text)
	case f.Type == schema.Float64 && (f.Tensor || f.Raw):
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fault("FLOAT_RANGE")
		}
		return x, nil
	}
	x, err := strconv.ParseFloat(text, 32)
	if err != nil {
		return nil, fault("FLOAT_RANGE")
	}
	return x, nil
}

func oracleBytes(f schema.Feature, v schema.Value) (any, error) {
	text := v.Text
	switch {
	case v.Kind == schema.Bool,
		v.Kind == schema.Number && f.Type == schema.BytesType,
		v.Kind == schema.Bytes && (f.Encoding == schema.Base64 || f.Encoding == schema.Hex):
		return nil, fault("TYPE")
	case f.Type == schema.StringType && (v.Kind == schema.Text || v.Kind == schema.Bytes) && !utf8.Valid(text):
		return nil, fault("UTF8_INVALID")
	case f.Encoding == schema.Base64:
		x, err := base64.StdEncoding.Strict().DecodeString(string(text))
		if err != nil || bytes.ContainsAny(text, "\r\n") {
			return nil, fault("BASE64")
		}
		return x, nil
	case f.Encoding == schema.Hex:
		x, err := hex.DecodeString(string(text))
		if err != nil {
			return nil, fault("HEX")
		}
		return x, nil
	}
	return text, nil
}

// dateForm is the format of dates in these tests.
var dateForm = regexp.MustCompile(`^\d{4}-\d\d?-\d\d?$`)

// oracleDate parses a date with package time, and returns its day number.
func oracleDate(v schema.Value) (any, error) {
	if v.Kind == schema.Bytes || v.Kind == schema.Bool {
		return nil, fault("TYPE")
	}
	if !dateForm.Match(v.Text) {
		return nil, fault("DATE_SYNTAX")
	}
	at, err := time.Parse("2006-1-2", string(v.Text))
	if err != nil {
		return nil, fault("DATE_VALUE")
	}
	return at.Unix() / (24 * 60 * 60), nil
}
