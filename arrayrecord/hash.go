package arrayrecord

import "github.com/minio/highwayhash"

// hashKey is the key of all hashes of Riegeli files.
const hashKey = "Riegeli/records\nRiegeli/records\n"

// Hash returns the hash of b as Riegeli files store it.
func Hash(b []byte) uint64 {
	return highwayhash.Sum64(b, []byte(hashKey))
}
