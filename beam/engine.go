package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The runners.
const (
	prismRunner    = "prism"
	portableRunner = "portable"
)

// An engine runs pipelines of Beam.
type engine struct {
	prism       bool   // starts a job server of its own for each job
	endpoint    string // of the job server otherwise
	worker      string // the binary that workers are; empty: this process
	parallelism int
	patience    time.Duration // for a job server that does not answer
}

// isHere reports whether jobs need this process until they end.
func (e *engine) isHere() bool { return e.prism || e.worker == "" }

// A lostError says that the job server cannot be reached: what becomes of a job that it
// has, nobody tells.
type lostError struct{ err error }

func (e *lostError) Error() string { return "the job server is lost: " + e.err.Error() }

// run runs a pipeline, and returns when it has ended. When ctx ends, the job is
// cancelled.
func (e *engine) run(ctx context.Context, name string, p *beam.Pipeline) error {
	client, hangUp, err := e.connect(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
	environment, done, err := e.environment(ctx)
	if err != nil {
		return err
	}
	defer done()
	id, err := e.submit(ctx, client, name, p, environment)
	if err != nil {
		return lostOr(err)
	}
	err = runnerlib.WaitForCompletion(ctx, client, id)
	if ctx.Err() != nil {
		late, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer stop()
		_, err = client.Cancel(late, &jobpb.CancelJobRequest{JobId: id})
	}
	return lostOr(err)
}

// connect reaches the job server.
func (e *engine) connect(ctx context.Context) (client jobpb.JobServiceClient, hangUp func(), err error) {
	endpoint, end := e.endpoint, func() {}
	if e.prism {
		if endpoint, end, err = startPrism(); err != nil {
			return nil, nil, err
		}
	}
	conn, err := grpcx.Dial(ctx, endpoint, e.patience)
	if err != nil {
		end()
		return nil, nil, &lostError{err}
	}
	return jobpb.NewJobServiceClient(conn), func() { _ = conn.Close(); end() }, nil
}

// startPrism starts prism, for one job.
func startPrism() (endpoint string, end func(), err error) {
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return "", nil, fmt.Errorf("looking for a port: %w", err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	prism := exec.Command("prism", "-serve_http=false", fmt.Sprintf("-job_port=%d", port), "-idle_shutdown_timeout=1m",
		"-log_level=error")
	if err := prism.Start(); err != nil {
		return "", nil, usagef("-runner prism: %v; go install github.com/apache/beam/sdks/v2/go/cmd/prism@v2.77.0 "+
			"installs it", err)
	}
	end = func() {
		_ = prism.Process.Kill()
		_ = prism.Wait()
	}
	return fmt.Sprintf("localhost:%d", port), end, nil
}

// environment says how workers come to be; done ends what was started for it.
func (e *engine) environment(ctx context.Context) (env *pipepb.Environment, done func(), err error) {
	urn, text, done := graphx.URNEnvProcess, "", func() {}
	if e.worker == "" {
		loopback, err := extworker.StartLoopback(context.WithoutCancel(ctx), 0)
		if err != nil {
			return nil, nil, fmt.Errorf("listening for the engine: %w", err)
		}
		urn, text = graphx.URNEnvExternal, loopback.EnvironmentConfig(ctx)
		done = func() { _ = loopback.Stop(context.WithoutCancel(ctx)) }
	} else {
		command, err := json.Marshal(map[string]string{"command": e.worker})
		if err != nil {
			return nil, nil, fmt.Errorf("naming the worker: %w", err)
		}
		text = string(command)
	}
	env, err = graphx.CreateEnvironment(ctx, urn, func(context.Context) string { return text })
	if err != nil {
		done()
		return nil, nil, err
	}
	return env, done, nil
}

// submit hands a pipeline to the job server. Beam wants a binary for the workers, which
// is empty: theirs is in its place.
func (e *engine) submit(ctx context.Context, client jobpb.JobServiceClient, name string, p *beam.Pipeline,
	env *pipepb.Environment) (id string, err error) {
	edges, _, err := p.Build()
	if err != nil {
		return "", err
	}
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: env})
	if err != nil {
		return "", err
	}
	empty, err := os.CreateTemp("", "tfr-beam-*")
	if err != nil {
		return "", fmt.Errorf("making an empty file: %w", err)
	}
	defer os.Remove(empty.Name()) //nolint:errcheck // it is a temporary file
	_ = empty.Close()
	if err := runnerlib.UpdateGoEnvironmentWorker(empty.Name(), pipeline); err != nil {
		return "", err
	}
	prepared, artifacts, session, err := runnerlib.Prepare(ctx, client, pipeline, &runnerlib.JobOptions{
		Name: name, Worker: empty.Name(), Parallelism: e.parallelism, Loopback: e.worker == "",
	})
	if err != nil {
		return "", err
	}
	token, err := runnerlib.Stage(ctx, prepared, artifacts, empty.Name(), session)
	if err != nil {
		return "", err
	}
	return runnerlib.Submit(ctx, client, prepared, token)
}

// lostOr is err, as a *lostError where it says that the connection broke.
func lostOr(err error) error {
	if status.Code(err) == codes.Unavailable {
		return &lostError{err}
	}
	return err
}
