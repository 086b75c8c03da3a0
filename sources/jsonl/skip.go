package jsonl

import "tfr-build/schema"

// skipSpace returns the offset of the first byte from p on that is not white space.
func (s *Scanner) skipSpace(data []byte, p int) int {
	for p < len(data) && (isSpace(data[p]) || data[p] == '\n' && s.multiline) {
		p++
	}
	return p
}

// scanAtom parses a value that is neither object nor array into v. If v is nil, it only checks it.
func (s *Scanner) scanAtom(data []byte, p int, v *schema.Value) (end int, err error) {
	var text []byte
	kind := schema.Missing
	switch c := at(data, p); {
	case c == '"':
		if text, end, err = s.parseString(data, p+1, v != nil); err != nil {
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
	if v != nil {
		*v = schema.Value{Text: text, At: uint32(p), Kind: kind}
	}
	return end, nil
}

// scanNonfinite parses NaN, Infinity, or -Infinity into v, as an array of one float: its text is not
// a number of JSON. If v is nil, it only checks it.
func (s *Scanner) scanNonfinite(data []byte, p int, v *schema.Value) (end int, err error) {
	bits, end := nonfiniteAt(data, p)
	if end == 0 {
		return 0, s.wordError(data, p)
	}
	if v != nil {
		*v = schema.Value{Text: bits, At: uint32(p), Kind: schema.Array, Elem: schema.Float64}
	}
	return end, nil
}

// inArray is the frame of an array. The frame of an object is the index of its first key in keys.
const inArray = -1

// skip checks the value at p, nested in depth objects and arrays, and returns where it ends. Open
// objects and arrays are in frames, not on the call stack.
func (s *Scanner) skip(data []byte, p, depth int) (int, error) {
	bottom := len(s.frames)
	for {
		var err error
		c := at(data, p)
		if c != '{' && c != '[' {
			if p, err = s.scanAtom(data, p, nil); err != nil {
				return 0, err
			}
		} else {
			if depth+len(s.frames)-bottom >= s.paths.limits.Depth {
				return 0, tooDeep(p, s.paths.limits.Depth)
			}
			p = s.skipSpace(data, p+1)
			if at(data, p) != c+2 { // in ASCII, } and ] come two after { and [
				if p, err = s.openFrame(data, p, c); err != nil {
					return 0, err
				}
				continue
			}
			p++
		}
		if p, err = s.closeFrames(data, p, bottom); err != nil || len(s.frames) == bottom {
			return p, err
		}
	}
}

// openFrame opens the frame of an object or array that is not empty. Its first element or key is at
// p. It returns the offset of the first value.
func (s *Scanner) openFrame(data []byte, p int, opener byte) (int, error) {
	if opener == '[' {
		s.frames = append(s.frames, inArray)
		return p, nil
	}
	s.frames = append(s.frames, len(s.keys))
	_, p, err := s.scanKey(data, p)
	return p, err
}

// closeFrames continues after a value that ends at p. It closes the frames above bottom that end
// here, and returns the offset of the next value of the first frame that does not.
func (s *Scanner) closeFrames(data []byte, p, bottom int) (int, error) {
	for len(s.frames) > bottom {
		p = s.skipSpace(data, p)
		top := s.frames[len(s.frames)-1]
		closer, expected := byte('}'), "a comma or }"
		if top == inArray {
			closer, expected = ']', "a comma or ]"
		}
		switch at(data, p) {
		case ',':
			p = s.skipSpace(data, p+1)
			if top == inArray {
				return p, nil
			}
			_, p, err := s.scanKey(data, p)
			return p, err
		case closer:
			if top != inArray {
				if err := s.closeObject(data, top); err != nil {
					return 0, err
				}
			}
			s.frames = s.frames[:len(s.frames)-1]
			p++
		default:
			return 0, s.syntaxError(data, p, expected)
		}
	}
	return p, nil
}
