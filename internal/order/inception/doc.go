// Package inception puts files into the same order, and the same shards, as the scripts
// build_imagenet_data.py and build_image_data.py of TensorFlow's Inception. Like package order,
// it opens no file.
//
//	inception.Shuffle(inception.Python2, 12345, len(list), swap)
//	for i, ranks := range inception.Cut(len(list), 1024, 8) { … }     // ranks of shard i
//
// The scripts shuffle the list of files with Python's random generator, divide it among threads,
// and divide each thread's range among its shards:
//
//	list      files, by class and name
//	            │ random.seed(12345); random.shuffle(list)
//	ranks     0 ──────────────┬───────────────┬────── … ──────┬──────────── n
//	threads   │       0       │       1       │       …       │   threads-1 │     np.linspace(0, n, threads+1)
//	shards    │ 0 │ 1 │ … │ k-1│ k │ k+1 │ …  │                                 np.linspace(range of the thread, k+1)
//
// The generator is the Mersenne Twister, MT19937, of Matsumoto and Nishimura, from a package of gonum.
// It is seeded and read as in CPython's _randommodule.c. Python 2 and Python 3 read it differently,
// so their orders are unrelated. np.linspace computes in float64, and the scripts truncate its
// results. So two ranges may differ by a file where integer division gives equal ranges.
package inception
