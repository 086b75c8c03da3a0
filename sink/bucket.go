package sink

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
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
	uploaded map[string]object // by name
	mayLand  atomic.Bool       // an upload was canceled that the store may still complete
}

// remote is the client and the URLs of an output in a bucket.
type remote struct {
	ctx    context.Context // of the run
	client *bucket.Client
	out    bucket.URL // the prefix of the dataset, with a slash at its end
	hidden bucket.URL // the prefix of job.json and state.json, without a slash at its end
}

// An object is what this run knows of an object below the output.
type object struct {
	size int64
	etag string
	crc  uint32 // CRC-32C
}

// initBucket initializes the location for an output in a bucket.
func (loc *location) initBucket(output string, opt *Options) error {
	u, _, err := bucket.Parse(strings.TrimSuffix(output, "/"))
	if err != nil {
		return &pathError{output, fmt.Errorf("%w: %w", ErrName, err)}
	}
	if !fs.ValidPath(u.Key) || u.Key == "." {
		return &pathError{output, ErrName}
	}
	client, _, err := objects.At(loc.disk.storage, output)
	if errors.Is(err, store.ErrNoStore) {
		return &pathError{output, store.ErrNoStore}
	}
	if err != nil {
		return &OutputError{Op: "opening", Path: output, Offset: -1, Err: err}
	}
	loc.output = u.String()
	hidden, _, err := bucket.Parse(StagingPath(loc.output))
	if err != nil {
		return &pathError{output, err}
	}
	loc.disk.sync = false // local files may be lost: the store tells what is finished
	loc.disk.readers = newReaders(max(opt.Readers, maxRequests))
	name, err := loc.scratchName()
	if err != nil {
		return err
	}
	loc.staging = filepath.Join(opt.Scratch, name)
	r := &remote{ctx: loc.disk.storage.Context(), client: client, out: u.Join(""), hidden: hidden}
	o := &owner{remote: r, disk: loc.disk, runFile: loc.inStaging(ownerName), takeover: opt.Takeover}
	in := &prefix{location: loc, remote: r, owner: o, uploaded: map[string]object{}}
	loc.target, loc.shared = in, sharedPrefix{in}
	return nil
}

// isInBucket reports whether the output is in a bucket. Then the staging directory is not next
// to it.
func (loc *location) isInBucket() bool { return !loc.disk.storage.CanRename(loc.output) }

// datasetURL returns the URL of the dataset.
func (r *remote) datasetURL() string { return strings.TrimSuffix(r.out.String(), "/") }

// wrapError returns an error of the store as an *OutputError. If the context of the run has
// ended, it returns the cause.
func (r *remote) wrapError(err error) error {
	e, ok := errors.AsType[*bucket.Error](err)
	switch {
	case err == nil:
		return nil
	case r.ctx.Err() != nil:
		return context.Cause(r.ctx)
	case ok:
		return &OutputError{Op: e.What, Path: e.URL.String(), Offset: -1, Err: objects.Cause(e)}
	}
	return &OutputError{Op: "using", Path: r.out.String(), Offset: -1, Err: err}
}

// get returns the bytes of an object. It returns nil if the object does not exist or has more
// than most bytes.
func (r *remote) get(ctx context.Context, u bucket.URL, most int64) ([]byte, bucket.Object, error) {
	data, o, err := r.client.Get(ctx, u, most)
	if errors.Is(err, fs.ErrNotExist) && !bucket.IsNoBucket(err) || errors.Is(err, bucket.ErrTooLarge) {
		return nil, o, nil
	}
	return data, o, r.wrapError(err)
}

// find returns what the output contains. Without _SUCCESS it is not a dataset. Other objects
// are Foreign, unless a job object exists: then a run that is not finished made them, and the
// output is Absent.
func (p *prefix) find() (Found, error) {
	success, _, err := p.get(p.ctx, p.out.Join(successName), maxMarkRead)
	if err != nil {
		return Foreign, err
	}
	if success != nil {
		manifest, _, err := p.get(p.ctx, p.out.Join(ManifestName), maxManifest)
		if err != nil || !bytes.Contains(manifest[:min(len(manifest), maxMarkRead)], []byte(toolMark)) {
			return Foreign, err
		}
		return Dataset, nil
	}
	entries, err := p.client.ReadDir(p.ctx, p.out)
	if err != nil {
		return Foreign, p.wrapError(err)
	}
	if len(entries) > 0 {
		job, _, err := p.readJob(p.ctx)
		if err != nil || job == nil {
			return Foreign, err
		}
	}
	return Absent, nil
}

