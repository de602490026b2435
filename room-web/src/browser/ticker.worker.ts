// Browsers slow the timers of a page in the background down to one a minute; those of a worker go on. The page of the
// room is in the background whenever the video call has a tab of its own.
self.addEventListener('message', ({ data }: MessageEvent<{ id: number; ms: number }>) => {
  setTimeout(() => self.postMessage(data.id), data.ms)
})
