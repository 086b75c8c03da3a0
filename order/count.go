package order

import (
	"fmt"
	"math"

	"tfr-build/internal/plural"
)

const (
	megabyte = 1_000_000
	gigabyte = 1_000_000_000
)

// ShardCount says in how many shards a split of so many bytes is best written
// for so many hosts, of which there is at least one, and why, in a sentence:
// ten for each host if they then hold 100 MB, as many for each host, at least
// 10 MB in any, and never more than 1 GB.
func ShardCount(bytes uint64, hosts int) (n int, why string) {
	h := uint64(max(hosts, 1))
	shards, reason := uint64(0), ""
	switch hundreds := bytes / (100 * megabyte); {
	case hundreds >= h && h <= hundreds/10:
		shards, reason = 10*h, "ten for each host"
	case hundreds >= h:
		shards, reason = hundreds/h*h, "at least 100 MB each, as many for each host"
	case bytes/h >= 10*megabyte:
		shards, reason = h, "one for each host"
	case bytes >= 20*megabyte:
		shards, reason = bytes/(10*megabyte), "at least 10 MB each"
	default:
		why = "less than 20 MB, so one shard"
		if h > 1 {
			why += "; there are more hosts than shards"
		}
		return 1, why
	}
	if least := ceil(bytes, gigabyte); shards < least {
		shards, reason = ceil(least, h)*h, "at most 1 GB each"
		if h > 1 {
			reason += ", as many for each host"
		}
	}
	if shards < h {
		reason += "; there are more hosts than shards"
	}
	why = fmt.Sprintf("%s for %s: %s of %s, %s", size(bytes), plural.Of(h, "host"), plural.Of(shards, "shard"), size(bytes/shards), reason)
	return int(min(shards, math.MaxInt)), why
}

// ShardsOfSize is how many shards of size bytes, which is not 0, hold so many
// bytes: at least one.
func ShardsOfSize(bytes, size uint64) int {
	return int(min(max(1, ceil(bytes, size)), math.MaxInt))
}

// ceil is a/b, rounded up.
func ceil(a, b uint64) uint64 {
	if a%b == 0 {
		return a / b
	}
	return a/b + 1
}

// size writes bytes for people: three digits or so, rounded down.
func size(bytes uint64) string {
	unit, name := uint64(1), "B"
	switch {
	case bytes >= gigabyte:
		unit, name = gigabyte, "GB"
	case bytes >= megabyte:
		unit, name = megabyte, "MB"
	case bytes >= 1000:
		unit, name = 1000, "kB"
	}
	whole := bytes / unit
	if tenths := bytes % unit * 10 / unit; whole < 100 && tenths > 0 {
		return fmt.Sprintf("%d.%d %s", whole, tenths, name)
	}
	return fmt.Sprintf("%d %s", whole, name)
}
