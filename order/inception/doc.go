// Package inception puts files into the order, and the shards, of the scripts
// build_imagenet_data.py and build_image_data.py of TensorFlow's Inception, to the
// file. Like package order it is arithmetic: it opens no file.
//
//	inception.Shuffle(inception.Python2, 12345, len(list), swap)
//	for i, ranks := range inception.Cut(len(list), 1024, 8) { … }     // ranks of shard i
//
// The scripts shuffle the list of files with Python's generator, part it among
// threads, and each thread's part among its shards:
//
//	list      files, by class and name
//	            │ random.seed(12345); random.shuffle(list)
//	ranks     0 ──────────────┬───────────────┬────── … ──────┬──────────── n
//	threads   │       0       │       1       │       …       │   threads-1 │     np.linspace(0, n, threads+1)
//	shards    │ 0 │ 1 │ … │ k-1│ k │ k+1 │ …  │                                 np.linspace(part of the thread, k+1)
//
// The generator is the Mersenne Twister, MT19937, of Matsumoto and Nishimura, as
// CPython's _randommodule.c seeds and reads it. Python 2 and Python 3 draw from it in
// different ways, so that their orders have nothing in common. np.linspace counts in
// float64, and what it gives is cut to whole numbers: a part may be a file larger or
// smaller than another in a way that integers alone do not show.
package inception
