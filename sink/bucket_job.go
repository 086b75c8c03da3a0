package sink

import (
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

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
)

// A jobObject says which job makes the output. Runs of that job may do so at the same
// time, as they make the same bytes; all others keep away.
type jobObject struct {
	Tool  string    `json:"tool"`
	Run   string    `json:"run"` // a word that no other staging folder has
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Began time.Time `json:"began"` // by the clock of the host
	Job   string    `json:"job"`   // as Begin is given it; of tasks their claim
	Tasks bool      `json:"tasks,omitempty"`

	// GivenUp says that what was made is being removed.
	GivenUp bool `json:"given_up,omitempty"`
}

// isFor reports whether runs of a job may go on; of no job object they may not.
func (j *jobObject) isFor(job string) bool { return j != nil && j.Job == job && !j.GivenUp }

// ourTool is what Tool says.
const ourTool = "tfr-build"

// takeoverAfter is how long an output has to be without a new shard to be taken over.
const takeoverAfter = 10 * time.Minute

// A TakenError says that runs of another plan make the output.
type TakenError struct {
	Path  string // of their job object
	Host  string
	PID   int
	Quiet time.Duration // since they took it or finished a shard, by the store's clock; negative where nobody asked
}

func (e *TakenError) Error() string {
	text := fmt.Sprintf("%s: process %d on %s builds another plan there", e.Path, e.PID, e.Host)
	if e.Quiet >= 0 {
		text += fmt.Sprintf("; it finished nothing for %v", e.Quiet.Round(time.Second))
	}
	return text
}

// CanBeTaken reports whether runs of another plan are quiet for long enough.
func (e *TakenError) CanBeTaken() bool { return e.Quiet >= takeoverAfter }

// An owner keeps the output for one job, by its job object.
type owner struct {
	*reach
	disk     *disk
	note     string // the file of the staging folder that tells it from others
	takeover bool

	mu   sync.Mutex
	run  string // what note says
	job  string // that the output is kept for; empty for none
	held string // ETag of the job object that is of this job

	isTwin bool // another staging folder's run put it
	tasks  bool // job is the claim of tasks
}

// readJob reads the job object; it is nil where there is none.
func (r *reach) readJob(ctx context.Context) (*jobObject, bucket.Object, error) {
	u := r.hidden.Join(jobName)
	data, o, err := r.get(ctx, u, maxJob)
	if err != nil || data == nil && o.ETag == "" {
		return nil, o, err
	}
	job := new(jobObject)
	if json.Unmarshal(data, job) != nil || job.Tool != ourTool {
		return nil, o, &placeError{u.String(), ErrForeign}
	}
	return job, o, nil
}

// start puts the job object, or finds that of another run of the job. One of another
// job is replaced where a run of this staging folder put it, or where it may be taken
// over. Uploads that runs left behind are aborted, but for those of a twin.
func (w *owner) start(job []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.introduce(); err != nil {
		return err
	}
	w.job = string(job)
	if err := w.hold(w.ctx); err != nil {
		w.job = ""
		if errors.As(err, new(*TakenError)) || errors.As(err, new(*ClaimedError)) { // and what the folder noted is of no use
			err = cmp.Or(w.disk.removeAll(w.note), err)
		}
		return err
	}
	return w.abortLeft()
}

// abortLeft aborts uploads that runs left behind. The caller holds mu.
func (w *owner) abortLeft() error {
	left, err := w.client.Uploads(w.ctx, w.out)
	for i := 0; i < len(left) && err == nil; i++ {
		if !w.isTwin || w.wasOurs(left[i].URL) {
			err = w.client.Abort(w.ctx, left[i])
		}
	}
	return w.fail(err)
}

// wasOurs reports whether a run of this staging folder was uploading an object when it
// was stopped: then the file is still here.
func (w *owner) wasOurs(u bucket.URL) bool {
	name := strings.TrimPrefix(u.Key, w.out.Key)
	_, err := w.disk.fs.Lstat(filepath.Join(filepath.Dir(w.note), dataName, filepath.FromSlash(name)))
	return err == nil
}

// introduce gives the staging folder its word, once and for all its runs.
func (w *owner) introduce() error {
	word, err := readSmall(w.disk.fs, w.note, maxLock)
	if err != nil {
		return err
	}
	if w.run = string(word); w.run != "" {
		return nil
	}
	w.run = rand.Text()
	return w.disk.put(filepath.Dir(w.note), filepath.Base(w.note), []byte(w.run))
}

