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

// A prefix is the target in a bucket. The staging folder is a local one, which is
// there while it is needed; in the bucket there are
//
//	OUTPUT/…                shards as they are finished; the other files; the manifest;
//	                        _SUCCESS, and with it the dataset
//	….OUTPUT.tfr/job.json   which job makes the output, until it is there
//	             state.json what the last commit was given
//	             rejects/…  what tasks tell about their shards, until it is there
//	             statistics/…
//
// An object is uploaded with the checksum of its bytes, which the store compares. Nothing
// is published that is not of the size and the ETag with which it was uploaded.
type prefix struct {
	*place
	*reach
	owner *owner

	mu     sync.Mutex
	there  map[string]object // by name
	unsure atomic.Bool       // whether an upload was given up, which may land all the same
}

// A reach is how the bucket is asked.
type reach struct {
	ctx    context.Context // of the run
	client *bucket.Client
	out    bucket.URL // with a slash at its end
	hidden bucket.URL // likewise
}

// An object is what this run knows of one below the output.
type object struct {
	size int64
	etag string
	crc  uint32 // CRC32C
}

// inBucket makes the place that of an output in a bucket.
func (p *place) inBucket(output string, opt *Options) error {
	u, _, err := bucket.Parse(strings.TrimSuffix(output, "/"))
	if err != nil {
		return &placeError{output, fmt.Errorf("%w: %w", ErrName, err)}
	}
	if !fs.ValidPath(u.Key) || u.Key == "." {
		return &placeError{output, ErrName}
	}
	client, _, err := objects.At(p.disk.storage, output)
	if errors.Is(err, store.ErrNoStore) {
		return &placeError{output, store.ErrNoStore}
	}
	if err != nil {
		return &OutputError{Op: "opening", Path: output, Offset: -1, Err: err}
	}
	p.output = u.String()
	hidden, _, err := bucket.Parse(StagingPath(p.output))
	if err != nil {
		return &placeError{output, err}
	}
	p.disk.sync = false // what is here can be lost: the store says what is there
	p.disk.readers = newReaders(max(opt.Readers, requests))
	name, err := p.scratchName()
	if err != nil {
		return err
	}
	p.staging = filepath.Join(opt.Scratch, name)
	r := &reach{ctx: p.disk.storage.Context(), client: client, out: u.Join(""), hidden: hidden}
	o := &owner{reach: r, disk: p.disk, note: p.in(ownerName), takeover: opt.Takeover}
	in := &prefix{place: p, reach: r, owner: o, there: map[string]object{}}
	p.target, p.shared = in, sharedPrefix{in}
	return nil
}

// isApart reports whether the staging folder stands elsewhere than beside the output.
func (p *place) isApart() bool { return !p.disk.storage.CanRename(p.output) }

// address is the URL of the dataset.
func (r *reach) address() string { return strings.TrimSuffix(r.out.String(), "/") }

// fail is the error of a store, as that of the output.
func (r *reach) fail(err error) error {
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

// get returns the bytes of an object, or nil where there is none, or a longer one.
func (r *reach) get(ctx context.Context, u bucket.URL, most int64) ([]byte, bucket.Object, error) {
	data, o, err := r.client.Get(ctx, u, most)
	if errors.Is(err, fs.ErrNotExist) && !bucket.IsNoBucket(err) || errors.Is(err, bucket.ErrTooLarge) {
		return nil, o, nil
	}
	return data, o, r.fail(err)
}

// find says what is at the output. Without _SUCCESS there is no dataset: what is there
// is of a run that was stopped, where a job object says so.
func (p *prefix) find() (Found, error) {
	success, _, err := p.get(p.ctx, p.out.Join(successName), markedBy)
	if err != nil {
		return Foreign, err
	}
	if success != nil {
		manifest, _, err := p.get(p.ctx, p.out.Join(ManifestName), maxManifest)
		if err != nil || !bytes.Contains(manifest[:min(len(manifest), markedBy)], []byte(ourMark)) {
			return Foreign, err
		}
		return Dataset, nil
	}
	entries, err := p.client.ReadDir(p.ctx, p.out)
	if err != nil {
		return Foreign, p.fail(err)
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

func (p *prefix) keepState(state []byte) error {
	_, err := p.client.Put(p.ctx, p.hidden.Join(stateName), state)
	return p.fail(err)
}

func (p *prefix) manifestDigest() (string, error) {
	data, _, err := p.get(p.ctx, p.out.Join(ManifestName), maxManifest)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// checkReplaceable always fails: two prefixes cannot be exchanged in one step.
func (p *prefix) checkReplaceable() error { return &placeError{p.output, ErrDataset} }

func (p *prefix) begin(job []byte) error { return p.owner.start(job) }

func (p *prefix) repair() error { return nil }

// reserve has nothing to check: a shard is here for no longer than its upload takes.
func (p *prefix) reserve(int64) error { return nil }

func (p *prefix) openUploaded(name string) (store.File, error) {
	p.mu.Lock()
	_, isThere := p.there[name]
	p.mu.Unlock()
	if isThere {
		return p.disk.storage.Open(p.out.Join(name).String())
	}
	return p.disk.storage.Open(store.Join(p.in(dataName), name))
}

func (p *prefix) syncPublished() error { return nil }

// cleaning is how long is waited for what is removed at the end, which is done though
// the run was to stop.
const cleaning = 30 * time.Second

func (r *reach) cleaning() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.ctx), cleaning)
}

func (p *prefix) removeReplaced() error { return nil }

// release removes the job object, as the dataset is there.
func (p *prefix) release() error {
	ctx, cancel := p.cleaning()
	defer cancel()
	return p.owner.release(ctx)
}

// removeUploaded removes all that is below the output, if this run's job makes it and it is no
// dataset, and gives the output up.
func (p *prefix) removeUploaded() error {
	ctx, cancel := p.cleaning()
	defer cancel()
	if mine, err := p.owner.isMine(ctx); err != nil || !mine {
		return err
	}
	success, _, err := p.get(ctx, p.out.Join(successName), markedBy)
	if err != nil || success != nil {
		return err
	}
	if err := p.owner.giveUp(ctx); err != nil {
		return err
	}
	if err := p.remove(ctx, p.out, none); err != nil {
		return err
	}
	return p.owner.release(ctx)
}

// giveUp gives the output up if nothing is below it, and nothing can land there yet. What
// is below may be another run's.
func (p *prefix) giveUp() error {
	ctx, cancel := p.cleaning()
	defer cancel()
	if mine, err := p.owner.isMine(ctx); err != nil || !mine || p.unsure.Load() {
		return err
	}
	entries, err := p.client.ReadDir(ctx, p.out)
	if err != nil || len(entries) > 0 {
		return p.fail(err)
	}
	return p.owner.release(ctx)
}

// requests are as many as are under way at once, of those that bring or take little.
const requests = 32

// none stays.
func none(string, *bucket.Object) (bool, error) { return false, nil }

// remove removes the objects below a folder but for those that are to stay.
func (r *reach) remove(ctx context.Context, below bucket.URL, stays func(name string, o *bucket.Object) (bool, error)) error {
	var gone []bucket.URL
	var refused error // which is no error of the store
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
		return r.fail(err)
	}
	return r.fail(r.client.RemoveAll(ctx, gone))
}
