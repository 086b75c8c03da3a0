package statistics

// classCounts counts classes by their index among the class names. A column may have a million
// classes, so only pages of classes that occur are allocated.
type classCounts struct {
	pages   []*classPage
	nonZero []int32 // the classes that occur, in the order of their first use
}

const (
	pageBits = 8
	pageSize = 1 << pageBits
)

type classPage [pageSize]int64

// add counts a class n times, in a column of so many classes.
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
		c.nonZero = append(c.nonZero, int32(class))
	}
	*count += n
}

func (c *classCounts) of(class int32) int64 {
	return c.pages[class>>pageBits][class&(pageSize-1)]
}

// merge adds the counts of others, in a column of so many classes.
func (c *classCounts) merge(others *classCounts, classes int) {
	for _, class := range others.nonZero {
		c.add(int(class), classes, others.of(class))
	}
}

// reset sets all counts to 0, and keeps the memory.
func (c *classCounts) reset() {
	for _, class := range c.nonZero {
		c.pages[class>>pageBits][class&(pageSize-1)] = 0
	}
	c.nonZero = c.nonZero[:0]
}
