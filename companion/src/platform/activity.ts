/** An app hears of touches on its own buttons alone: it rests after its time, and one touch wakes it. */
export const onActivity =
  (_listener: () => void): (() => void) =>
  () => {}