// lastState returns the state object, and whether a job object exists.
func (p *prefix) lastState() (state []byte, unfinished bool, err error) {
	if state, _, err = p.get(p.ctx, p.hidden.Join(stateName), maxState); err != nil {
		return nil, false, err
	}
	job, _, err := p.readJob(p.ctx)
	return state, job != nil, err
}

func (p *prefix) storeState(state []byte) error {
	_, err := p.client.Put(p.ctx, p.hidden.Join(stateName), state)
	return p.wrapError(err)
}

func (p *prefix) manifestDigest() (string, error) {
	data, _, err := p.get(p.ctx, p.out.Join(ManifestName), maxManifest)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// checkReplaceable always returns an error: a store cannot exchange two prefixes in one step.
func (p *prefix) checkReplaceable() error { return &pathError{p.output, ErrDataset} }

func (p *prefix) begin(job []byte) error { return p.owner.start(job) }

func (p *prefix) repair() error { return nil }

// reserve checks nothing: a shard is local only until its upload ends.
func (p *prefix) reserve(int64) error { return nil }

func (p *prefix) openUploaded(name string) (store.File, error) {
	p.mu.Lock()
	_, exists := p.uploaded[name]
	p.mu.Unlock()
	if exists {
		return p.disk.storage.Open(p.out.Join(name).String())
	}
	return p.disk.storage.Open(store.Join(p.inStaging(dataName), name))
}

func (p *prefix) syncPublished() error { return nil }

// cleanupTimeout is the time limit for removing objects at the end of a run, even of a canceled
// run.
const cleanupTimeout = 30 * time.Second

func (r *remote) cleanupContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.ctx), cleanupTimeout)
}

func (p *prefix) removeReplaced() error { return nil }

// release removes the job object, because the dataset exists.
func (p *prefix) release() error {
	ctx, cancel := p.cleanupContext()
	defer cancel()
	return p.owner.release(ctx)
}

// removeUploaded removes everything below the output and gives the output up. It does nothing
// if the job object is not this run's, or if the output is a dataset.
func (p *prefix) removeUploaded() error {
	ctx, cancel := p.cleanupContext()
	defer cancel()
	if mine, err := p.owner.isMine(ctx); err != nil || !mine {
		return err
	}
	success, _, err := p.get(ctx, p.out.Join(successName), maxMarkRead)
	if err != nil || success != nil {
		return err
	}
	if err := p.owner.markGivenUp(ctx); err != nil {
		return err
	}
	if err := p.removeObjects(ctx, p.out, keepNone); err != nil {
		return err
	}
	return p.owner.release(ctx)
}

// giveUp gives the output up if nothing is below it, and no canceled upload can appear there.
// Objects below it may belong to another run.
func (p *prefix) giveUp() error {
	ctx, cancel := p.cleanupContext()
	defer cancel()
	if mine, err := p.owner.isMine(ctx); err != nil || !mine || p.mayLand.Load() {
		return err
	}
	entries, err := p.client.ReadDir(ctx, p.out)
	if err != nil || len(entries) > 0 {
		return p.wrapError(err)
	}
	return p.owner.release(ctx)
}

// maxRequests is the number of parallel requests that transfer few bytes or none.
const maxRequests = 32

// keepNone keeps no object.
func keepNone(string, *bucket.Object) (bool, error) { return false, nil }

// removeObjects removes the objects below a URL, except those for which stays returns true.
func (r *remote) removeObjects(ctx context.Context, below bucket.URL, stays func(name string, o *bucket.Object) (bool, error)) error {
	var gone []bucket.URL
	var refused error // the error of stays, as it is not an error of the store
	err := r.client.List(ctx, below, func(o bucket.Object) error {
		stay, err := stays(strings.TrimPrefix(o.Key, below.Key), &o)
		if err == nil && !stay {
			u := below
			u.Key = o.Key
			gone = append(gone, u)
		}
		refused = err
		return err
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return r.wrapError(err)
	}
	return r.wrapError(r.client.RemoveAll(ctx, gone))
}
