// Package dataset knows what the directory of a finished dataset holds, and
// reads it: to verify it, and to show what is in it. It writes no file but those
// that it salvages.
//
//	train-00000-of-00010 …     the shards: TFRecord files of what the manifest says
//	train/part-00000 …         or OFRecord files, a folder a split
//	features.json              what TFDS reads; not beside shards that it cannot
//	dataset_info.json          read: compressed ones, records that are no Examples
//	*.labels.txt               the names of a feature's classes, one a line
//	_tfr/manifest.json         every file with its digest, every row accounted for
//	_tfr/config.yaml           the config that the dataset was made from
//	_tfr/reader.py             generated: reads the dataset with tf.data, or OFRecords with protobuf
//	_tfr/torch_reader.py       generated: reads it with PyTorch, or NumPy alone; Examples and payloads
//	_SUCCESS                   SHA-256 of the manifest, in hex, and a newline
//
// A builder has the shards written, and then:
//
//	files, err := dataset.Describe(&info)         // reader.py and TFDS's files
//	files = append(files, config)                 // write all of them
//	manifest.Files = dataset.Entries(files)
//	last, err := manifest.Seal()                  // the manifest and _SUCCESS: write these last
//
// [Verify] finds what has become of such a directory since; the digest in
// _SUCCESS covers the manifest and the manifest covers all else, so nothing but
// a change of all three goes unseen. [VerifyRecords] checks the checksums of
// any TFRecord or ArrayRecord file, or what can be known of an OFRecord file, which
// has none, and [Inspect] prints one; [Write] makes one of what was printed. A [Salvage] takes
// the records of damaged files that are whole:
//
//	manifest ─► listing ─► other files ─► shard ─► sums, records ─► damages
//	                           │                      │  damaged: read again
//	                           └─► Record ─► Deep     └─► Salvage: whole records
package dataset
