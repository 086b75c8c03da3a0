package sources

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// hostile returns contents of a file. good is a valid content of the source type, which row
// continues.
func hostile(good, row string) map[string]string {
	const bom = "\xef\xbb\xbf"
	return map[string]string{
		"empty":              "",
		"a BOM alone":        bom,
		"a BOM before":       bom + good,
		"no final line end":  strings.TrimRight(good, "\r\n"),
		"half":               good[:len(good)/2],
		"line ends":          "\n\r\n\n",
		"blank lines within": good + "\n\r\n" + row,
		"CRLF":               strings.ReplaceAll(good, "\n", "\r\n"),
		"a NUL byte":         good + "\x00\n" + row,
		"NUL bytes alone":    strings.Repeat("\x00", 20),
		"invalid UTF-8":      good + "\xff\xc3\n" + row,
		"random bytes":       "\x8f\x13\xd0\n\x9e\x00\xff\xfe\"\\{\n,\x81",
		"a long row":         good + strings.Repeat("x", 2*recordLimit) + "\n" + row,
		"long without end":   good + strings.Repeat("x", 2*recordLimit),
		"gzip cut short":     "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xca",
		"an open quote":      good + "\"x\n" + row,
		"a brace":            good + "{\n" + row,
		"again and again":    good + strings.Repeat("\xff\n"+row, 3),
	}
}

// odd returns ways to replace a file by something else.
var odd = map[string]func(path string) error{
	"a pipe":      changes["now a pipe"],
	"a directory": changes["now a directory"],
	"a link to it": func(path string) error {
		return errors.Join(os.Rename(path, path+"~"), os.Symlink(filepath.Base(path)+"~", path))
	},
	"a dangling link": func(path string) error { return errors.Join(os.Remove(path), os.Symlink("nowhere", path)) },
	"a loop of links": func(path string) error {
		return errors.Join(os.Remove(path),
			os.Symlink(filepath.Base(path), path))
	},
	"a kernel's file": func(path string) error {
		return errors.Join(os.Remove(path),
			os.Symlink("/proc/self/status", path))
	},
	"an odd name": func(path string) error {
		return os.Rename(path, filepath.Join(filepath.Dir(path), "a\n\xff\"'{} "+filepath.Base(path)))
	},
	"a deep name": func(path string) error {
		deep := filepath.Join(filepath.Dir(path), strings.Repeat("d/", 60))
		return errors.Join(os.MkdirAll(deep, 0o777), os.Rename(path, filepath.Join(deep, filepath.Base(path))))
	},
	"unreadable": func(path string) error { return os.Chmod(path, 0) },
}

// checkHostile reads hostile contents and odd things. The result is rows, invalid rows, or one
// clear error. The first sample has the expected results.
func (s *sample) checkHostile(t *testing.T, first bool) {
	contents := hostile(s.files[s.first], s.row)
	names := slices.Concat(slices.Sorted(maps.Keys(contents)), slices.Sorted(maps.Keys(odd)))
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, s)
			if change, ok := odd[name]; ok {
				if err := change(filepath.Join(k.dir, s.first)); err != nil {
					t.Fatal(err)
				}
			} else {
				k.write(s.first, contents[name])
			}
			if name == "an odd name" || name == "a deep name" {
				k.rename()
			}
			got := k.conforms()
			if want, known := s.hostile[name]; first && !(name == "unreadable" && os.Geteuid() == 0) {
				if wantRows(t, k.ofFirst(got), want...); !known {
					t.Errorf("conformance_hostiles_test.go does not say what becomes of it: add %q", name)
				}
			}
		})
	}
}

// rename updates the names of the files.
func (k *kit) rename() {
	text := k.text[k.first]
	err := filepath.WalkDir(k.dir, func(path string, d os.DirEntry, err error) error {
		if name, _ := filepath.Rel(k.dir, path); err == nil && !d.IsDir() && k.text[name] == "" {
			k.text[name] = text
		}
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
}

// ofFirst returns the rows of the first file without its name: how many equal those of the
// sample, and the others.
func (k *kit) ofFirst(rows []string) []string {
	kept := 0
	var others []string
	for _, r := range rows {
		r = strings.ReplaceAll(r, strings.Repeat("d/", 60), "deep/")
		own := strings.HasPrefix(r, k.first)
		switch known := slices.Contains(k.rows, r); {
		case known && own:
			kept++
		case own:
			others = append(others, r[len(k.first)+1:])
		case !known:
			others = append(others, r)
		}
	}
	return append([]string{fmt.Sprintf("%d kept", kept)}, others...)
}

// checkMutants reads the first file with bytes added, removed, and changed.
func (k *kit) checkMutants() {
	pieces := []string{"\"", ",", "\n", "\r", "\r\n", "\x00", "\xff", "\xef\xbb\xbf", "{", "}", "[", "\\",
		" ", "é", "#", "1", "\x1a", strings.Repeat("y", recordLimit), "\n\n"}
	for range testenv.Times(2, 50, 50) {
		text := k.files[k.first]
		for range 1 + k.rng.IntN(3) {
			at := k.rng.IntN(len(text) + 1)
			end := min(len(text), at+k.rng.IntN(3))
			text = text[:at] + pieces[k.rng.IntN(len(pieces))] + text[end:]
		}
		k.write(k.first, text)
		plain := k.conforms()
		if k.Failed() {
			k.Fatalf("the mutant %q", text)
		}
		if k.row == "" && len(plain) != len(k.rows) {
			k.Fatalf("a file is a row, whatever it holds: %q", plain)
		}
		if k.row != "" && !k.inside {
			if k.named && !strings.HasPrefix(plain[0], k.first+":") {
				continue // the size of a compressed file is known only at its end
			}
			wantRows(k.T, k.packed(".gz"), plain...)
		}
	}
}
