package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"tfr-build/internal/cost"
)

// skipAll skips a value in pieces of that many bytes, or more where a token is longer.
func skipAll(data []byte, piece int, member bool) (end int, err error) {
	s := Skipper{Depth: ample.Depth, UTF8: true}
	s.Begin(0)
	if member {
		s.BeginMember(0)
	}
	lo, hi := 0, 0
	for {
		hi = min(hi+piece, len(data))
		n, done, err := s.Skip(data[lo:hi], 0, hi == len(data))
		lo += n
		if err != nil || done || hi == len(data) {
			return lo, err
		}
	}
}

// checkSkip compares a Skipper with encoding/json, for all pieces, and reports whether both accept
// a document.
func checkSkip(t *testing.T, data []byte) bool {
	t.Helper()
	end, err := skipAll(data, len(data), false)
	ours := err == nil && len(bytes.TrimLeft(data[end:], " \t\r\n")) == 0
	if code := codeOf(err); ours != json.Valid(strict(data)) && code != "UTF8_INVALID" && code != "LIMIT_DEPTH" {
		t.Errorf("%.200q: %v, want %t", data, err, json.Valid(strict(data)))
	}
	for _, piece := range []int{1, 2, 3, 7, 16, 31} {
		n, again := skipAll(data, piece, false)
		if codeOf(again) != codeOf(err) || err == nil && n != end {
			t.Errorf("%.200q in pieces of %d: %d, %v; want %d, %v", data, piece, n, again, end, err)
		}
	}
	return ours
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	return text[bytes.LastIndexByte([]byte(text), '[')+1 : len(text)-1]
}

func TestSkip(t *testing.T) {
	accepted := 0
	for _, name := range []string{"JSONTestSuite", "go-fuzz-corpus-json"} {
		for _, f := range corpus(t, name) {
			if checkSkip(t, f.data) {
				accepted++
			}
		}
	}
	if accepted < 200 {
		t.Errorf("%d values accepted, want more", accepted)
	}
	for _, text := range []string{`[1, 2,3 , -4.5e6,"a",{"b":[]}]`, `"é\u00e9😀\n"`, `[1, 2`, `[1, 2,, 3]`,
		`[12345678901234567890, 1]`, `{"a" 1}`, "\"\xc3\xa9\xc3\"", `[01]`, `[1, 1.]`, `tru`, `[nul]`,
		`[NaN, 1, -Infinity,Infinity]`, `{"a":-Infinity,"b": NaN}`, `[-Inf]`, `-`, `-I`, `[1, -Infinit]`, `Na`,
		`+Infinity`, `[nan]`} {
		checkSkip(t, []byte(text))
	}
	if n, err := skipAll([]byte(`"k": {"a": 1}, "l"`), 2, true); n != 13 || err != nil {
		t.Errorf("a member ends at %d, %v; want 13", n, err)
	}
}

func FuzzSkip(f *testing.F) {
	for _, name := range []string{"JSONTestSuite", "go-fuzz-corpus-json"} {
		for _, file := range corpus(f, name) {
			if len(file.data) < 1<<12 {
				f.Add(file.data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cost.Within(t, len(data), func() { checkSkip(t, data) })
	})
}

// annotations returns elements like those of COCO.
func annotations(n int) []byte {
	b := []byte("[")
	for i := range n {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = fmt.Appendf(
			b, `{"segmentation": [[239.97, 260.24, 222.04, 270.49, 199.84, 253.41, 213.5, 227.79, 259.62, 200.46, `+
				`274.13, `+
				`202.17, 277.55, 210.71, 249.37, 253.41, 237.41, 264.51, 242.54, 261.95, 228.87, 271.34]], "area": `+
				`2765.15, `+
				`"iscrowd": 0, "image_id": %d, "bbox": [199.84, 200.46, 77.71, 70.88], "category_id": 58, "id": %d}`,
			i/7, 156+i)
	}
	return append(b, ']')
}

func BenchmarkSkip(b *testing.B) {
	trip := bytes.ReplaceAll(bytes.TrimSpace(trips(5000)), []byte("\n"), []byte(",\n"))
	for _, bench := range []struct {
		name string
		data []byte
	}{
		{"rows", append(append([]byte("["), trip...), ']')},
		{"annotations", annotations(5000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.data)))
			s := Skipper{Depth: ample.Depth}
			for b.Loop() {
				s.Begin(0)
				if _, done, err := s.Skip(bench.data, 0, true); !done || err != nil {
					b.Fatal(done, err)
				}
			}
		})
	}
}
