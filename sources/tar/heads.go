package tar

import (
	"context"
	"io"

	"tfr-build/internal/tarfile"
	"tfr-build/sources/compress"
	"tfr-build/sources/input"
)

// What input.Listing.Heads has for an archive: whether it is compressed.
const (
	plainHead  = "plain"
	packedHead = "packed"
)

// ReadHeads finds out which files are compressed. It returns an error if one is not an archive.
func (in *tarInput) ReadHeads(ctx context.Context) error {
	heads, err := in.SavedHeads(ctx, in.readHead)
	if err != nil {
		return err
	}
	for i, head := range heads {
		if head == packedHead {
			in.MarkCompressed(i)
		}
	}
	return nil
}

// readHead reads the first block of a file.
func (in *tarInput) readHead(file int) (string, error) {
	path := in.Path(file)
	st, err := in.Content(file)
	if err != nil {
		return "", err
	}
	defer st.Close()
	var block [tarfile.BlockSize]byte
	n, err := io.ReadFull(st, block[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", &input.Error{Path: path, Err: err}
	}
	if !tarfile.IsArchive(block[:n]) {
		return "", input.NotArchive("TAR_FORMAT", "tar", path, block[:n])
	}
	if st.Codec == compress.Plain {
		return plainHead, nil
	}
	return packedHead, nil
}
