const hertz = 660
const seconds = 1.5
/** Of full scale: well audible, not startling. */
const loudness = 0.25
const fadeSeconds = 0.05

/** Plays a short soft tone through the speakers. Resolves when it is over; a computer without speakers plays nothing. */
export const playTone = async (): Promise<void> => {
  const context = new AudioContext()
  try {
    const tone = new OscillatorNode(context, { frequency: hertz })
    const gain = new GainNode(context, { gain: 0 })
    tone.connect(gain).connect(context.destination)
    const begin = context.currentTime
    const end = begin + seconds
    gain.gain.linearRampToValueAtTime(loudness, begin + fadeSeconds)
    gain.gain.setValueAtTime(loudness, end - fadeSeconds)
    gain.gain.linearRampToValueAtTime(0, end)
    const over = new Promise((resolve) => tone.addEventListener('ended', resolve, { once: true }))
    tone.start()
    tone.stop(end)
    await over
  } finally {
    await context.close()
  }
}
