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

// ShardCount returns the recommended number of shards for a split of so many bytes that so many
// hosts read, and the reason in a sentence. The first possible rule applies:
//
//   - ten shards per host, if each has 100 MB or more
//   - shards of at least 100 MB, the same number for each host
//   - one shard per host, if each has 10 MB or more
//   - shards of at least 10 MB
//   - one shard
//
// No shard is larger than 1 GB. hosts below 1 count as 1.
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
	why = fmt.Sprintf("%s for %s: %s of %s, %s", formatSize(bytes), plural.Of(h, "host"), plural.Of(shards, "shard"),
		formatSize(bytes/shards), reason)
	return int(min(shards, math.MaxInt)), why
}

// ShardsOfSize returns the number of shards of size bytes, which is not 0, that hold so many
// bytes. It is at least one.
func ShardsOfSize(bytes, size uint64) int {
	return int(min(max(1, ceil(bytes, size)), math.MaxInt))
}

// ceil returns a/b, rounded up.
func ceil(a, b uint64) uint64 {
	if a%b == 0 {
		return a / b
	}
	return a/b + 1
}

// formatSize returns a size in bytes with a unit and about three digits, rounded down.
func formatSize(bytes uint64) string {
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
