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
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

func oracleValue(f schema.Feature, v schema.Value) (any, error) {
	text := string(v.Text)
	switch {
	case v.Kind == schema.Missing || v.Kind == schema.Object:
		return nil, fault("TYPE")
	case v.Kind == schema.List:
		return nil, fault("SHAPE")
	case f.Classes != nil:
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
	case f.StoredAs(schema.ExampleMessage) == message.BytesList:
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
	lowest := map[schema.Type]int64{schema.Int64: math.MinInt64, schema.Int32: -1 << 31, schema.Int16: -1 << 15, schema.Int8: -1 << 7}[f.Type]
	highest := map[schema.Type]int64{schema.Int64: math.MaxInt64, schema.Int32: 1<<31 - 1, schema.Int16: 1<<15 - 1, schema.Int8: 1<<7 - 1,
		schema.Uint64: math.MaxInt64, schema.Uint32: 1<<32 - 1, schema.Uint16: 1<<16 - 1, schema.Uint8: 1<<8 - 1}[f.Type]
	switch {
	case !x.IsInt():
		return nil, fault("INT_SYNTAX")
	case x.Cmp(new(big.Rat).SetInt64(lowest)) < 0 || x.Cmp(new(big.Rat).SetInt64(highest)) > 0:
		return nil, fault("INT_RANGE")
	}
	return x.Num().Int64(), nil
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
			x, _ := strconv.ParseFloat(text, 32)
			return float32(x), nil
		}
	}
	if v.Kind != schema.Text && v.Kind != schema.Number {
		return nil, fault("TYPE")
	}
	if !decimalSyntax.MatchString(text) {
		return nil, fault("FLOAT_SYNTAX")
	}
	x, err := strconv.ParseFloat(text, 32)
	if err != nil {
		return nil, fault("FLOAT_RANGE")
	}
	return float32(x), nil
}

func oracleBytes(f schema.Feature, v schema.Value) (any, error) {
	text := v.Text
	switch {
	case v.Kind == schema.Bool,
		v.Kind == schema.Number && f.Type == schema.BytesType,
		v.Kind == schema.Bytes && f.Encoding != schema.Plain:
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
