package sink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"syscall"

	"tfr-build/internal/store"
)

// A target is where a dataset is published. There are two:
//
//   - A directory is next to the staging directory. The complete dataset appears in one step.
//   - A prefix of a bucket gets each shard when it is finished. The dataset exists when its last
//     object does.
type target interface {
	output
	uploads
	publisher
}

// An output is what exists where the dataset is to be published.
type output interface {
	// find returns what the output contains.
	find() (Found, error)
	// lastState returns the state that the last commit stored. unfinished reports whether a run
	// has left more than a commit does.
	lastState() (state []byte, unfinished bool, err error)
	// manifestDigest returns the SHA-256 of the manifest of the existing dataset, in
	// hexadecimal.
	manifestDigest() (digest string, err error)
	// checkReplaceable returns an error if the existing dataset cannot be replaced.
	checkReplaceable() error
}

// The uploads interface stores the files of a dataset that is not published yet.
type uploads interface {
	// reserve checks that so many bytes can be written.
	reserve(bytes int64) error
	// begin reserves the output for the runs of this job.
	begin(job []byte) error
	// upload moves a complete file of data/ to the place from which it is published. The ETag
	// is empty if the file stays in data/.
	upload(ctx context.Context, sum *Sum) (etag string, err error)
	// checkShard compares a shard of a stopped run with its sum. differs is the reason why the
	// shard must be made again.
	checkShard(ctx context.Context, shard *FinishedShard, digest Digest) (differs, err error)
	// openUploaded opens a finished file of the dataset.
	openUploaded(name string) (store.File, error)
	// putMetadata stores a metadata file of a shard.
	putMetadata(fl *files, subdir string, sum *Sum, data []byte) error
	// getMetadata reads a file that putMetadata stored, and compares it with its sum.
	getMetadata(ctx context.Context, subdir string, sum *Sum, digest Digest) ([]byte, error)
	// removeUploaded removes all uploaded files, and gives up the output.
	removeUploaded() error
	// giveUp gives up the output, unless the next run can use uploaded files.
	giveUp() error
}

// A publisher makes a dataset visible. Its methods are called in this order. After a run that
// was stopped in between, the next run begins with repair.
type publisher interface {
	// repair completes or undoes an interrupted replacement of a dataset.
	repair() error
	// storeState stores the argument of Commit durably.
	storeState(state []byte) error
	// publish makes the dataset with these files visible.
	publish(fl *files) error
	// syncPublished makes the published dataset durable.
	syncPublished() error
	// removeReplaced removes the dataset that was replaced.
	removeReplaced() error
	// release ends the claim on the output. It is called after all work files are removed.
	release() error
}

// A sharing lets tasks share a target.
type sharing interface {
	// readClaim returns the claim as given to Claim, or nil if no tasks are at work.
	readClaim() ([]byte, error)
	// claim gives the output to tasks.
	claim(claim []byte) error
	// attach makes this run a process of the tasks that have the claim.
	attach(claim []byte, attempt string)
	// openWorkDirectory prepares the directory in which a process of the tasks works. The lock
	// is nil if other processes work in the same directory.
	openWorkDirectory(attempt string) (lock store.LocalFile, err error)
	// adoption returns a function that compares a shard of the tasks with its line. It does not
	// read the bytes if the store can tell that they are the same.
	adoption(ctx context.Context, digest Digest) (check adoption, err error)
}

// An adoption compares a shard of the tasks with its line. differs is the reason why the shard
// must be made again. Several goroutines may call it.
type adoption func(ctx context.Context, line *FinishedShard) (differs, err error)

// A directory is the target next to the staging directory.
type directory struct {
	*location
	overwrite bool // a dataset that tfr-build made may be replaced
}

func (f *directory) find() (Found, error) { return inspectPath(f.disk.fs, f.output) }

func (f *directory) lastState() (state []byte, unfinished bool, err error) {
	if exists, err := checkOwned(f.disk.fs, f.staging); err != nil || !exists {
		return nil, false, err
	}
	if state, err = readSmall(f.disk.fs, f.inStaging(stateName), maxState); err != nil {
		return nil, false, err
	}
	entries, err := f.disk.fs.ReadDir(f.staging)
	unfinished = slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != lockName && e.Name() != stateName && e.Name() != workName
	})
	return state, unfinished, wrapError("listing", f.staging, err)
}

// maxState is the maximum size in bytes of a stored state.
const maxState = 16 << 20

func (f *directory) storeState(state []byte) error {
	if err := f.disk.putFile(f.staging, stateName, state); err != nil {
		return err
	}
	return f.disk.syncDirs(f.staging)
}

func (f *directory) manifestDigest() (string, error) { return f.disk.manifestDigest(f.output) }

func (f *directory) begin([]byte) error { return nil }

func (f *directory) upload(context.Context, *Sum) (string, error) { return "", nil }

func (f *directory) openUploaded(name string) (store.File, error) {
	return f.disk.storage.Open(store.Join(f.inStaging(dataName), name))
}

func (f *directory) reserve(bytes int64) error {
	free, err := f.disk.fs.Free(f.staging)
	if err != nil {
		return wrapError("asking for the free space of", f.staging, err)
	}
	if free < bytes {
		op := fmt.Sprintf("reserving %d bytes, where %d are free, for", bytes, free)
		return wrapError(op, f.output, syscall.ENOSPC)
	}
	return nil
}

func (f *directory) checkShard(ctx context.Context, shard *FinishedShard, digest Digest) (differs, err error) {
	if shard.ETag != "" {
		return errNotHere, nil
	}
	return f.checkFile(ctx, dataName, &shard.Sum, digest, io.Discard), nil
}

var errNotHere = errors.New("it was finished elsewhere")

func (f *directory) removeReplaced() error { return f.removeOld() }
func (f *directory) release() error        { return f.disk.syncDirs(f.staging) }
func (f *directory) removeUploaded() error { return nil }
func (f *directory) giveUp() error         { return nil }
