package config

import "tfr-build/internal/order/inception"

// pythons has the version of Python for each order of Inception's script.
var pythons = map[string]inception.Python{"inception-py2": inception.Python2, "inception-py3": inception.Python3}

// Inception returns the version of Python whose run of Inception's script gives the same order and
// shards. ok is false for the other orders.
func (c *Config) Inception() (python inception.Python, ok bool) {
	python, ok = pythons[c.Order]
	return python, ok
}

// ClassColumn is the column whose classes decide the order, by their names in a labels file:
// Inception's script read one class directory after the other.
const ClassColumn = "class"

// Labels returns the feature whose class names decide the order of the classes. If it returns nil,
// the classes are sorted by name.
func (c *Config) Labels() *Feature {
	for _, f := range c.AllFeatures() {
		if k := f.Classes; k != nil && !f.MultiHot && !k.Auto && !k.Numbers && len(f.From.Columns) == 1 &&
			f.From.Columns[0] == ClassColumn {
			return f
		}
	}
	return nil
}

// checkInception fills in the defaults of an order of Inception's script, and checks the keys that
// it excludes or requires.
func (c *checker) checkInception(cfg *Config) {
	if !c.isValid("order") {
		return
	}
	if _, ok := cfg.Inception(); !ok {
		if c.isGiven("threads") {
			c.report("threads", "threads is for the orders of Inception's script, but order is %s", cfg.Order)
		}
		return
	}
	if !c.isGiven("seed") {
		cfg.Seed = inception.Seed
	}
	for i := range cfg.Sources {
		if s := &cfg.Sources[i]; s.Kind.Name != "" && s.Kind.Name != "images" {
			c.report("order", "%s is of images, but %s is of %s", cfg.Order, s.At, s.Kind.Name)
		}
	}
	if c.isValid("threads") {
		c.checkThreads(cfg)
	}
}

// checkThreads checks that the number of shards is a multiple of the number of threads: each thread
// writes the same number of shards.
func (c *checker) checkThreads(cfg *Config) {
	uneven := func(path string, count int) {
		if count%cfg.Threads != 0 && c.isValid(path) {
			c.reportWithHint(path, "threads: 1 fits every count, and gives another dataset",
				"found %d; expected a multiple of threads, which are %d", count, cfg.Threads)
		}
	}
	if cfg.Shards.Rows > 0 && c.isValid("shards.rows") {
		c.report("shards.rows", "rows are for other orders: with order %s, each thread writes the same number of "+
			"shards",
			cfg.Order)
	}
	uneven("shards.count", cfg.Shards.Count.Every)
	for _, s := range cfg.Shards.Count.Splits {
		uneven(subPath("shards.count", s.Split), s.Count)
	}
}
