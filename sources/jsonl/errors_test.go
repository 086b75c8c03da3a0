package jsonl

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// Each row is invalid at its §.
func TestInvalidRows(t *testing.T) {
	for _, test := range []struct{ row, want string }{
		{"§", `JSON_SYNTAX found the end of the file; expected an object; the file may be cut short`},
		{"  §\n", `JSON_SYNTAX found the end of the line; expected an object`},
		{`§1`, `JSON_NOT_OBJECT found a number; expected an object`},
		{` §"x"`, `JSON_NOT_OBJECT found a string; expected an object`},
		{`§[{}]`, `JSON_NOT_OBJECT found an array; expected an object`},
		{`§null`, `JSON_NOT_OBJECT found null; expected an object`},
		{`§true`, `JSON_NOT_OBJECT found a bool; expected an object`},
		{`§NaN`, `JSON_NOT_OBJECT found a number; expected an object`},
		{`§nan`, `JSON_SYNTAX found "nan"; expected a value`},
		{`§// x`, `JSON_SYNTAX found "//"; expected a value`},
		{"§\ufeff{}", `JSON_SYNTAX found "\ufeff"; expected a value`},

		{"{§", `JSON_SYNTAX found the end of the file; expected a key in quotes; the file may be cut short`},
		{"{§\n", `JSON_SYNTAX found the end of the line; expected a key in quotes`},
		{`{§'a': 1}`, `JSON_SYNTAX found "'a'"; expected a key in quotes`},
		{`{§a: 1}`, `JSON_SYNTAX found "a"; expected a key in quotes`},
		{`{"a" §1}`, `JSON_SYNTAX found "1"; expected a colon after the key`},
		{`{"a": §}`, `JSON_SYNTAX column "a": found "}"; expected a value`},
		{`{"a": 1 §"b": 2}`, `JSON_SYNTAX column "a": found "\""; expected a comma or }`},
		{`{"a": 1, §}`, `JSON_SYNTAX found "}"; expected a key in quotes`},
		{`{"a": 1§]`, `JSON_SYNTAX column "a": found "]"; expected a comma or }`},
		{`{"a": [1, §]}`, `JSON_SYNTAX column "a": found "]"; expected a value`},
		{`{"a": [1 §2]}`, `JSON_SYNTAX column "a": found "2"; expected a comma or ]`},
		{`{"a": [1§}`, `JSON_SYNTAX column "a": found "}"; expected a comma or ]`},
		{`{"a": {"b": 1, §}}`, `JSON_SYNTAX column "a": found "}"; expected a key in quotes`},
		{`{"a": [1, {"b": §nul}]}`, `JSON_SYNTAX column "a": found "nul"; expected a value`},
		{"{\"a\": [1§\n", `JSON_SYNTAX column "a": found the end of the line; expected a comma or ]`},
		{`{"a": 1§`, `JSON_SYNTAX column "a": found the end of the file; expected a comma or }; the file may be cut ` +
			`short`},
		{`{"a": §` + strings.Repeat("x", 50) + `}`,
			`JSON_SYNTAX column "a": found "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"…; expected a value`},

		{`{"a": 1} §x`, `JSON_TRAILING found "x" after the object; expected the end of the line`},
		{`{"a": 1}§{"a": 2}`, `JSON_TRAILING found "{" after the object; expected the end of the line`},
		{`{"a": 1}§}`, `JSON_TRAILING found "}" after the object; expected the end of the line`},
		{"{\"a\": 1}\r§{\"a\": 2}\n",
			`JSON_TRAILING found "{" after the object and a lone CR; expected the end of the line, LF or CRLF`},

		{`{"a": §01}`, `JSON_SYNTAX column "a": found "01"; expected a number without leading zeros`},
		{`{"a": -§012}`, `JSON_SYNTAX column "a": found "012"; expected a number without leading zeros`},
		{`{"a": §+1}`, `JSON_SYNTAX column "a": found "+1"; expected a value`},
		{`{"a": §.5}`, `JSON_SYNTAX column "a": found ".5"; expected a value`},
		{`{"a": 1.§}`, `JSON_SYNTAX column "a": found "}"; expected a digit after the decimal point`},
		{`{"a": 1e§}`, `JSON_SYNTAX column "a": found "}"; expected a digit of the exponent`},
		{`{"a": 1e+§}`, `JSON_SYNTAX column "a": found "}"; expected a digit of the exponent`},
		{`{"a": -§}`, `JSON_SYNTAX column "a": found "}"; expected a digit`},
		{`{"a": §-Inf}`, `JSON_SYNTAX column "a": found "-Inf"; expected a value`},
		{`{"a": §+Infinity}`, `JSON_SYNTAX column "a": found "+Infinity"; expected a value`},
		{`{"a": §-NaN}`, `JSON_SYNTAX column "a": found "-NaN"; expected a value`},
		{`{"a": 1§x}`, `JSON_SYNTAX column "a": found "x"; expected a comma or }`},
		{`{"a": 12345678901234567890.5§.5}`, `JSON_SYNTAX column "a": found ".5"; expected a comma or }`},

		{`{"a": "x§`, `JSON_SYNTAX column "a": found the end of the file; expected a closing quote; the file may be ` +
			`cut short`},
		{"{\"a\": \"x§\n", `JSON_SYNTAX column "a": found the end of the line; expected a closing quote`},
		{"{\"a\": \"x§\ty\"}", `JSON_SYNTAX column "a": found the control character U+0009 in a string; expected it ` +
			`as an escape`},
		{"{\"a§\x00\": 1}", `JSON_SYNTAX found the control character U+0000 in a string; expected it as an escape`},
		{`{"a": "\§x"}`, `JSON_SYNTAX column "a": found "x"; expected one of "\/bfnrtu after a backslash`},
		{`{"a": "\§`, `JSON_SYNTAX column "a": found the end of the file; expected one of "\/bfnrtu after a ` +
			`backslash; the file may be cut short`},
		{`{"a": "\u00§g0"}`, `JSON_SYNTAX column "a": found "g0"; expected four hexadecimal digits after \u`},
		{`{"a": "§\ud800"}`, `JSON_LONE_SURROGATE column "a": \ud800 is half of a surrogate pair without its other ` +
			`half`},
		{`{"a": "x§\uDC00\ud800"}`,
			`JSON_LONE_SURROGATE column "a": \uDC00 is half of a surrogate pair without its other half`},
		{`{"a": "§\ud800\u0041"}`,
			`JSON_LONE_SURROGATE column "a": \ud800 is half of a surrogate pair without its other half`},
		{`{"b": {"§\ud800": 1}}`, `JSON_LONE_SURROGATE column "b": \ud800 is half of a surrogate pair without its ` +
			`other half`},

		{`{"a": 1, §"a": 2}`, `JSON_DUP_KEY duplicate key "a": first at byte 2, again at byte 10`},
		{`{"a": 1, "b": 0, §"\u0061": 2}`, `JSON_DUP_KEY duplicate key "a": first at byte 2, again at byte 18`},
		{`{"b": {"x": {"y": 1, §"y": 2}}}`,
			`JSON_DUP_KEY column "b": duplicate key "y": first at byte 14, again at byte 22`},
		{`{"b": [{"x": 1}, {"\n": 1, §"\u000a": 1}]}`,
			`JSON_DUP_KEY column "b": duplicate key "\n": first at byte 19, again at byte 28`},

		{"{\"a\": \"§\xff\"}", `UTF8_INVALID found "\xff"; expected UTF-8`},
		{"{\"b\": \"é§\xc3\"}", `UTF8_INVALID found "\xc3"; expected UTF-8`},
		{"{\"a\": 1}§\xed\xa0\x80", `UTF8_INVALID found "\xed"; expected UTF-8`},
		{"{\"a\": x, \"b\": \"§\x80\"}", `UTF8_INVALID found "\x80"; expected UTF-8`},
	} {
		data, at := marks(test.row)
		want := fmt.Sprintf("%s at %d", test.want, at[0])
		_, n := lineEnd(data)
		for _, columns := range [][]string{nil, {"a"}, {"a", "b", "a.b", "b.x", "b.*.x"}} {
			s := compile(t, columns...).NewScanner()
			vals := make([]schema.Value, len(columns))
			for round := range 3 {
				got, err := s.Scan(data, vals, true)
				e, ok := err.(*schema.RowError)
				if !ok {
					t.Errorf("%q with columns %q: accepted", data, columns)
					continue
				}
				message := e.Message
				if e.Column != "" {
					message = "column \"" + e.Column + "\": " + message
				}
				if text := fmt.Sprintf("%s %s at %d", e.Code, message, e.At); text != want || got != n {
					t.Errorf("%q with columns %q, round %d:\n got %s, length %d\nwant %s, length %d", data, columns,
						round, text, got, want, n)
				}
				// A good row between teaches the scanner keys.
				if _, err := s.Scan([]byte(`{"a": 1, "b": {"x": [2]}}`), vals, true); err != nil &&
					code(t, err) != "TYPE" {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestLimits(t *testing.T) {
	p, err := Compile(bound("a", "b.*"), Limits{Limits: input.Limits{Record: 128, Depth: 3, Columns: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ row, want string }{
		{`{"a": "` + strings.Repeat("x", 119) + `"}`, "accept 128"},
		{`{"a": "` + strings.Repeat("x", 119) + `"}` + "\n{}", "accept 129"},
		{`{"a": "` + strings.Repeat("x", 120) + `"}`, "LIMIT_RECORD 129"},
		{`{"a": "` + strings.Repeat("x", 120) + `"}` + "\n{}", "LIMIT_RECORD 130"},
		{`{"a": "` + strings.Repeat("x", 118) + `"}` + "\r\n{}", "accept 129"},
		{`{"a": "` + strings.Repeat("x", 119) + `"}` + "\r\n{}", "LIMIT_RECORD 130"},
		{strings.Repeat(" ", 126) + "{}", "accept 128"},
		{strings.Repeat(" ", 129), "LIMIT_RECORD 129"},
		{"]" + strings.Repeat("\xff", 200) + "\n", "LIMIT_RECORD 202"},
		{`{"a": [[1]]}`, "accept 12"},
		{`{"a": [1, 2]}`, "accept 13"},
		{`{"a": [1, 2, 3]}`, "LIMIT_RECORD 16"},
		{`{"a": [[], []], "b": [3]}`, "LIMIT_RECORD 25"},
		{`{"b": [1, [2]]}`, "LIMIT_RECORD 15"},
		{`{"b": [1, 2, 3}`, "JSON_SYNTAX 15"},
		{`{"c": [1, 2, 3]}`, "accept 16"},
		{`{"a": [[[]]]}`, "LIMIT_DEPTH 13"},
		{`{"a": [{"x": {}}]}`, "LIMIT_DEPTH 18"},
		{`{"b": [[1]]}`, "accept 12"},
		{`{"b": [[[]]]}`, "LIMIT_DEPTH 13"},
		{`{"c": [[1], {}]}`, "accept 16"},
		{`{"c": [[1], {"x": []}]}`, "LIMIT_DEPTH 23"},
		{`{"a": 1, "b": [], "c": {"d": 1, "e": 2}}`, "accept 40"},
		{`{"a": 1, "b": [], "c": 1, "d": 1}`, "LIMIT_COLUMNS 33"},
	} {
		s := p.NewScanner()
		vals := make([]schema.Value, 2)
		for round := range 2 {
			n, err := s.Scan([]byte(test.row), vals, true)
			if got := fmt.Sprintf("%s %d", code(t, err), n); got != test.want {
				t.Errorf("%s, round %d: got %s (%v), want %s", test.row, round, got, err, test.want)
			}
			if _, err := s.Scan([]byte(`{"a": 1, "b": [], "d": 1}`), vals, true); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// These rows make a naive scanner recurse, or compare each pair of keys.
func TestHugeRows(t *testing.T) {
	deep := strings.Repeat("[", 1_000_000)
	deepObjects := strings.Repeat(`{"a":`, 300_000)
	members := &bytes.Buffer{}
	for i := range 90_000 {
		fmt.Fprintf(members, `"k%d":0,`, i)
	}
	s := compile(t, "a", "x.a.*").NewScanner()
	vals := make([]schema.Value, 2)
	for _, test := range []struct{ row, want string }{
		{`{"a": ` + deep, "LIMIT_DEPTH"},
		{`{"b": ` + deep, "LIMIT_DEPTH"},
		{`{"x": {"a": ` + deep, "LIMIT_DEPTH"},
		{`{"a": ` + deepObjects, "LIMIT_DEPTH"},
		{`{"b": ` + deepObjects, "LIMIT_DEPTH"},
		{deep, "LIMIT_DEPTH"},
		{`{"a": ` + deep[:999] + strings.Repeat("]", 999) + `}`, "accept"},
		{`{"b": ` + deep[:999] + strings.Repeat("]", 999) + `}`, "accept"},
		{`{` + members.String() + `"a": 1}`, "accept"},
		{`{` + members.String() + `"k77": 1}`, "JSON_DUP_KEY"},
		{`{"b": {` + members.String() + members.String() + `"c": 1}}`, "JSON_DUP_KEY"},
	} {
		if _, err := s.Scan([]byte(test.row), vals, true); code(t, err) != test.want {
			t.Errorf("%.20s…: got %v, want %s", test.row, err, test.want)
		}
	}
}

func TestDuplicateKeysAmongMany(t *testing.T) {
	for _, count := range []int{2, 24, 25, 200} {
		var members []string
		for i := range count {
			members = append(members, fmt.Sprintf(`"key\u0030%d":0`, i))
		}
		for _, again := range []int{0, count / 2, count - 1} {
			row := "{" + strings.Join(members, ",") + fmt.Sprintf(`,"key0%d":1,"key0%d":2}`, again, again)
			_, err := compile(t).NewScanner().Scan([]byte(row), nil, true)
			first := strings.Index(row, members[again]+",") + 1
			second := strings.Index(row, fmt.Sprintf(`"key0%d":1`, again)) + 1
			want := fmt.Sprintf(`duplicate key "key0%d": first at byte %d, again at byte %d [JSON_DUP_KEY]`,
				again, first, second)
			if err == nil || err.Error() != want {
				t.Errorf("%d keys: got %v, want %s", count, err, want)
			}
		}
	}
}
