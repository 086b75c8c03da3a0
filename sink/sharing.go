package sink

import (
	"context"

	"tfr-build/internal/store"
)

// A sharedDirectory is an output directory that tasks share. All tasks work in its staging
// directory, where the claim is a file.
type sharedDirectory struct{ *directory }

func (f sharedDirectory) readClaim() ([]byte, error) {
	return readSmall(f.disk.fs, f.inStaging(claimName), maxJob)
}

func (f sharedDirectory) claim(claim []byte) error {
	if err := f.disk.putFile(f.staging, claimName, claim); err != nil {
		return err
	}
	return f.makeDirectories(attemptsName)
}

// attach puts incomplete files into attempts/, under names that are unique to this process.
// Other processes may write the same files.
func (f sharedDirectory) attach(_ []byte, attempt string) {
	f.disk.tempDir, f.disk.attempt = f.inStaging(attemptsName), "."+attempt
}

func (f sharedDirectory) openWorkDirectory(string) (store.LocalFile, error) {
	return nil, f.makeDirectories(attemptsName)
}

// makeDirectories creates the subdirectories of the staging directory for shards and their
// metadata, if they are missing. On a file system without locks, a process that did not see the
// claim may have removed them.
func (loc *location) makeDirectories(more ...string) error {
	for _, name := range append(more, dataName, rejectsName, statisticsName) {
		if err := loc.disk.ensureDirectory(loc.inStaging(name)); err != nil {
			return err
		}
	}
	return loc.disk.syncDirs(loc.staging)
}

// adoption compares every shard and its index with their digests. The task that wrote a shard
// has read it back, but that may be long ago, and file systems do not report later damage.
func (f sharedDirectory) adoption(_ context.Context, digest Digest) (adoption, error) {
	if err := f.disk.checkDirectory(f.inStaging(dataName)); err != nil { // already published
		return nil, err
	}
	return func(ctx context.Context, line *FinishedShard) (differs, err error) {
		return f.location.checkShardFiles(ctx, line, digest)
	}, nil
}
