package plan

import (
	"fmt"
	"strconv"
	"strings"

	"tfr-build/framing"
)

// ShardName returns the name of shard i of a split. {COUNT} is the number of its rows: the config check rejects
// it if a shard may have fewer records.
func (p *Plan) ShardName(split *Split, i int) string {
	return p.nameOf(split, i+split.kept(), func() int { return split.rowsOf(i) })
}

// KeptName returns the name of kept shard i of a split, which has so many records.
func (p *Plan) KeptName(split *Split, i int, records int64) string {
	return p.nameOf(split, i, func() int { return int(records) })
}

// nameOf returns the name of a shard of a split, kept ones included.
func (p *Plan) nameOf(split *Split, i int, rows func() int) string {
	f, _ := framing.ByStored(p.Framing) // of this program
	all := split.Shards + split.kept()
	digits := max(f.Digits, len(strconv.Itoa(all)))
	index, total := fmt.Sprintf("%0*d", digits, i), fmt.Sprintf("%0*d", digits, all)
	count := ""
	if strings.Contains(p.Template, "{COUNT}") {
		count = strconv.Itoa(rows())
	}
	return strings.NewReplacer(
		"{COUNT}", count,
		"{DATASET}", p.Dataset,
		"{SPLIT}", split.Name,
		"{FILEFORMAT}", f.Name,
		"{INDEX}", strconv.Itoa(i),
		"{SHARD_INDEX}", index,
		"{NUM_SHARDS}", total,
		"{SHARD_X_OF_Y}", index+"-of-"+total,
	).Replace(p.Template) + p.Suffix
}
