package dataset

import (
	"cmp"
	"slices"
	"strings"

	"tfr-build/framing"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// An Info describes a dataset for other tools.
type Info struct {
	Name        string
	Version     string // three numbers, such as 1.0.0
	Description string
	Record      schema.Record        // the schema of a record
	Framing     *framing.Format      // nil: the default
	Indexed     bool                 // each shard has an index
	SourceOrder bool                 // the records are in the order of the input
	Compression tfrecord.Compression // of files; compression of single records does not count

	// FilenameTemplate is the template of shard names with the variables of TFDS, such as
	// {SPLIT}-{SHARD_X_OF_Y}.
	FilenameTemplate string
	Hidden           bool                     // the files of TFDS are in hiddenDirectory, not next to the shards
	Splits           []Split                  // without what happened to the rows
	Folds            int                      // number of the splits fold_0, fold_1 …; 0 if the splits are not folds
	Images           map[string]ImageMetadata // by feature key
	Steps            string                   // features below it are a nested Dataset in TFDS; empty: none are
}

// Format returns the file format of the shards.
func (info *Info) Format() *framing.Format {
	if info.Framing == nil {
		return framing.Default()
	}
	return info.Framing
}

// ImageMetadata lists the formats, color spaces, and numbers of channels of a feature's images, each
// value once. The spelling is as in the columns image.format, .colorspace, and .channels.
type ImageMetadata struct {
	Formats     []string
	Colorspaces []string
	Channels    []int
	OneSize     bool // all images have one width and one height
}

// Describe returns the files that describe the dataset to other tools: ReaderName,
// TorchReaderName, the label files, and the files of TFDS. Files of tools that cannot read the
// dataset are missing. Write the files in this order: TFDS recognizes a dataset by
// dataset_info.json, which is last.
func Describe(info *Info) ([]File, error) {
	labels := newLabels(info)
	files := []File{{ReaderName, readerScript(info)}}
	if info.isForTorch() {
		files = append(files, File{TorchReaderName, torchScript(info)})
	}
	files = append(files, labels.files...)
	if info.Indexed && info.Format().HasSamples {
		more, err := info.sampleFiles()
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if info.TFDSReason() != "" || !info.hasRecords() {
		return files, nil
	}
	all := connectors(info, labels)
	features, err := info.featuresJSON(all)
	if err != nil {
		return nil, err
	}
	var pair []string
	if info.Steps == "" {
		pair = supervised(all)
	}
	dataset, err := datasetInfoJSON(info, pair)
	if err != nil {
		return nil, err
	}
	return append(files, File{info.metadataName("features.json"), features},
		File{info.metadataName("dataset_info.json"), dataset}), nil
}

// hiddenDirectory is a directory for the files of TFDS that other readers must not see. They ignore
// names that begin with _. TFDS opens the directory like a dataset.
const hiddenDirectory = "_tfr/tfds"

// metadataName returns the name of a file that TFDS reads.
func (info *Info) metadataName(name string) string {
	if info.Hidden {
		return hiddenDirectory + "/" + name
	}
	return name
}

// filepathTemplate returns the template of shard names relative to the files of TFDS.
func (info *Info) filepathTemplate() string {
	if info.Hidden {
		return "../../" + info.FilenameTemplate
	}
	return info.FilenameTemplate
}

// LabelWarnings returns warnings about class names that label files do not have, or store in another form.
func (info *Info) LabelWarnings() []Warning { return newLabels(info).warnings }

// TFDSReason returns why TFDS cannot read the dataset, or an empty string. TFDS also cannot read
// a dataset without records.
func (info *Info) TFDSReason() string {
	switch reason := cmp.Or(info.Format().NoTFDS, info.Record.Message.Readers().TFDS); {
	case reason != "":
		return reason
	case info.Compression != tfrecord.None:
		return "TFDS reads no compressed TFRecord files"
	}
	for _, variable := range []string{"{INDEX}", "{COUNT}"} {
		if strings.Contains(info.FilenameTemplate, variable) {
			return "TFDS knows no " + variable + " in the names of shards"
		}
	}
	return ""
}

func (info *Info) hasRecords() bool {
	return slices.ContainsFunc(info.Splits, func(s Split) bool { return s.Records > 0 })
}
