package config

import "tfr-build/order/inception"

// pythons are the orders of Inception's script, by the Python that it was run with.
var pythons = map[string]inception.Python{"inception-py2": inception.Python2, "inception-py3": inception.Python3}

// Inception is the Python with which Inception's script would have given the rows
// their order and their shards; ok is false for the other orders.
func (c *Config) Inception() (python inception.Python, ok bool) {
	python, ok = pythons[c.Order]
	return python, ok
}

// ClassColumn is the column whose classes the order goes by, after their names in a
// labels file: Inception's script went from one class folder to the next.
const ClassColumn = "class"

// Labels is the feature that says in which order the classes come, with their names;
// nil where none does, and so their names alone.
func (c *Config) Labels() *Feature {
	for _, f := range c.AllFeatures() {
		if k := f.Classes; k != nil && !k.Auto && !k.Numbers && len(f.From.Columns) == 1 && f.From.Columns[0] == ClassColumn {
			return f
		}
	}
	return nil
}

// inception fills in what follows from an order of Inception's script, and checks
// what has to stand beside it.
func (c *checker) inception(cfg *Config) {
	if !c.fine("order") {
		return
	}
	if _, ok := cfg.Inception(); !ok {
		if c.given("threads") {
			c.bad("threads", "threads is for the orders of Inception's script, but order is %s", cfg.Order)
		}
		return
	}
	if !c.given("seed") {
		cfg.Seed = inception.Seed
	}
	for i := range cfg.Sources {
		if s := &cfg.Sources[i]; s.Kind.Name != "" && s.Kind.Name != "images" {
			c.bad("order", "%s is of images, but %s is of %s", cfg.Order, s.At, s.Kind.Name)
		}
	}
	if c.fine("threads") {
		c.threads(cfg)
	}
}

// threads holds the counts of shards against the threads, of which each has equally
// many.
func (c *checker) threads(cfg *Config) {
	uneven := func(path string, count int) {
		if count%cfg.Threads != 0 && c.fine(path) {
			c.hinted(path, "threads: 1 fits every count, and gives another dataset", "found %d; expected a multiple of threads, which are %d", count, cfg.Threads)
		}
	}
	uneven("shards.count", cfg.Shards.Count.Every)
	for _, s := range cfg.Shards.Count.Splits {
		uneven(subPath("shards.count", s.Split), s.Count)
	}
}
