package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"tfr-build/internal/exit"
)

// asWorker is the complete program where an engine has started it as a worker, and nothing
// else. It tells so by an address at which there is what the worker has to know.
//
// Beam's stock program for that fetches a binary from there, starts it and stays alongside
// it. This one is the worker itself: what the engine kills is the worker, and no binary
// is copied.
func asWorker(args []string) {
	provision := argument(args, "provision_endpoint")
	if provision == "" {
		return
	}
	followParent()
	keepGarbageLow()
	beam.Init()
	if err := serve(argument(args, "id"), provision); err != nil {
		fmt.Fprintf(os.Stderr, "tfr-beam: as a worker: %v\n", err)
		os.Exit(exit.Failed)
	}
	os.Exit(exit.Done)
}

// argument is the value of an argument, which prism puts into quotes.
func argument(args []string, name string) string {
	for _, a := range args {
		if value, ok := strings.CutPrefix(strings.TrimLeft(a, "-"), name+"="); ok {
			return strings.Trim(value, "'")
		}
	}
	return ""
}

// serve does what the engine asks for, until it asks no more.
func serve(id, provision string) error {
	ctx := grpcx.WriteWorkerID(context.Background(), id)
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return err
	}
	text, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	var options runtime.RawOptionsWrapper
	if err := json.Unmarshal([]byte(text), &options); err != nil {
		return fmt.Errorf("decoding the options of the pipeline: %w", err)
	}
	beam.PipelineOptions.Import(options.Options)
	return harness.MainWithOptions(ctx, info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl(),
		harness.Options{
			StatusEndpoint: info.GetStatusEndpoint().GetUrl(), RunnerCapabilities: info.GetRunnerCapabilities(),
		})
}

// followParent ends the worker when the process that started it has gone: it may have been
// killed before it could kill the worker.
func followParent() {
	const often = 200 * time.Millisecond
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(often)
		}
		fmt.Fprintln(os.Stderr, "tfr-beam: the process that started this worker has gone")
		os.Exit(exit.Failed)
	}()
}

// lowGCPercent is the garbage, in percent of the memory in use, at which the collector starts, as in
// tfr-build with a memory limit: a task always has one.
const lowGCPercent = 25

// keepGarbageLow has the garbage collector run often, unless GOGC is set.
func keepGarbageLow() {
	if _, said := os.LookupEnv("GOGC"); !said {
		debug.SetGCPercent(lowGCPercent)
	}
}
