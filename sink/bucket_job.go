package sink

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tfr-build/internal/store"
)

// A jobObject says which job makes the output. Several runs of that job may work at the same
// time, because they make the same bytes. Runs of other jobs must not.
type jobObject struct {
	Tool  string    `json:"tool"`
	Run   string    `json:"run"` // random ID of the run's staging directory
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Began time.Time `json:"began"` // by the clock of the host
	Job   string    `json:"job"`   // as given to Begin, or the claim of tasks
	Tasks bool      `json:"tasks,omitempty"`

	// GivenUp means that the uploaded objects are being removed.
	GivenUp bool `json:"given_up,omitempty"`
}

// isFor reports whether runs of a job may continue. Without a job object they may not.
func (j *jobObject) isFor(job string) bool { return j != nil && j.Job == job && !j.GivenUp }

// toolName is the value of Tool.
const toolName = "tfr-build"

// takeoverAfter is how long an output must be without a new shard before it can be taken over.
const takeoverAfter = 10 * time.Minute

// A TakenError means that runs of another plan make the output.
type TakenError struct {
	Path  string // of their job object
	Host  string
	PID   int
	Quiet time.Duration // since their last write, by the store's clock; negative: not measured
}

// Error names the process that put the job object, and how long it has been idle.
func (e *TakenError) Error() string {
	text := fmt.Sprintf("%s: process %d on %s builds another plan there", e.Path, e.PID, e.Host)
	if e.Quiet >= 0 {
		text += fmt.Sprintf("; it finished nothing for %v", e.Quiet.Round(time.Second))
	}
	return text
}

// CanBeTaken reports whether the runs of the other plan have been idle for long enough.
func (e *TakenError) CanBeTaken() bool { return e.Quiet >= takeoverAfter }

// An owner reserves the output for one job, by its job object.
type owner struct {
	*remote
	disk     *Disk
	runFile  string // path of the local file that contains runID
	takeover bool

	mu      sync.Mutex
	runID   string // random ID of the staging directory
	job     string // the job that has the output; empty without a job
	jobETag string // ETag of the job object of this job

	putByOther bool // a run of the job in another staging directory put the job object
	tasks      bool // job is the claim of tasks
}

// readJob returns the job object, or nil if it does not exist.
func (r *remote) readJob(ctx context.Context) (*jobObject, fs.FileInfo, error) {
	url := r.inHidden(jobName)
	data, info, err := r.get(ctx, url, maxJob)
	if err != nil || info == nil {
		return nil, nil, err
	}
	job := new(jobObject)
	if json.Unmarshal(data, job) != nil || job.Tool != toolName {
		return nil, nil, &pathError{url, ErrUnknownStage}
	}
	return job, info, nil
}

// start puts the job object of a job or of tasks, or finds the job object of another run of the job. It replaces the
// job object of another job if a run of this staging directory put it, or if it may be taken
// over. It aborts uploads that stopped runs left, but not uploads of another run of the job.
func (w *owner) start(job []byte, tasks bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.ensureRunID(); err != nil {
		return err
	}
	w.job, w.tasks = string(job), tasks
	if err := w.acquire(w.ctx); err != nil {
		w.job = ""
		if errors.As(err, new(*TakenError)) || errors.As(err, new(*ClaimedError)) { // the run ID is useless
			err = cmp.Or(w.disk.removeAll(w.runFile), err)
		}
		return err
	}
	return w.abortUploads()
}

// abortUploads aborts uploads that stopped runs left. If another staging directory put the job
// object, it aborts only uploads of this staging directory. The caller holds mu.
func (w *owner) abortUploads() error {
	left, err := w.storage.Uploads(w.ctx, w.out+"/")
	for i := 0; i < len(left) && err == nil; i++ {
		if !w.putByOther || w.isStagedHere(left[i].Name) {
			err = w.storage.Abort(w.ctx, left[i])
		}
	}
	return w.wrapError(err)
}

// isStagedHere reports whether a run of this staging directory was uploading an object when it
// was stopped: then the local file still exists.
func (w *owner) isStagedHere(url string) bool {
	name := strings.TrimPrefix(url, w.out+"/")
	_, err := w.disk.fs.Lstat(filepath.Join(filepath.Dir(w.runFile), dataName, filepath.FromSlash(name)))
	return err == nil
}

// ensureRunID reads the run ID of the staging directory, or creates it for all its runs.
func (w *owner) ensureRunID() error {
	id, err := readSmall(w.disk.fs, w.runFile, maxLock)
	if err != nil {
		return err
	}
	if w.runID = string(id); w.runID != "" {
		return nil
	}
	w.runID = rand.Text()
	return w.disk.putFile(filepath.Dir(w.runFile), filepath.Base(w.runFile), []byte(w.runID))
}

