package dataset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// An Info is what other tools need to know of a dataset.
type Info struct {
	Name        string
	Version     string // three numbers: 1.0.0
	Description string
	Features    []schema.Feature
	SourceOrder bool // the records are in the order of the input
	Compression tfrecord.Compression

	// FilenameTemplate names the shards, in the variables of TFDS:
	// {SPLIT}-{SHARD_X_OF_Y}.
	FilenameTemplate string
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
	PayloadBytes int64 // of the Examples alone
}

// ImageFacts are the facts that were seen of a feature's images, each value
// once: in the spelling of the columns image.format, .colorspace, .channels.
type ImageFacts struct {
	Formats     []string
	Colorspaces []string
	Channels    []int
}

// Describe returns the files that tell other tools what the dataset holds:
// ReaderName, and what TFDS reads, where it can read the dataset at all. They
// are in the order in which they should be written, dataset_info.json last:
// it is what makes TFDS see a dataset.
func Describe(info *Info) ([]File, error) {
	files := []File{{ReaderName, readerScript(info)}}
	if info.TFDSReason() != "" {
		return files, nil
	}
	labels := labelFiles(info.Features)
	for i := range info.Features {
		f := &info.Features[i]
		if name := labels[f.Key]; name != "" {
			files = append(files, File{name, labelFile(f.Classes.Names)})
		}
	}
	features, err := featuresJSON(info, labels)
	if err != nil {
		return nil, err
	}
	dataset, err := datasetInfoJSON(info)
	if err != nil {
		return nil, err
	}
	return append(files, File{"features.json", features}, File{"dataset_info.json", dataset}), nil
}

// TFDSReason says why TFDS cannot read the dataset; empty when it can.
func (info *Info) TFDSReason() string {
	if info.Compression != tfrecord.None {
		return "TFDS reads no compressed TFRecord files"
	}
	for _, s := range info.Splits {
		if s.Records() > 0 {
			return ""
		}
	}
	return "TFDS reads no dataset without records"
}

// labelFiles returns the name of the label file of each feature that has one,
// by key: TFDS expects it to be named after the key. Names that lines cannot
// hold have no file, nor has a key that makes no file's name of its own.
func labelFiles(features []schema.Feature) map[string]string {
	files := map[string]string{}
	taken := map[string]string{}
	for i := range features {
		f := &features[i]
		if f.Classes == nil || !linesHold(f.Classes.Names) {
			continue
		}
		name := strings.ReplaceAll(f.Key, "/", ".") + ".labels.txt"
		folded := strings.ToLower(name) // some file systems do not tell A from a
		if _, clash := taken[folded]; clash || !isFileName(name) {
			delete(files, taken[folded])
			taken[folded] = f.Key
			continue
		}
		taken[folded] = f.Key
		files[f.Key] = name
	}
	return files
}

func isFileName(name string) bool {
	return len(name) <= 255 && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) &&
		!strings.Contains(name, `\`) && name[0] != '.'
}

// linesHold says whether names come back from a file of lines whose readers
// strip each line and drop empty ones.
func linesHold(names []string) bool {
	stripped := func(r rune) bool { return unicode.IsSpace(r) || r < 0x20 }
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if name == "" || seen[name] || !utf8.ValidString(name) || strings.ContainsAny(name, "\n\r") || strings.TrimFunc(name, stripped) != name {
			return false
		}
		seen[name] = true
	}
	return len(names) > 0
}

func labelFile(names []string) []byte {
	return []byte(strings.Join(names, "\n") + "\n")
}
