// Package dataset reads the directory of a finished dataset: it verifies the dataset and prints
// its records. It also returns the content of the files next to the shards. The only files that
// it writes are salvaged ones.
//
//	train-00000-of-00010 …     shards: files of records, described by the manifest
//	train/part-00000 …         or OFRecord files, with a directory per split
//	features.json              metadata for TFDS; missing if TFDS cannot read the shards:
//	dataset_info.json          compressed files, records that are not Examples
//	*.labels.txt               the class names of a feature, one per line
//	_tfr/manifest.json         every file with its digest, and counts of all rows
//	_tfr/config.yaml           the config that built the dataset
//	_tfr/reader.py             generated reader for tf.data; for OFRecords, with protobuf
//	_tfr/torch_reader.py       generated reader for PyTorch or NumPy; for Examples and bytes
//	_SUCCESS                   SHA-256 of the manifest in hex, and a newline
//
// A build writes the shards, and then:
//
//	files, err := dataset.Describe(&info)         // the readers, label files, and files of TFDS
//	files = append(files, config)                 // write all of them
//	manifest.Files = dataset.Entries(files)
//	last, err := manifest.Seal()                  // the manifest and _SUCCESS: write these last
//
// [Verify] finds changes of such a directory. The digest in _SUCCESS covers the manifest, and the
// manifest covers everything else. So only a change of all three goes unnoticed. [VerifyRecords]
// checks a TFRecord or ArrayRecord file by its checksums, and an OFRecord file, which has none,
// by its lengths and messages. [Inspect] prints a file, and [Write] makes a file from that
// output. A [Salvage] copies the intact records of damaged files:
//
//	manifest ─► listing ─► other files ─► shard ─► checksums, records ─► damages
//	                            │           │  damaged: read again
//	                            └─► Record ─► Deep    └─► Salvage: intact records
package dataset
