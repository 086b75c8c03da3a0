package report

import (
	"fmt"
	"slices"
	"strconv"

	"tfr-build/dataset"
)

// A snippet is code that loads the dataset with a library.
type snippet struct {
	Name, Code string
	Open       bool
}

// snippets returns one for each library that reads such records, for the first split. The dataset has the files that
// they import or open.
func snippets(p *Page) (list []snippet) {
	m, tfds, info := p.Manifest, "DIR", "dataset_info.json"
	if p.Hidden {
		tfds, info = "DIR/_tfr/tfds", "_tfr/tfds/dataset_info.json"
	}
	record, framing := m.Records()
	if len(m.Splits) == 0 || record.IsImplied() {
		return nil
	}
	has := func(name string) bool {
		return slices.ContainsFunc(m.Files, func(f dataset.FileEntry) bool { return f.Name == name })
	}
	split := strconv.Quote(m.Splits[0].Name)
	if has(dataset.ReaderName) && record.Readers().TFX == "" { // tf.data parses batches of these messages
		list = append(list, snippet{Name: "TensorFlow", Code: fmt.Sprintf(`import sys

sys.path.append("DIR/_tfr")
import reader

ds = reader.dataset(%s, batch_size=32, shuffle=True)
`, split)})
	}
	if has(dataset.TorchReaderName) {
		list = append(list, snippet{Name: "PyTorch", Code: fmt.Sprintf(`import sys

sys.path.append("DIR/_tfr")
import torch_reader
from torch.utils.data import DataLoader

ds = DataLoader(torch_reader.Dataset(%s, batch_size=32, shuffle=True), batch_size=None, num_workers=2)
`, split)})
	}
	switch isTFDS := has(info) && (m.Compression == "none" || m.Compression == ""); {
	case isTFDS && framing.IsDataSource:
		list = append(list, snippet{Name: "Grain and TFDS", Code: fmt.Sprintf(`import grain
import tensorflow_datasets as tfds

source = tfds.builder_from_directory(%q).as_data_source(%s)
ds = grain.MapDataset.source(source).shuffle(seed=0).batch(32)
`, tfds, split)})
	case isTFDS:
		list = append(list, snippet{Name: "TFDS", Code: fmt.Sprintf(`import tensorflow_datasets as tfds

ds = tfds.builder_from_directory(%q).as_dataset(split=%s).batch(32)
`, tfds, split)})
	}
	if len(list) > 0 {
		list[0].Open = true
	}
	return list
}
