const kinds = ['pointerdown', 'keydown', 'wheel'] as const

/** Calls back whenever somebody touches the page or presses a key. Answers how to stop. */
export const onActivity = (listener: () => void): (() => void) => {
  for (const kind of kinds) addEventListener(kind, listener, { capture: true, passive: true })
  return () => {
    for (const kind of kinds) removeEventListener(kind, listener, { capture: true })
  }
}
