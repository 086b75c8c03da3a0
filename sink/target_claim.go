package sink

import (
	"context"
	"errors"
	"path/filepath"

	"tfr-build/internal/vfs"
)

// A sharedFolder is a folder that tasks share: they all work in its staging folder, where
// the claim is a file.
type sharedFolder struct{ *folder }

func (f sharedFolder) claim() ([]byte, error) { return readSmall(f.disk.fs, f.in(claimName), maxJob) }

func (f sharedFolder) grant(claim []byte) error {
	if err := f.disk.put(f.staging, claimName, claim); err != nil {
		return err
	}
	return f.makeFolders(attemptsName)
}

// joined has files that are not whole stand apart, each under a name of its own: others
// may be at the same ones.
func (f sharedFolder) joined(_ []byte, attempt string) {
	f.disk.temps, f.disk.attempt = f.in(attemptsName), "."+attempt
}

func (f sharedFolder) enter(string) (vfs.File, error) { return nil, f.makeFolders(attemptsName) }

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

// adoptable looks at the lengths; those who wrote the shards have read them back.
func (f sharedFolder) adoptable(ctx context.Context, lines []LeftShard) ([]error, error) {
	if err := f.disk.isFolder(f.in(dataName)); err != nil { // another process has just published it
		return nil, err
	}
	differs := make([]error, len(lines))
	err := f.disk.readers.each(ctx, len(lines), func(ctx context.Context, i int) error {
		differs[i] = f.differs(&lines[i])
		return context.Cause(ctx)
	})
	return differs, err
}

func (f sharedFolder) differs(line *LeftShard) error {
	for _, file := range line.files() {
		if err := f.fileDiffers(file); err != nil {
			return err
		}
	}
	return nil
}

func (f sharedFolder) fileDiffers(line *LeftShard) error {
	if line.ETag != "" {
		return fault("inspecting", line.Name, errors.Join(errNotHere, ErrDiffers))
	}
	name := filepath.Join(f.in(dataName), filepath.FromSlash(line.Name))
	info, err := f.disk.fs.Lstat(name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errNotRegular
	case info.Size() != line.Bytes:
		err = ErrDiffers
	}
	return fault("inspecting", name, err)
}
