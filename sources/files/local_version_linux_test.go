package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLocalVersion reads, in each way, files that are the listed version, files that are not, and one that the system
// generates.
func TestLocalVersion(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ways := map[string]func(path string, listed *File) error{
		"open": func(path string, listed *File) error {
			f, err := local{}.open(path, listed)
			if err == nil {
				err = f.Close()
			}
			return err
		},
		"map": func(path string, listed *File) error {
			data, err := local{}.mapFile(path, listed)
			Unmap(data)
			return err
		},
		"read": func(path string, listed *File) error {
			_, err := inDir(t, path).Read(nil, listed)
			return err
		},
		"read the first byte": func(path string, listed *File) error {
			_, err := inDir(t, path).ReadFirst(nil, listed, 1)
			return err
		},
	}
	for _, c := range []struct {
		name, listed, now string
		want              error
	}{
		{"same", "ab", "ab", nil},
		{"empty", "", "", nil},
		{"longer", "ab", "abc", ErrChanged},
		{"shorter", "ab", "a", ErrChanged},
		{"no longer empty", "", "ab", ErrChanged},
		{"emptied", "ab", "", ErrChanged},
		{"/proc/self/status", "", "", ErrNotRegular},
	} {
		path := c.name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, c.name)
			write(c.name, c.listed)
		}
		listed, err := local{}.stat(filepath.Base(path), path)
		if err != nil {
			t.Fatal(err)
		}
		if c.listed != c.now {
			write(c.name, c.now)
		}
		for way, read := range ways {
			if err := read(path, &listed); err != c.want {
				t.Errorf("%s: %s: %v, want %v", c.name, way, err, c.want)
			}
		}
	}
}

// inDir opens the directory of a path.
func inDir(t *testing.T, path string) *localDir {
	t.Helper()
	d, err := local{}.openDir(filepath.Dir(path), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d.(*localDir)
}
