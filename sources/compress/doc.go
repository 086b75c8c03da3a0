// Package compress opens files that may be compressed, whatever their names: their
// first bytes tell how.
//
//	path, as it was listed ─Open─► first bytes ─► gzip, zstd, bzip2 or plain ─► Stream of what the file holds
//
// It is what the kinds share whose files may be compressed. A damaged file is an
// error that has a stable code; a zstd frame that claims too large a window is
// refused.
package compress
