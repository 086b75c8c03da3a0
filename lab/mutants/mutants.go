package main

import "slices"

// mutants are the protections that are taken away.
var mutants = slices.Concat(
	sinkMutants,
	storesMutants,
	sourcesMutants,
	pixelsMutants,
	schemaMutants,
	configMutants,
	pipelineMutants,
	commandMutants,
	groupMutants,
)
