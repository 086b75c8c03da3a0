package message

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// JSON that the parser accepts although AppendJSON does not print it.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		kind Kind
		want string
	}{
		{` { "features" : { "feature" : { "a" : { "int64_list" : { "value" : [ 1 , "1" , 3 ] } } } } } ` + "\r\n",
			Example, "0a0e0a0c0a016112071a050a03010103"},
		{`{"features":{"feature":{"a":{"int64List":{"value":[-1,"-0"]}}}}}`, Example,
			"0a160a140a0161120f1a0d0a0bffffffffffffffffff0100"},
		{`{"features":{"feature":{"a":{"int64List":{"value":[1.0,"1e2",-100E-2,0.30e+1,-0.0,0e99999999999]}}}}}`,
			Example, "0a1a0a180a016112131a110a0f0164ffffffffffffffffff01030000"},
		{`{"features":{"feature":{"a":{"int64List":{"value":[-9223372036854775808.0,92233720368547758070e-1]}}}}}`,
			Example, "0a1e0a1c0a016112171a150a1380808080808080808001ffffffffffffffff7f"},
		{`{"features":{"feature":{"a":{"bytesList":{"value":["-_8","-_8=","+/8=","\u002b\/8="]}}}}}`, Example,
			"0a190a170a016112120a100a02fbff0a02fbff0a02fbff0a02fbff"},
		{`{"features":{"feature":{"a":{"floatList":{"value":["0.5",5e-1,"NaN",-0.0]}}}}}`, Example,
			"0a1b0a190a0161121412120a100000003f0000003f0000c07f00000080"},
		{`{"features":{"feature":{"\u00e9\ud83d\ude00\n\"":{}}}}`, Example, "0a0e0a0c0a08c3a9f09f98800a221200"},
		// in the order of the line
		{`{"features":{"feature":{"b":{},"a":{}}}}`, Example, "0a0e0a050a016212000a050a01611200"},
		{`{"features":null}`, Example, ""},
		{`{"features":{"feature":null}}`, Example, "0a00"},
		{`{"features":{"feature":{"a":{"bytesList":null,"floatList":{"value":null}}}}}`, Example,
			"0a090a070a016112021200"},
		{`{"feature_lists":{"feature_list":{"a":{"feature":[{}]}}},"context":{"feature":{"b":{}}}}`, SequenceExample,
			"0a070a050a0162120012090a070a016112020a00"},
		{`{"featureLists":{"featureList":{"a":{}}}}`, SequenceExample, "12070a050a01611200"},
		{`{"context":{}}`, SequenceExample, "0a00"},
		{`{"feature":{"a":{"int32_list":{"value":["-2147483648",2147483647]}},"b":{"doubleList":{"value":[1e308,"NaN"]}}}}`,
			OFRecord,
			"0a180a0161121322110a0f80808080f8ffffffff01ffffffff070a190a016212141a120a10a0c8eb85f3cce17f000000000000f87f"},
		{`{"payload":""}`, None, ""},
		{`{"payload":"bm8"}`, None, "6e6f"},
		{`{}`, None, ""},
		{`{"payload":"Cg8KDQoBYRIIGgYIAQgBCAM=","features":{"feature":{"a":{"int64List":{"value":["1","1","3"]}}}}}`,
			Example, "0a0f0a0d0a016112081a06080108010803"},
	} {
		var p Parser
		got, kind, err := p.Parse(nil, []byte(c.line))
		if err != nil || hex.EncodeToString(got) != c.want || kind != c.kind {
			t.Errorf("%s is\n%v %x, %v, want\n%v %s", c.line, kind, got, err, c.kind, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	feature := func(value string) string { return `{"features":{"feature":{"a":` + value + `}}}` }
	ints := func(value string) string { return feature(`{"int64List":{"value":[` + value + `]}}`) }
	floats := func(value string) string { return feature(`{"floatList":{"value":[` + value + `]}}`) }
	texts := func(value string) string { return feature(`{"bytesList":{"value":[` + value + `]}}`) }
	for _, c := range []struct{ line, want string }{
		{``, `byte 1: found the end of the line; expected an object [JSON_SYNTAX]`},
		{`[]`, `byte 1: found "["; expected an object [TYPE]`},
		{`{`, `byte 2: found the end of the line; expected a name in quotes [JSON_SYNTAX]`},
		{`{"features"}`, `byte 12: found "}"; expected a colon [JSON_SYNTAX]`},
		{`{"features":{}`, `byte 15: found the end of the line; expected a comma or } [JSON_SYNTAX]`},
		{`{"features":{}} x`, `byte 17: "x" after the end of the object [JSON_TRAILING]`},
		{`{"features":{},}`, `byte 16: found "}"; expected a name in quotes [JSON_SYNTAX]`},
		{`{"feature":{},"features":{}}`, `byte 15: found "features", which is not a field of an OFRecord [TYPE]`},
		{`{"features":{},"features":{}}`, `byte 16: "features" occurs twice [JSON_DUP_KEY]`},
		{`{"featureLists":{},"feature_lists":{}}`, `byte 20: "feature_lists" occurs twice [JSON_DUP_KEY]`},
		{`{"Features":{}}`, `byte 2: found "Features"; expected features, context, featureLists, feature or payload ` +
			`[TYPE]`},
		{`{"features":[]}`, `byte 13: found "["; expected an object [TYPE]`},
		{`{"features":{"features":{}}}`, `byte 14: found "features"; expected feature [TYPE]`},
		{feature(`null`), `byte 29: found "null"; expected an object [TYPE]`},
		{feature(`{"int32List":{}}`), `byte 30: found "int32List"; expected bytesList, floatList or int64List [TYPE]`},
		{feature(`{"bytesList":{},"floatList":{}}`),
			`byte 45: found "floatList"; expected one list in a feature [TYPE]`},
		{feature(`{"bytesList":{"values":[]}}`), `byte 43: found "values"; expected value [TYPE]`},
		{`{"features":{"feature":{"b":{},"a":{},"b":{}}}}`, `byte 39: the key "b" occurs twice [JSON_DUP_KEY]`},
		{ints(`1.5`), `byte 52: "1.5" is not an int64 [INT_SYNTAX]`},
		{ints(`"1e-1"`), `byte 52: "1e-1" is not an int64 [INT_SYNTAX]`},
		{ints(`" 1.0"`), `byte 52: " 1.0" is not an int64 [INT_SYNTAX]`},
		{ints(`"1.0x"`), `byte 52: "1.0x" is not an int64 [INT_SYNTAX]`},
		{ints(`1e30`), `byte 52: "1e30" is beyond an int64 [INT_RANGE]`},
		{ints(`-9223372036854775809.0`), `byte 52: "-9223372036854775809.0" is beyond an int64 [INT_RANGE]`},
		{ints(`""`), `byte 52: "" is not an int64 [INT_SYNTAX]`},
		{ints(`"+1"`), `byte 52: "+1" is not an int64 [INT_SYNTAX]`},
		{ints(`"01"`), `byte 52: "01" is not an int64 [INT_SYNTAX]`},
		{ints(`01`), `byte 52: found "01"; expected a number [JSON_SYNTAX]`},
		{ints(`9223372036854775808`), `byte 52: "9223372036854775808" is beyond an int64 [INT_RANGE]`},
		{ints(`true`), `byte 52: found "true"; expected a whole number [TYPE]`},
		{ints(`null`), `byte 52: found "null"; expected a whole number [TYPE]`},
		{ints(`1,]`), `byte 54: found "]"; expected a whole number [TYPE]`},
		{`{"feature":{"a":{"int32List":{"value":[2147483648]}}}}`,
			`byte 40: "2147483648" is beyond an int32 [INT_RANGE]`},
		{floats(`1e39`), `byte 52: "1e39" is beyond a float32 [FLOAT_RANGE]`},
		{floats(`"inf"`), `byte 52: "inf" is not a number, NaN, Infinity or -Infinity [FLOAT_SYNTAX]`},
		{floats(`"0x1p-2"`), `byte 52: "0x1p-2" is not a number, NaN, Infinity or -Infinity [FLOAT_SYNTAX]`},
		{floats(`1.`), `byte 52: found "1."; expected a number [JSON_SYNTAX]`},
		{floats(`NaN`), `byte 52: found "NaN"; expected a number [TYPE]`},
		{floats(strings.Repeat("9", 50)),
			`byte 52: "9999999999999999999999999999999999999999"… is beyond a float32 [FLOAT_RANGE]`},
		{texts(`1`), `byte 52: found "1"; expected bytes as base64 in quotes [TYPE]`},
		{texts(`"goat!"`), `byte 52: "goat!" is not base64 [BASE64]`},
		{texts(`"g"`), `byte 52: "g" is not base64 [BASE64]`},
		{texts(`"Z2\n9hdA=="`), `byte 52: "Z2\n9hdA==" is not base64 [BASE64]`},
		{texts(`"Z29hdA="`), `byte 52: "Z29hdA=" is not base64 [BASE64]`},
		{texts(`"Z29h===="`), `byte 52: "Z29h====" is not base64 [BASE64]`},
		{texts(`"Z29h`), `byte 52: a string without an end [JSON_SYNTAX]`},
		{`{"features":{"feature":{"` + "\xff" + `":{}}}}`, `byte 26: a byte that is not UTF-8: 0xff [UTF8_INVALID]`},
		{`{"features":{"feature":{"\n` + "\xff" + `":{}}}}`, `byte 28: a byte that is not UTF-8: 0xff [UTF8_INVALID]`},
		{`{"features":{"feature":{"` + "\t" + `":{}}}}`, `byte 26: a control character in a string [JSON_SYNTAX]`},
		{`{"features":{"feature":{"\ud800":{}}}}`, `byte 26: half of a surrogate pair [JSON_LONE_SURROGATE]`},
		{`{"features":{"feature":{"\udc00\ud800":{}}}}`, `byte 26: half of a surrogate pair [JSON_LONE_SURROGATE]`},
		{`{"features":{"feature":{"\x":{}}}}`, `byte 26: no escape that JSON has [JSON_SYNTAX]`},
		{`{"features":{"feature":{"\u00`, `byte 25: a string without an end [JSON_SYNTAX]`},
		{`{"payload":"eA==","payload":"eA=="}`, `byte 19: "payload" occurs twice [JSON_DUP_KEY]`},
		{`{"payload":"eA==","features":{}}`,
			`byte 1: the payload differs from the Example next to it; remove one of the two [TYPE]`},
		{`{"payload":"CgA=","feature":{"a":{}}}`,
			`byte 1: the payload differs from the OFRecord next to it; remove one of the two [TYPE]`},
		{"\ufeff{}", `byte 1: found "\ufeff"; expected an object [TYPE]`},
	} {
		p := Parser{}
		got, _, err := p.Parse([]byte("before"), []byte(c.line))
		if err == nil || err.Error() != c.want || string(got) != "before" {
			t.Errorf("%s\ngot  %v\nwant %s", c.line, err, c.want)
		}
	}
}

// TestParseMany has one key more than the parser accepts.
func TestParseMany(t *testing.T) {
	var p Parser
	_, _, err := p.Parse(nil, []byte(`{"feature":{"":{}`+strings.Repeat(`,"":{}`, maxFeatures)+`}}`))
	if e := new(JSONError); !errors.As(err, &e) || e.Code != "LIMIT_COLUMNS" {
		t.Errorf("%v", err)
	}
}

// FuzzJSON prints and parses any bytes. The JSON of a payload is parsed to the payload, and any
// line is parsed to the same message as by protobuf.
func FuzzJSON(f *testing.F) {
	for _, payload := range odd() {
		for _, kind := range kinds {
			f.Add([]byte(nil), payload)
			var m Message
			if m.Read(kind, payload) == nil {
				f.Add(m.AppendJSON(nil), payload)
			}
		}
	}
	for _, number := range []string{"1.0", `"-1.50e+1"`, "1e20", "100000000000000000000000e-23",
		"0.00000000000000000000001e23", "0e9999999999", "0.0e-9999999999", "1e-9999999999", "-0.10e1"} {
		f.Add([]byte(`{"features":{"feature":{"a":{"int64List":{"value":[`+number+`]}}}}}`), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, line, payload []byte) {
		for _, kind := range append(kinds, None) {
			compareJSON(t, kind, payload)
		}
		var p Parser
		payload, kind, err := p.Parse(nil, line)
		if err != nil {
			return
		}
		compareJSON(t, kind, payload)
		if kind == None || p.seen&seenPayload != 0 {
			return
		}
		want := newMessage(kind).Interface()
		if err := protojson.Unmarshal(line, want); err != nil {
			t.Fatalf("%s: protobuf says %v", line, err)
		}
		if got, _ := protobuf(kind, payload); got == nil || !proto.Equal(got.Interface(), want) {
			t.Fatalf("%s is %v, and protobuf reads %v", line, got, want)
		}
	})
}
