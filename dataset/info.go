package dataset

import (
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// An Info is what other tools need to know of a dataset.
type Info struct {
	Name        string
	Version     string // three numbers: 1.0.0
	Description string
	Record      schema.Record // what a record's payload is
	Framing     tfrecord.Framing
	SourceOrder bool                 // the records are in the order of the input
	Compression tfrecord.Compression // of the files; that of single records their reader undoes

	// FilenameTemplate names the shards, in the variables of TFDS:
	// {SPLIT}-{SHARD_X_OF_Y}.
	FilenameTemplate string
	Hidden           bool // what TFDS reads stands in HiddenFolder, and not beside the shards
	Splits           []SplitInfo
	Images           map[string]ImageFacts // by the key of the feature
}

// A SplitInfo is one split of a dataset.
type SplitInfo struct {
	Name   string
	Shards []ShardInfo // in the order of their numbers
}

// Records returns how many records the split has.
func (s SplitInfo) Records() (n int64) {
	for _, shard := range s.Shards {
		n += shard.Records
	}
	return n
}

// A ShardInfo is one shard of a split.
type ShardInfo struct {
	Name         string
	Records      int64
	Bytes        int64 // of the file
	PayloadBytes int64 // of the payloads alone
}

// ImageFacts are the facts that were seen of a feature's images, each value
// once: in the spelling of the columns image.format, .colorspace, .channels.
type ImageFacts struct {
	Formats     []string
	Colorspaces []string
	Channels    []int
}

// Describe returns the files that tell other tools what the dataset holds:
// ReaderName and TorchReaderName, the label files, and what TFDS reads, where they
// can read the dataset at all. They are in the order in which they should be written,
// dataset_info.json last: it is what makes TFDS see a dataset.
func Describe(info *Info) ([]File, error) {
	labels := newLabels(info)
	files := []File{{ReaderName, readerScript(info)}}
	if info.isForTorch() {
		files = append(files, File{TorchReaderName, torchScript(info)})
	}
	files = append(files, labels.files...)
	if info.TFDSReason() != "" || !info.hasRecords() {
		return files, nil
	}
	all := connectors(info, labels)
	features, err := featuresJSON(all)
	if err != nil {
		return nil, err
	}
	dataset, err := datasetInfoJSON(info, supervised(all))
	if err != nil {
		return nil, err
	}
	return append(files, File{info.metadataName("features.json"), features}, File{info.metadataName("dataset_info.json"), dataset}), nil
}

// HiddenFolder is where the files of TFDS stand that other readers are not to see:
// those that pass over names with _ at the beginning. TFDS opens it as it opens a
// dataset.
const HiddenFolder = "_tfr/tfds"

// metadataName is the name of a file that TFDS reads.
func (info *Info) metadataName(name string) string {
	if info.Hidden {
		return HiddenFolder + "/" + name
	}
	return name
}

// filepathTemplate names the shards as they are seen from where TFDS's files stand.
func (info *Info) filepathTemplate() string {
	if info.Hidden {
		return "../../" + info.FilenameTemplate
	}
	return info.FilenameTemplate
}

// LabelNotes are sentences about classes whose names the label files do not hold,
// or hold in another form.
func (info *Info) LabelNotes() []string { return newLabels(info).notes }

// TFDSReason says why TFDS cannot read such a dataset; empty when it can. One
// without records it cannot read either.
func (info *Info) TFDSReason() string {
	switch {
	case info.Framing == tfrecord.OFRecord:
		return "TFDS reads no OFRecord files"
	case info.Record.Message != schema.ExampleMessage:
		return "TFDS reads no records but tf.train.Example"
	case info.Compression != tfrecord.None:
		return "TFDS reads no compressed TFRecord files"
	case strings.Contains(info.FilenameTemplate, "{INDEX}"):
		return "TFDS knows no {INDEX} in the names of shards"
	}
	return ""
}

func (info *Info) hasRecords() bool {
	return slices.ContainsFunc(info.Splits, func(s SplitInfo) bool { return s.Records() > 0 })
}
