package sink

import (
	"context"

	"tfr-build/internal/store"
)

// A sharedFolder is a folder that tasks share: they all work in its staging folder, where
// the claim is a file.
type sharedFolder struct{ *folder }

func (f sharedFolder) readClaim() ([]byte, error) {
	return readSmall(f.disk.fs, f.in(claimName), maxJob)
}

func (f sharedFolder) claim(claim []byte) error {
	if err := f.disk.put(f.staging, claimName, claim); err != nil {
		return err
	}
	return f.makeFolders(attemptsName)
}

// attach has files that are not whole stand apart, each under a name of its own: others
// may be at the same ones.
func (f sharedFolder) attach(_ []byte, attempt string) {
	f.disk.temps, f.disk.attempt = f.in(attemptsName), "."+attempt
}

func (f sharedFolder) openWorkDirectory(string) (store.LocalFile, error) {
	return nil, f.makeFolders(attemptsName)
}

// makeFolders makes the folders of the staging folder in which shards come to be, as far
// as they are missing: where there are no locks, somebody who just did not see the claim
// may remove them.
func (p *place) makeFolders(more ...string) error {
	for _, name := range append(more, dataName, rejectsName, statisticsName) {
		if err := p.disk.folder(p.in(name)); err != nil {
			return err
		}
	}
	return p.disk.syncDirs(p.staging)
}

// adoption reads every shard and its index: who wrote them has read them back, but that
// may be long ago, and no file system says what has become of a byte since.
func (f sharedFolder) adoption(_ context.Context, digest Digest) (adoption, error) {
	if err := f.disk.isFolder(f.in(dataName)); err != nil { // another process has just published it
		return nil, err
	}
	return func(ctx context.Context, line *LeftShard) (differs, err error) {
		return f.place.fileDiffers(ctx, line, digest)
	}, nil
}
