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

// A target is where a dataset comes to be. There are two: a folder beside the staging
// folder, where the whole dataset appears in one step, and a prefix of a bucket, where
// shards go as they are finished, and the dataset is there when its last object is.
type target interface {
	output
	uploads
	publisher
}

// An output is what is at the place of the dataset.
type output interface {
	// find says what the output holds.
	find() (Found, error)
	// lastState is what the last commit was given, and whether there is more beside the
	// output than it left.
	lastState() (state []byte, unfinished bool, err error)
	// manifestDigest returns the digest of the manifest of the existing dataset.
	manifestDigest() (digest string, err error)
	// checkReplaceable says why the existing dataset cannot be replaced.
	checkReplaceable() error
}

// Uploads are the files of a dataset that is not published yet.
type uploads interface {
	// reserve checks that so many bytes can be written.
	reserve(bytes int64) error
	// begin has the output made by runs of this job and no others.
	begin(job []byte) error
	// upload takes a complete file of data/ to where it is published from; the ETag is
	// empty if that is data/ itself.
	upload(ctx context.Context, sum *Sum) (etag string, err error)
	// checkShard says how a shard of a stopped run is not as it was finished.
	checkShard(ctx context.Context, shard *LeftShard, digest Digest) (differs, err error)
	// openUploaded opens a file that was uploaded.
	openUploaded(name string) (store.File, error)
	// putMetadata keeps what tasks note about a shard.
	putMetadata(fl *files, folder string, sum *Sum, data []byte) error
	// getMetadata reads what putMetadata kept.
	getMetadata(ctx context.Context, folder string, sum *Sum, digest Digest) ([]byte, error)
	// removeUploaded removes all that was uploaded, and gives the output up.
	removeUploaded() error
	// giveUp removes what no run can use, and leaves the rest to the next one.
	giveUp() error
}

// A publisher makes a dataset visible. Its methods are called in this order; a run that was
// stopped between them is followed by one that begins with repair.
type publisher interface {
	// repair ends the replacing of a dataset that was interrupted.
	repair() error
	// keepState keeps what a commit is given, durably.
	keepState(state []byte) error
	// publish makes the dataset of these files visible.
	publish(fl *files) error
	// syncPublished makes it durable that the dataset is visible.
	syncPublished() error
	// removeReplaced removes the dataset that was replaced.
	removeReplaced() error
	// release ends the claim on the output, when nothing is left of what the dataset was made of.
	release() error
}

// A sharing is how tasks share a target.
type sharing interface {
	// readClaim is what tasks gave to Claim; nil where none are at work.
	readClaim() ([]byte, error)
	// claim gives the output to tasks.
	claim(claim []byte) error
	// attach has this run be one of those that hold the claim.
	attach(claim []byte, attempt string)
	// openWorkDirectory readies the directory in which a process of the tasks works. The
	// lock is nil where others work in it, too.
	openWorkDirectory(attempt string) (lock store.LocalFile, err error)
	// adoption returns what says of a shard of the tasks how it is not there as it was
	// made; the bytes are not read where a store tells that they are the same.
	adoption(ctx context.Context, digest Digest) (check adoption, err error)
}

// An adoption says how a shard of the tasks differs. Several goroutines may call it.
type adoption func(ctx context.Context, line *LeftShard) (differs, err error)

// A folder is the target that stands beside the staging folder.
type folder struct {
	*place
	overwrite bool // a dataset of ours may be replaced
}

func (f *folder) find() (Found, error) { return inspect(f.disk.fs, f.output) }

func (f *folder) lastState() (state []byte, unfinished bool, err error) {
	if exists, err := owned(f.disk.fs, f.staging); err != nil || !exists {
		return nil, false, err
	}
	if state, err = readSmall(f.disk.fs, f.in(stateName), maxState); err != nil {
		return nil, false, err
	}
	entries, err := f.disk.fs.ReadDir(f.staging)
	unfinished = slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != lockName && e.Name() != stateName && e.Name() != workName
	})
	return state, unfinished, fault("listing", f.staging, err)
}

// maxState is how long a state can be.
const maxState = 16 << 20

func (f *folder) keepState(state []byte) error {
	if err := f.disk.put(f.staging, stateName, state); err != nil {
		return err
	}
	return f.disk.syncDirs(f.staging)
}

func (f *folder) manifestDigest() (string, error) { return f.disk.manifestDigest(f.output) }

func (f *folder) begin([]byte) error { return nil }

func (f *folder) upload(context.Context, *Sum) (string, error) { return "", nil }

func (f *folder) openUploaded(name string) (store.File, error) {
	return f.disk.storage.Open(store.Join(f.in(dataName), name))
}

func (f *folder) reserve(bytes int64) error {
	free, err := f.disk.fs.Free(f.staging)
	if err != nil {
		return fault("asking for the free space of", f.staging, err)
	}
	if free < bytes {
		op := fmt.Sprintf("reserving %d bytes, where %d are free, for", bytes, free)
		return fault(op, f.output, syscall.ENOSPC)
	}
	return nil
}

func (f *folder) checkShard(ctx context.Context, shard *LeftShard, digest Digest) (differs, err error) {
	if shard.ETag != "" {
		return errNotHere, nil
	}
	return f.checkFile(ctx, dataName, &shard.Sum, digest, io.Discard), nil
}

var errNotHere = errors.New("it was finished elsewhere")

func (f *folder) removeReplaced() error { return f.removeOld() }
func (f *folder) release() error        { return f.disk.syncDirs(f.staging) }
func (f *folder) removeUploaded() error { return nil }
func (f *folder) giveUp() error         { return nil }
