package zip

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// TestSameMembers compares rows of random archives with what package archive/zip reads.
func TestSameMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range testenv.Times(100, 2_000, 20_000) {
		program := strings.Repeat("#", rng.IntN(2)*rng.IntN(50)) // in front of the archive
		w := filetest.NewZip(t)
		if rng.IntN(2) == 0 {
			w.SetOffset(int64(len(program)))
		}
		for i := range rng.IntN(8) {
			h := &zip.FileHeader{Name: fmt.Sprintf("%c/é%d", 'a'+rng.IntN(3), i),
				Method: []uint16{zip.Store, zip.Deflate}[rng.IntN(2)], Comment: strings.Repeat("c", rng.IntN(20))}
			pair := string([]byte{byte(rng.Uint32()), byte(rng.Uint32())})
			w.AddHeader(h, strings.Repeat(pair, rng.IntN(2000)))
		}
		if err := w.SetComment(strings.Repeat("PK\x05\x06", rng.IntN(5))); err != nil {
			t.Fatal(err)
		}
		data := []byte(program + w.Finish())
		want, _, err := oracle(data)
		if err != nil {
			continue // the comment looks like an end: it is none for both
		}
		got, err := rowsOf(t, data)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	}
}

// TestUnusualArchives has members that usual writers do not make.
func TestUnusualArchives(t *testing.T) {
	bomb := filetest.Deflate(strings.Repeat("\x00", 4<<20))
	sum := func(text string) uint32 {
		e := raw(entry{name: "x", text: text})
		return binary.LittleEndian.Uint32(e[len(e)-22-47+16:])
	}
	flag := func(flags uint16) []byte { return raw(entry{name: "a", text: "x", flags: flags}) }
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"no member", raw(), "[]"},
		{"a member", raw(entry{name: "a", text: "x"}), `[a="x"]`},
		{"deflated", raw(entry{name: "a", text: filetest.Deflate("xx"), size: 2, crc: sum("xx"), method: 8}),
			`[a="xx"]`},
		{"a directory", raw(entry{name: "a/"}, entry{name: "a/b", text: "x"}), `[a/b="x"]`},
		{"relative names", raw(entry{name: "./a/b", text: "x"}, entry{name: "././/c", text: "y"}), `[a/b="x" c="y"]`},
		{"litter", raw(entry{name: "__MACOSX/b", text: "x"}, entry{name: ".a"}), `[]`},
		{"encrypted", flag(1), "[ZIP_UNSUPPORTED]"},
		{"with its header", flag(1 << 13), "[ZIP_UNSUPPORTED]"},
		{"a patch", flag(1 << 5), "[ZIP_UNSUPPORTED]"},
		{"another method", raw(entry{name: "a", text: "x", method: 12}), "[ZIP_UNSUPPORTED]"},
		{"a link", raw(entry{name: "a", text: "x", mode: 0o120777}), "[ZIP_UNSUPPORTED]"},
		{"a device", raw(entry{name: "a", text: "x", mode: 0o060777}), "[ZIP_UNSUPPORTED]"},
		{"names", raw(entry{name: "../a"}, entry{name: "/b"}, entry{name: "c\\d"}, entry{name: "C:e"},
			entry{name: "a/../f"}, entry{name: ""}, entry{name: "g\x00"}, entry{name: "h..i/j..", text: "x"}),
			`[ZIP_NAME ZIP_NAME ZIP_NAME ZIP_NAME ZIP_NAME ZIP_NAME ZIP_NAME h..i/j..="x"]`},
		{"another checksum", raw(entry{name: "a", text: "x", crc: 1}), "[ZIP_CORRUPT]"},
		{"stored in another size", raw(entry{name: "a", text: "x", size: 2}), "[ZIP_CORRUPT]"},
		{"no deflated bytes", raw(entry{name: "a", text: "\xff\xff", size: 10, method: 8}), "[ZIP_CORRUPT]"},
		{"fewer than claimed", raw(entry{name: "a", text: filetest.Deflate("xx"), size: 3, method: 8}),
			"[ZIP_CORRUPT]"},
		{"more than claimed", raw(entry{name: "a", text: filetest.Deflate("xx"), size: 1, method: 8}), "[ZIP_CORRUPT]"},
		{"a bomb that says so", raw(entry{name: "a", text: bomb, size: 4 << 20, method: 8}), "[LIMIT_RECORD]"},
		{"a bomb that lies", raw(entry{name: "a", text: bomb, size: 1000, method: 8}), "[ZIP_CORRUPT]"},
		{"no header where it should be", raw(entry{name: "a", text: "x", change: func(_ *entry, h, _ []byte) {
			h[0] = 'Q'
		}}),
			"[ZIP_CORRUPT]"},
		{"a header that reaches beyond", raw(entry{name: "a", text: "x", change: func(_ *entry, h, _ []byte) {
			h[28] = 9
		}}),
			"[ZIP_CORRUPT]"},
	} {
		got, err := rowsOf(t, tt.data)
		if fmt.Sprint(got) != tt.want || err != nil {
			t.Errorf("%s: %s, %v; want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestInvalidArchives has archives that are refused.
func TestInvalidArchives(t *testing.T) {
	good := raw(entry{name: "a", text: "x"}, entry{name: "b", text: "y"})
	with := func(back int, bytes ...byte) []byte {
		b := slices.Clone(good)
		copy(b[len(b)-back:], bytes)
		return b
	}
	for _, tt := range []struct {
		name, code, text string
		data             []byte
	}{
		{"nothing", "ZIP_FORMAT", "is empty", nil},
		{"a text", "ZIP_FORMAT", "is not a zip archive", []byte("a,b\n1,2\n")},
		{"cut", "ZIP_CORRUPT", "cut short", good[:len(good)-30]},
		{"two of one name", "ZIP_DUPLICATE", `two members called "a"`,
			raw(entry{name: "a", text: "x"}, entry{name: "a", text: "y"})},
		{"one file twice", "ZIP_CORRUPT", "overlaps",
			raw(entry{name: "a", text: strings.Repeat("x", 100)}, entry{name: "b", text: "y", at: 50})},
		{"a file in a file", "ZIP_CORRUPT", "overlaps",
			raw(entry{name: "a", text: "x"}, entry{name: "b", text: "y",
				change: func(_ *entry, _, d []byte) { binary.LittleEndian.PutUint32(d[42:], 0) }})},
		{"beyond the directory", "ZIP_CORRUPT", "does not have before its directory",
			raw(entry{name: "a", text: "x", at: 1 << 20})},
		{"longer than all", "ZIP_CORRUPT", "does not have before its directory",
			raw(entry{name: "a", text: "x", change: func(_ *entry, _,
				d []byte) {
				binary.LittleEndian.PutUint32(d[20:], 1<<30)
			}})},
		{"sizes that are not there", "ZIP_CORRUPT", "sizes that none can have",
			raw(entry{name: "a", text: "x", change: func(_ *entry, _,
				d []byte) {
				binary.LittleEndian.PutUint32(d[20:], 0xffffffff)
			}})},
		{"fewer members than claimed", "ZIP_CORRUPT", "claims 3 members in 94 bytes", with(12, 3)},
		{"more than there is room for", "ZIP_CORRUPT", "claims 9000 members", with(12, 0x28, 0x23)},
		{"a directory that is too long", "ZIP_CORRUPT", "claims", with(10, 0xff, 0xff, 0xff, 0x7f)},
		{"a part of an archive", "ZIP_CORRUPT", "several files", with(18, 1)},
		{"an entry that is too long", "ZIP_CORRUPT", "goes beyond its end", with(endSize+47-32, 0xff)},
		{"a directory that is none", "ZIP_CORRUPT", "has 0 members, and claims 2", with(endSize+94, 'Q')},
	} {
		_, err := rowsOf(t, tt.data)
		code := ""
		var fit *input.MismatchError
		var fault *input.Error
		switch {
		case errors.As(err, &fit):
			code = fit.Code
		case errors.As(err, &fault):
			code = fault.Code()
		}
		if code != tt.code || !strings.Contains(fmt.Sprint(err), tt.text) {
			t.Errorf("%s: %v [%s]; want %q [%s]", tt.name, err, code, tt.text, tt.code)
		}
	}
}

// TestLarge reads archives with the fields of large ones.
func TestLarge(t *testing.T) {
	large := func(_ *entry, _, d []byte) {
		le := binary.LittleEndian
		le.PutUint32(d[20:], 0xffffffff)
		le.PutUint32(d[24:], 0xffffffff)
		le.PutUint32(d[42:], 0xffffffff)
		le.PutUint16(d[30:], 28)
	}
	data := raw(entry{name: "a", text: "x", change: large})
	dir := len(data) - endSize - entrySize - 1
	le := binary.LittleEndian
	extra := []byte{1, 0, 24, 0}
	for _, n := range []uint64{1, 1, 0} {
		extra = le.AppendUint64(extra, n)
	}
	record := make([]byte, end64Size)
	copy(record, end64Mark)
	le.PutUint64(record[4:], end64Size-12)
	le.PutUint64(record[24:], 1)
	le.PutUint64(record[32:], 1)
	le.PutUint64(record[40:], uint64(entrySize+1+len(extra)))
	le.PutUint64(record[48:], uint64(dir))
	head := slices.Concat(data[:dir+entrySize+1], extra)
	locator := make([]byte, locatorSize)
	copy(locator, locatorMark)
	le.PutUint64(locator[8:], uint64(len(head)))
	le.PutUint32(locator[16:], 1)
	end := ending(0xffff, 0xffffffff, 0xffffffff)
	all := slices.Concat(head, record, locator, end)
	want, bad, err := oracle(all)
	if err != nil || bad {
		t.Fatalf("archive/zip: %v, %t", err, bad)
	}
	got, err := rowsOf(t, all)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for at := range locator[:16] {
		b := slices.Clone(all)
		b[len(head)+len(record)+at] ^= 0xff
		if _, err := rowsOf(t, b); err == nil && at != 4 && at != 5 && at != 6 && at != 7 {
			t.Errorf("a locator that is wrong at byte %d is taken", at)
		}
	}
}
