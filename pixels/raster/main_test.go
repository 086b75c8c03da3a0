package raster_test

import "flag"

var update = flag.Bool("update", false, "write the golden files in testdata afresh")
