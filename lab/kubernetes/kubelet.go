package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A kubelet runs the pods of the cluster as processes in a directory.
type kubelet struct {
	c    *cluster
	dir  string
	late time.Time // before which it does not start the pod of index 0

	mu    sync.Mutex
	seen  map[types.UID]*exec.Cmd // every pod that was ever started
	codes map[int]int             // how many processes ended with a code, or 128 and a signal
	fault error
}

// work starts and ends pods until the context ends.
func (k *kubelet) work(ctx context.Context) {
	for ctx.Err() == nil {
		pods, err := k.c.client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
		if err == nil {
			k.apply(pods.Items)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// apply starts pods that are new, and ends those that are deleted.
func (k *kubelet) apply(pods []corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	there := map[types.UID]bool{}
	for i := range pods {
		pod := &pods[i]
		there[pod.UID] = pod.DeletionTimestamp == nil
		if pod.Annotations[batchv1.JobCompletionIndexAnnotation] == "0" && time.Now().Before(k.late) {
			continue
		}
		if k.seen[pod.UID] == nil && pod.DeletionTimestamp == nil {
			cmd := k.command(pod)
			k.seen[pod.UID] = cmd
			if err := cmd.Start(); err != nil {
				k.fault = err
				continue
			}
			go k.run(pod, cmd)
		}
	}
	for id, cmd := range k.seen {
		if !there[id] && cmd.Process != nil {
			_ = cmd.Process.Signal(syscall.SIGTERM) // which may have ended
		}
	}
}

// command is the process of a pod. Its image is the program of that name, and its
// volume the directory.
func (k *kubelet) command(pod *corev1.Pod) *exec.Cmd {
	container := pod.Spec.Containers[0]
	cmd := exec.Command(container.Image, container.Args...)
	cmd.Dir, cmd.Env, cmd.Stderr = k.dir, os.Environ(), os.Stderr
	for _, variable := range container.Env {
		value := variable.Value
		if from := variable.ValueFrom; from != nil && from.FieldRef != nil {
			_, name, _ := strings.Cut(strings.TrimSuffix(from.FieldRef.FieldPath, "']"), "['")
			value = pod.Annotations[name]
		}
		cmd.Env = append(cmd.Env, variable.Name+"="+value)
	}
	return cmd
}

// run waits for the process of a pod, and says how it ended.
func (k *kubelet) run(pod *corev1.Pod, cmd *exec.Cmd) {
	k.say(pod, corev1.PodRunning, corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}})
	_ = cmd.Wait() // ProcessState tells
	code := cmd.ProcessState.ExitCode()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int(status.Signal())
	}
	k.mu.Lock()
	k.codes[code]++
	k.mu.Unlock()
	phase := corev1.PodSucceeded
	if code != 0 {
		phase = corev1.PodFailed
	}
	k.say(pod, phase, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: int32(code),
		FinishedAt: metav1.Now()}})
}

// say writes the status of a pod.
func (k *kubelet) say(pod *corev1.Pod, phase corev1.PodPhase, state corev1.ContainerState) {
	ctx := context.Background()
	pods := k.c.client.CoreV1().Pods("default")
	for {
		now, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
		if err != nil || now.UID != pod.UID {
			return // it is deleted
		}
		now.Status.Phase = phase
		now.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: pod.Spec.Containers[0].Name, State: state}}
		_, err = pods.UpdateStatus(ctx, now, metav1.UpdateOptions{})
		if err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond) // somebody else has changed it
	}
}

// running is the process of some pod that runs.
func (k *kubelet) running() (id types.UID, cmd *exec.Cmd, err error) {
	for range 6000 {
		k.mu.Lock()
		for id, cmd := range k.seen {
			if cmd.Process != nil && cmd.Process.Signal(syscall.Signal(0)) == nil {
				k.mu.Unlock()
				return id, cmd, nil
			}
		}
		k.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	return "", nil, errors.New("no pod runs")
}
