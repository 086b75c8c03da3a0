package framing

import (
	"encoding/binary"
	"io"

	"tfr-build/message"
	"tfr-build/tfrecord"
)

var ofRecord = Format{
	Name: "ofrecord", Title: "OFRecord file", Files: "an OFRecord file",
	Users:     "records of OneFlow",
	Filename:  "{SPLIT}/part-{SHARD_INDEX}",
	Digits:    5,
	Extension: `\.ofrecord`,
	MediaType: "application/x-ofrecord",

	Message:         message.OFRecord,
	Compressions:    []string{"none"},
	CompressesFiles: true, // readers accept files that a user compressed

	Writing: Writing{
		NewBatch:  newFrames(tfrecord.OFRecord),
		Overhead:  tfrecord.OFRecord.Overhead(),
		NewWriter: newFramesWriter(tfrecord.OFRecord),
		IsForJSON: true,
	},
	Reading: Reading{
		Begins:     beginsOFRecordFile,
		IsSearched: true,
		NewReader: func(r io.Reader, opt ReadOptions) Reader {
			return tfrecord.NewReader(r, tfrecord.Options{
				File: opt.File, Framing: tfrecord.OFRecord, Compression: opt.Compression, MaxRecord: opt.MaxRecord,
				Accepts: message.BeginsOFRecord,
			})
		},
		Frames:   tfrecord.OFRecord,
		IsFrames: true,
		Resumes:  true, // a length cannot be verified, so one wrong length would end the reading of a file
	},
	Support: Support{NoTFDS: "TFDS reads no OFRecord files"},
}

// beginsOFRecordFile reports whether a file of size bytes can be an OFRecord file. Records have no
// checksum, so it checks the message. The first bytes of compressed files and of bare messages are
// a length beyond AnySize.
func beginsOFRecordFile(head []byte, size int64) bool {
	const lengthSize = 8
	if len(head) <= lengthSize {
		return false
	}
	n := binary.LittleEndian.Uint64(head)
	if size < lengthSize || n > uint64(size-lengthSize) {
		return false
	}
	begin := head[lengthSize:]
	return message.BeginsOFRecord(begin[:min(uint64(len(begin)), n)], int64(n))
}