// acquire gives this job the job object: it puts the job object, or finds the job object of
// another run of the job. The caller holds mu.
func (w *owner) acquire(ctx context.Context) error {
	const tries = 10 // an object that others replace this often is not replaced by chance
	var err error
	for range tries {
		if err = w.putJob(ctx); err == nil {
			return w.checkUnpublished(ctx)
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		current, info, read := w.readJob(ctx)
		switch {
		case read != nil:
			return read
		case current == nil:
			continue // it was removed since
		case current.isFor(w.job):
			w.jobETag, w.putByOther = etagOf(info), current.Run != w.runID
			return nil
		case current.Tasks && current.Job != w.job:
			return &ClaimedError{w.out, []byte(current.Job)}
		}
		if err := w.replaceJob(ctx, current, info); err != nil {
			return err
		}
	}
	return w.wrapError(err)
}

// checkUnpublished removes the job object again if another run has published a dataset since
// this run inspected the output. Then the error is [ErrPublished].
func (w *owner) checkUnpublished(ctx context.Context) error {
	success, _, err := w.get(ctx, w.inOutput(successName), maxMarkRead)
	if err != nil || success == nil {
		return err
	}
	return cmp.Or(w.wrapError(w.storage.Delete(ctx, w.inHidden(jobName))), error(&pathError{w.out, ErrPublished}))
}

// putJob puts the job object. If one exists, the error is fs.ErrExist.
func (w *owner) putJob(ctx context.Context) error {
	job := w.encodeJob(false)
	none := store.Condition{Over: store.Nothing}
	etag, err := w.storage.Put(ctx, w.inHidden(jobName), bytes.NewReader(job), int64(len(job)), none)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	w.jobETag, w.putByOther = etag, false
	return w.wrapError(err)
}

// encodeJob returns the job object of this run as JSON.
func (w *owner) encodeJob(givenUp bool) []byte {
	self := store.ThisProcess()
	text, _ := json.MarshalIndent(jobObject{ // all fields can be encoded
		Tool: toolName, Run: w.runID, Host: self.Host, PID: self.PID,
		Began: time.Now().UTC().Truncate(time.Second), Job: w.job, Tasks: w.tasks, GivenUp: givenUp,
	}, "", "  ")
	return append(text, '\n')
}

// markGivenUp records that the output is given up, before anything is removed. Other runs then
// remove what they upload during the removal.
func (w *owner) markGivenUp(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.put(ctx, w.inHidden(jobName), w.encodeJob(true))
}

// replaceJob removes the job object of another job, if this run may take the output. Otherwise
// the error is a *[TakenError].
func (w *owner) replaceJob(ctx context.Context, current *jobObject, info fs.FileInfo) error {
	if current.Run != w.runID && current.Job != w.job {
		taken := &TakenError{Path: w.inHidden(jobName), Host: current.Host, PID: current.PID}
		var err error
		if taken.Quiet, err = w.measureIdle(ctx, info); err != nil {
			return err
		}
		if !w.takeover || !taken.CanBeTaken() {
			return taken
		}
	}
	return w.wrapError(w.storage.Delete(ctx, w.inHidden(jobName)))
}

// measureIdle returns how long nothing was written below the output. It uses the store's clock,
// which is the time of an object that it writes now.
func (w *owner) measureIdle(ctx context.Context, job fs.FileInfo) (time.Duration, error) {
	clock := w.inHidden("clock")
	if err := w.put(ctx, clock, []byte(rand.Text())); err != nil {
		return 0, err
	}
	now, err := w.storage.Describe(ctx, clock)
	if err == nil {
		err = w.storage.Delete(ctx, clock)
	}
	if err != nil {
		return 0, w.wrapError(err)
	}
	last := job.ModTime()
	err = w.list(ctx, w.out, func(_ string, info fs.FileInfo) error {
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return max(0, now.ModTime().Sub(last)), err
}

// isMine reports whether the job object belongs to this job, and was not put by another run of
// the job, which may need it.
func (w *owner) isMine(ctx context.Context) (bool, error) {
	if w.job == "" || w.putByOther {
		return false, nil
	}
	current, _, err := w.readJob(ctx)
	return current != nil && current.Job == w.job, err
}

// release gives the output up: it removes the metadata of tasks, the job object, and the run
// ID.
func (w *owner) release(ctx context.Context) error {
	for _, subdir := range []string{rejectsName, statisticsName} {
		if err := w.removeObjects(ctx, w.inHidden(subdir), keepNone); err != nil {
			return err
		}
	}
	// Last of the objects: while it exists, the next run repeats a release that was stopped.
	if err := w.storage.Delete(ctx, w.inHidden(jobName)); err != nil {
		return w.wrapError(err)
	}
	w.job = ""
	return w.disk.removeAll(w.runFile)
}
