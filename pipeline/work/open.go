package work

import (
	"sync"

	"tfr-build/internal/store"
)

// openFiles reads spill files by name, and keeps some of them open. It may be used by several
// goroutines.
type openFiles struct {
	open  func(name string) (store.File, error)
	limit int // on files, which stay open

	mu    sync.Mutex
	files map[string]*openFile
}

// An openFile is closed when it has no users. To be one of the files counts as one.
type openFile struct {
	store.File
	users int
}

func (f *openFile) release() {
	if f.users--; f.users == 0 {
		_ = f.Close() // nothing was written
	}
}

// readAt reads a file as io.ReaderAt does.
func (o *openFiles) readAt(name string, p []byte, off int64) (int, error) {
	f, err := o.take(name)
	if err != nil {
		return 0, err
	}
	n, err := f.ReadAt(p, off)
	o.mu.Lock()
	defer o.mu.Unlock()
	f.release()
	return n, err
}

// take returns a file to a user, who releases it.
func (o *openFiles) take(name string) (*openFile, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f := o.files[name]; f != nil {
		f.users++
		return f, nil
	}
	o.mu.Unlock() // to open a file may take long
	file, err := o.open(name)
	o.mu.Lock()
	if err != nil {
		return nil, err
	}
	for other := range o.files {
		// Another goroutine may have opened the same file during that time.
		if other == name || len(o.files) >= o.limit {
			o.drop(other)
		}
	}
	f := &openFile{File: file, users: 2} // the caller, and the map
	o.files[name] = f
	return f, nil
}

// drop removes one of the files. The caller holds mu.
func (o *openFiles) drop(name string) {
	if f := o.files[name]; f != nil {
		delete(o.files, name)
		f.release()
	}
}

// forget makes the next read open the file again.
func (o *openFiles) forget(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drop(name)
}

// closeAll closes all files.
func (o *openFiles) closeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name := range o.files {
		o.drop(name)
	}
}
