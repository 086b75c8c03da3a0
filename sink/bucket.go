package sink

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tfr-build/internal/store"
)

// A prefix is the target in a bucket. The staging directory is local, and exists while it is
// needed. The bucket contains
//
//	OUTPUT/…                finished shards, then the other files, the manifest, and
//	                        _SUCCESS, which makes the dataset exist
//	….OUTPUT.tfr/job.json   the job that makes the output, until the dataset exists
//	             state.json the state that the last commit stored
//	             rejects/…  metadata of the shards of tasks, until the dataset exists
//	             statistics/…
//
// Each object is uploaded with a checksum of its bytes, which the store compares. Before a
// dataset is published, each object must have the size and ETag of its upload, or the same
// bytes.
type prefix struct {
	*location
	*remote
	owner *owner

	mu       sync.Mutex
	uploaded map[string]FinishedShard // by name
	listed   map[string]fs.FileInfo   // what a run that resumes found below the output, by name
	mayLand  atomic.Bool              // an upload was canceled that the store may still complete
}

// remote is the store and the URLs of an output in a bucket.
type remote struct {
	ctx     context.Context // of the run
	storage *store.Storage
	out     string // the URL of the dataset
	hidden  string // the URL of the directory of job.json and state.json
}

// inOutput returns the URL of a file of the dataset.
func (r *remote) inOutput(name string) string { return store.Join(r.out, name) }

// inHidden returns the URL of a file in the directory of job.json.
func (r *remote) inHidden(name string) string { return store.Join(r.hidden, name) }

// put writes an object, in place of one that exists.
func (r *remote) put(ctx context.Context, url string, data []byte) error {
	_, err := r.storage.Put(ctx, url, bytes.NewReader(data), int64(len(data)), store.Condition{})
	return r.wrapError(err)
}

// initBucket initializes the location for an output in a bucket.
func (loc *location) initBucket(output string, opt *Options) error {
	storage := loc.disk.storage
	loc.output = store.Clean(output)
	hidden := StagingPath(loc.output)
	for _, url := range []string{loc.output, hidden} {
		err := storage.CheckName(url)
		switch {
		case errors.Is(err, store.ErrNoStore):
			return &pathError{output, store.ErrNoStore}
		case errors.Is(err, store.ErrName):
			return &pathError{output, fmt.Errorf("%w: %w", ErrName, store.Cause(err))}
		case err != nil:
			return wrapError("opening", output, err)
		}
	}
	if key := store.Key(loc.output); !fs.ValidPath(key) || key == "." {
		return &pathError{output, ErrName}
	}
	if !storage.CanPut(loc.output) {
		return wrapError("opening", output, errReadOnly)
	}
	loc.disk.sync = false // local files may be lost: the store tells what is finished
	// To check a shard is a request, which waits for the network and not for a processor.
	loc.disk.readers = newReaders(max(opt.Readers, maxRequests))
	name, err := loc.scratchName()
	if err != nil {
		return err
	}
	loc.staging = filepath.Join(opt.Scratch, name)
	r := &remote{ctx: storage.Context(), storage: storage, out: loc.output, hidden: hidden}
	o := &owner{remote: r, disk: loc.disk, runFile: loc.inStaging(ownerName), takeover: opt.Takeover}
	in := &prefix{location: loc, remote: r, owner: o, uploaded: map[string]FinishedShard{}}
	loc.target, loc.shared = in, in
	return nil
}

// isInBucket reports whether the output is in a bucket. Then the staging directory is not next
// to it.
func (loc *location) isInBucket() bool { return !loc.disk.storage.CanRename(loc.output) }

var errReadOnly = errors.New("its store is read-only")

// wrapError returns an error of the store as an *OutputError. If the context of the run has
// ended, it returns the cause.
func (r *remote) wrapError(err error) error {
	switch {
	case err == nil:
		return nil
	case r.ctx.Err() != nil:
		return context.Cause(r.ctx)
	case errors.As(err, new(*OutputError)): // of a condition
		return err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return wrapError(e.Op, e.Path, e)
	}
	return wrapError("using", r.out, err)
}

// get returns the bytes of an object. It returns nil if the object does not exist or has more
// than most bytes. info is nil if it does not exist.
func (r *remote) get(ctx context.Context, url string, most int64) (data []byte, info fs.FileInfo, err error) {
	data, info, err = r.storage.Get(ctx, url, most)
	switch {
	case store.IsMissing(err):
		return nil, nil, nil
	case errors.As(err, new(*store.LargeError)):
		return nil, info, nil
	}
	return data, info, r.wrapError(err)
}

