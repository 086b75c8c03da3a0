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
	// find returns what the output contains.
	find() (Found, error)
	// lastState returns the state that the last commit stored. unfinished reports whether a run
	// has left more than a commit does.
	lastState() (state []byte, unfinished bool, err error)
	// storeState stores the state of a commit durably.
	storeState(state []byte) error

	// begin reserves the output for the runs of this job.
	begin(job []byte) error
	// upload moves a complete file of data/ to the place from which it is published. The ETag
	// is empty if the file stays in data/.
	upload(ctx context.Context, sum *Sum) (etag string, err error)
	// adopt makes a file of another dataset a file of this one. The ETag is empty if the file is in data/.
	adopt(ctx context.Context, fl *files, sum *Sum, from string, digest Digest) (etag string, moved bool, err error)
	// shardChecker returns a function that compares finished shards with their lines. It does not
	// read the bytes if the store can tell that they are the same.
	shardChecker(ctx context.Context, digest Digest) (shardChecker, error)
	// publish makes the dataset with these files visible.
	publish(fl *files) error
	// release ends the reservation after a commit, when all work files are removed.
	release() error
	// giveUp ends the reservation of a run that stops. If drop is set, it removes all uploaded
	// files first. Otherwise the output stays reserved while the next run can use some of them.
	giveUp(drop bool) error
}

// A shardChecker compares a shard and its index with their lines. differs is the reason why the
// shard must be made again. Several goroutines may call it.
type shardChecker func(ctx context.Context, line *FinishedShard) (differs, err error)

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
}

// A metadataStore has the metadata files of shards, until the dataset is committed.
type metadataStore interface {
	putMetadata(fl *files, subdir string, sum *Sum, data []byte) error
	// getMetadata reads a file that putMetadata stored, and compares it with its sum.
	getMetadata(ctx context.Context, subdir string, sum *Sum, digest Digest) ([]byte, error)
}

// A directory is the target next to the staging directory. All tasks that share it work in its
// staging directory, where the claim is a file.
type directory struct{ *location }

func (f directory) find() (Found, error) { return inspectPath(f.disk.fs, f.output) }

func (f directory) lastState() (state []byte, unfinished bool, err error) {
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

func (f directory) storeState(state []byte) error {
	if err := f.disk.putFile(f.staging, stateName, state); err != nil {
		return err
	}
	return f.disk.SyncDirs(f.staging)
}

// The lock of the staging directory is the reservation, and finished files stay in data/.
func (directory) begin([]byte) error                           { return nil }
func (directory) upload(context.Context, *Sum) (string, error) { return "", nil }
func (directory) release() error                               { return nil }
func (directory) giveUp(bool) error                            { return nil }

// shardChecker reads each shard and its index. A task that wrote a shard has read it back, but that
// may be long ago, and file systems do not report later damage.
func (f directory) shardChecker(_ context.Context, digest Digest) (shardChecker, error) {
	if err := f.disk.checkDirectory(f.inStaging(dataName)); err != nil { // already published
		return nil, err
	}
	return func(ctx context.Context, line *FinishedShard) (differs, err error) {
		if line.ETag != "" {
			return errNotHere, nil
		}
		// A file that cannot be read differs, too: a run that resumes makes the shard again.
		differs = f.checkFile(ctx, dataName, &line.Sum, digest, io.Discard)
		if differs == nil && line.Index != nil {
			differs = f.checkFile(ctx, dataName, &line.Index.Sum, SHA256, io.Discard)
		}
		return differs, nil
	}, nil
}

var errNotHere = errors.New("it was finished elsewhere")

func (f directory) readClaim() ([]byte, error) {
	return readSmall(f.disk.fs, f.inStaging(claimName), maxJob)
}

func (f directory) claim(claim []byte) error {
	if err := f.disk.putFile(f.staging, claimName, claim); err != nil {
		return err
	}
	return f.makeSharedDirectories()
}

// makeSharedDirectories creates the directories for the shards of tasks, durably. On a file system without locks, a
// process that did not see the claim may have removed them.
func (f directory) makeSharedDirectories() error {
	if err := f.makeDirectories(attemptsName); err != nil {
		return err
	}
	return f.disk.SyncDirs(f.staging)
}

// attach puts incomplete files into attempts/, under names that are unique to this process.
// Other processes may write the same files.
func (f directory) attach(_ []byte, attempt string) {
	f.disk.tempDir, f.disk.attempt = f.inStaging(attemptsName), "."+attempt
}

func (f directory) openWorkDirectory(string) (store.LocalFile, error) {
	return nil, f.makeSharedDirectories()
}

// makeDirectories creates the subdirectories of the staging directory for shards and their
// metadata, if they are missing.
func (loc *location) makeDirectories(more ...string) error {
	for _, name := range append(more, dataName, rejectsName, statisticsName) {
		if err := loc.disk.ensureDirectory(loc.inStaging(name)); err != nil {
			return err
		}
	}
	return nil
}

// reserve checks that so many bytes can be written. In a bucket, a shard is local only until its
// upload ends.
func (loc *location) reserve(bytes int64) error {
	if loc.isInBucket() {
		return nil
	}
	free, err := loc.disk.fs.Free(loc.staging)
	if err != nil {
		return wrapError("asking for the free space of", loc.staging, err)
	}
	if free < bytes {
		op := fmt.Sprintf("reserving %d bytes, where %d are free, for", bytes, free)
		return wrapError(op, loc.output, syscall.ENOSPC)
	}
	return nil
}
