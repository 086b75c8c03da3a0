package arrays

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

// An expected is an array according to NumPy.
type expected struct {
	Type  string
	Shape []int
	Rows  []json.RawMessage
}

// TestNumPy reads every array that NumPy wrote, in both ways.
func TestNumPy(t *testing.T) { checkNumPy(t, "testdata") }

// TestInstalledNumPy does the same with the installed NumPy.
func TestInstalledNumPy(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("what the installed NumPy writes is read in the exhaustive run")
	}
	dir := t.TempDir()
	tftest.Run(t, "testdata/make.py", dir)
	checkNumPy(t, dir)
}

func checkNumPy(t *testing.T, dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "want.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]expected{}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		in := mustOpen(t, dir, "all.npz#"+name)
		want.check(t, name, in, strings.HasSuffix(name, "-f"))
	}
	for _, name := range []string{"u1-little-2d-c", "i4-big-4d-c", "f8-big-4d-f", "U-little-2d-c"} {
		want := all[name]
		want.check(t, name, mustOpen(t, dir, "deflated.npz#"+name), true)
	}
	for _, name := range []string{"v1.npy", "v2.npy", "v3.npy"} {
		want := all["i4-little-2d-c"]
		want.check(t, name, mustOpen(t, dir, name), false)
	}
}

// check compares an array with NumPy.
func (w *expected) check(t *testing.T, name string, in *arraysInput, streamed bool) {
	t.Helper()
	c, _ := in.Columns().Find("c0")
	if c.Type != w.Type || !slices.Equal(c.Shape, w.Shape) || !c.Array {
		t.Errorf("%s: a column of %s %v, want %s %v", name, c.Type, c.Shape, w.Type, w.Shape)
	}
	want := w.rows(t)
	got, err := sequential(t, in)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: rows\n got %q\nwant %q, %v", name, got, want, err)
	}
	if in.Footprint().Streamed != streamed {
		t.Errorf("%s: streamed %t", name, !streamed)
	}
	if streamed {
		return
	}
	if got, err = mapped(t, in); err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: rows in place\n got %q\nwant %q, %v", name, got, want, err)
	}
}

// rows returns the rows in the form of the tests.
func (w *expected) rows(t *testing.T) (list []string) {
	for i, row := range w.Rows {
		var text string
		var texts []string
		switch {
		case json.Unmarshal(row, &text) == nil && (strings.Contains(w.Type, "int") || w.Type == "bool") &&
			len(w.Shape) == 0:
			text = w.scalar(t, text)
		case json.Unmarshal(row, &text) == nil:
		case json.Unmarshal(row, &texts) != nil:
			t.Fatalf("the row %s", row)
		}
		if w.Type == "bytes" {
			for i := range texts {
				texts[i] = string(unhex(t, texts[i]))
			}
		}
		switch {
		case texts == nil:
		case len(w.Shape) == 0:
			text = texts[0]
		default:
			text = strings.Join(texts, " ") + " "
		}
		list = append(list, fmt.Sprintf("%d|%s", i, text))
	}
	return list
}

// scalar returns a number in hex as digits.
func (w *expected) scalar(t *testing.T, text string) string {
	b := unhex(t, text)
	var word [8]byte
	copy(word[:], b)
	u := binary.LittleEndian.Uint64(word[:])
	switch {
	case w.Type == "bool":
		return strconv.FormatBool(u != 0)
	case strings.HasPrefix(w.Type, "uint"):
		return strconv.FormatUint(u, 10)
	}
	free := 64 - 8*len(b)
	return strconv.FormatInt(int64(u<<free)>>free, 10)
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
