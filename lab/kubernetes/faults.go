package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"tfr-build/lab/engine"
)

// A fault is what happens to a Job.
type fault struct {
	name   string
	change func(args string) string     // of the container
	late   time.Duration                // of the pod of index 0, which makes the plan
	do     func(k *kubelet) error       // while it runs
	limit  int32                        // how many failures of pods the Job takes
	want   func(codes map[int]int) bool // whether pods ended as they had to
	fails  string                       // the reason that the Job has to end with, if it must
}

var faults = []fault{
	{name: "nothing", want: func(codes map[int]int) bool { return len(codes) == 1 }},
	{name: "a process killed", do: killProcess, limit: 1, want: func(codes map[int]int) bool {
		return codes[137] == 1
	}},
	{name: "a pod evicted", do: evict, want: func(codes map[int]int) bool { return len(codes) == 2 }},
	{name: "75: the first is late", change: func(args string) string {
		return strings.Replace(args, "-wait 30m",
			"-wait 10s", 1)
	}, late: 12 * time.Second, want: func(codes map[int]int) bool { return codes[75] > 0 }},
	{name: "42: a wrong config", change: func(args string) string {
		return strings.Replace(args, "pets.yaml", "wrong.yaml",
			1)
	}, want: func(codes map[int]int) bool { return codes[42] > 0 }, fails: batchv1.JobReasonPodFailurePolicy},
}

// disturb runs the Job once with each fault, and prints a line for each.
func (c *cluster) disturb(dir string) error {
	text, err := engine.Recipe("Kubernetes", "yaml")
	if err != nil {
		return err
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict([]byte(text), &job); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "wrong.yaml"), []byte("name: pets\n"), 0o644); err != nil {
		return err
	}
	fmt.Printf("%-22s %-30s %-26s %s\n", "fault", "ends of pods", "the Job", "time")
	for _, f := range faults {
		if err := c.try(f, job.DeepCopy(), dir); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	fmt.Println("each dataset has the bytes of one process")
	return nil
}

// try runs the Job with a fault.
func (c *cluster) try(f fault, job *batchv1.Job, dir string) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if err := os.RemoveAll(filepath.Join(dir, "out")); err != nil {
		return err
	}
	if f.change != nil {
		container := &job.Spec.Template.Spec.Containers[0]
		container.Args = strings.Fields(f.change(strings.Join(container.Args, " ")))
	}
	job.Spec.BackoffLimit = &f.limit
	k := &kubelet{c: c, dir: dir, seen: map[types.UID]*exec.Cmd{}, codes: map[int]int{}, late: time.Now().Add(f.late)}
	began := time.Now()
	jobs := c.client.BatchV1().Jobs("default")
	job, err := jobs.Create(ctx, job, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		return err
	}
	go k.work(ctx)
	if f.do != nil {
		if err := f.do(k); err != nil {
			return err
		}
	}
	reason, err := c.end(job.Name)
	took := time.Since(began)
	if err != nil {
		return errors.Join(err, k.fault)
	}
	if reason != f.fails {
		return fmt.Errorf("the Job ended with %q", reason)
	}
	if !f.want(k.codes) {
		return fmt.Errorf("pods ended with %v", k.codes)
	}
	if f.fails == "" {
		if err := engine.Compare(dir); err != nil {
			return err
		}
		reason = "Complete"
	}
	fmt.Printf("%-22s %-30s %-26s %.0fs\n", f.name, ends(k.codes), reason, took.Seconds())
	return c.remove(job.Name)
}

// end waits for the end of a Job, and returns why it failed, if it did.
func (c *cluster) end(name string) (reason string, err error) {
	for range 3000 {
		job, err := c.client.BatchV1().Jobs("default").Get(context.Background(), name, metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		for _, condition := range job.Status.Conditions {
			switch {
			case condition.Status != corev1.ConditionTrue:
			case condition.Type == batchv1.JobComplete:
				return "", nil
			case condition.Type == batchv1.JobFailed:
				return condition.Reason, nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "", errors.New("the Job does not end")
}

// remove removes a Job and its pods: the cluster runs without a garbage collector.
func (c *cluster) remove(name string) error {
	ctx, now, background := context.Background(), int64(0), metav1.DeletePropagationBackground
	if err := c.client.BatchV1().Jobs("default").Delete(ctx, name,
		metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		return err
	}
	return c.client.CoreV1().Pods("default").DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &now},
		metav1.ListOptions{})
}

// ends shows how pods ended: 4 × 0, 1 × 137.
func ends(codes map[int]int) string {
	var all []string
	for code, n := range codes {
		all = append(all, fmt.Sprintf("%d × %d", n, code))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// killProcess kills a process, as the kernel does when memory is short.
func killProcess(k *kubelet) error {
	_, cmd, err := k.running()
	if err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond) // it is at work
	return cmd.Process.Kill()
}

// evict evicts a pod, as one does that empties a node.
func evict(k *kubelet) error {
	id, _, err := k.running()
	if err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond) // it is at work
	ctx := context.Background()
	pods, err := k.c.client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range pods.Items {
		if pods.Items[i].UID == id {
			eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pods.Items[i].Name}}
			return k.c.client.CoreV1().Pods("default").EvictV1(ctx, eviction)
		}
	}
	return errors.New("the pod is gone")
}
