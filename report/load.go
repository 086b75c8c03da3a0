package report

import (
	"fmt"
	"strconv"
)

// A snippet is code that loads the dataset with a library.
type snippet struct {
	Name, Code string
	Open       bool
}

// snippets returns one for each library that reads such records, for the first split.
func snippets(p *Page) (list []snippet) {
	m, tfds := p.Manifest, "DIR"
	if p.Hidden {
		tfds = "DIR/_tfr/tfds"
	}
	record, framing := m.Records()
	if len(m.Splits) == 0 || record.IsImplied() {
		return nil
	}
	split := strconv.Quote(m.Splits[0].Name)
	readers := record.Readers()
	isExample := readers.TFDS == ""
	if readers.TFX == "" { // tf.data parses batches of these messages
		list = append(list, snippet{Name: "TensorFlow", Code: fmt.Sprintf(`import sys

sys.path.append("DIR/_tfr")
import reader

ds = reader.dataset(%s, batch_size=32, shuffle=True)
`, split)})
	}
	if isExample {
		list = append(list, snippet{Name: "PyTorch", Code: fmt.Sprintf(`import sys

sys.path.append("DIR/_tfr")
import torch_reader
from torch.utils.data import DataLoader

ds = DataLoader(torch_reader.Dataset(%s, batch_size=32, shuffle=True), batch_size=None, num_workers=2)
`, split)})
	}
	switch isTFDS := isExample && (m.Compression == "none" || m.Compression == ""); {
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