// etagOf returns the ETag of an object.
func etagOf(info fs.FileInfo) string { return store.VersionOf(info).ETag }

// list calls visit with each object of a directory, whose name is relative to it. The first error
// of visit ends it and is returned as it is.
func (r *remote) list(ctx context.Context, dir string, visit func(name string, info fs.FileInfo) error) error {
	var refused error
	err := r.storage.List(ctx, dir+"/", func(url string, info fs.FileInfo) error {
		refused = visit(strings.TrimPrefix(url, dir+"/"), info)
		return refused
	})
	return cmp.Or(refused, r.wrapError(err))
}

// isEmpty reports whether the output has no objects.
func (r *remote) isEmpty(ctx context.Context) (bool, error) {
	err := r.list(ctx, r.out, func(string, fs.FileInfo) error { return errNotEmpty })
	if err == errNotEmpty {
		return false, nil
	}
	return err == nil, err
}

var errNotEmpty = errors.New("there is an object")

// find returns what the output contains. Without _SUCCESS it is not a dataset. Other objects
// are Foreign, unless a job object exists: then a run that is not finished made them, and the
// output is Absent.
func (p *prefix) find() (Found, error) {
	success, _, err := p.get(p.ctx, p.inOutput(successName), maxMarkRead)
	if err != nil {
		return Foreign, err
	}
	if success != nil {
		manifest, _, err := p.get(p.ctx, p.inOutput(ManifestName), maxManifest)
		if err != nil || !bytes.Contains(manifest[:min(len(manifest), maxMarkRead)], []byte(toolMark)) {
			return Foreign, err
		}
		return Dataset, nil
	}
	isEmpty, err := p.isEmpty(p.ctx)
	if err != nil {
		return Foreign, err
	}
	if !isEmpty {
		job, _, err := p.readJob(p.ctx)
		if err != nil || job == nil {
			return Foreign, err
		}
	}
	return Absent, nil
}

// lastState returns the state object, and whether a job object exists.
func (p *prefix) lastState() (state []byte, unfinished bool, err error) {
	if state, _, err = p.get(p.ctx, p.inHidden(stateName), maxState); err != nil {
		return nil, false, err
	}
	job, _, err := p.readJob(p.ctx)
	return state, job != nil, err
}

func (p *prefix) storeState(state []byte) error { return p.put(p.ctx, p.inHidden(stateName), state) }

func (p *prefix) begin(job []byte) error { return p.owner.start(job, false) }

// cleanupTimeout is the time limit for removing objects at the end of a run, even of a canceled
// run.
const cleanupTimeout = 30 * time.Second

func (r *remote) cleanupContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.ctx), cleanupTimeout)
}

// release removes the job object, because the dataset exists.
func (p *prefix) release() error {
	ctx, cancel := p.cleanupContext()
	defer cancel()
	return p.owner.release(ctx)
}

// giveUp gives the output up, unless the job object is not this run's. With drop, it removes
// everything below the output first, unless that is a dataset. Without drop, it does nothing if
// there is an object below the output, which may belong to another run, or if a canceled upload can
// still appear there.
func (p *prefix) giveUp(drop bool) error {
	ctx, cancel := p.cleanupContext()
	defer cancel()
	mine, err := p.owner.isMine(ctx)
	if err == nil && mine && drop {
		mine, err = p.removeUploaded(ctx)
	} else if err == nil && mine {
		mine, err = p.isEmpty(ctx)
		mine = mine && !p.mayLand.Load()
	}
	if err != nil || !mine {
		return err
	}
	return p.owner.release(ctx)
}

// removeUploaded removes everything below the output. It does nothing if that is a dataset.
func (p *prefix) removeUploaded(ctx context.Context) (done bool, err error) {
	success, _, err := p.get(ctx, p.inOutput(successName), maxMarkRead)
	if err != nil || success != nil {
		return false, err
	}
	if err := p.owner.markGivenUp(ctx); err != nil {
		return false, err
	}
	return true, p.removeObjects(ctx, p.out, keepNone)
}

// maxRequests is the number of parallel requests that transfer few bytes or none.
const maxRequests = 32

// keepNone keeps no object.
func keepNone(string, fs.FileInfo) (bool, error) { return false, nil }

// removeObjects removes the objects of a directory, except those for which stays returns true.
func (r *remote) removeObjects(
	ctx context.Context, dir string, stays func(name string, info fs.FileInfo) (bool, error),
) error {
	var gone []string
	err := r.list(ctx, dir, func(name string, info fs.FileInfo) error {
		stay, err := stays(name, info)
		if err == nil && !stay {
			gone = append(gone, store.Join(dir, name))
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.wrapError(r.storage.Delete(ctx, gone...))
}
