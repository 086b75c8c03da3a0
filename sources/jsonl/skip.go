package jsonl

import "tfr-build/schema"

// skipSpace returns the offset of the first byte from p on that is not white space.
func (s *Scanner) skipSpace(data []byte, p int) int {
	for p < len(data) && (isSpace(data[p]) || data[p] == '\n' && s.multiline) {
		p++
	}
	return p
}

// scanAtom parses a value that is neither object nor array into v.
func (s *Scanner) scanAtom(data []byte, p int, v *schema.Value) (end int, err error) {
	var text []byte
	kind := schema.Missing
	switch c := at(data, p); {
	case c == '"':
		if text, end, err = s.parseString(data, p+1, true); err != nil {
			return 0, err
		}
		kind = schema.String
	case c == '-' || c-'0' <= 9:
		var ok bool
		if end, ok = likelyNumber(data, p); !ok {
			var expected string
			if end, expected, ok = number(data, p); !ok {
				if beginsWord(data, p+1) {
					return s.scanNonfinite(data, p, v)
				}
				return 0, s.syntaxError(data, end, expected)
			}
		}
		text, kind = data[p:end], schema.Number
	case hasWord(data, p, "null"):
		end = p + len("null")
	case hasWord(data, p, "true"):
		end = p + len("true")
		text, kind = data[p:end], schema.Bool
	case hasWord(data, p, "false"):
		end = p + len("false")
		text, kind = data[p:end], schema.Bool
	default:
		return s.scanNonfinite(data, p, v)
	}
	*v = schema.Value{Text: text, At: uint32(p), Kind: kind}
	return end, nil
}

// scanNonfinite parses NaN, Infinity, or -Infinity into v, as an array of one float: its text is not
// a number of JSON.
func (s *Scanner) scanNonfinite(data []byte, p int, v *schema.Value) (end int, err error) {
	bits, end := nonfiniteAt(data, p)
	if end == 0 {
		return 0, s.wordError(data, p)
	}
	*v = schema.Value{Text: bits, At: uint32(p), Kind: schema.Array, Elem: schema.Float64}
	return end, nil
}

// skip checks the value at p, nested in depth objects and arrays, and returns where it ends.
func (s *Scanner) skip(data []byte, p, depth int) (end int, err error) {
	k := &s.skipper
	k.Depth, k.scanner, k.isRow = s.paths.limits.Depth, s, true
	k.Begin(depth)
	end, _, err = k.Skip(data, p, true)
	return end, err
}
