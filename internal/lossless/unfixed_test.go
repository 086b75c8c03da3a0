package lossless

// unfixed has the tests of inputs that init still loses something of.
var unfixed = map[string]string{
	"TestLayouts/COCO":                      "the supercategory",
	"TestLayouts/COCO,_categories_as_words": "the supercategory",
	"TestTables/Hospital.csv":               "a header of words",
}
