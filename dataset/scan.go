package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"tfr-build/framing"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// Records are the records of a finished dataset or of files.
type Records struct {
	Manifest *Manifest // nil for files
	Record   schema.Message
	Splits   []string
	Files    []RecordFile

	directory directory
	framing   *framing.Format
}

// A RecordFile is a file of records.
type RecordFile struct {
	Path    string
	Split   int    // index in Records.Splits
	Records int64  // number of records in the manifest; or Unknown
	Digest  string // digest in the manifest; empty for files

	name string // relative to the dataset's directory; the path for files
}

// OpenDataset returns the records of the dataset in dir according to its manifest. A nil store is
// the operating system's.
func OpenDataset(from Store, dir string) (*Records, error) {
	p := newDirectory(dir, &VerifyOptions{Store: from})
	m, err := p.inspectManifest()
	if err != nil {
		return nil, err
	}
	r := &Records{Manifest: m, directory: p}
	r.Record, r.framing = m.Records()
	for i, s := range m.Splits {
		r.Splits = append(r.Splits, s.Name)
		for _, shard := range s.Shards {
			r.Files = append(r.Files, RecordFile{p.path(shard.Name), i, shard.Records, shard.Digest, shard.Name})
		}
	}
	return r, nil
}

// OpenFiles returns the records of files. The first record determines their type. Files whose
// names differ only in the shard number belong to the same split.
func OpenFiles(from Store, paths []string) (*Records, error) {
	r := &Records{directory: newDirectory("", &VerifyOptions{Store: from})}
	numbers := map[string]int{}
	for _, path := range paths {
		name := splitOfFile(path)
		n, known := numbers[name]
		if !known {
			n = len(r.Splits)
			numbers[name], r.Splits = n, append(r.Splits, name)
		}
		r.Files = append(r.Files, RecordFile{Path: path, Split: n, Records: Unknown, name: path})
	}
	for i := range r.Files {
		known, err := r.detect(&r.Files[i])
		if known || err != nil {
			return r, err
		}
	}
	return r, nil
}

var (
	shardOfFile = regexp.MustCompile(`^(.+?)` + framing.Extensions() + `?[-.]\d{5}-of-\d{5}` + framing.Extensions() +
		`?(?:\.gz|\.zlib)?$`)
	// A file in a directory per split.
	partOfFile = regexp.MustCompile(`^(?:part-\d+|\d{5}-of-\d{5})` + framing.Extensions() + `?(?:\.gz|\.zlib)?$`)
)

// splitOfFile returns the split of a file by its name. train-00001-of-00010, train/part-00001,
// and split=train/00001-of-00010 belong to the split train.
func splitOfFile(path string) string {
	name := filepath.Base(path)
	if m := shardOfFile.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if partOfFile.MatchString(name) {
		directory := filepath.Base(filepath.Dir(path))
		return directory[strings.LastIndexByte(directory, '=')+1:]
	}
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// detect determines the type of records by the first record of a file. known is false if the file
// is empty.
func (r *Records) detect(f *RecordFile) (known bool, err error) {
	in, err := r.open(f)
	if err != nil {
		return false, err
	}
	defer in.Close()
	r.framing, r.Record = in.format.Format, in.format.message()
	if !r.Record.IsGuessed() {
		return true, nil
	}
	payload, err := in.next()
	if err == io.EOF {
		return false, nil
	}
	if kind := message.KindOf(payload); kind.HasSteps() {
		r.Record = schema.MessageOfKind(kind)
	}
	return true, err
}

// A recordReader reads one file.
type recordReader struct {
	framing.Reader
	StoreFile
	path   string
	format format
}

func (r *Records) open(f *RecordFile) (*recordReader, error) {
	file, err := r.directory.openRegular(f.name)
	if err != nil {
		return nil, err
	}
	in, head, err := peek(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	how, _ := detect(head)
	if r.Manifest != nil {
		// a user may have changed the compression, but not the framing
		how.Format, how.sample = r.framing, r.Manifest.Members
	}
	return &recordReader{how.newReader(in, f.Path), file, f.Path, how}, nil
}

// next reads a record. It returns an error if the record does not fit in memory.
func (r *recordReader) next() ([]byte, error) {
	length, err := r.Length()
	if err != nil {
		return nil, err
	}
	if length > tfrecord.MaxInMemory {
		return nil, tooLong(r.path, r.Reader, length, "only records that fit in memory are compared and counted")
	}
	return r.Next()
}

// A recordBatch has consecutive records of one file.
type recordBatch struct {
	file    int
	first   int64 // number of its first record in the file
	data    []byte
	ends    []int   // offsets in data
	offsets []int64 // of each record in the decompressed file
}

// A RecordPosition is the position of a record.
type RecordPosition struct {
	File   int   // index in Records.Files
	Record int64 // number of the record in the file, from 0
	Offset int64 // offset in the decompressed file
}

// The limits of a batch. The record that reaches batchBytes is its last.
const (
	batchBytes   = 256 << 10
	batchRecords = 4096
)

// Each calls visit with every record, in any order. Up to workers files are read in parallel, and
// all workers visit the records of each file. Several goroutines call visit, each with its own
// worker number, from 0 up to workers-1. The first error of visit or of reading ends Each.
func (r *Records) Each(ctx context.Context, workers int,
	visit func(worker int, at RecordPosition, payload []byte) error) error {
	workers = max(1, workers)
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	full, empty := make(chan *recordBatch, workers), make(chan *recordBatch, 4*workers)
	for range cap(empty) {
		empty <- new(recordBatch)
	}
	var readers, visitors sync.WaitGroup
	var next atomic.Int64
	for range min(workers, len(r.Files)) {
		readers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(r.Files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := r.read(ctx, i, empty, full); err != nil {
					fail(err)
				}
			}
		})
	}
	for worker := range workers {
		visitors.Go(func() {
			for b := range full { // also after an error, so that readers do not block
				if ctx.Err() == nil {
					if err := b.visit(worker, visit); err != nil {
						fail(err)
					}
				}
				if cap(b.data) > 8*batchBytes { // frees the memory of a large record
					b.data = nil
				}
				empty <- b
			}
		})
	}
	readers.Wait()
	close(full)
	visitors.Wait()
	return context.Cause(ctx)
}

