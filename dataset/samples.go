package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// This file writes what programs need to read single samples of archives: the indexes of the shards are next to them.

// metaDirectory is where Megatron Energon looks for the files that its `prepare` writes.
const metaDirectory = ".nv-meta/"

// crude is the dataset.yaml of Energon for samples whose members are passed as they are.
const crude = "__module__: megatron.energon\n__class__: CrudeWebdataset\n"

// sampleFiles returns the files for Energon, and for each split the file for wids. They have no shard without records:
// Energon refuses it.
func (info *Info) sampleFiles() ([]File, error) {
	counts := map[string]int64{}
	var splits bytes.Buffer
	splits.WriteString("exclude: []\nsplit_parts:\n")
	var files []File
	for _, s := range info.Splits {
		fmt.Fprintf(&splits, "  %s:", strconv.Quote(s.Name))
		if s.Records == 0 {
			splits.WriteString(" []")
		}
		splits.WriteByte('\n')
		shards := []widsShard{}
		for _, shard := range s.Shards {
			if shard.Records == 0 {
				continue
			}
			counts[shard.Name] = shard.Records
			fmt.Fprintf(&splits, "    - %s\n", strconv.Quote(shard.Name))
			shards = append(shards, widsShard{"../../" + shard.Name, shard.Records, shard.Bytes})
		}
		data, err := json.MarshalIndent(widsIndex{"wids-shard-index-v1", 1, info.Name + "-" + s.Name, shards}, "", "  ")
		if err != nil {
			return nil, fmt.Errorf("encoding the index of %s: %w", s.Name, err)
		}
		files = append(files, File{"_tfr/wids/" + s.Name + ".json", append(data, '\n')})
	}
	data, err := json.MarshalIndent(map[string]any{"shard_counts": counts}, "", "  ")
	return append(files,
		File{metaDirectory + ".info.json", append(data, '\n')},
		File{metaDirectory + "dataset.yaml", []byte(crude)},
		File{metaDirectory + "split.yaml", splits.Bytes()},
	), err
}

// A widsIndex is the index of a split for wids.
type widsIndex struct {
	Kind    string      `json:"__kind__"`
	Version int         `json:"wids_version"`
	Name    string      `json:"name"`
	Shards  []widsShard `json:"shardlist"`
}

// A widsShard is a shard in a widsIndex.
type widsShard struct {
	URL     string `json:"url"` // relative to the index
	Samples int64  `json:"nsamples"`
	Size    int64  `json:"filesize"`
}
