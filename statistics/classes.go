package statistics

// classCounts count classes by their place among the names. There may be a million
// of them: only the pages that are used take memory, and what is touched is known.
type classCounts struct {
	pages   []*classPage
	touched []int32 // in the order in which they came
}

const (
	pageBits = 8
	pageSize = 1 << pageBits
)

type classPage [pageSize]int64

// add counts a class of a number of classes n times.
func (c *classCounts) add(class, classes int, n int64) {
	if c.pages == nil {
		c.pages = make([]*classPage, (classes+pageSize-1)/pageSize)
	}
	page := c.pages[class>>pageBits]
	if page == nil {
		page = new(classPage)
		c.pages[class>>pageBits] = page
	}
	count := &page[class&(pageSize-1)]
	if *count == 0 {
		c.touched = append(c.touched, int32(class))
	}
	*count += n
}

func (c *classCounts) of(class int32) int64 {
	return c.pages[class>>pageBits][class&(pageSize-1)]
}

// merge adds what others have, of so many classes.
func (c *classCounts) merge(others *classCounts, classes int) {
	for _, class := range others.touched {
		c.add(int(class), classes, others.of(class))
	}
}

// reset forgets all, and keeps the memory.
func (c *classCounts) reset() {
	for _, class := range c.touched {
		c.pages[class>>pageBits][class&(pageSize-1)] = 0
	}
	c.touched = c.touched[:0]
}
