package arrays

import (
	"slices"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// TestMemoryLimit rejects arrays that have to be in memory and are too large together. An array
// with several columns counts once.
func TestMemoryLimit(t *testing.T) {
	const half = maxInMemory / 2
	of := func(file int, entry *member, size int64) array {
		return array{file: file, entry: entry, packed: true, header: header{fortran: true, bytes: size}, member: "x"}
	}
	one, other := new(member), new(member)
	for _, tt := range []struct {
		name   string
		arrays []array
		want   string
	}{
		{"the most", []array{of(0, nil, maxInMemory)}, ""},
		{"more", []array{of(0, nil, maxInMemory+1)}, "1073741825"},
		{"columns of one file", []array{of(0, nil, half+1), of(0, nil, half+1)}, ""},
		{"columns of one member", []array{of(0, one, half), of(0, one, half), of(0, other, half)}, ""},
		{"members", []array{of(0, one, half), of(0, other, half+1)}, "536870913"},
		{"files", []array{of(0, nil, half+1), of(1, nil, half)}, "536870912"},
		{"a mapped one", []array{{header: header{fortran: true, bytes: maxInMemory + 1}}}, ""},
	} {
		in := arraysInput{files: make([]file, 2), arrays: tt.arrays}
		listing := &input.Listing{Files: make([]files.File, 2), Paths: []string{"a.npz", "a.npz"}}
		if err := in.ListPaths(nil, &input.Env{Listed: listing}); err != nil {
			t.Fatal(err)
		}
		err := in.checkMemory()
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		wantError(
			t, "", err, `a.npz: the member "x" is compressed and in Fortran order, and has `+tt.want+
				" bytes; expected at most 1073741824 in all such arrays of a source, or C order, or no compression "+
				"[ARRAY_SIZE]")
	}
}

// TestSharedArrayIsInMemoryOnce checks that an array with several columns is in memory once.
func TestSharedArrayIsInMemoryOnce(t *testing.T) {
	file := func(elements string) string {
		return filetest.NPYHeader(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2)}", elements)
	}
	dir := testenv.Directory(t, map[string]string{
		"a.npy.gz": filetest.Gzip(file("abcd")),
		"b.npz": archive(t, packed{name: "x.npy", text: file("efgh"), deflate: true},
			packed{name: "y.npy", text: file("ijkl"), deflate: true}),
	})
	in := mustOpen(t, dir, "a.npy.gz", "b.npz#x", "b.npz#y", "a.npy.gz", "b.npz#x.npy", "b.npz#x")
	if got, want := both(t, in), []string{"0|6163|6567|696b|6163|6567|6567",
		"1|6264|6668|6a6c|6264|6668|6668"}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	r, err := in.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, l := range r.(*rows).readers {
		held += len(l.decompressed)
	}
	if held != 12 {
		t.Errorf("%d bytes are in memory, want 3 arrays of 4", held)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
