package croissant

import (
	"regexp"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/tfrecord"
)

// shards is the ID of the file set.
const shards = "shards"

// distribution returns the files of the dataset as one FileSet. Separate FileObjects would need
// the SHA-256 of each shard.
func distribution(info *dataset.Info) []node {
	if !hasShards(info) {
		return []node{}
	}
	includes := []string{}
	for i := range info.Splits {
		includes = append(includes, patterns(info.Splits, i)...)
	}
	return []node{{
		"@type":          "cr:FileSet",
		"@id":            shards,
		"name":           shards,
		"description":    "The shards of all splits.",
		"encodingFormat": encodingFormat(info),
		"includes":       includes,
	}}
}

func hasShards(info *dataset.Info) bool {
	return slices.ContainsFunc(info.Splits, func(s dataset.Split) bool { return len(s.Shards) > 0 })
}

func encodingFormat(info *dataset.Info) any {
	form := info.Format().MediaType
	if info.Compression == tfrecord.None {
		return form
	}
	return []string{form, "application/" + info.Compression.String()}
}

// patterns returns glob patterns that match the shards of one split and no others: one pattern if
// possible, or the names of the shards.
func patterns(splits []dataset.Split, split int) []string {
	names := names(splits[split])
	if len(names) < 2 {
		return escaped(names)
	}
	prefix, suffix := ends(names)
	for i, other := range splits {
		if i != split && slices.ContainsFunc(other.Shards, func(s dataset.Shard) bool {
			return strings.HasPrefix(s.Name, prefix) && strings.HasSuffix(s.Name, suffix)
		}) {
			return escaped(names)
		}
	}
	return []string{escape(prefix) + "*" + escape(suffix)}
}

func names(s dataset.Split) (names []string) {
	for _, shard := range s.Shards {
		names = append(names, shard.Name)
	}
	return names
}

// ends returns the common prefix and suffix of all names, without the digits between them.
func ends(names []string) (prefix, suffix string) {
	prefix, suffix = names[0], names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
		for !strings.HasSuffix(name, suffix) {
			suffix = suffix[1:]
		}
	}
	return strings.TrimRight(prefix, digits), strings.TrimLeft(suffix, digits)
}

const digits = "0123456789"

func escaped(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = escape(name)
	}
	return all
}

// escape returns the glob pattern that matches only this name.
func escape(name string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(name)
}

// splitOfPath returns a regular expression that captures the split in the path of a shard. It is
// empty if the names of shards do not contain the split.
func splitOfPath(info *dataset.Info) string {
	before, after, found := strings.Cut(info.FilenameTemplate, "{SPLIT}")
	if !found || !hasShards(info) {
		return ""
	}
	var all []string
	for _, s := range info.Splits {
		all = append(all, regexp.QuoteMeta(s.Name))
	}
	// If one name is a prefix of another, the longer one must come first.
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return "(?:.*/)?" + anyVariable(before) + "(" + strings.Join(all, "|") + ")" + anyVariable(after) + "$"
}

var variable = regexp.MustCompile(`\{[A-Z_]+\}`)

// anyVariable returns a regular expression for part of a template.
func anyVariable(template string) string {
	var b strings.Builder
	at := 0
	for _, found := range variable.FindAllStringIndex(template, -1) {
		b.WriteString(regexp.QuoteMeta(template[at:found[0]]) + ".*")
		at = found[1]
	}
	return b.String() + regexp.QuoteMeta(template[at:])
}
