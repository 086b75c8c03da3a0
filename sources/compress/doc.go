// Package compress opens files that may be compressed. It recognizes compression by the first
// bytes, regardless of the file name.
//
//	listed path ─Open─► first bytes ─► gzip, zstd, bzip2, or plain ─► Stream of the decompressed bytes
//
// All source types whose files may be compressed use it. A damaged file is an error with a stable
// code. A zstd frame with too large a window is rejected.
package compress
