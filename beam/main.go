package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"tfr-build/internal/exit"
)

func main() {
	registerTask()
	asWorker(os.Args[1:]) // returns where this is not a worker
	log.SetLogger(silent{})
	beam.Init()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// silent is a log of Beam that says nothing: what matters comes as an error.
type silent struct{}

func (silent) Log(context.Context, log.Severity, int, string) {}

// interrupted says that a signal ended the run.
type interrupted struct{ signal syscall.Signal }

func (e *interrupted) Error() string {
	return fmt.Sprintf("interrupted (%v): nothing is published, and what tasks finished is kept", e.signal)
}

// onSignals cancels ctx at the first signal that asks the program to end; the second
// ends it.
func onSignals(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	caught := make(chan os.Signal, 2)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		s, ok := <-caught
		if !ok {
			return
		}
		cancel(&interrupted{s.(syscall.Signal)})
		if s, ok = <-caught; ok {
			os.Exit(128 + int(s.(syscall.Signal)))
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		close(caught)
		cancel(nil)
	}
}

// code is the exit code of a run that ended with err.
func code(err error) int {
	switch e := err.(type) {
	case *interrupted:
		return 128 + int(e.signal)
	case *usageError:
		return exit.Usage
	case *taskError:
		return e.Code
	case *lostError:
		return exit.NotYet
	}
	return exit.Code(err)
}
