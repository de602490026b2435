/**
 * Keeps the screen of a browser on, where it can (Screen Wake Lock, W3C); a screen that goes dark stops many cameras. The
 * browser lets the lock go whenever the page is hidden, so it is asked for again when it is seen. Answers how to end it.
 */
export const stayAwake = (): (() => void) => {
  let lock: WakeLockSentinel | undefined
  let ended = false
  const ask = async (): Promise<void> => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    try {
      lock = await navigator.wakeLock.request('screen')
      if (ended) await lock.release()
    } catch {
      // A low battery refuses it: then the screen behaves as it always does.
    }
  }
  const seen = () => void ask()
  document.addEventListener('visibilitychange', seen)
  void ask()
  return () => {
    ended = true
    document.removeEventListener('visibilitychange', seen)
    void lock?.release()
  }
}
