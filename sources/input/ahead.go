package input

import "context"

// Limits of the files that AllRows opens ahead. A file in a bucket takes as long to open as to read, unless it is
// large.
const (
	maxOpening   = 32
	openingFile  = 256 << 10 // bytes of a file; a larger one is opened when its turn comes
	openingBytes = 4 << 20
)

// AllRows calls visit for the rows of all files, in their order. It opens small files ahead, several at once, and reads
// the first row of each. blank is the number of lines that it skipped because they are not rows.
func AllRows(ctx context.Context, in Input, visit func(file int, rec *Record) error) (blank int64, err error) {
	a := opener{in: in}
	defer a.close()
	for file := range in.Listing().Files {
		f := a.take()
		err := f.err
		if f.rows != nil {
			err = eachRow(ctx, f.rows, f.first, f.err, func(rec *Record) error { return visit(file, rec) })
			blank += int64(f.rows.Blank())
		}
		f.close()
		if err != nil {
			return blank, err
		}
	}
	return blank, nil
}

// An opener opens the files of an input, in their order.
type opener struct {
	in    Input
	next  int // the next file to open
	bytes int64
	queue []*openedFile // files that were opened, or are being opened
}

// An openedFile has the rows of a file.
type openedFile struct {
	size  int64
	done  chan struct{} // closed when the other fields are set
	rows  Rows          // nil if the file cannot be opened
	first *Record
	err   error // of opening the file, or of its first row
}

// take returns the next file, and begins to open files after it.
func (a *opener) take() *openedFile {
	files := a.in.Listing().Files
	for ; a.next < len(files) && a.mayOpen(files[a.next].Size); a.next++ {
		f := &openedFile{size: files[a.next].Size, done: make(chan struct{})}
		a.queue, a.bytes = append(a.queue, f), a.bytes+f.size
		go f.open(a.in, a.next)
	}
	f := a.queue[0]
	a.queue, a.bytes = a.queue[1:], a.bytes-f.size
	<-f.done
	return f
}

// mayOpen reports whether a file of that size may be opened now.
func (a *opener) mayOpen(size int64) bool {
	return len(a.queue) == 0 || len(a.queue) < maxOpening && size <= openingFile && a.bytes+size <= openingBytes
}

// close closes the files that were opened and not taken.
func (a *opener) close() {
	for _, f := range a.queue {
		<-f.done
		f.close()
	}
}

func (f *openedFile) open(in Input, file int) {
	defer close(f.done)
	rows, err := in.Rows(file)
	if err == nil {
		f.rows = rows
		f.first, err = rows.Next()
	}
	f.err = err
}

func (f *openedFile) close() {
	if f.rows != nil {
		_ = f.rows.Close() // it was only read
	}
}
