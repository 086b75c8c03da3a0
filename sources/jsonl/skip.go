package jsonl

import "tfr-build/schema"

// space is the place of the first byte from p on that is no white space.
func (s *Scanner) space(data []byte, p int) int {
	for p < len(data) && (isSpace(data[p]) || data[p] == '\n' && s.multiline) {
		p++
	}
	return p
}

// atom scans a value that is neither object nor array into v; with v nil it
// only checks it.
func (s *Scanner) atom(data []byte, p int, v *schema.Value) (end int, err error) {
	var text []byte
	kind := schema.Missing
	switch c := at(data, p); {
	case c == '"':
		if text, end, err = s.text(data, p+1, v != nil); err != nil {
			return 0, err
		}
		kind = schema.String
	case c == '-' || c-'0' <= 9:
		at, ok := likelyNumber(data, p)
		if !ok {
			var expected string
			if at, expected, ok = number(data, p); !ok {
				return 0, s.syntax(data, at, expected)
			}
		}
		text, end, kind = data[p:at], at, schema.Number
	case hasWord(data, p, "null"):
		end = p + len("null")
	case hasWord(data, p, "true"):
		end = p + len("true")
		text, kind = data[p:end], schema.Bool
	case hasWord(data, p, "false"):
		end = p + len("false")
		text, kind = data[p:end], schema.Bool
	default:
		return 0, s.syntax(data, p, "a value")
	}
	if v != nil {
		*v = schema.Value{Text: text, At: uint32(p), Kind: kind}
	}
	return end, nil
}

// inArray is the frame of an array; that of an object is where its keys begin.
const inArray = -1

// skip checks the value at p, inside depth objects and arrays, and returns
// where it ends. It keeps the open ones in frames, not on the stack.
func (s *Scanner) skip(data []byte, p, depth int) (int, error) {
	bottom := len(s.frames)
	for {
		var err error
		c := at(data, p)
		if c != '{' && c != '[' {
			if p, err = s.atom(data, p, nil); err != nil {
				return 0, err
			}
		} else {
			if depth+len(s.frames)-bottom >= s.paths.limits.Depth {
				return 0, tooDeep(p, s.paths.limits.Depth)
			}
			p = s.space(data, p+1)
			if at(data, p) != c+2 { // } and ] come two after { and [
				if p, err = s.enter(data, p, c); err != nil {
					return 0, err
				}
				continue
			}
			p++
		}
		if p, err = s.leave(data, p, bottom); err != nil || len(s.frames) == bottom {
			return p, err
		}
	}
}

// enter opens the frame of an object or array that is not empty, whose first
// element or key is at p, and returns where the first value is.
func (s *Scanner) enter(data []byte, p int, opener byte) (int, error) {
	if opener == '[' {
		s.frames = append(s.frames, inArray)
		return p, nil
	}
	s.frames = append(s.frames, len(s.keys))
	_, p, err := s.key(data, p)
	return p, err
}

// leave moves on from a value that ends at p: out of the frames above bottom
// that end here, and to the next value of the first that does not.
func (s *Scanner) leave(data []byte, p, bottom int) (int, error) {
	for len(s.frames) > bottom {
		p = s.space(data, p)
		top := s.frames[len(s.frames)-1]
		closer, expected := byte('}'), "a comma or }"
		if top == inArray {
			closer, expected = ']', "a comma or ]"
		}
		switch at(data, p) {
		case ',':
			p = s.space(data, p+1)
			if top == inArray {
				return p, nil
			}
			_, p, err := s.key(data, p)
			return p, err
		case closer:
			if top != inArray {
				if err := s.close(data, top); err != nil {
					return 0, err
				}
			}
			s.frames = s.frames[:len(s.frames)-1]
			p++
		default:
			return 0, s.syntax(data, p, expected)
		}
	}
	return p, nil
}