func (b *recordBatch) visit(worker int, visit func(worker int, at RecordPosition, payload []byte) error) error {
	begin := 0
	for i, end := range b.ends {
		if err := visit(worker, RecordPosition{b.file, b.first + int64(i), b.offsets[i]},
			b.data[begin:end]); err != nil {
			return err
		}
		begin = end
	}
	return nil
}

// read reads a file into batches.
func (r *Records) read(ctx context.Context, file int, empty, full chan *recordBatch) error {
	in, err := r.open(&r.Files[file])
	if err != nil {
		return err
	}
	defer in.Close()
	for number, done := int64(0), false; !done; {
		var b *recordBatch
		select {
		case b = <-empty:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if done, err = b.fill(in, file, number); err != nil {
			return err
		}
		number += int64(len(b.ends))
		select {
		case full <- b:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// fill reads the next records. done is true at the end of the file.
func (b *recordBatch) fill(in *recordReader, file int, first int64) (done bool, err error) {
	b.file, b.first, b.data, b.ends, b.offsets = file, first, b.data[:0], b.ends[:0], b.offsets[:0]
	for len(b.data) < batchBytes && len(b.ends) < batchRecords {
		payload, err := in.next()
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		b.data = append(b.data, payload...)
		b.ends, b.offsets = append(b.ends, len(b.data)), append(b.offsets, in.Offset())
	}
	return false, nil
}

// maxFirst is the maximum total size in bytes of the records that First returns, except for the
// last record.
const maxFirst = 64 << 20

// First returns the first records of a split, at most n.
func (r *Records) First(ctx context.Context, split, n int) (payloads [][]byte, err error) {
	size := 0
	for i := range r.Files {
		if r.Files[i].Split != split {
			continue
		}
		in, err := r.open(&r.Files[i])
		if err != nil {
			return nil, err
		}
		for err == nil && len(payloads) < n && size < maxFirst {
			var payload []byte
			if payload, err = in.next(); err == nil {
				payloads, size = append(payloads, bytes.Clone(payload)), size+len(payload)
				err = ctx.Err()
			}
		}
		in.Close()
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(payloads) == n || size >= maxFirst {
			break
		}
	}
	return payloads, nil
}

// Count sets the number of records of files where it is Unknown. It reads these files.
func (r *Records) Count(ctx context.Context) error {
	for i := range r.Files {
		f := &r.Files[i]
		if f.Records != Unknown {
			continue
		}
		in, err := r.open(f)
		if err != nil {
			return err
		}
		n := int64(0)
		for ; err == nil; n++ {
			if err = ctx.Err(); err == nil {
				_, err = in.Copy(io.Discard)
			}
		}
		in.Close()
		if err != io.EOF {
			return err
		}
		f.Records = n - 1 // the last turn found the end
	}
	return nil
}

// OpenFile opens a file of the dataset by its name in the manifest.
func (r *Records) OpenFile(name string) (StoreFile, error) { return r.directory.openRegular(name) }

// ReadFile reads a small file of the dataset. found is false if it does not exist.
func (r *Records) ReadFile(name string) (data []byte, found bool, err error) {
	if _, err := r.directory.fs.Stat(r.directory.path(name)); errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	data, damage, err := r.directory.readFile(name)
	if err == nil && damage != nil {
		err = damage
	}
	return data, err == nil, err
}
