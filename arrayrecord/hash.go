package arrayrecord

import "github.com/minio/highwayhash"

// hashKey is the key of all hashes of Riegeli files.
const hashKey = "Riegeli/records\nRiegeli/records\n"

// hash returns the hash of b as Riegeli files store it.
func hash(b []byte) uint64 {
	return highwayhash.Sum64(b, []byte(hashKey))
}