// hold has the job object be this job's. The caller holds mu.
func (w *owner) hold(ctx context.Context) error {
	const tries = 10 // an object that others replace each time is not replaced by chance
	var err error
	for range tries {
		if err = w.putJob(ctx); err == nil {
			return w.late(ctx)
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		there, o, read := w.readJob(ctx)
		switch {
		case read != nil:
			return read
		case there == nil:
			continue // it went meanwhile
		case there.isFor(w.job):
			w.held, w.isTwin = o.ETag, there.Run != w.run
			return nil
		case there.Tasks && there.Job != w.job:
			return &ClaimedError{w.address(), []byte(there.Job)}
		}
		if err := w.replace(ctx, there, &o); err != nil {
			return err
		}
	}
	return w.fail(err)
}

// late makes sure that no other run has published a dataset since this one looked: then
// the job object goes again.
func (w *owner) late(ctx context.Context) error {
	success, _, err := w.get(ctx, w.out.Join(successName), markedBy)
	if err != nil || success == nil {
		return err
	}
	return cmp.Or(w.fail(w.client.Remove(ctx, w.hidden.Join(jobName))), error(&placeError{w.address(), ErrPublished}))
}

// putJob puts the job object where there is none.
func (w *owner) putJob(ctx context.Context) error {
	o, err := w.client.PutNew(ctx, w.hidden.Join(jobName), w.encode(false))
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	w.held, w.isTwin = o.ETag, false
	return w.fail(err)
}

// encode is the job object of this run.
func (w *owner) encode(givenUp bool) []byte {
	self := store.ThisProcess()
	text, _ := json.MarshalIndent(jobObject{ // which has nothing that cannot be encoded
		Tool: ourTool, Run: w.run, Host: self.Host, PID: self.PID,
		Began: time.Now().UTC().Truncate(time.Second), Job: w.job, Tasks: w.tasks, GivenUp: givenUp,
	}, "", "  ")
	return append(text, '\n')
}

// giveUp says that the output is given up, before anything is removed: what others
// upload meanwhile they take away again.
func (w *owner) giveUp(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.client.Put(ctx, w.hidden.Join(jobName), w.encode(true))
	return w.fail(err)
}

// replace removes the job object of another job, if that may be.
func (w *owner) replace(ctx context.Context, there *jobObject, o *bucket.Object) error {
	if there.Run != w.run && there.Job != w.job {
		taken := &TakenError{Path: w.hidden.Join(jobName).String(), Host: there.Host, PID: there.PID}
		var err error
		if taken.Quiet, err = w.quiet(ctx, o); err != nil {
			return err
		}
		if !w.takeover || !taken.CanBeTaken() {
			return taken
		}
	}
	return w.fail(w.client.Remove(ctx, w.hidden.Join(jobName)))
}

// quiet is how long nothing was written, by the store's clock, which the store tells of
// an object that is written now.
func (w *owner) quiet(ctx context.Context, job *bucket.Object) (time.Duration, error) {
	clock := w.hidden.Join("clock")
	_, err := w.client.Put(ctx, clock, []byte(rand.Text()))
	if err != nil {
		return 0, w.fail(err)
	}
	now, err := w.client.Stat(ctx, clock)
	if err == nil {
		err = w.client.Remove(ctx, clock)
	}
	last := job.ModTime
	if err == nil {
		err = w.client.List(ctx, w.out, func(o bucket.Object) error {
			if o.ModTime.After(last) {
				last = o.ModTime
			}
			return nil
		})
	}
	return max(0, now.ModTime.Sub(last)), w.fail(err)
}

// isMine reports whether the job object is of this job, and no twin's, who may need it.
func (w *owner) isMine(ctx context.Context) (bool, error) {
	if w.job == "" || w.isTwin {
		return false, nil
	}
	there, _, err := w.readJob(ctx)
	return there != nil && there.Job == w.job, err
}

// release gives the output up: what tasks told about it goes, and the job object, and
// what the staging folder notes of it.
func (w *owner) release(ctx context.Context) error {
	for _, folder := range []string{rejectsName, statisticsName} {
		if err := w.remove(ctx, w.hidden.Join(folder).Join(""), none); err != nil {
			return err
		}
	}
	if err := w.client.Remove(ctx, w.hidden.Join(jobName)); err != nil {
		return w.fail(err)
	}
	w.job = ""
	return w.disk.removeAll(w.note)
}
