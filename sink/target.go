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
	// look says what is there.
	look() (Found, error)
	// aside is what the last commit was given, and whether there is more beside the
	// output than it left.
	aside() (state []byte, unfinished bool, err error)
	// keepState keeps what a commit is given, durably.
	keepState(state []byte) error
	// manifest is the digest of the manifest of the dataset that is there.
	manifest() (digest string, err error)
	// replaceable says why the dataset that is there cannot be replaced.
	replaceable() error
	// repair ends the replacing of a dataset that was interrupted.
	repair() error
	// reserve checks that so many bytes can be written.
	reserve(bytes int64) error
	// start has the output made by runs of this job and no others.
	start(job []byte) error
	// bring takes a whole file of data/ to where it is published from; the ETag is
	// empty where that is data/ itself.
	bring(ctx context.Context, sum *Sum) (etag string, err error)
	// check says how a shard of a stopped run is not as it was finished.
	check(ctx context.Context, shard *LeftShard, digest Digest) (differs, err error)
	// open opens a file that was brought.
	open(name string) (store.File, error)
	// publish makes the dataset of these files visible.
	publish(fl *files) error
	// settle makes it durable that it is.
	settle() error
	// clear removes what was replaced, before what it was made of goes, and free has the
	// output be nobody's, after that.
	clear() error
	free() error
	// drop removes what was brought, leave no more than what nobody can use.
	drop() error
	leave() error
	// tell keeps what is told about a shard, told reads it again.
	tell(fl *files, folder string, sum *Sum, data []byte) error
	told(ctx context.Context, folder string, sum *Sum, digest Digest) ([]byte, error)
}

// A sharing is how tasks share a target.
type sharing interface {
	// claim is what tasks gave to Claim; nil where none are at work.
	claim() ([]byte, error)
	// grant gives the output to tasks.
	grant(claim []byte) error
	// joined has this run be one of those that hold the claim.
	joined(claim []byte, attempt string)
	// enter readies the folder in which a process of the tasks works. The lock is nil
	// where others work in it, too.
	enter(attempt string) (lock store.LocalFile, err error)
	// adoptable returns what says of a shard of the tasks how it is not there as it was
	// made; the bytes are not read where a store tells that they are the same.
	adoptable(ctx context.Context, digest Digest) (check adoption, err error)
}

// An adoption says how a shard of the tasks differs. Several goroutines may call it.
type adoption func(ctx context.Context, line *LeftShard) (differs, err error)

// A folder is the target that stands beside the staging folder.
type folder struct {
	*place
	overwrite bool // a dataset of ours may be replaced
}

func (f *folder) look() (Found, error) { return inspect(f.disk.fs, f.output) }

func (f *folder) aside() (state []byte, unfinished bool, err error) {
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

func (f *folder) manifest() (string, error) { return f.disk.manifestDigest(f.output) }

func (f *folder) start([]byte) error { return nil }

func (f *folder) bring(context.Context, *Sum) (string, error) { return "", nil }

func (f *folder) open(name string) (store.File, error) {
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

func (f *folder) check(ctx context.Context, shard *LeftShard, digest Digest) (differs, err error) {
	if shard.ETag != "" {
		return errNotHere, nil
	}
	return f.checkFile(ctx, dataName, &shard.Sum, digest, io.Discard), nil
}

var errNotHere = errors.New("it was finished elsewhere")

func (f *folder) clear() error { return f.removeOld() }
func (f *folder) free() error  { return f.disk.syncDirs(f.staging) }
func (f *folder) drop() error  { return nil }
func (f *folder) leave() error { return nil }
