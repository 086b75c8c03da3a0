package work

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/store"
)

// A countedFile counts in open while it is open.
type countedFile struct {
	store.File
	text string
	open *int
}

func (f countedFile) ReadAt(p []byte, off int64) (int, error) {
	return strings.NewReader(f.text).ReadAt(p, off)
}

func (f countedFile) Close() error {
	*f.open--
	return nil
}

// TestOpenFiles reads files from several goroutines: at most so many stay open, and each is closed
// once.
func TestOpenFiles(t *testing.T) {
	for limit := 1; limit <= 3; limit++ {
		var mu sync.Mutex
		opens, isOpen := 0, map[string]*int{}
		o := openFiles{limit: limit, files: map[string]*openFile{}}
		o.open = func(name string) (store.File, error) {
			mu.Lock()
			defer mu.Unlock()
			opens++
			n := 1
			isOpen[fmt.Sprint(opens)] = &n
			return countedFile{text: name, open: &n}, nil
		}
		count := func() (n int) {
			for _, open := range isOpen {
				if *open < 0 {
					t.Error("a file was closed twice")
				}
				n += *open
			}
			return n
		}
		var group sync.WaitGroup
		for i := range 4 {
			group.Go(func() {
				for range 50 {
					name := fmt.Sprint("file ", i%3)
					p := make([]byte, len(name))
					if _, err := o.readAt(name, p, 0); err != nil || string(p) != name {
						t.Errorf("%q, %v; want %q", p, err, name)
					}
				}
			})
		}
		group.Wait()
		if n := count(); n != limit {
			t.Errorf("%d files are open, want %d", n, limit)
		}
		before := opens
		for _, name := range []string{"file 0", "file 0"} {
			o.forget("file 0")
			if _, err := o.readAt(name, make([]byte, 1), 0); err != nil {
				t.Error(err)
			}
		}
		if opens != before+2 {
			t.Errorf("a forgotten file was opened %d times, want 2", opens-before)
		}
		o.closeAll()
		if n := count(); n != 0 {
			t.Errorf("%d files are open after all were closed", n)
		}
	}
}
