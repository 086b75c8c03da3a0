package vfs

import (
	"cmp"
	"io/fs"
)

// injectFile is a file that an Inject opened.
type injectFile struct {
	in    *Inject
	under File
}

func (f *injectFile) Name() string { return f.under.Name() }

func (f *injectFile) Read(p []byte) (int, error) {
	op := Op{Kind: "read", Name: f.Name(), Size: int64(len(p))}
	return ask(f.in, op, func() (int, error) { return f.under.Read(p) })
}

func (f *injectFile) ReadAt(p []byte, off int64) (int, error) {
	op := Op{Kind: "readat", Name: f.Name(), Off: off, Size: int64(len(p))}
	return ask(f.in, op, func() (int, error) { return f.under.ReadAt(p, off) })
}

func (f *injectFile) Write(p []byte) (int, error) {
	return f.write(Op{Kind: "write", Name: f.Name(), Size: int64(len(p))}, p, f.under.Write)
}

func (f *injectFile) WriteAt(p []byte, off int64) (int, error) {
	op := Op{Kind: "writeat", Name: f.Name(), Off: off, Size: int64(len(p))}
	return f.write(op, p, func(p []byte) (int, error) { return f.under.WriteAt(p, off) })
}

// write writes p, or, when it is to fail, the half of it.
func (f *injectFile) write(op Op, p []byte, write func([]byte) (int, error)) (int, error) {
	switch err := f.in.before(op); err {
	case nil:
		return write(p)
	case ErrSkip:
		return len(p), nil
	default:
		n, werr := write(p[:len(p)/2])
		return n, cmp.Or(err, werr)
	}
}

// Close closes the file even when it is to fail, as the system does.
func (f *injectFile) Close() error {
	err := f.in.before(Op{Kind: "close", Name: f.Name()})
	if closed := f.under.Close(); err == nil {
		return closed
	}
	if err == ErrSkip {
		return nil
	}
	return err
}

func (f *injectFile) Stat() (fs.FileInfo, error) {
	return ask(f.in, Op{Kind: "fstat", Name: f.Name()}, f.under.Stat)
}

func (f *injectFile) Truncate(size int64) error {
	op := Op{Kind: "truncate", Name: f.Name(), Size: size}
	return f.in.do(op, func() error { return f.under.Truncate(size) })
}

func (f *injectFile) Sync() error {
	return f.in.do(Op{Kind: "sync", Name: f.Name()}, f.under.Sync)
}

func (f *injectFile) Allocate(size int64) error {
	op := Op{Kind: "allocate", Name: f.Name(), Size: size}
	return f.in.do(op, func() error { return f.under.Allocate(size) })
}

func (f *injectFile) StartWrite(off, n int64) error {
	op := Op{Kind: "startwrite", Name: f.Name(), Off: off, Size: n}
	return f.in.do(op, func() error { return f.under.StartWrite(off, n) })
}
