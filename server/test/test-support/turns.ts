/** What `measurePace` gives on the machine that bounds were found on. */
const usualPaceMs = 3

/** What the longest turn of the event loop took of the processor while this ran: foreign load is not counted. */
export const longestTurnOf = async (work: () => Promise<void>): Promise<number> => {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let isOver = false
  let before = used()
  const turn = () => {
    const now = used()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  // The turn that ends the work may be the longest.
  return Math.max(longest, used() - before)
}

/** Work of the kind that answers are made of. */
const measurePace = (): number => {
  const rows = Array.from({ length: 5000 }, (_, n) => ({
    id: `x${n}`,
    at: n * 1000,
    lane: 'screen',
    text: 'word '.repeat(20),
  }))
  const took = Array.from({ length: 12 }, () => {
    const before = process.threadCpuUsage()
    ;(JSON.parse(JSON.stringify(rows)) as typeof rows).sort((a, b) => b.at - a.at)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...took)
}

/** How much longer things may take here: a slower machine, or one that shares its cores, has bounds as much longer. */
export const paceOfHere = (): number => Math.max(1, measurePace() / usualPaceMs)
